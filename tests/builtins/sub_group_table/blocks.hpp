// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Block reads, writes and prefetches of global and local memory.
#pragma once

#include "launches.hpp"
#include "support/session.hpp"

namespace lanecl::test::table {

// The functions of one component type in one address space.
struct BlockFunctions {
  Type type;
  const char *suffix; // _us; one pair of functions has none
  const char *address_space;
  unsigned count; // of components

  // What the table covers: reads, writes, prefetches and the barriers in between.
  std::vector<std::string> signatures() const;
};
std::vector<BlockFunctions> blockFunctions();

class BlockRunner {
public:
  // Prints the number of cases.
  ~BlockRunner();

  void run(unsigned width);
  std::string failures() const { return messages; }

private:
  void launch(const BlockFunctions &functions, const Kernel &kernel, const Shape &shape, unsigned width);

  Session cl;
  size_t cases = 0;
  std::string messages;
};

} // namespace lanecl::test::table
