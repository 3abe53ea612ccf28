// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Images for block functions, and where blocks of these images lie: inside, across the edges, and as far outside as the
// numbers allow.
#include "generate/sub_group_operands.h"

#include <climits>

namespace lanecl::fuzz {

namespace {

ExprPtr multiple(Maker &m, int64_t unit, unsigned count, int64_t first) { // `count` is a power of two
  if (m.chance(30))
    return m.constant(kInt, unit * (first + m.below(count)));
  const ExprPtr e = m.operation(Op::And, kInt, {m.expr(kInt, Level::SubGroup, 2), m.constant(kInt, count - 1)});
  const ExprPtr number = m.operation(Op::Add, kInt, {e, m.constant(kInt, first)});
  return unit == 1 ? number : m.operation(Op::Mul, kInt, {number, m.constant(kInt, unit)});
}

ExprPtr column(Maker &m, bool anywhere) {
  if (m.chance(8))
    return m.constant(kInt, m.chance(50) ? INT_MIN : INT_MAX - 3);
  if (anywhere && m.chance(40))
    return multiple(m, 1, 256, -100);
  return m.chance(30) ? multiple(m, 4, 4, 0) : multiple(m, 4, 64, -25);
}

ExprPtr row(Maker &m) {
  if (m.chance(8))
    return m.constant(kInt, m.chance(50) ? INT_MIN : INT_MAX);
  return m.chance(40) ? multiple(m, 1, 4, 0) : multiple(m, 1, 32, -16);
}

} // namespace

// Adds an image whose rows are a whole number of uints long, as block functions require.
void addBlockImage(Maker &m, const std::string &name, ImageShape::Access access) {
  ImageShape image{.dims = 2, .base = Base(m.below(6)), .access = access, .writer = m.below(3)};
  const unsigned most = 32 / bitsOf(image.base);
  const std::vector<unsigned> channels{1, 1, 2, 4};
  do
    image.channels = m.pick(channels);
  while (image.channels > most);
  const unsigned texels = most / image.channels; // number of texels in a uint
  image.width = texels * (1 + m.below(m.chance(20) ? 4 : 48));
  image.height = 1 + m.below(12);
  m.addMemory({.role = MemoryObject::Role::Image,
               .name = name,
               .type = {isSigned(image.base) ? Base::Int : Base::UInt, 4},
               .count = image.width * image.height,
               .image = image});
}

// Adds the operands of an image block function: the values that are written, and the positions.
void addImageBlock(Maker &m, Stmt &s) {
  const SubGroupKind kind = infoOf(s.sub_group).kind;
  if (kind != SubGroupKind::ImageBlockRead)
    s.values = {m.expr(s.type, Level::Lane, 1), column(m, false), row(m)};
  if (kind != SubGroupKind::ImageBlockWrite) {
    s.values.push_back(column(m, true));
    s.values.push_back(row(m));
  }
  s.number = m.below(2) * BlockNumber::kPlain;
}

} // namespace lanecl::fuzz
