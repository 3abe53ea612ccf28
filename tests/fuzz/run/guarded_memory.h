// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Memory that ends at a page which must not be accessed, so that an access past the end is noticed.
#pragma once

#include <cstddef>

namespace lanecl::fuzz {

// A mapping of whole pages, followed by an inaccessible one. The usable bytes end where that page starts.
class GuardedMemory {
public:
  explicit GuardedMemory(size_t bytes); // aligned to the largest power of two that divides `bytes`
  ~GuardedMemory();
  GuardedMemory(GuardedMemory &&other) noexcept;
  GuardedMemory(const GuardedMemory &) = delete;
  GuardedMemory &operator=(const GuardedMemory &) = delete;

  void *start() const;

private:
  size_t bytes, usable; // `usable`: size of the whole pages before that page
  unsigned char *mapping;
};

} // namespace lanecl::fuzz
