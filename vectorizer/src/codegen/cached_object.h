// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Entries of the object cache: object code, and the sizes that the scheduler needs to run it.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace lanecl::vectorizer {

// The object of a function that was made apart (codegen/function_objects.h).
struct CachedFunction {
  std::string symbol, object;
};

struct CachedObject {
  KernelFacts facts;
  uint64_t width = 0; // the number of lanes that run together
  uint64_t spill_bytes = 0, stack_bytes = 0;
  std::string object;
  std::vector<CachedFunction> functions{};
  std::string warning{}; // CompileOutput::warning
};

std::string serialize(const CachedObject &object);
std::optional<CachedObject> deserialize(llvm::StringRef bytes); // returns nothing if the bytes are not such an entry

// Returns a key that differs for everything that the code depends on. `environment` identifies the processor, the
// built-in library and the settings of the vectorizer.
std::string cacheKey(const KernelSource &source, const LaunchClass &launch, llvm::StringRef environment);
// Returns the key for the result of checking these kernels.
std::string cacheKey(llvm::StringRef bitcode, llvm::ArrayRef<KernelCheck> kernels, llvm::StringRef environment);

} // namespace lanecl::vectorizer
