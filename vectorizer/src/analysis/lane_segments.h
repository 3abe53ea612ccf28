// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A guess how a varying value goes through the lanes: in segments of neighbours that rise by one stride, as lane / 8,
// lane % 16, lane ^ 16, or the x and y of i % width and i / width. Only ids and what is the same for all lanes make
// such values; nothing is guessed of what was loaded.
//
// It is a guess. Wrap-around, the place where a row ends, or a number that only the launch knows may make it wrong, so
// code that uses it tests it at run time.
#pragma once

#include "analysis/shape_analysis.h"

namespace lanecl::vectorizer {

struct LaneSegments {
  unsigned lanes = 0; // of a segment, a power of two up to the sub-group's width; 0: no guess
  int64_t stride = 0; // from lane to lane within it; integers in units of one, pointers in bytes
};

LaneSegments guessSegments(const llvm::Value &value, const ShapeInfo &shapes, unsigned width);

} // namespace lanecl::vectorizer
