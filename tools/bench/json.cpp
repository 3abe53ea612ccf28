// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Writes the results of a run as JSON, and compares them with such a file of an earlier run.
#include "results.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>

namespace bench {

namespace {

using Json = nlohmann::ordered_json;

// The version of the file's format.
constexpr int kFormat = 1;

Json contestantsOf(const Results &results) {
  Json list = Json::array();
  for (size_t i = 0; i < results.contestants.size(); ++i) {
    Json contestant{{"name", results.contestants[i]}};
    if (const Software &software = results.software[i]; !software.platform.empty())
      contestant.update({{"platform", software.platform}, {"device", software.device}, {"driver", software.driver}});
    list.push_back(std::move(contestant));
  }
  return list;
}

Json scoreToJson(const Score &score) {
  if (!score.failure.empty())
    return {{"failure", score.failure}};
  if (!score.missing.empty())
    return {{"missing", score.missing}};
  return {{"seconds", score.seconds}, {"fastest", score.fastest}, {"samples", score.samples}};
}

Json rowToJson(const Results &results, const Row &row) {
  const Benchmark &benchmark = row.benchmark;
  Json json{{"name", benchmark.name}, {"group", benchmark.group}, {"description", benchmark.description}};
  if (!benchmark.unit.empty())
    json.update({{"amount", benchmark.amount}, {"unit", benchmark.unit}});
  Json &scores = json["results"] = Json::object();
  for (size_t i = 0; i < row.scores.size(); ++i)
    if (const Score &score = row.scores[i]; score.seconds > 0 || !score.failure.empty() || !score.missing.empty())
      scores[results.contestants[i]] = scoreToJson(score);
  return json;
}

Json readJson(const std::string &path) {
  std::ifstream stream(path);
  if (!stream)
    throw std::runtime_error("cannot read " + path);
  const Json json = Json::parse(stream, nullptr, false);
  if (!json.is_object() || json.value("format", 0) != kFormat)
    throw std::runtime_error(path + " was not written by --json");
  return json;
}

// Says how the earlier run's machine differs from this one. A difference does not stop the comparison, because one
// processor may have several names.
std::string differencesOf(const Json &earlier, const Machine &machine) {
  const std::string there = fmt::format("{}, {} cores, {}", earlier.at("processor").get<std::string>(),
                                        earlier.at("cores").get<unsigned>(), earlier.at("isa").get<std::string>());
  const std::string here = fmt::format("{}, {} cores, {}", machine.processor, machine.cores, machine.isa);
  return here == there ? "" : fmt::format("The earlier run was on another machine: {}; this is {}.\n", there, here);
}

// Compares one benchmark with its earlier score and adds a line for it when it became slower or faster.
void compareRow(const Row &row, const Json &earlier, double tolerance, Comparison &comparison) {
  const double before = earlier.value("seconds", 0.0);
  const Score &now = row.scores.front();
  if (before <= 0 || (now.seconds == 0 && now.failure.empty()))
    return;
  const double ratio = now.failure.empty() ? now.seconds / before : HUGE_VAL;
  const bool slower = ratio > 1 + tolerance, faster = ratio * (1 + tolerance) < 1;
  comparison.slower += slower;
  if (slower || faster)
    comparison.text += fmt::format(
        "  {:<35} {:>12} -> {:<12}{}\n", row.benchmark.name, formatTime(before),
        now.failure.empty() ? formatTime(now.seconds) : "FAILED",
        now.failure.empty() ? fmt::format("{:.2f} times {}", slower ? ratio : 1 / ratio, slower ? "slower" : "faster")
                            : "");
}

} // namespace

void writeJson(const Results &results, const std::string &path) {
  Json json{
      {"format", kFormat},
      {"machine",
       {{"processor", results.machine.processor}, {"cores", results.machine.cores}, {"isa", results.machine.isa}}},
      {"contestants", contestantsOf(results)},
      {"benchmarks", Json::array()}};
  for (const Row &row : results.rows)
    json["benchmarks"].push_back(rowToJson(results, row));
  std::ofstream stream(path);
  // A failure may quote a compiler's message, which need not be valid UTF-8.
  stream << json.dump(1, ' ', false, Json::error_handler_t::replace) << '\n';
  if (!stream.flush())
    throw std::runtime_error("cannot write " + path);
}

Comparison compareWith(const std::string &path, const Results &results, double tolerance) {
  const Json earlier = readJson(path);
  Comparison comparison;
  comparison.text = differencesOf(earlier.at("machine"), results.machine);
  size_t compared = 0;
  for (const Json &benchmark : earlier.at("benchmarks")) {
    const auto name = benchmark.at("name").get<std::string>();
    const auto row =
        std::find_if(results.rows.begin(), results.rows.end(), [&](const Row &r) { return r.benchmark.name == name; });
    const Json &scores = benchmark.at("results");
    const auto score = scores.find(results.contestants.front());
    if (row == results.rows.end() || score == scores.end())
      continue;
    ++compared;
    compareRow(*row, *score, tolerance, comparison);
  }
  comparison.text += fmt::format("Slower than in {2} by more than {3:.0f} %: {0} of {1} benchmarks.\n",
                                 comparison.slower, compared, path, 100 * tolerance);
  return comparison;
}

} // namespace bench
