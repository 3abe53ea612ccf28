// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a launch runs, for the description of a fault in it.
#pragma once

#include "context/context.h"
#include "frontend/frontend.h"
#include "memory/memory_object.h"
#include "vectorizer/vectorizer.h"

#include <span>

namespace lanecl::icd {

// scheduler::Launch::subject. What it points to lives as long as the launch.
struct LaunchSubject {
  Context *context = nullptr;                                        // null: not known
  const char *kernel = "";                                           // its name
  const std::vector<frontend::ArgumentInfo> *arguments = nullptr;    // null: there are none
  const vectorizer::CompiledKernel *code = nullptr, *edge = nullptr; // edge: null without smaller work-groups
  std::span<const Ref<Memory>> memory;                               // its buffers and images
  const std::string *source = nullptr;                               // text of the program; null: not known
  bool debug = false;                                                // built with -g
  bool free_groups = false;                                          // how work-groups are put together is our choice
  uint64_t variable_bytes = 0;                                       // of the program scope variables
};

} // namespace lanecl::icd
