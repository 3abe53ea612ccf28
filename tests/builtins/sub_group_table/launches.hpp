// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Where the work-items of a launch are: the shapes worth trying, and their sub-groups in linear local order.
#pragma once

#include "table.hpp"

#include <array>

namespace lanecl::test::table {

struct Shape {
  const char *name;
  std::vector<size_t> local, global; // one to three dimensions

  size_t items() const;
};

// Ones for the dimensions that are not there.
std::array<size_t, 3> threeDimensions(const std::vector<size_t> &size);

// The first one has full sub-groups only.
std::vector<Shape> shapes(unsigned width);

// The sub-groups of all work-groups, none of their lanes calling yet.
std::vector<SubGroup> subGroupsOf(const Shape &shape, unsigned width, const Inputs &inputs);

} // namespace lanecl::test::table
