// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "faults/fault_text.h"

#include "icd/counted.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstring>

#include <unistd.h>

namespace lanecl::icd {

FaultText &FaultText::operator<<(std::string_view text) {
  const size_t count = std::min(text.size(), buffer.size() - length);
  std::memcpy(buffer.data() + length, text.data(), count);
  length += count;
  return *this;
}

FaultText &FaultText::operator<<(uint64_t number) {
  char digits[20];
  return *this << std::string_view(digits, std::to_chars(digits, std::end(digits), number).ptr);
}

FaultText &FaultText::hexadecimal(uint64_t number) {
  char digits[16];
  return *this << "0x" << std::string_view(digits, std::to_chars(digits, std::end(digits), number, 16).ptr);
}

FaultText &FaultText::counted(uint64_t count, std::string_view noun) {
  return *this << count << " " << noun << pluralEnding(count, noun);
}

FaultText &FaultText::ids(const std::array<uint64_t, 3> &ids) {
  return *this << "(" << ids[0] << "," << ids[1] << "," << ids[2] << ")";
}

FaultText &FaultText::lanes(uint64_t mask) {
  for (uint64_t left = mask; left != 0;) {
    const auto first = uint64_t(std::countr_zero(left));
    const auto count = uint64_t(std::countr_one(left >> first));
    *this << (left == mask ? "" : ",") << first;
    if (count > 1)
      *this << "-" << first + count - 1;
    left &= first + count == 64 ? 0 : ~uint64_t(0) << (first + count);
  }
  return *this;
}

void FaultText::writeTo(int descriptor) const {
  for (size_t done = 0; done < length;) {
    const ssize_t count = write(descriptor, buffer.data() + done, length - done);
    if (count < 0 && errno != EINTR)
      return;
    done += count > 0 ? size_t(count) : 0;
  }
}

} // namespace lanecl::icd
