// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Describes the processor that code is generated for: this machine's, or one that the user names.
#pragma once

#include "vectorizer/vectorizer.h"

#include "llvm/ADT/StringMap.h"

#include <string>
#include <vector>

namespace lanecl::vectorizer {

struct TargetProcessor {
  Isa isa = Isa::Sse42; // never Host
  std::string cpu;      // LLVM's name
  std::string features; // "+avx2,-avx512f,…": the differences from the processor of that name
  // The features that its code may use and this machine lacks. If there are none, the code can run here.
  std::vector<std::string> missing;
};

// The machine that this process runs on.
struct Host {
  std::string cpu;
  llvm::StringMap<bool> features; // by name, whether the machine has them
};
Host detectHost();

// Chooses the processor for a request. The features of a named processor do not depend on the host, because they are
// part of the keys of a cache that hosts may share.
TargetProcessor chooseProcessor(const CodeTarget &wanted, const Host &host = detectHost());
TargetDescription describe(const TargetProcessor &processor);
unsigned vectorBits(Isa isa); // width of the widest vector registers

} // namespace lanecl::vectorizer
