// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Blocks, control flow, and where the values of the lanes function are kept.
#include "widen/widener.h"

#include "analysis/functions/kept_functions.h"
#include "analysis/functions/markers.h"
#include "kernel/launch/launch_abi.h"
#include "lanes/cross_lane/permute.h"
#include "lanes/cross_lane/votes.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/MDBuilder.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

SmallVector<Type *, 4> scalarTypes(Type *type) {
  if (auto *vector = dyn_cast<FixedVectorType>(type))
    return SmallVector<Type *, 4>(vector->getNumElements(), vector->getElementType());
  if (auto *array = dyn_cast<ArrayType>(type)) {
    SmallVector<Type *, 4> result;
    for (uint64_t i = 0; i < array->getNumElements(); ++i)
      result.append(scalarTypes(array->getElementType()));
    return result;
  }
  if (auto *structure = dyn_cast<StructType>(type)) {
    SmallVector<Type *, 4> result;
    for (Type *member : structure->elements())
      result.append(scalarTypes(member));
    return result;
  }
  return {type};
}

Widener::Widener(Function &scalar, Function &lanes, const WidenOptions &options, PassContext &context)
    : source(scalar), target(lanes), options(options), context(context), layout(scalar.getDataLayout()),
      layouts(options.one_lane ? PrivateLayouts() : PrivateLayouts(scalar)),
      shapes(options.one_lane ? ShapeInfo() : ShapeInfo(scalar, layouts)), b(scalar.getContext()),
      c{b, options.width, options.target}, debug(scalar, lanes, layouts, options.width, context) {
  assert((options.one_lane || (isPowerOf2_32(options.width) && options.width >= 4 && options.width <= 64)) &&
         "emitters take 4, 8, 16, 32 or 64 lanes");
  assert(!(options.partial && options.masked) &&
         "a kept function gets a mask, which says which lanes exist, and no number of lanes");
}

void Widener::run() {
  takeParameters();
  for (BasicBlock &block : source)
    heads[&block] = BasicBlock::Create(target.getContext(), block.getName(), &target);
  prepareEntryMask();
  // In this order every definition comes before its uses, except in phis.
  ReversePostOrderTraversal<Function *> order(&source);
  for (BasicBlock *block : order)
    widenBlock(*block);
  completePhis();
  if (!isKept(source))
    context.facts.moves_elements |= moves.dominate(source);
  for (BasicBlock &block : source)
    if (!tails.contains(&block)) // it is unreachable
      heads[&block]->eraseFromParent();
}

// Creates the mask of the lanes with which the function is entered. It stays null if all lanes exist.
void Widener::prepareEntryMask() {
  b.SetInsertPoint(heads[&source.getEntryBlock()]);
  if (options.masked)
    entry_mask = b.CreateBitCast(target.getArg(kLanesParameterCount), c.maskType(), "entry.mask");
  if (debug)
    debug.enter(c, entry_mask);
  if (!options.partial)
    return;
  FunctionCallee size = source.getParent()->getOrInsertFunction("__lanecl_sub_group_size", b.getInt32Ty());
  Value *lanes_that_exist = b.CreateVectorSplat(options.width, b.CreateCall(size, {}, "sub_group_size"));
  entry_mask = b.CreateICmpULT(lanes::laneIds(c), lanes_that_exist, "entry.mask");
}

void Widener::widenBlock(BasicBlock &block) {
  b.SetInsertPoint(heads[&block]);
  mask = entry_mask;
  for (Instruction &instruction : block) {
    b.SetCurrentDebugLocation(instruction.getDebugLoc());
    count(instruction);
    visit(instruction);
  }
  tails[&block] = b.GetInsertBlock();
}

// Counts arithmetic and comparisons of lanes. Masks and selects do not count, because they follow from control flow.
void Widener::count(const Instruction &instruction) {
  const bool computes = isa<BinaryOperator, UnaryOperator, CallBase>(instruction) &&
                        !instruction.getType()->isVoidTy() && !instruction.getType()->isIntOrIntVectorTy(1);
  if ((computes || isa<CmpInst>(instruction)) && !shapeOf(&instruction).isLinear())
    moves.computes(*instruction.getParent());
}

void Widener::remark(Remark::Kind kind, const Instruction &at, const Twine &text) {
  addRemark(context, kind, at, text);
  if (kind == Remark::Kind::Gather)
    moves.gathers(*at.getParent());
  else if (kind == Remark::Kind::Scatter)
    moves.scatters(*at.getParent());
}

// Adds the incoming values of all phis, when everything has been widened.
void Widener::completePhis() {
  for (BasicBlock &block : source) {
    if (!tails.contains(&block))
      continue;
    for (PHINode &phi : block.phis()) {
      const bool linear = shapeOf(&phi).isLinear();
      for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
        const auto from = tails.find(phi.getIncomingBlock(i));
        if (from == tails.end())
          continue;
        Value *incoming = phi.getIncomingValue(i);
        if (linear) {
          cast<PHINode>(scalars[&phi])->addIncoming(scalarOf(incoming), from->second);
          continue;
        }
        const Values components = lanesOf(incoming);
        for (const auto &[widened, component] : zip_equal(vectors[&phi], components))
          cast<PHINode>(widened)->addIncoming(component, from->second);
      }
    }
  }
}

void Widener::visitBranchInst(BranchInst &branch) {
  if (branch.isUnconditional()) {
    b.CreateBr(heads[branch.getSuccessor(0)]);
    return;
  }
  // Linearization left only branches that its analysis found uniform. If a condition's shape is varying nevertheless,
  // it is taken from any active lane.
  Value *condition = anyActiveLane(branch.getCondition());
  BranchInst *widened = b.CreateCondBr(condition, heads[branch.getSuccessor(0)], heads[branch.getSuccessor(1)]);
  widened->copyMetadata(branch);
  if (markerOf(*branch.getCondition()) == Marker::Whole && !branch.hasMetadata(LLVMContext::MD_prof))
    widened->setMetadata(LLVMContext::MD_prof, MDBuilder(b.getContext()).createLikelyBranchWeights());
}

void Widener::visitReturnInst(ReturnInst &back) {
  debug.leave(b);
  returnLanes(back.getReturnValue());
}

void Widener::visitUnreachableInst(UnreachableInst &) {
  b.CreateUnreachable();
}

void Widener::placeAfter(Value *scalar) {
  if (auto *definition = dyn_cast<Instruction>(scalar)) {
    BasicBlock *block = definition->getParent();
    assert(definition->getFunction() == &target && !definition->isTerminator() && "a value of the lanes function");
    const bool phi = isa<PHINode>(definition);
    b.SetInsertPoint(block, phi ? block->getFirstInsertionPt() : std::next(definition->getIterator()));
    b.SetCurrentDebugLocation(definition->getDebugLoc());
    return;
  }
  BasicBlock &entry = target.getEntryBlock();
  b.SetInsertPoint(&entry, entry.getFirstInsertionPt());
}

Value *Widener::scalarOf(Value *value) {
  const auto found = scalars.find(value);
  if (found != scalars.end())
    return found->second;
  if (isa<Constant>(value) || isa<MetadataAsValue>(value) || isa<InlineAsm>(value))
    return value;
  assert(vectors.contains(value) && "a value is widened before its uses");
  // The value is uniform by its shape but was computed in lanes, so it is taken from any active lane.
  return anyActiveLane(value);
}

Widener::Values Widener::lanesOf(Value *value) {
  const auto found = vectors.find(value);
  if (found != vectors.end())
    return found->second;
  Value *scalar = scalarOf(value);
  IRBuilder<>::InsertPointGuard guard(b);
  if (!isa<Constant>(scalar))
    placeAfter(scalar);
  Values components;
  for (Value *component : split(scalar))
    components.push_back(b.CreateVectorSplat(options.width, component));
  const Shape shape = shapeOf(value);
  if (shape.isStrided()) {
    assert(components.size() == 1 && "a strided value is a number or a pointer");
    Type *integer = scalar->getType()->isPointerTy() ? b.getInt64Ty() : scalar->getType();
    SmallVector<Constant *, 64> steps;
    for (unsigned lane = 0; lane < options.width; ++lane)
      steps.push_back(
          ConstantInt::get(integer, static_cast<uint64_t>(shape.stride()) * lane, true, /*ImplicitTrunc=*/true));
    Constant *offsets = ConstantVector::get(steps);
    components[0] = scalar->getType()->isPointerTy() ? b.CreateGEP(b.getInt8Ty(), scalar, offsets, value->getName())
                                                     : b.CreateAdd(components[0], offsets, value->getName());
  }
  vectors[value] = components;
  return components;
}

void Widener::setScalar(Value &value, Value *scalar) {
  assert(scalar->getType() == value.getType() && "a uniform value stays what it is");
  scalars[&value] = scalar;
}

void Widener::setLanes(Value &value, Values components) {
  assert(components.size() == scalarTypes(value.getType()).size() && "a vector for each component");
  assert(all_of(components, [&](const Value *v) { return lanes::hasLanes(c, v); }) && "an element for each lane");
  vectors[&value] = std::move(components);
}

void Widener::setResult(Instruction &instruction, Values components) {
  if (isUniform(&instruction)) {
    SmallVector<Value *, 4> lane_values;
    for (Value *component : components)
      lane_values.push_back(lanes::emitBroadcastFirst(c, component, mask));
    setScalar(instruction, rebuild(instruction.getType(), lane_values));
    return;
  }
  setLanes(instruction, std::move(components));
}

Value *Widener::rebuild(Type *type, ArrayRef<Value *> components) {
  assert(components.size() == scalarTypes(type).size() && "a scalar for each component");
  if (!type->isVectorTy() && !type->isAggregateType())
    return components.front();
  Value *result = PoisonValue::get(type);
  if (type->isVectorTy()) {
    for (const auto &[i, component] : enumerate(components))
      result = b.CreateInsertElement(result, component, i);
    return result;
  }
  size_t next = 0;
  for (unsigned member = 0; member < type->getNumContainedTypes() || type->isArrayTy(); ++member) {
    if (type->isArrayTy() && member == type->getArrayNumElements())
      break;
    Type *member_type = type->isArrayTy() ? type->getArrayElementType() : type->getStructElementType(member);
    const size_t count = scalarTypes(member_type).size();
    result = b.CreateInsertValue(result, rebuild(member_type, components.slice(next, count)), member);
    next += count;
  }
  return result;
}

Widener::Values Widener::split(Value *scalar) {
  Type *type = scalar->getType();
  Values result;
  if (auto *vector = dyn_cast<FixedVectorType>(type)) {
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      result.push_back(b.CreateExtractElement(scalar, i));
    return result;
  }
  if (!type->isAggregateType())
    return {scalar};
  const unsigned members = type->isArrayTy() ? type->getArrayNumElements() : type->getStructNumElements();
  for (unsigned member = 0; member < members; ++member)
    result.append(split(b.CreateExtractValue(scalar, member)));
  return result;
}

Value *Widener::oneLane(Value *value, Value *lane) {
  assert(lane->getType()->isIntegerTy(32) && "the number of a lane is an i32");
  if (isUniform(value))
    return scalarOf(value);
  if (const Shape shape = shapeOf(value); shape.isStrided()) {
    Value *scalar = scalarOf(value);
    Type *integer = scalar->getType()->isPointerTy() ? b.getInt64Ty() : scalar->getType();
    Value *step = b.CreateMul(b.CreateZExtOrTrunc(lane, integer),
                              ConstantInt::get(integer, static_cast<uint64_t>(shape.stride()), true, true));
    return scalar->getType()->isPointerTy() ? b.CreatePtrAdd(scalar, step) : b.CreateAdd(scalar, step);
  }
  Values components;
  for (Value *component : lanesOf(value))
    components.push_back(lanes::emitBroadcast(c, component, lane));
  return rebuild(value->getType(), components);
}

Value *Widener::anyActiveLane(Value *value) {
  const auto found = scalars.find(value);
  if (found != scalars.end() && !shapeOf(value).isStrided())
    return found->second;
  if (isa<Constant>(value))
    return value;
  Values components;
  for (Value *component : lanesOf(value))
    components.push_back(lanes::emitBroadcastFirst(c, component, mask));
  return rebuild(value->getType(), components);
}

} // namespace lanecl::vectorizer
