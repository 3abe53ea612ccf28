// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The state that the passes of one compilation share.
#pragma once

#include "pass_support/diagnostics.h"
#include "vectorizer/vectorizer.h"

#include <string>
#include <vector>

namespace llvm {
class StringRef;
class TargetMachine;
} // namespace llvm

namespace lanecl::vectorizer {

struct Instrumentation;

// Facts about the kernel that passes find out. CompiledKernel takes them over.
struct KernelFacts {
  uint64_t local_bytes = 0;           // bytes of the kernel's __local variables
  uint64_t scratch_bytes = 0;         // bytes for one work-group, if its size is known
  uint64_t scratch_per_sub_group = 0; // otherwise bytes for each sub-group
  unsigned row_axis = 0;              // the dimension along which a row of sub-groups lies
  bool updates_atomically = false;    // whether it updates memory that other work-groups update, too
  bool moves_elements = false;        // lanes do not pay: see widen/element_moves.h
  bool waits = false;                 // whether sub-groups wait for each other at barriers
  bool yields = false;                // whether they wait in loops: see control_flow/yields.h
};

// The input of a compilation and its state. Every pass that needs more than the IR gets it by reference.
struct PassContext {
  LaunchClass launch;
  std::string kernel;                    // empty: every definition is a kernel (only in tests of passes)
  std::string builtins_path;             // path of the built-in library's bitcode
  llvm::TargetMachine *target = nullptr; // the processor; null: costs of no particular one
  bool optimize = true;
  bool only_finds_errors = false; // no code is made, so optimizations are of no use
  bool debug = false;
  bool keep_functions = false;             // for tests: functions stay functions, however small
  const Instrumentation *checks = nullptr; // what check mode asks for; null: nothing
  std::vector<Remark> *remarks = nullptr;  // where remarks go; null: nobody asked for them
  std::vector<std::string> lane_ids;       // functions by which the source asks for ids, as "get_local_id(0)"
  Diagnostics diagnostics;
  KernelFacts facts;
  // If the optimized scalar kernel has more instructions, its lanes are not worth compiling. 0: there is no limit.
  uint64_t most_instructions = 0;
  // Set if the compilation was given up because the kernel has more.
  bool abandoned = false;
  // The last number that was given to a loop: see control_flow/keep_in_loops.h.
  unsigned loops = 0;

  // Whether the code is for one lane, so that all values are scalars. With debug information it is not, because
  // debuggers show the frame of all lanes.
  bool hasOneLane() const { return launch.isOneLane() && !debug; }
  // Whether the processor has all of these features, as LLVM names them: "+avx512bw,+bmi2". False if `target` is null.
  bool has(llvm::StringRef features) const;
};

} // namespace lanecl::vectorizer
