// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The texts that a program was compiled from, kept in check mode: findings show their lines. Binaries may bring them.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace lanecl::icd {

struct ProgramText {
  std::string name; // as the compiler names it; of a header of clCompileProgram, as the program does
  std::string text;
};

// Of a linked program, those of all that it was linked from.
using ProgramTexts = std::vector<std::shared_ptr<const ProgramText>>;

} // namespace lanecl::icd
