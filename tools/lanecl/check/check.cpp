// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `lanecl check PROGRAM ARGS…`: the program's processes print what they find and also leave it in a folder. This
// process reads the folder at the end and makes the summary, the reports and the exit status.
#include "../child.h"
#include "../commands.h"
#include "report.h"

#include "icd/check_rules.h"
#include "icd/counted.h"
#include "icd/suppressions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <list>
#include <stdexcept>

namespace fs = std::filesystem;

namespace lanecl::tool {
namespace {

// A report file. It is opened before the program starts, so that a wrong path is an error at once, and written after
// the program has ended.
class ReportFile {
public:
  ReportFile(std::string path, std::string (*format)(const Report &)) : path(std::move(path)), format(format) {
    file.open(this->path);
    if (!file)
      throw std::runtime_error("cannot write the report " + this->path + ": " + std::strerror(errno));
  }
  void write(const Report &report) {
    file << format(report);
    file.close();
    if (!file)
      fmt::print(stderr, "lanecl: error: cannot write the report {}\n", path);
  }

private:
  const std::string path;
  std::string (*const format)(const Report &);
  std::ofstream file;
};

// Opens the report files of the command line.
std::list<ReportFile> openReports(const CheckOptions &options) {
  std::list<ReportFile> files;
  const auto open = [&](const std::string &path, std::string (*format)(const Report &)) {
    if (!path.empty())
      files.emplace_back(path, format);
  };
  open(options.json, asJson);
  open(options.sarif, asSarif);
  open(options.junit, asJunit);
  open(options.code_quality, asCodeQuality);
  return files;
}

// The time in seconds since 1970.
double now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string absoluteFolder(const std::string &folder) {
  std::error_code error;
  const fs::path path = fs::canonical(folder, error);
  if (error || !fs::is_directory(path, error))
    throw std::runtime_error("--sources: no such folder: " + folder);
  return path.string();
}

std::string absoluteFile(const std::string &file) {
  return file.empty() ? file : fs::absolute(file).string();
}

// Reads the file of suppressions. Throws when a line of it is wrong.
std::vector<icd::Suppression> suppressionsOf(const CheckOptions &options) {
  std::string errors;
  std::vector<icd::Suppression> all;
  if (!options.suppressions.empty())
    all = icd::readSuppressions(options.suppressions, errors);
  if (!errors.empty())
    throw std::runtime_error("--suppressions: " + errors.substr(0, errors.size() - 1));
  return all;
}

// "a.cl:3:14: error: out-of-bounds in kernel 'k' (2 times)"
std::string lineOf(const Finding &finding) {
  const std::string place = finding.place(), kernel = finding.text("kernel"), function = finding.text("function");
  const uint64_t times = finding.number("sub_groups");
  return fmt::format("{}{}: {}{}{}", place.empty() ? "" : place + ": ", finding.text("severity"), finding.text("rule"),
                     !kernel.empty()     ? " in kernel '" + kernel + "'"
                     : !function.empty() ? " in " + function
                                         : "",
                     times > 1 ? fmt::format(" ({} times)", times) : "");
}

// Lists the findings of all processes again at the end: what the processes printed may be far above, or a test runner
// may have swallowed it.
void list(const Report &report) {
  if (!report.findings.empty())
    fmt::print(stderr, "LaneCL check found:\n");
  for (const Finding &finding : report.findings)
    fmt::print(stderr, "  {}\n", lineOf(finding));
}

// Prints the list of findings, the counts, and what was not checked or not used.
void summarize(const CheckOptions &options, const Report &report, const std::vector<icd::Suppression> &suppressions) {
  list(report);
  fmt::print(stderr, "LaneCL check: {}, {}; {} in {}, {:.1f} s, checked: {}\n", icd::counted(report.errors(), "error"),
             icd::counted(report.warnings(), "warning"), icd::counted(report.launches, "launch"),
             icd::counted(report.processes, "process"), report.seconds, fmt::join(report.reaches(), ", "));
  if (report.launches == 0)
    fmt::print(stderr, "  no kernel was launched on this device{}\n",
               options.require_launch ? ", which is an error (--require-launch)" : "");
  if (report.not_restored != 0)
    fmt::print(stderr,
               "  {} ran only with the kernel's own sub-group size, because what it writes cannot be restored\n",
               icd::counted(report.not_restored, "launch"));
  if (report.varying != 0)
    fmt::print(stderr, "  {} ran only with the kernel's own sub-group size, because its results vary even with that\n",
               icd::counted(report.varying, "launch"));
  if (report.further != 0)
    fmt::print(stderr, "  not shown: {} (--limit {})\n", icd::counted(report.further, "more finding"), options.limit);
  for (const auto &[rule, places] : report.ignored)
    fmt::print(stderr, "  ignored: {} in {}\n", rule, icd::counted(places, "place"));
  if (!report.suppressed.empty())
    fmt::print(stderr, "  suppressed: {}\n", icd::counted(report.suppressed.size(), "place"));
  for (const icd::Suppression &line : suppressions)
    if (std::ranges::none_of(report.suppressed,
                             [&](const Finding &found) { return found.number("suppressed_by") == line.line; }))
      fmt::print(stderr, "  {}:{} suppresses nothing: {}\n", options.suppressions, line.line, line.text());
  if (const std::vector<std::string> left_out = report.leftOut(); !left_out.empty())
    fmt::print(stderr, "  not checked: {}; --checks full checks everything\n", fmt::join(left_out, ", "));
}

// Returns the exit status. A program that fails by itself keeps its status, unless the failure is the stop at the first
// error.
int statusOf(const CheckOptions &options, const Report &report) {
  const int status = exitStatus(report.status);
  const bool stopped = options.stop_at_first && status == icd::kCheckErrorStatus;
  if (status != 0 && !stopped)
    return status;
  const bool found = !report.findings.empty() || report.further != 0;
  const bool fails =
      report.hasErrors() || (options.fail_on_warning && found) || (options.require_launch && report.launches == 0);
  return fails ? options.error_status : status;
}

// Runs the program in check mode. The options reach its processes by environment variables.
void run(const CheckOptions &options, Report &report) {
  const TemporaryFolder folder("lanecl-check-");
  setVariable("LANECL_CHECK", options.checks);
  setVariable("LANECL_CHECK_REPORT", folder.path());
  // An empty variable counts as unset, so a value that the caller has set does not interfere.
  setVariable("LANECL_CHECK_SOURCES", report.sources);
  setVariable("LANECL_CHECK_SUPPRESSIONS", absoluteFile(options.suppressions));
  setVariable("LANECL_CHECK_ERROR", options.severities.errors);
  setVariable("LANECL_CHECK_WARNING", options.severities.warnings);
  setVariable("LANECL_CHECK_IGNORE", options.severities.ignored);
  setVariable("LANECL_CHECK_LIMIT", options.limit == 0 ? "" : std::to_string(options.limit));
  setVariable("LANECL_CHECK_STOP", options.stop_at_first ? "exit" : "");
  report.began = now();
  report.status = runAndWait(options.program);
  report.seconds = now() - report.began;
  readFindings(folder.path(), options.limit, report);
}

} // namespace

int checkProgram(const CheckOptions &options) {
  const std::vector<icd::Suppression> suppressions = suppressionsOf(options);
  std::list<ReportFile> files = openReports(options);
  Report report;
  report.program = options.program;
  report.checks = options.checks;
  if (!options.sources.empty())
    report.sources = absoluteFolder(options.sources);
  run(options, report);
  for (ReportFile &file : files)
    file.write(report);
  if (!options.annotations.empty()) {
    fmt::print("{}", asAnnotations(report, options.annotations));
    std::fflush(stdout); // comes before the summary where stdout and stderr go to the same place
  }
  summarize(options, report, suppressions);
  return statusOf(options, report);
}

} // namespace lanecl::tool
