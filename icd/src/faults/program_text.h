// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The source texts of a program, which check mode keeps because findings show their lines. A program that is created
// from a binary has the texts that the binary contains.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace lanecl::icd {

struct ProgramText {
  std::string name; // the compiler's name; for a header that clCompileProgram was given, the program's name for it
  std::string text;
};

// A linked program has the texts of all programs that it was linked from.
using ProgramTexts = std::vector<std::shared_ptr<const ProgramText>>;

} // namespace lanecl::icd
