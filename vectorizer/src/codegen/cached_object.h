// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// An entry of the object cache: object code, and the sizes that the scheduler needs.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace lanecl::vectorizer {

struct CachedObject {
  KernelFacts facts;
  uint64_t width = 0; // lanes
  uint64_t spill_bytes = 0, stack_bytes = 0;
  std::string object;
  std::string warning{}; // CompileOutput::warning
};

std::string serialize(const CachedObject &object);
std::optional<CachedObject> deserialize(llvm::StringRef bytes); // nothing when it is not one of these

// Different for everything the code depends on. `environment` identifies the processor and the built-in library.
std::string cacheKey(const KernelSource &source, const LaunchClass &launch, llvm::StringRef environment);
// The same for the result of checking these kernels.
std::string cacheKey(llvm::StringRef bitcode, llvm::ArrayRef<KernelCheck> kernels, llvm::StringRef environment);

} // namespace lanecl::vectorizer
