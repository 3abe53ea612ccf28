// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The built-in library. Opening it, even lazily, costs more than compiling a kernel, so it is opened once for all
// kernels, and each kernel gets a small module of the functions that it calls.
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

// Thread-safe.
class BuiltinLibrary {
public:
  // `cache`, which may be null, keeps what programs call between runs, under the library's `hash`.
  explicit BuiltinLibrary(std::unique_ptr<llvm::MemoryBuffer> bitcode, ObjectCache *cache = nullptr,
                          std::string hash = "")
      : bitcode(std::move(bitcode)), cache(cache), hash(std::move(hash)) {}

  // A module in `context` that defines those functions which `program` only declares and the library has, with all
  // that they need. Null on failure.
  std::unique_ptr<llvm::Module> needed(const llvm::Module &program, llvm::LLVMContext &context,
                                       Diagnostics &diagnostics);

private:
  // Both return bitcode.
  std::string extract(const std::vector<std::string> &names, std::string &error);
  std::string extractAnew(const std::vector<std::string> &names, std::string &error);
  bool open(std::string &error);

  std::unique_ptr<llvm::MemoryBuffer> bitcode;
  ObjectCache *const cache;
  const std::string hash;
  // A compilation that crashed may have left it locked for ever, so locking has a time limit.
  std::timed_mutex mutex;
  std::unique_ptr<llvm::LLVMContext> library_context;
  std::unique_ptr<llvm::Module> library;
  std::map<std::vector<std::string>, std::string> extracts; // bitcode, by the functions requested
};

} // namespace lanecl::vectorizer
