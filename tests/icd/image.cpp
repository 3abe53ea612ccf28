// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Creating and querying images.
#include "support/images.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace lanecl::test;

namespace {

constexpr cl_image_format kRgba8{CL_RGBA, CL_UNORM_INT8};

cl_image_desc plane(size_t width = 16, size_t height = 8) {
  return describeImage(CL_MEM_OBJECT_IMAGE2D, {width, height, 1});
}

cl_int codeOf(const Session &cl, const cl_image_format *format, const cl_image_desc *description,
              cl_mem_flags flags = 0, void *host = nullptr) {
  cl_int code = 1;
  Memory image(clCreateImage(cl.context, flags, format, description, host, &code));
  CHECK((image.get() != nullptr) == (code == CL_SUCCESS));
  return code;
}

cl_int codeOf(const Session &cl, const cl_image_desc &description, cl_mem_flags flags = 0, void *host = nullptr) {
  return codeOf(cl, &kRgba8, &description, flags, host);
}

cl_int codeOf(const Session &cl, const cl_image_format &format) {
  const cl_image_desc description = plane();
  return codeOf(cl, &format, &description);
}

bool contains(const std::vector<cl_image_format> &formats, cl_channel_order order, cl_channel_type type) {
  return std::any_of(formats.begin(), formats.end(), [&](const cl_image_format &format) {
    return format.image_channel_order == order && format.image_channel_data_type == type;
  });
}

std::vector<size_t> sizesOf(const Memory &image) {
  std::vector<size_t> sizes;
  for (cl_image_info name : {CL_IMAGE_WIDTH, CL_IMAGE_HEIGHT, CL_IMAGE_DEPTH, CL_IMAGE_ARRAY_SIZE, CL_IMAGE_ROW_PITCH,
                             CL_IMAGE_SLICE_PITCH, CL_IMAGE_ELEMENT_SIZE})
    sizes.push_back(imageSize(image, name));
  return sizes;
}

cl_mem bufferOf(const Memory &image) {
  cl_mem buffer = nullptr;
  check(clGetImageInfo(image, CL_IMAGE_BUFFER, sizeof buffer, &buffer, nullptr), "clGetImageInfo");
  return buffer;
}

} // namespace

TEST_CASE("images of every type report their sizes", "[image]") {
  Session cl;
  const auto sizes = [&](cl_mem_object_type type) {
    return sizesOf(makeImage(cl, kRgba8, describeImage(type, {9, 7, 5})));
  };
  CHECK(sizes(CL_MEM_OBJECT_IMAGE1D) == std::vector<size_t>{9, 0, 0, 0, 36, 0, 4});
  CHECK(sizes(CL_MEM_OBJECT_IMAGE1D_ARRAY) == std::vector<size_t>{9, 0, 0, 7, 36, 36, 4});
  CHECK(sizes(CL_MEM_OBJECT_IMAGE2D) == std::vector<size_t>{9, 7, 0, 0, 36, 0, 4});
  CHECK(sizes(CL_MEM_OBJECT_IMAGE2D_ARRAY) == std::vector<size_t>{9, 7, 0, 5, 36, 252, 4});
  CHECK(sizes(CL_MEM_OBJECT_IMAGE3D) == std::vector<size_t>{9, 7, 5, 0, 36, 252, 4});
}

TEST_CASE("image and memory queries of an image", "[image]") {
  Session cl;
  Memory image = makeImage(cl, kRgba8, plane());
  cl_image_format format{};
  CHECK(clGetImageInfo(image, CL_IMAGE_FORMAT, sizeof format, &format, nullptr) == CL_SUCCESS);
  CHECK(format.image_channel_order == CL_RGBA);
  CHECK(format.image_channel_data_type == CL_UNORM_INT8);
  cl_uint levels = 5;
  CHECK(clGetImageInfo(image, CL_IMAGE_NUM_MIP_LEVELS, sizeof levels, &levels, nullptr) == CL_SUCCESS);
  CHECK(levels == 0);
  CHECK(bufferOf(image) == nullptr);
  cl_mem_object_type type = 0;
  CHECK(clGetMemObjectInfo(image, CL_MEM_TYPE, sizeof type, &type, nullptr) == CL_SUCCESS);
  CHECK(type == CL_MEM_OBJECT_IMAGE2D);
  cl_mem_flags flags = 0;
  CHECK(clGetMemObjectInfo(image, CL_MEM_FLAGS, sizeof flags, &flags, nullptr) == CL_SUCCESS);
  CHECK(flags == CL_MEM_READ_WRITE);
  size_t size = 0;
  CHECK(clGetMemObjectInfo(image, CL_MEM_SIZE, sizeof size, &size, nullptr) == CL_SUCCESS);
  CHECK(size == 16 * 8 * 4);
  CHECK(clGetImageInfo(image, CL_IMAGE_WIDTH, 4, &size, nullptr) == CL_INVALID_VALUE);
  CHECK(clGetImageInfo(image, CL_MEM_SIZE, sizeof size, &size, nullptr) == CL_INVALID_VALUE);
  CHECK(clGetImageInfo(cl.bytes(64), CL_IMAGE_WIDTH, sizeof size, &size, nullptr) == CL_INVALID_MEM_OBJECT);
  CHECK(clGetImageInfo(nullptr, CL_IMAGE_WIDTH, sizeof size, &size, nullptr) == CL_INVALID_MEM_OBJECT);
}

TEST_CASE("the required formats are supported", "[image]") {
  Session cl;
  for (cl_mem_object_type type : {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_MEM_OBJECT_IMAGE1D_ARRAY,
                                  CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D})
    for (cl_mem_flags flags : {CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_KERNEL_READ_AND_WRITE}) {
      const auto formats = supportedFormats(cl, type, flags);
      for (cl_channel_type channel :
           {CL_UNORM_INT8, CL_UNORM_INT16, CL_SIGNED_INT8, CL_SIGNED_INT16, CL_SIGNED_INT32, CL_UNSIGNED_INT8,
            CL_UNSIGNED_INT16, CL_UNSIGNED_INT32, CL_HALF_FLOAT, CL_FLOAT}) {
        CHECK(contains(formats, CL_RGBA, channel));
        CHECK(contains(formats, CL_R, channel));
      }
      CHECK(contains(formats, CL_BGRA, CL_UNORM_INT8));
      const bool is_plane = type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
      CHECK(contains(formats, CL_DEPTH, CL_FLOAT) == is_plane);
      CHECK(contains(formats, CL_sRGBA, CL_UNORM_INT8) == (flags == CL_MEM_READ_ONLY));
    }
  cl_uint count = 0;
  cl_image_format format{};
  CHECK(clGetSupportedImageFormats(cl.context, 0, CL_MEM_OBJECT_BUFFER, 0, nullptr, &count) == CL_INVALID_VALUE);
  CHECK(clGetSupportedImageFormats(cl.context, 0, CL_MEM_OBJECT_IMAGE2D, 0, &format, &count) == CL_INVALID_VALUE);
  CHECK(clGetSupportedImageFormats(cl.context, 1 << 20, CL_MEM_OBJECT_IMAGE2D, 0, nullptr, &count) == CL_INVALID_VALUE);
  CHECK(clGetSupportedImageFormats(nullptr, 0, CL_MEM_OBJECT_IMAGE2D, 0, nullptr, &count) == CL_INVALID_CONTEXT);
  CHECK(clGetSupportedImageFormats(cl.context, 0, CL_MEM_OBJECT_IMAGE2D, 1, &format, nullptr) == CL_SUCCESS);
}

TEST_CASE("invalid formats, and formats that the device lacks", "[image]") {
  Session cl;
  CHECK(codeOf(cl, cl_image_format{CL_RGBA, 0}) == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  CHECK(codeOf(cl, cl_image_format{0, CL_FLOAT}) == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  CHECK(codeOf(cl, cl_image_format{CL_RGBA, CL_UNORM_SHORT_565}) == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  CHECK(codeOf(cl, cl_image_format{CL_LUMINANCE, CL_SIGNED_INT8}) == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  CHECK(codeOf(cl, cl_image_format{CL_RGx, CL_FLOAT}) == CL_IMAGE_FORMAT_NOT_SUPPORTED);
  CHECK(codeOf(cl, cl_image_format{CL_sRGBx, CL_UNORM_INT8}) == CL_IMAGE_FORMAT_NOT_SUPPORTED);
  // Because it is also to be written.
  CHECK(codeOf(cl, cl_image_format{CL_sRGBA, CL_UNORM_INT8}) == CL_IMAGE_FORMAT_NOT_SUPPORTED);
  const cl_image_desc line = describeImage(CL_MEM_OBJECT_IMAGE1D, {16, 1, 1}), square = plane();
  const cl_image_format depth{CL_DEPTH, CL_FLOAT}, srgb{CL_sRGBA, CL_UNORM_INT8};
  CHECK(codeOf(cl, &depth, &line) == CL_IMAGE_FORMAT_NOT_SUPPORTED);
  CHECK(codeOf(cl, &depth, &square) == CL_SUCCESS);
  CHECK(codeOf(cl, &srgb, &square, CL_MEM_READ_ONLY) == CL_SUCCESS);
  CHECK(codeOf(cl, nullptr, &square) == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
}

TEST_CASE("image descriptors that are refused", "[image]") {
  Session cl;
  CHECK(codeOf(cl, &kRgba8, nullptr) == CL_INVALID_IMAGE_DESCRIPTOR);
  CHECK(codeOf(cl, describeImage(CL_MEM_OBJECT_BUFFER, {4, 4, 4})) == CL_INVALID_IMAGE_DESCRIPTOR);
  CHECK(codeOf(cl, describeImage(CL_MEM_OBJECT_IMAGE1D_BUFFER, {4, 1, 1})) == CL_INVALID_IMAGE_DESCRIPTOR);
  CHECK(codeOf(cl, plane(0, 4)) == CL_INVALID_IMAGE_SIZE);
  CHECK(codeOf(cl, plane(4, 0)) == CL_INVALID_IMAGE_SIZE);
  CHECK(codeOf(cl, plane(16385, 1)) == CL_INVALID_IMAGE_SIZE);
  CHECK(codeOf(cl, plane(1, 16385)) == CL_INVALID_IMAGE_SIZE);
  CHECK(codeOf(cl, describeImage(CL_MEM_OBJECT_IMAGE3D, {2049, 1, 1})) == CL_INVALID_IMAGE_SIZE);
  CHECK(codeOf(cl, describeImage(CL_MEM_OBJECT_IMAGE3D, {4, 4, 2049})) == CL_INVALID_IMAGE_SIZE);
  CHECK(codeOf(cl, describeImage(CL_MEM_OBJECT_IMAGE2D_ARRAY, {4, 4, 2049})) == CL_INVALID_IMAGE_SIZE);
  CHECK(codeOf(cl, describeImage(CL_MEM_OBJECT_IMAGE1D_ARRAY, {4, 0, 1})) == CL_INVALID_IMAGE_SIZE);
  cl_image_desc mipmapped = plane();
  mipmapped.num_mip_levels = 3;
  CHECK(codeOf(cl, mipmapped) == CL_INVALID_IMAGE_DESCRIPTOR);
  cl_image_desc sampled = plane();
  sampled.num_samples = 4;
  CHECK(codeOf(cl, sampled) == CL_INVALID_IMAGE_DESCRIPTOR);
}

TEST_CASE("pitches are only for the application's memory", "[image]") {
  Session cl;
  std::vector<uint8_t> host(80 * 8 * 3);
  cl_image_desc description = plane();
  description.image_row_pitch = 80;
  CHECK(codeOf(cl, description) == CL_INVALID_IMAGE_DESCRIPTOR); // there is no host memory
  CHECK(codeOf(cl, description, CL_MEM_COPY_HOST_PTR, host.data()) == CL_SUCCESS);
  description.image_row_pitch = 60; // less than a row
  CHECK(codeOf(cl, description, CL_MEM_COPY_HOST_PTR, host.data()) == CL_INVALID_IMAGE_DESCRIPTOR);
  description.image_row_pitch = 66; // not a multiple of an element
  CHECK(codeOf(cl, description, CL_MEM_COPY_HOST_PTR, host.data()) == CL_INVALID_IMAGE_DESCRIPTOR);
  cl_image_desc volume = describeImage(CL_MEM_OBJECT_IMAGE3D, {16, 8, 3});
  volume.image_row_pitch = 80;
  volume.image_slice_pitch = 80 * 7;
  CHECK(codeOf(cl, volume, CL_MEM_COPY_HOST_PTR, host.data()) == CL_INVALID_IMAGE_DESCRIPTOR);
  volume.image_slice_pitch = 80 * 8 + 4; // not a multiple of a row
  CHECK(codeOf(cl, volume, CL_MEM_COPY_HOST_PTR, host.data()) == CL_INVALID_IMAGE_DESCRIPTOR);
  volume.image_slice_pitch = 80 * 8;
  Memory image = makeImage(cl, kRgba8, volume, CL_MEM_USE_HOST_PTR, host.data());
  CHECK(sizesOf(image) == std::vector<size_t>{16, 8, 3, 0, 80, 640, 4});
}

TEST_CASE("flags and host pointers of images", "[image]") {
  Session cl;
  uint32_t pixels[128] = {};
  CHECK(codeOf(cl, plane(), CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY) == CL_INVALID_VALUE);
  CHECK(codeOf(cl, plane(), CL_MEM_KERNEL_READ_AND_WRITE) == CL_INVALID_VALUE);
  CHECK(codeOf(cl, plane(), CL_MEM_USE_HOST_PTR) == CL_INVALID_HOST_PTR);
  CHECK(codeOf(cl, plane(), 0, pixels) == CL_INVALID_HOST_PTR);
  cl_int code = 1;
  const cl_image_desc description = plane();
  CHECK(clCreateImage(nullptr, 0, &kRgba8, &description, nullptr, &code) == nullptr);
  CHECK(code == CL_INVALID_CONTEXT);
  const cl_mem_properties unknown[] = {CL_MEM_SIZE, 1, 0}, none[] = {0};
  CHECK(clCreateImageWithProperties(cl.context, unknown, 0, &kRgba8, &description, nullptr, &code) == nullptr);
  CHECK(code == CL_INVALID_PROPERTY);
  Memory image(clCreateImageWithProperties(cl.context, none, 0, &kRgba8, &description, nullptr, &code));
  CHECK(code == CL_SUCCESS);
  size_t size = 0;
  CHECK(clGetMemObjectInfo(image, CL_MEM_PROPERTIES, 0, nullptr, &size) == CL_SUCCESS);
  CHECK(size == sizeof(cl_mem_properties));
}

TEST_CASE("an image in a buffer shares its memory", "[image]") {
  Session cl;
  std::vector<uint32_t> content(20 * 4);
  for (size_t i = 0; i < content.size(); ++i)
    content[i] = uint32_t(i);
  Memory buffer = cl.buffer(content);
  cl_image_desc description = plane(17, 4);
  description.mem_object = buffer;
  description.image_row_pitch = 80;
  Memory image = makeImage(cl, kRgba8, description, 0);
  CHECK(bufferOf(image) == buffer.get());
  CHECK(imageSize(image, CL_IMAGE_ROW_PITCH) == 80);
  const auto pixels = readImage<uint32_t>(cl, image, {17, 4, 1});
  CHECK(pixels[17 * 3 + 16] == 20 * 3 + 16);

  description.image_row_pitch = 78; // not a multiple of an element
  CHECK(codeOf(cl, description) == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  description.image_row_pitch = 80;
  description.image_height = 5;
  CHECK(codeOf(cl, description) == CL_INVALID_IMAGE_SIZE);
  description.image_height = 4;
  description.image_slice_pitch = 320;
  CHECK(codeOf(cl, description) == CL_INVALID_IMAGE_DESCRIPTOR);
  description.image_slice_pitch = 0;
  CHECK(codeOf(cl, description, CL_MEM_COPY_HOST_PTR) == CL_INVALID_VALUE);
  Memory read_only = cl.bytes(4096, CL_MEM_READ_ONLY);
  description.mem_object = read_only;
  CHECK(codeOf(cl, description, CL_MEM_READ_WRITE) == CL_INVALID_VALUE);
  CHECK(codeOf(cl, description, 0) == CL_SUCCESS);
  description.mem_object = image; // a volume may only be made from a buffer
  description.image_type = CL_MEM_OBJECT_IMAGE3D;
  CHECK(codeOf(cl, description, 0) == CL_INVALID_IMAGE_DESCRIPTOR);
}

TEST_CASE("an image in a buffer keeps the buffer alive", "[image]") {
  Session cl;
  cl_image_desc description = describeImage(CL_MEM_OBJECT_IMAGE1D_BUFFER, {16, 1, 1});
  Memory buffer = cl.buffer(std::vector<uint32_t>(16, 7));
  description.mem_object = buffer;
  Memory image = makeImage(cl, kRgba8, description, 0);
  buffer.reset();
  CHECK(readImage<uint32_t>(cl, image, {16, 1, 1}) == std::vector<uint32_t>(16, 7));
  description.image_width = 17;
  Memory small = cl.bytes(64);
  description.mem_object = small;
  CHECK(codeOf(cl, description) == CL_INVALID_IMAGE_SIZE);
}

TEST_CASE("a view of an image sees the same elements in another channel order", "[image]") {
  Session cl;
  Memory image = makeImage(cl, kRgba8, CL_MEM_OBJECT_IMAGE2D, {16, 8, 1}, std::vector<uint32_t>(128, 0x01020304));
  cl_image_desc description = plane();
  description.mem_object = image;
  const cl_image_format srgb{CL_sRGBA, CL_UNORM_INT8}, swapped{CL_BGRA, CL_UNORM_INT8}, wide{CL_sRGBA, CL_UNORM_INT16};
  Memory view = makeImage(cl, srgb, description, CL_MEM_READ_ONLY);
  CHECK(readImage<uint32_t>(cl, view, {16, 8, 1}) == std::vector<uint32_t>(128, 0x01020304));
  CHECK(bufferOf(view) == nullptr);
  CHECK(codeOf(cl, &swapped, &description) == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  CHECK(codeOf(cl, &wide, &description) == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  description.image_width = 8;
  CHECK(codeOf(cl, &srgb, &description, CL_MEM_READ_ONLY) == CL_INVALID_IMAGE_DESCRIPTOR);
}

TEST_CASE("the functions of OpenCL 1.0 make images", "[image]") {
  Session cl;
  cl_int code = 1;
  Memory square(clCreateImage2D(cl.context, 0, &kRgba8, 16, 8, 0, nullptr, &code));
  CHECK(code == CL_SUCCESS);
  CHECK(sizesOf(square) == std::vector<size_t>{16, 8, 0, 0, 64, 0, 4});
  Memory cube(clCreateImage3D(cl.context, 0, &kRgba8, 16, 8, 4, 0, 0, nullptr, &code));
  CHECK(code == CL_SUCCESS);
  CHECK(sizesOf(cube) == std::vector<size_t>{16, 8, 4, 0, 64, 512, 4});
  CHECK(clCreateImage2D(cl.context, 0, &kRgba8, 16, 8, 64, nullptr, &code) == nullptr);
  CHECK(code == CL_INVALID_IMAGE_SIZE);
  CHECK(clCreateImage3D(cl.context, 0, &kRgba8, 16, 8, 1, 0, 0, nullptr, &code) == nullptr);
  CHECK(code == CL_INVALID_IMAGE_SIZE);
}
