// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The subcommands of `lanecl`. Each function that runs one returns the exit status of `lanecl`; a failure that ends
// `lanecl` with an error message is thrown as std::runtime_error.
#pragma once

#include "icd/check_rules.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace lanecl::tool {

// Returns the absolute path of the device's library that belongs to the same installation or build tree as this
// program. Throws std::runtime_error, whose text names the remedy, when the library does not exist.
std::string ownLibrary();

// Sets the environment of this process, and of those it starts, so that both common OpenCL loaders (ocl-icd and
// Khronos') use only our library.
void useOwnDevice();

// `lanecl PROGRAM ARGS…`: replaces this process by the program on our device. Returns only when the program cannot be
// started, with a shell's status for that: 127 when it is not found, otherwise 126.
int runProgram(const std::vector<std::string> &command);

// `lanecl gdb [--check] [DEBUGGER-OPTIONS --] PROGRAM ARGS…`, and the same for lldb without --check: replaces this
// process by the debugger, which is ready to run the program. gdb has LaneCL's commands loaded. Unless the environment
// says otherwise, kernels are built for debugging and run by one thread. With --check gdb stops where a kernel breaks a
// rule.
enum class Debugger { Gdb, Lldb };
int debugProgram(Debugger debugger, std::vector<std::string> words);

// The options of `lanecl check`, as the command line gives them.
struct CheckOptions {
  // Groups of checks, separated by commas: memory, sub-groups, work-groups, races, initialization, arithmetic, widths,
  // commands, failures and api. `all` stands for the cheap ones and `full` for every one.
  std::string checks = "all";
  // Each of these files receives a report in the format of its name. An empty name writes no report.
  std::string json, sarif, junit, code_quality;
  std::string annotations;    // the form of the lines on stdout: github, azure or gcc; empty: no lines
  std::string suppressions;   // file that lists the findings not to report; empty: none
  unsigned limit = 0;         // at most so many findings are shown; 0: all
  bool stop_at_first = false; // each process ends at its first error
  std::string sources;        // folder with the program's sources; empty: unknown
  icd::ChosenSeverities severities;
  bool fail_on_warning = false;
  bool require_launch = false; // a run without a kernel on this device fails
  int error_status = 86;       // returned when errors were found and the program itself succeeded
  std::vector<std::string> program;
};

// `lanecl check [OPTIONS] PROGRAM ARGS…`: runs the program with kernels that report which rules they break. Returns the
// program's status when it failed, `error_status` when the findings make the run fail, and otherwise 0.
int checkProgram(const CheckOptions &options);

struct ReportOptions {
  std::string json;   // file that receives the report; empty: no file
  std::string kernel; // the only kernel that is reported; empty: all
  bool brief = false; // one or two lines for each kernel
  std::vector<std::string> program;
};

// `lanecl report [OPTIONS] PROGRAM ARGS…`: runs the program and shows, for each kernel that it launched, what `lanecl
// compile --report` shows. Returns the program's status.
int reportProgram(const ReportOptions &options);

struct InfoOptions {
  bool brief = false; // only the first three lines
};

struct CompileOptions {
  std::string file;
  std::vector<std::string> build_options; // the words after --, for the kernel compiler
  std::string kernel;                     // the only kernel that is compiled; empty: all
  std::string cpu;                        // LLVM's name of the processor; empty: the one of the settings
  // Zeros stand for the size that the kernel requires, or else for any size.
  std::array<uint32_t, 3> local_size{0, 0, 0};
  unsigned sub_group_size = 0; // 0: chosen as at a launch
  std::string output;          // file that receives the program's binary; empty: no file
  bool spirv = false;          // the file is SPIR-V even if its name does not end in .spv
  bool report = false;
  bool json = false; // print the report of all kernels as JSON, and nothing else on stdout
  bool assembly = false;
  bool ir = false;
  bool time = false;
};

// The names of functions in the device's library. They need what only the library has, such as the compiler, so
// `lanecl` loads the library and calls them there (see inspect.cpp).
constexpr const char *kShowInfo = "laneclShowInfo";
constexpr const char *kCompileFile = "laneclCompileFile";
constexpr const char *kShowDevices = "laneclShowDevices";
constexpr const char *kCheckDevice = "laneclCheckDevice";
constexpr const char *kPrecompile = "laneclPrecompile"; // called only when LaneCL is built
int showInfo(const InfoOptions &options);
int compileFile(const CompileOptions &options);
// `lanecl devices`: prints a line for each profile with what it answers.
int showDevices();

// `lanecl --device NAME …`: sets LANECL_DEVICE for this process and for those it starts. Throws std::runtime_error,
// whose text lists the names, when there is no such device.
void useDevice(const std::string &name);

} // namespace lanecl::tool

// The functions that the library exports under the names above.
extern "C" {
int laneclShowInfo(const lanecl::tool::InfoOptions &options);
int laneclCompileFile(const lanecl::tool::CompileOptions &options);
int laneclShowDevices();
void laneclCheckDevice(const std::string &name);
int laneclPrecompile();
}
