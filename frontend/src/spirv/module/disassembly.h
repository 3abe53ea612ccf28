// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A module as text, as spirv-dis shows it.
#pragma once

#include "spirv/module/module.h"

namespace lanecl::frontend::spirv {

struct Disassembly {
  struct Place {
    uint32_t line, column; // from 1
  };
  std::string text;
  std::vector<Place> places; // of the module's instructions
};

// Of a module with instructions that the disassembler does not know, the names of instructions and the words behind
// them, each in a line.
Disassembly disassemble(const Module &module);

} // namespace lanecl::frontend::spirv
