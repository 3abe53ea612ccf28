// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What passes know about the compilation.
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

// What passes find out about the kernel for CompiledKernel.
struct KernelFacts {
  uint64_t local_bytes = 0;           // __local variables of the kernel
  uint64_t scratch_bytes = 0;         // of one work-group, when its size is known
  uint64_t scratch_per_sub_group = 0; // else of each sub-group
  unsigned row_axis = 0;              // of a row: the dimension along which it lies
  bool updates_atomically = false;    // memory that other work-groups update, too
  bool moves_elements = false;        // lanes do not pay, see widen/element_moves.h
  bool waits = false;                 // sub-groups wait for each other at barriers
  bool yields = false;                // or in loops, see control_flow/yields.h
};

struct PassContext {
  LaunchClass launch;
  std::string kernel;                    // the kernel's name; empty: every definition (only in the tests of passes)
  std::string builtins_path;             // the built-in library's bitcode
  llvm::TargetMachine *target = nullptr; // the processor; null: costs of no particular one
  bool optimize = true;
  bool debug = false;
  bool keep_functions = false;             // for tests: what can stay a function does, however small
  const Instrumentation *checks = nullptr; // null: none
  std::vector<Remark> *remarks = nullptr;  // where remarks go when asked for
  std::vector<std::string> lane_ids;       // functions of the source that differ between lanes, as "get_local_id(0)"
  Diagnostics diagnostics;
  KernelFacts facts;
  uint64_t most_instructions = 0; // of the optimized scalar kernel, or its lanes are not worth it; 0: any number
  bool abandoned = false;         // because there are more
  unsigned loops = 0;             // numbers given to loops so far, see control_flow/keep_in_loops.h

  // One lane has nothing to differ from, so all values are scalars. Debuggers show the frame of all lanes.
  bool hasOneLane() const { return launch.isOneLane() && !debug; }
  // Whether the processor has all of these features, as LLVM names them: "+avx512bw,+bmi2". False of no particular one.
  bool has(llvm::StringRef features) const;
};

} // namespace lanecl::vectorizer
