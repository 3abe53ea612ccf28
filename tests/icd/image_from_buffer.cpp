// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cl_ext_image_from_buffer: images of every type in the memory of buffers.
#include "support/extension.hpp"
#include "support/images.hpp"

#include <catch2/catch.hpp>

using namespace lanecl::test;

namespace {

constexpr Extent kExtent{5, 4, 3};
constexpr cl_image_format kWords{CL_R, CL_UNSIGNED_INT32};

// A type of image, and how kernels address its element (x, y, z).
struct Type {
  cl_mem_object_type type;
  const char *name, *coordinates;
  bool has_rows, has_slices; // the slices of a 1D array are single rows

  cl_image_desc describe(const Extent &extent = kExtent) const { return describeImage(type, extent); }
  size_t rows() const { return has_rows ? kExtent[1] : 1; }
  size_t slices() const {
    if (!has_slices)
      return 1;
    return type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? kExtent[1] : kExtent[2];
  }
};

constexpr Type kTypes[] = {
    {CL_MEM_OBJECT_IMAGE1D, "image1d_t", "x", false, false},
    {CL_MEM_OBJECT_IMAGE1D_BUFFER, "image1d_buffer_t", "x", false, false},
    {CL_MEM_OBJECT_IMAGE1D_ARRAY, "image1d_array_t", "(int2)(x, z)", false, true},
    {CL_MEM_OBJECT_IMAGE2D, "image2d_t", "(int2)(x, y)", true, false},
    {CL_MEM_OBJECT_IMAGE2D_ARRAY, "image2d_array_t", "(int4)(x, y, z, 0)", true, true},
    {CL_MEM_OBJECT_IMAGE3D, "image3d_t", "(int4)(x, y, z, 0)", true, true},
};

// Pitches, or 0 for rows or slices without padding, and the resulting pitches in bytes.
struct Pitches {
  size_t row, slice;

  void give(cl_image_desc &description, const Type &type) const {
    description.image_row_pitch = row;
    description.image_slice_pitch = type.has_slices ? slice : 0;
  }
  size_t rowBytes(size_t element) const { return row != 0 ? row : kExtent[0] * element; }
  size_t sliceBytes(const Type &type, size_t element) const {
    return slice != 0 && type.has_slices ? slice : rowBytes(element) * type.rows();
  }
};

cl_int codeOf(const Session &cl, const cl_image_desc &description, cl_mem_flags flags = 0, void *host = nullptr) {
  cl_int code = 1;
  const Memory image(clCreateImage(cl.context, flags, &kWords, &description, host, &code));
  CHECK((image.get() != nullptr) == (code == CL_SUCCESS));
  return code;
}

std::vector<cl_uint> numbers(size_t count) {
  std::vector<cl_uint> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = cl_uint(i * 2654435761u);
  return values;
}

} // namespace

TEST_CASE("kernels see a buffer's content in images of every type", "[image_from_buffer]") {
  const Session cl;
  for (const Type &type : kTypes)
    for (const Pitches &pitches : {Pitches{0, 0}, Pitches{24, 0}, Pitches{24, 144}}) {
      CAPTURE(type.name, pitches.row, pitches.slice);
      const std::string access = std::string(type.name) + " image, global uint *p) {\n"
                                                          "  int x = get_global_id(0), y = get_global_id(1), z = "
                                                          "get_global_id(2);\n"
                                                          "  size_t i = get_global_linear_id();\n";
      const Program program =
          cl.build("kernel void get(read_only " + access + "  p[i] = read_imageui(image, " + type.coordinates +
                       ").x;\n}\n" + "kernel void set(write_only " + access + "  write_imageui(image, " +
                       type.coordinates + ", (uint4)(p[i], 0, 0, 1));\n}\n",
                   "-cl-std=CL3.0");
      const std::vector<cl_uint> content = numbers(256);
      const Memory buffer = cl.buffer(content);
      cl_image_desc description = type.describe();
      pitches.give(description, type);
      description.mem_object = buffer;
      const Memory image = makeImage(cl, kWords, description, 0);
      const size_t rows = type.rows(), slices = type.slices(), count = kExtent[0] * rows * slices;
      const Memory seen = cl.buffer(std::vector<cl_uint>(count));
      const auto run = [&](const char *name) {
        const Kernel kernel = cl.kernel(program, name);
        check(clSetKernelArg(kernel, 0, sizeof(cl_mem), image.address()), "clSetKernelArg");
        check(clSetKernelArg(kernel, 1, sizeof(cl_mem), seen.address()), "clSetKernelArg");
        const size_t global[] = {kExtent[0], rows, slices};
        check(clEnqueueNDRangeKernel(cl.queue, kernel, 3, nullptr, global, nullptr, 0, nullptr, nullptr), "launch");
      };
      // Returns the word of the buffer that is element i of the image, in the order of the work-items.
      const auto place = [&](size_t i) {
        const size_t x = i % kExtent[0], y = i / kExtent[0] % rows, z = i / kExtent[0] / rows;
        return (4 * x + y * pitches.rowBytes(4) + z * pitches.sliceBytes(type, 4)) / 4;
      };
      run("get");
      const auto got = cl.read<cl_uint>(seen);
      for (size_t i = 0; i < count; ++i)
        CHECK(got[i] == content[place(i)]);

      std::vector<cl_uint> expected = content, written(count);
      for (size_t i = 0; i < count; ++i)
        expected[place(i)] = written[i] = cl_uint(1000 + i);
      check(clEnqueueWriteBuffer(cl.queue, seen, CL_TRUE, 0, 4 * count, written.data(), 0, nullptr, nullptr), "write");
      run("set");
      CHECK(cl.read<cl_uint>(buffer) == expected); // including the padding
    }
}

TEST_CASE("an image may be in a sub-buffer, and in the application's memory", "[image_from_buffer]") {
  const Session cl;
  std::vector<cl_uint> memory = numbers(512);
  cl_int code = 1;
  const Memory whole(
      clCreateBuffer(cl.context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, 4 * memory.size(), memory.data(), &code));
  const cl_buffer_region region{512, 1024};
  const Memory part(clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
  REQUIRE(code == CL_SUCCESS);
  for (const Type &type : kTypes) {
    cl_image_desc description = type.describe();
    description.mem_object = part;
    const Memory image = makeImage(cl, kWords, description, 0);
    const auto elements =
        readImage<cl_uint>(cl, image,
                           type.type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? Extent{kExtent[0], kExtent[1], 1}
                                                                    : Extent{kExtent[0], type.rows(), type.slices()});
    for (size_t i = 0; i < elements.size(); ++i)
      CHECK(elements[i] == memory[128 + i]);
    void *host = nullptr;
    check(clGetMemObjectInfo(image, CL_MEM_HOST_PTR, sizeof host, &host, nullptr), "clGetMemObjectInfo");
    CHECK(host == memory.data() + 128);
  }
}

TEST_CASE("an image in a buffer reports its pitches and its buffer", "[image_from_buffer]") {
  const Session cl;
  const Memory buffer = cl.bytes(4096, CL_MEM_READ_ONLY);
  for (const Type &type : kTypes)
    for (const cl_image_format format : {kWords, cl_image_format{CL_R, CL_UNSIGNED_INT8},
                                         cl_image_format{CL_RG, CL_HALF_FLOAT}, cl_image_format{CL_RGBA, CL_FLOAT}})
      for (const Pitches &pitches : {Pitches{0, 0}, Pitches{96, 0}, Pitches{96, 480}}) {
        cl_image_desc description = type.describe();
        pitches.give(description, type);
        description.mem_object = buffer;
        const Memory image = makeImage(cl, format, description, 0);
        const size_t element = imageSize(image, CL_IMAGE_ELEMENT_SIZE);
        CHECK(imageSize(image, CL_IMAGE_ROW_PITCH) == pitches.rowBytes(element));
        CHECK(imageSize(image, CL_IMAGE_SLICE_PITCH) == (type.has_slices ? pitches.sliceBytes(type, element) : 0));
        CHECK(imageSize(image, CL_IMAGE_WIDTH) == kExtent[0]);
        cl_mem parent = nullptr;
        check(clGetMemObjectInfo(image, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent, &parent, nullptr), "parent");
        CHECK(parent == buffer.get());
        check(clGetImageInfo(image, CL_IMAGE_BUFFER, sizeof parent, &parent, nullptr), "parent");
        CHECK(parent == buffer.get());
        cl_mem_flags flags = 0;
        check(clGetMemObjectInfo(image, CL_MEM_FLAGS, sizeof flags, &flags, nullptr), "flags");
        CHECK(flags == CL_MEM_READ_ONLY);
        size_t bytes = 0;
        check(clGetMemObjectInfo(image, CL_MEM_SIZE, sizeof bytes, &bytes, nullptr), "size");
        const bool is_row = !type.has_rows && !type.has_slices;
        CHECK(bytes == (is_row ? kExtent[0] * element : pitches.sliceBytes(type, element) * type.slices()));
      }
}

TEST_CASE("commands on images in buffers", "[image_from_buffer]") {
  const Session cl;
  for (const Type &type : kTypes) {
    CAPTURE(type.name);
    const Pitches pitches{24, 144};
    const std::vector<cl_uint> content = numbers(256);
    const Memory buffer = cl.buffer(content), other_buffer = cl.buffer(std::vector<cl_uint>(256));
    cl_image_desc description = type.describe();
    pitches.give(description, type);
    description.mem_object = buffer;
    const Memory image = makeImage(cl, kWords, description, 0);
    cl_image_desc plain = type.describe();
    if (type.type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
      plain.mem_object = other_buffer;
    const Memory other = makeImage(cl, kWords, plain, CL_MEM_READ_WRITE);
    const bool rows_are_images = type.type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    const Extent region{kExtent[0], rows_are_images ? type.slices() : type.rows(), rows_are_images ? 1 : type.slices()};
    const size_t origin[3] = {};
    const auto place = [&](size_t x, size_t y, size_t z) {
      const size_t y_pitch = rows_are_images ? pitches.sliceBytes(type, 4) : pitches.rowBytes(4);
      return x + (y * y_pitch + z * pitches.sliceBytes(type, 4)) / 4;
    };
    check(clEnqueueCopyImage(cl.queue, image, other, origin, origin, region.data(), 0, nullptr, nullptr), "copy");
    const auto copied = readImage<cl_uint>(cl, other, region), read = readImage<cl_uint>(cl, image, region);
    CHECK(copied == read);
    size_t row_pitch = 0, slice_pitch = 0;
    cl_int code = 1;
    const auto *mapped =
        static_cast<const cl_uint *>(clEnqueueMapImage(cl.queue, image, CL_TRUE, CL_MAP_READ, origin, region.data(),
                                                       &row_pitch, &slice_pitch, 0, nullptr, nullptr, &code));
    REQUIRE(code == CL_SUCCESS);
    CHECK(row_pitch == 24);
    CHECK(slice_pitch == (type.has_slices ? 144 : 0));
    std::vector<cl_uint> filled = content;
    for (size_t z = 0; z < region[2]; ++z)
      for (size_t y = 0; y < region[1]; ++y)
        for (size_t x = 0; x < region[0]; ++x) {
          CHECK(mapped[place(x, y, z)] == content[place(x, y, z)]);
          CHECK(read[x + region[0] * (y + region[1] * z)] == content[place(x, y, z)]);
          filled[place(x, y, z)] = 7;
        }
    check(clEnqueueUnmapMemObject(cl.queue, image, const_cast<cl_uint *>(mapped), 0, nullptr, nullptr), "unmap");
    const cl_uint color[4] = {7, 0, 0, 1};
    check(clEnqueueFillImage(cl.queue, image, color, origin, region.data(), 0, nullptr, nullptr), "fill");
    CHECK(cl.read<cl_uint>(buffer) == filled);
    check(clEnqueueWriteImage(cl.queue, image, CL_TRUE, origin, region.data(), 0, 0, read.data(), 0, nullptr, nullptr),
          "write");
    CHECK(cl.read<cl_uint>(buffer) == content);
    check(clEnqueueFillBuffer(cl.queue, buffer, color, 4, 0, 1024, 0, nullptr, nullptr), "fill");
    CHECK(readImage<cl_uint>(cl, image, region) == std::vector<cl_uint>(read.size(), 7));
  }
}

TEST_CASE("copies within one buffer must not overlap", "[image_from_buffer]") {
  const Session cl;
  const std::vector<cl_uint> content = numbers(256);
  const Memory buffer = cl.buffer(content);
  // Returns an image of 4 rows of 8 integers, which starts at that row of the buffer.
  const auto imageAt = [&](size_t row) {
    const cl_buffer_region place{row * 32, 4 * 32};
    cl_int code = 1;
    const Memory part(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &place, &code));
    check(code, "clCreateSubBuffer");
    cl_image_desc description = describeImage(CL_MEM_OBJECT_IMAGE2D, {8, 4, 1});
    description.image_row_pitch = 32;
    description.mem_object = part;
    return makeImage(cl, kWords, description, 0);
  };
  REQUIRE(deviceList<cl_uint>(CL_DEVICE_MEM_BASE_ADDR_ALIGN).front() / 8 <= 4 * 32);
  const Memory first = imageAt(0), second = imageAt(4), third = imageAt(8);
  const size_t origin[3] = {}, right[3] = {4, 0, 0}, below[3] = {0, 1, 0}, region[3] = {4, 3, 1}, whole[3] = {8, 4, 1};
  const auto copy = [&](const Memory &from, const Memory &to, const size_t *at, const size_t *box) {
    return clEnqueueCopyImage(cl.queue, from, to, origin, at, box, 0, nullptr, nullptr);
  };
  const auto toBuffer = [&](const Memory &image, size_t offset) {
    return clEnqueueCopyImageToBuffer(cl.queue, image, buffer, origin, region, offset, 0, nullptr, nullptr);
  };
  const auto fromBuffer = [&](const Memory &image, size_t offset) {
    return clEnqueueCopyBufferToImage(cl.queue, buffer, image, offset, origin, region, 0, nullptr, nullptr);
  };
  // Two images of the same memory.
  const Memory again = imageAt(0);
  CHECK(copy(first, again, below, region) == CL_MEM_COPY_OVERLAP);
  CHECK(copy(first, again, origin, whole) == CL_MEM_COPY_OVERLAP);
  // The region in the buffer has no padding between its rows: 48 bytes from the offset on.
  CHECK(toBuffer(first, 0) == CL_MEM_COPY_OVERLAP);
  CHECK(toBuffer(first, 64) == CL_MEM_COPY_OVERLAP);
  CHECK(fromBuffer(first, 32) == CL_MEM_COPY_OVERLAP);
  CHECK(fromBuffer(second, 128 - 16) == CL_MEM_COPY_OVERLAP);
  CHECK(cl.read<cl_uint>(buffer) == content);
  // Other bytes of the same memory, next to each other.
  CHECK(copy(first, again, right, region) == CL_SUCCESS);
  CHECK(copy(first, second, origin, whole) == CL_SUCCESS);
  CHECK(toBuffer(first, 3 * 32) == CL_SUCCESS);
  CHECK(fromBuffer(third, 5 * 32) == CL_SUCCESS);
  std::vector<cl_uint> expected = content;
  for (size_t y = 0; y < 3; ++y)
    std::copy_n(&expected[8 * y], 4, &expected[8 * y + 4]);
  std::copy_n(&expected[0], 32, &expected[32]);
  for (size_t y = 0; y < 3; ++y)
    std::copy_n(&expected[8 * y], 4, &expected[24 + 4 * y]);
  for (size_t y = 0; y < 3; ++y)
    std::copy_n(&expected[40 + 4 * y], 4, &expected[64 + 8 * y]);
  CHECK(cl.read<cl_uint>(buffer) == expected);
}

TEST_CASE("pitches that images in buffers cannot have", "[image_from_buffer]") {
  const Session cl;
  const Memory buffer = cl.bytes(4096);
  for (const Type &type : kTypes) {
    CAPTURE(type.name);
    const auto code = [&](size_t row_pitch, size_t slice_pitch) {
      cl_image_desc description = type.describe();
      description.image_row_pitch = row_pitch;
      description.image_slice_pitch = slice_pitch;
      description.mem_object = buffer;
      return codeOf(cl, description);
    };
    CHECK(code(24, 0) == CL_SUCCESS);
    CHECK(code(25, 0) == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR); // not a multiple of an element
    CHECK(code(16, 0) == CL_INVALID_IMAGE_DESCRIPTOR);        // less than a row
    if (!type.has_slices) {
      CHECK(code(24, 24 * 4) == CL_INVALID_IMAGE_DESCRIPTOR);
      continue;
    }
    CHECK(code(24, 24 * 4) == CL_SUCCESS);
    CHECK(code(24, 24 * 4 + 1) == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR); // not a multiple of an element
    CHECK(code(24, 24 * 4 + 4) == CL_INVALID_IMAGE_DESCRIPTOR);        // not a multiple of a row
    CHECK(code(24, 24 * (type.has_rows ? 3 : 0) + 12) == CL_INVALID_IMAGE_DESCRIPTOR);
  }
}

TEST_CASE("a buffer that is too small cannot become an image", "[image_from_buffer]") {
  const Session cl;
  for (const Type &type : kTypes)
    for (const Pitches &pitches : {Pitches{0, 0}, Pitches{24, 0}, Pitches{24, 144}}) {
      CAPTURE(type.name, pitches.row, pitches.slice);
      cl_image_desc description = type.describe();
      pitches.give(description, type);
      const bool is_row = !type.has_rows && !type.has_slices;
      const size_t bytes = is_row ? kExtent[0] * 4 : pitches.sliceBytes(type, 4) * type.slices();
      const Memory enough = cl.bytes(bytes), small = cl.bytes(bytes - 1);
      description.mem_object = enough;
      CHECK(codeOf(cl, description) == CL_SUCCESS);
      description.mem_object = small;
      CHECK(codeOf(cl, description) == CL_INVALID_IMAGE_SIZE);
      description.mem_object = enough;
      description.image_width = 0;
      CHECK(codeOf(cl, description) == CL_INVALID_IMAGE_SIZE);
    }
}

TEST_CASE("no buffer has room for pitches whose product is no size", "[image_from_buffer]") {
  const Session cl;
  const Memory buffer = cl.bytes(4096);
  for (const Type &type : kTypes) {
    if (!type.has_rows && !type.has_slices)
      continue;
    CAPTURE(type.name);
    cl_image_desc description = type.describe();
    description.mem_object = buffer;
    description.image_row_pitch = size_t(1) << 62; // four rows have 2^64 bytes, which is 0 as a size_t
    CHECK(codeOf(cl, description) == CL_INVALID_IMAGE_SIZE);
    description.image_row_pitch = 0;
    description.image_slice_pitch = type.has_slices ? SIZE_MAX / 2 + 1 : 0;
    CHECK(codeOf(cl, description) == (type.has_slices ? CL_INVALID_IMAGE_SIZE : CL_SUCCESS));
  }
}

TEST_CASE("flags and parents of images in buffers", "[image_from_buffer]") {
  const Session cl, foreign;
  const Memory read_only = cl.bytes(4096, CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY), other = foreign.bytes(4096);
  const Memory plane = makeImage(cl, kWords, describeImage(CL_MEM_OBJECT_IMAGE2D, {20, 20, 1}));
  cl_int code = 1;
  const Memory pipe(clCreatePipe(cl.context, 0, 4, 1024, nullptr, &code));
  REQUIRE(code == CL_SUCCESS);
  cl_uint word = 0;
  for (const Type &type : kTypes) {
    CAPTURE(type.name);
    cl_image_desc description = type.describe();
    description.mem_object = read_only;
    CHECK(codeOf(cl, description, CL_MEM_READ_ONLY) == CL_SUCCESS);
    CHECK(codeOf(cl, description, CL_MEM_READ_WRITE) == CL_INVALID_VALUE);
    CHECK(codeOf(cl, description, CL_MEM_WRITE_ONLY) == CL_INVALID_VALUE);
    CHECK(codeOf(cl, description, CL_MEM_HOST_WRITE_ONLY) == CL_INVALID_VALUE);
    for (const cl_mem_flags flag : {CL_MEM_USE_HOST_PTR, CL_MEM_COPY_HOST_PTR, CL_MEM_ALLOC_HOST_PTR})
      CHECK(codeOf(cl, description, flag) == CL_INVALID_VALUE);
    CHECK(codeOf(cl, description, 0, &word) == CL_INVALID_HOST_PTR);
    description.mem_object = other;
    CHECK(codeOf(cl, description) == CL_INVALID_CONTEXT);
    description.mem_object = plane;
    CHECK(codeOf(cl, description) == CL_INVALID_IMAGE_DESCRIPTOR);
    description.mem_object = pipe;
    CHECK(codeOf(cl, description) == CL_INVALID_IMAGE_DESCRIPTOR);
  }
}

TEST_CASE("the alignment of the slice pitch, and what is required of buffers", "[image_from_buffer]") {
  const Session cl;
  const auto function = extensionFunction<clGetImageRequirementsInfoEXT_fn>("clGetImageRequirementsInfoEXT");
  const auto ask = [&](cl_image_requirements_info_ext name, const cl_image_format *format,
                       const cl_image_desc *description) {
    size_t value = 0;
    CHECK(function(cl.context, nullptr, 0, format, description, name, sizeof value, &value, nullptr) == CL_SUCCESS);
    return value;
  };
  constexpr auto kSlice = CL_IMAGE_REQUIREMENTS_SLICE_PITCH_ALIGNMENT_EXT;
  for (const Type &type : kTypes)
    for (const cl_image_format &format : supportedFormats(cl, type.type, CL_MEM_READ_WRITE)) {
      cl_image_desc description = type.describe();
      const size_t slice = ask(kSlice, &format, &description);
      CHECK((slice != 0 && (slice & (slice - 1)) == 0));
      CHECK(ask(kSlice, nullptr, &description) >= slice);
      CHECK(ask(kSlice, &format, nullptr) >= slice);
      CHECK(ask(kSlice, nullptr, nullptr) >= slice);
      const size_t bytes = ask(CL_IMAGE_REQUIREMENTS_SIZE_EXT, &format, &description);
      const Memory buffer = cl.bytes(bytes);
      description.mem_object = buffer;
      CHECK(ask(CL_IMAGE_REQUIREMENTS_SIZE_EXT, &format, &description) == bytes);
      const Memory image = makeImage(cl, format, description);
      size_t size = 0;
      check(clGetMemObjectInfo(image, CL_MEM_SIZE, sizeof size, &size, nullptr), "size");
      CHECK(size == bytes);
    }
  const Memory buffer = cl.bytes(6000);
  cl_image_desc volume = describeImage(CL_MEM_OBJECT_IMAGE3D, {10, 10, 0});
  volume.mem_object = buffer;
  cl_uint most = 0;
  CHECK(function(cl.context, nullptr, 0, &kWords, &volume, CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT, 4, &most, nullptr) ==
        CL_SUCCESS);
  CHECK(most == 15);
}
