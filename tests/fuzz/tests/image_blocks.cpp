// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Blocks of images: what is read beyond the edges, and which sub-group writes what.
#include "tests/kernels.h"

#include <catch2/catch.hpp>

using namespace lanecl::fuzz;

namespace {

constexpr unsigned kImage = 2;
constexpr Type kByte{Base::UChar, 1};

// Makes a kernel with an image of two rows of eight bytes.
Kernel withImage(Type type, ImageShape::Access access) {
  Kernel kernel = kernelOf(type);
  const ImageShape image{.dims = 2, .width = 8, .height = 2, .channels = 1, .base = Base::UChar, .access = access};
  kernel.memories.push_back(
      {.role = MemoryObject::Role::Image, .name = "image", .type = {Base::UInt, 4}, .count = 16, .image = image});
  return kernel;
}

std::vector<uint64_t> bytesOf(const Kernel &kernel) {
  return initialContents(kernel, kernel.launches[0])[kImage];
}

Stmt imageCall(SubGroupFunction function, Type type, std::vector<ExprPtr> values) {
  Stmt s = call(function, std::move(values), type);
  s.memory = kImage;
  return s;
}

uint64_t readAt(Type type, int64_t x, int64_t y, size_t lane, unsigned component = 0) {
  Kernel kernel = withImage(type, ImageShape::Access::Read);
  kernel.functions[0].body = {imageCall(SubGroupFunction::ImageBlockRead, type, {number(x), number(y)}),
                              type.lanes == 1 ? storeVariable() : storeComponent(kernel, component)};
  Unguarded unguarded;
  return run(kernel, unguarded)[kOut][lane];
}

} // namespace

TEST_CASE("beyond an edge of an image the last uint of the row repeats", "[sub-groups]") {
  const std::vector<uint64_t> bytes = bytesOf(withImage(kByte, ImageShape::Access::Read));
  CHECK(readAt(kByte, 0, 0, 5) == bytes[5]);
  CHECK(readAt(kByte, -2, 0, 0) == bytes[2]);
  CHECK(readAt(kByte, -2, 0, 1) == bytes[3]);
  CHECK(readAt(kByte, -2, 0, 2) == bytes[0]);
  CHECK(readAt(kByte, 6, 1, 1) == bytes[8 + 7]);
  CHECK(readAt(kByte, 6, 1, 2) == bytes[8 + 4]);
  CHECK(readAt(kByte, INT32_MAX, INT32_MIN, 0) == bytes[7]); // three bytes into the last uint
  // Component k belongs to row y + k.
  CHECK(readAt({Base::UChar, 4}, 0, -1, 3, 1) == bytes[3]);
  CHECK(readAt({Base::UChar, 4}, 0, -1, 3, 2) == bytes[8 + 3]);
  CHECK(readAt({Base::UChar, 4}, 0, -1, 3, 3) == bytes[8 + 3]);
  CHECK(readAt(kUInt, 1, 0, 0) == (bytes[1] | bytes[2] << 8 | bytes[3] << 16 | bytes[4] << 24));
  CHECK(readAt(kUInt, 1, 0, 1) == (bytes[5] | bytes[6] << 8 | bytes[7] << 16 | bytes[4] << 24));
}

TEST_CASE("only some work-items may read a block of an image", "[sub-groups]") {
  Kernel kernel = withImage(kByte, ImageShape::Access::Read);
  kernel.functions[0].body = {
      branch(op(Op::And, ask(Query::LaneId), number(1)),
             {imageCall(SubGroupFunction::ImageBlockRead, kByte, {number(0), number(0)}), storeVariable()})};
  Unguarded unguarded;
  CHECK(run(kernel, unguarded)[kOut][3] == bytesOf(kernel)[3]);
  const ExprPtr lane = ask(Query::LaneId);
  kernel.functions[0].body = {imageCall(SubGroupFunction::ImageBlockRead, kByte, {lane, number(0)})};
  CHECK_THROWS_AS(run(kernel, unguarded), Rejected);
}

TEST_CASE("one sub-group writes, and nothing outside the image", "[sub-groups]") {
  const Type type{Base::UShort, 2};
  const ExprPtr value = constant({Base::UShort, 1}, 0x1234);
  Kernel kernel = withImage(type, ImageShape::Access::ReadWrite);
  std::vector<uint64_t> want = bytesOf(kernel);
  const auto changed = [&](int64_t x, unsigned width) {
    kernel.functions[0].body = {
        imageCall(SubGroupFunction::ImageBlockChange, type,
                  {vectorOf(Base::UShort, {value, value}), number(x), number(1), number(0), number(1)}),
        storeComponent(kernel, 0)};
    Unguarded unguarded;
    return run(kernel, unguarded, width);
  };
  want[12] = want[14] = 0x34, want[13] = want[15] = 0x12; // the second component belongs to row 2
  Contents contents = changed(4, 16);
  CHECK(contents[kImage] == want);
  CHECK(contents[kOut][2] == 0x1234);
  CHECK(contents[kOut][0] == (want[8] | want[9] << 8));
  contents = changed(4, 8);
  CHECK(contents[kImage] == want);
  CHECK(contents[kOut][8 + 2] == 0); // sub-group 1 neither writes nor reads
  CHECK_THROWS_AS(changed(2, 16), Rejected);
}
