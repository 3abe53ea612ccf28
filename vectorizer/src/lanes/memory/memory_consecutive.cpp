// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Accesses of contiguous elements, in the order of the lanes or in reverse (see memory.h).

#include "lanes/memory/memory.h"
#include "lanes/memory/memory_access.h"

using namespace llvm;

namespace lanecl::vectorizer::lanes {
namespace {

Value *reversed(const LaneContext &c, Value *v) {
  return v ? c.b.CreateVectorReverse(v) : nullptr;
}

} // namespace

Value *emitLoadConsecutive(const LaneContext &c, Type *element, Value *ptr, Value *mask, Align align,
                           Value *passthrough) {
  return loadMasked(c, c.vectorOf(element), ptr, mask, mask, {}, align, passthrough);
}

void emitStoreConsecutive(const LaneContext &c, Value *v, Value *ptr, Value *mask, Align align) {
  storeMasked(c, v, ptr, mask, mask, {}, align);
}

Value *emitLoadReverse(const LaneContext &c, Type *element, Value *ptr, Value *mask, Align align, Value *passthrough) {
  const int64_t first = 1 - int64_t(c.width);
  Value *flipped_mask = reversed(c, mask);
  Value *v = loadMasked(c, c.vectorOf(element), advance(c, element, ptr, first), flipped_mask, flipped_mask, {},
                        alignmentAt(c, element, align, first), reversed(c, passthrough));
  return reversed(c, v);
}

void emitStoreReverse(const LaneContext &c, Value *v, Value *ptr, Value *mask, Align align) {
  const int64_t first = 1 - int64_t(c.width);
  Type *element = v->getType()->getScalarType();
  Value *flipped_mask = reversed(c, mask);
  storeMasked(c, reversed(c, v), advance(c, element, ptr, first), flipped_mask, flipped_mask, {},
              alignmentAt(c, element, align, first));
}

} // namespace lanecl::vectorizer::lanes
