// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The folder in which the processes of `lanecl check` leave what they find; tools/lanecl/check reads it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lanecl::icd {

class ReportFolder {
public:
  explicit ReportFolder(std::string folder); // empty: there is none, and this process is alone

  // The number of a place that no process has claimed yet, from 1 on; 0: another one has.
  uint64_t claim(std::string_view place);

  void countLaunch();
  void countUnchecked(size_t why); // 0: what it writes is not restored; 1: it varies from run to run
  void beginProcess();             // in a process that has forked: it has files of its own
  // The lines that this process leaves. Who reads them finds all, even when this process is killed meanwhile.
  void write(const std::string &lines) const;
  void append(const std::string &line) const; // to what has been written

private:
  std::string folder_;
  uint64_t *launches_ = nullptr; // in a file that is mapped, so that it has the number whatever ends this process
  uint64_t unchecked_[2]{};
  uint64_t claimed_ = 0; // without a folder
};

} // namespace lanecl::icd
