// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Interprets one instruction after the other, for all lanes at once, and checks the masks as it goes.
#include "lane_machine.h"

#include "analysis/functions/markers.h"
#include "analysis/functions/primitives.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace lanecl::vectorizer::test {

// A function that executes more instructions is taken for one that does not end.
static constexpr uint64_t kMaxSteps = 200000;
static constexpr uint64_t kPrivate = 0x30000; // variables of the kernel; stores from here on are not part of the result

uint32_t inputAt(uint64_t address) {
  return static_cast<uint32_t>((address / 4 * 2654435761u) >> 7) & 0xff;
}

static unsigned widthOf(const Type *type) {
  return type->isPointerTy() ? 64 : type->getIntegerBitWidth();
}
static uint64_t truncated(uint64_t bits, unsigned width) {
  return width == 64 ? bits : bits & ((1ull << width) - 1);
}
static int64_t extended(uint64_t bits, unsigned width) {
  return static_cast<int64_t>(bits << (64 - width)) >> (64 - width);
}

void Machine::fail(const Instruction &at, const std::string &why) {
  if (!error.empty())
    return;
  raw_string_ostream out(error);
  out << why << " at " << at << " in block '" << at.getParent()->getName() << "'";
}

Machine::Cells Machine::valueOf(const Value &value) {
  if (isa<UndefValue>(value))
    return Cells(lanes, Cell{0, true});
  if (const auto *constant = dyn_cast<ConstantInt>(&value))
    return Cells(lanes, Cell{constant->getZExtValue(), false});
  auto known = values.find(&value);
  return known == values.end() ? Cells(lanes, Cell{0, true}) : known->second;
}

// Enters a block with all lanes active and assigns its phis. All of them are read before one is assigned, because a phi
// may use another one.
void Machine::enterBlock(const BasicBlock *from, const BasicBlock *to) {
  mask.assign(lanes, false);
  std::fill_n(mask.begin(), active, true);
  std::vector<std::pair<const PHINode *, Cells>> incoming;
  for (const PHINode &phi : to->phis())
    incoming.emplace_back(&phi, valueOf(*phi.getIncomingValueForBlock(from)));
  for (auto &[phi, cells] : incoming)
    define(*phi, std::move(cells));
}

// Assigns a value, and checks that a value claimed to be uniform is the same in all lanes where it is not poison.
void Machine::define(const Instruction &instruction, Cells cells) {
  if (claimed_uniform && claimed_uniform(instruction)) {
    const Cell *first = nullptr;
    for (unsigned lane = 0; lane < active; ++lane) {
      if (cells[lane].poison)
        continue;
      if (first && first->bits != cells[lane].bits)
        fail(instruction, "a value called uniform differs between lanes");
      first = &cells[lane];
    }
  }
  values[&instruction] = std::move(cells);
}

static Cell divide(const Instruction &instruction, uint64_t a, uint64_t b, unsigned width) {
  const int64_t sa = extended(a, width), sb = extended(b, width);
  switch (instruction.getOpcode()) {
  case Instruction::UDiv: return {a / b, false};
  case Instruction::URem: return {a % b, false};
  case Instruction::SDiv: return {truncated(sb == -1 ? -a : sa / sb, width), false};
  default: return {truncated(sb == -1 ? 0 : sa % sb, width), false};
  }
}

static bool compare(CmpInst::Predicate predicate, uint64_t a, uint64_t b, unsigned width) {
  return ICmpInst::compare(APInt(width, a), APInt(width, b), predicate);
}

Cell Machine::compute(const Instruction &instruction, unsigned lane, const std::vector<Cells> &operands) {
  const unsigned width = widthOf(instruction.getType());
  const auto operand = [&](unsigned index) { return operands[index][lane]; };
  // A frozen poison is an arbitrary number. It differs between lanes, so that a wrong claim of uniformity is found.
  if (isa<FreezeInst>(instruction))
    return operand(0).poison && mask[lane] ? Cell{truncated(0xdeadbeef + lane, width), false} : operand(0);
  if (isa<SelectInst>(instruction))
    return operand(0).poison ? Cell{0, true} : operand(operand(0).bits ? 1 : 2);
  for (unsigned i = 0; i < operands.size(); ++i)
    if (operand(i).poison)
      return {0, true};
  const uint64_t a = operand(0).bits, b = operands.size() > 1 ? operand(1).bits : 0;
  const unsigned from = widthOf(instruction.getOperand(0)->getType());
  if (const auto *comparison = dyn_cast<ICmpInst>(&instruction))
    return {compare(comparison->getPredicate(), a, b, from), false};
  switch (instruction.getOpcode()) {
  case Instruction::Add: return {truncated(a + b, width), false};
  case Instruction::Sub: return {truncated(a - b, width), false};
  case Instruction::Mul: return {truncated(a * b, width), false};
  case Instruction::And: return {a & b, false};
  case Instruction::Or: return {a | b, false};
  case Instruction::Xor: return {a ^ b, false};
  case Instruction::Shl: return b >= width ? Cell{0, true} : Cell{truncated(a << b, width), false};
  case Instruction::LShr: return b >= width ? Cell{0, true} : Cell{a >> b, false};
  case Instruction::AShr:
    return b >= width ? Cell{0, true} : Cell{truncated(static_cast<uint64_t>(extended(a, width) >> b), width), false};
  case Instruction::ZExt: return {a, false};
  case Instruction::Trunc: return {truncated(a, width), false};
  case Instruction::SExt: return {truncated(static_cast<uint64_t>(extended(a, from)), width), false};
  case Instruction::GetElementPtr:
    return {a + 4 * static_cast<uint64_t>(extended(b, widthOf(instruction.getOperand(1)->getType()))), false};
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    if (b != 0)
      return divide(instruction, a, b, width);
    if (mask[lane])
      fail(instruction, "an active lane divides by zero");
    return {0, true};
  default: fail(instruction, "the machine does not know the instruction"); return {0, true};
  }
}

void Machine::executeMemory(const Instruction &instruction) {
  const auto *load = dyn_cast<LoadInst>(&instruction);
  const Cells addresses = valueOf(*getLoadStorePointerOperand(&instruction));
  const Cells data = load ? Cells(lanes, Cell{0, true}) : valueOf(*instruction.getOperand(0));
  Cells loaded(lanes, Cell{0, true});
  bool any = false;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    if (!mask[lane])
      continue;
    any = true;
    if (addresses[lane].poison || (!load && data[lane].poison)) {
      fail(instruction, "an active lane accesses memory with poison");
      continue;
    }
    const uint64_t address = addresses[lane].bits;
    if (!load) {
      memory[lane][address] = static_cast<uint32_t>(data[lane].bits);
      if (address < kPrivate)
        results[lane].stores.emplace_back(address, static_cast<uint32_t>(data[lane].bits));
    } else {
      auto own = memory[lane].find(address);
      loaded[lane] = {own != memory[lane].end() ? own->second : inputAt(address), false};
    }
  }
  if (!any)
    fail(instruction, "memory is accessed for no lane");
  if (load)
    define(instruction, loaded);
}

void Machine::executeCall(const CallInst &call) {
  Cells result(lanes);
  const std::optional<Marker> marker = markerOf(call);
  if (marker == Marker::EntryMask) {
    for (unsigned lane = 0; lane < lanes; ++lane)
      result[lane].bits = lane < active;
  } else if (marker) {
    const Cells argument = valueOf(*call.getArgOperand(0));
    bool any = false;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      if (argument[lane].poison)
        fail(call, "a mask is poison");
      if (lane >= active && argument[lane].bits)
        fail(call, "a mask holds a lane that does not exist");
      any |= argument[lane].bits != 0;
      mask[lane] = marker == Marker::BlockMask ? argument[lane].bits != 0 : mask[lane];
    }
    if (marker == Marker::BlockMask && !any)
      fail(call, "a block runs for no lane");
    result.assign(lanes, Cell{any, false});
  } else if (isPrimitive(call, Primitive::LaneId)) {
    for (unsigned lane = 0; lane < lanes; ++lane)
      result[lane].bits = first_lane + lane;
  } else if (const auto *choice = dyn_cast<MinMaxIntrinsic>(&call)) {
    const Cells a = valueOf(*choice->getLHS()), b = valueOf(*choice->getRHS());
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const bool first = compare(choice->getPredicate(), a[lane].bits, b[lane].bits, widthOf(call.getType()));
      result[lane] = {(first ? a : b)[lane].bits, a[lane].poison || b[lane].poison};
    }
  } else {
    fail(call, "the machine does not know the call");
  }
  if (!call.getType()->isVoidTy())
    define(call, result);
}

void Machine::execute(const Instruction &instruction) {
  if (isa<LoadInst, StoreInst>(instruction))
    return executeMemory(instruction);
  if (const auto *call = dyn_cast<CallInst>(&instruction))
    return executeCall(*call);
  if (isa<AllocaInst>(instruction))
    return define(instruction, Cells(lanes, Cell{kPrivate + 4 * values.size(), false}));
  std::vector<Cells> operands;
  for (const Value *operand : instruction.operand_values())
    operands.push_back(valueOf(*operand));
  Cells cells(lanes);
  for (unsigned lane = 0; lane < lanes; ++lane)
    cells[lane] = compute(instruction, lane, operands);
  define(instruction, std::move(cells));
}

// Fails when the condition is poison or differs between active lanes.
const BasicBlock *Machine::successor(const Instruction &terminator) {
  if (terminator.getNumSuccessors() == 1)
    return terminator.getSuccessor(0);
  const Cells condition = valueOf(*terminator.getOperand(0));
  const Cell *taken = nullptr;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    if (!mask[lane])
      continue;
    if (condition[lane].poison)
      fail(terminator, "a branch on poison");
    if (taken && taken->bits != condition[lane].bits)
      fail(terminator, "a branch diverges");
    taken = &condition[lane];
  }
  if (!taken)
    return nullptr;
  if (const auto *choice = dyn_cast<SwitchInst>(&terminator)) {
    for (auto option : choice->cases())
      if (option.getCaseValue()->getZExtValue() == taken->bits)
        return option.getCaseSuccessor();
    return choice->getDefaultDest();
  }
  return terminator.getSuccessor(taken->bits ? 0 : 1);
}

std::vector<LaneResult> Machine::run(const Function &function) {
  results.assign(lanes, {});
  memory.resize(lanes);
  for (const Argument &argument : function.args())
    values[&argument] = Cells(lanes, Cell{arguments[argument.getArgNo()], false});
  const BasicBlock *from = nullptr, *block = &function.getEntryBlock();
  while (block && error.empty()) {
    enterBlock(from, block);
    for (const Instruction &instruction : *block) {
      if (isa<PHINode>(instruction) || !error.empty())
        continue;
      if (++steps > kMaxSteps)
        fail(instruction, "the function does not end");
      if (isa<ReturnInst>(instruction)) {
        const Cells value = valueOf(*instruction.getOperand(0));
        for (unsigned lane = 0; lane < active; ++lane) {
          results[lane].returned = value[lane].bits;
          if (value[lane].poison)
            fail(instruction, "a lane returns poison");
        }
        return results;
      }
      if (!instruction.isTerminator())
        execute(instruction);
    }
    if (!error.empty())
      break;
    from = block;
    block = successor(*from->getTerminator());
    if (!block)
      fail(*from->getTerminator(), "a branch for no lane");
  }
  return results;
}

} // namespace lanecl::vectorizer::test
