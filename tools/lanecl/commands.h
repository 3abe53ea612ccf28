// The subcommands of `lanecl`. Each returns the exit status.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace lanecl::tool {

// Makes both common OpenCL loaders (ocl-icd and Khronos') use only our library, in this process and its children.
// Throws std::runtime_error with the remedy when the library does not exist.
void useOwnDevice();

// `lanecl PROGRAM ARGS…`: replaces this process by the program; returns only when it cannot be started.
int runProgram(const std::vector<std::string> &command);

struct InfoOptions {
  bool brief = false; // three lines
};
int showInfo(const InfoOptions &options);

struct CompileOptions {
  std::string file;
  std::vector<std::string> build_options; // behind --
  std::string kernel;                     // empty: all
  std::string cpu;                        // empty: as the settings say
  std::array<uint32_t, 3> local_size{0, 0, 0};
  unsigned sub_group_size = 0; // 0: by the rule
  bool report = false;
  bool assembly = false;
  bool ir = false;
};
int compileFile(const CompileOptions &options);

} // namespace lanecl::tool
