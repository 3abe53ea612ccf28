// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs a kernel at every sub-group size and compares each work-item's result with a function on the host.
//
//   checkEachItem("KERNEL void k(global const int *in, global int *out) {…}", [](const Item &item) { return …; });
//
// KERNEL asks for a sub-group size of WIDTH work-items.
#pragma once

#include "support/selection.hpp"
#include "support/session.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <string>

namespace lanecl::test {

struct Item {
  const std::vector<int> &in;
  size_t global, local, group; // linear ids
  size_t local_size, width;
  int x() const { return in[global]; } // the work-item's own input
  size_t lane() const { return local % width; }
  size_t subGroup() const { return local / width; }
  size_t subGroupSize() const { return std::min(width, local_size - subGroup() * width); }
  // Returns the input of another lane of the sub-group.
  int lane(size_t number) const { return in[global - lane() + number]; }
};

inline std::vector<int> mixedInput(size_t count) {
  std::vector<int> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = int((uint32_t(i) * 2654435761u >> 7) % 100);
  return values;
}

inline Program buildForWidth(const Session &cl, const std::string &source, size_t width,
                             const std::string &standard = "CL3.0") {
  return cl.build("#define KERNEL __attribute__((intel_reqd_sub_group_size(WIDTH))) kernel\n" + source,
                  "-cl-std=" + standard + " -DWIDTH=" + std::to_string(width));
}

// `locals` are local sizes. Three times the product of a local size is the number of work-items. Each sub-group size
// gets every second of the local sizes. The first one differs from source to source, so that over all tests each
// sub-group size meets each local size. In repeated runs, with debugging or sanitizers, it is one in four.
inline void checkEachItem(const std::string &source, const std::function<int(const Item &)> &expected,
                          const std::vector<std::vector<size_t>> &locals = {{64}, {37}, {5}, {1}},
                          const std::string &standard = "CL3.0") {
  const Session cl;
  const size_t one_in = std::min<size_t>(isRepeated() ? 4 : 2, locals.size());
  size_t turn = source.size();
  for (const size_t width : widthsInTurn()) {
    const Program program = buildForWidth(cl, source, width, standard);
    size_t number = turn++; // neighboring local sizes take turns
    for (const std::vector<size_t> &local : locals) {
      if (!isInTurn(number++, one_in))
        continue;
      size_t local_size = 1;
      for (size_t size : local)
        local_size *= size;
      std::vector<size_t> global = local;
      global.back() *= 3; // so that work-groups follow each other
      const std::vector<int> input = mixedInput(3 * local_size);
      Memory in = cl.buffer(input), out = cl.buffer(std::vector<int>(input.size(), -12345));
      cl.run(cl.kernel(program, "k"), global, local, in, out);
      std::vector<int> want;
      for (size_t i = 0; i < input.size(); ++i)
        want.push_back(expected({input, i, i % local_size, i / local_size, local_size, width}));
      INFO("sub-groups of " << width << ", local size " << Catch::StringMaker<std::vector<size_t>>::convert(local));
      CHECK(cl.read<int>(out) == want);
    }
  }
}

} // namespace lanecl::test
