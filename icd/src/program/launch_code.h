// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The code that a launch runs. Looked up once for a shape of launches and kept for the next one, which mostly has the
// same shape.
#pragma once

#include "api/ref.h"
#include "api/result.h"
#include "faults/launch_subject.h"
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
  bool has_edges = false;   // the work-groups at the edges are smaller
  bool free_groups = false; // the local size is ours, and no work-item can see it
  // Where `local_size` is a free row: how long rows along the other dimensions would be, 0 where that is no choice.
  Executable::LocalSize other_rows{0, 0, 0};
  std::vector<vectorizer::KnownImage> images{}; // with their formats; empty where code does not depend on them
  unsigned width = 0;                           // of sub-groups; 0: by the rule
  bool operator==(const LaunchShape &) const = default;
};

struct LaunchCode {
  explicit LaunchCode(Program &program) : program(program) {}

  Ref<Program> program; // and its context
  LaunchShape shape;
  Executable::LocalSize local_size{1, 1, 1}; // that of the shape, unless the code chose a row along y or z
  std::shared_ptr<Executable> executable;
  Executable::Code code, edge_code; // edge_code: null without edges
  uint64_t local_bytes = 0;         // of __local variables; __local arguments lie behind them
  uint64_t scratch_bytes = 0;       // of one work-group
  uint64_t stack_bytes = 0;
  bool general = false;                              // made for any local size
  std::shared_ptr<scheduler::LaunchHistory> history; // of the program's launches with this kernel and local size
  mutable std::atomic<float> spent{0};               // nanoseconds of the launches so far, approximately
  CodeSubject subject;
};
using LaunchCodePtr = std::shared_ptr<const LaunchCode>;

class LaunchCodeCache {
public:
  LaunchCodePtr find(const Executable &executable, const LaunchShape &shape) const;
  LaunchCodePtr last() const; // may be null
  void remember(LaunchCodePtr code);

private:
  mutable std::mutex mutex_;
  LaunchCodePtr last_;
};

enum class LaunchUse {
  Once,    // may be the only launch
  Often,   // worth code of its own at once
  Changed, // of a recorded command: may run several times, and may be changed again before
};

// Compiles what is missing, for a launch of so many work-groups. A kernel that passed the build's check and fails here
// is reported through the context, and so is code that this machine's processor cannot run.
Result<LaunchCodePtr> findLaunchCode(Kernel &kernel, const KernelBuild &build, const LaunchShape &shape,
                                     uint64_t groups, LaunchUse use);

} // namespace lanecl::icd
