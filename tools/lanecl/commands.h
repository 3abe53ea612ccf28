// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The subcommands of `lanecl`. Each returns the exit status.
#pragma once

#include "icd/check_rules.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace lanecl::tool {

// The device's library of the same installation or build tree as this program, an absolute path. Throws
// std::runtime_error with the remedy when it does not exist.
std::string ownLibrary();

// Makes both common OpenCL loaders (ocl-icd and Khronos') use only our library, in this process and its children.
void useOwnDevice();

// `lanecl PROGRAM ARGS…`: replaces this process by the program; returns only when it cannot be started.
int runProgram(const std::vector<std::string> &command);

// `lanecl gdb [--check] [DEBUGGER-OPTIONS --] PROGRAM ARGS…`, and the same for lldb: becomes the debugger, about to run
// the program; gdb with our commands. Kernels are built for debugging and run by one thread, unless the environment
// says otherwise. With --check gdb stops where kernels break a rule.
enum class Debugger { Gdb, Lldb };
int debugProgram(Debugger debugger, std::vector<std::string> words);

struct CheckOptions {
  // or memory, sub-groups, work-groups, races, initialisation, arithmetic, widths, commands, failures, api
  std::string checks = "all";
  // Files of the reports; empty: none.
  std::string json, sarif, junit, code_quality;
  std::string annotations;    // github, azure or gcc: their form, on stdout; empty: none
  std::string suppressions;   // file of findings that are not reported; empty: none
  unsigned limit = 0;         // of findings; 0: none
  bool stop_at_first = false; // a process ends at its first error
  std::string sources;        // folder with the program's sources; empty: not known
  icd::ChosenSeverities severities;
  bool fail_on_warning = false;
  bool require_launch = false; // it is an error when no kernel ran on this device
  int error_status = 86;       // returned where there was an error and the program itself succeeded
  std::vector<std::string> program;
};

// `lanecl check [OPTIONS] PROGRAM ARGS…`: runs the program with kernels that report which rules they break.
int checkProgram(const CheckOptions &options);

struct ReportOptions {
  std::string json;   // file that receives the report; empty: none
  std::string kernel; // only this one; empty: all
  bool brief = false; // a line or two for each kernel
  std::vector<std::string> program;
};

// `lanecl report [OPTIONS] PROGRAM ARGS…`: runs the program and shows what became of the kernels that it launched, as
// `lanecl compile --report` does.
int reportProgram(const ReportOptions &options);

struct InfoOptions {
  bool brief = false; // three lines
};

struct CompileOptions {
  std::string file;
  std::vector<std::string> build_options; // behind --
  std::string kernel;                     // empty: all
  std::string cpu;                        // empty: as the settings say
  std::array<uint32_t, 3> local_size{0, 0, 0};
  unsigned sub_group_size = 0; // 0: by the rule
  std::string output;          // file that receives the program's binary; empty: none
  bool spirv = false;          // the file is SPIR-V, whatever its name
  bool report = false;
  bool json = false; // the report of all kernels, and nothing else on stdout
  bool assembly = false;
  bool ir = false;
  bool time = false;
};

// These need what the device's library has, the compiler among it: the program loads it and calls them there.
constexpr const char *kShowInfo = "laneclShowInfo";
constexpr const char *kCompileFile = "laneclCompileFile";
constexpr const char *kShowDevices = "laneclShowDevices";
constexpr const char *kCheckDevice = "laneclCheckDevice";
constexpr const char *kPrecompile = "laneclPrecompile"; // called by the build
int showInfo(const InfoOptions &options);
int compileFile(const CompileOptions &options);
// `lanecl devices`: the profiles with what they answer.
int showDevices();

// `lanecl --device NAME …`: sets LANECL_DEVICE, for this process and its children. Throws std::runtime_error with the
// names when there is no such device.
void useDevice(const std::string &name);

} // namespace lanecl::tool

extern "C" {
int laneclShowInfo(const lanecl::tool::InfoOptions &options);
int laneclCompileFile(const lanecl::tool::CompileOptions &options);
int laneclShowDevices();
void laneclCheckDevice(const std::string &name);
int laneclPrecompile();
}
