// What the object cache stores: object code with the numbers the scheduler needs beside it.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace lanecl::vectorizer {

struct CachedObject {
  KernelFacts facts;
  uint64_t spill_bytes = 0, stack_bytes = 0;
  std::string object;
};

std::string serialize(const CachedObject &object);
std::optional<CachedObject> deserialize(llvm::StringRef bytes); // nothing when it is not one of these

// Different for everything the code depends on. `environment` stands for the processor and the built-in library.
std::string cacheKey(const KernelSource &source, const LaunchClass &launch, llvm::StringRef environment);
// The same for what a check of these kernels finds.
std::string cacheKey(llvm::StringRef bitcode, llvm::ArrayRef<KernelCheck> kernels, llvm::StringRef environment);

} // namespace lanecl::vectorizer
