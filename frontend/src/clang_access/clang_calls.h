// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What is asked of Clang. It takes longer to load than a program from the cache takes to its first result, so what
// talks to it is a module of its own (lanecl-clang.so), loaded when something is first compiled
// (clang_access/clang_loader.h). Both sides are built together, with the same LLVM; all else of LaneCL is on the other
// side.
#pragma once

#include "clang_access/source_tree.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Module.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace lanecl::frontend {

using AttributeTexts = std::map<std::string, std::string>;    // by kernel: CL_KERNEL_ATTRIBUTES
using SourcePlaces = std::set<std::pair<unsigned, unsigned>>; // line and column

// One source text to be compiled.
struct ProgramJob {
  llvm::ArrayRef<std::string> arguments; // of `clang -cc1`
  const SourceTree &files;
  const std::vector<std::string> &extensions;   // whose pragmas cause no warning
  const std::vector<unsigned> &sub_group_sizes; // that a kernel may require
  bool wants_jumps = false;
};

struct EmittedProgram {
  std::unique_ptr<llvm::Module> module; // null when the program has errors
  std::string log;                      // diagnostics as Clang prints them
  AttributeTexts attributes;
  // With `wants_jumps`: where the program has break, continue, goto and return without a value. Clang makes a branch of
  // them, like those at the end of scopes, and only the former should have a place for a breakpoint.
  SourcePlaces jumps;
  bool looked_at_disk = false; // beyond the folders that are searched for every program
};

// The functions must be called under vectorizer::runGuarded().
struct ClangCalls {
  const char *interface; // kClangInterface of the module
  const void *in_module; // addresses in the loaded files, which identify them
  const void *in_clang;
  EmittedProgram (*emit)(const ProgramJob &job, llvm::LLVMContext &context);
  // The bytes of a precompiled header; empty when it has errors.
  std::string (*precompile)(llvm::ArrayRef<std::string> arguments, const SourceTree &files, const char *path);
};

// Made of these declarations and of what they depend on, by CMake: a module of another build is not taken.
inline constexpr const char *kClangInterface = LANECL_CLANG_INTERFACE;

inline constexpr const char *kClangCallsName = "laneclClangCalls"; // the function of the module that returns them
extern "C" const ClangCalls *laneclClangCalls();

} // namespace lanecl::frontend
