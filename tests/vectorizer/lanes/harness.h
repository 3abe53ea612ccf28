// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Lane operations as callable functions: emit one for an instruction set, compile it in process, call it on raw memory.
#pragma once

#include "lanes/context.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace llvm::orc {
class LLJIT;
}

namespace lanecl::vectorizer::lanes::test {

struct TestIsa {
  std::string name;
  TargetFeatures target;
  std::string attributes; // as llc takes them
};

// Those that this processor can run, each once.
const std::vector<TestIsa> &hostIsas();
// And what differs from one of them only in what gathers become.
const std::vector<TestIsa> &hostGatherIsas();
// All of them, for what is only looked at as assembly.
const std::vector<TestIsa> &allIsas();

inline constexpr unsigned kWidths[] = {4, 8, 16, 32, 64};

// The parameters of every test function: void(void *a, void *b, void *out, uint64_t mask, uint64_t scalar).
struct Parameters {
  llvm::Value *a, *b, *out;
  llvm::Value *mask;   // <W x i1>
  llvm::Value *scalar; // i64
};
using Function = void (*)(const void *a, const void *b, void *out, uint64_t mask, uint64_t scalar);
using Emit = std::function<void(const LaneContext &c, const Parameters &p)>;

// Collects functions, compiles them together, hands out their addresses.
class LaneModule {
public:
  LaneModule(const TestIsa &isa, unsigned width);
  ~LaneModule();
  void add(const std::string &name, const Emit &emit);
  void compile();
  Function find(const std::string &name);

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

// The assembly text of one function.
std::string assemblyOf(const TestIsa &isa, unsigned width, const Emit &emit);
// Its instructions whose mnemonic starts with `mnemonic`.
unsigned countInstructions(const std::string &assembly, const std::string &mnemonic);
// Its accesses to the stack other than saving registers.
unsigned countStackAccesses(const std::string &assembly);

// <W x element> at an address; i1 is a byte in memory.
llvm::Value *loadLanes(const LaneContext &c, llvm::Type *element, llvm::Value *ptr);
void storeLanes(const LaneContext &c, llvm::Value *v, llvm::Value *ptr);

// The element types, by name, with their size in memory.
struct ElementType {
  const char *name;
  unsigned bytes;
  llvm::Type *(*get)(llvm::LLVMContext &context);
};
const std::vector<ElementType> &elementTypes(); // all
const std::vector<ElementType> &memoryTypes();  // without i1

// Bytes between two pages that fault, against the end or the beginning.
class GuardedBytes {
public:
  GuardedBytes();
  ~GuardedBytes();
  std::byte *endingWith(size_t bytes); // `bytes` bytes, the next one faults
  std::byte *beginning();              // the byte before faults
  static constexpr size_t kSize = 16384;

private:
  std::byte *base;
};

// Masks worth trying: none, all, one lane, the low lanes, random ones.
std::vector<uint64_t> interestingMasks(unsigned width, std::mt19937_64 &random);
void fillRandom(void *bytes, size_t count, std::mt19937_64 &random);

// Counted and printed at the end.
void countCase();

} // namespace lanecl::vectorizer::lanes::test
