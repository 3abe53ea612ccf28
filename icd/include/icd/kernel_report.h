// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The report on how a kernel was vectorized, as `lanecl compile --report` and `lanecl report` show it, and its JSON.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanecl::icd {

struct KernelReport {
  struct Line {
    std::string file;
    unsigned line = 0, column = 0; // 0: not known
    std::string kind, text;        // "gather", "load gathers: its index depends on …"
    unsigned times = 1;            // how often the line occurs in the code, by inlining and unrolling
    bool about_lanes = false;      // the remark would hold on a GPU, too
    double cost = 0;               // for a loop, the estimated cycles of all its turns, to rank loops
  };
  std::string kernel;
  unsigned lanes = 0;
  std::string isa, cpu;   // "AVX2", and LLVM's name of the processor
  std::string local_size; // "16x4x1", "any"; "free" or "free with lanes along y" if no work-item can observe it
  uint64_t local_bytes = 0, spill_bytes = 0;
  std::vector<Line> lines; // loops first, the most expensive one first; then the other lines by their places

  // Filled by `lanecl report`, which runs a program.
  std::string options;      // the program's build options
  uint64_t launches = 0;    // 0: the kernel was only compiled
  uint64_t nanoseconds = 0; // processor time of all launches together, estimated from a sample of them
};

// Returns a paragraph that says what was compiled; with `lines` it includes the lines of the report.
std::string asText(const KernelReport &report, bool lines);

// Convert a report to a JSON object on one line, and back. fromJson() returns false if the text is no such object.
std::string asJson(const KernelReport &report);
bool fromJson(std::string_view json, KernelReport &report);

// Returns the output of `lanecl compile --json` and `lanecl report --json`.
std::string asJson(const char *tool, const std::vector<KernelReport> &reports);

} // namespace lanecl::icd
