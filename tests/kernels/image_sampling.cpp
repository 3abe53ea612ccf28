// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Samplers: addressing modes and filters, compared with a model in double precision.
#include "support/image_model.hpp"

#include <catch2/catch.hpp>

#include <random>

using namespace lanecl::test;

namespace {

struct Shape {
  const char *type, *coordinates;
  cl_mem_object_type object;
  Extent extent;
  size_t filtered;
  bool array;
};

const Shape kShapes[] = {
    {"image1d_t", "c.x", CL_MEM_OBJECT_IMAGE1D, {19, 1, 1}, 1, false},
    {"image1d_array_t", "c.xy", CL_MEM_OBJECT_IMAGE1D_ARRAY, {19, 6, 1}, 1, true},
    {"image2d_t", "c.xy", CL_MEM_OBJECT_IMAGE2D, {19, 6, 1}, 2, false},
    {"image2d_array_t", "c", CL_MEM_OBJECT_IMAGE2D_ARRAY, {19, 6, 4}, 2, true},
    {"image3d_t", "c", CL_MEM_OBJECT_IMAGE3D, {19, 6, 4}, 3, false},
};

std::vector<SamplerModel> samplers() {
  std::vector<SamplerModel> all;
  for (bool normalized : {false, true})
    for (cl_addressing_mode addressing :
         {CL_ADDRESS_NONE, CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP, CL_ADDRESS_REPEAT, CL_ADDRESS_MIRRORED_REPEAT})
      for (cl_filter_mode filter : {CL_FILTER_NEAREST, CL_FILTER_LINEAR})
        if (normalized || addressing < CL_ADDRESS_REPEAT)
          all.push_back({normalized, addressing, filter});
  return all;
}

// Coordinates inside and far outside. They are odd multiples of 1/16 of an element, so that products are exact and no
// coordinate is at the end of an element. The nearest element therefore does not depend on rounding.
std::vector<float> randomCoordinates(const Shape &shape, const SamplerModel &sampler, size_t count) {
  std::mt19937 random(3);
  std::vector<float> result;
  for (size_t i = 0; i < count; ++i)
    for (size_t k = 0; k < 4; ++k) {
      const auto size = k < 3 ? int(shape.extent[k]) : 1;
      const bool is_filtered = k < shape.filtered;
      // With CLK_ADDRESS_NONE everything stays inside, including the neighbors for linear filtering.
      const bool inside = sampler.addressing == CL_ADDRESS_NONE && is_filtered;
      const int low = inside ? 8 : -40 * 16, high = inside ? size * 16 - 8 : (size + 40) * 16;
      const float at = float(std::uniform_int_distribution<int>(low, high)(random) | 1) / 16.0f;
      result.push_back(sampler.normalized && is_filtered ? at / float(size) : at);
    }
  return result;
}

Program buildSampling(const Session &cl, const Shape &shape, unsigned width) {
  return cl.build("kernel __attribute__((intel_reqd_sub_group_size(W)))\n"
                  "void sample(read_only T in, sampler_t s, global const float4 *at, global float4 *out) {\n"
                  "  float4 c = at[get_global_id(0)];\n"
                  "  out[get_global_id(0)] = read_imagef(in, s, C);\n"
                  "}\n",
                  std::string("-cl-std=CL3.0 -DT=") + shape.type + " -DC=" + shape.coordinates +
                      " -DW=" + std::to_string(width));
}

std::vector<uint8_t> randomBytes(size_t count) {
  std::mt19937 random(5);
  std::vector<uint8_t> bytes(count);
  for (uint8_t &byte : bytes)
    byte = uint8_t(random());
  return bytes;
}

void checkSampling(const Session &cl, const Program &program, const Shape &shape, const cl_image_format &name) {
  constexpr size_t kCount = 300;
  const size_t elements = shape.extent[0] * shape.extent[1] * shape.extent[2];
  const FormatModel format{name};
  const ImageModel model{format, shape.extent, randomBytes(elements * format.elementBytes())};
  Memory image = makeImage(cl, name, shape.object, shape.extent, model.content, CL_MEM_READ_ONLY);
  for (const SamplerModel &sampler : samplers()) {
    const std::vector<float> at = randomCoordinates(shape, sampler, kCount);
    Memory out = cl.bytes(kCount * 4 * sizeof(float));
    cl.run(cl.kernel(program, "sample"), {kCount}, {20}, image,
           makeSampler(cl, sampler.normalized, sampler.addressing, sampler.filter), cl.buffer(at), out);
    const std::vector<float> got = cl.read<float>(out);
    size_t wrong = 0;
    for (size_t i = 0; i < kCount; ++i) {
      const Color want = model.sample(sampler, {at[4 * i], at[4 * i + 1], at[4 * i + 2]}, shape.filtered, shape.array);
      // The error of a weight is that of the coordinate: a few units of single precision at a distance of 60 elements.
      for (size_t k = 0; k < 4; ++k)
        wrong += !(std::fabs(got[4 * i + k] - want[k]) <= (sampler.filter == CL_FILTER_LINEAR ? 1e-4 : 1e-6));
    }
    INFO(shape.type << ", order " << name.image_channel_order << ", addressing " << sampler.addressing << ", filter "
                    << sampler.filter << ", normalized " << sampler.normalized);
    CHECK(wrong == 0);
  }
}

} // namespace

TEST_CASE("addressing modes and filters for every shape", "[image_sampling]") {
  Session cl;
  for (const Shape &shape : kShapes)
    checkSampling(cl, buildSampling(cl, shape, 16), shape, {CL_RGBA, CL_UNORM_INT8});
}

TEST_CASE("filtered colors of several formats at every width", "[image_sampling]") {
  Session cl;
  const unsigned width = GENERATE(8, 16, 32);
  const Shape &shape = kShapes[2];
  Program program = buildSampling(cl, shape, width);
  for (const cl_image_format &format :
       {cl_image_format{CL_sRGBA, CL_UNORM_INT8}, cl_image_format{CL_R, CL_UNORM_INT16},
        cl_image_format{CL_RGB, CL_UNORM_SHORT_565}, cl_image_format{CL_BGRA, CL_SNORM_INT8}})
    checkSampling(cl, program, shape, format);
}

TEST_CASE("integer coordinates with a sampler", "[image_sampling]") {
  Session cl;
  Program program = cl.build("kernel void sample(read_only image2d_array_t in, sampler_t s, global uint *out) {\n"
                             "  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
                             "  out[(z * 10 + y) * 10 + x] = read_imageui(in, s, (int4)(x - 2, y - 2, z - 2, 0)).x;\n"
                             "}\n");
  const Extent extent{6, 5, 3};
  std::vector<uint32_t> content(90);
  for (size_t i = 0; i < content.size(); ++i)
    content[i] = uint32_t(i + 1);
  Memory image = makeImage(cl, {CL_RGBA, CL_UNSIGNED_INT8}, CL_MEM_OBJECT_IMAGE2D_ARRAY, extent, content);
  for (cl_addressing_mode mode : {CL_ADDRESS_CLAMP, CL_ADDRESS_CLAMP_TO_EDGE}) {
    Memory out = cl.bytes(800 * sizeof(uint32_t));
    cl.run(cl.kernel(program, "sample"), {10, 10, 8}, {}, image, makeSampler(cl, false, mode, CL_FILTER_NEAREST), out);
    const std::vector<uint32_t> got = cl.read<uint32_t>(out);
    size_t wrong = 0;
    for (int z = 0; z < 8; ++z)
      for (int y = 0; y < 10; ++y)
        for (int x = 0; x < 10; ++x) {
          const bool inside = x >= 2 && x < 8 && y >= 2 && y < 7;
          const int column = std::clamp(x - 2, 0, 5), row = std::clamp(y - 2, 0, 4), layer = std::clamp(z - 2, 0, 2);
          const auto element = uint32_t((layer * 5 + row) * 6 + column + 1);
          wrong += got[size_t((z * 10 + y) * 10 + x)] != (inside || mode == CL_ADDRESS_CLAMP_TO_EDGE ? element : 0);
        }
    CHECK(wrong == 0);
  }
}

TEST_CASE("coordinates that are not numbers read something harmless", "[image_sampling]") {
  Session cl;
  const Shape &shape = kShapes[2];
  Program program = buildSampling(cl, shape, 16);
  const ImageModel model{{{CL_RGBA, CL_UNORM_INT8}}, shape.extent, randomBytes(19 * 6 * 4)};
  Memory image = makeImage(cl, model.format.format, shape.object, shape.extent, model.content);
  const std::vector<float> at{NAN, 1, 0, 0, INFINITY, 2, 0, 0, -INFINITY, NAN, 0, 0, 1e30f, -1e30f, 0, 0};
  for (const SamplerModel &sampler : samplers()) {
    Memory out = cl.buffer(std::vector<float>(16, -1.0f));
    cl.run(cl.kernel(program, "sample"), {4}, {4}, image,
           makeSampler(cl, sampler.normalized, sampler.addressing, sampler.filter), cl.buffer(at), out);
    for (float component : cl.read<float>(out))
      CHECK(component != -1.0f); // it was written, so the kernel came to its end
  }
}
