// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lanes/memory/register_transpose.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/Support/MathExtras.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer::lanes {
namespace {

constexpr unsigned kBlockBits = 128; // the shuffles used here stay within 128 bits

// How blocks of memory are distributed over registers. A register holds one block of each of `blocks` lanes that are
// `block` lanes apart. The elements of a component are then in lane order once the blocks have been transposed.
// Example, floats on AVX2: register k holds structure elements 0-3 of lane k in its lower half, those of lane k + 4 in
// its upper half.
struct Layout {
  unsigned block, blocks; // elements in a block, blocks in a register

  Layout(const LaneContext &c, Type *element)
      : block(kBlockBits / element->getScalarSizeInBits()), blocks(c.target.registerBits() / kBlockBits) {}
  unsigned lanes() const { return block * blocks; } // lanes of one component in a register
};

unsigned elementsOf(const Value *vector) {
  return cast<FixedVectorType>(vector->getType())->getNumElements();
}

Value *slice(const LaneContext &c, Value *vector, unsigned first, unsigned count) {
  return c.b.CreateShuffleVector(vector, createSequentialMask(first, count, 0));
}

// Interleaves the elements of the lower or the upper halves of all blocks: elements of x and y alternate.
Value *unpack(const LaneContext &c, Value *x, Value *y, const Layout &layout, bool upper) {
  SmallVector<int, 64> mask;
  for (unsigned i = 0; i < elementsOf(x); ++i) {
    const unsigned within = i % layout.block;
    const unsigned from = i - within + within / 2 + (upper ? layout.block / 2 : 0);
    mask.push_back(int(from + (within % 2 == 0 ? 0 : elementsOf(x))));
  }
  return c.b.CreateShuffleVector(x, y, mask);
}

// Transposes as many registers as a block has elements: element i of register k becomes element k of register i, in all
// blocks. The function is its own inverse.
LaneVectors transpose(const LaneContext &c, LaneVectors registers, const Layout &layout) {
  assert(registers.size() == layout.block && "a register for each element of a block");
  const size_t half = registers.size() / 2;
  for (unsigned step = 1; step < layout.block; step *= 2) {
    LaneVectors next;
    for (size_t k = 0; k < half; ++k)
      for (bool upper : {false, true})
        next.push_back(unpack(c, registers[k], registers[k + half], layout, upper));
    registers = std::move(next);
  }
  return registers;
}

} // namespace

bool isTransposed(const LaneContext &c, Type *element, unsigned n) {
  if (c.target.level == IsaLevel::Avx512)
    return false;
  const unsigned bits = element->getScalarSizeInBits();
  if (bits != 32 && bits != 64)
    return false;
  const Layout layout(c, element);
  return n % layout.block == 0 && c.width % layout.lanes() == 0;
}

LaneVectors transposeToComponents(const LaneContext &c, Value *wide, unsigned n) {
  assert(isTransposed(c, wide->getType()->getScalarType(), n) && elementsOf(wide) == c.width * n && "whole blocks");
  const Layout layout(c, wide->getType()->getScalarType());
  SmallVector<LaneVectors, 16> components(n);
  for (unsigned lane = 0; lane < c.width; lane += layout.lanes())
    for (unsigned first = 0; first < n; first += layout.block) {
      LaneVectors registers;
      for (unsigned k = 0; k < layout.block; ++k) {
        LaneVectors parts;
        for (unsigned i = 0; i < layout.blocks; ++i)
          parts.push_back(slice(c, wide, (lane + i * layout.block + k) * n + first, layout.block));
        registers.push_back(concatenateVectors(c.b, parts));
      }
      for (const auto &[k, component] : enumerate(transpose(c, registers, layout)))
        components[first + k].push_back(component);
    }
  return LaneVectors(map_range(components, [&](const LaneVectors &parts) { return concatenateVectors(c.b, parts); }));
}

LaneVectors transposeToGroups(const LaneContext &c, ArrayRef<Value *> components) {
  const Layout layout(c, components[0]->getType()->getScalarType());
  const auto n = unsigned(components.size());
  assert(isTransposed(c, components[0]->getType()->getScalarType(), n) && "structures of whole blocks");
  LaneVectors memory(size_t(c.width) * n / layout.block); // one entry for each block
  for (unsigned lane = 0; lane < c.width; lane += layout.lanes())
    for (unsigned first = 0; first < n; first += layout.block) {
      LaneVectors registers;
      for (unsigned k = 0; k < layout.block; ++k)
        registers.push_back(slice(c, components[first + k], lane, layout.lanes()));
      for (const auto &[k, lanes] : enumerate(transpose(c, registers, layout)))
        for (unsigned i = 0; i < layout.blocks; ++i)
          memory[((lane + i * layout.block + k) * n + first) / layout.block] =
              slice(c, lanes, i * layout.block, layout.block);
    }
  LaneVectors result;
  for (size_t i = 0; i < memory.size(); i += layout.blocks)
    result.push_back(concatenateVectors(c.b, ArrayRef(memory).slice(i, layout.blocks)));
  return result;
}

} // namespace lanecl::vectorizer::lanes
