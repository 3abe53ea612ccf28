// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Writes a module as text, as spirv-dis does.
#pragma once

#include "spirv/module/module.h"

namespace lanecl::frontend::spirv {

// The text, and where the module's instructions start in it.
struct Disassembly {
  struct Place {
    // The line and the column count from 1.
    uint32_t line, column;
  };
  std::string text;
  std::vector<Place> places; // by instruction, in the order of the module
};

// Returns the module's text. If the disassembler does not know some instruction, each line holds the name of an
// instruction and its operands as numbers.
Disassembly disassemble(const Module &module);

} // namespace lanecl::frontend::spirv
