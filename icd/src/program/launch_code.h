// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Finds the compiled code that a launch runs. Each kernel object remembers the code of its last launch, because the
// next launch mostly has the same shape.
#pragma once

#include "api/ref.h"
#include "api/result.h"
#include "faults/launch_facts.h"
#include "program/executable.h"
#include "program/program.h"

#include <memory>
#include <mutex>

namespace lanecl::icd {

class Kernel;
class KernelBuild;

// The properties of a launch that its code depends on.
struct LaunchShape {
  Executable::LocalSize local_size{1, 1, 1};
  GlobalIds ids;
  bool has_edges = false;   // the last work-groups of a dimension are smaller
  bool free_groups = false; // LaneCL has chosen the local size, and no work-item can see it
  // If `local_size` is a row along x that LaneCL chose: the lengths of the rows along y and z that the code may use
  // instead. An element is 0 where that dimension is no choice.
  Executable::LocalSize other_rows{0, 0, 0};
  std::vector<vectorizer::KnownImage> images{}; // the images and their formats, in the order of the arguments
  unsigned width = 0;                           // sub-group size of an additional run; 0: follow the rule
  bool operator==(const LaunchShape &) const = default;
};

// The code for one shape, and what a launch needs to run it. Immutable once it is shared, apart from `spent`.
struct LaunchCode {
  explicit LaunchCode(Program &program) : program(program) {}

  Ref<Program> program; // keeps the program and its context alive
  LaunchShape shape;
  Executable::LocalSize local_size{1, 1, 1}; // that of the shape, unless the code chose a row along y or z
  std::shared_ptr<Executable> executable;
  Executable::Code code, edge_code; // edge_code: null without edges
  uint64_t local_bytes = 0;         // of __local variables; __local arguments lie after them
  uint64_t scratch_bytes = 0;       // private memory of one work-group
  uint64_t stack_bytes = 0;
  bool general = false; // made for any local size
  // Run times of the program's launches with this kernel and local size.
  std::shared_ptr<scheduler::LaunchHistory> history;
  // Approximate run time of the launches so far, in nanoseconds; see earnsOwnCode().
  mutable std::atomic<float> spent{0};
  CodeFacts facts;
};
using LaunchCodePtr = std::shared_ptr<const LaunchCode>;

// Remembers the code of a kernel object's last launch.
class LaunchCodeCache {
public:
  // Returns the remembered code if it was made for this executable and shape, else null.
  LaunchCodePtr find(const Executable &executable, const LaunchShape &shape) const;
  LaunchCodePtr last() const; // may be null
  void remember(LaunchCodePtr code);

private:
  mutable std::mutex mutex_;
  LaunchCodePtr last_;
};

// How often a launch will probably be repeated, which decides how much work its code is worth.
enum class LaunchUse {
  Once,    // may be the only launch
  Often,   // worth code of its own at once
  Changed, // a changed command of a command buffer: it may run several times, or be changed again first
};

// Returns the code for a launch of `groups` work-groups, compiling what is missing.
//
// CL_OUT_OF_RESOURCES if a kernel that passed the build's check cannot be compiled, and CL_INVALID_PROGRAM_EXECUTABLE
// if this machine's processor cannot run the code. Both are explained through the context's callback.
Result<LaunchCodePtr> findLaunchCode(Kernel &kernel, const KernelBuild &build, const LaunchShape &shape,
                                     uint64_t groups, LaunchUse use);

} // namespace lanecl::icd
