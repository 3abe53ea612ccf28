// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Finds the calls that led to a place in a kernel's code, for kernels built with -g. May be called in a signal handler.
#pragma once

#include "vectorizer/code_map.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace lanecl::icd {

struct Registers {
  uintptr_t instruction = 0, stack = 0, frame = 0;
};

// The functions of the source that are active at an instruction.
struct CallChain {
  static constexpr size_t kMost = 32;

  struct Place {
    const vectorizer::CodeFunction *function; // in the source
    const vectorizer::CodeLine *line;         // null: not known
  };
  std::array<Place, kMost> places; // the innermost first: the instruction's place, then the calls
  size_t count = 0;
  bool is_in_library = false; // the instruction is in a function of the library, called from places[0]
  uintptr_t stack_end = 0;    // past the end of the functions' part of the stack
};

// Returns the call chain. It follows the frame pointers, which all functions built with -g have.
CallChain callsTo(const vectorizer::CodeMap &map, const Registers &registers);

} // namespace lanecl::icd
