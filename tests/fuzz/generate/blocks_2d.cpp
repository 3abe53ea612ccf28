// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Where two-dimensional blocks lie: inside their region of memory, across its edges, and outside.
#include "generate/sub_group_operands.h"

#include "language/blocks_2d.h"

namespace lanecl::fuzz {

namespace {

// Returns first + i * step for some i below `count`. The compiler may or may not know i.
ExprPtr oneOf(Maker &m, int64_t first, int64_t step, unsigned count) { // `count` is a power of two
  if (m.chance(25))
    return m.constant(kInt, first + step * m.below(count));
  const ExprPtr e = m.operation(Op::And, kInt, {m.expr(kInt, Level::SubGroup, 2), m.constant(kInt, count - 1)});
  return m.operation(Op::Add, kInt, {m.operation(Op::Mul, kInt, {e, m.constant(kInt, step)}), m.constant(kInt, first)});
}

// Adds the region's operands. A row has 64 bytes or some more, and there are as many rows as there is room for, or
// fewer.
void addRegion(Maker &m, Stmt &s, unsigned bytes) {
  const unsigned pitch = 64 + 16 * m.below(bytes < 512 ? 2 : 5), most = bytes / pitch;
  s.values.push_back(m.chance(40) ? m.constant(kInt, 64) : oneOf(m, 64, 4, 1 + (pitch - 64) / 4 / 16 * 15));
  s.values.push_back(m.chance(60) ? m.constant(kInt, most - m.below(most > 2 ? 3 : 1))
                                  : oneOf(m, 1, 1, most >= 16 ? 16 : 2));
  s.values.push_back(m.constant(kInt, pitch));
}

} // namespace

// Adds the operands of a two-dimensional block function. Blocks may lie partly before the start or past the end of the
// region.
void addBlock2d(Maker &m, Stmt &s) {
  const Block2d block = block2dOf(s.sub_group);
  const MemoryObject &object = m.kernel.memories[s.memory];
  const bool is_scratch = object.isScratch(), writes = infoOf(s.sub_group).kind == SubGroupKind::Block2dWrite;
  s.type = {block.value(), uint8_t(std::min(block.values(), kMaxLanes))};
  s.number = is_scratch ? 0 : m.below(4);
  const unsigned cells = is_scratch ? Block2d::kWidth * object.count : object.count;
  if (writes)
    s.values = {m.expr(s.type, Level::Lane, 1)};
  const int step = int(block.step());
  s.values.push_back(oneOf(m, -8 * step, step, 32));
  s.values.push_back(m.chance(50) ? oneOf(m, -2, 1, 4) : oneOf(m, -20, 1, cells < 512 ? 32 : 64));
  addRegion(m, s, cells * 4 - unsigned(s.number) * 64);
  if (writes)
    s.values.push_back(m.operation(Op::And, kUInt, {m.expr(kUInt, Level::Lane, 2), m.constant(kUInt, cells - 1)}));
}

} // namespace lanecl::fuzz
