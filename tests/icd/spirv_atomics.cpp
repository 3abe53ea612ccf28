// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// 16-bit atomic instructions, for which OpenCL C has no functions.
#include "spirv/module.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>

using namespace lanecl::test;

namespace {

constexpr int kItems = 96, kLocal = 32, kPlaces = 3;
constexpr int16_t kFirst[] = {10, -20000, 30000}, kNeighbor = 0x5a5a;

// Each work-item updates one of three numbers with its own operand, and stores the old value.
const char *const kUpdate = R"(
               OpCapability TYPE
CAPABILITY
               OpEntryPoint Kernel %k "k" %GlobalLinearId
      %short = OpTypeInt WIDTH 0
     %global = OpTypePointer CrossWorkgroup %short
    %generic = OpTypePointer Generic %short
   %function = OpTypeFunction %void %global %global %global
     %device = OpConstant %uint 1
      %order = OpConstant %uint 528
    %relaxed = OpConstant %uint 0
         %77 = OpConstant %short 77
         %10 = OpConstant %short 10
          %k = OpFunction %void None %function
    %numbers = OpFunctionParameter %global
   %operands = OpFunctionParameter %global
     %before = OpFunctionParameter %global
      %entry = OpLabel
         %id = OpLoad %ulong %GlobalLinearId Aligned 8
     %number = OpUMod %ulong %id %ulong_3
      %where = OpInBoundsPtrAccessChain %global %numbers %number
      %there = OpInBoundsPtrAccessChain %global %operands %id
     %result = OpInBoundsPtrAccessChain %global %before %id
         %v  = OpLoad %short %there Aligned 2
         %p  = OpCopyObject %global %where
INSTRUCTION
               OpStore %result %old Aligned 2
               OpReturn
               OpFunctionEnd
)";

struct Outcome {
  std::vector<int16_t> numbers, before;
};

std::vector<int16_t> operandsOfItems() {
  std::vector<int16_t> operands;
  for (int item = 0; item < kItems; ++item)
    operands.push_back(int16_t(item * 7919 - 11));
  return operands;
}

SpirvModule updating(const std::string &instruction, const std::string &capability = "OpCapability Int16") {
  return assemble(replaced(kUpdate, {{"INSTRUCTION", instruction},
                                     {"CAPABILITY", capability},
                                     {"TYPE", "GenericPointer"},
                                     {"WIDTH", capability == "OpCapability Int8" ? "8" : "16"}}));
}

Outcome outcomeOf(const Session &cl, const SpirvModule &module) {
  const Memory numbers = cl.buffer(std::vector<int16_t>{kFirst[0], kFirst[1], kFirst[2], kNeighbor}),
               operands = cl.buffer(operandsOfItems()), before = cl.buffer(std::vector<int16_t>(kItems));
  cl.run(cl.kernel(buildIl(cl, createWithIl(cl, module)), "k"), {kItems}, {kLocal}, numbers, operands, before);
  Outcome outcome{cl.read<int16_t>(numbers), cl.read<int16_t>(before)};
  CHECK(outcome.numbers[kPlaces] == kNeighbor);
  return outcome;
}

// Returns what the work-items of a place saw or passed, sorted.
std::vector<int16_t> ofPlace(const std::vector<int16_t> &all, int place, std::vector<int16_t> more) {
  for (int item = place; item < kItems; item += kPlaces)
    more.push_back(all[size_t(item)]);
  std::sort(more.begin(), more.end());
  return more;
}

using Update = std::function<int(int16_t old, int16_t operand)>;

void checkUpdate(const Session &cl, const std::string &instruction, const Update &update) {
  INFO(instruction);
  const Outcome outcome = outcomeOf(cl, updating(instruction));
  const std::vector<int16_t> operands = operandsOfItems();
  for (int place = 0; place < kPlaces; ++place) {
    int16_t want = kFirst[place];
    for (int item = place; item < kItems; item += kPlaces)
      want = int16_t(update(want, operands[size_t(item)]));
    CHECK(outcome.numbers[size_t(place)] == want);
    const std::vector<int16_t> seen = ofPlace(outcome.before, place, {});
    CHECK(std::find(seen.begin(), seen.end(), kFirst[place]) != seen.end());
  }
}

} // namespace

TEST_CASE("16-bit atomic updates", "[spirv_atomics]") {
  const Session cl;
  const std::string of = " %short %p %device %order";
  checkUpdate(cl, "%old = OpAtomicIAdd" + of + " %v", [](int16_t a, int16_t b) { return a + b; });
  checkUpdate(cl, "%old = OpAtomicISub" + of + " %v", [](int16_t a, int16_t b) { return a - b; });
  checkUpdate(cl, "%old = OpAtomicIIncrement" + of, [](int16_t a, int16_t) { return a + 1; });
  checkUpdate(cl, "%old = OpAtomicIDecrement" + of, [](int16_t a, int16_t) { return a - 1; });
  checkUpdate(cl, "%old = OpAtomicAnd" + of + " %v", [](int16_t a, int16_t b) { return a & b; });
  checkUpdate(cl, "%old = OpAtomicOr" + of + " %v", [](int16_t a, int16_t b) { return a | b; });
  checkUpdate(cl, "%old = OpAtomicXor" + of + " %v", [](int16_t a, int16_t b) { return a ^ b; });
  checkUpdate(cl, "%old = OpAtomicSMin" + of + " %v", [](int16_t a, int16_t b) { return std::min(a, b); });
  checkUpdate(cl, "%old = OpAtomicSMax" + of + " %v", [](int16_t a, int16_t b) { return std::max(a, b); });
  checkUpdate(cl, "%old = OpAtomicUMin" + of + " %v",
              [](int16_t a, int16_t b) { return std::min(uint16_t(a), uint16_t(b)); });
  checkUpdate(cl, "%old = OpAtomicUMax" + of + " %v",
              [](int16_t a, int16_t b) { return std::max(uint16_t(a), uint16_t(b)); });
  checkUpdate(cl, "%g = OpPtrCastToGeneric %generic %p\n%old = OpAtomicIAdd %short %g %device %order %v",
              [](int16_t a, int16_t b) { return a + b; });
}

TEST_CASE("each 16-bit atomic update sees a different number", "[spirv_atomics]") {
  const Session cl;
  const Outcome outcome = outcomeOf(cl, updating("%old = OpAtomicIIncrement %short %p %device %relaxed"));
  for (int place = 0; place < kPlaces; ++place) {
    const std::vector<int16_t> seen = ofPlace(outcome.before, place, {});
    for (size_t i = 0; i < seen.size(); ++i)
      CHECK(seen[i] == int16_t(kFirst[place] + int(i)));
  }
}

TEST_CASE("16-bit atomic exchanges lose nothing", "[spirv_atomics]") {
  const Session cl;
  const Outcome outcome = outcomeOf(cl, updating("%old = OpAtomicExchange %short %p %device %relaxed %v"));
  for (int place = 0; place < kPlaces; ++place)
    CHECK(ofPlace(outcome.before, place, {outcome.numbers[size_t(place)]}) ==
          ofPlace(operandsOfItems(), place, {kFirst[place]}));
}

TEST_CASE("exactly one 16-bit compare-and-exchange succeeds", "[spirv_atomics]") {
  const Session cl;
  for (const char *kind : {"", "Weak"}) {
    INFO(kind);
    const Outcome outcome = outcomeOf(cl, updating(std::string("%old = OpAtomicCompareExchange") + kind +
                                                   " %short %p %device %order %relaxed %77 %10"));
    const std::vector<int16_t> seen = ofPlace(outcome.before, 0, {});
    CHECK(std::count(seen.begin(), seen.end(), 10) == 1);
    CHECK(std::count(seen.begin(), seen.end(), 77) == kItems / kPlaces - 1);
    CHECK(outcome.numbers == std::vector<int16_t>{77, kFirst[1], kFirst[2], kNeighbor});
  }
}

TEST_CASE("16-bit atomic loads and stores", "[spirv_atomics]") {
  const Session cl;
  const Outcome outcome = outcomeOf(cl, updating("OpAtomicStore %there %device %order %77\n"
                                                 "%old = OpAtomicLoad %short %there %device %order"));
  CHECK(outcome.before == std::vector<int16_t>(kItems, 77));
}

TEST_CASE("modules may declare 16-bit atomics", "[spirv_atomics]") {
  const Session cl;
  SpirvModule module = updating("%old = OpAtomicIIncrement %short %p %device %order");
  // The assembler is too old for these names.
  const uint32_t capabilities[] = {2u << 16 | 17, 6260, 2u << 16 | 17, 6261};
  module.insert(module.begin() + 5, std::begin(capabilities), std::end(capabilities));
  CHECK(outcomeOf(cl, module).numbers[0] == kFirst[0] + kItems / kPlaces);
}

TEST_CASE("there are no 8-bit atomics", "[spirv_atomics]") {
  const Session cl;
  const Program program =
      createWithIl(cl, updating("%old = OpAtomicIIncrement %short %p %device %order", "OpCapability Int8"));
  CHECK(clBuildProgram(program, 1, &cl.device, "", nullptr, nullptr) == CL_BUILD_PROGRAM_FAILURE);
  CHECK_THAT(buildLog(program, cl.device), Catch::Contains("OpAtomicIIncrement"));
}
