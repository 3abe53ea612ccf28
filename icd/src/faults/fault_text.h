// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Builds text in a signal handler: it neither allocates memory nor calls functions of the C library that may lock.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace lanecl::icd {

class FaultText {
public:
  FaultText &operator<<(std::string_view text);
  FaultText &operator<<(uint64_t number);
  FaultText &hexadecimal(uint64_t number);                   // as 0x7f
  FaultText &counted(uint64_t count, std::string_view noun); // as 1 byte, 2 bytes
  FaultText &ids(const std::array<uint64_t, 3> &ids);        // as (3,0,0)
  FaultText &lanes(uint64_t mask);                           // as 0-3,7

  std::string_view text() const { return {buffer.data(), length}; }
  void writeTo(int descriptor) const; // gives up at the first error

private:
  std::array<char, 4096> buffer; // text that does not fit is cut off
  size_t length = 0;
};

} // namespace lanecl::icd
