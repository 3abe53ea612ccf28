// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// NDRanges in one to three dimensions, with whole and with smaller work-groups.
#pragma once

#include "support/selection.hpp"
#include "support/session.hpp"

namespace lanecl::test {

struct Shape {
  std::vector<size_t> global, local; // the last work-group of a row may be smaller
};
inline const Shape kShapes[] = {{{128}, {64}},          {{100}, {37}},     {{7}, {7}},
                                {{24, 10}, {8, 5}},     {{21, 9}, {5, 4}}, {{12, 6, 4}, {6, 3, 2}},
                                {{11, 7, 5}, {4, 3, 2}}};

// Returns every third shape, starting with number `first`. In repeated runs it returns only one of these, which depends
// on the width. A test of several types passes another `first` for each type, so that all types together meet all
// shapes.
inline std::vector<Shape> shapesFrom(size_t first, size_t width) {
  std::vector<Shape> chosen;
  for (size_t number = first; number < std::size(kShapes); number += 3)
    chosen.push_back(kShapes[number]);
  if (isRepeated() && !runsEverything())
    return {chosen[width / 8 % chosen.size()]};
  return chosen;
}

// Returns the work-items of each work-group in linear local order, as global linear ids.
inline std::vector<std::vector<size_t>> groupsOf(const Shape &shape) {
  std::vector<size_t> global = shape.global, local = shape.local;
  global.resize(3, 1);
  local.resize(3, 1);
  std::vector<std::vector<size_t>> groups;
  for (size_t gz = 0; gz < global[2]; gz += local[2])
    for (size_t gy = 0; gy < global[1]; gy += local[1])
      for (size_t gx = 0; gx < global[0]; gx += local[0]) {
        std::vector<size_t> &group = groups.emplace_back();
        for (size_t z = gz; z < std::min(gz + local[2], global[2]); ++z)
          for (size_t y = gy; y < std::min(gy + local[1], global[1]); ++y)
            for (size_t x = gx; x < std::min(gx + local[0], global[0]); ++x)
              group.push_back((z * global[1] + y) * global[0] + x);
      }
  return groups;
}

inline size_t itemsOf(const Shape &shape) {
  size_t items = 1;
  for (size_t size : shape.global)
    items *= size;
  return items;
}

} // namespace lanecl::test
