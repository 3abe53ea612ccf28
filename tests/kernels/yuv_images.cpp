// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reading images whose elements share chroma: packed pairs, and planes.
#include "support/image_model.hpp"

#include <catch2/catch.hpp>

#include <random>

using namespace lanecl::test;

namespace {

constexpr cl_channel_order kPackedOrders[] = {CL_YUYV_INTEL, CL_UYVY_INTEL, CL_YVYU_INTEL, CL_VYUY_INTEL};

std::vector<uint8_t> randomBytes(size_t count) {
  std::mt19937 random(13);
  std::vector<uint8_t> bytes(count);
  for (uint8_t &byte : bytes)
    byte = uint8_t(random());
  return bytes;
}

// The bytes of an image, as the extensions define them.
struct YuvModel {
  cl_channel_order order;
  size_t width, height, pitch;
  std::vector<uint8_t> content;

  YuvModel(cl_channel_order order, size_t width, size_t height, size_t pitch)
      : order(order), width(width), height(height), pitch(pitch),
        content(randomBytes(pitch * (order == CL_NV12_INTEL ? height + height / 2 : height))) {}

  Color element(size_t x, size_t y) const {
    uint8_t bytes[3]{}; // Y, U, V
    if (order == CL_NV12_INTEL) {
      const uint8_t *const uv = &content[(height + y / 2) * pitch + x / 2 * 2];
      bytes[0] = content[y * pitch + x], bytes[1] = uv[0], bytes[2] = uv[1];
    } else {
      const uint8_t *const pair = &content[y * pitch + x / 2 * 4];
      const size_t odd = x % 2 * 2;
      switch (order) {
      case CL_YUYV_INTEL: bytes[0] = pair[odd], bytes[1] = pair[1], bytes[2] = pair[3]; break;
      case CL_UYVY_INTEL: bytes[0] = pair[1 + odd], bytes[1] = pair[0], bytes[2] = pair[2]; break;
      case CL_YVYU_INTEL: bytes[0] = pair[odd], bytes[1] = pair[3], bytes[2] = pair[1]; break;
      default: bytes[0] = pair[1 + odd], bytes[1] = pair[2], bytes[2] = pair[0]; break;
      }
    }
    return {bytes[2] / 255.0, bytes[0] / 255.0, bytes[1] / 255.0, 1};
  }

  // Samples at a position all of whose elements are inside the image.
  Color sample(const SamplerModel &sampler, float s, float t) const {
    const auto x = sampler.locate(s, long(width)), y = sampler.locate(t, long(height));
    if (sampler.filter == CL_FILTER_NEAREST)
      return element(size_t(x.low), size_t(y.low));
    Color sum{};
    for (unsigned tap = 0; tap < 4; ++tap) {
      const bool right = tap & 1, below = tap & 2;
      const double weight = (right ? x.fraction : 1 - x.fraction) * (below ? y.fraction : 1 - y.fraction);
      const Color color = element(size_t(right ? x.high : x.low), size_t(below ? y.high : y.low));
      for (size_t k = 0; k < 4; ++k)
        sum[k] += weight * color[k];
    }
    return sum;
  }

  // Makes the image in this object's memory.
  Memory image(const Session &cl) {
    cl_image_desc description = describeImage(CL_MEM_OBJECT_IMAGE2D, {width, height, 1});
    description.image_row_pitch = pitch;
    return makeImage(cl, {order, CL_UNORM_INT8}, description,
                     CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS | CL_MEM_USE_HOST_PTR, content.data());
  }
};

size_t packedPitch(size_t width) {
  return 2 * width + 6;
}

std::vector<YuvModel> models(size_t width, size_t height) {
  std::vector<YuvModel> all;
  for (const cl_channel_order order : kPackedOrders)
    all.emplace_back(order, width, height, packedPitch(width));
  all.emplace_back(CL_NV12_INTEL, width, height, width + 5); // rows of UV start at odd bytes, too
  return all;
}

bool isNear(const float *got, const Color &want, double tolerance) {
  bool near = true;
  for (size_t k = 0; k < 4; ++k)
    near &= std::fabs(double(got[k]) - want[k]) <= tolerance;
  return near;
}

Program buildReads(const Session &cl, unsigned width) {
  return cl.build("#define SIZE __attribute__((intel_reqd_sub_group_size(W)))\n"
                  "kernel SIZE void fetch(read_only image2d_t in, global float4 *out) {\n"
                  "  int2 c = (int2)(get_global_id(0), get_global_id(1));\n"
                  "  if (c.x < get_image_width(in) && c.y < get_image_height(in))\n"
                  "    out[c.y * get_image_width(in) + c.x] = read_imagef(in, c);\n"
                  "}\n"
                  "kernel SIZE void fetch_half(read_only image2d_t in, global half4 *out) {\n"
                  "  int2 c = (int2)(get_global_id(0), get_global_id(1));\n"
                  "  if (c.x < get_image_width(in) && c.y < get_image_height(in))\n"
                  "    out[c.y * get_image_width(in) + c.x] = read_imageh(in, c);\n"
                  "}\n"
                  "kernel SIZE void sample(read_only image2d_t in, sampler_t s, global const float2 *at,\n"
                  "                        global float4 *out) {\n"
                  "  out[get_global_id(0)] = read_imagef(in, s, at[get_global_id(0)]);\n"
                  "}\n",
                  "-cl-std=CL3.0 -DW=" + std::to_string(width));
}

size_t wrongFetches(const Session &cl, const Program &program, YuvModel &model) {
  const size_t elements = model.width * model.height;
  Memory out = cl.bytes(elements * 4 * sizeof(float));
  cl.run(cl.kernel(program, "fetch"), {64, 8}, {64, 1}, model.image(cl), out);
  const std::vector<float> got = cl.read<float>(out);
  size_t wrong = 0;
  for (size_t i = 0; i < elements; ++i)
    wrong += !isNear(&got[4 * i], model.element(i % model.width, i / model.width), 1e-7);
  return wrong;
}

// Returns coordinates for which every mode's elements are inside the image, because the border's color is undefined.
// With the modes that repeat, a coordinate may itself be outside.
std::vector<float> randomCoordinates(const YuvModel &model, const SamplerModel &sampler, size_t count) {
  std::mt19937 random(3);
  const bool inside = sampler.addressing == CL_ADDRESS_NONE || sampler.addressing == CL_ADDRESS_CLAMP;
  std::vector<float> result;
  for (size_t i = 0; i < 2 * count; ++i) {
    const int size = int(i % 2 == 0 ? model.width : model.height);
    const int low = inside ? 8 : -20 * 16, high = inside ? size * 16 - 9 : (size + 20) * 16;
    const float at = float(std::uniform_int_distribution<int>(low, high)(random) | 1) / 16.0f;
    result.push_back(sampler.normalized ? at / float(size) : at);
  }
  return result;
}

void checkSampling(const Session &cl, const Program &program, YuvModel &model, const SamplerModel &sampler) {
  constexpr size_t kCount = 200;
  const std::vector<float> at = randomCoordinates(model, sampler, kCount);
  Memory out = cl.bytes(kCount * 4 * sizeof(float));
  cl.run(cl.kernel(program, "sample"), {kCount}, {20}, model.image(cl),
         makeSampler(cl, sampler.normalized, sampler.addressing, sampler.filter), cl.buffer(at), out);
  const std::vector<float> got = cl.read<float>(out);
  size_t wrong = 0;
  for (size_t i = 0; i < kCount; ++i)
    wrong += !isNear(&got[4 * i], model.sample(sampler, at[2 * i], at[2 * i + 1]),
                     sampler.filter == CL_FILTER_LINEAR ? 1e-4 : 1e-6);
  INFO("order " << model.order << ", addressing " << sampler.addressing << ", filter " << sampler.filter
                << ", normalized " << sampler.normalized);
  CHECK(wrong == 0);
}

} // namespace

TEST_CASE("elements of images with shared chroma are V, Y and U", "[yuv_images]") {
  Session cl;
  Program program = buildReads(cl, GENERATE(8u, 16u, 32u));
  // The first formats of a kernel have code of their own; the others share theirs.
  for (int repeated = 0; repeated < 2; ++repeated)
    for (YuvModel &model : models(36, 8)) {
      CAPTURE(model.order);
      CHECK(wrongFetches(cl, program, model) == 0);
    }
}

TEST_CASE("every order of packed YUV may be the first that a kernel reads", "[yuv_images]") {
  Session cl;
  for (YuvModel &model : models(36, 8)) {
    CAPTURE(model.order);
    CHECK(wrongFetches(cl, buildReads(cl, 16), model) == 0);
  }
}

TEST_CASE("elements of images with shared chroma are read as halves", "[yuv_images]") {
  Session cl;
  Program program = buildReads(cl, 16);
  for (YuvModel &model : models(36, 8)) {
    Memory out = cl.bytes(36 * 8 * 4 * sizeof(_Float16));
    cl.run(cl.kernel(program, "fetch_half"), {64, 8}, {64, 1}, model.image(cl), out);
    const std::vector<_Float16> got = cl.read<_Float16>(out);
    size_t wrong = 0;
    for (size_t i = 0; i < got.size(); ++i)
      wrong += std::fabs(double(got[i]) - model.element(i / 4 % 36, i / 4 / 36)[i % 4]) > 1.0 / 2048;
    CAPTURE(model.order);
    CHECK(wrong == 0);
  }
}

TEST_CASE("samplers filter the colors that elements with shared chroma are read as", "[yuv_images]") {
  Session cl;
  Program program = buildReads(cl, 16);
  for (YuvModel &model : models(20, 8))
    for (const bool normalized : {false, true})
      for (const cl_addressing_mode addressing :
           {CL_ADDRESS_NONE, CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP, CL_ADDRESS_REPEAT, CL_ADDRESS_MIRRORED_REPEAT})
        for (const cl_filter_mode filter : {CL_FILTER_NEAREST, CL_FILTER_LINEAR})
          if (normalized || addressing < CL_ADDRESS_REPEAT)
            checkSampling(cl, program, model, {normalized, addressing, filter});
}

TEST_CASE("kernels ask images with shared chroma for their format", "[yuv_images]") {
  Session cl;
  Program program = cl.build("kernel void ask(read_only image2d_t in, global int *out) {\n"
                             "  out[0] = get_image_channel_order(in);\n"
                             "  out[1] = get_image_channel_data_type(in);\n"
                             "  out[2] = get_image_width(in);\n"
                             "  out[3] = get_image_height(in);\n"
                             "}\n");
  for (YuvModel &model : models(20, 8)) {
    Memory out = cl.bytes(4 * sizeof(int));
    cl.run(cl.kernel(program, "ask"), {1}, {1}, model.image(cl), out);
    CHECK(cl.read<int>(out) == std::vector<int>{int(model.order), CL_UNORM_INT8, 20, 8});
  }
}

// Blocks are bytes of memory, whatever the format.
TEST_CASE("sub-groups read blocks of packed YUV", "[yuv_images]") {
  Session cl;
  Program program = cl.build("kernel __attribute__((intel_reqd_sub_group_size(16)))\n"
                             "void load(read_only image2d_t in, global uint2 *out) {\n"
                             "  out[get_global_id(0)] = intel_sub_group_block_read2(in, (int2)(8, 3));\n"
                             "}\n");
  YuvModel model(CL_UYVY_INTEL, 64, 8, packedPitch(64));
  Memory out = cl.bytes(16 * sizeof(cl_uint2));
  cl.run(cl.kernel(program, "load"), {16}, {16}, model.image(cl), out);
  const std::vector<cl_uint2> got = cl.read<cl_uint2>(out);
  size_t wrong = 0;
  for (size_t lane = 0; lane < 16; ++lane)
    for (size_t row = 0; row < 2; ++row)
      wrong += std::memcmp(&got[lane].s[row], &model.content[(3 + row) * model.pitch + 8 + 4 * lane], 4) != 0;
  CHECK(wrong == 0);
}

// The example of cl_intel_planar_yuv.
TEST_CASE("kernels write planes and read the whole image", "[yuv_images]") {
  Session cl;
  constexpr size_t kWidth = 36, kHeight = 8;
  Memory whole =
      makeImage(cl, {CL_NV12_INTEL, CL_UNORM_INT8}, describeImage(CL_MEM_OBJECT_IMAGE2D, {kWidth, kHeight, 1}),
                CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS | CL_MEM_ACCESS_FLAGS_UNRESTRICTED_INTEL);
  const auto plane = [&](size_t number, cl_channel_type type) {
    cl_image_desc description{};
    description.image_type = CL_MEM_OBJECT_IMAGE2D;
    description.image_depth = number;
    description.mem_object = whole;
    return makeImage(cl, {cl_channel_order(number == 0 ? CL_R : CL_RG), type}, description, CL_MEM_READ_WRITE);
  };
  Program program = cl.build("kernel void luma(write_only image2d_t out) {\n"
                             "  int2 c = (int2)(get_global_id(0), get_global_id(1));\n"
                             "  write_imageui(out, c, (uint4)(c.y * 20 + c.x));\n"
                             "}\n"
                             "kernel void chroma(read_write image2d_t out) {\n"
                             "  int2 c = (int2)(get_global_id(0), get_global_id(1));\n"
                             "  write_imagef(out, c, (float4)(c.x / 255.0f, c.y / 255.0f + 0.4f, 0, 0));\n"
                             "}\n"
                             "kernel void all(read_only image2d_t in, global float4 *out) {\n"
                             "  int2 c = (int2)(get_global_id(0), get_global_id(1));\n"
                             "  out[c.y * 36 + c.x] = read_imagef(in, c);\n"
                             "}\n",
                             "-cl-std=CL3.0");
  cl.run(cl.kernel(program, "luma"), {kWidth, kHeight}, {}, plane(0, CL_UNSIGNED_INT8));
  cl.run(cl.kernel(program, "chroma"), {kWidth / 2, kHeight / 2}, {}, plane(1, CL_UNORM_INT8));
  Memory out = cl.bytes(kWidth * kHeight * 4 * sizeof(float));
  cl.run(cl.kernel(program, "all"), {kWidth, kHeight}, {}, whole, out);
  const std::vector<float> got = cl.read<float>(out);
  size_t wrong = 0;
  for (size_t y = 0; y < kHeight; ++y)
    for (size_t x = 0; x < kWidth; ++x)
      wrong += !isNear(&got[4 * (y * kWidth + x)],
                       {double(y / 2 + 102) / 255, double(y * 20 + x) / 255, double(x / 2) / 255, 1}, 1e-7);
  CHECK(wrong == 0);
}
