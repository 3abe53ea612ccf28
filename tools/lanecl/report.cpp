// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `lanecl report PROGRAM ARGS…`: each process of the program leaves reports on the kernels that it launches in a
// folder. This process reads the folder at the end and prints the reports, those of the slowest kernels first.
#include "child.h"
#include "commands.h"

#include "icd/kernel_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <ranges>
#include <stdexcept>

namespace fs = std::filesystem;

namespace lanecl::tool {
namespace {

// Adds a process's report to those of all. Reports that agree in everything but launches and time are one: several
// processes, or one that compiled twice, have the same code.
void merge(icd::KernelReport report, std::map<std::string, icd::KernelReport> &all) {
  icd::KernelReport key = report;
  key.launches = key.nanoseconds = 0;
  icd::KernelReport &sum = all.try_emplace(icd::asJson(key), key).first->second;
  sum.launches += report.launches;
  sum.nanoseconds += report.nanoseconds;
}

// Returns the reports of the kernels that were launched, those with the longest total time first. An empty `kernel`
// selects all.
std::vector<icd::KernelReport> readReports(const fs::path &folder, const std::string &kernel) {
  std::map<std::string, icd::KernelReport> all;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".kernels")
      continue;
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      icd::KernelReport report;
      if (icd::fromJson(line, report) && report.launches != 0 && (kernel.empty() || report.kernel == kernel))
        merge(std::move(report), all);
    }
  }
  std::vector<icd::KernelReport> reports;
  for (icd::KernelReport &report : std::views::values(all))
    reports.push_back(std::move(report));
  std::ranges::stable_sort(reports, std::ranges::greater(), &icd::KernelReport::nanoseconds);
  return reports;
}

} // namespace

int reportProgram(const ReportOptions &options) {
  std::ofstream json;
  if (!options.json.empty()) {
    json.open(options.json);
    if (!json)
      throw std::runtime_error("cannot write the report " + options.json + ": " + std::strerror(errno));
  }
  const TemporaryFolder folder("lanecl-report-");
  setVariable("LANECL_REPORT", folder.path());
  const int status = runAndWait(options.program);
  const std::vector<icd::KernelReport> reports = readReports(folder.path(), options.kernel);
  json << icd::asJson("lanecl report", reports);
  json.close();
  if (!options.json.empty() && !json)
    fmt::print(stderr, "lanecl: error: cannot write the report {}\n", options.json);
  for (const icd::KernelReport &report : reports)
    fmt::print(stderr, "{}", icd::asText(report, !options.brief));
  if (reports.empty())
    fmt::print(stderr, "LaneCL report: {} was launched on this device\n",
               options.kernel.empty() ? "no kernel" : "no kernel '" + options.kernel + "'");
  return exitStatus(status);
}

} // namespace lanecl::tool
