// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The packed arguments of one printf call; the layout is in vectorizer/contract/abi.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace lanecl::scheduler {

struct PrintfArgument {
  const std::byte *components = nullptr;
  unsigned size = 0; // of one component, in bytes
  unsigned count = 0;
  bool floating = false, pointer = false;

  // Component `index`, converted to that kind of number. `most` limits the bytes taken of an integer.
  int64_t asSigned(unsigned index, unsigned most = 8) const;
  uint64_t asUnsigned(unsigned index, unsigned most = 8) const;
  double asDouble(unsigned index) const;
};

class PrintfArguments {
public:
  PrintfArguments(const std::byte *packed, size_t bytes) : at(packed), left(bytes) {}
  std::optional<PrintfArgument> next(); // nothing: no more, or not a valid layout

private:
  const std::byte *at;
  size_t left;
};

} // namespace lanecl::scheduler
