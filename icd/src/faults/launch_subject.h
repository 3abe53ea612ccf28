// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a launch runs, for the description of faults and findings in it.
#pragma once

#include "context/context.h"
#include "frontend/frontend.h"
#include "memory/memory_object.h"
#include "scheduler/command_memory.h"
#include "vectorizer/vectorizer.h"

#include <memory>
#include <span>
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
  const std::string *source = nullptr;                               // text of the program; null: not known
  bool debug = false;                                                // built with -g
  bool free_groups = false;                                          // how work-groups are put together is our choice
  uint64_t variable_bytes = 0;                                       // of the program scope variables
};

// scheduler::Launch::subject. It is also what must live until the launch is done, and made for each launch: small, so
// that it and its reference counts are one of the smallest blocks of command memory.
struct LaunchSubject {
  std::shared_ptr<const CodeSubject> code;                                   // with all that it points to
  std::vector<Ref<Memory>, scheduler::CommandAllocator<Ref<Memory>>> memory; // its buffers and images
  std::unique_ptr<std::vector<LocalArgument>> local_arguments;               // kept in check mode only; null: none

  std::span<const LocalArgument> localArguments() const {
    return local_arguments ? std::span<const LocalArgument>(*local_arguments) : std::span<const LocalArgument>();
  }
  void addLocalArgument(const LocalArgument &argument) {
    if (!local_arguments)
      local_arguments = std::make_unique<std::vector<LocalArgument>>();
    local_arguments->push_back(argument);
  }
};
static_assert(sizeof(LaunchSubject) <= 48);

} // namespace lanecl::icd
