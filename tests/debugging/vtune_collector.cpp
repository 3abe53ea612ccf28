// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Stands in for the library that VTune loads into programs. Appends a line to the file $COLLECTED for each method that
// LaneCL loads or unloads, and for each line number of a method:
//   load ID NAME ADDRESS BYTES SOURCE MODULE
//   line ID END LINE
//   unload ID
#include <cstdio>
#include <cstdlib>

// Parts of the declarations in jitprofiling.h of Intel's JIT Profiling API: iJIT_Method_Load_V2 and LineNumberInfo.
struct Line {
  unsigned end, number;
};
struct Method {
  unsigned id;
  const char *name;
  void *address;
  unsigned bytes, line_count;
  const Line *lines;
  const char *class_name, *source_file, *module;
};
constexpr unsigned kUnload = 14, kLoad2 = 21;

static FILE *output() {
  static FILE *const file = std::fopen(std::getenv("COLLECTED"), "a");
  return file;
}

extern "C" [[gnu::visibility("default")]] unsigned Initialize() {
  return output() != nullptr;
}

extern "C" [[gnu::visibility("default")]] int NotifyEvent(unsigned event, void *data) {
  const auto &method = *static_cast<const Method *>(data);
  if (event == kLoad2) {
    std::fprintf(output(), "load %u %s %p %u %s %s\n", method.id, method.name, method.address, method.bytes,
                 method.source_file ? method.source_file : "-", method.module);
    for (unsigned i = 0; i < method.line_count; ++i)
      std::fprintf(output(), "line %u %u %u\n", method.id, method.lines[i].end, method.lines[i].number);
  } else if (event == kUnload) {
    std::fprintf(output(), "unload %u\n", method.id);
  }
  std::fflush(output());
  return 1;
}
