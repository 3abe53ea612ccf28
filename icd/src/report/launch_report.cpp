// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Collects the launches of this process, and writes the file that `lanecl report` reads.
#include "report/launch_report.h"

#include "icd/describe_code.h"
#include "icd/settings.h"
#include "settings/made_once.h"

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <utility>

#include <unistd.h>

namespace lanecl::icd {
namespace {

// Collects the code and the launches of this process, and writes the file. Thread-safe.
class LaunchReport {
public:
  // Implements noteCode().
  void add(const vectorizer::CompiledKernel *code, KernelReport report) {
    const std::lock_guard lock(mutex);
    forgetParent();
    all[code].push_back({std::move(report), {}});
  }

  // Implements noteLaunch().
  void count(const vectorizer::CompiledKernel &code, const std::shared_ptr<scheduler::LaunchHistory> &history,
             uint64_t groups) {
    const std::lock_guard lock(mutex);
    forgetParent();
    const auto found = all.find(&code);
    if (found == all.end()) // compiled before this process was forked
      return;
    Code &last = found->second.back();
    ++last.report.launches;
    last.groups[history] += groups;
    // The process may be killed, so the file always has each kernel that was launched. While there are few kernels, the
    // file is rewritten at the 1st, 2nd, 4th, 8th … launch, so that its numbers are not far behind. With many kernels
    // that would take long, and a kernel is only appended at its first launch.
    constexpr size_t kFew = 200;
    if (all.size() <= kFew && std::has_single_bit(last.report.launches))
      write();
    else if (last.report.launches == 1)
      append(asJson(last.report) + "\n");
  }

  void end() {
    const std::lock_guard lock(mutex);
    forgetParent();
    write();
  }

private:
  struct Code {
    KernelReport report;
    std::map<std::shared_ptr<scheduler::LaunchHistory>, uint64_t> groups; // numbers of work-groups launched
  };

  // Drops the parent's records in a forked process, which has a file of its own.
  void forgetParent() {
    if (std::exchange(process, getpid()) != process)
      all.clear();
  }

  static std::string fileName() { return settings().report + "/" + std::to_string(getpid()); }

  static void append(const std::string &line) {
    if (std::FILE *const file = std::fopen((fileName() + ".kernels").c_str(), "ae")) {
      std::fwrite(line.data(), 1, line.size(), file);
      std::fclose(file);
    }
  }

  // Writes a new file beside the old one and renames it, so that readers never see a part of it.
  void write() const {
    std::string lines;
    for (const auto &[code, reports] : all)
      for (const Code &each : reports) {
        KernelReport report = each.report;
        for (const auto &[history, groups] : each.groups)
          report.nanoseconds += uint64_t(history->groupNanoseconds() * double(groups));
        lines += asJson(report) + "\n";
      }
    const std::string name = fileName();
    std::FILE *const file = std::fopen((name + ".new").c_str(), "we");
    if (!file)
      return;
    const bool whole = std::fwrite(lines.data(), 1, lines.size(), file) == lines.size();
    if (std::fclose(file) == 0 && whole)
      std::rename((name + ".new").c_str(), (name + ".kernels").c_str());
  }

  std::mutex mutex;
  // The records of each piece of code, by its address. Code is unloaded with its program, and other code may later get
  // the same address: the last record is that of the code which is loaded now.
  std::map<const vectorizer::CompiledKernel *, std::vector<Code>> all;
  pid_t process = getpid();
};

// Returns the one object. It is never destroyed, because kernels may be launched while the process exits.
LaunchReport &launchReport() {
  static constinit MadeOnce<LaunchReport *> instance;
  return *instance.get([] {
    std::atexit([] { launchReport().end(); });
    return new LaunchReport;
  });
}

} // namespace

bool areLaunchesReported() {
  return !settings().report.empty();
}

void noteCode(const std::string &kernel, const std::string &options, const vectorizer::LaunchClass &launch,
              const vectorizer::CompileOutput &output, const vectorizer::TargetDescription &target) {
  if (!output.kernel)
    return;
  KernelReport report = describeCode(kernel, chosenClass(launch, *output.kernel), output, target);
  report.options = options;
  launchReport().add(output.kernel.get(), std::move(report));
}

void noteLaunch(const vectorizer::CompiledKernel &code, const std::shared_ptr<scheduler::LaunchHistory> &history,
                uint64_t groups) {
  launchReport().count(code, history, groups);
}

} // namespace lanecl::icd
