// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Loads finished object code into this process and unloads it again.
#pragma once

#include "vectorizer/vectorizer.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <string>
#include <vector>

namespace lanecl::vectorizer {

// Code in memory. Destroying the object unloads the code.
class LoadedCode {
public:
  virtual ~LoadedCode() = default;
  virtual void *address(size_t i = 0) const = 0; // the address of the symbol of object i of those given to load()
};

// An object file, and the function in it whose address is wanted.
struct CodeObject {
  std::unique_ptr<llvm::MemoryBuffer> object;
  std::string symbol;
};

// Loads code. It is thread-safe, and loaded code keeps the Jit alive that has loaded it.
class Jit : public std::enable_shared_from_this<Jit> {
public:
  // `profiler` is told of all code that is loaded; `vtune_collector` is the path of VTune's library.
  static llvm::Expected<std::shared_ptr<Jit>> create(Profiler profiler, const std::string &vtune_collector = {});
  ~Jit();

  // Loads object files, which may call each other's functions, and returns their code. With `debug`, their debug
  // information is registered with gdb.
  llvm::Expected<std::unique_ptr<LoadedCode>> load(std::vector<CodeObject> objects, bool debug);

private:
  struct Impl;
  explicit Jit(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace lanecl::vectorizer
