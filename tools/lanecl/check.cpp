// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `lanecl check PROGRAM ARGS…`: its processes print what they find and leave it in a folder, from which this one makes
// the summary, the report and the exit status.
#include "commands.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace lanecl::tool {
namespace {

using Json = nlohmann::ordered_json;

struct Report {
  std::vector<Json> findings;
  uint64_t launches = 0;
  size_t processes = 0;

  size_t errors() const {
    return size_t(std::count_if(findings.begin(), findings.end(),
                                [](const Json &finding) { return finding.value("severity", "") == "error"; }));
  }
};

// Each process has a file: the number of its launches, then a line for each finding.
Report readReport(const fs::path &folder) {
  Report report;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".findings")
      continue;
    std::ifstream file(entry.path());
    std::string line;
    std::getline(file, line);
    report.launches += std::strtoull(line.c_str(), nullptr, 10);
    ++report.processes;
    while (std::getline(file, line))
      if (Json finding = Json::parse(line, nullptr, /*allow_exceptions=*/false); finding.is_object())
        report.findings.push_back(std::move(finding));
  }
  return report;
}

void writeJson(std::ofstream &file, const Report &report) {
  file << Json{{"tool", "lanecl check"},
               {"version", LANECL_VERSION},
               {"processes", report.processes},
               {"launches", report.launches},
               {"findings", report.findings}}
              .dump(1)
       << '\n';
  file.close();
}

class TemporaryFolder {
public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "lanecl-check-XXXXXX").string();
    if (!mkdtemp(name.data()))
      throw std::runtime_error("cannot make a folder " + name + ": " + std::strerror(errno));
    path = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  fs::path path;
};

// The program's wait status.
int runAndWait(const std::vector<std::string> &program) {
  const pid_t child = fork();
  if (child < 0)
    throw std::runtime_error(std::string("cannot start a process: ") + std::strerror(errno));
  if (child == 0)
    _exit(runProgram(program));
  // Ctrl-C is for the program; this process reports what was found until then.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGQUIT, SIG_IGN);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

void summarize(const CheckOptions &options, const Report &report) {
  const size_t errors = report.errors(), warnings = report.findings.size() - errors;
  fmt::print(stderr, "LaneCL check: {} errors, {} warnings; {} launches in {} processes, checked: {}\n", errors,
             warnings, report.launches, report.processes,
             options.checks == "all" ? "memory, sub-groups" : options.checks);
}

} // namespace

int checkProgram(const CheckOptions &options) {
  std::ofstream json;
  if (!options.json.empty()) {
    json.open(options.json);
    if (!json)
      throw std::runtime_error("cannot write the report " + options.json + ": " + std::strerror(errno));
  }
  const TemporaryFolder folder;
  setenv("LANECL_CHECK", options.checks.c_str(), /*overwrite=*/1);
  setenv("LANECL_CHECK_REPORT", folder.path.c_str(), /*overwrite=*/1);
  const int status = runAndWait(options.program);
  const Report report = readReport(folder.path);
  if (json.is_open()) {
    writeJson(json, report);
    if (!json)
      fmt::print(stderr, "lanecl: error: cannot write the report {}\n", options.json);
  }
  summarize(options, report);
  if (WIFSIGNALED(status))
    return 128 + WTERMSIG(status); // as shells say it
  if (WEXITSTATUS(status) != 0)
    return WEXITSTATUS(status);
  return report.errors() == 0 ? 0 : options.error_status;
}

} // namespace lanecl::tool
