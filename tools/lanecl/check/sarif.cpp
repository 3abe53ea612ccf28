// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Writes findings as SARIF 2.1.0, the format of services for code scanning.
#include "report.h"

#include "icd/check_rules.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>

#include <sys/wait.h>

namespace lanecl::tool {
namespace {

constexpr const char *kSchema = "https://json.schemastore.org/sarif-2.1.0.json";
constexpr const char *kRoot = "%SRCROOT%";

// Turns "out-of-bounds" into "OutOfBounds".
std::string nameOf(std::string_view id) {
  std::string name;
  bool begins = true;
  for (const char c : id) {
    if (c != '-')
      name += begins ? char(std::toupper(c)) : c;
    begins = c == '-';
  }
  return name;
}

// Describes a rule for the list of rules that SARIF's results refer to.
Json describeRule(const icd::CheckRuleText &rule) {
  const std::string demand(rule.demand), help(rule.help);
  return {{"id", rule.id},
          {"name", nameOf(rule.id)},
          {"shortDescription", {{"text", demand}}},
          {"fullDescription", {{"text", demand + " " + help}}},
          {"help", {{"text", demand + "\n" + help}, {"markdown", "**" + demand + "**\n\n" + help}}},
          {"defaultConfiguration", {{"level", rule.error ? "error" : "warning"}}},
          {"properties",
           {{"tags", {"opencl", rule.group}},
            {"precision", "very-high"},
            {"problem.severity", rule.error ? "error" : "warning"}}}};
}

Json describeRules() {
  auto rules = Json::array();
  for (const icd::CheckRuleText &rule : icd::kCheckRules)
    rules.push_back(describeRule(rule));
  return rules;
}

// Escapes the characters of a path that a URI cannot contain.
std::string uriOf(const std::string &path) {
  constexpr std::string_view kPlain = "-._~/!$&'()*+,;=@";
  std::string uri;
  for (const char c : path)
    uri += std::isalnum(static_cast<unsigned char>(c)) || kPlain.find(c) != std::string_view::npos
               ? std::string(1, c)
               : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return uri;
}

// Converts the compiler's column, which counts bytes of UTF-8, to SARIF's column, which counts UTF-16 code units. A
// byte that is not valid UTF-8 counts as one unit.
uint64_t columnOf(const std::string &line, uint64_t column) {
  uint64_t units = 1;
  for (size_t i = 0; i + 1 < column; ++i) {
    const auto byte = i < line.size() ? static_cast<unsigned char>(line[i]) : ' ';
    units += (byte & 0xc0) == 0x80 ? 0 : byte >= 0xf0 ? 2 : 1;
  }
  return units;
}

// Describes a file: relative to the sources folder (%SRCROOT%) where that is known, and by its path otherwise.
Json describeArtifact(const std::string &file, const Report &report) {
  if (file.starts_with('/'))
    return {{"uri", "file://" + uriOf(file)}};
  Json artifact{{"uri", uriOf(file)}};
  if (!report.sources.empty())
    artifact["uriBaseId"] = kRoot;
  return artifact;
}

// Returns the line and the kernel of a finding, as far as they are known; an empty object: neither is.
Json describePlace(const Finding &finding, const Report &report) {
  Json place = Json::object();
  if (const uint64_t line = finding.number("line"); line != 0) {
    place["physicalLocation"]["artifactLocation"] = describeArtifact(finding.text("file"), report);
    Json region{{"startLine", line}};
    if (const uint64_t column = finding.number("column"); column != 0)
      region["startColumn"] = columnOf(finding.text("source"), column);
    if (const std::string source = finding.text("source"); !source.empty())
      region["snippet"] = {{"text", source}};
    place["physicalLocation"]["region"] = std::move(region);
  }
  if (const std::string kernel = finding.text("kernel"); !kernel.empty())
    place["logicalLocations"] = {{{"name", kernel}, {"kind", "function"}}};
  return place;
}

// Returns the places where inlined functions were called, and adds a link to each of them to the message.
Json describeCalls(const Finding &finding, const Report &report, std::string &message) {
  auto calls = Json::array();
  for (const Json &call : finding.json.value("calls", Json::array())) {
    const size_t id = calls.size() + 1;
    const std::string function = call.value("function", "");
    message += fmt::format(" Called from [{}]({}).", function, id);
    calls.push_back({{"id", id},
                     {"physicalLocation",
                      {{"artifactLocation", describeArtifact(call.value("file", ""), report)},
                       {"region", {{"startLine", std::max(uint64_t{1}, call.value("line", uint64_t{1}))}}}}},
                     {"message", {{"text", "called from " + function}}}});
  }
  return calls;
}

// Returns one result. `fingerprint` lets a service recognize it in later runs.
Json describeFinding(const Finding &finding, const Report &report, const std::string &fingerprint) {
  const std::string id = finding.text("rule");
  std::string message = finding.sentence() + ".";
  Json calls = describeCalls(finding, report, message);
  Json result{{"ruleId", id}, {"level", finding.isError() ? "error" : "warning"}};
  const auto rule = std::ranges::find(icd::kCheckRules, id, &icd::CheckRuleText::id);
  if (rule != std::end(icd::kCheckRules))
    result["ruleIndex"] = rule - std::begin(icd::kCheckRules);
  result["message"] = {{"text", message}};
  if (Json place = describePlace(finding, report); !place.empty())
    result["locations"] = Json::array({std::move(place)});
  if (!calls.empty())
    result["relatedLocations"] = std::move(calls);
  result["partialFingerprints"] = {{"laneclFinding/v1", fingerprint}};
  Json properties = Json::object();
  for (const char *key : {"kernel", "work_group", "sub_group", "lanes", "global_id", "sub_groups", "processes"})
    if (finding.json.contains(key))
      properties[key] = finding.json[key];
  result["properties"] = std::move(properties);
  return result;
}

std::string timeText(double seconds) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(seconds)));
}

// Describes the program's run: its command line, its times, and how it ended.
Json describeRun(const Report &report) {
  std::string command;
  for (const std::string &word : report.program)
    command += (command.empty() ? "" : " ") + word;
  Json run{{"commandLine", command},
           {"executionSuccessful", WIFEXITED(report.status) && WEXITSTATUS(report.status) == 0},
           {"startTimeUtc", timeText(report.began)},
           {"endTimeUtc", timeText(std::ceil(report.began + report.seconds))}};
  if (WIFEXITED(report.status))
    run["exitCode"] = WEXITSTATUS(report.status);
  else
    run["exitSignalNumber"] = WTERMSIG(report.status);
  return run;
}

} // namespace

std::string asSarif(const Report &report) {
  const std::vector<std::string> prints = fingerprints(report);
  auto results = Json::array();
  for (size_t i = 0; i < report.findings.size(); ++i)
    results.push_back(describeFinding(report.findings[i], report, prints[i]));
  Json driver{{"name", "LaneCL check"}, {"version", LANECL_VERSION}, {"rules", describeRules()}};
  Json run{{"tool", {{"driver", std::move(driver)}}},
           {"invocations", Json::array({describeRun(report)})},
           {"columnKind", "utf16CodeUnits"},
           {"results", std::move(results)}};
  if (!report.sources.empty())
    run["originalUriBaseIds"] = {{kRoot, {{"uri", "file://" + uriOf(report.sources) + "/"}}}};
  const Json whole{{"$schema", kSchema}, {"version", "2.1.0"}, {"runs", Json::array({std::move(run)})}};
  return whole.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

} // namespace lanecl::tool
