// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Gathers and scatters. Where 32-bit offsets suffice, the addresses are a scalar base and such offsets. A register
// holds twice as many of them as 64-bit addresses, so half as many instructions are needed.
#include "widen/widener.h"

#include "lanes/loop.h"
#include "lanes/memory/memory.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/PatternMatch.h"

#include <cassert>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace lanecl::vectorizer {

// Returns <W x i32> 0, stride, 2 * stride, …
Constant *Widener::laneOffsets(int64_t stride) {
  SmallVector<Constant *, 64> offsets;
  for (int64_t lane = 0; lane < int64_t{options.width}; ++lane)
    offsets.push_back(ConstantInt::getSigned(b.getInt32Ty(), lane * stride));
  return ConstantVector::get(offsets);
}

// Splits the pointer into a scalar base and an index for each lane. Returns nothing if more than one index varies.
std::optional<Widener::LaneIndex> Widener::splitPointer(Value *pointer) {
  SmallMapVector<Value *, APInt, 4> parts;
  APInt constant(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  Value *object = pointer;
  for (; !isUniform(object); object = cast<GetElementPtrInst>(object)->getPointerOperand()) {
    const auto *gep = dyn_cast<GetElementPtrInst>(object);
    if (gep == nullptr || !gep->collectOffset(layout, constant.getBitWidth(), parts, constant))
      return std::nullopt;
  }
  LaneIndex result{scalarOf(object), nullptr, constant};
  result.base = b.CreatePtrAdd(result.base, b.getInt(constant));
  for (const auto &[index, scale] : parts) {
    if (isUniform(index)) {
      addToBase(result, scalarOf(index), scale);
    } else if (result.index == nullptr) {
      result.index = index;
      result.scale = scale;
    } else {
      return std::nullopt;
    }
  }
  if (result.index == nullptr)
    return std::nullopt;
  moveToBase(result);
  return result;
}

// Adds a uniform part of the index to the base.
void Widener::addToBase(LaneIndex &address, Value *steps, const APInt &scale) {
  assert(!steps->getType()->isVectorTy() && "what the base gets is the same for all lanes");
  Constant *bytes = b.getInt(scale);
  address.base = b.CreatePtrAdd(address.base, b.CreateMul(b.CreateSExtOrTrunc(steps, bytes->getType()), bytes));
}

// Moves uniform summands of the index to the base, and constant factors to the scale. The index has to be as wide as
// addresses: only then does it wrap around as address arithmetic does.
void Widener::moveToBase(LaneIndex &address) {
  assert(address.index != nullptr && !isUniform(address.index) && "the index differs between lanes");
  while (address.index->getType()->getScalarSizeInBits() == address.scale.getBitWidth()) {
    Value *x = nullptr, *y = nullptr;
    const APInt *factor = nullptr;
    if (match(address.index, m_Shl(m_Value(x), m_APInt(factor))) && factor->ult(factor->getBitWidth())) {
      address.scale <<= *factor;
    } else if (match(address.index, m_Mul(m_Value(x), m_APInt(factor)))) {
      address.scale *= *factor;
    } else if (match(address.index, m_Add(m_Value(x), m_Value(y))) && (isUniform(x) || isUniform(y))) {
      if (isUniform(x))
        std::swap(x, y);
      addToBase(address, scalarOf(y), address.scale);
    } else {
      return;
    }
    address.index = x;
  }
}

// Returns addresses whose offsets are constants, so that nothing is left to compute in lanes.
std::optional<Widener::LaneAddress> Widener::constantOffsets(Value *pointer) {
  const std::optional<FixedOffsets> fixed = fixedAddress(pointer, options.width, /*may_test=*/false);
  if (!fixed || fixed->starts.size() != 1)
    return std::nullopt;
  assert(fixed->steps.size() == options.width && fixed->holds == nullptr && "a step for each lane, without a test");
  const bool of_words = all_of(fixed->steps, [](const APInt &step) { return step.countr_zero() >= 2; });
  const unsigned unit = of_words ? 4 : 1;
  SmallVector<Constant *, 64> offsets;
  for (const APInt &step : fixed->steps) {
    if (!step.isSignedIntN(30))
      return std::nullopt;
    offsets.push_back(ConstantInt::getSigned(b.getInt32Ty(), step.getSExtValue() / unit));
  }
  return LaneAddress{fixed->starts[0], ConstantVector::get(offsets), unit};
}

// Returns the addresses as a base and 32-bit offsets if possible, or 64-bit offsets from a base. Returns nothing for
// addresses without a common base.
std::optional<Widener::LaneAddress> Widener::shortAddress(Value *pointer) {
  if (const Shape shape = shapeOf(pointer); shape.isStrided()) {
    if (!isInt<20>(shape.stride()))
      return std::nullopt;
    return LaneAddress{scalarOf(pointer), laneOffsets(shape.stride()), 1};
  }
  if (const std::optional<LaneAddress> constant = constantOffsets(pointer))
    return constant;
  std::optional<LaneIndex> split = splitPointer(pointer);
  if (!split)
    return std::nullopt;
  auto &[base, index, scale] = *split;
  const unsigned shift = std::min(scale.countr_zero(), 3U), unit = 1U << shift;
  const APInt steps = scale.ashr(shift); // the part of the scale that the instruction cannot apply
  const unsigned bits = ComputeMaxSignificantBits(index, layout);
  FixedVectorType *i32 = c.vectorOf(b.getInt32Ty()), *i64 = c.vectorOf(b.getInt64Ty());
  const auto times = [&](Value *v) {
    return steps.isOne() ? v : b.CreateMul(v, ConstantInt::getSigned(v->getType(), steps.getSExtValue()));
  };
  if (bits + (steps.isOne() ? 0 : steps.getSignificantBits()) <= 32)
    return LaneAddress{base, times(b.CreateSExtOrTrunc(laneOf(index), i32)), unit};
  Value *x = nullptr;
  if (steps.isOne() && match(index, m_ZExt(m_Value(x))) && x->getType()->isIntegerTy(32)) {
    // An unsigned index is a signed one relative to an address 2^31 units further.
    Value *middle = b.CreatePtrAdd(base, b.getInt64(uint64_t{unit} << 31));
    return LaneAddress{middle, b.CreateXor(laneOf(x), ConstantInt::get(i32, uint64_t{1} << 31)), unit};
  }
  return LaneAddress{base, times(b.CreateSExtOrTrunc(laneOf(index), i64)), unit};
}

// Recognizes elements that are consecutive if a 32-bit index such as `uint i = y * width + x` does not wrap around
// between two lanes. Programs do not intend such a wrap-around, but they do not exclude it, so a test at run time
// decides.
std::optional<Widener::LikelyRow> Widener::likelyRow(Value *pointer, Type *element, Align align) {
  const std::optional<LaneIndex> split = splitPointer(pointer);
  const auto *extension = split ? dyn_cast<CastInst>(split->index) : nullptr;
  if (extension == nullptr || !isa<ZExtInst, SExtInst>(extension))
    return std::nullopt;
  Value *narrow = extension->getOperand(0);
  const Shape shape = shapeOf(narrow);
  const unsigned bits = narrow->getType()->getScalarSizeInBits();
  const int64_t bytes = static_cast<int64_t>(layout.getTypeStoreSize(element).getFixedValue());
  const int64_t span = shape.isStrided() ? shape.stride() * (int64_t{options.width} - 1) : 0;
  if (span <= 0 || !isIntN(bits - 1, span) || shape.stride() * split->scale.getSExtValue() != bytes)
    return std::nullopt;
  const bool is_unsigned = isa<ZExtInst>(extension);
  Value *first = scalarOf(narrow), *last = b.CreateAdd(first, ConstantInt::get(first->getType(), span));
  Value *rises = b.CreateICmp(is_unsigned ? CmpInst::ICMP_UGE : CmpInst::ICMP_SGE, last, first);
  Value *index = b.CreateIntCast(first, extension->getType(), !is_unsigned);
  Value *row = b.CreatePtrAdd(split->base, b.CreateMul(index, b.getInt(split->scale)));
  return LikelyRow{row, rises, commonAlignment(align, static_cast<uint64_t>(bytes))};
}

// Returns a likely row as likelyRow() does, or a certain one if the elements are known to be consecutive.
std::optional<Widener::LikelyRow> Widener::rowOf(Value *pointer, Type *element, Align align) {
  const Shape shape = shapeOf(pointer);
  const auto bytes = static_cast<int64_t>(layout.getTypeStoreSize(element).getFixedValue());
  if (layouts.laneInnermostVariable(pointer))
    return std::nullopt;
  if (shape.isStrided() && shape.stride() == bytes)
    return LikelyRow{scalarOf(pointer), b.getTrue(), commonAlignment(align, shape.stride())};
  return likelyRow(pointer, element, align);
}

// Branches to one of two ways of computing the same values. The first one is likely.
Widener::Values Widener::eitherWay(Value *likely, function_ref<Values()> then, function_ref<Values()> otherwise) {
  assert(likely->getType()->isIntegerTy(1) && "one condition for all lanes");
  BasicBlock *join = lanes::splitForContinuation(b, "joined"), *before = b.GetInsertBlock();
  SmallVector<std::pair<Values, BasicBlock *>, 2> ways;
  SmallVector<BasicBlock *, 2> heads;
  const DebugLoc location = b.getCurrentDebugLocation();
  for (const auto &[name, way] : {std::pair{"likely", then}, std::pair{"unlikely", otherwise}}) {
    heads.push_back(BasicBlock::Create(b.getContext(), name, before->getParent(), join));
    b.SetInsertPoint(heads.back());
    b.SetCurrentDebugLocation(location);
    Values values = way();
    ways.emplace_back(std::move(values), b.GetInsertBlock());
    b.CreateBr(join);
  }
  b.SetInsertPoint(before);
  b.SetCurrentDebugLocation(location);
  b.CreateCondBr(likely, heads[0], heads[1], MDBuilder(b.getContext()).createLikelyBranchWeights());
  b.SetInsertPoint(join, join->begin());
  b.SetCurrentDebugLocation(location);
  assert(ways[0].first.size() == ways[1].first.size() && "both ways compute the same values");
  Values results;
  for (const auto &[i, value] : enumerate(ways[0].first)) {
    assert(value->getType() == ways[1].first[i]->getType() && "both ways compute values of the same types");
    PHINode *phi = b.CreatePHI(value->getType(), 2);
    for (const auto &[values, tail] : ways)
      phi->addIncoming(values[i], tail);
    results.push_back(phi);
  }
  return results;
}

// Returns pointers to component `component` of the vector to which each lane's pointer points.
Value *Widener::componentPointers(Value *pointer, Type *element, unsigned component) {
  return component == 0 ? pointer : b.CreateConstGEP1_64(element, pointer, component);
}

// Returns how many neighboring components fit into the 4 or 8 bytes that a gather or scatter moves for each lane.
static unsigned componentsTogether(ArrayRef<Type *> types) {
  assert(!types.empty() && "an access has a component");
  Type *type = types[0];
  const unsigned bits = type->getScalarSizeInBits();
  if (!all_equal(types) || !(type->isIntegerTy() || type->isFloatingPointTy()) ||
      !(bits == 8 || bits == 16 || bits == 32))
    return 1;
  for (const unsigned unit : {64U, 32U})
    if (unit > bits && types.size() % (unit / bits) == 0)
      return unit / bits;
  return 1;
}

// Loads all components. load(unit, i) fetches `together` components at once, starting with component i.
Widener::Values Widener::loadUnits(ArrayRef<Type *> types, unsigned together,
                                   function_ref<Value *(Type *unit, unsigned i)> load) {
  Type *type = types[0];
  if (together == 1)
    return Values(map_range(seq<unsigned>(0, types.size()), [&](unsigned i) { return load(types[i], i); }));
  assert(types.size() % together == 0 && "the components fill all units");
  Values components;
  for (unsigned i = 0; i < types.size(); i += together) {
    Value *v = load(b.getIntNTy(together * type->getScalarSizeInBits()), i);
    append_range(components, lanes::emitSplitUnits(c, v, type));
  }
  return components;
}

Widener::Values Widener::gather(Value *pointer, ArrayRef<Type *> types, Align align) {
  const std::optional<LaneAddress> address = shortAddress(pointer);
  return loadUnits(types, componentsTogether(types), [&](Type *unit, unsigned i) {
    if (!address)
      return lanes::emitGather(c, unit, componentPointers(laneOf(pointer), types[i], i), mask, align);
    return lanes::emitGatherIndexed(c, unit, componentPointers(address->base, types[i], i), address->offset,
                                    address->scale, mask, align);
  });
}

// Loads components where lane l's are `stride` elements past those of lane l - 1. Wide loads and shuffles fetch one
// component for all lanes, if there are such shuffles. Otherwise a gather moves several components together, as many as
// the stride is a multiple of.
Widener::Values Widener::loadConstantStride(Value *first, ArrayRef<Type *> types, int64_t stride, Align align) {
  unsigned together = componentsTogether(types);
  assert(stride != 0 && "lanes of one address are a uniform access");
  while (stride % together != 0)
    together /= 2;
  const bool shuffled = lanes::isShuffledStride(stride) && lanes::isFullMask(mask);
  if (shuffled || together * types[0]->getScalarSizeInBits() < 32)
    together = 1;
  return loadUnits(types, together, [&](Type *unit, unsigned i) {
    return lanes::emitLoadConstantStride(c, unit, componentPointers(first, types[i], i), stride / together, mask,
                                         align);
  });
}

void Widener::scatter(Value *pointer, const Values &components, Align align) {
  const std::optional<LaneAddress> address = shortAddress(pointer);
  const SmallVector<Type *, 4> types(
      map_range(components, [](const Value *component) { return component->getType()->getScalarType(); }));
  const unsigned together = componentsTogether(types);
  assert(components.size() % together == 0 && "the components fill all units");
  for (unsigned i = 0; i < components.size(); i += together) {
    Value *unit =
        together == 1 ? components[i] : lanes::emitJoinUnits(c, ArrayRef<Value *>(components).slice(i, together));
    if (address)
      lanes::emitScatterIndexed(c, unit, componentPointers(address->base, types[i], i), address->offset, address->scale,
                                mask, align);
    else
      lanes::emitScatter(c, unit, componentPointers(laneOf(pointer), types[i], i), mask, align);
  }
}

} // namespace lanecl::vectorizer
