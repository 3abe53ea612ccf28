// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Functions that give a lane the value of another lane.
#include "evaluate/callers.h"

namespace lanecl::fuzz {

namespace {

constexpr uint64_t kNoLane = ~uint64_t(0);

// Where a caller's value comes from: operand `operand` of a lane.
struct Source {
  uint64_t lane;
  unsigned operand = 0;
};

// Functions that index 2 * W lanes: lane i of operand 0 has index i, lane i of operand 1 has index W + i. An index
// outside these names no lane.
Source pairDown(uint64_t index, uint64_t width) {
  return index < width ? Source{index, 0} : Source{index < 2 * width ? index - width : kNoLane, 1};
}
Source pairUp(uint64_t index, uint64_t width) { // the caller has added `width` to the index
  return index < width ? Source{index, 0} : Source{index < 2 * width ? index - width : kNoLane, 1};
}

// Returns the lane and operand that a caller's value comes from. Lane numbers are computed modulo 2^32, as uint.
Source sourceOf(const Callers &callers, size_t caller) {
  const uint64_t lane = callers.lanes[caller], width = callers.width;
  const auto given = [&] { return callers.operand(1, caller); };
  const auto inCluster = [&](uint64_t size) {
    return Source{(lane & ~(size - 1)) | ((lane + callers.same(1)) & (size - 1))};
  };
  switch (callers.info().kind) {
  case SubGroupKind::Broadcast: return {callers.same(1)};
  case SubGroupKind::BroadcastFirst: return {callers.lanes[0]};
  case SubGroupKind::Shuffle: return {given()};
  case SubGroupKind::ShuffleXor: return {lane ^ given()};
  case SubGroupKind::ShuffleUp: return {uint32_t(lane - given())};
  case SubGroupKind::ShuffleDown: return {uint32_t(lane + given())};
  case SubGroupKind::PairUp: return pairUp(uint32_t(width + lane - callers.operand(2, caller)), width);
  case SubGroupKind::PairDown: return pairDown(uint32_t(lane + callers.operand(2, caller)), width);
  case SubGroupKind::Rotate: return inCluster(width);
  case SubGroupKind::ClusteredRotate: return inCluster(uint64_t(callers.call.number));
  default: return {callers.same(1)};
  }
}

// The elements of a block after each calling lane has stored its components. Elements of lanes that do not exist are
// never asked for.
class MemoryBlock {
public:
  MemoryBlock(const Callers &callers_, size_t rotate) : callers(callers_) {
    elements.resize(callers.width * callers.call.type.lanes);
    for (size_t i = 0; i < callers.count(); ++i)
      for (unsigned k = 0; k < callers.call.type.lanes; ++k)
        at(k, (callers.lanes[i] + rotate) % callers.size) = callers.operands[0][i].c[k];
  }
  uint64_t &at(unsigned component, size_t lane) { return elements[component * callers.width + lane]; }

private:
  const Callers &callers;
  std::vector<uint64_t> elements;
};

// Records what the lanes store. Component k of lane l is element k * W + l of a block; in an exchange, it is element l
// * n + k for n components.
void store(Callers &callers, size_t rotate) {
  const Type type = callers.call.type;
  const unsigned bits = bitsOf(type.base);
  for (size_t i = 0; i < callers.count(); ++i)
    for (size_t k = 0; k < type.lanes; ++k) {
      const size_t lane = (callers.lanes[i] + rotate) % callers.size;
      const size_t element =
          callers.info().kind == SubGroupKind::Exchange ? lane * type.lanes + k : k * callers.width + lane;
      callers.stored.push_back({element * bits, bits, callers.operands[0][i].c[k]});
    }
}

uint64_t existing(const Callers &callers, uint64_t lane) {
  if (lane >= callers.size)
    throw Rejected("memory of a lane that does not exist");
  return lane;
}

} // namespace

// If no active lane passes the value, the guarded text gives zero, and so does this.
Results exchanged(Callers &callers) {
  if (callers.info().kind == SubGroupKind::ClusteredRotate && callers.call.number > callers.width)
    throw Rejected("clusters larger than the sub-group");
  Results results(callers.count());
  for (size_t i = 0; i < callers.count(); ++i) {
    const Source source = sourceOf(callers, i);
    if (callers.calls(source.lane))
      results[i] = callers.operands[source.operand][callers.at(source.lane)];
    else
      callers.undefined = true;
  }
  return results;
}

// Evaluates a function in which the lanes store to memory, and returns what each caller reads back. Before a block
// read, each lane stores to the place of another lane, which is a fixed number of lanes away.
Results throughMemory(Callers &callers) {
  const SubGroupKind kind = callers.info().kind;
  const size_t rotate = kind == SubGroupKind::BlockRead ? BlockNumber::valueOf(callers.call.number) : 0;
  MemoryBlock block(callers, rotate);
  store(callers, rotate);
  Results results(callers.count());
  for (size_t i = 0; i < callers.count(); ++i)
    switch (kind) {
    case SubGroupKind::Exchange: results[i] = callers.operands[0][existing(callers, callers.operand(1, i))]; break;
    case SubGroupKind::BlockWrite:
      results[i].c[0] = block.at(BlockNumber::valueOf(callers.call.number), existing(callers, callers.operand(1, i)));
      break;
    default:
      for (unsigned k = 0; k < callers.call.type.lanes; ++k)
        results[i].c[k] = block.at(k, callers.lanes[i]);
    }
  return results;
}

} // namespace lanecl::fuzz
