// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Values that are one scalar plus a constant of the lane, in all lanes or in each segment of neighbouring ones: ids in
// a work-group of known size, and what is computed from them.
#pragma once

#include "analysis/shape_analysis.h"

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"

#include <optional>

namespace lanecl::vectorizer {

// An active lane l has its segment's start + steps[l], modulo the type's width.
struct FixedOffsets {
  llvm::SmallVector<llvm::Value *, 4> starts; // one for each segment, or one for all lanes
  llvm::SmallVector<llvm::APInt, 32> steps;   // those of a pointer are bytes
  llvm::Value *holds = nullptr;               // i1: it is so; null: always

  llvm::Value *startOf(unsigned lane) const { return starts[lane * starts.size() / steps.size()]; }
};

// Emits the scalars where the builder stands. What a lane would have if it were active the scalars say for inactive
// lanes, too, so the first lane of a segment need not be active.
class SegmentOffsets {
public:
  struct Source {
    llvm::IRBuilderBase &b;
    const ShapeInfo &shapes;
    llvm::function_ref<llvm::Value *(llvm::Value *)> scalar_of; // of a uniform value, or lane 0's of a strided one
    // Of a varying value; null where not all lanes are active.
    llvm::function_ref<llvm::Value *(llvm::Value *)> first_lane_of;
    unsigned width;
  };
  // `segment` lanes, a power of two up to the width. `may_test`: `holds` may be needed.
  SegmentOffsets(const Source &source, unsigned segment, bool may_test)
      : source(source), b(source.b), segment(segment), may_test(may_test) {}

  std::optional<FixedOffsets> ofPointer(llvm::Value &pointer);

private:
  enum class Extension { Sign, Zero, Any }; // Any: the number is not negative
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
  unsigned steps_left = 40; // of the search, which otherwise doubles at every operation
};

} // namespace lanecl::vectorizer
