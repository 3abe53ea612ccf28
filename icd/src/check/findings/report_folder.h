// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The folder in which the processes of one `lanecl check` leave their findings; tools/lanecl/check reads it. Each
// process PID has these files, beside those that the processes share (one for each place, and the numbers):
//   PID.findings   a JSON object on each line
//   PID.launches   the number of launches, 8 bytes
//   PID.unchecked  the numbers of launches that were not compared, as text
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lanecl::icd {

class ReportFolder {
public:
  // An empty `folder` means that there is none, and that this process is the only one.
  explicit ReportFolder(std::string folder);

  // Claims a place for this process, so that only one process prints it. Returns the place's number, counted from 1
  // over all processes, or 0 if another process has claimed it.
  uint64_t claim(std::string_view place);

  void countLaunch();
  // Counts a launch that was not compared. 0: the memory that it writes cannot be restored; 1: its results vary.
  void countUnchecked(size_t why);
  // Called at the first use and in a process that was forked: the process gets files of its own.
  void beginProcess();
  // Replaces the findings that this process leaves. A reader sees either all of the old lines or all of the new ones,
  // even if this process is killed meanwhile.
  void write(const std::string &lines) const;
  // Appends a line to the findings.
  void append(const std::string &line) const;

private:
  // Returns false if another process has claimed the place. If the folder cannot be written, every claim is the first.
  bool isFirstClaim(std::string_view place) const;

  std::string folder_;
  uint64_t *launches_ = nullptr; // in a mapped file, which keeps the number however this process ends
  uint64_t unchecked_[2]{};
  uint64_t claimed_ = 0; // places, if there is no folder
};

} // namespace lanecl::icd
