// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The built-in library. Opening it, even lazily, takes longer than compiling a kernel. It is therefore opened once for
// all kernels, and each kernel gets a small module with the functions that it calls.
#pragma once

#include "pass_support/diagnostics.h"
#include "vectorizer/vectorizer.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace lanecl::vectorizer {

// Gives kernels the library functions that they need. Thread-safe.
class BuiltinLibrary {
public:
  // `cache` may be null. It keeps between runs what programs call, under the library's `hash`.
  explicit BuiltinLibrary(std::unique_ptr<llvm::MemoryBuffer> bitcode, ObjectCache *cache = nullptr,
                          std::string hash = "")
      : bitcode(std::move(bitcode)), cache(cache), hash(std::move(hash)) {}

  // Returns a module in `context` that defines the functions that `program` only declares, if the library has them, and
  // everything that they need. Returns null on failure, after reporting it.
  std::unique_ptr<llvm::Module> needed(const llvm::Module &program, llvm::LLVMContext &context,
                                       Diagnostics &diagnostics);

private:
  // Both return the bitcode of a module with these functions, the first one from a cache if possible.
  std::string extract(const std::vector<std::string> &names, std::string &error);
  std::string extractAnew(const std::vector<std::string> &names, std::string &error);
  bool open(std::string &error);

  std::unique_ptr<llvm::MemoryBuffer> bitcode;
  ObjectCache *const cache;
  const std::string hash;
  // A compilation that crashed may have left the mutex locked for ever, so locking has a time limit.
  std::timed_mutex mutex;
  std::unique_ptr<llvm::LLVMContext> library_context;
  std::unique_ptr<llvm::Module> library;
  std::map<std::vector<std::string>, std::string> extracts; // bitcode by the requested functions
};

} // namespace lanecl::vectorizer
