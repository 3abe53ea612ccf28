// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check/values/shadow_values.h"

#include "analysis/functions/kept_functions.h"
#include "analysis/functions/primitives.h"
#include "check/check_calls.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/PatternMatch.h"

#include <cassert>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace lanecl::vectorizer {

Type *shadowType(Type *type) {
  assert(hasShadow(type) && "a number, a pointer or a vector of these");
  if (auto *vector = dyn_cast<FixedVectorType>(type))
    return FixedVectorType::get(shadowType(vector->getElementType()), vector->getNumElements());
  if (type->isPointerTy())
    return Type::getInt64Ty(type->getContext());
  return IntegerType::get(type->getContext(), static_cast<unsigned>(type->getPrimitiveSizeInBits()));
}

Value *createIsAnySet(IRBuilderBase &b, Value *shadow) {
  if (const auto *vector = dyn_cast<FixedVectorType>(shadow->getType())) {
    Value *any = b.CreateExtractElement(shadow, uint64_t(0));
    for (unsigned i = 1; i < vector->getNumElements(); ++i)
      any = b.CreateOr(any, b.CreateExtractElement(shadow, i));
    shadow = any;
  }
  return shadow->getType()->isIntegerTy(1) ? shadow : b.CreateIsNotNull(shadow);
}

bool hasShadow(const Type *type) {
  return type->isIntOrIntVectorTy() || type->isFPOrFPVectorTy() || type->isPtrOrPtrVectorTy();
}

static Constant *shadowOfConstant(const Constant &constant, Type *type) {
  if (isa<UndefValue>(constant)) // undef or poison
    return Constant::getAllOnesValue(type);
  if (!constant.containsUndefOrPoisonElement())
    return nullptr;
  auto *vector = cast<FixedVectorType>(type);
  SmallVector<Constant *> elements;
  for (unsigned i = 0; i < vector->getNumElements(); ++i) {
    const Constant *element = constant.getAggregateElement(i);
    elements.push_back(element && isa<UndefValue>(element) ? Constant::getAllOnesValue(vector->getElementType())
                                                           : Constant::getNullValue(vector->getElementType()));
  }
  return ConstantVector::get(elements);
}

// Returns all instructions so that operands come before the values that are computed from them, except for phis of
// loops.
static SmallVector<Instruction *> inOrder(Function &function) {
  SmallVector<Instruction *> all;
  ReversePostOrderTraversal<Function *> order(&function);
  for (BasicBlock *block : order)
    for (Instruction &instruction : *block)
      all.push_back(&instruction);
  return all;
}

ShadowValues::ShadowValues(Function &function, LoopInfo &loops, Reach reach, const ArgumentShadows &passed)
    : function(function), all(inOrder(function)), passed(passed),
      unwritten(function, /*is_kernel=*/true, reach, &passed), memory(function, loops, reach) {
  for (Argument &argument : function.args())
    if (Argument *shadow = passed.arguments.lookup(&argument))
      shadows[&argument] = shadow;
}

Value *ShadowValues::get(Value *value) {
  if (!hasShadow(value->getType()) || !unwritten.mayBe(value))
    return nullptr;
  if (const auto *constant = dyn_cast<Constant>(value))
    return shadowOfConstant(*constant, shadowType(value->getType()));
  return shadows.lookup(value);
}

Value *ShadowValues::getOrZero(Value *value) {
  Value *shadow = get(value);
  return shadow ? shadow : Constant::getNullValue(shadowType(value->getType()));
}

void ShadowValues::set(Instruction &instruction, Value *shadow) {
  assert((shadow == nullptr || shadow->getType() == shadowType(instruction.getType())) &&
         "a bit for each of the value");
  if (shadow)
    shadows[&instruction] = shadow;
}

void ShadowValues::decide(Instruction &at, Value *value, StringRef use, Value *shadow) {
  if (const auto *known = dyn_cast_or_null<Constant>(shadow); shadow && !(known && known->isNullValue()))
    decisions.push_back({&at, shadow, value, use.str()});
}

void ShadowValues::decideAddress(Instruction &access, Value *pointer) {
  if (access.getDebugLoc())
    decide(access, pointer, "address", get(pointer));
}

Value *ShadowValues::join(Value *a, Value *other) {
  assert((!a || !other || a->getType() == other->getType()) && "shadows of values of one type");
  return !a ? other : !other ? a : b.CreateOr(a, other);
}

Value *ShadowValues::spread(Value *shadow, Type *type) {
  if (!shadow)
    return nullptr;
  const auto *from = dyn_cast<FixedVectorType>(shadow->getType());
  const auto *into = dyn_cast<FixedVectorType>(type);
  const auto isSet = [&](Value *bits) {
    return bits->getType()->getScalarType()->isIntegerTy(1) ? bits : b.CreateIsNotNull(bits);
  };
  const auto toType = [&](Value *set, Type *own) { return set->getType() == own ? set : b.CreateSExt(set, own); };
  if (from && into && from->getNumElements() == into->getNumElements())
    return toType(isSet(shadow), type);
  Value *one = toType(createIsAnySet(b, shadow), type->getScalarType());
  return into ? b.CreateVectorSplat(into->getNumElements(), one) : one;
}

Value *ShadowValues::spreadAll(Instruction &instruction) {
  Type *type = shadowType(instruction.getType());
  Value *all = nullptr;
  auto *call = dyn_cast<CallBase>(&instruction);
  for (Use &operand : call ? call->args() : instruction.operands())
    if (hasShadow(operand->getType()))
      if (Value *shadow = get(operand))
        all = join(all, spread(shadow, type));
  return all;
}

void ShadowValues::visitInstruction(Instruction &instruction) {
  if (hasShadow(instruction.getType()) && unwritten.mayBe(&instruction))
    set(instruction, spreadAll(instruction));
}

void ShadowValues::visitPHINode(PHINode &phi) {
  if (hasShadow(phi.getType()) && unwritten.mayBe(&phi))
    set(phi, b.CreatePHI(shadowType(phi.getType()), phi.getNumIncomingValues()));
}

void ShadowValues::fillPhis() {
  for (BasicBlock &block : function)
    for (PHINode &phi : block.phis())
      if (auto *shadow = dyn_cast_or_null<PHINode>(shadows.lookup(&phi)); shadow && shadow->getNumIncomingValues() == 0)
        for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
          shadow->addIncoming(getOrZero(phi.getIncomingValue(i)), phi.getIncomingBlock(i));
}

// Returns the shadow of an integer sum or difference, where a carry may make higher bits uninitialized, too. A bit of
// the result is initialized if it is initialized in both operands, and the smallest and the largest possible result
// agree in it: those for which all uninitialized bits of an operand are 0 or all are 1.
Value *ShadowValues::ofSum(BinaryOperator &sum) {
  const auto least = [&](Value *value, Value *shadow) {
    return shadow ? b.CreateAnd(value, b.CreateNot(shadow)) : value;
  };
  const auto most = [&](Value *value, Value *shadow) { return shadow ? b.CreateOr(value, shadow) : value; };
  Value *x = sum.getOperand(0), *y = sum.getOperand(1);
  Value *of_x = get(x), *of_y = get(y);
  if (!of_x && !of_y)
    return nullptr;
  Value *least_x = least(x, of_x), *most_x = most(x, of_x), *least_y = least(y, of_y), *most_y = most(y, of_y);
  const bool adds = sum.getOpcode() == Instruction::Add;
  Value *low = b.CreateBinOp(sum.getOpcode(), least_x, adds ? least_y : most_y);
  Value *high = b.CreateBinOp(sum.getOpcode(), most_x, adds ? most_y : least_y);
  return b.CreateOr(join(of_x, of_y), b.CreateXor(low, high));
}

// A bit of `x & y` is initialized if both operands' bits are, or if one of them is initialized and 0. For `x | y` it is
// one that is initialized and 1. In products, uninitialized bits spread only upwards, like carries.
void ShadowValues::visitBinaryOperator(BinaryOperator &operation) {
  if (!unwritten.mayBe(&operation))
    return;
  Value *x = operation.getOperand(0), *y = operation.getOperand(1);
  Value *of_x = get(x), *of_y = get(y);
  const auto opcode = operation.getOpcode();
  if (opcode == Instruction::And || opcode == Instruction::Or) {
    const auto passes = [&](Value *bits) { return opcode == Instruction::And ? bits : b.CreateNot(bits); };
    Value *all = of_x && of_y ? b.CreateAnd(of_x, of_y) : nullptr;
    if (of_x)
      all = join(all, b.CreateAnd(of_x, passes(y)));
    if (of_y)
      all = join(all, b.CreateAnd(of_y, passes(x)));
    return set(operation, all);
  }
  if (operation.isShift()) {
    Value *shifted = of_x ? b.CreateBinOp(opcode, of_x, y) : nullptr;
    return set(operation, join(shifted, spread(of_y, shadowType(operation.getType()))));
  }
  if (operation.isIntDivRem() || operation.getType()->isFPOrFPVectorTy())
    return set(operation, spreadAll(operation));
  if (opcode == Instruction::Add || opcode == Instruction::Sub)
    return set(operation, ofSum(operation));
  Value *all = join(of_x, of_y);
  if (all && opcode == Instruction::Mul) // an uninitialized bit affects all higher bits
    all = b.CreateOr(all, b.CreateNeg(all));
  set(operation, all);
}

// A negation changes the sign bit only, so each bit of the result depends on the same bit of the operand.
void ShadowValues::visitFNeg(UnaryOperator &negation) {
  set(negation, get(negation.getOperand(0)));
}

void ShadowValues::visitCastInst(CastInst &cast) {
  if (!unwritten.mayBe(&cast) || !hasShadow(cast.getType()))
    return;
  Value *shadow = get(cast.getOperand(0));
  if (!shadow)
    return;
  Type *type = shadowType(cast.getType());
  switch (cast.getOpcode()) {
  case Instruction::SExt: return set(cast, b.CreateSExt(shadow, type));
  case Instruction::Trunc:
  case Instruction::ZExt:
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
  case Instruction::AddrSpaceCast: return set(cast, b.CreateZExtOrTrunc(shadow, type));
  case Instruction::BitCast: return set(cast, b.CreateBitCast(shadow, type));
  default: return set(cast, spread(shadow, type));
  }
}

// Returns the bits of the first operand that a comparison depends on. Optimizations turn tests of masked bits into
// comparisons: `x < 0` depends only on the sign, and `x < 16u` only on the bits from 4 on.
static APInt bitsThatCount(const ICmpInst &comparison, unsigned bits) {
  const APInt *limit = nullptr;
  if (!match(comparison.getOperand(1), m_APInt(limit)))
    return APInt::getAllOnes(bits);
  const auto predicate = comparison.getPredicate();
  if ((predicate == ICmpInst::ICMP_SLT && limit->isZero()) || (predicate == ICmpInst::ICMP_SGT && limit->isAllOnes()))
    return APInt::getSignMask(bits);
  const APInt end = predicate == ICmpInst::ICMP_ULT   ? *limit
                    : predicate == ICmpInst::ICMP_UGT ? *limit + 1
                                                      : APInt(bits, 0);
  return end.isPowerOf2() ? -end : APInt::getAllOnes(bits);
}

void ShadowValues::visitICmpInst(ICmpInst &comparison) {
  if (!unwritten.mayBe(&comparison))
    return;
  Value *shadow = join(get(comparison.getOperand(0)), get(comparison.getOperand(1)));
  if (!shadow)
    return;
  const APInt bits = bitsThatCount(comparison, shadow->getType()->getScalarSizeInBits());
  if (!bits.isAllOnes())
    shadow = b.CreateAnd(shadow, ConstantInt::get(shadow->getType(), bits));
  set(comparison, spread(shadow, shadowType(comparison.getType())));
}

void ShadowValues::visitSelectInst(SelectInst &select) {
  if (!unwritten.mayBe(&select) || !hasShadow(select.getType()))
    return;
  Value *yes = get(select.getTrueValue()), *no = get(select.getFalseValue());
  Value *chosen = yes || no ? b.CreateSelect(select.getCondition(), getOrZero(select.getTrueValue()),
                                             getOrZero(select.getFalseValue()))
                            : nullptr;
  set(select, join(chosen, spread(get(select.getCondition()), shadowType(select.getType()))));
}

// A frozen value is still uninitialized for the program.
void ShadowValues::visitFreezeInst(FreezeInst &freeze) {
  set(freeze, get(freeze.getOperand(0)));
}

void ShadowValues::visitExtractElementInst(ExtractElementInst &extraction) {
  if (!unwritten.mayBe(&extraction))
    return;
  Value *vector = get(extraction.getVectorOperand());
  Value *element = vector ? b.CreateExtractElement(vector, extraction.getIndexOperand()) : nullptr;
  set(extraction, join(element, spread(get(extraction.getIndexOperand()), shadowType(extraction.getType()))));
}

void ShadowValues::visitInsertElementInst(InsertElementInst &insertion) {
  if (!unwritten.mayBe(&insertion))
    return;
  Value *inserted = b.CreateInsertElement(getOrZero(insertion.getOperand(0)), getOrZero(insertion.getOperand(1)),
                                          insertion.getOperand(2));
  set(insertion, join(inserted, spread(get(insertion.getOperand(2)), shadowType(insertion.getType()))));
}

void ShadowValues::visitShuffleVectorInst(ShuffleVectorInst &shuffle) {
  if (!unwritten.mayBe(&shuffle))
    return;
  SmallVector<int> mask(shuffle.getShuffleMask());
  Type *element = shadowType(shuffle.getType())->getScalarType();
  SmallVector<Constant *> missing;
  for (int &index : mask) {
    missing.push_back(index < 0 ? Constant::getAllOnesValue(element) : Constant::getNullValue(element));
    index = std::max(index, 0);
  }
  Value *moved = b.CreateShuffleVector(getOrZero(shuffle.getOperand(0)), getOrZero(shuffle.getOperand(1)), mask);
  set(shuffle, b.CreateOr(moved, ConstantVector::get(missing)));
}

void ShadowValues::visitLoadInst(LoadInst &load) {
  decideAddress(load, load.getPointerOperand());
  if (!hasShadow(load.getType()) || !unwritten.mayBe(&load))
    return;
  if (Value *place = memory.of(load, load.getPointerOperand()))
    set(load, b.CreateAlignedLoad(shadowType(load.getType()), place, load.getAlign()));
}

void ShadowValues::visitStoreInst(StoreInst &store) {
  decideAddress(store, store.getPointerOperand());
  Value *value = store.getValueOperand();
  if (!hasShadow(value->getType()))
    return;
  if (Value *place = memory.of(store, store.getPointerOperand()))
    b.CreateAlignedStore(getOrZero(value), place, store.getAlign());
  else
    storeWritten(store, store.getPointerOperand(),
                 b.getInt64(function.getDataLayout().getTypeStoreSize(value->getType())));
}

// Stores that the bytes are initialized, for an access whose pointer may point to memory that is checked. Its value's
// shadow is not known there, so what it writes counts as initialized.
void ShadowValues::storeWritten(Instruction &access, Value *pointer, Value *bytes) {
  if (Value *place = memory.ofUnknown(access, pointer))
    b.CreateMemSet(place, b.getInt8(0), bytes, {});
}

// Handles atomic operations, which depend on all their operands and on the memory. An exchange only moves values.
void ShadowValues::update(Instruction &instruction, Value *pointer, Value *shadow, Align align) {
  decideAddress(instruction, pointer);
  Value *place = memory.of(instruction, pointer);
  if (!place) {
    storeWritten(instruction, pointer,
                 b.getInt64(function.getDataLayout().getTypeStoreSize(instruction.getOperand(1)->getType())));
    return decide(instruction, pointer, kAtomicUse, shadow);
  }
  Type *type = shadowType(instruction.getOperand(1)->getType());
  Value *before = b.CreateAlignedLoad(type, place, align);
  const auto *exchange = dyn_cast<AtomicRMWInst>(&instruction);
  if (exchange && exchange->getOperation() == AtomicRMWInst::Xchg) {
    set(instruction, before);
    b.CreateAlignedStore(shadow ? shadow : Constant::getNullValue(type), place, align);
    return;
  }
  if (instruction.getDebugLoc())
    decide(instruction, pointer, kAtomicUse, join(before, shadow));
  b.CreateAlignedStore(Constant::getNullValue(type), place, align);
}

void ShadowValues::visitAtomicRMWInst(AtomicRMWInst &operation) {
  update(operation, operation.getPointerOperand(), get(operation.getValOperand()), operation.getAlign());
}

void ShadowValues::visitAtomicCmpXchgInst(AtomicCmpXchgInst &exchange) {
  update(exchange, exchange.getPointerOperand(),
         join(get(exchange.getCompareOperand()), get(exchange.getNewValOperand())), exchange.getAlign());
}

void ShadowValues::visitMemSetInst(MemSetInst &set) {
  decideAddress(set, set.getRawDest());
  if (Value *place = memory.of(set, set.getRawDest()))
    b.CreateMemSet(place, getOrZero(set.getValue()), set.getLength(), set.getDestAlign());
  else
    storeWritten(set, set.getRawDest(), set.getLength());
}

void ShadowValues::visitMemTransferInst(MemTransferInst &copy) {
  decideAddress(copy, copy.getRawDest());
  decideAddress(copy, copy.getRawSource());
  Value *into = memory.of(copy, copy.getRawDest());
  if (!into)
    return storeWritten(copy, copy.getRawDest(), copy.getLength());
  Value *from = memory.of(copy, copy.getRawSource());
  if (!from)
    b.CreateMemSet(into, b.getInt8(0), copy.getLength(), copy.getDestAlign());
  else if (isa<MemMoveInst>(copy))
    b.CreateMemMove(into, copy.getDestAlign(), from, copy.getSourceAlign(), copy.getLength());
  else
    b.CreateMemCpy(into, copy.getDestAlign(), from, copy.getSourceAlign(), copy.getLength());
}

// Returns a call of the same primitive for shadows. The names of primitives contain the types.
Value *ShadowValues::clone(CallBase &call, ArrayRef<Value *> arguments, Type *result) {
  SmallVector<Type *> types;
  std::string name = call.getCalledFunction()->getName().str() + ".unwritten";
  for (Value *argument : arguments) {
    types.push_back(argument->getType());
    raw_string_ostream(name) << "." << *argument->getType();
  }
  LLVMContext &context = function.getContext();
  const AttrBuilder attributes(context, call.getCalledFunction()->getAttributes().getFnAttrs());
  FunctionCallee callee =
      function.getParent()->getOrInsertFunction(name, FunctionType::get(result, types, false),
                                                AttributeList::get(context, AttributeList::FunctionIndex, attributes));
  return b.CreateCall(callee, arguments);
}

// Primitives that move values from lane to lane move the shadows the same way.
void ShadowValues::move(CallBase &call) {
  if (!unwritten.mayBe(&call) || !hasShadow(call.getType()))
    return;
  SmallVector<Value *> arguments;
  for (Value *argument : call.args())
    arguments.push_back(hasShadow(argument->getType()) && argument->getType() == call.getType() &&
                                arguments.size() + 1 < std::max(2U, call.arg_size())
                            ? getOrZero(argument)
                            : argument);
  set(call, clone(call, arguments, shadowType(call.getType())));
}

// The shadow of a block is a block of shadow memory, because its address is also the same for all lanes.
void ShadowValues::blockAccess(CallBase &call, bool writes) {
  decideAddress(call, call.getArgOperand(0));
  Value *place = memory.of(call, call.getArgOperand(0));
  if (!place)
    return;
  if (writes)
    clone(call, {place, getOrZero(call.getArgOperand(1))}, b.getVoidTy());
  else
    set(call, clone(call, {place}, shadowType(call.getType())));
}

void ShadowValues::visitCallBase(CallBase &call) {
  if (const std::optional<std::string> use = decisionOf(call))
    return decide(call, call.getArgOperand(0), *use, get(call.getArgOperand(0)));
  if (const Function *callee = keptCallee(call))
    return passShadows(call, *callee);
  if (argumentMemory(call))
    return set(call, get(call.getArgOperand(0)));
  if (isUnwritten(call))
    return set(call, Constant::getAllOnesValue(shadowType(call.getType())));
  switch (primitiveOf(call).value_or(Primitive::LaneId)) {
  case Primitive::Broadcast:
  case Primitive::BroadcastFirst:
  case Primitive::Shuffle:
  case Primitive::Shuffle2:
  case Primitive::Partner: return move(call);
  case Primitive::BlockRead: return blockAccess(call, false);
  case Primitive::BlockWrite: return blockAccess(call, true);
  default: break;
  }
  const Intrinsic::ID intrinsic = call.getIntrinsicID();
  if (!unwritten.mayBe(&call) || !hasShadow(call.getType()))
    return;
  Type *type = shadowType(call.getType());
  if (intrinsic == Intrinsic::fshl || intrinsic == Intrinsic::fshr) {
    Value *shifted = b.CreateIntrinsic(
        intrinsic, {type}, {getOrZero(call.getArgOperand(0)), getOrZero(call.getArgOperand(1)), call.getArgOperand(2)});
    return set(call, join(shifted, spread(get(call.getArgOperand(2)), type)));
  }
  if (intrinsic == Intrinsic::fabs || intrinsic == Intrinsic::copysign)
    return set(call, ofSign(call));
  if (intrinsic == Intrinsic::bswap || intrinsic == Intrinsic::bitreverse)
    return set(call, b.CreateUnaryIntrinsic(intrinsic, getOrZero(call.getArgOperand(0))));
  set(call, spreadAll(call));
}

// Returns the shadow of fabs and copysign: their first operand gives all bits but the sign, which copysign takes from
// its second operand and fabs clears.
Value *ShadowValues::ofSign(CallBase &call) {
  Type *type = shadowType(call.getType());
  Constant *sign = ConstantInt::get(type, APInt::getSignMask(type->getScalarSizeInBits()));
  Value *magnitude = get(call.getArgOperand(0));
  if (magnitude)
    magnitude = b.CreateAnd(magnitude, ConstantExpr::getNot(sign));
  Value *of_sign = call.arg_size() == 2 ? get(call.getArgOperand(1)) : nullptr;
  return join(magnitude, of_sign ? b.CreateAnd(of_sign, sign) : nullptr);
}

void ShadowValues::passShadows(CallBase &call, const Function &callee) {
  assert(call.arg_size() == callee.arg_size() && "addShadowParameters() has extended calls, too");
  for (const Argument &parameter : callee.args())
    if (const Argument *shadow = passed.arguments.lookup(&parameter))
      call.setArgOperand(shadow->getArgNo(), getOrZero(call.getArgOperand(parameter.getArgNo())));
}

// Returns the shadow of a kept function's result, which is the second member of the returned structure. No other
// structures have shadows.
void ShadowValues::visitExtractValueInst(ExtractValueInst &extraction) {
  Value *both = extraction.getAggregateOperand();
  const Function *callee = keptCallee(*both);
  if (callee && passed.results.contains(callee))
    set(extraction, b.CreateExtractValue(both, 1));
  else
    visitInstruction(extraction);
}

void ShadowValues::visitReturnInst(ReturnInst &back) {
  if (!passed.results.contains(&function))
    return;
  auto *both = cast<InsertValueInst>(back.getReturnValue());
  Value *value = cast<InsertValueInst>(both->getAggregateOperand())->getInsertedValueOperand();
  both->setOperand(InsertValueInst::getInsertedValueOperandIndex(), getOrZero(value));
}

SmallVector<Decision> ShadowValues::run() {
  for (Instruction *instruction : all) {
    b.SetInsertPoint(instruction);
    b.SetCurrentDebugLocation({});
    visit(*instruction);
  }
  fillPhis();
  return std::move(decisions);
}

} // namespace lanecl::vectorizer
