// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Block reads and writes of images: inside, and across every edge, at every width.
#include "support/images.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <climits>

using namespace lanecl::test;

namespace {

struct ElementType {
  const char *type, *name; // in OpenCL C, and in the functions' names
  size_t bytes;
  unsigned most_rows;
};

const ElementType kTypes[] = {{"uint", "", 4, 8},
                              {"uint", "_ui", 4, 8},
                              {"uchar", "_uc", 1, 16},
                              {"ushort", "_us", 2, 16},
                              {"ulong", "_ul", 8, 16}};

constexpr size_t kHeight = 6;

// The size and format of a plane of bytes: R8 of any width, or RGBA8.
struct Plane {
  cl_image_format format;
  size_t element, width;
  size_t rowBytes() const { return element * width; }
};

std::vector<uint8_t> numbered(size_t bytes) {
  std::vector<uint8_t> content(bytes);
  for (size_t i = 0; i < bytes; ++i)
    content[i] = uint8_t(i * 7 + i / 256 * 3 + 1);
  return content;
}

Memory makePlane(const Session &cl, const Plane &plane, const std::vector<uint8_t> &content) {
  return makeImage(cl, plane.format, CL_MEM_OBJECT_IMAGE2D, {plane.width, kHeight, 1}, content);
}

// Builds a kernel of one sub-group that reads a block and one that writes it. The components follow each other in
// memory.
Program buildBlocks(const Session &cl, const ElementType &element, unsigned rows, unsigned width,
                    const char *standard = "-cl-std=CL3.0") {
  const std::string count = rows == 1 ? "" : std::to_string(rows);
  // Declared here, too, because the headers declare them only for extensions that the device reports.
  return cl.build("TN __attribute__((overloadable, convergent)) READ(read_only image2d_t, int2);\n"
                  "void __attribute__((overloadable, convergent)) WRITE(write_only image2d_t, int2, TN);\n"
                  "kernel __attribute__((intel_reqd_sub_group_size(W)))\n"
                  "void load(read_only image2d_t in, int2 at, global T *out) {\n"
                  "  union { TN v; T c[ROWS]; } block;\n"
                  "  block.v = READ(in, at);\n"
                  "  for (int i = 0; i < ROWS; ++i) out[i * W + get_sub_group_local_id()] = block.c[i];\n"
                  "}\n"
                  "kernel __attribute__((intel_reqd_sub_group_size(W)))\n"
                  "void save(global const T *in, int2 at, write_only image2d_t out) {\n"
                  "  union { TN v; T c[ROWS]; } block;\n"
                  "  for (int i = 0; i < ROWS; ++i) block.c[i] = in[i * W + get_sub_group_local_id()];\n"
                  "  WRITE(out, at, block.v);\n"
                  "}\n",
                  std::string(standard) + " -DT=" + element.type + " -DTN=" + element.type + count + " -DROWS=" +
                      std::to_string(rows) + " -DW=" + std::to_string(width) + " -DREAD=intel_sub_group_block_read" +
                      element.name + count + " -DWRITE=intel_sub_group_block_write" + element.name + count);
}

// Returns the byte that is read at a position outside the row: the one at the same place in the row's first or last
// uint, whatever the element. If the last uint is partial, the row's last byte stands for what it lacks.
size_t edgeByte(long offset, const Plane &plane) {
  const long bytes = long(plane.rowBytes()), uints = (bytes + 3) / 4;
  const long number = offset < 0 ? -((3 - offset) / 4) : offset / 4;
  return size_t(std::min(std::clamp(number, 0l, uints - 1) * 4 + (offset - number * 4), bytes - 1));
}

std::vector<uint8_t> wantedBlock(const Plane &plane, const ElementType &element, unsigned rows, unsigned width,
                                 const cl_int2 &at, const std::vector<uint8_t> &content) {
  std::vector<uint8_t> want;
  for (unsigned row = 0; row < rows; ++row) {
    const auto y = size_t(std::clamp(long(at.s[1]) + row, 0l, long(kHeight) - 1));
    for (size_t i = 0; i < width * element.bytes; ++i)
      want.push_back(content[y * plane.rowBytes() + edgeByte(long(at.s[0]) + long(i), plane)]);
  }
  return want;
}

// Positions inside; across the left, right, upper and lower edge and the corners; completely outside; and as far away
// as the numbers allow. Writes start at a multiple of four bytes, reads anywhere.
std::vector<cl_int2> places(const Plane &plane, const ElementType &element, bool writes) {
  const int unit = writes ? 4 : int(element.bytes);
  const int bytes = int(plane.rowBytes()) / unit * unit;
  std::vector<cl_int2> result;
  for (int x : {0, unit, 3 * unit, -unit, -5 * unit, bytes - unit, bytes - 9 * unit, bytes + unit, -400 * unit, INT_MIN,
                INT_MAX - 3})
    for (int y : {0, 2, -1, -40, int(kHeight) - 1, int(kHeight) + 3, INT_MIN, INT_MAX})
      result.push_back({{x, y}});
  if (!writes)
    for (int x : {1, 2, 3, -1, -2, -3, -7, bytes - 5, bytes - 1, bytes + 3, INT_MAX, INT_MIN + 1})
      result.push_back({{x, (x & 7) - 1}});
  return result;
}

void checkReads(const Session &cl, const Plane &plane, const ElementType &element, unsigned rows, unsigned width,
                const Program &program) {
  const std::vector<uint8_t> content = numbered(plane.rowBytes() * kHeight);
  Memory image = makePlane(cl, plane, content), out = cl.bytes(rows * width * element.bytes);
  for (const cl_int2 &at : places(plane, element, false)) {
    cl.run(cl.kernel(program, "load"), {width}, {width}, image, at, out);
    INFO(element.type << rows << " at " << at.s[0] << ", " << at.s[1] << ", " << width << " lanes, rows of "
                      << plane.rowBytes());
    CHECK(cl.read<uint8_t>(out) == wantedBlock(plane, element, rows, width, at, content));
  }
}

void checkWrites(const Session &cl, const Plane &plane, const ElementType &element, unsigned rows, unsigned width,
                 const Program &program) {
  const std::vector<uint8_t> data = numbered(rows * width * element.bytes);
  const size_t pitch = (plane.rowBytes() + 127) / 64 * 64; // with room beside the rows, which must not change
  for (const cl_int2 &at : places(plane, element, true)) {
    std::vector<uint8_t> want(pitch * (kHeight + 2), 0xa5);
    Memory buffer = cl.buffer(want);
    cl_image_desc description = describeImage(CL_MEM_OBJECT_IMAGE2D, {plane.width, kHeight, 1});
    description.image_row_pitch = pitch;
    description.mem_object = buffer;
    cl.run(cl.kernel(program, "save"), {width}, {width}, cl.buffer(data), at,
           makeImage(cl, plane.format, description, 0));
    for (unsigned row = 0; row < rows; ++row)
      for (size_t i = 0; i < width * element.bytes; ++i) {
        const long x = long(at.s[0]) + long(i), y = long(at.s[1]) + long(row);
        if (x >= 0 && x < long(plane.rowBytes()) && y >= 0 && y < long(kHeight))
          want[size_t(y) * pitch + size_t(x)] = data[row * width * element.bytes + i];
      }
    INFO(element.type << rows << " at " << at.s[0] << ", " << at.s[1] << ", " << width << " lanes");
    CHECK(cl.read<uint8_t>(buffer) == want);
  }
}

const Plane kColors{{CL_RGBA, CL_UNORM_INT8}, 4, 72}, kBytes{{CL_R, CL_UNSIGNED_INT8}, 1, 150};
// Rows of one uint, of less than a uint, and of an odd number of shorts.
const Plane kOneColor{{CL_RGBA, CL_UNORM_INT8}, 4, 1}, kThreeBytes{{CL_R, CL_UNSIGNED_INT8}, 1, 3};
const Plane kShorts{{CL_R, CL_UNSIGNED_INT16}, 2, 77};

} // namespace

TEST_CASE("blocks of every element and count", "[image_blocks]") {
  Session cl;
  for (const ElementType &element : kTypes)
    for (unsigned rows : {1, 2, 4, 8, 16})
      if (rows <= element.most_rows) {
        Program program = buildBlocks(cl, element, rows, 16);
        checkReads(cl, kColors, element, rows, 16, program);
        checkWrites(cl, kColors, element, rows, 16, program);
      }
}

TEST_CASE("blocks at every width, and in rows whose length is not a multiple of the element", "[image_blocks]") {
  Session cl;
  const unsigned width = GENERATE(8, 16, 32);
  for (const ElementType &element : kTypes) {
    Program program = buildBlocks(cl, element, 4, width);
    for (const Plane &plane : {kColors, kBytes, kOneColor, kThreeBytes, kShorts}) {
      checkReads(cl, plane, element, 4, width, program);
      checkWrites(cl, plane, element, 4, width, program);
    }
  }
}

TEST_CASE("blocks of images in OpenCL C 1.2", "[image_blocks]") {
  Session cl;
  const ElementType &element = kTypes[0];
  Program program = buildBlocks(cl, element, 2, 8, "-cl-std=CL1.2");
  checkReads(cl, kColors, element, 2, 8, program);
  checkWrites(cl, kColors, element, 2, 8, program);
}

TEST_CASE("blocks of images that are read and written", "[image_blocks]") {
  Session cl;
  Program program =
      cl.build("kernel __attribute__((intel_reqd_sub_group_size(8))) void shift(read_write image2d_t image) {\n"
               "  int2 at = (int2)(32 * get_group_id(0), 0);\n"
               "  uint4 block = intel_sub_group_block_read4(image, at);\n"
               "  intel_sub_group_block_write4(image, at + (int2)(0, 2), block);\n"
               "}\n",
               "-cl-std=CL3.0");
  std::vector<uint32_t> content(16 * 6), want(16 * 6);
  for (size_t i = 0; i < content.size(); ++i)
    content[i] = uint32_t(i);
  for (size_t i = 0; i < want.size(); ++i)
    want[i] = content[i < 32 ? i : i - 32];
  Memory image = makeImage(cl, {CL_R, CL_UNSIGNED_INT32}, CL_MEM_OBJECT_IMAGE2D, {16, 6, 1}, content);
  cl.run(cl.kernel(program, "shift"), {16}, {8}, image);
  CHECK(readImage<uint32_t>(cl, image, {16, 6, 1}) == want);
}
