// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The findings of all processes of one `lanecl check`, and the formats in which they are written.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace lanecl::tool {

using Json = nlohmann::ordered_json;

// One broken rule at one place, as icd/src/check/findings/finding.cpp has written it.
struct Finding {
  Json json; // everything that the process has recorded

  // Returns the member `key`, or an empty value when the finding has none.
  std::string text(const char *key) const { return json.value(key, ""); }
  uint64_t number(const char *key) const { return json.value(key, uint64_t{0}); }
  bool isError() const { return text("severity") == "error"; }
  std::string place() const;    // "a.cl:3:14"; empty: unknown
  std::string sentence() const; // "reading 4 bytes …, in kernel 'k', …, lanes 0-3"
  std::string where() const;    // the known ones of "in kernel 'k', work-group (0,0,0), sub-group 0, lanes 0-3"
};

// The result of one `lanecl check`. A place that breaks a rule counts once, however many processes found
// it.
struct Report {
  std::vector<Finding> findings;         // the reported ones, in the order in which they were found
  std::vector<Finding> suppressed;       // those that a line of the suppressions file matches
  std::map<std::string, size_t> ignored; // places whose rule is ignored, by rule
  size_t further = 0;                    // findings beyond the limit, which are only counted
  bool further_errors = false;           // whether an error is among those beyond the limit
  // Kernel launches of all processes.
  uint64_t launches = 0;
  uint64_t not_restored = 0, varying = 0; // launches that could not be compared at other widths
  size_t processes = 0;

  // The run itself.
  std::vector<std::string> program;
  std::string checks;  // the groups of checks, as --checks names them
  std::string sources; // the folder that file names are relative to; empty: none
  int status = 0;      // the program's wait status
  double began = 0, seconds = 0;

  size_t errors() const;
  bool hasErrors() const { return errors() != 0 || further_errors; }
  size_t warnings() const { return findings.size() - errors(); }
  std::vector<std::string> groups() const;  // the groups that were checked
  std::vector<std::string> reaches() const; // the same with their extent, such as "races of local memory"
  std::vector<std::string> leftOut() const; // what was not checked, such as "races of global memory" or "widths"
};

// Adds to the report what the processes have left in the folder. Keeps at most `limit` findings; 0 keeps all.
void readFindings(const std::filesystem::path &folder, size_t limit, Report &report);

// Each of these returns the text of a report file.
std::string asJson(const Report &report);
std::string asSarif(const Report &report);       // SARIF 2.1.0
std::string asJunit(const Report &report);       // JUnit XML
std::string asCodeQuality(const Report &report); // GitLab's code quality report

// Returns one line for each finding in the form that a CI service looks for: github, azure or gcc.
std::string asAnnotations(const Report &report, const std::string &form);

// Returns a fingerprint for each finding, by which services recognize it in a later run. It does not contain the line
// number, so it stays the same when the code around the finding moves. Findings that agree in everything else are
// numbered.
std::vector<std::string> fingerprints(const Report &report);

} // namespace lanecl::tool
