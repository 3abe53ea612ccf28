// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Generates the code of a kernel's large functions apart from the kernel:
//
//   kernel a, which calls f     ->    object of a, object of f
//   kernel b, which calls f     ->    object of b, and the object of f that is there already
//
// The kernels of a program often call the same functions. After the passes they are usually the same down to the last
// instruction, and generating code for them takes half of the time to compile. Only kept functions
// (kernel/import/inlining_plan.h) are functions at this point.
#pragma once

#include "codegen/emit.h"
#include "codegen/loop_times.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace lanecl::vectorizer {

// The code of one function.
struct FunctionObject {
  std::string name; // the symbol
  Emitted code;
  LoopTimes times; // zero unless they were asked for
};

// Moves the functions of at least `least` instructions into modules of their own, with copies of the constants that
// nobody can tell from others by their address. What is left calls them as external functions, and keeps all that they
// call and all other variables.
std::vector<std::unique_ptr<llvm::Module>> moveFunctionsOut(llvm::Module &module, uint64_t least);

// Returns a key that differs for everything in the module of a function. It removes the names of values, because they
// tell how the function was made and not what it is.
std::string keyOf(llvm::Module &function);

// The objects that were made last. It is thread-safe. Two threads that ask for the same object at once both make it.
class FunctionObjects {
public:
  explicit FunctionObjects(uint64_t most_bytes) : most_bytes(most_bytes) {}

  // Returns the object of the key, which `make` makes if it is not there.
  std::shared_ptr<const FunctionObject> get(const std::string &key, llvm::function_ref<FunctionObject()> make);
  uint64_t count() const; // of objects that are there

private:
  std::shared_ptr<const FunctionObject> find(const std::string &key) const;
  void keep(const std::string &key, std::shared_ptr<const FunctionObject> object);

  const uint64_t most_bytes;
  mutable std::mutex mutex;
  std::map<std::string, std::shared_ptr<const FunctionObject>> objects;
  std::deque<std::string> order; // their keys, the oldest first
  uint64_t bytes = 0;            // of all of them
};

} // namespace lanecl::vectorizer
