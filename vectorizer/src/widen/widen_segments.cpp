// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Accesses whose lanes are consecutive, or have the same address, in segments of neighboring lanes. Each segment is one
// vector access or one splat:
//
//   in[lane / 4]   with 16 lanes   ->   4 scalar loads, each splat to 4 lanes, instead of a gather of 16
//
// Where nothing proves the segments, a test at run time chooses between these accesses and a gather or scatter. The
// test looks at all lanes. An inactive lane holds no address, but a number at the distance that an active lane would
// have is as good as one.
#include "widen/widener.h"

#include "analysis/shapes/lane_segments.h"
#include "lanes/cross_lane/register_permute.h"
#include "lanes/cross_lane/votes.h"
#include "lanes/memory/memory.h"

#include "llvm/Analysis/VectorUtils.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {
namespace {

// Limits within which the accesses cost less than a gather.
constexpr unsigned kShortestSegment = 4;
unsigned mostSegments(unsigned width) {
  return std::max(4U, width / 8);
}

// Returns <W x iN> 0, stride, 2 * stride, … that starts anew in each segment.
Constant *risingInSegments(Type *type, unsigned width, unsigned lanes, int64_t stride) {
  SmallVector<Constant *, 64> numbers;
  for (unsigned lane = 0; lane < width; ++lane)
    numbers.push_back(ConstantInt::getSigned(type, static_cast<int64_t>(lane % lanes) * stride));
  return ConstantVector::get(numbers);
}

} // namespace

// Returns the segments of the pointer, proved or with a test, or nothing. `may_repeat`: whether the lanes of a segment
// may have one address.
std::optional<Widener::SegmentedAddress> Widener::segmentedAddress(Value *pointer, Type *element, bool may_repeat) {
  const auto bytes = static_cast<int64_t>(layout.getTypeStoreSize(element).getFixedValue());
  const LaneSegments guess = guessSegments(*pointer, shapes, options.width);
  if (guess.lanes == 0 || options.width / guess.lanes > mostSegments(options.width) || guess.lanes < kShortestSegment ||
      !(guess.stride == bytes || (guess.stride == 0 && may_repeat)))
    return std::nullopt;
  SegmentedAddress result;
  result.lanes = guess.lanes;
  result.consecutive = guess.stride != 0;
  if (!proveSegments(result, pointer, guess.stride))
    testSegments(result, pointer, guess.stride);
  assert(result.pointers.size() * result.lanes == options.width && "an address for each segment");
  // A segment without active lanes must not be loaded, because its address may be no lane's memory. So splats require
  // that all lanes are active.
  if (!result.consecutive && !lanes::isFullMask(mask)) {
    Value *all = lanes::emitAll(c, mask);
    result.holds = result.holds != nullptr ? b.CreateAnd(result.holds, all) : all;
  }
  return result;
}

// Returns the pointer as one scalar and a constant for each lane (segment_offsets.h), or nothing.
std::optional<FixedOffsets> Widener::fixedAddress(Value *pointer, unsigned segment, bool may_test) {
  const auto scalar_of = [this](Value *value) { return scalarOf(value); };
  const auto first_lane_of = [this](Value *value) -> Value * {
    return lanes::isFullMask(mask) ? b.CreateExtractElement(laneOf(value), uint64_t(0)) : nullptr;
  };
  return SegmentOffsets({b, shapes, scalar_of, first_lane_of, options.width}, segment, may_test).ofPointer(*pointer);
}

// Proves the segments from the scalar kernel. A test remains only if a 32-bit index may wrap around.
bool Widener::proveSegments(SegmentedAddress &address, Value *pointer, int64_t stride) {
  const std::optional<FixedOffsets> fixed = fixedAddress(pointer, address.lanes, /*may_test=*/true);
  if (!fixed)
    return false;
  for (unsigned lane = 0; lane < options.width; ++lane)
    if (fixed->steps[lane] - fixed->steps[lane - lane % address.lanes] != stride * (lane % address.lanes))
      return false;
  for (unsigned first = 0; first < options.width; first += address.lanes) {
    address.pointers.push_back(b.CreatePtrAdd(fixed->startOf(first), b.getInt(fixed->steps[first])));
    if (all_equal(fixed->starts))
      address.distances.push_back((fixed->steps[first] - fixed->steps[0]).getSExtValue());
  }
  assert((address.distances.empty() || address.distances.size() == address.pointers.size()) && "all or none");
  address.holds = fixed->holds;
  return true;
}

// Tests the segments at run time: all lanes of a segment have to agree on where it starts. 32-bit offsets are extended
// later, so none may wrap around within its segment.
void Widener::testSegments(SegmentedAddress &address, Value *pointer, int64_t stride) {
  std::optional<LaneAddress> split = shortAddress(pointer);
  if (split && stride % split->scale != 0)
    split.reset();
  // An inactive lane may be poison, so the offsets are frozen. Without a common base, the addresses themselves are
  // compared.
  Value *lanes_own = b.CreateFreeze(split ? split->offset : laneOf(pointer));
  Value *offset = split ? lanes_own : b.CreatePtrToInt(lanes_own, c.vectorOf(b.getInt64Ty()));
  Type *type = offset->getType()->getScalarType();
  const int64_t step = split ? stride / split->scale : stride, span = step * (address.lanes - 1);
  assert(span >= 0 && isInt<32>(span) && "a segment is one access or one address");
  Value *starts = b.CreateSub(offset, risingInSegments(type, options.width, address.lanes, step), "segment.starts");
  SmallVector<int, 64> first_lanes;
  for (unsigned lane = 0; lane < options.width; ++lane)
    first_lanes.push_back(static_cast<int>(lane - lane % address.lanes));
  Value *first = b.CreateShuffleVector(starts, first_lanes);
  Value *holds = b.CreateICmpEQ(starts, first);
  if (type->isIntegerTy(32) && span != 0)
    holds = b.CreateAnd(holds, b.CreateICmpSLE(first, ConstantInt::getSigned(first->getType(), INT32_MAX - span)));
  address.holds = lanes::emitAll(c, holds);
  for (unsigned lane = 0; lane < options.width; lane += address.lanes) {
    Value *first_of_segment = b.CreateExtractElement(lanes_own, lane);
    if (split) {
      Value *bytes = b.CreateMul(b.CreateSExt(first_of_segment, b.getInt64Ty()), b.getInt64(split->scale));
      first_of_segment = b.CreatePtrAdd(split->base, bytes);
    }
    address.pointers.push_back(first_of_segment);
  }
}

// Returns the mask of the lanes of one segment, or null if all lanes are active.
Value *Widener::segmentMask(const SegmentedAddress &address, unsigned segment) {
  assert((segment + 1) * address.lanes <= options.width && "the segment has lanes");
  if (lanes::isFullMask(mask))
    return nullptr;
  return b.CreateShuffleVector(mask, createSequentialMask(segment * address.lanes, address.lanes, 0));
}

// Loads the indices of a permute from a global variable. From constant indices LLVM makes two shuffles with immediates,
// which saves the indices but executes more instructions in a loop. Equal index vectors share one global, so that they
// take one register.
Value *Widener::indicesInMemory(ArrayRef<uint32_t> indices) {
  Constant *value = ConstantDataVector::get(b.getContext(), indices);
  GlobalVariable *&place = indices_in_memory[value];
  if (place == nullptr)
    place = new GlobalVariable(*b.GetInsertBlock()->getModule(), value->getType(), /*isConstant=*/true,
                               GlobalValue::PrivateLinkage, value, "lane.indices", nullptr, GlobalValue::NotThreadLocal,
                               std::nullopt, /*isExternallyInitialized=*/true);
  LoadInst *load = b.CreateLoad(value->getType(), place, "lane.indices");
  load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(b.getContext(), {}));
  return load;
}

// Returns the splats of `count` segments that fill a register, made by one masked load of their elements and one
// permute (AVX-512 only). Returns null if the elements are farther apart than a register is long. Returns null for few
// segments, too: there it gains nothing, because a load that spans several recent stores waits until they have left the
// store queue.
Value *Widener::loadSplats(const SegmentedAddress &address, unsigned segment, unsigned count, Type *element,
                           Align align) {
  const auto bytes = static_cast<int64_t>(layout.getTypeStoreSize(element).getFixedValue());
  constexpr unsigned kWorthwhile = 4;
  if (count < kWorthwhile || address.distances.empty() || options.target.level != lanes::IsaLevel::Avx512 || bytes < 4)
    return nullptr;
  const auto distances = ArrayRef(address.distances).slice(segment, count);
  const auto *nearest = std::min_element(distances.begin(), distances.end());
  const unsigned lanes = count * address.lanes;
  SmallVector<Constant *, 16> wanted(lanes, b.getFalse());
  SmallVector<uint32_t, 16> from;
  for (const int64_t distance : distances) {
    const int64_t index = (distance - *nearest) / bytes;
    if (distance - *nearest != index * bytes || index >= int64_t{lanes})
      return nullptr;
    wanted[index] = b.getTrue();
    from.append(address.lanes, static_cast<uint32_t>(index));
  }
  // The memory between the elements may belong to nobody, so a masked load skips it.
  auto *type = FixedVectorType::get(element, lanes);
  Value *first = address.pointers[segment + (nearest - distances.begin())];
  Value *elements = b.CreateMaskedLoad(type, first, align, ConstantVector::get(wanted), Constant::getNullValue(type));
  Type *bits = FixedVectorType::get(b.getIntNTy(unsigned(bytes) * 8), lanes);
  lanes::RegisterTable table({b, lanes, options.target}, b.CreateBitCast(elements, bits));
  return b.CreateBitCast(table.read(indicesInMemory(from), /*in_range=*/true), type);
}

// Loads all segments and joins them to one vector.
Value *Widener::loadSegments(const SegmentedAddress &address, Type *element, Align align) {
  const lanes::LaneContext part{b, address.lanes, options.target};
  const unsigned lanes_of_register = options.target.registerBits() / layout.getTypeSizeInBits(element);
  const unsigned in_register = std::clamp(lanes_of_register / address.lanes, 1U, options.width / address.lanes);
  SmallVector<Value *, 8> values;
  for (unsigned segment = 0; segment < options.width / address.lanes; ++segment) {
    Value *pointer = address.pointers[segment];
    if (address.consecutive) {
      values.push_back(lanes::emitLoadConsecutive(part, element, pointer, segmentMask(address, segment), align));
    } else if (Value *splats =
                   segment % in_register == 0 ? loadSplats(address, segment, in_register, element, align) : nullptr) {
      values.push_back(splats);
      segment += in_register - 1;
    } else {
      values.push_back(b.CreateVectorSplat(address.lanes, b.CreateAlignedLoad(element, pointer, align)));
    }
  }
  Value *all = concatenateVectors(b, values);
  assert(all->getType() == c.vectorOf(element) && "the segments make up the sub-group");
  return all;
}

// Stores all segments.
void Widener::storeSegments(const SegmentedAddress &address, Value *value, Align align) {
  assert(address.consecutive && "lanes of one address would have to store in their order");
  const lanes::LaneContext part{b, address.lanes, options.target};
  for (unsigned segment = 0; segment < options.width / address.lanes; ++segment) {
    Value *of_segment = b.CreateShuffleVector(value, createSequentialMask(segment * address.lanes, address.lanes, 0));
    lanes::emitStoreConsecutive(part, of_segment, address.pointers[segment], segmentMask(address, segment), align);
  }
}

// Replaces a gather by accesses in segments. Returns false if the pointer has no segments.
bool Widener::loadInSegments(LoadInst &load) {
  const SmallVector<Type *, 4> types = scalarTypes(load.getType());
  const auto address =
      types.size() == 1 ? segmentedAddress(load.getPointerOperand(), types[0], /*may_repeat=*/true) : std::nullopt;
  if (!address)
    return false;
  const auto likely = [&] { return Values{loadSegments(*address, types[0], load.getAlign())}; };
  const auto otherwise = [&] { return gather(load.getPointerOperand(), types, load.getAlign()); };
  setLanes(load, address->holds != nullptr ? eitherWay(address->holds, likely, otherwise) : likely());
  return true;
}

// Replaces a scatter by accesses in segments, which have to be consecutive.
bool Widener::storeInSegments(StoreInst &store) {
  const Values components = lanesOf(store.getValueOperand());
  const auto address = components.size() == 1 ? segmentedAddress(store.getPointerOperand(),
                                                                 components[0]->getType()->getScalarType(), false)
                                              : std::nullopt;
  if (!address)
    return false;
  const auto likely = [&] {
    storeSegments(*address, components[0], store.getAlign());
    return Values{};
  };
  const auto otherwise = [&] {
    scatter(store.getPointerOperand(), components, store.getAlign());
    return Values{};
  };
  if (address->holds != nullptr)
    eitherWay(address->holds, likely, otherwise);
  else
    likely();
  return true;
}

} // namespace lanecl::vectorizer
