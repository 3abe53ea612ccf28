// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "launches.hpp"

#include <algorithm>
#include <numeric>

namespace lanecl::test::table {
namespace {

using Size = std::array<size_t, 3>;

size_t product(const Size &size) {
  return size[0] * size[1] * size[2];
}

} // namespace

Size threeDimensions(const std::vector<size_t> &size) {
  Size result{1, 1, 1};
  std::copy(size.begin(), size.end(), result.begin());
  return result;
}

size_t Shape::items() const {
  return product(threeDimensions(global));
}

std::vector<Shape> shapes(unsigned width) {
  const size_t w = width;
  return {{"full", {2 * w}, {4 * w}},
          {"partial", {w + 3}, {2 * w + 6}},
          {"wrapped rows", {w / 2 + 1, 5}, {w + 2, 5}},
          {"smaller than a sub-group", {5}, {20}},
          {"rows", {w, 3}, {2 * w, 3}},
          {"wrapped in three dimensions", {5, 3, w / 4}, {5, 6, w / 4}},
          {"rows in three dimensions", {w / 2, 2, 3}, {w, 2, 3}},
          {"a smaller work-group at the end", {2 * w}, {4 * w + w / 2 + 1}}};
}

std::vector<SubGroup> subGroupsOf(const Shape &shape, unsigned width, const Inputs &inputs) {
  const Size global = threeDimensions(shape.global), local = threeDimensions(shape.local);
  const auto count = [width](const Size &size) { return unsigned((product(size) + width - 1) / width); };
  std::vector<SubGroup> result;
  Size first;
  for (first[2] = 0; first[2] < global[2]; first[2] += local[2])
    for (first[1] = 0; first[1] < global[1]; first[1] += local[1])
      for (first[0] = 0; first[0] < global[0]; first[0] += local[0]) {
        Size size;
        for (size_t d = 0; d < 3; ++d)
          size[d] = std::min(local[d], global[d] - first[d]);
        for (size_t linear = 0; linear < product(size); ++linear) {
          if (linear % width == 0)
            result.push_back({inputs, width, unsigned(linear / width), count(size), count(local), {}});
          const size_t x = first[0] + linear % size[0], y = first[1] + linear / size[0] % size[1],
                       z = first[2] + linear / (size[0] * size[1]);
          result.back().items.push_back((z * global[1] + y) * global[0] + x);
        }
      }
  return result;
}

} // namespace lanecl::test::table
