// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Loads finished object code into this process and unloads it again.
#pragma once

#include "vectorizer/vectorizer.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>

namespace lanecl::vectorizer {

// Code in memory. Destroying the object unloads the code.
class LoadedCode {
public:
  virtual ~LoadedCode() = default;
  virtual void *address() const = 0; // the address of the symbol that was given to load()
};

// Loads code. It is thread-safe, and loaded code keeps the Jit alive that has loaded it.
class Jit : public std::enable_shared_from_this<Jit> {
public:
  // `profiler` is told of all code that is loaded; `vtune_collector` is the path of VTune's library.
  static llvm::Expected<std::shared_ptr<Jit>> create(Profiler profiler, const std::string &vtune_collector = {});
  ~Jit();

  // Loads an object file and returns its code. `symbol` is the function whose address is wanted. With `debug`, the
  // object's debug information is registered with gdb.
  llvm::Expected<std::unique_ptr<LoadedCode>> load(std::unique_ptr<llvm::MemoryBuffer> object, llvm::StringRef symbol,
                                                   bool debug);

private:
  struct Impl;
  explicit Jit(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace lanecl::vectorizer
