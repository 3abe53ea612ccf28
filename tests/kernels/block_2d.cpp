// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Two-dimensional block reads and writes of every shape, at every position inside, across and outside the surface's
// edges.
#include "support/selection.hpp"
#include "support/session.hpp"

#include <catch2/catch.hpp>
#include <functional>
#include <random>
#include <sys/mman.h>
#include <unistd.h>

using namespace lanecl::test;

namespace {

constexpr unsigned kLanes = 16;

enum class Kind { Plain, Transform, Transpose };

struct Shape {
  unsigned bits, rows, columns, blocks;
  Kind kind = Kind::Plain;

  unsigned bytes() const { return bits / 8; }
  std::string name() const {
    const char *kinds[] = {"", "transform_", "transpose_"};
    return kinds[int(kind)] + std::to_string(bits) + "b_" + std::to_string(rows) + "r" + std::to_string(columns) + "x" +
           std::to_string(blocks) + "c";
  }
  // What a work-item gets: values() values of valueBytes() bytes each.
  unsigned valueBytes() const {
    return kind != Kind::Plain ? 4 : columns > kLanes ? columns / kLanes * bytes() : bytes();
  }
  unsigned values() const { return std::max(1u, rows * columns * bytes() / (kLanes * valueBytes())) * blocks; }
  std::string type() const { return valueBytes() == 1 ? "uchar" : valueBytes() == 2 ? "ushort" : "uint"; }
  // The surface's x must be a multiple of this.
  int step() const { return bits == 8 ? 4 : bits == 16 ? 2 : 1; }
};

// A surface with rows of 64 bytes or a little more. Its last row ends in front of a page that must not be accessed.
class Surface {
public:
  Surface(int width, int height, int pitch, int copies)
      : width(width), height(height), pitch(pitch), copy_bytes(size_t(pitch) * size_t(height)),
        bytes(copy_bytes * size_t(copies)), page(size_t(sysconf(_SC_PAGESIZE))),
        mapped((bytes + page - 1) / page * page + 2 * page) {
    void *memory = mmap(nullptr, mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(memory != MAP_FAILED);
    base = static_cast<uint8_t *>(memory);
    REQUIRE(mprotect(base + page, mapped - 2 * page, PROT_READ | PROT_WRITE) == 0);
    start = base + mapped - page - bytes;
    REQUIRE(reinterpret_cast<uintptr_t>(start) % 64 == 0);
  }
  ~Surface() { munmap(base, mapped); }
  Surface(const Surface &) = delete;
  Surface &operator=(const Surface &) = delete;

  bool contains(int x_byte, int y) const { return x_byte >= 0 && x_byte < width && y >= 0 && y < height; }
  const uint8_t *at(int x_byte, int y) const { return start + y * pitch + x_byte; }

  const int width, height, pitch;
  const size_t copy_bytes, bytes;
  uint8_t *start;

private:
  const size_t page, mapped;
  uint8_t *base;
};

// Returns the element at a position of the surface; out of bounds it is zero.
uint32_t element(const Surface &surface, const Shape &shape, int x, int y) {
  uint32_t value = 0;
  for (unsigned byte = 0; byte < shape.bytes(); ++byte)
    if (const int at = x * int(shape.bytes()) + int(byte); surface.contains(at, y))
      value |= uint32_t(*surface.at(at, y)) << 8 * byte;
  return value;
}

// Where a value comes from: `count` elements, starting at (x, y) of the block, to the right or downwards.
struct Place {
  unsigned x, y, count = 1;
  bool downwards = false;
  bool defined = true;
};

Place placeOf(const Shape &shape, unsigned lane, unsigned index) {
  const unsigned per_block = shape.values() / shape.blocks, left = index / per_block * shape.columns;
  index %= per_block;
  if (shape.kind == Kind::Transform)
    return {left + lane, index * 4 / shape.bytes(), 4 / shape.bytes(), true};
  if (shape.kind == Kind::Transpose) {
    const unsigned rows_of_lane = shape.rows / kLanes;
    return {index / rows_of_lane, lane * rows_of_lane + index % rows_of_lane};
  }
  if (shape.columns < kLanes) { // each value spans several rows
    const unsigned row = index * kLanes / shape.columns + lane / shape.columns;
    return {left + lane % shape.columns, row, 1, false, row < shape.rows};
  }
  return {left + lane * shape.columns / kLanes, index, shape.columns / kLanes};
}

uint32_t valueAt(const Surface &surface, const Shape &shape, const Place &place, int x, int y) {
  uint32_t value = 0;
  for (unsigned i = 0; i < place.count; ++i)
    value |= element(surface, shape, x + int(place.x) + (place.downwards ? 0 : int(i)),
                     y + int(place.y) + (place.downwards ? int(i) : 0))
             << i * shape.bits;
  return value;
}

// Positions from completely outside on one side to completely outside on the other.
struct Positions {
  Positions(const Shape &shape, const Surface &surface) : step(shape.step()) {
    const int columns = int(shape.columns * shape.blocks), elements = surface.width / int(shape.bytes());
    first_x = -(columns + step);
    first_y = -int(shape.rows) - 1;
    across = size_t((elements + step - first_x) / step + 1);
    down = size_t(surface.height + 1 - first_y + 1);
  }
  int x(size_t group) const { return first_x + step * int(group); }
  int y(size_t group) const { return first_y + int(group); }
  int step, first_x, first_y;
  size_t across, down;
};

const std::string kAt = "  int2 at = (int2)(x + step * (int)get_group_id(0), y + (int)get_group_id(1));\n"
                        "  size_t group = get_group_id(1) * get_num_groups(0) + get_group_id(0);\n";

std::string kernelText(const std::string &parameters, const std::string &body) {
  return "__attribute__((intel_reqd_sub_group_size(16))) kernel void k(global uchar *surface, int width, int height, "
         "int pitch, int x, int step, int y, " +
         parameters + ") {\n" + kAt + body + "}\n";
}

std::string readKernel(const Shape &shape) {
  const std::string n = std::to_string(shape.values());
  return kernelText("global " + shape.type() + " *out",
                    "  " + shape.type() + " data[" + n + "];\n  intel_sub_group_2d_block_read_" + shape.name() +
                        "(surface, width, height, pitch, at, data);\n  for (int i = 0; i < " + n +
                        "; ++i) out[(group * 16 + get_local_id(0)) * " + n + " + i] = data[i];\n");
}

// Every work-group writes to a surface of its own.
std::string writeKernel(const Shape &shape) {
  const std::string n = std::to_string(shape.values());
  return kernelText("global " + shape.type() + " *in",
                    "  " + shape.type() + " data[" + n + "];\n  for (int i = 0; i < " + n +
                        "; ++i) data[i] = in[get_local_id(0) * " + n + " + i];\n  intel_sub_group_2d_block_write_" +
                        shape.name() + "(surface + group * pitch * height, width, height, pitch, at, data);\n");
}

Memory wrap(const Session &cl, const Surface &surface) {
  return cl.bytes(surface.bytes, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, surface.start);
}

template <class... Arguments>
void runAt(const Session &cl, const std::string &source, const Surface &surface, const Positions &at,
           const Memory &memory, const Arguments &...arguments) {
  cl.run(cl.kernel(cl.build(source, "-cl-std=CL3.0"), "k"), {at.across * kLanes, at.down}, {kLanes, 1}, memory,
         cl_int(surface.width), cl_int(surface.height), cl_int(surface.pitch), cl_int(at.first_x), cl_int(at.step),
         cl_int(at.first_y), arguments...);
}

void fill(uint8_t *bytes, size_t count, unsigned seed) {
  std::mt19937 random(seed);
  for (size_t i = 0; i < count; ++i)
    bytes[i] = uint8_t(random() % 255 + 1); // never zero, which is the value out of bounds
}

template <class T> void checkRead(const Session &cl, const Shape &shape, const Surface &surface) {
  const Positions at(shape, surface);
  const size_t n = shape.values();
  Memory memory = wrap(cl, surface), out = cl.buffer(std::vector<T>(at.across * at.down * kLanes * n));
  runAt(cl, readKernel(shape), surface, at, memory, out);
  const std::vector<T> got = cl.read<T>(out);
  size_t wrong = 0, next = 0;
  for (size_t down = 0; down < at.down; ++down)
    for (size_t across = 0; across < at.across; ++across)
      for (unsigned lane = 0; lane < kLanes; ++lane)
        for (unsigned i = 0; i < n; ++i, ++next)
          if (const Place place = placeOf(shape, lane, i);
              place.defined && got[next] != T(valueAt(surface, shape, place, at.x(across), at.y(down))))
            if (wrong++ == 0)
              UNSCOPED_INFO("first at (" << at.x(across) << ", " << at.y(down) << "), lane " << lane << ", value "
                                         << i);
  INFO("read " << shape.name() << " of a surface of " << surface.width << " bytes and " << surface.height << " rows");
  CHECK(wrong == 0);
}

void checkRead(const Session &cl, const Shape &shape) {
  // Surfaces smaller and larger than a block.
  for (const auto &[width, height] : {std::pair(80, 6), std::pair(144, 40)}) {
    Surface surface(width, height, width + 112, 1);
    fill(surface.start, surface.bytes, 1);
    if (shape.valueBytes() == 1)
      checkRead<uint8_t>(cl, shape, surface);
    else if (shape.valueBytes() == 2)
      checkRead<uint16_t>(cl, shape, surface);
    else
      checkRead<uint32_t>(cl, shape, surface);
  }
}

void checkWrite(const Session &cl, const Shape &shape) {
  const Surface geometry(80, 6, 128, 1);
  const Positions at(shape, geometry);
  Surface surfaces(geometry.width, geometry.height, geometry.pitch, int(at.across * at.down));
  fill(surfaces.start, surfaces.bytes, 2);
  std::vector<uint8_t> expected(surfaces.start, surfaces.start + surfaces.bytes),
      data(kLanes * shape.values() * shape.valueBytes());
  fill(data.data(), data.size(), 3);
  for (size_t group = 0; group < at.across * at.down; ++group)
    for (unsigned lane = 0; lane < kLanes; ++lane)
      for (unsigned i = 0; i < shape.values(); ++i) {
        const Place place = placeOf(shape, lane, i);
        for (unsigned byte = 0; byte < shape.valueBytes(); ++byte) {
          const int x = (at.x(group % at.across) + int(place.x)) * int(shape.bytes()) + int(byte),
                    y = at.y(group / at.across) + int(place.y);
          if (geometry.contains(x, y))
            expected[group * geometry.copy_bytes + size_t(y * geometry.pitch + x)] =
                data[(lane * shape.values() + i) * shape.valueBytes() + byte];
        }
      }
  Memory memory = wrap(cl, surfaces), in = cl.buffer(data);
  runAt(cl, writeKernel(shape), geometry, at, memory, in);
  INFO("write " << shape.name());
  CHECK(cl.read<uint8_t>(memory) == expected);
}

const std::vector<unsigned> kRows =
    isRepeated() && !runsEverything() ? std::vector<unsigned>{1, 8, 32} : std::vector<unsigned>{1, 2, 4, 8, 16, 32};

} // namespace

TEST_CASE("2-D block reads with rows as wide as the sub-group or wider", "[block_2d]") {
  const Session cl;
  for (unsigned rows : kRows) {
    for (unsigned blocks : {1u, 2u}) {
      checkRead(cl, {8, rows, 32, blocks});
      checkRead(cl, {16, rows, 16, blocks});
    }
    checkRead(cl, {32, rows, 16, 1});
    if (rows >= 8)
      checkRead(cl, {8, rows, 16, 4});
  }
}

TEST_CASE("2-D block reads with rows half as wide as the sub-group", "[block_2d]") {
  const Session cl;
  for (unsigned rows : kRows)
    for (unsigned blocks : {1u, 2u})
      checkRead(cl, {32, rows, 8, blocks});
}

TEST_CASE("2-D block reads with transform", "[block_2d]") {
  const Session cl;
  for (unsigned blocks : {1u, 2u, 4u})
    checkRead(cl, {8, 32, 16, blocks, Kind::Transform});
  for (unsigned rows : {16u, 32u})
    for (unsigned blocks : {1u, 2u})
      checkRead(cl, {16, rows, 16, blocks, Kind::Transform});
}

TEST_CASE("2-D block reads with transpose", "[block_2d]") {
  const Session cl;
  for (unsigned rows : {16u, 32u})
    checkRead(cl, {32, rows, 8, 1, Kind::Transpose});
}

TEST_CASE("2-D block writes", "[block_2d]") {
  const Session cl;
  for (unsigned rows : {1u, 2u, 4u, 8u}) {
    checkWrite(cl, {8, rows, 16, 1});
    checkWrite(cl, {8, rows, 32, 1});
    checkWrite(cl, {16, rows, 16, 1});
    checkWrite(cl, {32, rows, 16, 1});
  }
}

TEST_CASE("2-D block prefetches change nothing", "[block_2d]") {
  std::vector<Shape> shapes{{8, 32, 16, 1}, {8, 32, 16, 2}, {8, 8, 16, 4}, {8, 16, 16, 4}, {8, 32, 16, 4}};
  for (unsigned rows : kRows)
    for (unsigned blocks : {1u, 2u}) {
      shapes.push_back({8, rows, 32, blocks});
      shapes.push_back({16, rows, 16, blocks});
      shapes.push_back({32, rows, 8, blocks});
      if (blocks == 1)
        shapes.push_back({32, rows, 16, blocks});
    }
  std::string calls;
  for (const Shape &shape : shapes)
    calls += "  intel_sub_group_2d_block_prefetch_" + shape.name() + "(surface, width, height, pitch, at);\n";
  const Session cl;
  Surface surface(80, 6, 80, 4); // 4 copies keep the base aligned; the last one ends at the page
  fill(surface.start, surface.bytes, 4);
  const std::vector<uint8_t> before(surface.start, surface.start + surface.bytes);
  const Positions at({16, 32, 16, 2}, surface);
  Memory memory = wrap(cl, surface), reached = cl.buffer(std::vector<cl_int>{0});
  runAt(cl, kernelText("global int *reached", calls + "  atomic_inc(reached);\n"), surface, at, memory, reached);
  CHECK(cl.read<uint8_t>(memory) == before);
  CHECK(cl.read<cl_int>(reached)[0] == cl_int(at.across * at.down * kLanes));
}

// Nothing tells the compiler that these coordinates are the same for all work-items of a sub-group.
TEST_CASE("2-D block coordinates that only the program knows to be uniform", "[block_2d]") {
  const Session cl;
  const Program program = cl.build(R"(
__attribute__((intel_reqd_sub_group_size(16))) kernel void k(global ushort *in, global uint *place, global ushort *out) {
  size_t i = get_global_id(0);
  short8 rows;
  intel_sub_group_2d_block_read_16b_8r16x1c(in + place[i] / 6 % 2 * 32 * 16, 64, 16, 64, (int2)(place[i], place[i] / 4),
                                            (private ushort *)&rows);
  vstore8(as_ushort8(rows), i, out);
})");
  std::vector<uint16_t> in(2 * 32 * 16), want(4 * kLanes * 8), out(want.size());
  std::vector<uint32_t> place(4 * kLanes);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = uint16_t(i + 1);
  for (size_t i = 0; i < place.size(); ++i) {
    place[i] = uint32_t(i / kLanes * 6);
    for (unsigned row = 0; row < 8; ++row) {
      const size_t x = place[i] + i % kLanes, y = place[i] / 4 + row;
      want[i * 8 + row] = x < 32 && y < 16 ? in[i / kLanes % 2 * 32 * 16 + y * 32 + x] : 0;
    }
  }
  Memory source = cl.buffer(in), places = cl.buffer(place), result = cl.buffer(out);
  cl.run(cl.kernel(program, "k"), {place.size()}, {2 * kLanes}, source, places, result);
  CHECK(cl.read<uint16_t>(result) == want);
}
