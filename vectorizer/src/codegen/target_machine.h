// The processor code is generated for.
#pragma once

#include "vectorizer/vectorizer.h"

#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <string>

namespace lanecl::vectorizer {

struct Processor {
  Isa isa = Isa::Sse42; // never Host
  std::string cpu;      // as LLVM names it
  std::string features; // "+avx2,-avx512f,…"
};

// The processor to compile for: the host, held back to `wanted` when that is less than the host has.
Processor chooseProcessor(Isa wanted);
unsigned vectorBits(Isa isa);
const char *isaName(Isa isa);

// One per compilation: target machines are not thread-safe. Null with a reason when LLVM lacks the x86 target.
std::unique_ptr<llvm::TargetMachine> createTargetMachine(const Processor &processor, bool optimize, std::string &error);

// The attributes by which a function is compiled for the target, with registers as wide as it has.
void addTargetAttributes(llvm::Function &function, const llvm::TargetMachine &target);

} // namespace lanecl::vectorizer
