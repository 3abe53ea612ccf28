// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Block reads and writes (see memory.h): component k of lane l is ptr[l + k * W].

#include "lanes/memory/memory.h"
#include "lanes/memory/memory_access.h"

#include "llvm/Analysis/VectorUtils.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer::lanes {
namespace {

// Returns how many components share one access: as many as fit into a register.
unsigned componentsPerAccess(const LaneContext &c, Type *element) {
  const auto bits = unsigned(c.b.GetInsertBlock()->getDataLayout().getTypeSizeInBits(element).getFixedValue());
  return std::max(1u, c.target.registerBits() / (c.width * bits));
}

// Returns the lanes' mask, repeated for each of `components`.
Value *repeatMask(const LaneContext &c, Value *mask, unsigned components) {
  if (isFullMask(mask))
    return nullptr;
  return concatenateVectors(c.b, SmallVector<Value *, 16>(components, mask));
}

} // namespace

LaneVectors emitBlockRead(const LaneContext &c, Type *element, unsigned n, Value *ptr, Value *mask, Align align) {
  assert(n != 0 && !element->isVectorTy() && "an element of each component for each lane");
  const unsigned together = componentsPerAccess(c, element);
  LaneVectors components;
  while (components.size() < n) {
    const auto first = unsigned(components.size()), count = std::min(together, n - first);
    Value *wide = loadMasked(c, FixedVectorType::get(element, count * c.width),
                             advance(c, element, ptr, first * c.width), repeatMask(c, mask, count), mask,
                             {count, 1, c.width}, alignmentAt(c, element, align, first * c.width), nullptr);
    for (unsigned k = 0; k < count; ++k)
      components.push_back(count == 1 ? wide
                                      : c.b.CreateShuffleVector(wide, createSequentialMask(k * c.width, c.width, 0)));
  }
  return components;
}

void emitBlockWrite(const LaneContext &c, ArrayRef<Value *> components, Value *ptr, Value *mask, Align align) {
  assert(hasLanes(c, components[0]) && all_equal(map_range(components, [](const Value *v) { return v->getType(); })) &&
         "the components are alike");
  Type *element = components[0]->getType()->getScalarType();
  const unsigned together = componentsPerAccess(c, element), n = unsigned(components.size());
  for (unsigned first = 0; first < n; first += together) {
    const unsigned count = std::min(together, n - first);
    storeMasked(c, concatenateVectors(c.b, components.slice(first, count)), advance(c, element, ptr, first * c.width),
                repeatMask(c, mask, count), mask, {count, 1, c.width}, alignmentAt(c, element, align, first * c.width));
  }
}

} // namespace lanecl::vectorizer::lanes
