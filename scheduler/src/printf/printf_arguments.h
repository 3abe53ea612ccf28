// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The packed arguments of one printf call. vectorizer/contract/abi.h describes their layout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace lanecl::scheduler {

// One argument: `count` components of `size` bytes each.
struct PrintfArgument {
  const std::byte *components = nullptr;
  unsigned size = 0; // bytes of one component
  unsigned count = 0;
  bool floating = false, pointer = false;

  // Return component `index`, converted to that kind of number. `most` is how many bytes of an integer are used.
  int64_t asSigned(unsigned index, unsigned most = 8) const;
  uint64_t asUnsigned(unsigned index, unsigned most = 8) const;
  double asDouble(unsigned index) const;
};

class PrintfArguments {
public:
  PrintfArguments(const std::byte *packed, size_t bytes) : at(packed), left(bytes) {}
  std::optional<PrintfArgument> next(); // returns nothing when there are no more, or when the layout is not valid

private:
  const std::byte *at;
  size_t left;
};

} // namespace lanecl::scheduler
