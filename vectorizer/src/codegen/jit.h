// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Loads finished object code into this process and unloads it again.
#pragma once

#include "vectorizer/vectorizer.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>

namespace lanecl::vectorizer {

// Code in memory; destroying it unloads the code.
class LoadedCode {
public:
  virtual ~LoadedCode() = default;
  virtual void *address() const = 0; // of the symbol given to load()
};

// Thread-safe. Code keeps the JIT it came from alive.
class Jit : public std::enable_shared_from_this<Jit> {
public:
  // `profiler`: told of all code that is loaded.
  static llvm::Expected<std::shared_ptr<Jit>> create(Profiler profiler, const std::string &vtune_collector = {});
  ~Jit();

  // `debug`: the object's debug information is registered with gdb.
  llvm::Expected<std::unique_ptr<LoadedCode>> load(std::unique_ptr<llvm::MemoryBuffer> object, llvm::StringRef symbol,
                                                   bool debug);

private:
  struct Impl;
  explicit Jit(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace lanecl::vectorizer
