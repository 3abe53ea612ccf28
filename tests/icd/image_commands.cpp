// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reading, writing, copying, filling and mapping images.
#include "support/images.hpp"

#include <catch2/catch.hpp>

#include <numeric>

using namespace lanecl::test;

namespace {

constexpr cl_image_format kWord{CL_R, CL_UNSIGNED_INT32};
constexpr size_t kOrigin[3] = {0, 0, 0};

struct Shape {
  cl_mem_object_type type;
  Extent extent, origin, region; // size of an image, and a box within it
};

const Shape kShapes[] = {{CL_MEM_OBJECT_IMAGE1D, {12, 1, 1}, {3, 0, 0}, {5, 1, 1}},
                         {CL_MEM_OBJECT_IMAGE1D_ARRAY, {12, 6, 1}, {3, 2, 0}, {5, 3, 1}},
                         {CL_MEM_OBJECT_IMAGE2D, {12, 6, 1}, {3, 2, 0}, {5, 3, 1}},
                         {CL_MEM_OBJECT_IMAGE2D_ARRAY, {12, 6, 4}, {3, 2, 1}, {5, 3, 2}},
                         {CL_MEM_OBJECT_IMAGE3D, {12, 6, 4}, {3, 2, 1}, {5, 3, 2}}};

size_t countOf(const Extent &extent) {
  return extent[0] * extent[1] * extent[2];
}

// Returns which element of the image the i-th element of the box is.
size_t elementOf(const Shape &shape, size_t i) {
  const size_t x = shape.origin[0] + i % shape.region[0];
  const size_t y = shape.origin[1] + i / shape.region[0] % shape.region[1];
  const size_t z = shape.origin[2] + i / shape.region[0] / shape.region[1];
  return (z * shape.extent[1] + y) * shape.extent[0] + x;
}

std::vector<uint32_t> numbers(const Extent &extent, uint32_t first = 0) {
  std::vector<uint32_t> result(countOf(extent));
  std::iota(result.begin(), result.end(), first);
  return result;
}

Memory numbered(const Session &cl, const Shape &shape) {
  return makeImage(cl, kWord, shape.type, shape.extent, numbers(shape.extent));
}

cl_int read(const Session &cl, const Memory &image, const size_t *origin, const size_t *region, void *pointer,
            size_t row_pitch = 0, size_t slice_pitch = 0) {
  return clEnqueueReadImage(cl.queue, image, CL_TRUE, origin, region, row_pitch, slice_pitch, pointer, 0, nullptr,
                            nullptr);
}

} // namespace

TEST_CASE("boxes of images are read", "[image_commands]") {
  Session cl;
  for (const Shape &shape : kShapes) {
    Memory image = numbered(cl, shape);
    std::vector<uint32_t> got(countOf(shape.region));
    REQUIRE(read(cl, image, shape.origin.data(), shape.region.data(), got.data()) == CL_SUCCESS);
    size_t wrong = 0;
    for (size_t i = 0; i < got.size(); ++i)
      wrong += got[i] != elementOf(shape, i);
    INFO("type " << shape.type);
    CHECK(wrong == 0);
  }
}

TEST_CASE("boxes of images are written, from memory with pitches", "[image_commands]") {
  Session cl;
  for (const Shape &shape : kShapes) {
    Memory image = numbered(cl, shape);
    const bool has_slices = shape.type != CL_MEM_OBJECT_IMAGE1D && shape.type != CL_MEM_OBJECT_IMAGE2D;
    const bool rows_are_images = shape.type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    const size_t row = 7, slice = rows_are_images ? 9 : 7 * 4; // in elements
    const std::vector<uint32_t> host = numbers({slice, 4, 1}, 1000);
    REQUIRE(clEnqueueWriteImage(cl.queue, image, CL_TRUE, shape.origin.data(), shape.region.data(), row * 4,
                                has_slices ? slice * 4 : 0, host.data(), 0, nullptr, nullptr) == CL_SUCCESS);
    std::vector<uint32_t> want = numbers(shape.extent);
    for (size_t i = 0; i < countOf(shape.region); ++i) {
      const size_t x = i % shape.region[0], y = i / shape.region[0] % shape.region[1];
      const size_t z = i / shape.region[0] / shape.region[1];
      want[elementOf(shape, i)] = uint32_t(1000 + x + (rows_are_images ? y * slice : y * row + z * slice));
    }
    INFO("type " << shape.type);
    CHECK(readImage<uint32_t>(cl, image, shape.extent) == want);
  }
}

TEST_CASE("images and buffers are copied into each other", "[image_commands]") {
  Session cl;
  for (const Shape &shape : kShapes) {
    Memory image = numbered(cl, shape);
    const size_t count = countOf(shape.region);
    Memory buffer = cl.buffer(std::vector<uint32_t>(count + 3, 77));
    REQUIRE(clEnqueueCopyImageToBuffer(cl.queue, image, buffer, shape.origin.data(), shape.region.data(), 8, 0, nullptr,
                                       nullptr) == CL_SUCCESS);
    const auto copied = cl.read<uint32_t>(buffer);
    size_t wrong = (copied[0] != 77) + (copied[1] != 77) + (copied[count + 2] != 77);
    for (size_t i = 0; i < count; ++i)
      wrong += copied[2 + i] != elementOf(shape, i);
    CHECK(wrong == 0);

    cl.write(buffer, std::vector<uint32_t>(count + 3, 5));
    REQUIRE(clEnqueueCopyBufferToImage(cl.queue, buffer, image, 4, shape.origin.data(), shape.region.data(), 0, nullptr,
                                       nullptr) == CL_SUCCESS);
    std::vector<uint32_t> want = numbers(shape.extent);
    for (size_t i = 0; i < count; ++i)
      want[elementOf(shape, i)] = 5;
    CHECK(readImage<uint32_t>(cl, image, shape.extent) == want);
    CHECK(clEnqueueCopyBufferToImage(cl.queue, buffer, image, 16, shape.origin.data(), shape.region.data(), 0, nullptr,
                                     nullptr) == CL_INVALID_VALUE);
  }
}

TEST_CASE("images of different types are copied", "[image_commands]") {
  Session cl;
  const Shape &plane = kShapes[2], &volume = kShapes[4];
  Memory from = numbered(cl, plane), to = numbered(cl, volume);
  const size_t target[3] = {1, 2, 3}, region[3] = {5, 3, 1};
  REQUIRE(clEnqueueCopyImage(cl.queue, from, to, plane.origin.data(), target, region, 0, nullptr, nullptr) ==
          CL_SUCCESS);
  std::vector<uint32_t> want = numbers(volume.extent);
  for (size_t y = 0; y < 3; ++y)
    for (size_t x = 0; x < 5; ++x)
      want[(3 * 6 + 2 + y) * 12 + 1 + x] = uint32_t((2 + y) * 12 + 3 + x);
  CHECK(readImage<uint32_t>(cl, to, volume.extent) == want);

  // Within one image, next to each other but not overlapping.
  const size_t left[3] = {0, 0, 0}, right[3] = {6, 0, 0}, near[3] = {4, 2, 0}, half[3] = {6, 6, 1};
  CHECK(clEnqueueCopyImage(cl.queue, from, from, left, right, half, 0, nullptr, nullptr) == CL_SUCCESS);
  CHECK(clEnqueueCopyImage(cl.queue, from, from, left, near, region, 0, nullptr, nullptr) == CL_MEM_COPY_OVERLAP);
  Memory other = makeImage(cl, {CL_R, CL_SIGNED_INT32}, describeImage(CL_MEM_OBJECT_IMAGE2D, {12, 6, 1}));
  CHECK(clEnqueueCopyImage(cl.queue, from, other, left, left, region, 0, nullptr, nullptr) == CL_IMAGE_FORMAT_MISMATCH);
}

TEST_CASE("images are filled with a color in their format", "[image_commands]") {
  Session cl;
  const Extent extent{4, 3, 1};
  const size_t origin[3] = {1, 1, 0}, region[3] = {2, 2, 1};
  const auto filled = [&](cl_channel_order order, cl_channel_type type, const void *color) {
    Memory image = makeImage(cl, {order, type}, CL_MEM_OBJECT_IMAGE2D, extent, std::vector<uint8_t>(4 * 3 * 16),
                             order == CL_sRGBA ? CL_MEM_READ_ONLY : CL_MEM_READ_WRITE);
    REQUIRE(clEnqueueFillImage(cl.queue, image, color, origin, region, 0, nullptr, nullptr) == CL_SUCCESS);
    const auto bytes = readImage<uint8_t>(cl, image, extent);
    const size_t element = bytes.size() / 12;
    const auto at = [&](size_t i) { return std::vector<uint8_t>(&bytes[i * element], &bytes[i * element] + element); };
    CHECK(at(0) == std::vector<uint8_t>(element));
    CHECK(at(7) == std::vector<uint8_t>(element));
    CHECK(at(5) == at(10));
    return at(5);
  };
  using Bytes = std::vector<uint8_t>;
  const float color[4] = {1, 0.5f, -2, 0.25f};
  CHECK(filled(CL_RGBA, CL_UNORM_INT8, color) == Bytes{255, 128, 0, 64});
  CHECK(filled(CL_BGRA, CL_UNORM_INT8, color) == Bytes{0, 128, 255, 64});
  CHECK(filled(CL_RGBA, CL_SNORM_INT8, color) == Bytes{127, 64, 128, 32});
  CHECK(filled(CL_RA, CL_UNORM_INT16, color) == Bytes{255, 255, 0, 64});
  CHECK(filled(CL_R, CL_HALF_FLOAT, color) == Bytes{0, 0x3c});
  CHECK(filled(CL_RGB, CL_UNORM_SHORT_565, color) == Bytes{0, 0xfc});
  CHECK(filled(CL_DEPTH, CL_FLOAT, color) == Bytes{0, 0, 0x80, 0x3f});
  CHECK(filled(CL_sRGBA, CL_UNORM_INT8, color) == Bytes{255, 188, 0, 64});
  const int32_t integers[4] = {1000, -1000, 3, -4};
  CHECK(filled(CL_RGBA, CL_SIGNED_INT8, integers) == Bytes{127, 128, 3, 252});
  const uint32_t naturals[4] = {1000, 70000, 3, 4};
  CHECK(filled(CL_RG, CL_UNSIGNED_INT16, naturals) == Bytes{232, 3, 255, 255});
}

TEST_CASE("what is written to a mapped image is in the image", "[image_commands]") {
  Session cl;
  for (const Shape &shape : kShapes) {
    Memory image = numbered(cl, shape);
    size_t row = 1, slice = 1;
    cl_int code = 1;
    auto *mapped = static_cast<std::byte *>(clEnqueueMapImage(cl.queue, image, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                                                              shape.origin.data(), shape.region.data(), &row, &slice, 0,
                                                              nullptr, nullptr, &code));
    REQUIRE(code == CL_SUCCESS);
    CHECK(row == imageSize(image, CL_IMAGE_ROW_PITCH));
    CHECK(slice == imageSize(image, CL_IMAGE_SLICE_PITCH));
    const size_t y_pitch = shape.type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? slice : row;
    size_t wrong = 0;
    for (size_t i = 0; i < countOf(shape.region); ++i) {
      const size_t x = i % shape.region[0], y = i / shape.region[0] % shape.region[1];
      auto *element =
          reinterpret_cast<uint32_t *>(mapped + x * 4 + y * y_pitch + i / shape.region[0] / shape.region[1] * slice);
      wrong += *element != elementOf(shape, i);
      *element += 100;
    }
    CHECK(wrong == 0);
    REQUIRE(clEnqueueUnmapMemObject(cl.queue, image, mapped, 0, nullptr, nullptr) == CL_SUCCESS);
    std::vector<uint32_t> want = numbers(shape.extent);
    for (size_t i = 0; i < countOf(shape.region); ++i)
      want[elementOf(shape, i)] += 100;
    CHECK(readImage<uint32_t>(cl, image, shape.extent) == want);
  }
}

TEST_CASE("mappings of an image that write must not overlap", "[image_commands]") {
  Session cl;
  Memory image = numbered(cl, kShapes[2]);
  const auto map = [&](cl_map_flags flags, const Extent &origin, const Extent &region, cl_int &code) {
    size_t row = 0;
    return clEnqueueMapImage(cl.queue, image, CL_TRUE, flags, origin.data(), region.data(), &row, nullptr, 0, nullptr,
                             nullptr, &code);
  };
  cl_int code = 1;
  void *left = map(CL_MAP_WRITE, {0, 0, 0}, {6, 6, 1}, code);
  CHECK(code == CL_SUCCESS);
  void *right = map(CL_MAP_WRITE, {6, 0, 0}, {6, 6, 1}, code); // the same rows, but other elements
  CHECK(code == CL_SUCCESS);
  CHECK(map(CL_MAP_READ, {5, 3, 0}, {2, 1, 1}, code) == nullptr);
  CHECK(code == CL_INVALID_OPERATION);
  CHECK(clEnqueueUnmapMemObject(cl.queue, image, left, 0, nullptr, nullptr) == CL_SUCCESS);
  CHECK(clEnqueueUnmapMemObject(cl.queue, image, right, 0, nullptr, nullptr) == CL_SUCCESS);
  CHECK(clEnqueueUnmapMemObject(cl.queue, image, right, 0, nullptr, nullptr) == CL_INVALID_VALUE);
}

TEST_CASE("commands on images refuse what the specification refuses", "[image_commands]") {
  Session cl;
  const Shape &shape = kShapes[2];
  Memory image = numbered(cl, shape), buffer = cl.bytes(4096);
  uint32_t host[128];
  const size_t region[3] = {2, 2, 1}, empty[3] = {2, 0, 1}, deep[3] = {2, 2, 2}, below[3] = {0, 0, 1};
  const size_t corner[3] = {11, 0, 0};
  CHECK(read(cl, image, kOrigin, region, nullptr) == CL_INVALID_VALUE);
  CHECK(read(cl, image, nullptr, region, host) == CL_INVALID_VALUE);
  CHECK(read(cl, image, kOrigin, nullptr, host) == CL_INVALID_VALUE);
  CHECK(read(cl, image, kOrigin, empty, host) == CL_INVALID_VALUE);
  CHECK(read(cl, image, kOrigin, deep, host) == CL_INVALID_VALUE);
  CHECK(read(cl, image, below, region, host) == CL_INVALID_VALUE);
  CHECK(read(cl, image, corner, region, host) == CL_INVALID_VALUE);
  CHECK(read(cl, image, kOrigin, region, host, 4) == CL_INVALID_VALUE);     // less than a row
  CHECK(read(cl, image, kOrigin, region, host, 8, 16) == CL_INVALID_VALUE); // a 2D image has no slices
  CHECK(read(cl, buffer, kOrigin, region, host) == CL_INVALID_MEM_OBJECT);
  CHECK(read(cl, Memory(), kOrigin, region, host) == CL_INVALID_MEM_OBJECT);
  Memory hidden = makeImage(cl, kWord, describeImage(shape.type, shape.extent), CL_MEM_HOST_NO_ACCESS);
  CHECK(read(cl, hidden, kOrigin, region, host) == CL_INVALID_OPERATION);
  CHECK(clEnqueueWriteImage(cl.queue, hidden, CL_TRUE, kOrigin, region, 0, 0, host, 0, nullptr, nullptr) ==
        CL_INVALID_OPERATION);
  CHECK(clEnqueueFillImage(cl.queue, image, nullptr, kOrigin, region, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clEnqueueFillImage(cl.queue, buffer, host, kOrigin, region, 0, nullptr, nullptr) == CL_INVALID_MEM_OBJECT);
  CHECK(clEnqueueCopyImageToBuffer(cl.queue, image, image, kOrigin, region, 0, 0, nullptr, nullptr) ==
        CL_INVALID_MEM_OBJECT);
  cl_int code = 1;
  size_t row = 0;
  CHECK(clEnqueueMapImage(cl.queue, image, CL_TRUE, CL_MAP_READ, kOrigin, region, nullptr, nullptr, 0, nullptr, nullptr,
                          &code) == nullptr);
  CHECK(code == CL_INVALID_VALUE);
  Memory volume = numbered(cl, kShapes[4]);
  CHECK(clEnqueueMapImage(cl.queue, volume, CL_TRUE, CL_MAP_READ, kOrigin, region, &row, nullptr, 0, nullptr, nullptr,
                          &code) == nullptr);
  CHECK(code == CL_INVALID_VALUE);
}

TEST_CASE("with CL_MEM_USE_HOST_PTR the image uses the application's memory", "[image_commands]") {
  Session cl;
  std::vector<uint32_t> host = numbers({14, 6, 1});
  cl_image_desc description = describeImage(CL_MEM_OBJECT_IMAGE2D, {12, 6, 1});
  description.image_row_pitch = 14 * 4;
  Memory image = makeImage(cl, kWord, description, CL_MEM_USE_HOST_PTR, host.data());
  const size_t origin[3] = {2, 1, 0}, region[3] = {1, 1, 1};
  const uint32_t color[4] = {999, 0, 0, 0};
  REQUIRE(clEnqueueFillImage(cl.queue, image, color, origin, region, 0, nullptr, nullptr) == CL_SUCCESS);
  size_t row = 0;
  cl_int code = 1;
  void *mapped = clEnqueueMapImage(cl.queue, image, CL_TRUE, CL_MAP_READ, origin, region, &row, nullptr, 0, nullptr,
                                   nullptr, &code);
  CHECK(mapped == &host[14 + 2]);
  CHECK(row == 14 * 4);
  CHECK(host[14 + 2] == 999);
  CHECK(clEnqueueUnmapMemObject(cl.queue, image, mapped, 0, nullptr, nullptr) == CL_SUCCESS);
}
