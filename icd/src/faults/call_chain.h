// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The calls that led to a place in a kernel's code, where it was built with -g. May be called in a signal handler.
#pragma once

#include "vectorizer/code_map.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace lanecl::icd {

struct Registers {
  uintptr_t instruction = 0, stack = 0, frame = 0;
};

struct CallChain {
  static constexpr size_t kMost = 32;

  struct Place {
    const vectorizer::CodeFunction *function; // of the source
    const vectorizer::CodeLine *line;         // null: not known
  };
  std::array<Place, kMost> places; // the innermost first: where the instruction is, and then the calls
  size_t count = 0;
  bool is_in_library = false; // the instruction is in a function of the library, which the first place has called
  uintptr_t stack_end = 0;    // behind the part of the stack that the functions have
};

// Follows the frame pointers, which all functions have that were built with -g.
CallChain callsTo(const vectorizer::CodeMap &map, const Registers &registers);

} // namespace lanecl::icd
