// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernel/launch/launch_queries.h"

#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

// Emits at the start of the function, so that one value dominates all uses.
LaunchQueries::LaunchQueries(Function &function, const LaunchClass &launch)
    : function(function), launch(launch),
      builder(&function.getEntryBlock(), function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca()),
      index(launch.ids_fit_int ? builder.getInt32Ty() : builder.getInt64Ty()), size(launch.local_size),
      size_known(size[0] != 0 && size[1] != 0 && size[2] != 0) {
  if (DISubprogram *subprogram = function.getSubprogram())
    builder.SetCurrentDebugLocation(DILocation::get(function.getContext(), subprogram->getLine(), 0, subprogram));
}

// Returns the number of work-items of a work-group, if the class knows it.
std::optional<unsigned> LaunchQueries::knownItems() const {
  if (!size_known)
    return std::nullopt;
  return size[0] * size[1] * size[2];
}

std::optional<unsigned> LaunchQueries::knownSubGroups() const {
  if (!size_known)
    return std::nullopt;
  return (*knownItems() + launch.width - 1) / launch.width;
}

// Returns the mangled name that Clang gives to the primitive.
static std::string nameInIr(Primitive primitive, bool takes_dimension) {
  const std::string name = ("__lanecl_" + nameOf(primitive)).str();
  return "_Z" + std::to_string(name.size()) + name + (takes_dimension ? "j" : "v");
}

// Emits the call of a query primitive.
CallInst *LaunchQueries::query(Primitive primitive, std::optional<unsigned> dim) {
  const bool is_size = takesDimension(primitive);
  assert(is_size == dim.has_value() && (!dim || *dim < 3) && queriesLaunch(primitive) && "a query and its argument");
  Type *result = is_size ? builder.getInt64Ty() : builder.getInt32Ty();
  auto *type = is_size ? FunctionType::get(result, {builder.getInt32Ty()}, false) : FunctionType::get(result, false);
  FunctionCallee callee = function.getParent()->getOrInsertFunction(nameInIr(primitive, is_size), type);
  CallInst *call = is_size ? builder.CreateCall(callee, {builder.getInt32(*dim)}) : builder.CreateCall(callee);
  describe(*call, primitive);
  return call;
}

void LaunchQueries::describe(CallBase &call, Primitive primitive) const {
  if (Function *callee = call.getCalledFunction()) {
    callee->removeFnAttr(Attribute::Convergent);
    callee->setDoesNotAccessMemory();
    callee->setDoesNotThrow();
    callee->setWillReturn();
    callee->addFnAttr(Attribute::Speculatable);
    callee->addFnAttr(Attribute::NoCallback);
  }
  call.removeFnAttr(Attribute::Convergent);
  call.addRetAttr(Attribute::NoUndef);
  const unsigned bits = call.getType()->getIntegerBitWidth();
  const auto range = [&](uint64_t begin, uint64_t end) {
    call.addRangeRetAttr(ConstantRange(APInt(bits, begin), APInt(bits, end)));
  };
  constexpr uint64_t kIntLimit = 1ull << 31;
  constexpr uint64_t kNoLimit = 0; // as the end of a range that starts above 0: every value from the start on
  switch (primitive) {
  case Primitive::LaneId: return range(0, launch.width);
  case Primitive::SubGroupSize: return range(1, launch.width + 1);
  case Primitive::SubGroupId: return range(0, knownSubGroups().value_or(1u << 24));
  case Primitive::WorkDim: return range(1, 4);
  case Primitive::LocalSize:
  case Primitive::EnqueuedLocalSize: return range(1, kIntLimit);
  // A range of more than 2^31 work-items may have as many work-groups.
  case Primitive::NumGroups: return range(1, launch.ids_fit_int ? kIntLimit : kNoLimit);
  case Primitive::GroupId:
  case Primitive::GlobalSize:
  case Primitive::GlobalOffset:
    if (launch.ids_fit_int)
      range(0, kIntLimit);
    return;
  default: return;
  }
}

// Returns a size, which is a constant if the class knows it, or another query in the index type.
Value *LaunchQueries::indexValue(Primitive primitive, unsigned dim) {
  if ((primitive == Primitive::LocalSize || primitive == Primitive::EnqueuedLocalSize) && size[dim] != 0)
    return constant(size[dim]);
  return builder.CreateTrunc(query(primitive, dim), index, "", /*IsNUW=*/true, /*IsNSW=*/true);
}

Value *LaunchQueries::add(Value *a, Value *b) {
  if (!a || !b)
    return a ? a : b;
  return builder.CreateAdd(a, b, "", /*HasNUW=*/true, /*HasNSW=*/true);
}

Value *LaunchQueries::addGlobal(Value *a, Value *b) {
  return b ? builder.CreateAdd(a, b, "", /*HasNUW=*/true, /*HasNSW=*/launch.ids_fit_int) : a;
}

// Extends an id to size_t. Ids are not negative in the index type.
Value *LaunchQueries::toSize(Value *value) {
  if (!value)
    return builder.getInt64(0);
  return builder.CreateZExt(value, builder.getInt64Ty(), "", /*IsNonNeg=*/true);
}

// Returns 0 for one lane. Ids are uniform then, and vector-optimize joins the source's vectors again.
Value *LaunchQueries::laneId() {
  if (launch.isOneLane())
    return constant(0);
  return builder.CreateZExtOrTrunc(query(Primitive::LaneId, std::nullopt), index, "lane");
}

// Returns the number of the sub-group's first work-item in the work-group.
Value *LaunchQueries::subGroupBase() {
  Value *id = builder.CreateZExtOrTrunc(query(Primitive::SubGroupId, std::nullopt), index, "sub_group");
  return builder.CreateMul(id, constant(launch.width), "sub_group.first", true, true);
}

// Sets the ids along y and z from the number of the row in the work-group.
void LaunchQueries::splitRows(Value *row, bool varying) {
  assert(size_known && "the row's number is divided by a constant");
  const auto set = [&](unsigned dim, Value *value) { (varying ? local[dim].varying : local[dim].uniform) = value; };
  if (size[2] == 1)
    return set(1, row);
  if (size[1] == 1)
    return set(2, row);
  set(1, builder.CreateURem(row, constant(size[1])));
  set(2, builder.CreateUDiv(row, constant(size[1])));
}

// Only the id along x varies between the lanes: y and z are uniform.
void LaunchQueries::idsOfWholeRows() {
  assert(size_known && size[0] % launch.width == 0 && "no sub-group crosses the end of a row");
  Value *first = subGroupBase();
  local[0] = {builder.CreateURem(first, constant(size[0])), laneId()};
  splitRows(builder.CreateUDiv(first, constant(size[0])), false);
}

// A sub-group covers several whole rows, so x depends on the lane alone.
void LaunchQueries::idsOfSmallRows() {
  assert(size_known && launch.width % size[0] == 0 && "every sub-group starts with a row");
  Value *lane = laneId();
  const unsigned rows = launch.width / size[0]; // in one sub-group
  local[0].varying = builder.CreateURem(lane, constant(size[0]));
  Value *row_in_sub_group = builder.CreateUDiv(lane, constant(size[0]));
  Value *sub_group = builder.CreateZExtOrTrunc(query(Primitive::SubGroupId, std::nullopt), index);
  Value *first_row = builder.CreateMul(sub_group, constant(rows), "", true, true);
  if (size[2] == 1)
    local[1] = {first_row, row_in_sub_group};
  else
    splitRows(add(first_row, row_in_sub_group), true);
}

// Divides the work-item's number by the row's length; the constant makes it a multiplication.
void LaunchQueries::idsByDivision() {
  assert(size_known && "divisors are constants");
  Value *linear = add(subGroupBase(), laneId());
  local[0].varying = builder.CreateURem(linear, constant(size[0]));
  splitRows(builder.CreateUDiv(linear, constant(size[0])), true);
}

// Returns quotient and remainder. Division as double is exact for operands below 2^31, and unlike an integer division
// it is one instruction for all lanes.
static std::pair<Value *, Value *> divide(IRBuilder<> &builder, Value *a, Value *b) {
  Type *real = builder.getDoubleTy();
  Value *quotient = builder.CreateFDiv(builder.CreateUIToFP(a, real), builder.CreateUIToFP(b, real));
  Value *result = builder.CreateFPToUI(quotient, a->getType());
  return {result, builder.CreateSub(a, builder.CreateMul(result, b))};
}

void LaunchQueries::idsOfUnknownSize() {
  Value *linear = add(subGroupBase(), laneId());
  linear = builder.CreateTrunc(linear, builder.getInt32Ty());
  const auto size32 = [&](unsigned dim) {
    return builder.CreateTrunc(query(Primitive::LocalSize, dim), builder.getInt32Ty());
  };
  const auto [row, x] = divide(builder, linear, size32(0));
  const auto [z, y] = divide(builder, row, size32(1));
  for (const auto &[dim, value] : {std::pair{0, x}, std::pair{1, y}, std::pair{2, z}})
    local[dim].varying = builder.CreateZExt(value, index);
}

// Returns the dimension along which a work-group lies that is one row, of known length or not.
std::optional<unsigned> LaunchQueries::rowAxis() const {
  for (unsigned axis = 0; axis < 3; ++axis)
    if (size[(axis + 1) % 3] == 1 && size[(axis + 2) % 3] == 1)
      return axis;
  return std::nullopt;
}

// Computes the local ids, by the cheapest method that the known sizes allow.
void LaunchQueries::computeLocalIds() {
  if (std::exchange(have_local_ids, true))
    return;
  if (const std::optional<unsigned> axis = rowAxis()) {
    local[*axis].varying = laneId();
    if (knownSubGroups() != 1u)
      local[*axis].uniform = subGroupBase();
    return;
  }
  if (!size_known)
    return idsOfUnknownSize();
  if (size[0] % launch.width == 0)
    return idsOfWholeRows();
  if (launch.width % size[0] == 0)
    return idsOfSmallRows();
  idsByDivision();
}

Value *LaunchQueries::localId(unsigned dim) {
  assert(dim < 3 && "a work-group has three dimensions");
  if (Value *known = local_ids[dim])
    return known;
  computeLocalIds();
  return local_ids[dim] = toSize(add(local[dim].uniform, local[dim].varying));
}

// Returns the id of the work-group's first work-item, without the launch's offset.
Value *LaunchQueries::firstOfGroup(unsigned dim) {
  // All work-groups before this one have the enqueued size, even if this one is smaller.
  Value *first = builder.CreateMul(indexValue(Primitive::GroupId, dim), indexValue(Primitive::EnqueuedLocalSize, dim),
                                   "", /*HasNUW=*/true, /*HasNSW=*/launch.ids_fit_int);
  // The mask changes no value, as the rows of a free row class consist of whole units. It shows LLVM that, for example,
  // get_global_id(0) / 16 is uniform.
  if (launch.rowAxis() == dim)
    first = builder.CreateAnd(first, ConstantInt::getSigned(index, -int64_t{LaunchClass::kRowUnit}));
  return first;
}

// Returns first work-item of the work-group + offset + local id.
Value *LaunchQueries::globalId(unsigned dim) {
  assert(dim < 3 && "a range has three dimensions");
  if (Value *known = global_ids[dim])
    return known;
  computeLocalIds();
  Value *uniform = firstOfGroup(dim);
  if (!launch.no_offset)
    uniform = addGlobal(uniform, indexValue(Primitive::GlobalOffset, dim));
  uniform = addGlobal(uniform, local[dim].uniform);
  return global_ids[dim] = toSize(addGlobal(uniform, local[dim].varying));
}

// The lanes function is called with the number of work-items that it stands for as the sub-group's size.
Value *LaunchQueries::fullSubGroupsOfRow() {
  CallInst *items = query(Primitive::SubGroupSize, std::nullopt);
  items->removeRetAttr(Attribute::Range);
  Value *count = builder.CreateUDiv(items, builder.getInt32(launch.width));
  return builder.CreateZExtOrTrunc(builder.CreateBinaryIntrinsic(Intrinsic::umax, count, builder.getInt32(1)), index);
}

Value *LaunchQueries::numSubGroups(Primitive size_query) {
  assert((size_query == Primitive::LocalSize || size_query == Primitive::EnqueuedLocalSize) && "sizes of a work-group");
  if (size_query == Primitive::LocalSize && size_known)
    return builder.getInt32(*knownSubGroups());
  Value *items = builder.getInt32(1);
  for (unsigned dim = 0; dim < 3; ++dim) {
    Value *extent = builder.CreateTrunc(query(size_query, dim), builder.getInt32Ty(), "", true, true);
    items = builder.CreateMul(items, extent, "", true, true);
  }
  Value *rounded = builder.CreateAdd(items, builder.getInt32(launch.width - 1), "", true, true);
  return builder.CreateUDiv(rounded, builder.getInt32(launch.width));
}

} // namespace lanecl::vectorizer
