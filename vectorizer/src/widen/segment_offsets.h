// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Finds values that are one scalar plus a constant for each lane, in all lanes or in each segment of neighboring lanes.
// Such values are ids in a work-group of known size, and what is computed from them: in rows of 8 work-items, lane l's
// x is `start + l % 8`.
#pragma once

#include "analysis/shapes/shape_analysis.h"

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/MathExtras.h"

#include <cassert>
#include <optional>

namespace lanecl::vectorizer {

// Lane l, if it is active, has the start of its segment plus steps[l], modulo the type's width.
struct FixedOffsets {
  llvm::SmallVector<llvm::Value *, 4> starts; // one for each segment, or one for all lanes
  llvm::SmallVector<llvm::APInt, 32> steps;   // in bytes for a pointer
  llvm::Value *holds = nullptr;               // i1: whether this form holds; null: always

  llvm::Value *startOf(unsigned lane) const {
    assert(lane < steps.size() && steps.size() % starts.size() == 0 && "segments are equally long");
    return starts[lane * starts.size() / steps.size()];
  }
};

// Searches a value for this form and emits the scalars at the builder's position. The scalars also say what an inactive
// lane would have if it were active, so the first lane of a segment need not be active.
class SegmentOffsets {
public:
  // The parts of the Widener that the search uses.
  struct Source {
    llvm::IRBuilderBase &b;
    const ShapeInfo &shapes;
    llvm::function_ref<llvm::Value *(llvm::Value *)> scalar_of; // of a uniform value, or lane 0's of a strided one
    // Returns lane 0's number of a varying value, or null if not all lanes are active.
    llvm::function_ref<llvm::Value *(llvm::Value *)> first_lane_of;
    unsigned width;
  };
  // `segment` is the number of lanes in a segment, a power of two up to the width. With `may_test`, the result may have
  // a condition in `holds`.
  SegmentOffsets(const Source &source, unsigned segment, bool may_test)
      : source(source), b(source.b), segment(segment), may_test(may_test) {
    assert(llvm::isPowerOf2_32(segment) && segment <= source.width && "segments divide the sub-group");
  }

  // Returns the addresses in this form, or nothing.
  std::optional<FixedOffsets> ofPointer(llvm::Value &pointer);

private:
  enum class Extension { Sign, Zero, Any }; // how a narrow number is extended; Any: it is not negative
  using Offsets = std::optional<FixedOffsets>;

  Offsets of(llvm::Value &value);
  llvm::Value *firstLane(llvm::Value &value);
  Offsets ofCast(llvm::CastInst &cast);
  Offsets ofPhi(llvm::PHINode &phi);
  Offsets ofOperation(llvm::BinaryOperator &op);
  Offsets scaled(llvm::BinaryOperator &op);
  Offsets extended(llvm::Value &value, Extension how, llvm::Type &wide);
  Offsets extendedPhi(llvm::PHINode &phi, Extension how, llvm::Type &wide);
  Offsets extendedOperation(llvm::BinaryOperator &op, Extension how, llvm::Type &wide);
  Offsets extendedResult(const FixedOffsets &narrow, Extension how, llvm::Type &wide);
  Offsets combined(llvm::BinaryOperator &op, const FixedOffsets &x, const FixedOffsets &y);
  Offsets product(FixedOffsets x, FixedOffsets y);
  void startInFirstLanes(FixedOffsets &offsets);
  FixedOffsets uniform(llvm::Value *scalar) const;
  llvm::Value *both(llvm::Value *a, llvm::Value *c);

  const Source source;
  llvm::IRBuilderBase &b;
  const unsigned segment;
  const bool may_test;
  unsigned steps_left = 40; // limits the search, which otherwise doubles at every operation
};

} // namespace lanecl::vectorizer
