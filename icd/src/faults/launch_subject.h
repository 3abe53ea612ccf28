// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a launch runs, for the description of faults and findings in it.
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

// Memory of a __local argument, its number among the arguments.
struct LocalArgument {
  size_t number;
  uint64_t offset, bytes; // in the work-group's local memory
};

// The same for all launches of this code. What it points to lives as long as the launches.
struct CodeSubject {
  Context *context = nullptr;                                        // null: not known
  const char *kernel = "";                                           // its name
  const std::vector<frontend::ArgumentInfo> *arguments = nullptr;    // null: there are none
  const vectorizer::CompiledKernel *full = nullptr, *edge = nullptr; // edge: null without smaller work-groups
  const ProgramTexts *texts = nullptr;                               // of the program; null: not known
  bool debug = false;                                                // built with -g
  bool free_groups = false;                                          // how work-groups are put together is our choice
  uint64_t variable_bytes = 0;                                       // of the program scope variables
};

// Kept in check mode only.
struct CheckedLaunch {
  std::vector<LocalArgument> local_arguments;
  std::vector<std::pair<uint64_t, uint64_t>> only_read; // begins and ends of buffers that no argument lets it write
  uint64_t number = 0;                                  // of all launches; 0: it may run several times
  std::atomic<uint64_t> first_time{0};                  // of its accesses, see check/races.cpp
};

// scheduler::Launch::subject. It is also what must live until the launch is done, and made for each launch: small, so
// that it and its reference counts are one of the smallest blocks of command memory.
struct LaunchSubject {
  std::shared_ptr<const CodeSubject> code;                                   // with all that it points to
  std::vector<Ref<Memory>, scheduler::CommandAllocator<Ref<Memory>>> memory; // its buffers and images
  std::unique_ptr<CheckedLaunch> checked;                                    // null: not in check mode

  std::span<const LocalArgument> localArguments() const {
    return checked ? std::span<const LocalArgument>(checked->local_arguments) : std::span<const LocalArgument>();
  }
};
static_assert(sizeof(LaunchSubject) <= 48);

} // namespace lanecl::icd
