// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Makes random kernels from a seed. Each function emits one kind of statement at the builder's place.
#include "random_kernel.h"

#include "llvm/IR/IRBuilder.h"

#include <random>

using namespace llvm;

namespace lanecl::vectorizer::test {

namespace {

// Generates one kernel. It has six variables: the first three start with the same value in all lanes, the others with
// values that depend on the lane.
class Generator {
public:
  Generator(LLVMContext &context, uint64_t seed)
      : random(seed), module(std::make_unique<Module>("random", context)), builder(context) {}

  std::unique_ptr<Module> make() {
    createFunction();
    if (chance(35))
      unstructured();
    else {
      statements(0, 4 + pick(4));
      builder.CreateBr(exit);
    }
    builder.SetInsertPoint(exit);
    Value *result = variable(0);
    for (unsigned i = 1; i < variables.size(); ++i)
      result = builder.CreateAdd(builder.CreateMul(result, builder.getInt32(31)), variable(i));
    builder.CreateRet(result);
    return std::move(module);
  }

private:
  unsigned pick(unsigned below) { return std::uniform_int_distribution<unsigned>(0, below - 1)(random); }
  bool chance(unsigned percent) { return pick(100) < percent; }
  BasicBlock *block(const Twine &name) { return BasicBlock::Create(builder.getContext(), name, function); }

  void createFunction() {
    Type *i32 = builder.getInt32Ty(), *pointer = PointerType::get(builder.getContext(), 1);
    function = Function::Create(FunctionType::get(i32, {pointer, pointer, i32, i32}, false),
                                GlobalValue::ExternalLinkage, "kernel", *module);
    builder.SetInsertPoint(block("entry"));
    exit = block("exit");
    FunctionCallee lane_id = module->getOrInsertFunction("__lanecl_lane_id", FunctionType::get(i32, false));
    for (unsigned i = 0; i < 6; ++i)
      variables.push_back(builder.CreateAlloca(i32, nullptr, "v" + Twine(i)));
    lane = builder.CreateCall(lane_id, {}, "lane");
    // The first three variables stay uniform as long as the control flow is uniform.
    Value *initial[] = {function->getArg(2),
                        function->getArg(3),
                        builder.getInt32(3),
                        lane,
                        builder.CreateMul(lane, builder.getInt32(7)),
                        builder.CreateXor(lane, builder.getInt32(5))};
    for (unsigned i = 0; i < 6; ++i)
      builder.CreateStore(initial[i], variables[i]);
  }

  Value *variable(unsigned index) { return builder.CreateLoad(builder.getInt32Ty(), variables[index]); }
  // Expressions read mostly one of the two kinds of variables. Mixing them at random would soon leave nothing uniform.
  unsigned someVariable() { return uniform_only ? pick(3) : chance(40) ? pick(3) : 3 + pick(3); }

  Value *expression() {
    Value *a = variable(someVariable());
    Value *b = chance(50) ? variable(someVariable()) : static_cast<Value *>(builder.getInt32(pick(9)));
    switch (pick(6)) {
    case 0: return builder.CreateAdd(a, b);
    case 1: return builder.CreateSub(a, b);
    case 2: return builder.CreateMul(a, b);
    case 3: return builder.CreateXor(a, b);
    case 4: return builder.CreateSelect(builder.CreateICmpSLT(a, b), b, a);
    default: return load(a);
    }
  }

  Value *load(Value *index) {
    Value *at = builder.CreateAnd(index, builder.getInt32(15));
    return builder.CreateLoad(builder.getInt32Ty(), builder.CreateGEP(builder.getInt32Ty(), function->getArg(0), at));
  }

  Value *ownAddress() {
    Value *at = builder.CreateAnd(variable(someVariable()), builder.getInt32(7));
    at = builder.CreateAdd(at, builder.CreateMul(lane, builder.getInt32(8)));
    return builder.CreateGEP(builder.getInt32Ty(), function->getArg(1), at);
  }

  // A condition joins comparisons, each of which is uniform or varying, because split-conditions separates the two.
  Value *condition() {
    Value *whole = comparison();
    while (chance(30)) {
      Value *part = comparison();
      switch (pick(4)) {
      case 0: whole = builder.CreateLogicalAnd(whole, part); break;
      case 1: whole = builder.CreateLogicalOr(part, whole); break;
      case 2: whole = builder.CreateAnd(whole, part); break;
      case 3: whole = builder.CreateOr(part, whole); break;
      }
    }
    return whole;
  }

  Value *comparison() {
    uniform_only = chance(45);
    Value *a = builder.CreateAnd(expression(), builder.getInt32(7));
    uniform_only = false;
    const CmpInst::Predicate predicates[] = {CmpInst::ICMP_EQ, CmpInst::ICMP_NE, CmpInst::ICMP_ULT, CmpInst::ICMP_UGT};
    return builder.CreateICmp(predicates[pick(4)], a, builder.getInt32(1 + pick(6)));
  }

  void assign() {
    uniform_only = chance(45);
    Value *value = expression();
    builder.CreateStore(value, variables[uniform_only ? pick(3) : 3 + pick(3)]);
    uniform_only = false;
  }

  void simple() {
    switch (pick(4)) {
    case 0: builder.CreateStore(variable(someVariable()), ownAddress()); break;
    case 1: builder.CreateStore(builder.CreateLoad(builder.getInt32Ty(), ownAddress()), variables[3 + pick(3)]); break;
    default: assign();
    }
  }

  // Emits statements, one of which may have a label that gotos before it can jump to. All jumps go forward, so they
  // cannot make a loop.
  void statements(unsigned depth, unsigned count) {
    BasicBlock *label = chance(25) ? block("label") : nullptr;
    const unsigned at = label ? pick(count) : count;
    if (label)
      labels.push_back(label);
    for (unsigned i = 0; i < count; ++i) {
      if (i == at) {
        labels.erase(find(labels, label));
        builder.CreateBr(label);
        builder.SetInsertPoint(label);
      }
      statement(depth);
    }
  }

  void statement(unsigned depth) {
    if (depth >= 4)
      return simple();
    switch (pick(12)) {
    case 0:
    case 1: return ifElse(depth);
    case 2: return ifThen(depth);
    case 3:
    case 4: return loop(depth);
    case 5: return choose(depth);
    case 6: return shortCircuit(depth);
    case 7: return jump();
    case 8: return guardedDivision();
    default: return simple();
    }
  }

  void ifThen(unsigned depth) {
    BasicBlock *then = block("then"), *join = block("join");
    builder.CreateCondBr(condition(), then, join);
    builder.SetInsertPoint(then);
    statements(depth + 1, 1 + pick(3));
    builder.CreateBr(join);
    builder.SetInsertPoint(join);
  }

  void ifElse(unsigned depth) {
    BasicBlock *then = block("then"), *other = block("else"), *join = block("join");
    builder.CreateCondBr(condition(), then, other);
    for (BasicBlock *side : {then, other}) {
      builder.SetInsertPoint(side);
      statements(depth + 1, 1 + pick(3));
      builder.CreateBr(join);
    }
    builder.SetInsertPoint(join);
  }

  void shortCircuit(unsigned depth) {
    BasicBlock *second = block("second"), *then = block("then"), *join = block("join");
    const bool is_or = chance(50);
    builder.CreateCondBr(condition(), is_or ? then : second, is_or ? second : join);
    builder.SetInsertPoint(second);
    builder.CreateCondBr(condition(), then, join);
    builder.SetInsertPoint(then);
    statements(depth + 1, 1 + pick(2));
    builder.CreateBr(join);
    builder.SetInsertPoint(join);
  }

  void choose(unsigned depth) {
    BasicBlock *join = block("join");
    SmallVector<BasicBlock *> cases;
    for (unsigned i = 0; i < 2 + pick(3); ++i)
      cases.push_back(block("case"));
    cases.push_back(join);
    Value *value = builder.CreateAnd(variable(someVariable()), builder.getInt32(7));
    SwitchInst *choice = builder.CreateSwitch(value, cases[pick(cases.size())]);
    for (unsigned i = 0; i < 6; ++i)
      choice->addCase(builder.getInt32(i), cases[pick(cases.size())]);
    for (unsigned i = 0; i + 1 < cases.size(); ++i) {
      builder.SetInsertPoint(cases[i]);
      statements(depth + 1, 1 + pick(2));
      builder.CreateBr(chance(60) ? join : cases[i + 1]);
    }
    builder.SetInsertPoint(join);
  }

  // Emits a loop with at most four turns. Its bound is uniform or differs between the lanes.
  void loop(unsigned depth) {
    BasicBlock *header = block("header"), *body = block("body"), *latch = block("latch"), *done = block("done");
    Value *bound = builder.CreateAnd(variable(someVariable()), builder.getInt32(3));
    auto *counter = new AllocaInst(builder.getInt32Ty(), 0, "i", function->getEntryBlock().begin());
    builder.CreateStore(builder.getInt32(0), counter);
    const bool test_first = chance(60);
    builder.CreateBr(test_first ? header : body);
    const auto test = [&] { return builder.CreateICmpULE(builder.CreateLoad(builder.getInt32Ty(), counter), bound); };
    builder.SetInsertPoint(header);
    builder.CreateCondBr(test(), body, done);
    builder.SetInsertPoint(body);
    loops.push_back({latch, done});
    statements(depth + 1, 1 + pick(3));
    loops.pop_back();
    builder.CreateBr(latch);
    builder.SetInsertPoint(latch);
    builder.CreateStore(builder.CreateAdd(builder.CreateLoad(builder.getInt32Ty(), counter), builder.getInt32(1)),
                        counter);
    builder.CreateBr(header);
    builder.SetInsertPoint(done);
  }

  // Emits a conditional break, continue, return or goto. It is conditional so that the code after it can be reached.
  void jump() {
    SmallVector<BasicBlock *> targets(labels.begin(), labels.end());
    if (!loops.empty())
      targets.append({loops.back().first, loops.back().second, loops.back().second});
    if (chance(30))
      targets.push_back(exit);
    if (targets.empty())
      return simple();
    BasicBlock *leave = block("jump"), *stay = block("stay");
    builder.CreateCondBr(condition(), leave, stay);
    builder.SetInsertPoint(leave);
    if (chance(50))
      simple();
    builder.CreateBr(targets[pick(targets.size())]);
    builder.SetInsertPoint(stay);
  }

  // Emits a division that a branch guards. It traps when it is executed for a lane whose divisor is zero.
  void guardedDivision() {
    BasicBlock *then = block("divide"), *join = block("join");
    Value *divisor = builder.CreateAnd(variable(someVariable()), builder.getInt32(3));
    builder.CreateCondBr(builder.CreateICmpNE(divisor, builder.getInt32(0)), then, join);
    builder.SetInsertPoint(then);
    builder.CreateStore(builder.CreateUDiv(variable(someVariable()), divisor), variables[3 + pick(3)]);
    builder.CreateBr(join);
    builder.SetInsertPoint(join);
  }

  // Emits blocks that branch anywhere. Each block uses up fuel, and a lane returns when it has none left.
  void unstructured() {
    auto *fuel = new AllocaInst(builder.getInt32Ty(), 0, "fuel", function->getEntryBlock().begin());
    builder.CreateStore(builder.getInt32(10 + pick(25)), fuel);
    SmallVector<BasicBlock *> blocks;
    for (unsigned i = 0; i < 3 + pick(8); ++i)
      blocks.push_back(block("block"));
    builder.CreateBr(blocks[0]);
    for (BasicBlock *current : blocks) {
      BasicBlock *more = block("more");
      builder.SetInsertPoint(current);
      Value *left = builder.CreateSub(builder.CreateLoad(builder.getInt32Ty(), fuel), builder.getInt32(1));
      builder.CreateStore(left, fuel);
      builder.CreateCondBr(builder.CreateICmpEQ(left, builder.getInt32(0)), exit, more);
      builder.SetInsertPoint(more);
      for (unsigned i = 0; i < 1 + pick(3); ++i)
        simple();
      const auto target = [&] { return chance(8) ? exit : blocks[pick(blocks.size())]; };
      if (chance(30))
        builder.CreateBr(target());
      else
        builder.CreateCondBr(condition(), target(), target());
    }
  }

  std::mt19937_64 random;
  std::unique_ptr<Module> module;
  IRBuilder<> builder;
  Function *function = nullptr;
  BasicBlock *exit = nullptr;
  Value *lane = nullptr;
  bool uniform_only = false; // whether expressions read uniform variables only
  SmallVector<AllocaInst *> variables;
  SmallVector<BasicBlock *> labels;                         // labels that are still to come
  SmallVector<std::pair<BasicBlock *, BasicBlock *>> loops; // where continue and break of each enclosing loop go
};

} // namespace

std::unique_ptr<Module> randomKernel(LLVMContext &context, uint64_t seed) {
  return Generator(context, seed).make();
}

} // namespace lanecl::vectorizer::test
