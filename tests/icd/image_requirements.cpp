// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cl_ext_image_requirements_info: what an image would need, before it is created.
#include "support/extension.hpp"
#include "support/images.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace lanecl::test;

namespace {

constexpr cl_image_format kRgba8{CL_RGBA, CL_UNORM_INT8}, kRgbaFloat{CL_RGBA, CL_FLOAT};
constexpr cl_mem_object_type kTypes[] = {CL_MEM_OBJECT_IMAGE1D,       CL_MEM_OBJECT_IMAGE1D_BUFFER,
                                         CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE2D,
                                         CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D};
constexpr cl_image_requirements_info_ext kAlignments[] = {CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT,
                                                          CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT};
constexpr cl_image_requirements_info_ext kMaxima[] = {
    CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT, CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT,
    CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT};

auto function() {
  return extensionFunction<clGetImageRequirementsInfoEXT_fn>("clGetImageRequirementsInfoEXT");
}

// Returns the answer and the error code. The answer is 0 if there is an error.
template <class T>
std::pair<T, cl_int> ask(const Session &cl, cl_image_requirements_info_ext name, const cl_image_format *format,
                         const cl_image_desc *description, cl_mem_flags flags = 0) {
  T value{};
  size_t bytes = 0;
  const cl_int code = function()(cl.context, nullptr, flags, format, description, name, sizeof value, &value, &bytes);
  CHECK((code != CL_SUCCESS || bytes == sizeof value));
  return {value, code};
}

size_t bytesOf(const Session &cl, cl_image_requirements_info_ext name, const cl_image_format *format,
               const cl_image_desc *description, cl_mem_flags flags = 0) {
  const auto [value, code] = ask<size_t>(cl, name, format, description, flags);
  CHECK(code == CL_SUCCESS);
  return value;
}

size_t most(const Session &cl, cl_image_requirements_info_ext name, const cl_image_format *format,
            const cl_image_desc *description) {
  const auto [value, code] = ask<cl_uint>(cl, name, format, description);
  CHECK(code == CL_SUCCESS);
  return value;
}

cl_int codeOf(const Session &cl, cl_image_requirements_info_ext name, const cl_image_format *format,
              const cl_image_desc &description, cl_mem_flags flags = 0) {
  return ask<size_t>(cl, name, format, &description, flags).second;
}

size_t deviceSize(cl_device_info name) {
  size_t value = 0;
  check(clGetDeviceInfo(laneclDevice(), name, sizeof value, &value, nullptr), "clGetDeviceInfo");
  return value;
}

bool hasHeight(cl_mem_object_type type) {
  return type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY || type == CL_MEM_OBJECT_IMAGE3D;
}
bool hasLayers(cl_mem_object_type type) {
  return type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
}

} // namespace

TEST_CASE("the alignments of every format and type are powers of two", "[image_requirements]") {
  const Session cl;
  cl_uint pitch_elements = 0, base_elements = 0;
  const cl_device_id device = laneclDevice();
  check(clGetDeviceInfo(device, CL_DEVICE_IMAGE_PITCH_ALIGNMENT, 4, &pitch_elements, nullptr), "pitch");
  check(clGetDeviceInfo(device, CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, 4, &base_elements, nullptr), "base");
  for (const cl_mem_object_type type : kTypes)
    for (const cl_mem_flags flags :
         {CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_KERNEL_READ_AND_WRITE})
      for (const cl_image_format &format : supportedFormats(cl, type, flags)) {
        const cl_image_desc description = describeImage(type, {20, 20, 20});
        const size_t pitch = bytesOf(cl, CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT, &format, &description, flags);
        const size_t base = bytesOf(cl, CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT, &format, &description, flags);
        const bool are_powers = pitch != 0 && base != 0 && (pitch & (pitch - 1)) == 0 && (base & (base - 1)) == 0;
        CHECK(are_powers);
        CHECK(pitch <= pitch_elements * 16); // 16 bytes is the size of the largest element
        CHECK(base <= base_elements * 16);
        // The answer without the format, or for all uses, is also good for this image.
        for (const auto name : kAlignments) {
          CHECK(bytesOf(cl, name, nullptr, &description) >= bytesOf(cl, name, &format, &description, flags));
          CHECK(bytesOf(cl, name, &format, nullptr) >= bytesOf(cl, name, &format, &description, flags));
          CHECK(bytesOf(cl, name, nullptr, nullptr) >= bytesOf(cl, name, &format, &description, flags));
        }
      }
}

TEST_CASE("a buffer of the required size and alignment becomes an image", "[image_requirements]") {
  const Session cl;
  std::vector<char> memory(1 << 16);
  for (const cl_image_format &format : supportedFormats(cl, CL_MEM_OBJECT_IMAGE2D, CL_MEM_READ_WRITE))
    for (const Extent extent : {Extent{20, 20, 1}, Extent{21, 3, 1}, Extent{1, 1, 1}})
      for (const size_t padding : {size_t(0), size_t(3)}) {
        cl_image_desc description = describeImage(CL_MEM_OBJECT_IMAGE2D, extent);
        const size_t unit = bytesOf(cl, CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT, &format, &description);
        const size_t base = bytesOf(cl, CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT, &format, &description);
        if (padding != 0) // elements have at most 16 bytes
          description.image_row_pitch = (extent[0] * 16 / unit + padding) * unit;
        const size_t bytes = bytesOf(cl, CL_IMAGE_REQUIREMENTS_SIZE_EXT, &format, &description);
        const size_t address = reinterpret_cast<size_t>(memory.data());
        char *const aligned = memory.data() + (base - address % base); // aligned to `base` and to no more than that
        cl_int code = 1;
        const Memory buffer(clCreateBuffer(cl.context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, aligned, &code));
        REQUIRE(code == CL_SUCCESS);
        description.mem_object = buffer;
        CHECK(bytesOf(cl, CL_IMAGE_REQUIREMENTS_SIZE_EXT, &format, &description) == bytes);
        const Memory image = makeImage(cl, format, description);
        size_t size = 0;
        check(clGetMemObjectInfo(image, CL_MEM_SIZE, sizeof size, &size, nullptr), "clGetMemObjectInfo");
        CHECK(size == bytes);
        if (bytes == 1)
          continue;
        const cl_buffer_region part{0, bytes - 1};
        const Memory small(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &code));
        REQUIRE(code == CL_SUCCESS);
        description.mem_object = small;
        CHECK(clCreateImage(cl.context, 0, &format, &description, nullptr, &code) == nullptr);
        CHECK(code == CL_INVALID_IMAGE_SIZE);
      }
}

TEST_CASE("kernels access images at any element", "[image_requirements]") {
  const Session cl;
  std::vector<char> memory(32 * 5 + 1);
  cl_int code = 1;
  const Memory buffer(
      clCreateBuffer(cl.context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, 28 * 5, memory.data() + 1, &code));
  cl_image_desc description = describeImage(CL_MEM_OBJECT_IMAGE2D, {5, 5, 1});
  description.image_row_pitch = 28; // seven elements
  description.mem_object = buffer;
  const cl_image_format format{CL_R, CL_UNSIGNED_INT32};
  const Memory image = makeImage(cl, format, description);
  const Program program = cl.build("kernel void k(write_only image2d_t image) {\n"
                                   "  int x = get_global_id(0), y = get_global_id(1);\n"
                                   "  write_imageui(image, (int2)(x, y), (uint4)(x + 10 * y, 0, 0, 1));\n"
                                   "}\n");
  const Kernel kernel = cl.kernel(program, "k");
  check(clSetKernelArg(kernel, 0, sizeof(cl_mem), image.address()), "clSetKernelArg");
  const size_t global[] = {5, 5};
  check(clEnqueueNDRangeKernel(cl.queue, kernel, 2, nullptr, global, nullptr, 0, nullptr, nullptr), "launch");
  const auto elements = cl.read<cl_uint>(buffer);
  for (cl_uint y = 0; y < 5; ++y)
    for (cl_uint x = 0; x < 5; ++x)
      CHECK(elements[7 * y + x] == x + 10 * y);
}

TEST_CASE("the size of an image of every type", "[image_requirements]") {
  const Session cl;
  const auto size = [&](cl_mem_object_type type) {
    const cl_image_desc description = describeImage(type, {9, 7, 5});
    return bytesOf(cl, CL_IMAGE_REQUIREMENTS_SIZE_EXT, &kRgba8, &description);
  };
  CHECK(size(CL_MEM_OBJECT_IMAGE1D) == 36);
  CHECK(size(CL_MEM_OBJECT_IMAGE1D_BUFFER) == 36);
  CHECK(size(CL_MEM_OBJECT_IMAGE1D_ARRAY) == 36 * 7);
  CHECK(size(CL_MEM_OBJECT_IMAGE2D) == 36 * 7);
  CHECK(size(CL_MEM_OBJECT_IMAGE2D_ARRAY) == 36 * 7 * 5);
  CHECK(size(CL_MEM_OBJECT_IMAGE3D) == 36 * 7 * 5);
  cl_image_desc pitched = describeImage(CL_MEM_OBJECT_IMAGE3D, {9, 7, 5});
  pitched.image_row_pitch = 40;
  CHECK(bytesOf(cl, CL_IMAGE_REQUIREMENTS_SIZE_EXT, &kRgba8, &pitched) == 40 * 7 * 5);
  pitched.image_slice_pitch = 400;
  CHECK(bytesOf(cl, CL_IMAGE_REQUIREMENTS_SIZE_EXT, &kRgba8, &pitched) == 400 * 5);
  cl_image_desc row = describeImage(CL_MEM_OBJECT_IMAGE1D, {9, 1, 1});
  row.image_row_pitch = 80;
  CHECK(bytesOf(cl, CL_IMAGE_REQUIREMENTS_SIZE_EXT, &kRgba8, &row) == 36);
  CHECK(codeOf(cl, CL_IMAGE_REQUIREMENTS_SIZE_EXT, nullptr, row) == CL_INVALID_VALUE);
  CHECK(ask<size_t>(cl, CL_IMAGE_REQUIREMENTS_SIZE_EXT, &kRgba8, nullptr).second == CL_INVALID_VALUE);
  CHECK(ask<size_t>(cl, CL_IMAGE_REQUIREMENTS_SIZE_EXT, nullptr, nullptr).second == CL_INVALID_VALUE);
}

TEST_CASE("the largest sizes are those of the device", "[image_requirements]") {
  const Session cl;
  for (const cl_mem_object_type type : kTypes)
    for (const cl_image_format *format : {&kRgba8, &kRgbaFloat, static_cast<const cl_image_format *>(nullptr)})
      for (const Extent extent : {Extent{0, 0, 0}, Extent{20, 20, 20}}) {
        const bool is_volume = type == CL_MEM_OBJECT_IMAGE3D;
        const cl_image_desc description = describeImage(type, extent);
        const size_t width = most(cl, CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, format, &description);
        CHECK(width <= deviceSize(type == CL_MEM_OBJECT_IMAGE1D_BUFFER ? CL_DEVICE_IMAGE_MAX_BUFFER_SIZE
                                  : is_volume                          ? CL_DEVICE_IMAGE3D_MAX_WIDTH
                                                                       : CL_DEVICE_IMAGE2D_MAX_WIDTH));
        CHECK(width > 0);
        if (hasHeight(type))
          CHECK(most(cl, CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT, format, &description) ==
                deviceSize(is_volume ? CL_DEVICE_IMAGE3D_MAX_HEIGHT : CL_DEVICE_IMAGE2D_MAX_HEIGHT));
        else
          CHECK(codeOf(cl, CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT, format, description) == CL_INVALID_IMAGE_DESCRIPTOR);
        if (is_volume)
          CHECK(most(cl, CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT, format, &description) ==
                deviceSize(CL_DEVICE_IMAGE3D_MAX_DEPTH));
        else
          CHECK(codeOf(cl, CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT, format, description) == CL_INVALID_IMAGE_DESCRIPTOR);
        if (hasLayers(type))
          CHECK(most(cl, CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT, format, &description) ==
                deviceSize(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE));
        else
          CHECK(codeOf(cl, CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT, format, description) ==
                CL_INVALID_IMAGE_DESCRIPTOR);
      }
}

TEST_CASE("without a type the largest sizes hold for all types", "[image_requirements]") {
  const Session cl;
  const cl_image_desc open{};
  for (const cl_image_desc *description : {&open, static_cast<const cl_image_desc *>(nullptr)}) {
    CHECK(most(cl, CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, nullptr, description) ==
          deviceSize(CL_DEVICE_IMAGE3D_MAX_WIDTH));
    CHECK(most(cl, CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT, nullptr, description) ==
          deviceSize(CL_DEVICE_IMAGE3D_MAX_HEIGHT));
    CHECK(most(cl, CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT, &kRgba8, description) ==
          deviceSize(CL_DEVICE_IMAGE3D_MAX_DEPTH));
    CHECK(most(cl, CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT, &kRgba8, description) ==
          deviceSize(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE));
  }
  // Depth images cannot be volumes.
  const cl_image_format depth{CL_DEPTH, CL_FLOAT};
  CHECK(most(cl, CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, &depth, nullptr) == deviceSize(CL_DEVICE_IMAGE2D_MAX_WIDTH));
}

TEST_CASE("the largest sizes exclude what cannot be created", "[image_requirements]") {
  const Session cl;
  const Memory buffer = cl.bytes(4000);
  cl_image_desc description = describeImage(CL_MEM_OBJECT_IMAGE2D, {0, 10, 1});
  description.mem_object = buffer;
  CHECK(most(cl, CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, &kRgba8, &description) == 100);
  CHECK(most(cl, CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, nullptr, &description) == 25);
  description.image_row_pitch = 64;
  CHECK(most(cl, CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, &kRgba8, &description) == 16);
  CHECK(most(cl, CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT, &kRgba8, &description) == 62);
  description.image_row_pitch = 800; // ten of these rows are larger than the buffer
  CHECK(codeOf(cl, CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, &kRgba8, description) == CL_INVALID_IMAGE_DESCRIPTOR);
  description.image_row_pitch = 0;
  description.image_width = 50;
  CHECK(most(cl, CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT, &kRgba8, &description) == 20);

  cl_image_desc volume = describeImage(CL_MEM_OBJECT_IMAGE3D, {10, 10, 10});
  volume.image_row_pitch = 80;
  volume.image_slice_pitch = 1600;
  CHECK(most(cl, CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, &kRgba8, &volume) == 20);
  CHECK(most(cl, CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT, &kRgba8, &volume) == 20);
  cl_ulong memory = 0;
  check(clGetDeviceInfo(laneclDevice(), CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof memory, &memory, nullptr), "memory");
  cl_image_desc array = describeImage(CL_MEM_OBJECT_IMAGE2D_ARRAY, {16384, 16384, 0});
  const size_t layers = most(cl, CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT, &kRgbaFloat, &array);
  CHECK(layers == std::min<cl_ulong>(memory / (cl_ulong(16384) * 16384 * 16), 2048));
}

TEST_CASE("an image made from an image is as large as that", "[image_requirements]") {
  const Session cl;
  const Memory viewed = makeImage(cl, kRgba8, describeImage(CL_MEM_OBJECT_IMAGE2D, {12, 8, 1}));
  const cl_image_format srgb{CL_sRGBA, CL_UNORM_INT8}, other{CL_RGBA, CL_UNORM_INT16};
  cl_image_desc description{};
  description.mem_object = viewed;
  CHECK(most(cl, CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, &srgb, &description) == 12);
  CHECK(most(cl, CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT, &srgb, &description) == 8);
  CHECK(codeOf(cl, CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT, &other, description) == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  description = describeImage(CL_MEM_OBJECT_IMAGE2D, {12, 8, 1});
  description.mem_object = viewed;
  CHECK(bytesOf(cl, CL_IMAGE_REQUIREMENTS_SIZE_EXT, &srgb, &description, CL_MEM_READ_ONLY) == 12 * 8 * 4);
  description.image_width = 11;
  CHECK(codeOf(cl, CL_IMAGE_REQUIREMENTS_SIZE_EXT, &srgb, description) == CL_INVALID_IMAGE_DESCRIPTOR);
}

TEST_CASE("requirements that cannot be queried", "[image_requirements]") {
  const Session cl, other;
  const cl_image_desc plane = describeImage(CL_MEM_OBJECT_IMAGE2D, {20, 20, 1});
  constexpr auto kPitch = CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT;
  size_t value = 0;
  const auto code = [&](cl_context context, const cl_mem_properties *properties, cl_mem_flags flags,
                        cl_image_requirements_info_ext name, size_t bytes) {
    return function()(context, properties, flags, &kRgba8, &plane, name, bytes, &value, nullptr);
  };
  const cl_mem_properties none[] = {0}, unknown[] = {CL_MEM_SIZE, 1, 0};
  CHECK(code(nullptr, nullptr, 0, kPitch, 8) == CL_INVALID_CONTEXT);
  CHECK(code(cl.context, none, 0, kPitch, 8) == CL_SUCCESS);
  CHECK(code(cl.context, unknown, 0, kPitch, 8) == CL_INVALID_PROPERTY);
  CHECK(code(cl.context, nullptr, ~cl_mem_flags(0), kPitch, 8) == CL_INVALID_VALUE);
  CHECK(code(cl.context, nullptr, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, kPitch, 8) == CL_INVALID_VALUE);
  CHECK(code(cl.context, nullptr, 0, CL_IMAGE_FORMAT, 8) == CL_INVALID_VALUE);
  CHECK(code(cl.context, nullptr, 0, kPitch, 7) == CL_INVALID_VALUE);
  CHECK(code(cl.context, nullptr, 0, CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT, 3) == CL_INVALID_VALUE);
  size_t bytes = 0;
  CHECK(function()(cl.context, nullptr, 0, &kRgba8, &plane, kPitch, 0, nullptr, &bytes) == CL_SUCCESS);
  CHECK(bytes == sizeof(size_t));

  const cl_image_format no_pair{CL_INTENSITY, CL_UNORM_SHORT_555}, not_there{CL_RGBx, CL_UNORM_SHORT_565},
      depth{CL_DEPTH, CL_FLOAT}, srgb{CL_sRGBA, CL_UNORM_INT8};
  const cl_image_desc volume = describeImage(CL_MEM_OBJECT_IMAGE3D, {20, 20, 20});
  CHECK(codeOf(cl, kPitch, &no_pair, plane) == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  CHECK(codeOf(cl, kPitch, &not_there, plane) == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  CHECK(codeOf(cl, kPitch, &depth, volume) == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  CHECK(codeOf(cl, kPitch, &srgb, plane, CL_MEM_WRITE_ONLY) == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  CHECK(codeOf(cl, kPitch, &srgb, plane, CL_MEM_READ_ONLY) == CL_SUCCESS);

  std::vector<cl_image_desc> invalid(5, plane);
  invalid[0].image_type = CL_MEM_OBJECT_BUFFER;
  invalid[1].num_mip_levels = 2;
  invalid[2].num_samples = 2;
  invalid[3].image_height = 16385;
  const Memory foreign = other.bytes(4096);
  invalid[4].mem_object = foreign;
  invalid.push_back(volume);
  const Memory buffer = cl.bytes(1 << 20), picture = makeImage(cl, kRgba8, plane);
  invalid.back().mem_object = picture;
  for (const cl_image_desc &description : invalid) {
    for (const auto name : {kPitch, CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT, CL_IMAGE_REQUIREMENTS_SIZE_EXT,
                            CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT})
      CHECK(codeOf(cl, name, &kRgba8, description) == CL_INVALID_IMAGE_DESCRIPTOR);
  }
  // Only the largest sizes may be queried while other sizes are open.
  const cl_image_desc open = describeImage(CL_MEM_OBJECT_IMAGE2D, {0, 20, 1});
  CHECK(codeOf(cl, kPitch, &kRgba8, open) == CL_INVALID_IMAGE_DESCRIPTOR);
  CHECK(codeOf(cl, CL_IMAGE_REQUIREMENTS_SIZE_EXT, &kRgba8, open) == CL_INVALID_IMAGE_DESCRIPTOR);
  cl_image_desc pitched = plane;
  pitched.image_row_pitch = 82;
  CHECK(codeOf(cl, CL_IMAGE_REQUIREMENTS_SIZE_EXT, &kRgba8, pitched) == CL_INVALID_IMAGE_DESCRIPTOR);
  pitched.image_row_pitch = 76;
  CHECK(codeOf(cl, CL_IMAGE_REQUIREMENTS_SIZE_EXT, &kRgba8, pitched) == CL_INVALID_IMAGE_DESCRIPTOR);
  for (const auto name : kMaxima)
    CHECK(codeOf(cl, name, &no_pair, plane) == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
}
