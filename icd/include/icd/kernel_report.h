// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What became of a kernel, as `lanecl compile --report` and `lanecl report` show it.
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
    unsigned times = 1;            // by inlining and unrolling
    bool about_lanes = false;      // a GPU would have it, too
    double cost = 0;               // of a loop: cycles of all its turns, estimated, to compare it with others
  };
  std::string kernel;
  unsigned lanes = 0;
  std::string isa, cpu;   // "AVX2", as LLVM names the processor
  std::string local_size; // "16x4", "any", "free": no work-item can tell
  uint64_t local_bytes = 0, spill_bytes = 0;
  std::vector<Line> lines; // loops, what costs most first; then the others by their places

  // What `lanecl report` adds, which runs a program.
  std::string options;      // that the program gave for the build
  uint64_t launches = 0;    // 0: it was compiled only
  uint64_t nanoseconds = 0; // of one processor, of all launches; estimated from some of them
};

// A paragraph: what was compiled, and with `lines` each of them.
std::string asText(const KernelReport &report, bool lines);

// An object of JSON on one line, and back. False: the text is none.
std::string asJson(const KernelReport &report);
bool fromJson(std::string_view json, KernelReport &report);

// The text of `lanecl compile --json` and `lanecl report --json`.
std::string asJson(const char *tool, const std::vector<KernelReport> &reports);

} // namespace lanecl::icd
