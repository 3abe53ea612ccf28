// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Guesses how a varying value changes from lane to lane, for values that rise by one stride within segments of
// neighboring lanes but jump between segments.
//
//   lane % 16         0 1 2 … 15 | 0 1 2 … 15      segments of 16 lanes, stride 1
//   lane / 8          0 0 0 … 0 | 1 1 1 … 1        segments of 8 lanes, stride 0
//   lane ^ 16, and x and y in x = i % width, y = i / width
//
// A memory access with such an index can use one vector access for each segment instead of a gather. Values are
// followed back through arithmetic to ids and uniform values; nothing is guessed about a loaded value.
//
// The result is only a guess. Wrap-around, a row that ends within a segment, or a uniform number that is known only at
// launch may make it wrong, so code that uses it tests it at run time.
#pragma once

#include "analysis/shapes/shape_analysis.h"

namespace lanecl::vectorizer {

// A guess: in each group of `lanes` neighboring lanes, the value rises by `stride` from lane to lane.
struct LaneSegments {
  unsigned lanes = 0; // a power of two up to the sub-group's width; 0: no guess
  int64_t stride = 0; // integers in units of one, pointers in bytes
};

// Returns the guess for a sub-group of `width` lanes.
LaneSegments guessSegments(const llvm::Value &value, const ShapeInfo &shapes, unsigned width);

} // namespace lanecl::vectorizer
