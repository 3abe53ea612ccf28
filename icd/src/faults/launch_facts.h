// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The facts about a launch that reports of faults and findings need: the kernel, its arguments and its memory.
#pragma once

#include "context/context.h"
#include "faults/program_text.h"
#include "frontend/frontend.h"
#include "memory/memory_object.h"
#include "scheduler/command_memory.h"
#include "vectorizer/vectorizer.h"

#include <atomic>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace lanecl::icd {

// The memory of a __local argument.
struct LocalArgument {
  size_t number;          // among the kernel's arguments
  uint64_t offset, bytes; // in the work-group's local memory
};

// The facts that all launches of one piece of code share. The objects that it points to live as long as the launches.
struct CodeFacts {
  Context *context = nullptr;                                        // null: not known
  const char *kernel = "";                                           // the kernel's name
  const std::vector<frontend::ArgumentInfo> *arguments = nullptr;    // null: there are none
  const vectorizer::CompiledKernel *full = nullptr, *edge = nullptr; // edge: for smaller work-groups; null: none
  const ProgramTexts *texts = nullptr;                               // the program's sources; null: not known
  bool debug = false;                                                // built with -g
  bool free_groups = false;                                          // LaneCL has chosen the work-groups
  uint64_t variable_bytes = 0;                                       // size of the program scope variables
};

// The additional facts that check mode needs.
struct CheckedLaunch {
  std::vector<LocalArgument> local_arguments;
  std::vector<std::pair<uint64_t, uint64_t>> only_read; // start and end of buffers that no argument allows to write
  uint64_t number = 0;                                  // counts all launches from 1; 0: it may run several times
  std::atomic<uint64_t> first_time{0};                  // of its accesses, see check/kernels/races.cpp
};

// scheduler::Launch::facts. It also keeps alive all that the launch needs until it is done. One is made for each
// launch, so it is small: together with its reference counts it fits one of the smallest blocks of command memory.
struct LaunchFacts {
  std::shared_ptr<const CodeFacts> code;                                     // with all that it points to
  std::vector<Ref<Memory>, scheduler::CommandAllocator<Ref<Memory>>> memory; // the launch's buffers and images
  std::unique_ptr<CheckedLaunch> checked;                                    // null: not in check mode

  std::span<const LocalArgument> localArguments() const {
    return checked ? std::span<const LocalArgument>(checked->local_arguments) : std::span<const LocalArgument>();
  }
};
static_assert(sizeof(LaunchFacts) <= 48);

} // namespace lanecl::icd
