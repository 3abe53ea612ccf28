// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Turns the device's traits and the language version (-cl-std) into Clang's arguments.
#pragma once

#include "frontend/frontend.h"
#include "program/build_options.h"

#include <string>
#include <string_view>
#include <vector>

namespace lanecl::frontend {

// The part of Clang's command line that depends only on the device and the language version. Programs compiled with the
// same setup share a precompiled header.
struct LanguageSetup {
  std::string name;                     // as -cl-std= has it: "CL1.2"
  std::vector<std::string> arguments;   // for `clang -cc1`
  std::vector<std::string> macro_names; // names that `arguments` define with -D
  std::string prefix;                   // text that comes before every program: includes of the declarations
};

LanguageSetup makeLanguageSetup(const LanguageTraits &traits, Language language);

// Returns the language version as which Clang compiles a program. Clang does not know OpenCL C 3.1, which is compiled
// as 3.0 with other macros: the functions that 3.1 makes mandatory exist in 3.0, too, and neither syntax nor types
// differ.
Language compiledAs(Language language);
// Returns the text that comes between the declarations and the program: the macros in which `language` differs from
// compiledAs(language). It ends with NUL.
std::string_view versionMacros(Language language);

// Returns the folders where opencl-c.h and lanecl-c.h may be found, in the order of the search.
std::vector<std::string> headerDirectories(const LanguageTraits &traits);
// Returns the paths of all files that LanguageSetup::prefix may include, whether they exist or not.
std::vector<std::string> prefixHeaders(const LanguageTraits &traits);

} // namespace lanecl::frontend
