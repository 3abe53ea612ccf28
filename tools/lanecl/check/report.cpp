// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reads what the processes of `lanecl check` have found, merges equal findings, and writes the report as JSON.
#include "report.h"

#include "icd/check_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <tuple>
#include <utility>

namespace fs = std::filesystem;

namespace lanecl::tool {
namespace {

// Findings with equal keys are one: the rule, the kernel (or the API function when there is no kernel), and the place.
using Key = std::tuple<std::string, std::string, std::string, std::string, uint64_t, uint64_t>;

Key keyOf(const Finding &finding) {
  return {finding.text("rule"), finding.text("kernel"), finding.text("kernel").empty() ? finding.text("function") : "",
          finding.text("file"), finding.number("line"), finding.number("column")};
}

// Adds a finding of one process to those of all. Equal findings are counted together; the details are those of the
// process that found the place first, which is the only one with a number.
void merge(Finding finding, std::map<Key, Finding> &all) {
  const auto [known, is_new] = all.emplace(keyOf(finding), finding);
  if (is_new)
    return;
  const uint64_t sub_groups = known->second.number("sub_groups") + finding.number("sub_groups");
  const uint64_t processes = known->second.number("processes") + 1;
  if (finding.number("number") != 0)
    known->second = std::move(finding);
  known->second.json["sub_groups"] = sub_groups;
  known->second.json["processes"] = processes;
}

// Returns the number in a process's file of launches, which the process maps into memory and counts in.
uint64_t readCount(const fs::path &path) {
  uint64_t count = 0;
  std::ifstream(path, std::ios::binary).read(reinterpret_cast<char *>(&count), sizeof count);
  return count;
}

// Formats three numbers as (1,2,3); empty: the JSON has none.
std::string ids(const Json &three) {
  if (!three.is_array() || three.size() != 3)
    return "";
  return fmt::format("({},{},{})", three[0].get<uint64_t>(), three[1].get<uint64_t>(), three[2].get<uint64_t>());
}

// FNV-1a, which gives the same hash in every version and on every machine, unlike std::hash.
std::string hashOf(const std::string &text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text)
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return fmt::format("{:016x}", hash);
}

} // namespace

std::string Finding::place() const {
  const uint64_t line = number("line"), column = number("column");
  if (line == 0)
    return "";
  return text("file") + ":" + std::to_string(line) + (column == 0 ? "" : ":" + std::to_string(column));
}

std::string Finding::where() const {
  std::string result;
  if (!text("kernel").empty())
    result = "in kernel '" + text("kernel") + "'";
  if (!text("lanes").empty())
    result += fmt::format(", work-group {}, sub-group {}, lanes {}; the first is global id {}", ids(json["work_group"]),
                          number("sub_group"), text("lanes"), ids(json["global_id"]));
  return result;
}

std::string Finding::sentence() const {
  const std::string at = where();
  return text("message") + (at.empty() ? "" : ", " + at);
}

size_t Report::errors() const {
  return size_t(std::ranges::count_if(findings, &Finding::isError));
}

// Returns the different texts that `name` makes of the groups, in the order of the rules. An empty text is left out.
template <class Name> static std::vector<std::string> namesOfGroups(Name name) {
  std::vector<std::string> result;
  for (const icd::CheckRuleText &rule : icd::kCheckRules)
    if (const std::string text = name(std::string(rule.group));
        !text.empty() && std::ranges::find(result, text) == result.end())
      result.push_back(text);
  return result;
}

std::vector<std::string> Report::groups() const {
  return namesOfGroups(
      [&](const std::string &group) { return icd::isChosenGroup(checks, group) ? group : std::string(); });
}

std::vector<std::string> Report::reaches() const {
  return namesOfGroups([&](const std::string &group) {
    switch (icd::reachOf(checks, group)) {
    case icd::CheckReach::Nothing: return std::string();
    case icd::CheckReach::OwnMemory:
      return group + (group == "races" ? " of local memory" : " of local and private memory");
    case icd::CheckReach::Everything: break;
    }
    return group;
  });
}

std::vector<std::string> Report::leftOut() const {
  return namesOfGroups([&](const std::string &group) {
    switch (icd::reachOf(checks, group)) {
    case icd::CheckReach::Nothing: return group;
    case icd::CheckReach::OwnMemory: return group + " of global memory";
    case icd::CheckReach::Everything: break;
    }
    return std::string();
  });
}

// Each process has left a file with the number of its launches. It has left a file with a line for each finding if
// there are any, and a file with two counts if launches were not compared at other widths.
void readFindings(const fs::path &folder, size_t limit, Report &report) {
  std::map<Key, Finding> all;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".launches") {
      report.launches += readCount(entry.path());
      ++report.processes;
    }
    if (entry.path().extension() == ".unchecked") {
      uint64_t not_restored = 0, varying = 0;
      std::ifstream(entry.path()) >> not_restored >> varying;
      report.not_restored += not_restored;
      report.varying += varying;
    }
    if (entry.path().extension() != ".findings")
      continue;
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      Json json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
      if (!json.is_object())
        continue;
      json["processes"] = 1;
      merge({std::move(json)}, all);
    }
  }
  for (auto &[key, finding] : all)
    if (finding.text("severity") == "ignored")
      ++report.ignored[finding.text("rule")];
    else
      (finding.number("suppressed_by") != 0 ? report.suppressed : report.findings).push_back(std::move(finding));
  std::ranges::sort(report.findings, {},
                    [](const Finding &finding) { return std::pair(finding.number("number"), keyOf(finding)); });
  if (limit != 0 && report.findings.size() > limit) {
    report.further = report.findings.size() - limit;
    report.further_errors = std::any_of(report.findings.begin() + ptrdiff_t(limit), report.findings.end(),
                                        [](const Finding &finding) { return finding.isError(); });
    report.findings.resize(limit);
  }
  for (Finding &finding : report.findings) {
    finding.json.erase("number");
    finding.json.erase("suppressed_by");
  }
}

std::string asJson(const Report &report) {
  auto findings = Json::array();
  for (const Finding &finding : report.findings)
    findings.push_back(finding.json);
  return Json{{"tool", "lanecl check"},        {"version", LANECL_VERSION},
              {"processes", report.processes}, {"launches", report.launches},
              {"seconds", report.seconds},     {"checked", report.groups()},
              {"left_out", report.leftOut()},  {"suppressed", report.suppressed.size()},
              {"ignored", report.ignored},     {"further", report.further},
              {"findings", findings}}
             .dump(1) +
         '\n';
}

std::vector<std::string> fingerprints(const Report &report) {
  std::map<std::string, int> alike;
  std::vector<std::string> result;
  for (const Finding &finding : report.findings) {
    const std::string source = finding.text("source");
    const size_t begin = std::min(source.find_first_not_of(" \t"), source.size());
    const std::string text = finding.text("rule") + '\n' + finding.text("file") + '\n' + finding.text("kernel") + '\n' +
                             finding.text("function") + '\n' + source.substr(begin);
    result.push_back(hashOf(text + '\n' + std::to_string(alike[text]++)));
  }
  return result;
}

} // namespace lanecl::tool
