// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the kernels of this process have broken so far, each place once.
#pragma once

#include "check/finding.h"
#include "check/report_folder.h"
#include "check/source_files.h"
#include "faults/program_text.h"
#include "icd/suppressions.h"

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

namespace lanecl::icd {

// Thread-safe. A new finding is printed to stderr and is in the report's file before the kernel goes on, so that it is
// there whatever happens next.
class Findings {
public:
  struct Options {
    std::string folder;       // where `lanecl check` reads what was found; empty: none
    std::string sources;      // of the programs; empty: not known
    std::string suppressions; // a file; empty: none
    ChosenSeverities severities;
    uint64_t limit = 0; // places that are printed, of all processes; 0: all
    bool end_at_error = false;
  };
  explicit Findings(const Options &options);

  // What was found where, as the compiler names it, without the values; `complete` adds these where it is new, or was
  // not found since take(). `texts`: of the program; null: not known. False: it is known, suppressed or ignored.
  bool add(const Finding &finding, const ProgramTexts *texts, const std::function<void(Finding &)> &complete);
  void countLaunch();
  void countUnchecked(size_t why); // see ReportFolder
  void write();                    // with the counts of now
  // What was found since the last call, known before or not, with how often since then; not what is suppressed or
  // ignored.
  std::vector<Finding> take();

private:
  using Key = std::tuple<std::string_view, std::string, std::string, std::string, uint32_t, uint32_t>;

  struct Known {
    Finding finding;
    uint64_t taken = 0; // how often it was found before take()
  };

  static Key keyOf(const Finding &finding);
  void addAgain(Known &known, const Finding &again, const ProgramTexts *texts,
                const std::function<void(Finding &)> &complete);
  void forgetParent(); // a forked process reports its own
  void print(Finding &finding);
  void leave(const Finding &added) const;
  void writeLocked() const;

  std::mutex mutex;
  ReportFolder folder;
  SourceFiles sources;
  const std::vector<Suppression> suppressions;
  const ChosenSeverities severities;
  const uint64_t limit;
  const bool end_at_error;
  std::map<Key, Known> all;
  int process = 0;
};

} // namespace lanecl::icd
