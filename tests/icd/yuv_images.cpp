// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cl_intel_packed_yuv and cl_intel_planar_yuv on the host: images whose elements share chroma.
#include "support/extension.hpp"
#include "support/images.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <numeric>

using namespace lanecl::test;

namespace {

constexpr cl_channel_order kPackedOrders[] = {CL_YUYV_INTEL, CL_UYVY_INTEL, CL_YVYU_INTEL, CL_VYUY_INTEL};
constexpr cl_image_format kYuyv{CL_YUYV_INTEL, CL_UNORM_INT8}, kNv12{CL_NV12_INTEL, CL_UNORM_INT8};
constexpr cl_image_format kLuma{CL_R, CL_UNORM_INT8}, kChroma{CL_RG, CL_UNORM_INT8};
constexpr cl_mem_flags kPlanar = CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
constexpr cl_mem_flags kUnrestricted = CL_MEM_ACCESS_FLAGS_UNRESTRICTED_INTEL;
constexpr size_t kWidth = 12, kHeight = 8, kPlanarBytes = kWidth * kHeight * 3 / 2;

cl_image_desc sizes(size_t width = kWidth, size_t height = kHeight) {
  return describeImage(CL_MEM_OBJECT_IMAGE2D, {width, height, 1});
}

cl_int codeOf(const Session &cl, const cl_image_format &format, const cl_image_desc &description, cl_mem_flags flags,
              void *host = nullptr) {
  cl_int code = 1;
  const Memory image(clCreateImage(cl.context, flags, &format, &description, host, &code));
  CHECK((image.get() != nullptr) == (code == CL_SUCCESS));
  return code;
}

std::vector<uint8_t> numbered(size_t bytes) {
  std::vector<uint8_t> content(bytes);
  std::iota(content.begin(), content.end(), uint8_t(1));
  return content;
}

bool lists(const Session &cl, cl_mem_object_type type, cl_mem_flags flags, cl_channel_order order) {
  const std::vector<cl_image_format> formats = supportedFormats(cl, type, flags);
  return std::any_of(formats.begin(), formats.end(), [&](const cl_image_format &format) {
    return format.image_channel_order == order && format.image_channel_data_type == CL_UNORM_INT8;
  });
}

cl_image_desc planeOf(const Memory &planar, size_t plane) {
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_depth = plane;
  description.mem_object = planar;
  return description;
}

Memory makePlane(const Session &cl, const Memory &planar, size_t plane, cl_mem_flags flags = CL_MEM_READ_WRITE) {
  return makeImage(cl, plane == 0 ? kLuma : kChroma, planeOf(planar, plane), flags);
}

// Makes a planar image of kWidth and kHeight.
Memory makePlanar(const Session &cl, cl_mem_flags more = kUnrestricted) {
  std::vector<uint8_t> content = numbered(kPlanarBytes);
  return makeImage(cl, kNv12, sizes(), kPlanar | CL_MEM_COPY_HOST_PTR | more, content.data());
}

// Reads both planes, through images made from them.
std::vector<uint8_t> contentOf(const Session &cl, const Memory &planar) {
  std::vector<uint8_t> content = readImage<uint8_t>(cl, makePlane(cl, planar, 0), {kWidth, kHeight, 1});
  const std::vector<uint8_t> chroma = readImage<uint8_t>(cl, makePlane(cl, planar, 1), {kWidth / 2, kHeight / 2, 1});
  content.insert(content.end(), chroma.begin(), chroma.end());
  return content;
}

cl_mem_flags flagsOf(const Memory &memory) {
  cl_mem_flags flags = 0;
  check(clGetMemObjectInfo(memory, CL_MEM_FLAGS, sizeof flags, &flags, nullptr), "clGetMemObjectInfo");
  return flags;
}

size_t bytesOf(const Memory &memory) {
  size_t bytes = 0;
  check(clGetMemObjectInfo(memory, CL_MEM_SIZE, sizeof bytes, &bytes, nullptr), "clGetMemObjectInfo");
  return bytes;
}

size_t deviceSize(cl_device_info name) {
  size_t value = 0;
  check(clGetDeviceInfo(laneclDevice(), name, sizeof value, &value, nullptr), "clGetDeviceInfo");
  return value;
}

size_t required(const Session &cl, cl_image_requirements_info_ext name, const cl_image_format &format,
                const cl_image_desc &description, cl_mem_flags flags) {
  const auto ask = extensionFunction<clGetImageRequirementsInfoEXT_fn>("clGetImageRequirementsInfoEXT");
  size_t value = 0; // large enough for a cl_uint, too
  const size_t bytes = name == CL_IMAGE_REQUIREMENTS_SIZE_EXT ? sizeof(size_t) : sizeof(cl_uint);
  check(ask(cl.context, nullptr, flags, &format, &description, name, bytes, &value, nullptr),
        "clGetImageRequirementsInfoEXT");
  return value;
}

struct Place {
  size_t x, y, width, height;
};

// Returns the error code of all commands on a region of an image, which must be the same for all.
cl_int commandCode(const Session &cl, const Memory &image, const Memory &other, const Place &place) {
  const size_t origin[3] = {place.x, place.y, 0}, region[3] = {place.width, place.height, 1}, zero[3] = {};
  std::vector<uint8_t> bytes(512);
  Memory buffer = cl.bytes(512);
  const float color[4] = {};
  cl_int code = 1;
  size_t pitch = 0;
  void *const mapped = clEnqueueMapImage(cl.queue, image, CL_TRUE, CL_MAP_READ, origin, region, &pitch, nullptr, 0,
                                         nullptr, nullptr, &code);
  if (mapped)
    check(clEnqueueUnmapMemObject(cl.queue, image, mapped, 0, nullptr, nullptr), "clEnqueueUnmapMemObject");
  CHECK(clEnqueueReadImage(cl.queue, image, CL_TRUE, origin, region, 0, 0, bytes.data(), 0, nullptr, nullptr) == code);
  CHECK(clEnqueueWriteImage(cl.queue, image, CL_TRUE, origin, region, 0, 0, bytes.data(), 0, nullptr, nullptr) == code);
  CHECK(clEnqueueCopyImage(cl.queue, image, other, origin, zero, region, 0, nullptr, nullptr) == code);
  CHECK(clEnqueueCopyImage(cl.queue, other, image, zero, origin, region, 0, nullptr, nullptr) == code);
  CHECK(clEnqueueCopyImageToBuffer(cl.queue, image, buffer, origin, region, 0, 0, nullptr, nullptr) == code);
  CHECK(clEnqueueCopyBufferToImage(cl.queue, buffer, image, 0, origin, region, 0, nullptr, nullptr) == code);
  CHECK(clEnqueueFillImage(cl.queue, image, color, origin, region, 0, nullptr, nullptr) == code);
  clFinish(cl.queue);
  return code;
}

} // namespace

TEST_CASE("formats with shared chroma are for two-dimensional images that are only read", "[yuv_images]") {
  Session cl;
  for (const cl_channel_order order : {CL_YUYV_INTEL, CL_UYVY_INTEL, CL_YVYU_INTEL, CL_VYUY_INTEL, CL_NV12_INTEL}) {
    CAPTURE(order);
    // What is listed for these flags can be created with them.
    for (const cl_mem_flags access : {CL_MEM_READ_ONLY, CL_MEM_NO_ACCESS_INTEL}) {
      CHECK(lists(cl, CL_MEM_OBJECT_IMAGE2D, access | CL_MEM_HOST_NO_ACCESS, order));
      CHECK(lists(cl, CL_MEM_OBJECT_IMAGE2D, access, order) == (order != CL_NV12_INTEL));
    }
    for (const cl_mem_flags flags : {CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY, CL_MEM_KERNEL_READ_AND_WRITE})
      CHECK_FALSE(lists(cl, CL_MEM_OBJECT_IMAGE2D, flags, order));
    for (const cl_mem_object_type type :
         {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_MEM_OBJECT_IMAGE2D_ARRAY,
          CL_MEM_OBJECT_IMAGE3D})
      CHECK_FALSE(lists(cl, type, CL_MEM_READ_ONLY, order));
    const cl_image_format format{order, CL_UNORM_INT8}, other{order, CL_UNSIGNED_INT8};
    CHECK(codeOf(cl, format, sizes(), kPlanar) == CL_SUCCESS);
    CHECK(codeOf(cl, format, sizes(), CL_MEM_NO_ACCESS_INTEL | CL_MEM_HOST_NO_ACCESS) == CL_SUCCESS);
    CHECK(codeOf(cl, other, sizes(), kPlanar) == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    for (const cl_mem_flags flags : {0, CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY})
      CHECK(codeOf(cl, format, sizes(), flags | CL_MEM_HOST_NO_ACCESS) == CL_IMAGE_FORMAT_NOT_SUPPORTED);
    CHECK(codeOf(cl, format, describeImage(CL_MEM_OBJECT_IMAGE3D, {12, 8, 4}), kPlanar) ==
          CL_IMAGE_FORMAT_NOT_SUPPORTED);
  }
  // Immutable images do not have these formats. Formats that kernels read are also available without kernel access.
  constexpr cl_mem_flags immutable = 1 << 6 | CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR; // CL_MEM_IMMUTABLE_EXT
  for (const cl_image_format &format : supportedFormats(cl, CL_MEM_OBJECT_IMAGE2D, immutable))
    CHECK((format.image_channel_order < CL_YUYV_INTEL || format.image_channel_order > CL_NV12_INTEL));
  std::vector<uint8_t> content = numbered(kWidth * kHeight * 2);
  CHECK(codeOf(cl, {CL_YUYV_INTEL, CL_UNORM_INT8}, sizes(), immutable, content.data()) ==
        CL_IMAGE_FORMAT_NOT_SUPPORTED);
  for (const cl_image_format &format : supportedFormats(cl, CL_MEM_OBJECT_IMAGE3D, CL_MEM_READ_ONLY))
    if (format.image_channel_data_type == CL_UNORM_INT8)
      CHECK(lists(cl, CL_MEM_OBJECT_IMAGE3D, CL_MEM_NO_ACCESS_INTEL, format.image_channel_order));
}

TEST_CASE("sizes of images with shared chroma", "[yuv_images]") {
  Session cl;
  const size_t most = deviceSize(CL_DEVICE_PLANAR_YUV_MAX_WIDTH_INTEL);
  const size_t highest = deviceSize(CL_DEVICE_PLANAR_YUV_MAX_HEIGHT_INTEL);
  CHECK(most % 4 == 0);
  CHECK(highest % 4 == 0);
  CHECK(codeOf(cl, kNv12, sizes(most, 4), kPlanar) == CL_SUCCESS);
  CHECK(codeOf(cl, kNv12, sizes(4, highest), kPlanar) == CL_SUCCESS);
  CHECK(codeOf(cl, kNv12, sizes(most + 4, 4), kPlanar) == CL_INVALID_IMAGE_SIZE);
  CHECK(codeOf(cl, kNv12, sizes(4, highest + 4), kPlanar) == CL_INVALID_IMAGE_SIZE);
  CHECK(codeOf(cl, kNv12, sizes(0, 4), kPlanar) == CL_INVALID_IMAGE_SIZE);
  CHECK(codeOf(cl, kNv12, sizes(6, 4), kPlanar) == CL_INVALID_IMAGE_DESCRIPTOR);
  CHECK(codeOf(cl, kNv12, sizes(4, 6), kPlanar) == CL_INVALID_IMAGE_DESCRIPTOR);
  cl_image_desc description = sizes();
  description.image_depth = 1;
  CHECK(codeOf(cl, kNv12, description, kPlanar) == CL_SUCCESS);
  description.image_depth = 2;
  CHECK(codeOf(cl, kNv12, description, kPlanar) == CL_INVALID_IMAGE_DESCRIPTOR);
  CHECK(codeOf(cl, kYuyv, sizes(7, 4), CL_MEM_READ_ONLY) == CL_INVALID_IMAGE_DESCRIPTOR);
  CHECK(codeOf(cl, kYuyv, sizes(6, 3), CL_MEM_READ_ONLY) == CL_SUCCESS);
  const Memory packed = makeImage(cl, kYuyv, sizes(), CL_MEM_READ_ONLY);
  CHECK(imageSize(packed, CL_IMAGE_ELEMENT_SIZE) == 2);
  CHECK(imageSize(packed, CL_IMAGE_WIDTH) == kWidth);
  CHECK(imageSize(packed, CL_IMAGE_ROW_PITCH) == 2 * kWidth);
  CHECK(bytesOf(packed) == 2 * kWidth * kHeight);
  const Memory planar = makeImage(cl, kNv12, sizes(), kPlanar);
  CHECK(imageSize(planar, CL_IMAGE_ELEMENT_SIZE) == 1);
  CHECK(imageSize(planar, CL_IMAGE_ROW_PITCH) == kWidth);
  CHECK(bytesOf(planar) == kPlanarBytes);
}

TEST_CASE("commands on packed YUV take whole pairs", "[yuv_images]") {
  Session cl;
  for (const cl_channel_order order : kPackedOrders) {
    const cl_image_format format{order, CL_UNORM_INT8};
    const Memory image = makeImage(cl, format, sizes(), CL_MEM_READ_ONLY);
    const Memory other = makeImage(cl, format, sizes(), CL_MEM_READ_ONLY);
    CHECK(commandCode(cl, image, other, {2, 1, 4, 3}) == CL_SUCCESS);
    CHECK(commandCode(cl, image, other, {1, 0, 4, 2}) == CL_INVALID_VALUE);
    CHECK(commandCode(cl, image, other, {2, 0, 3, 2}) == CL_INVALID_VALUE);
  }
}

TEST_CASE("commands move packed YUV as bytes", "[yuv_images]") {
  Session cl;
  std::vector<uint8_t> content = numbered(2 * kWidth * kHeight);
  const Memory image = makeImage(cl, kYuyv, sizes(), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, content.data());
  CHECK(readImage<uint8_t>(cl, image, {kWidth, kHeight, 1}) == content);
  const Memory copy = makeImage(cl, kYuyv, sizes(), CL_MEM_READ_ONLY);
  const size_t from[3] = {2, 1, 0}, to[3] = {4, 3, 0}, region[3] = {6, 2, 1};
  check(clEnqueueCopyImage(cl.queue, image, copy, from, to, region, 0, nullptr, nullptr), "clEnqueueCopyImage");
  std::vector<uint8_t> want(content.size());
  for (size_t y = 0; y < 2; ++y)
    std::copy_n(&content[(1 + y) * 2 * kWidth + 4], 12, &want[(3 + y) * 2 * kWidth + 8]);
  CHECK(readImage<uint8_t>(cl, copy, {kWidth, kHeight, 1}) == want);
}

TEST_CASE("packed YUV is filled with V, Y and U", "[yuv_images]") {
  Session cl;
  const float color[4] = {10 / 255.0f, 20 / 255.0f, 30 / 255.0f, 0}; // V, Y, U
  const std::vector<uint8_t> pairs[] = {{20, 30, 20, 10}, {30, 20, 10, 20}, {20, 10, 20, 30}, {10, 20, 30, 20}};
  for (size_t i = 0; i < std::size(pairs); ++i) {
    const Memory image = makeImage(cl, {kPackedOrders[i], CL_UNORM_INT8}, sizes(), CL_MEM_READ_ONLY);
    const size_t origin[3] = {2, 1, 0}, region[3] = {4, 2, 1};
    check(clEnqueueFillImage(cl.queue, image, color, origin, region, 0, nullptr, nullptr), "clEnqueueFillImage");
    std::vector<uint8_t> want(2 * kWidth * kHeight);
    for (size_t y = 1; y < 3; ++y)
      for (size_t pair = 1; pair < 3; ++pair)
        std::copy_n(pairs[i].data(), 4, &want[y * 2 * kWidth + pair * 4]);
    CAPTURE(kPackedOrders[i]);
    CHECK(readImage<uint8_t>(cl, image, {kWidth, kHeight, 1}) == want);
  }
}

TEST_CASE("packed YUV may lie in a buffer", "[yuv_images]") {
  Session cl;
  const std::vector<uint8_t> content = numbered(2 * kWidth * kHeight);
  const Memory buffer = cl.buffer(content, CL_MEM_READ_ONLY);
  cl_image_desc description = sizes();
  description.mem_object = buffer;
  const Memory image = makeImage(cl, kYuyv, description, 0);
  CHECK(readImage<uint8_t>(cl, image, {kWidth, kHeight, 1}) == content);
}

TEST_CASE("planar YUV images are not accessible to the host", "[yuv_images]") {
  Session cl;
  for (const cl_mem_flags flags : {CL_MEM_READ_ONLY, CL_MEM_NO_ACCESS_INTEL})
    for (const cl_mem_flags host : {0, CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY})
      CHECK(codeOf(cl, kNv12, sizes(), flags | host) == CL_INVALID_VALUE);
  const Memory image = makePlanar(cl);
  const size_t origin[3] = {}, region[3] = {4, 4, 1};
  uint8_t bytes[64] = {};
  CHECK(clEnqueueReadImage(cl.queue, image, CL_TRUE, origin, region, 0, 0, bytes, 0, nullptr, nullptr) ==
        CL_INVALID_OPERATION);
  CHECK(clEnqueueWriteImage(cl.queue, image, CL_TRUE, origin, region, 0, 0, bytes, 0, nullptr, nullptr) ==
        CL_INVALID_OPERATION);
  size_t pitch = 0;
  cl_int code = 1;
  for (const cl_map_flags flags : {CL_MAP_READ, CL_MAP_WRITE, CL_MAP_WRITE_INVALIDATE_REGION}) {
    CHECK(clEnqueueMapImage(cl.queue, image, CL_TRUE, flags, origin, region, &pitch, nullptr, 0, nullptr, nullptr,
                            &code) == nullptr);
    CHECK(code == CL_INVALID_OPERATION);
  }
  // A buffer has no room for two planes.
  const Memory buffer = cl.bytes(512);
  CHECK(clEnqueueCopyImageToBuffer(cl.queue, image, buffer, origin, region, 0, 0, nullptr, nullptr) ==
        CL_INVALID_OPERATION);
  CHECK(clEnqueueCopyBufferToImage(cl.queue, buffer, image, 0, origin, region, 0, nullptr, nullptr) ==
        CL_INVALID_OPERATION);
}

TEST_CASE("planar YUV images are copied and filled in both planes", "[yuv_images]") {
  Session cl;
  const std::vector<uint8_t> content = numbered(kPlanarBytes);
  const Memory image = makePlanar(cl), copy = makeImage(cl, kNv12, sizes(), kPlanar | kUnrestricted);
  const size_t from[3] = {2, 4, 0}, to[3] = {6, 2, 0}, region[3] = {4, 2, 1}, odd[3] = {1, 0, 0}, tall[3] = {4, 3, 1};
  check(clEnqueueCopyImage(cl.queue, image, copy, from, to, region, 0, nullptr, nullptr), "clEnqueueCopyImage");
  std::vector<uint8_t> want(kPlanarBytes);
  for (size_t y = 0; y < 2; ++y)
    std::copy_n(&content[(4 + y) * kWidth + 2], 4, &want[(2 + y) * kWidth + 6]);
  std::copy_n(&content[(kHeight + 2) * kWidth + 2], 4, &want[(kHeight + 1) * kWidth + 6]);
  CHECK(contentOf(cl, copy) == want);
  const float color[4] = {10 / 255.0f, 20 / 255.0f, 30 / 255.0f, 0}; // V, Y, U
  check(clEnqueueFillImage(cl.queue, copy, color, from, region, 0, nullptr, nullptr), "clEnqueueFillImage");
  for (size_t y = 0; y < 2; ++y)
    std::fill_n(&want[(4 + y) * kWidth + 2], 4, uint8_t(20));
  for (size_t x = 0; x < 4; ++x)
    want[(kHeight + 2) * kWidth + 2 + x] = x % 2 == 0 ? 30 : 10;
  CHECK(contentOf(cl, copy) == want);
  CHECK(clEnqueueCopyImage(cl.queue, image, copy, odd, to, region, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clEnqueueCopyImage(cl.queue, image, copy, from, odd, region, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clEnqueueFillImage(cl.queue, copy, color, from, tall, 0, nullptr, nullptr) == CL_INVALID_VALUE);
}

TEST_CASE("the planes of an image are images themselves", "[yuv_images]") {
  Session cl;
  const std::vector<uint8_t> content = numbered(kPlanarBytes);
  const Memory planar = makePlanar(cl);
  CHECK(contentOf(cl, planar) == content);
  const Memory luma = makePlane(cl, planar, 0), chroma = makePlane(cl, planar, 1);
  CHECK(imageSize(luma, CL_IMAGE_WIDTH) == kWidth);
  CHECK(imageSize(luma, CL_IMAGE_HEIGHT) == kHeight);
  CHECK(imageSize(luma, CL_IMAGE_ELEMENT_SIZE) == 1);
  CHECK(imageSize(chroma, CL_IMAGE_WIDTH) == kWidth / 2);
  CHECK(imageSize(chroma, CL_IMAGE_HEIGHT) == kHeight / 2);
  CHECK(imageSize(chroma, CL_IMAGE_ELEMENT_SIZE) == 2);
  CHECK(imageSize(chroma, CL_IMAGE_ROW_PITCH) == kWidth);
  CHECK(bytesOf(chroma) == kWidth * kHeight / 2);
  cl_mem parent = nullptr;
  check(clGetMemObjectInfo(chroma, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent, &parent, nullptr), "clGetMemObjectInfo");
  CHECK(parent == planar.get());
  const size_t origin[3] = {1, 2, 0}, region[3] = {2, 1, 1};
  const uint8_t values[4] = {201, 202, 203, 204};
  check(clEnqueueWriteImage(cl.queue, chroma, CL_TRUE, origin, region, 0, 0, values, 0, nullptr, nullptr),
        "clEnqueueWriteImage");
  std::vector<uint8_t> want = content;
  std::copy_n(values, 4, &want[(kHeight + 2) * kWidth + 2]);
  CHECK(contentOf(cl, planar) == want);
  size_t pitch = 0;
  cl_int code = 1;
  auto *const mapped = static_cast<uint8_t *>(clEnqueueMapImage(cl.queue, chroma, CL_TRUE, CL_MAP_READ, origin, region,
                                                                &pitch, nullptr, 0, nullptr, nullptr, &code));
  REQUIRE(code == CL_SUCCESS);
  CHECK(pitch == kWidth);
  CHECK(std::equal(values, values + 4, mapped));
  check(clEnqueueUnmapMemObject(cl.queue, chroma, mapped, 0, nullptr, nullptr), "clEnqueueUnmapMemObject");
  clFinish(cl.queue);
}

TEST_CASE("both planes have the pitch of the program's memory", "[yuv_images]") {
  Session cl;
  constexpr size_t kPitch = kWidth + 5;
  std::vector<uint8_t> content = numbered(kPitch * kHeight * 3 / 2);
  const std::vector<uint8_t> original = content;
  std::vector<uint8_t> want;
  for (size_t y = 0; y < kHeight * 3 / 2; ++y)
    want.insert(want.end(), &content[y * kPitch], &content[y * kPitch] + kWidth);
  cl_image_desc description = sizes();
  description.image_row_pitch = kPitch;
  for (const cl_mem_flags flags : {CL_MEM_COPY_HOST_PTR, CL_MEM_USE_HOST_PTR}) {
    const Memory image = makeImage(cl, kNv12, description, kPlanar | kUnrestricted | flags, content.data());
    CHECK(imageSize(image, CL_IMAGE_ROW_PITCH) == kPitch);
    CHECK(bytesOf(image) == content.size());
    CHECK(imageSize(makePlane(cl, image, 1), CL_IMAGE_ROW_PITCH) == kPitch);
    CHECK(contentOf(cl, image) == want);
  }
  CHECK(content == original);
}

TEST_CASE("planes that are refused", "[yuv_images]") {
  Session cl;
  const Memory planar = makePlanar(cl);
  const auto code = [&](const cl_image_format &format, const cl_image_desc &description) {
    return codeOf(cl, format, description, CL_MEM_READ_ONLY);
  };
  const cl_image_desc luma = planeOf(planar, 0), chroma = planeOf(planar, 1);
  CHECK(code({CL_R, CL_UNSIGNED_INT8}, luma) == CL_SUCCESS);
  CHECK(code({CL_RG, CL_UNSIGNED_INT8}, chroma) == CL_SUCCESS);
  CHECK(code(kChroma, luma) == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  CHECK(code(kLuma, chroma) == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  CHECK(code({CL_R, CL_SNORM_INT8}, luma) == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  CHECK(code({CL_A, CL_UNORM_INT8}, luma) == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  CHECK(code(kNv12, luma) != CL_SUCCESS);
  CHECK(code(kLuma, planeOf(planar, 2)) == CL_INVALID_IMAGE_DESCRIPTOR);
  cl_image_desc wrong = luma;
  wrong.image_row_pitch = kWidth + 4;
  CHECK(code(kLuma, wrong) == CL_INVALID_IMAGE_DESCRIPTOR);
  wrong = luma;
  wrong.image_type = CL_MEM_OBJECT_IMAGE3D;
  CHECK(code(kLuma, wrong) == CL_INVALID_IMAGE_DESCRIPTOR);
  // Sizes are ignored.
  cl_image_desc sized = chroma;
  sized.image_width = sized.image_height = 1000;
  sized.image_row_pitch = kWidth;
  CHECK(code(kChroma, sized) == CL_SUCCESS);
  // An image of one plane has no planes to select.
  cl_image_desc view = sizes();
  const Memory packed = makeImage(cl, kYuyv, sizes(), CL_MEM_READ_ONLY);
  view.mem_object = packed;
  CHECK(code({CL_RG, CL_UNORM_INT8}, view) == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
}

TEST_CASE("flags of objects that kernels do not access", "[yuv_images]") {
  Session cl;
  for (const cl_mem_flags access : {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE}) {
    cl_int code = 1;
    const Memory buffer(clCreateBuffer(cl.context, CL_MEM_NO_ACCESS_INTEL | access, 64, nullptr, &code));
    CHECK(code == CL_INVALID_VALUE);
    CHECK(codeOf(cl, kLuma, sizes(), CL_MEM_NO_ACCESS_INTEL | access) == CL_INVALID_VALUE);
  }
  const Memory image = makeImage(cl, kLuma, sizes(), CL_MEM_NO_ACCESS_INTEL);
  CHECK(flagsOf(image) == CL_MEM_NO_ACCESS_INTEL);
  CHECK(flagsOf(cl.bytes(64, CL_MEM_NO_ACCESS_INTEL)) == CL_MEM_NO_ACCESS_INTEL);
  // The host and commands may access the object.
  CHECK(readImage<uint8_t>(cl, image, {kWidth, kHeight, 1}) == std::vector<uint8_t>(kWidth * kHeight));
  Program program = cl.build("kernel void r(read_only image2d_t i) {} kernel void w(write_only image2d_t i) {}\n"
                             "kernel void b(read_write image2d_t i) {}",
                             "-cl-std=CL3.0");
  const auto argument = [&](const char *kernel, const Memory &memory) {
    const cl_mem handle = memory;
    return clSetKernelArg(cl.kernel(program, kernel), 0, sizeof handle, &handle);
  };
  for (const char *kernel : {"r", "w", "b"})
    CHECK(argument(kernel, image) == CL_INVALID_ARG_VALUE);
  const Memory planar = makePlanar(cl);
  CHECK(argument("r", planar) == CL_SUCCESS);
  CHECK(argument("w", planar) == CL_INVALID_ARG_VALUE);
  CHECK(argument("b", planar) == CL_INVALID_ARG_VALUE);
}

TEST_CASE("unrestricted objects may be seen with other access", "[yuv_images]") {
  Session cl;
  struct Pair {
    cl_mem_flags parent, child;
  };
  for (const Pair &pair :
       {Pair{CL_MEM_READ_ONLY, CL_MEM_READ_WRITE}, Pair{CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY},
        Pair{CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY}, Pair{CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE},
        Pair{CL_MEM_NO_ACCESS_INTEL, CL_MEM_READ_ONLY}, Pair{CL_MEM_NO_ACCESS_INTEL, CL_MEM_WRITE_ONLY},
        Pair{CL_MEM_NO_ACCESS_INTEL, CL_MEM_READ_WRITE}, Pair{CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY},
        Pair{CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_WRITE_ONLY}, Pair{CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY},
        Pair{CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY}})
    for (const cl_mem_flags unrestricted : {cl_mem_flags(0), kUnrestricted}) {
      CAPTURE(pair.parent, pair.child, unrestricted);
      const cl_int want = unrestricted != 0 ? CL_SUCCESS : CL_INVALID_VALUE;
      const Memory buffer = cl.bytes(kWidth * kHeight, pair.parent | unrestricted);
      cl_image_desc description = sizes();
      description.mem_object = buffer;
      CHECK(codeOf(cl, kLuma, description, pair.child) == want);
      const cl_buffer_region region{0, 16};
      cl_int code = 1;
      const Memory part(clCreateSubBuffer(buffer, pair.child, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
      CHECK(code == want);
    }
  // Flags for a host pointer are never allowed.
  const Memory buffer = cl.bytes(kWidth * kHeight, kUnrestricted);
  cl_image_desc description = sizes();
  description.mem_object = buffer;
  for (const cl_mem_flags flags : {CL_MEM_USE_HOST_PTR, CL_MEM_ALLOC_HOST_PTR, CL_MEM_COPY_HOST_PTR})
    CHECK(codeOf(cl, kLuma, description, flags) == CL_INVALID_VALUE);
}

TEST_CASE("planes inherit what they do not specify", "[yuv_images]") {
  Session cl;
  const Memory strict = makePlanar(cl, 0), unrestricted = makePlanar(cl);
  CHECK(codeOf(cl, kLuma, planeOf(strict, 0), CL_MEM_READ_WRITE) == CL_INVALID_VALUE);
  CHECK(codeOf(cl, kLuma, planeOf(strict, 0), CL_MEM_HOST_READ_ONLY) == CL_INVALID_VALUE);
  CHECK((flagsOf(makePlane(cl, strict, 0, 0)) & kPlanar) == kPlanar);
  // No host access flag means both reading and writing.
  CHECK((flagsOf(makePlane(cl, unrestricted, 0, 0)) & kPlanar) == CL_MEM_READ_ONLY);
  CHECK((flagsOf(makePlane(cl, unrestricted, 0, CL_MEM_HOST_NO_ACCESS)) & kPlanar) == kPlanar);
}

TEST_CASE("the requirements of images with shared chroma", "[yuv_images]") {
  Session cl;
  CHECK(required(cl, CL_IMAGE_REQUIREMENTS_SIZE_EXT, kNv12, sizes(), CL_MEM_READ_ONLY) == kPlanarBytes);
  CHECK(required(cl, CL_IMAGE_REQUIREMENTS_SIZE_EXT, kYuyv, sizes(), CL_MEM_READ_ONLY) == 2 * kWidth * kHeight);
  CHECK(required(cl, CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, kNv12, sizes(0, 0), CL_MEM_READ_ONLY) ==
        deviceSize(CL_DEVICE_PLANAR_YUV_MAX_WIDTH_INTEL));
  CHECK(required(cl, CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT, kNv12, sizes(0, 0), CL_MEM_READ_ONLY) ==
        deviceSize(CL_DEVICE_PLANAR_YUV_MAX_HEIGHT_INTEL));
  CHECK(required(cl, CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, kYuyv, sizes(0, 3), CL_MEM_READ_ONLY) ==
        deviceSize(CL_DEVICE_IMAGE2D_MAX_WIDTH));
  // Room for 37 elements in a row, and for 13 rows of luma with their chroma.
  const Memory buffer = cl.bytes(37 * 20, CL_MEM_READ_ONLY);
  cl_image_desc inside = sizes(36, 0);
  inside.mem_object = buffer;
  inside.image_row_pitch = 37;
  CHECK(required(cl, CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT, kNv12, inside, CL_MEM_READ_ONLY) == 12);
  inside.image_height = 12;
  CHECK(required(cl, CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, kNv12, inside, CL_MEM_READ_ONLY) == 36);
  const Memory planar = makePlanar(cl);
  CHECK(required(cl, CL_IMAGE_REQUIREMENTS_SIZE_EXT, kChroma, planeOf(planar, 1), 0) == kWidth * kHeight / 2);
  CHECK(required(cl, CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, kChroma, planeOf(planar, 1), 0) == kWidth / 2);
}
