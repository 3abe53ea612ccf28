// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Links several objects to one program.
#pragma once

#include "frontend/frontend.h"
#include "program/build_options.h"

#include "llvm/ADT/CachedHashString.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <mutex>
#include <string>

namespace lanecl::frontend {

// The names of the functions that the built-in library defines, read at the first use. Thread-safe.
class BuiltinNames {
public:
  explicit BuiltinNames(std::string path) : path(std::move(path)) {}
  // Whether a program may leave `name` undefined.
  bool provides(const std::string &name);

private:
  void read();

  const std::string path;
  std::once_flag once;
  bool known = false;
  std::unique_ptr<llvm::MemoryBuffer> library; // owns the characters of the names
  llvm::DenseSet<llvm::CachedHashStringRef> names;
};

// The bitcode of a program or library, or the log of a failed link.
struct LinkedProgram {
  bool success = false;
  std::string log;
  std::string bitcode;
  ProgramInfo info; // of an executable; empty for a library
};

// Links the inputs. An executable must be complete; a library may have undefined symbols.
LinkedProgram linkModules(const std::vector<Module> &inputs, const LinkOptions &options, const LanguageTraits &traits,
                          BuiltinNames &builtins);

} // namespace lanecl::frontend
