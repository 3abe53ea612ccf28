// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Private variables, address arithmetic, loads and stores.
#include "widen/widener.h"

#include "analysis/shapes/address_reason.h"
#include "lanes/cross_lane/permute.h"
#include "lanes/cross_lane/votes.h"
#include "lanes/lane_loop.h"
#include "lanes/memory/memory.h"
#include "widen/alias_scopes.h"
#include "widen/volatile_order.h"
#include "widen/widen.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

// Returns the alignment of lane 0's address that follows from the alignment of an active lane's address. The distance
// between the lanes limits it.
Align laneZeroAlign(Align align, int64_t stride) {
  return commonAlignment(align, static_cast<uint64_t>(stride));
}

// Whether a vector of the type's components is laid out like an array of them. Integers of 1, 24 or 48 bits are not: a
// vector packs them more tightly. Their accesses run lane by lane.
bool isLaidOutLikeArray(Type *type, const DataLayout &layout) {
  return all_of(scalarTypes(type), [&](Type *component) {
    return layout.getTypeAllocSizeInBits(component) == layout.getTypeSizeInBits(component);
  });
}

} // namespace

// Adds a remark to the report about a gather or scatter, with the reason why it is one.
void Widener::remarkOnAddresses(Remark::Kind kind, const Instruction &access, StringRef what) {
  // Searching for the reason is only worthwhile for a report, but the access is counted in any case.
  if (!context.remarks)
    return remark(kind, access, what);
  const LaneOrigin origin([&](const Value &value) { return !isUniform(&value); }, context.lane_ids);
  const Value *pointer = getLoadStorePointerOperand(&access);
  std::string reason;
  if (!layouts.laneInnermostVariable(pointer))
    reason = whyScattered(*pointer, shapes, origin);
  else if (const std::string text = origin.of(*pointer); !text.empty())
    reason = "its index depends on " + text;
  remark(kind, access, what + ": " + (reason.empty() ? "its addresses are not consecutive" : reason));
}

// Adds a remark about lanes that are a constant distance apart. Partial sub-groups have masks that say nothing about
// the source, so they are silent if there are full sub-groups.
void Widener::remarkOnStride(Remark::Kind kind, const Instruction &access, int64_t stride, Type *element) {
  if (options.beside_full)
    return;
  const auto bytes = static_cast<int64_t>(layout.getTypeStoreSize(element).getFixedValue());
  const bool whole = stride % bytes == 0, shuffled = whole && lanes::isShuffledStride(stride / bytes);
  const std::string apart =
      whole ? std::to_string(stride / bytes) + " elements apart" : std::to_string(stride) + " bytes apart";
  if (kind == Remark::Kind::Scatter)
    remark(kind, access, "store scatters: lanes are " + apart + "; store whole vectors");
  else if (!shuffled)
    remark(kind, access, "load gathers: lanes are " + apart + "; give neighboring lanes neighboring elements");
  else if (!lanes::isFullMask(mask))
    remark(kind, access, "load gathers: lanes are " + apart + ", under a mask");
}

void Widener::visitAllocaInst(AllocaInst &variable) {
  if (Value *place = debug.place(b, variable)) {
    setScalar(variable, place);
    return;
  }
  IRBuilder<>::InsertPointGuard guard(b);
  BasicBlock &entry = target.getEntryBlock();
  b.SetInsertPoint(&entry, entry.begin());
  assert(variable.getAllocationSize(layout) && "a private variable has a constant size");
  const unsigned cell = layouts.cellBytes(variable);
  const uint64_t size = privateBytesOf(variable);
  const uint64_t one_lane = cell != 0 ? alignTo(size, cell) : laneMajorStride(variable);
  const unsigned copies = options.one_lane ? 1 : options.width;
  AllocaInst *widened = b.CreateAlloca(ArrayType::get(b.getInt8Ty(), one_lane * copies), nullptr, variable.getName());
  // The cells of all lanes are loaded as one vector, so they are aligned like a register of that size.
  const uint64_t vector_bytes = std::min<uint64_t>(PowerOf2Ceil(std::max(cell, 1U)) * options.width, 64);
  widened->setAlignment(std::max(variable.getAlign(), Align(cell != 0 ? vector_bytes : 1)));
  setScalar(variable, widened);
}

void Widener::visitGetElementPtrInst(GetElementPtrInst &gep) {
  const bool lane_innermost = layouts.laneInnermostVariable(&gep) != nullptr;
  if (!lane_innermost && shapeOf(&gep).isLinear()) {
    setScalar(gep, linearAddress(gep));
    return;
  }
  if (!lane_innermost) {
    const auto operand = [&](Value *value) { return isUniform(value) ? scalarOf(value) : laneOf(value); };
    SmallVector<Value *, 4> indices;
    for (Value *index : gep.indices())
      indices.push_back(operand(index));
    setLanes(gep, {b.CreateGEP(gep.getSourceElementType(), operand(gep.getPointerOperand()), indices, gep.getName())});
    return;
  }
  movePrivate(gep);
}

// Returns the scalar address of a uniform or strided GEP. A GEP would sign-extend a narrow index of lane 0, so the
// extension is made explicitly. Lane 0's address may be outside of the object, so it is not inbounds.
Value *Widener::linearAddress(GetElementPtrInst &gep) {
  Type *wide = layout.getIndexType(gep.getType());
  bool from_lane_0 = shapeOf(gep.getPointerOperand()).isStrided();
  SmallVector<Value *, 4> indices;
  for (Value *index : gep.indices()) {
    const bool strided = shapeOf(index).isStrided();
    const bool narrow = index->getType()->getScalarSizeInBits() < wide->getScalarSizeInBits();
    indices.push_back(strided && narrow ? extendedLaneZero(index, wide, Extension::Sign) : scalarOf(index));
    from_lane_0 |= strided;
  }
  const GEPNoWrapFlags flags = from_lane_0 ? GEPNoWrapFlags::none() : gep.getNoWrapFlags();
  return b.CreateGEP(gep.getSourceElementType(), scalarOf(gep.getPointerOperand()), indices, gep.getName(), flags);
}

// Address arithmetic within a lane-innermost variable, where every byte of the scalar offset corresponds to W bytes.
// With a uniform offset the pointer is a scalar address, at which the cells of all lanes are adjacent. With a varying
// offset it is kept as two parts, so that accesses need no vector of addresses: a scalar (the last uniform address) and
// a vector of 32-bit offsets from there.
void Widener::movePrivate(GetElementPtrInst &gep) {
  const bool uniform = isUniform(&gep);
  SmallMapVector<Value *, APInt, 4> variable_parts;
  APInt constant_part(64, 0);
  [[maybe_unused]] const bool is_known = gep.collectOffset(layout, 64, variable_parts, constant_part);
  assert(is_known && "a variable is lane-innermost only if all offsets are known");
  Type *type = uniform ? b.getInt64Ty() : static_cast<Type *>(c.vectorOf(b.getInt32Ty()));
  const auto scaled = [&](const APInt &bytes) {
    return ConstantInt::get(type, bytes.getZExtValue() * options.width, true, /*ImplicitTrunc=*/true);
  };
  Value *base = gep.getPointerOperand(), *offset = scaled(constant_part);
  assert((isUniform(base) || (scalars.contains(base) && vectors.contains(base))) && "a varying base has two parts");
  if (!isUniform(base))
    offset = b.CreateAdd(offset, laneOf(base));
  [[maybe_unused]] const unsigned cell = layouts.cellBytes(*layouts.laneInnermostVariable(&gep));
  assert(constant_part.srem(cell) == 0 && "the pointer is to a cell");
  for (const auto &[index, scale] : variable_parts) {
    assert(scale.srem(cell) == 0 && "steps are whole cells");
    Value *steps = b.CreateSExtOrTrunc(uniform ? scalarOf(index) : laneOf(index), type);
    offset = b.CreateAdd(offset, b.CreateMul(steps, scaled(scale)));
  }
  if (uniform) {
    setScalar(gep, b.CreateGEP(b.getInt8Ty(), scalarOf(base), offset, gep.getName()));
    return;
  }
  setScalar(gep, scalars.lookup(base));
  setLanes(gep, {offset});
}

// Returns the address of the vector of all lanes' cells of one component, for an access whose offset is uniform.
Value *Widener::privateCells(const AllocaInst &variable, Value *pointer, unsigned component) {
  assert(layouts.cellBytes(variable) != 0 && isUniform(pointer) && "the cells of all lanes are adjacent");
  const uint64_t skip = uint64_t{layouts.cellBytes(variable)} * options.width * component;
  return b.CreateConstGEP1_64(b.getInt8Ty(), scalarOf(pointer), skip);
}

// Returns the offsets of the lanes' cells of one component, relative to the pointer's scalar, for an offset that
// varies.
Value *Widener::privateOffsets(const AllocaInst &variable, Value *pointer, unsigned component) {
  assert(scalars.contains(pointer) && vectors.contains(pointer) && "a varying pointer to cells has two parts");
  const uint64_t cell = layouts.cellBytes(variable);
  SmallVector<Constant *, 64> own_cell;
  for (unsigned lane = 0; lane < options.width; ++lane)
    own_cell.push_back(b.getInt32(cell * (options.width * component + lane)));
  return b.CreateAdd(laneOf(pointer), ConstantVector::get(own_cell));
}

void Widener::loadPrivate(LoadInst &load, const AllocaInst &variable) {
  Value *pointer = load.getPointerOperand();
  const uint64_t cell = layouts.cellBytes(variable);
  assert(load.isSimple() && layout.getTypeStoreSize(load.getType()->getScalarType()) == cell &&
         "a plain access of cells");
  const bool uniform = isUniform(pointer);
  Values components;
  for (const auto &[i, type] : enumerate(scalarTypes(load.getType()))) {
    // Inactive lanes have cells of their own, too, so the load needs no mask.
    if (uniform)
      components.push_back(b.CreateAlignedLoad(c.vectorOf(type), privateCells(variable, pointer, i),
                                               Align(std::min<uint64_t>(cell * options.width, 64))));
    else
      components.push_back(lanes::emitGatherIndexed(c, type, scalars.lookup(pointer),
                                                    privateOffsets(variable, pointer, i), 1, mask, Align(cell)));
  }
  if (!uniform)
    remarkOnAddresses(Remark::Kind::Gather, load, "load from a private array gathers");
  setResult(load, std::move(components));
}

void Widener::storePrivate(StoreInst &store, const AllocaInst &variable) {
  Value *pointer = store.getPointerOperand();
  const Values components = lanesOf(store.getValueOperand());
  const uint64_t cell = layouts.cellBytes(variable);
  assert(store.isSimple() && layout.getTypeStoreSize(store.getValueOperand()->getType()->getScalarType()) == cell &&
         layouts.laneInnermostVariable(store.getValueOperand()) == nullptr && "a plain access of cells");
  const bool uniform = isUniform(pointer);
  for (const auto &[i, component] : enumerate(components)) {
    if (uniform)
      lanes::emitStoreConsecutive(c, component, privateCells(variable, pointer, i), mask,
                                  Align(std::min<uint64_t>(cell * options.width, 64)));
    else
      lanes::emitScatterIndexed(c, component, scalars.lookup(pointer), privateOffsets(variable, pointer, i), 1, mask,
                                Align(cell));
  }
  if (!uniform)
    remarkOnAddresses(Remark::Kind::Scatter, store, "store to a private array scatters");
}

// Loads from strided addresses, in the best form that the stride allows.
Widener::Values Widener::loadStrided(LoadInst &load, int64_t stride) {
  const SmallVector<Type *, 4> types = scalarTypes(load.getType());
  assert(stride != 0 && all_equal(types) && "the components of an element are alike");
  Type *element = types[0];
  Value *pointer = scalarOf(load.getPointerOperand());
  const int64_t bytes = static_cast<int64_t>(layout.getTypeStoreSize(element).getFixedValue());
  const int64_t count = static_cast<int64_t>(types.size());
  const Align row_align = laneZeroAlign(load.getAlign(), stride);
  if (count == 1 && stride == bytes)
    return {lanes::emitLoadConsecutive(c, element, pointer, mask, row_align)};
  if (count == 1 && stride == -bytes)
    return {lanes::emitLoadReverse(c, element, pointer, mask, row_align)};
  if (count > 1 && (stride == count * bytes || (count == 3 && stride == 4 * bytes)))
    return Values(lanes::emitLoadStrided(c, element, count, stride / bytes, pointer, mask, row_align));
  remarkOnStride(Remark::Kind::Gather, load, stride, element);
  const Align align = commonAlignment(row_align, bytes);
  if (stride % bytes != 0)
    return gather(load.getPointerOperand(), types, align);
  return loadConstantStride(pointer, types, stride / bytes, align);
}

// Loads from a likely row: tests at run time whether the elements are consecutive, and otherwise gathers. Returns false
// if the pointer has another form.
bool Widener::loadLikelyRow(LoadInst &load) {
  const SmallVector<Type *, 4> types = scalarTypes(load.getType());
  const std::optional<LikelyRow> row =
      types.size() == 1 ? likelyRow(load.getPointerOperand(), types[0], load.getAlign()) : std::nullopt;
  if (!row)
    return false;
  setLanes(load, eitherWay(
                     row->is_row,
                     [&] { return Values{lanes::emitLoadConsecutive(c, types[0], row->pointer, mask, row->align)}; },
                     [&] { return gather(load.getPointerOperand(), types, load.getAlign()); }));
  return true;
}

void Widener::visitLoadInst(LoadInst &load) {
  const VolatileOrder order(b, load, isUniform(load.getPointerOperand()));
  const AliasScopes scopes(b, load);
  Value *pointer = load.getPointerOperand();
  if (const AllocaInst *variable = layouts.laneInnermostVariable(pointer)) {
    loadPrivate(load, *variable);
    return;
  }
  const Shape shape = shapeOf(pointer);
  if (shape.isUniform()) {
    cloneLinear(load);
    return;
  }
  assert(!options.one_lane && "all addresses of one lane are uniform");
  if (load.isAtomic() || !isLaidOutLikeArray(load.getType(), layout)) {
    callLaneByLane(load);
    return;
  }
  if (shape.isStrided()) {
    setLanes(load, loadStrided(load, shape.stride()));
    return;
  }
  if (loadLikelyRow(load) || loadInSegments(load))
    return;
  remarkOnAddresses(Remark::Kind::Gather, load, "load gathers");
  const SmallVector<Type *, 4> types = scalarTypes(load.getType());
  const Align align = commonAlignment(load.getAlign(), layout.getTypeStoreSize(types[0]).getFixedValue());
  setLanes(load, gather(pointer, types, align));
}

// Stores to strided addresses. Returns false if there is no better form than a scatter.
bool Widener::storeStrided(StoreInst &store, int64_t stride) {
  const Values components = lanesOf(store.getValueOperand());
  Type *element = components[0]->getType()->getScalarType();
  Value *pointer = scalarOf(store.getPointerOperand());
  const int64_t bytes = static_cast<int64_t>(layout.getTypeStoreSize(element).getFixedValue());
  const int64_t count = static_cast<int64_t>(components.size());
  const Align align = laneZeroAlign(store.getAlign(), stride);
  if (count == 1 && stride == bytes)
    lanes::emitStoreConsecutive(c, components[0], pointer, mask, align);
  else if (count == 1 && stride == -bytes)
    lanes::emitStoreReverse(c, components[0], pointer, mask, align);
  else if (count > 1 && stride == count * bytes)
    lanes::emitStoreStrided(c, components, pointer, mask, align);
  else
    return false;
  return true;
}

// Stores to a likely row, as loadLikelyRow() loads.
bool Widener::storeLikelyRow(StoreInst &store) {
  const Values components = lanesOf(store.getValueOperand());
  const std::optional<LikelyRow> row =
      components.size() == 1
          ? likelyRow(store.getPointerOperand(), store.getValueOperand()->getType(), store.getAlign())
          : std::nullopt;
  if (!row)
    return false;
  eitherWay(
      row->is_row,
      [&] {
        lanes::emitStoreConsecutive(c, components[0], row->pointer, mask, row->align);
        return Values{};
      },
      [&] {
        scatter(store.getPointerOperand(), components, store.getAlign());
        return Values{};
      });
  return true;
}

void Widener::visitStoreInst(StoreInst &store) {
  // Stores that bypass the caches are not ordered with later stores, not even across a fence of ours.
  store.setMetadata(LLVMContext::MD_nontemporal, nullptr);
  const VolatileOrder order(b, store, isUniform(store.getPointerOperand()));
  const AliasScopes scopes(b, store);
  Value *pointer = store.getPointerOperand(), *value = store.getValueOperand();
  if (const AllocaInst *variable = layouts.laneInnermostVariable(pointer)) {
    storePrivate(store, *variable);
    return;
  }
  const Shape shape = shapeOf(pointer);
  if (shape.isUniform() && isUniform(value)) {
    cloneScalar(store);
    return;
  }
  assert(!options.one_lane && "all values of one lane are uniform");
  // All lanes write to one address in lane order, so the value of the last active lane stays.
  if (shape.isUniform()) {
    Value *last = mask == nullptr ? b.getInt32(options.width - 1) : lanes::emitLastActive(c, mask);
    Instruction *clone = store.clone();
    clone->setOperand(0, oneLane(value, last));
    clone->setOperand(1, scalarOf(pointer));
    b.Insert(clone);
    clone->dropDbgRecords();
    return;
  }
  if (store.isAtomic() || !isLaidOutLikeArray(value->getType(), layout)) {
    callLaneByLane(store);
    return;
  }
  if (shape.isStrided() && storeStrided(store, shape.stride()))
    return;
  if (storeLikelyRow(store) || storeInSegments(store))
    return;
  if (shape.isStrided())
    remarkOnStride(Remark::Kind::Scatter, store, shape.stride(), scalarTypes(value->getType())[0]);
  else
    remarkOnAddresses(Remark::Kind::Scatter, store, "store scatters");
  const Values components = lanesOf(value);
  Type *element = components[0]->getType()->getScalarType();
  const Align align = commonAlignment(store.getAlign(), layout.getTypeStoreSize(element).getFixedValue());
  scatter(pointer, components, align);
}

} // namespace lanecl::vectorizer
