// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Several objects to one program.
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

// The functions that the built-in library defines. Read at first use.
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
  std::unique_ptr<llvm::MemoryBuffer> library; // holds the characters of the names
  llvm::DenseSet<llvm::CachedHashStringRef> names;
};

struct LinkedProgram {
  bool success = false;
  std::string log;
  std::string bitcode;
  ProgramInfo info; // of an executable; empty for a library
};

LinkedProgram linkModules(const std::vector<Module> &inputs, const LinkOptions &options, const LanguageTraits &traits,
                          BuiltinNames &builtins);

} // namespace lanecl::frontend
