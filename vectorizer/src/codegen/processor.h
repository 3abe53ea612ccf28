// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The processor that code is generated for: this machine's, or one that is named.
#pragma once

#include "vectorizer/vectorizer.h"

#include "llvm/ADT/StringMap.h"

#include <string>
#include <vector>

namespace lanecl::vectorizer {

struct Processor {
  Isa isa = Isa::Sse42;             // never Host
  std::string cpu;                  // as LLVM names it
  std::string features;             // "+avx2,-avx512f,…": differences from the named processor
  std::vector<std::string> missing; // features that its code may use and this machine lacks; empty: it runs here
};

// The machine this runs on.
struct Host {
  std::string cpu;
  llvm::StringMap<bool> features; // by name, whether it has them
};
Host detectHost();

// The features of a named processor are the same on every host, because they are part of the keys of a shared cache.
Processor chooseProcessor(const CodeTarget &wanted, const Host &host = detectHost());
TargetDescription describe(const Processor &processor);
unsigned vectorBits(Isa isa);

} // namespace lanecl::vectorizer
