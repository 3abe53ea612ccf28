// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tests what the compiler reports about the loops of machine code and their limits, for processors whose instruction
// times LLVM knows.
#include "codegen/emit.h"
#include "codegen/loop_bound.h"
#include "codegen/target_machine.h"
#include "work_group/kept_values.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/SourceMgr.h"

#include <catch2/catch.hpp>

using namespace lanecl::vectorizer;
using Limit = LoopBound::Limit;

namespace {

const CodeTarget kSkylakeServer{Isa::Host, "skylake-avx512"}, kHaswell{Isa::Host, "haswell"},
    kSapphireRapids{Isa::Host, "sapphirerapids"};

// The loops of a function's machine code, and the limits of those without calls.
struct Measured {
  std::vector<MachineLoopCode> loops;
  std::vector<std::optional<LoopBound>> bounds;
};

// Compiles and measures a function. `blocks` is the inside of its only loop, or all of its blocks.
Measured measure(const std::string &blocks, const CodeTarget &target) {
  std::string error;
  const auto machine = createTargetMachine(chooseProcessor(target), /*optimize=*/true, error);
  REQUIRE(machine);
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  const auto module =
      llvm::parseAssemblyString("define <8 x float> @f(ptr %p, i64 %n, <8 x float> %a) {\n" + blocks +
                                    "}\ndeclare void @other()\n!0 = !{!\"branch_weights\", i32 1, i32 5000}",
                                diagnostic, context);
  INFO(diagnostic.getMessage().str());
  REQUIRE(module);
  module->setDataLayout(machine->createDataLayout());
  module->setTargetTriple(machine->getTargetTriple());
  for (llvm::Function &function : *module)
    addTargetAttributes(function, *machine);
  Measured result;
  const auto use = [&](std::vector<MachineLoopCode> loops, const llvm::MCSubtargetInfo &processor) {
    for (const MachineLoopCode &loop : loops)
      if (!loop.calls)
        result.bounds.push_back(boundOf(loop, processor, *machine));
    result.loops = std::move(loops);
  };
  emit(*module, *machine, llvm::CodeGenFileType::ObjectFile, use);
  return result;
}

// Returns a loop whose instructions `steps` compute %next from %x and from the element %e.
std::string loopOf(const std::string &steps) {
  return R"(
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %x = phi <8 x float> [ %a, %entry ], [ %next, %loop ]
  %q = getelementptr <8 x float>, ptr %p, i64 %i
)" + steps +
         R"(
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  ret <8 x float> %next
)";
}

// Measures a function with one loop, which must have a limit, and returns that.
LoopBound onlyBound(const std::string &blocks, const CodeTarget &target) {
  const Measured measured = measure(blocks, target);
  REQUIRE(measured.bounds.size() == 1);
  REQUIRE(measured.bounds[0]);
  return *measured.bounds[0];
}

} // namespace

TEST_CASE("a turn that waits for the sum of the one before takes the latency of its additions") {
  const std::string two_sums = loopOf(R"(
  %e = load <8 x float>, ptr %q
  %y = fadd <8 x float> %x, %e
  %next = fadd <8 x float> %y, %e)");
  for (const auto &[target, latency] : {std::pair{kSkylakeServer, 4}, {kHaswell, 3}}) {
    const LoopBound bound = onlyBound(two_sums, target);
    CHECK(bound.limit == Limit::Chain);
    CHECK(bound.cycles == Approx(2 * latency));
    CHECK(bound.chain.cycles == Approx(2 * latency));
    CHECK(bound.chain.instructions.size() == 2);
  }
}

TEST_CASE("independent divisions wait for the divider") {
  const LoopBound bound = onlyBound(loopOf(R"(
  %e = load <8 x float>, ptr %q
  %r = fdiv <8 x float> %a, %e
  store <8 x float> %r, ptr %q
  %next = fsub <8 x float> %x, %e)"),
                                    kSkylakeServer);
  CHECK(bound.limit == Limit::Units);
  CHECK(bound.units == std::vector<std::string>{"the divider"});
  CHECK(bound.cycles == Approx(5));
}

TEST_CASE("permutes have one port") {
  std::string steps = "%e = load <8 x float>, ptr %q\n";
  std::string sum = "%e";
  for (int i = 0; i < 6; ++i) { // these shuffles cross the halves of a register
    const std::string n = std::to_string(i);
    steps += "%p" + n + " = shufflevector <8 x float> %e, <8 x float> poison, <8 x i32> <i32 " + std::to_string(7 - i) +
             ", i32 6, i32 0, i32 4, i32 3, i32 2, i32 1, i32 5>\n";
    steps += "%s" + n + " = fadd <8 x float> " + sum + ", %p" + n + "\n";
    sum = "%s" + n;
  }
  const LoopBound bound = onlyBound(
      loopOf(steps + "store <8 x float> " + sum + ", ptr %q\n%next = fsub <8 x float> %x, %e"), kSkylakeServer);
  CHECK(bound.limit == Limit::Units);
  CHECK(bound.units == std::vector<std::string>{"port 5"});
  CHECK(bound.cycles == Approx(6).margin(0.5));
}

// The simulation has a limit; without it this test would not end.
TEST_CASE("an instruction that the model never executes ends the simulation") {
  const std::string steps = "%v = load <8 x i32>, ptr %q\n"
                            "%h = sitofp <8 x i32> %v to <8 x half>\n"
                            "store <8 x half> %h, ptr %q\n"
                            "%next = fadd <8 x float> %x, %a\n";
  CHECK(measure(loopOf(steps), kSapphireRapids).bounds.size() == 1);
  CHECK(onlyBound(loopOf(steps), kHaswell).cycles > 0);
}

TEST_CASE("a loop that is seldom entered does not hide the one around it") {
  const std::string text = R"(
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %x = phi <8 x float> [ %a, %entry ], [ %next, %latch ]
  %q = getelementptr <8 x float>, ptr %p, i64 %i
  %e = load <8 x float>, ptr %q
  %rare = icmp eq i64 %i, 12345
  br i1 %rare, label %inner, label %latch, !prof !0
inner:
  %k = phi i64 [ 0, %loop ], [ %k.next, %inner ]
  store volatile i64 %k, ptr %p
  %k.next = add i64 %k, 1
  %again = icmp ult i64 %k.next, 4
  br i1 %again, label %inner, label %latch
latch:
  %next = fadd <8 x float> %x, %e
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  ret <8 x float> %next
)";
  const LoopBound bound = onlyBound(text, kSkylakeServer);
  CHECK(bound.limit == Limit::Chain);
  CHECK(bound.cycles == Approx(4));
  std::string often = text;
  often.replace(often.find(", !prof !0"), 10, "");
  CHECK(onlyBound(often, kSkylakeServer).cycles < 3); // this time the inner loop decides
}

TEST_CASE("calls and what is spilled in a loop are told") {
  const Measured measured = measure(loopOf(R"(
  %e = load <8 x float>, ptr %q
  call void @other()
  %next = fadd <8 x float> %x, %e)"),
                                    kHaswell);
  REQUIRE(measured.loops.size() == 1);
  CHECK(measured.loops[0].calls);
  uint64_t spilled = 0;
  for (const LoopInstruction &instruction : measured.loops[0].instructions)
    spilled += instruction.spill_bytes;
  CHECK(spilled >= 2 * 32); // no vector register survives a call, so %x is stored and loaded
  const Measured without = measure(loopOf("%e = load <8 x float>, ptr %q\n%next = fadd <8 x float> %x, %e"), kHaswell);
  REQUIRE(without.loops.size() == 1);
  CHECK(!without.loops[0].calls);
  CHECK(without.loops[0].instructions.front().spill_bytes == 0);
}

TEST_CASE("what a barrier keeps is computed before it and used behind it") {
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  const auto module = llvm::parseAssemblyString(R"(
declare void @barrier()
define void @k(ptr %p, i64 %n) {
entry:
  %once = load <16 x float>, ptr %p
  %used.before = fadd <16 x float> %once, %once
  store <16 x float> %used.before, ptr %p
  call void @barrier()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %in.loop = load i64, ptr %p
  call void @barrier()
  store i64 %in.loop, ptr %p
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 9
  br i1 %more, label %loop, label %done
done:
  store <16 x float> %once, ptr %p
  call void @barrier()
  ret void
})",
                                                diagnostic, context);
  REQUIRE(module);
  llvm::Function &function = *module->getFunction("k");
  std::vector<llvm::CallInst *> barriers;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction))
      barriers.push_back(call);
  // The bytes kept across each barrier: %p and %once; both of these and %i and %in.loop; nothing.
  CHECK(bytesKept(function, barriers) == std::vector<uint64_t>{8 + 64, 8 + 64 + 4 + 8, 0});
}
