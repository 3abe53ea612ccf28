// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Turns the device's traits and a -cl-std value into Clang's arguments.
#pragma once

#include "frontend/frontend.h"
#include "program/build_options.h"

#include <string>
#include <string_view>
#include <vector>

namespace lanecl::frontend {

// The part of Clang's command line that depends on nothing but the device and the language version; programs compiled
// with the same arguments share a precompiled header.
struct LanguageSetup {
  std::string name;                     // as -cl-std= has it: "CL1.2"
  std::vector<std::string> arguments;   // for `clang -cc1`
  std::vector<std::string> macro_names; // names that `arguments` define with -D
  std::string prefix;                   // text that comes before every program
};

LanguageSetup makeLanguageSetup(const LanguageTraits &traits, Language language);

// OpenCL C 3.1, which Clang does not know, is 3.0 with other macros: the functions that it makes mandatory are there in
// 3.0, too, and neither syntax nor types have changed.
Language compiledAs(Language language);
// Ends with NUL. What comes between the declarations and the program: the macros in which the language differs from
// compiledAs().
std::string_view versionMacros(Language language);

// The folders where opencl-c.h and lanecl-c.h may be found, in order.
std::vector<std::string> headerDirectories(const LanguageTraits &traits);
// The files that LanguageSetup::prefix may consist of, whether they exist or not.
std::vector<std::string> prefixHeaders(const LanguageTraits &traits);

} // namespace lanecl::frontend
