// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Memory operations move the right bytes and touch no others: data lies against pages that fault.
#include "harness.h"

#include "lanes/memory/memory.h"

#include <catch2/catch.hpp>
#include <cstring>

using namespace lanecl::vectorizer::lanes;
using namespace lanecl::vectorizer::lanes::test;

namespace {

constexpr unsigned kComponents[] = {2, 3, 4, 8, 16};
constexpr int64_t kStrides[] = {1, 2, 3, 4, 5, 7, 8, 12, -1, -2};

uint64_t allLanes(unsigned width) {
  return width == 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
}
bool isActive(uint64_t mask, unsigned lane) {
  return mask >> lane & 1;
}

// Where in memory, in elements from the pointer, lane l's component k lies.
using Place = std::function<int64_t(unsigned lane, unsigned k)>;

// An access pattern: n lane vectors from or to memory.
struct Pattern {
  std::string name;
  unsigned n;
  Place place;
  std::function<LaneVectors(const LaneContext &, llvm::Type *, llvm::Value *ptr, llvm::Value *mask, llvm::Align)> load;
  std::function<void(const LaneContext &, llvm::ArrayRef<llvm::Value *>, llvm::Value *ptr, llvm::Value *mask,
                     llvm::Align)>
      store; // may be empty
};

Pattern consecutive() {
  return {"consecutive", 1, [](unsigned lane, unsigned) { return int64_t(lane); },
          [](const LaneContext &c, llvm::Type *type, llvm::Value *ptr, llvm::Value *mask, llvm::Align align) {
            return LaneVectors{emitLoadConsecutive(c, type, ptr, mask, align)};
          },
          [](const LaneContext &c, llvm::ArrayRef<llvm::Value *> v, llvm::Value *ptr, llvm::Value *mask,
             llvm::Align align) { emitStoreConsecutive(c, v[0], ptr, mask, align); }};
}

Pattern reverse() {
  return {"reverse", 1, [](unsigned lane, unsigned) { return -int64_t(lane); },
          [](const LaneContext &c, llvm::Type *type, llvm::Value *ptr, llvm::Value *mask, llvm::Align align) {
            return LaneVectors{emitLoadReverse(c, type, ptr, mask, align)};
          },
          [](const LaneContext &c, llvm::ArrayRef<llvm::Value *> v, llvm::Value *ptr, llvm::Value *mask,
             llvm::Align align) { emitStoreReverse(c, v[0], ptr, mask, align); }};
}

Pattern strided(unsigned n) {
  return {"strided" + std::to_string(n), n, [n](unsigned lane, unsigned k) { return int64_t(lane * n + k); },
          [n](const LaneContext &c, llvm::Type *type, llvm::Value *ptr, llvm::Value *mask, llvm::Align align) {
            return emitLoadStrided(c, type, n, n, ptr, mask, align);
          },
          emitStoreStrided};
}

// Three components in the room of four.
Pattern threeOfFour() {
  return {"three_of_four", 3, [](unsigned lane, unsigned k) { return int64_t(lane * 4 + k); },
          [](const LaneContext &c, llvm::Type *type, llvm::Value *ptr, llvm::Value *mask, llvm::Align align) {
            return emitLoadStrided(c, type, 3, 4, ptr, mask, align);
          },
          nullptr};
}

Pattern block(unsigned n, unsigned width) {
  return {"block" + std::to_string(n), n, [width](unsigned lane, unsigned k) { return int64_t(lane + k * width); },
          [n](const LaneContext &c, llvm::Type *type, llvm::Value *ptr, llvm::Value *mask, llvm::Align align) {
            return emitBlockRead(c, type, n, ptr, mask, align);
          },
          emitBlockWrite};
}

Pattern constantStride(int64_t stride) {
  return {"stride" + std::to_string(stride), 1, [stride](unsigned lane, unsigned) { return int64_t(lane) * stride; },
          [stride](const LaneContext &c, llvm::Type *type, llvm::Value *ptr, llvm::Value *mask, llvm::Align align) {
            return LaneVectors{emitLoadConstantStride(c, type, ptr, stride, mask, align)};
          },
          nullptr};
}

std::vector<Pattern> patterns(unsigned width, const TestIsa &isa) {
  std::vector<Pattern> all;
  for (int64_t stride : kStrides)
    all.push_back(constantStride(stride));
  if (!isa.target.fast_gather) // the others never gather
    return all;
  all.insert(all.end(), {consecutive(), reverse(), threeOfFour()});
  for (unsigned n : kComponents) {
    all.push_back(strided(n));
    all.push_back(block(n, width));
  }
  return all;
}

// Loads write their n vectors one behind the other to `out`; stores read them from there (passed as b).
void addPattern(LaneModule &module, const Pattern &pattern, const ElementType &type) {
  const llvm::Align align(type.bytes);
  const std::string name = pattern.name + "." + type.name;
  const auto at = [&](const LaneContext &c, llvm::Value *base, unsigned k) {
    return c.b.CreatePtrAdd(base, c.b.getInt64(k * c.width * type.bytes));
  };
  for (bool full : {false, true}) {
    module.add("load." + name + (full ? ".full" : ""), [&](const LaneContext &c, const Parameters &p) {
      const LaneVectors v = pattern.load(c, type.get(c.b.getContext()), p.a, full ? nullptr : p.mask, align);
      for (unsigned k = 0; k < pattern.n; ++k)
        storeLanes(c, v[k], at(c, p.out, k));
    });
    if (!pattern.store)
      continue;
    module.add("store." + name + (full ? ".full" : ""), [&](const LaneContext &c, const Parameters &p) {
      LaneVectors v;
      for (unsigned k = 0; k < pattern.n; ++k)
        v.push_back(loadLanes(c, type.get(c.b.getContext()), at(c, p.b, k)));
      pattern.store(c, v, p.a, full ? nullptr : p.mask, align);
    });
  }
}

struct Range {
  int64_t low, high; // first and last element touched
};

Range touched(const Pattern &pattern, uint64_t mask, unsigned width) {
  Range range{INT64_MAX, INT64_MIN};
  for (unsigned lane = 0; lane < width; ++lane)
    for (unsigned k = 0; k < pattern.n && isActive(mask, lane); ++k) {
      range.low = std::min(range.low, pattern.place(lane, k));
      range.high = std::max(range.high, pattern.place(lane, k));
    }
  return range.low > range.high ? Range{0, -1} : range;
}

// Where the pattern's pointer is when its touched range ends at the upper, or starts at the lower, faulting page.
std::byte *placePointer(GuardedBytes &memory, const Range &range, unsigned bytes, bool at_end) {
  return at_end ? memory.endingWith(0) - (range.high + 1) * bytes : memory.beginning() - range.low * bytes;
}

void checkLoad(Function function, const Pattern &pattern, unsigned bytes, unsigned width, uint64_t mask,
               std::byte *pointer) {
  std::vector<std::byte> out(pattern.n * width * bytes, std::byte(0x5a)), expected(out.size());
  function(pointer, nullptr, out.data(), mask, 0);
  for (unsigned k = 0; k < pattern.n; ++k)
    for (unsigned lane = 0; lane < width; ++lane)
      if (isActive(mask, lane))
        std::memcpy(&expected[(k * width + lane) * bytes], pointer + pattern.place(lane, k) * bytes, bytes);
  CHECK(out == expected); // inactive lanes are zero
  countCase();
}

void checkStore(Function function, const Pattern &pattern, unsigned bytes, unsigned width, uint64_t mask,
                GuardedBytes &memory, std::byte *pointer, std::mt19937_64 &random) {
  std::vector<std::byte> values(pattern.n * width * bytes);
  fillRandom(values.data(), values.size(), random);
  std::vector<std::byte> expected(memory.beginning(), memory.beginning() + GuardedBytes::kSize);
  const int64_t base = pointer - memory.beginning();
  for (unsigned k = 0; k < pattern.n; ++k)
    for (unsigned lane = 0; lane < width; ++lane)
      if (isActive(mask, lane))
        std::memcpy(&expected[size_t(base + pattern.place(lane, k) * bytes)], &values[(k * width + lane) * bytes],
                    bytes);
  function(pointer, values.data(), nullptr, mask, 0);
  CHECK(std::memcmp(expected.data(), memory.beginning(), expected.size()) == 0);
  countCase();
}

void checkPattern(LaneModule &module, const Pattern &pattern, const ElementType &type, unsigned width,
                  GuardedBytes &memory, std::mt19937_64 &random) {
  std::vector<uint64_t> masks = interestingMasks(width, random);
  for (size_t i = 0; i < masks.size(); ++i)
    for (bool at_end : {false, true})
      for (bool full : {false, true}) {
        if (full && i > 0)
          continue;
        const uint64_t mask = full ? allLanes(width) : masks[i];
        std::byte *pointer = placePointer(memory, touched(pattern, mask, width), type.bytes, at_end);
        const std::string name = pattern.name + "." + type.name + (full ? ".full" : "");
        INFO(name << " mask " << mask << (at_end ? " at the end" : " at the beginning"));
        checkLoad(module.find("load." + name), pattern, type.bytes, width, mask, pointer);
        if (pattern.store)
          checkStore(module.find("store." + name), pattern, type.bytes, width, mask, memory, pointer, random);
      }
}

} // namespace

TEST_CASE("consecutive, strided and block accesses", "[memory]") {
  std::mt19937_64 random(5);
  GuardedBytes memory;
  fillRandom(memory.beginning(), GuardedBytes::kSize, random);
  for (const TestIsa &isa : hostGatherIsas())
    for (unsigned width : {8u, 16u, 32u})
      for (const ElementType &type : memoryTypes()) {
        INFO(isa.name << " W=" << width);
        LaneModule module(isa, width);
        const std::vector<Pattern> all = patterns(width, isa);
        for (const Pattern &pattern : all)
          addPattern(module, pattern, type);
        module.compile();
        for (const Pattern &pattern : all)
          checkPattern(module, pattern, type, width, memory, random);
      }
}

namespace {

// The elements before the base of gathers and scatters: an odd number, so that it is aligned for one element only.
constexpr int64_t elementsBefore(const ElementType &type) {
  return int64_t(GuardedBytes::kSize / type.bytes) / 2 - 1;
}

// a: somewhere in the memory; b: W offsets of 32 or 64 bits, in elements; inactive lanes' offsets are wild.
void addGather(LaneModule &module, const ElementType &type, unsigned index_bits, bool pointers) {
  const llvm::Align align(type.bytes);
  const auto offsets = [=](const LaneContext &c, const Parameters &p) {
    return loadLanes(c, c.b.getIntNTy(index_bits), p.b);
  };
  const std::string name = std::string(type.name) + "." + std::to_string(index_bits) + (pointers ? "p" : "");
  for (bool full : {false, true}) {
    module.add("gather." + name + (full ? ".full" : ""), [&](const LaneContext &c, const Parameters &p) {
      llvm::Type *element = type.get(c.b.getContext());
      llvm::Value *mask = full ? nullptr : p.mask, *other = loadLanes(c, element, p.out);
      llvm::Value *v = pointers
                           ? emitGather(c, element, c.b.CreateGEP(c.b.getIntNTy(type.bytes * 8), p.a, offsets(c, p)),
                                        mask, align, other)
                           : emitGatherIndexed(c, element, p.a, offsets(c, p), type.bytes, mask, align, other);
      storeLanes(c, v, p.out);
    });
    module.add("scatter." + name + (full ? ".full" : ""), [&](const LaneContext &c, const Parameters &p) {
      llvm::Value *v = loadLanes(c, type.get(c.b.getContext()), p.out), *mask = full ? nullptr : p.mask;
      if (pointers)
        emitScatter(c, v, c.b.CreateGEP(c.b.getIntNTy(type.bytes * 8), p.a, offsets(c, p)), mask, align);
      else
        emitScatterIndexed(c, v, p.a, offsets(c, p), type.bytes, mask, align);
    });
  }
}

template <typename Index>
void checkGather(LaneModule &module, const ElementType &type, unsigned width, const std::string &name, uint64_t mask,
                 GuardedBytes &memory, std::mt19937_64 &random) {
  const auto elements = int64_t(GuardedBytes::kSize / type.bytes);
  const int64_t before = elementsBefore(type);
  std::byte *base = memory.beginning() + before * int64_t(type.bytes);
  std::vector<Index> index(width);
  for (unsigned lane = 0; lane < width; ++lane)
    index[lane] = isActive(mask, lane) ? Index(int64_t(random() % uint64_t(elements)) - before) : Index(random());
  std::vector<std::byte> values(width * type.bytes);
  fillRandom(values.data(), values.size(), random);
  std::vector<std::byte> gathered = values;
  std::vector<std::byte> expected(memory.beginning(), memory.beginning() + GuardedBytes::kSize);
  for (unsigned lane = 0; lane < width; ++lane)
    if (isActive(mask, lane))
      std::memcpy(&gathered[lane * type.bytes], base + int64_t(index[lane]) * type.bytes, type.bytes);
  std::vector<std::byte> out = values;
  module.find("gather." + name)(base, index.data(), out.data(), mask, 0);
  CHECK(out == gathered);
  for (unsigned lane = 0; lane < width; ++lane)
    if (isActive(mask, lane))
      std::memcpy(&expected[size_t(int64_t(index[lane]) + before) * type.bytes], &values[lane * type.bytes],
                  type.bytes);
  module.find("scatter." + name)(base, index.data(), values.data(), mask, 0);
  CHECK(std::memcmp(expected.data(), memory.beginning(), expected.size()) == 0);
  countCase();
}

} // namespace

TEST_CASE("gathers and scatters", "[memory]") {
  std::mt19937_64 random(6);
  GuardedBytes memory;
  fillRandom(memory.beginning(), GuardedBytes::kSize, random);
  for (const TestIsa &isa : hostGatherIsas())
    for (unsigned width : kWidths) {
      LaneModule module(isa, width);
      for (const ElementType &type : memoryTypes())
        for (bool pointers : {false, true})
          for (unsigned bits : {32u, 64u})
            addGather(module, type, bits, pointers);
      module.compile();
      for (const ElementType &type : memoryTypes())
        for (const char *kind : {"", "p"})
          for (uint64_t mask : interestingMasks(width, random)) {
            INFO(isa.name << " W=" << width << " " << type.name << kind << " mask " << mask);
            const std::string name = std::string(type.name) + ".";
            checkGather<int32_t>(module, type, width, name + "32" + kind, mask, memory, random);
            checkGather<int64_t>(module, type, width, name + "64" + kind, mask, memory, random);
            checkGather<int32_t>(module, type, width, name + "32" + kind + ".full", allLanes(width), memory, random);
          }
    }
}

namespace {

// Bytes and shorts at multiples of `scale` from a base that is aligned for an element only.
void addNarrowGather(LaneModule &module, const ElementType &type, unsigned scale) {
  module.add(std::string(type.name) + "." + std::to_string(scale), [&](const LaneContext &c, const Parameters &p) {
    llvm::Value *offset = loadLanes(c, c.b.getInt32Ty(), p.b);
    storeLanes(c, emitGatherIndexed(c, type.get(c.b.getContext()), p.a, offset, scale, p.mask, llvm::Align(type.bytes)),
               p.out);
  });
}

void checkNarrowGather(LaneModule &module, const ElementType &type, unsigned scale, unsigned width, uint64_t mask,
                       GuardedBytes &memory, std::mt19937_64 &random) {
  const unsigned step = std::max(1U, type.bytes / scale); // offsets are multiples of it
  const int64_t before = int64_t(random() % 32) * std::max(scale, type.bytes) + int64_t(random() % 2) * type.bytes;
  const int64_t lowest = -(before / scale / step);
  const int64_t count = (int64_t(GuardedBytes::kSize) - before - type.bytes) / scale / step - lowest + 1;
  std::vector<int32_t> offset(width);
  std::vector<std::byte> expected(width * type.bytes), out = expected;
  for (unsigned lane = 0; lane < width; ++lane) {
    offset[lane] =
        isActive(mask, lane) ? int32_t((lowest + int64_t(random() % uint64_t(count))) * step) : int32_t(random());
    if (isActive(mask, lane))
      std::memcpy(&expected[lane * type.bytes], memory.beginning() + before + int64_t(offset[lane]) * scale,
                  type.bytes);
  }
  module.find(std::string(type.name) + "." + std::to_string(scale))(memory.beginning() + before, offset.data(),
                                                                    out.data(), mask, 0);
  CHECK(out == expected);
  countCase();
}

} // namespace

TEST_CASE("gathers of bytes and shorts at every scale", "[memory]") {
  std::mt19937_64 random(8);
  GuardedBytes memory;
  fillRandom(memory.beginning(), GuardedBytes::kSize, random);
  for (const TestIsa &isa : hostGatherIsas())
    for (unsigned width : kWidths)
      for (const ElementType &type : memoryTypes()) {
        if (type.bytes > 2)
          continue;
        LaneModule module(isa, width);
        for (unsigned scale : {1u, 2u, 4u, 8u})
          addNarrowGather(module, type, scale);
        module.compile();
        for (unsigned scale : {1u, 2u, 4u, 8u})
          for (uint64_t mask : interestingMasks(width, random)) {
            INFO(isa.name << " W=" << width << " " << type.name << " scale " << scale << " mask " << mask);
            checkNarrowGather(module, type, scale, width, mask, memory, random);
          }
      }
}
