// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The functions through which LaneCL calls Clang. Loading Clang takes longer than a program from the cache takes to its
// first result, so everything that uses Clang's headers is in a module of its own (lanecl-clang.so). It is loaded when
// something is first compiled (clang_access/clang_loader.h). The rest of LaneCL is on the other side of this interface.
// Both sides are built together, with the same LLVM, so that LLVM's own types can be passed across.
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

using AttributeTexts = std::map<std::string, std::string>;       // by kernel: its CL_KERNEL_ATTRIBUTES
using SourcePositions = std::set<std::pair<unsigned, unsigned>>; // pairs of line and column

// One source text to be compiled. The references must stay valid until the call returns.
struct ProgramJob {
  llvm::ArrayRef<std::string> arguments; // of `clang -cc1`
  const SourceTree &files;
  const std::vector<std::string> &extensions;   // extensions whose pragmas cause no warning
  const std::vector<unsigned> &sub_group_sizes; // sizes that a kernel may require
  bool wants_jumps = false;
};

// The result of compiling a ProgramJob.
struct EmittedProgram {
  std::unique_ptr<llvm::Module> module; // null when the program has errors
  std::string log;                      // diagnostics as Clang prints them
  AttributeTexts attributes;
  // Filled if `wants_jumps` is set: the places of break, continue, goto and return without a value. Clang makes
  // unconditional branches of them, just like those at the end of a scope, but only the written ones should be places
  // for breakpoints.
  SourcePositions jumps;
  bool looked_at_disk = false; // Clang read files that are not in the folders that it searches for every program
};

// The functions of the module. They must be called under vectorizer::runGuarded(), which survives a crash of Clang.
struct ClangCalls {
  const char *interface; // kClangInterface as the module was built with it
  // Addresses of code in the loaded module and in the loaded Clang, by which their files are identified.
  const void *in_module;
  const void *in_clang;
  EmittedProgram (*emit)(const ProgramJob &job, llvm::LLVMContext &context);
  // Returns the bytes of a precompiled header, or an empty string when the header has errors. `path` is where Clang
  // will find the bytes when they are used.
  std::string (*precompile)(llvm::ArrayRef<std::string> arguments, const SourceTree &files, const char *path);
};

// Identifies this interface. CMake makes it of the hashes of these headers and of LLVM's version, and a module of
// another build, which has another one, is refused.
inline constexpr const char *kClangInterface = LANECL_CLANG_INTERFACE;

inline constexpr const char *kClangCallsName = "laneclClangCalls"; // the module's only exported function
extern "C" const ClangCalls *laneclClangCalls();

} // namespace lanecl::frontend
