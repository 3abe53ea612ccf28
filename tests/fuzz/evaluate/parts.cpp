// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Members of unions, and bytes accessed through a cast pointer. Both access a part of the bytes of a scalar or vector
// in memory.
#include "evaluate/work_group.h"

#include <cstring>

namespace lanecl::fuzz {

namespace {

using Bytes = std::array<unsigned char, kMaxLanes * 8>;

// The host is little endian, as the device is.
Bytes bytesOf(Type type, const Value &v) {
  Bytes bytes{};
  const unsigned size = bitsOf(type.base) / 8;
  for (unsigned i = 0; i < type.lanes; ++i)
    std::memcpy(&bytes[i * size], &v.c[i], size);
  return bytes;
}

Value valueOf(Type type, const unsigned char *bytes) {
  Value v;
  const unsigned size = bitsOf(type.base) / 8;
  for (unsigned i = 0; i < type.lanes; ++i)
    std::memcpy(&v.c[i], bytes + i * size, size);
  return v;
}

} // namespace

// Returns where the part starts, in bytes.
size_t WorkGroup::partOffset(const Expr &e, Item &item) {
  return size_t(subscript(e, 1, partsOf(e.args[0]->type, e.type), item)) * e.type.lanes * bitsOf(e.type.base) / 8;
}

Value WorkGroup::part(const Expr &e, Item &item) {
  const Bytes bytes = bytesOf(e.args[0]->type, load(*e.args[0], item));
  return valueOf(e.type, &bytes[partOffset(e, item)]);
}

// The bytes around the part keep their values.
void WorkGroup::assignPart(const Target &t, const Value &v, Item &item) {
  const Expr &e = *t.element, &whole = *e.args[0];
  Bytes bytes = bytesOf(whole.type, load(whole, item));
  const unsigned size = bitsOf(e.type.base) / 8;
  const size_t begin = partOffset(e, item);
  const std::vector<uint8_t> &components = t.swizzle.components;
  for (size_t i = 0; i < (components.empty() ? e.type.lanes : components.size()); ++i)
    std::memcpy(&bytes[begin + (components.empty() ? i : components[i]) * size], &v.c[i], size);
  write(locate(whole, item), whole.type.lanes, valueOf(whole.type, bytes.data()), item);
}

} // namespace lanecl::fuzz
