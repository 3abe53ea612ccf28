// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Writes numbers and strings into a byte string, and reads them back without leaving its bounds.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace lanecl::frontend {

// A string is written as its size and its bytes. Numbers take eight bytes, in the order of this machine.
class ByteWriter {
public:
  ByteWriter &number(uint64_t value) {
    bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
    return *this;
  }
  ByteWriter &text(std::string_view value) {
    number(value.size());
    bytes.append(value);
    return *this;
  }
  std::string take() { return std::move(bytes); }

private:
  std::string bytes;
};

// Reads back what ByteWriter wrote. Each function returns false, and reads nothing, if too few bytes are left.
class ByteReader {
public:
  explicit ByteReader(std::string_view bytes) : rest(bytes) {}

  bool number(uint64_t &value) {
    if (rest.size() < sizeof value)
      return false;
    std::memcpy(&value, rest.data(), sizeof value);
    rest.remove_prefix(sizeof value);
    return true;
  }
  bool text(std::string &value) {
    uint64_t size = 0;
    if (!number(size) || size > rest.size())
      return false;
    value.assign(rest.substr(0, size));
    rest.remove_prefix(size);
    return true;
  }
  bool atEnd() const { return rest.empty(); }

private:
  std::string_view rest;
};

} // namespace lanecl::frontend
