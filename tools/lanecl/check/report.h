// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the processes of `lanecl check` have found, and the forms in which that is written.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace lanecl::tool {

using Json = nlohmann::ordered_json;

// As a process has left it (icd/src/check/finding.cpp).
struct Finding {
  Json json; // with all there is

  std::string text(const char *key) const { return json.value(key, ""); }
  uint64_t number(const char *key) const { return json.value(key, uint64_t{0}); }
  bool isError() const { return text("severity") == "error"; }
  std::string place() const;    // "a.cl:3:14"; empty: not known
  std::string sentence() const; // "reading 4 bytes …, in kernel 'k', …, lanes 0-3"
  std::string where() const;    // "in kernel 'k', work-group (0,0,0), sub-group 0, lanes 0-3", as far as it is known
};

struct Report {
  std::vector<Finding> findings;         // each place once, as they were found
  std::vector<Finding> suppressed;       // not among them
  std::map<std::string, size_t> ignored; // by rule: places that are not among them
  size_t further = 0;                    // not among them either: more than the limit
  bool further_errors = false;           // among these
  uint64_t launches = 0;
  uint64_t not_restored = 0, varying = 0; // launches that were not compared at other widths
  size_t processes = 0;

  // Of the run.
  std::vector<std::string> program;
  std::string checks;  // "all", or the group
  std::string sources; // the folder that the files' names are relative to; empty: none
  int status = 0;      // of wait()
  double began = 0, seconds = 0;

  size_t errors() const;
  bool hasErrors() const { return errors() != 0 || further_errors; }
  size_t warnings() const { return findings.size() - errors(); }
  std::vector<std::string> groups() const;  // that were looked for
  std::vector<std::string> reaches() const; // the same, as far as they were: "races of local memory"
  std::vector<std::string> leftOut() const; // what was not looked for: "races of global memory", "widths"
};

// Takes in what is in the folder. `limit`: of findings; 0: none.
void readFindings(const std::filesystem::path &folder, size_t limit, Report &report);

std::string asJson(const Report &report);
std::string asSarif(const Report &report);       // SARIF 2.1.0
std::string asJunit(const Report &report);       // JUnit XML
std::string asCodeQuality(const Report &report); // of GitLab

// One line for each finding, in the form of a CI service: github, azure or gcc.
std::string asAnnotations(const Report &report, const std::string &form);

// Stays the same when the code around a finding moves. Findings that are alike in everything are counted.
std::vector<std::string> fingerprints(const Report &report);

} // namespace lanecl::tool
