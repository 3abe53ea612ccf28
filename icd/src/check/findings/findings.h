// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Collects the findings of this process, one for each place where a rule was broken.
#pragma once

#include "check/findings/finding.h"
#include "check/findings/report_folder.h"
#include "check/findings/source_files.h"
#include "faults/program_text.h"
#include "icd/suppressions.h"

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

namespace lanecl::icd {

// Thread-safe. A new finding is printed to stderr and written to the report's file before the kernel continues, so that
// it is not lost if the process crashes next.
class Findings {
public:
  struct Options {
    std::string folder;       // the folder from which `lanecl check` reads the findings; empty: none
    std::string sources;      // the folder with the programs' sources; empty: not known
    std::string suppressions; // the file of suppressions; empty: none
    ChosenSeverities severities;
    uint64_t limit = 0;        // how many findings all processes together print; 0: all
    bool end_at_error = false; // the first error ends the process with kCheckErrorStatus
  };
  explicit Findings(const Options &options);

  // Adds a finding. `finding` has the rule and the place as the compiler names it; `complete` adds the values, and is
  // called only if the place is new or was not found since take(). `texts` are the sources of the program, or null if
  // they are not known. Returns whether the finding is new and neither suppressed nor ignored.
  bool add(const Finding &finding, const ProgramTexts *texts, const std::function<void(Finding &)> &complete);
  void countLaunch();
  // Counts a launch that was not compared, see ReportFolder::countUnchecked().
  void countUnchecked(size_t why);
  // Writes the report's file again, with the counts as they are now.
  void write();
  // Returns what was found since the last call, with the number of times since then. Places that were known before are
  // returned again; suppressed and ignored findings are not returned.
  std::vector<Finding> take();

private:
  // Rule, kernel, function, file, line and column. The function is empty if there is a kernel.
  using Key = std::tuple<std::string_view, std::string, std::string, std::string, uint32_t, uint32_t>;

  struct Known {
    Finding finding;
    uint64_t taken = 0; // finding.times at the last take()
  };

  static Key keyOf(const Finding &finding);
  void addAgain(Known &known, const Finding &again, const ProgramTexts *texts,
                const std::function<void(Finding &)> &complete);
  void forgetParent(); // in a forked process, drops the parent's findings
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
  int process = 0; // the process id that `all` belongs to
};

} // namespace lanecl::icd
