// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Samplers, and images and samplers as kernel arguments.
#include "support/images.hpp"

#include <catch2/catch.hpp>

using namespace lanecl::test;

namespace {

template <class T> T samplerInfo(const Sampler &sampler, cl_sampler_info name) {
  T value{};
  check(clGetSamplerInfo(sampler, name, sizeof value, &value, nullptr), "clGetSamplerInfo");
  return value;
}

cl_int codeOf(const Session &cl, std::vector<cl_sampler_properties> properties) {
  cl_int code = 1;
  Sampler sampler(clCreateSamplerWithProperties(cl.context, properties.data(), &code));
  return code;
}

Kernel makeKernel(const Session &cl) {
  return cl.kernel(cl.build("kernel void k(read_only image2d_t in, write_only image2d_t out, sampler_t s,\n"
                            "              read_write image2d_array_t both, read_only image2d_depth_t depth) {\n"
                            "  write_imagef(out, (int2)(0), read_imagef(in, s, (float2)(0)));\n"
                            "}\n",
                            "-cl-std=CL3.0 -cl-kernel-arg-info"),
                   "k");
}

} // namespace

TEST_CASE("samplers report what they were created with", "[sampler]") {
  Session cl;
  Sampler sampler = makeSampler(cl, false, CL_ADDRESS_REPEAT, CL_FILTER_LINEAR);
  CHECK(samplerInfo<cl_bool>(sampler, CL_SAMPLER_NORMALIZED_COORDS) == CL_FALSE);
  CHECK(samplerInfo<cl_addressing_mode>(sampler, CL_SAMPLER_ADDRESSING_MODE) == CL_ADDRESS_REPEAT);
  CHECK(samplerInfo<cl_filter_mode>(sampler, CL_SAMPLER_FILTER_MODE) == CL_FILTER_LINEAR);
  CHECK(samplerInfo<cl_context>(sampler, CL_SAMPLER_CONTEXT) == cl.context.get());
  CHECK(samplerInfo<cl_uint>(sampler, CL_SAMPLER_REFERENCE_COUNT) == 1);
  Sampler again = sampler;
  CHECK(samplerInfo<cl_uint>(sampler, CL_SAMPLER_REFERENCE_COUNT) == 2);
  size_t size = 1;
  CHECK(clGetSamplerInfo(sampler, CL_SAMPLER_PROPERTIES, 0, nullptr, &size) == CL_SUCCESS);
  CHECK(size == 0);
  CHECK(clGetSamplerInfo(sampler, CL_MEM_SIZE, 0, nullptr, &size) == CL_INVALID_VALUE);
  CHECK(clGetSamplerInfo(nullptr, CL_SAMPLER_CONTEXT, 0, nullptr, &size) == CL_INVALID_SAMPLER);
  CHECK(clRetainSampler(nullptr) == CL_INVALID_SAMPLER);
  CHECK(clReleaseSampler(nullptr) == CL_INVALID_SAMPLER);
}

TEST_CASE("samplers from properties", "[sampler]") {
  Session cl;
  cl_int code = 1;
  Sampler plain(clCreateSamplerWithProperties(cl.context, nullptr, &code));
  CHECK(code == CL_SUCCESS);
  CHECK(samplerInfo<cl_bool>(plain, CL_SAMPLER_NORMALIZED_COORDS) == CL_TRUE);
  CHECK(samplerInfo<cl_addressing_mode>(plain, CL_SAMPLER_ADDRESSING_MODE) == CL_ADDRESS_CLAMP);
  CHECK(samplerInfo<cl_filter_mode>(plain, CL_SAMPLER_FILTER_MODE) == CL_FILTER_NEAREST);
  const std::vector<cl_sampler_properties> list{CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, CL_SAMPLER_ADDRESSING_MODE,
                                                CL_ADDRESS_NONE, 0};
  Sampler sampler(clCreateSamplerWithProperties(cl.context, list.data(), &code));
  std::vector<cl_sampler_properties> got(5);
  CHECK(clGetSamplerInfo(sampler, CL_SAMPLER_PROPERTIES, 5 * sizeof got[0], got.data(), nullptr) == CL_SUCCESS);
  CHECK(got == list);
  CHECK(codeOf(cl, {CL_SAMPLER_CONTEXT, 0, 0}) == CL_INVALID_VALUE);
  CHECK(codeOf(cl, {CL_SAMPLER_FILTER_MODE, CL_ADDRESS_NONE, 0}) == CL_INVALID_VALUE);
  CHECK(codeOf(cl, {CL_SAMPLER_NORMALIZED_COORDS, 2, 0}) == CL_INVALID_VALUE);
  CHECK(codeOf(cl, {CL_SAMPLER_NORMALIZED_COORDS, 1, CL_SAMPLER_NORMALIZED_COORDS, 1, 0}) == CL_INVALID_VALUE);
  CHECK(clCreateSampler(nullptr, CL_TRUE, CL_ADDRESS_NONE, CL_FILTER_NEAREST, &code) == nullptr);
  CHECK(code == CL_INVALID_CONTEXT);
  CHECK(clCreateSampler(cl.context, CL_TRUE, CL_FILTER_LINEAR, CL_FILTER_NEAREST, &code) == nullptr);
  CHECK(code == CL_INVALID_VALUE);
}

TEST_CASE("images and samplers as arguments", "[sampler]") {
  Session cl, other;
  Kernel kernel = makeKernel(cl);
  const cl_image_format format{CL_RGBA, CL_UNORM_INT8}, depth_format{CL_DEPTH, CL_FLOAT};
  const auto plane = [&](cl_mem_flags flags) {
    return makeImage(cl, format, describeImage(CL_MEM_OBJECT_IMAGE2D, {4, 4, 1}), flags);
  };
  const auto set = [&](cl_uint index, const Memory &memory) {
    return clSetKernelArg(kernel, index, sizeof(cl_mem), memory.address());
  };
  Memory read_only = plane(CL_MEM_READ_ONLY), write_only = plane(CL_MEM_WRITE_ONLY), both = plane(CL_MEM_READ_WRITE);
  Memory array = makeImage(cl, format, describeImage(CL_MEM_OBJECT_IMAGE2D_ARRAY, {4, 4, 2}));
  Memory constant = makeImage(cl, format, describeImage(CL_MEM_OBJECT_IMAGE2D_ARRAY, {4, 4, 2}), CL_MEM_READ_ONLY);
  Memory depth = makeImage(cl, depth_format, describeImage(CL_MEM_OBJECT_IMAGE2D, {4, 4, 1}));
  Memory foreign = makeImage(other, format, describeImage(CL_MEM_OBJECT_IMAGE2D, {4, 4, 1}));
  Sampler sampler = makeSampler(cl, false, CL_ADDRESS_NONE, CL_FILTER_NEAREST);
  CHECK(set(0, read_only) == CL_SUCCESS);
  CHECK(set(0, both) == CL_SUCCESS);
  CHECK(set(0, write_only) == CL_INVALID_ARG_VALUE);
  CHECK(set(1, write_only) == CL_SUCCESS);
  CHECK(set(1, read_only) == CL_INVALID_ARG_VALUE);
  CHECK(set(3, array) == CL_SUCCESS);
  CHECK(set(3, constant) == CL_INVALID_ARG_VALUE);
  CHECK(set(3, both) == CL_INVALID_MEM_OBJECT); // of another type
  CHECK(set(0, array) == CL_INVALID_MEM_OBJECT);
  CHECK(set(0, depth) == CL_INVALID_MEM_OBJECT);
  CHECK(set(4, both) == CL_INVALID_MEM_OBJECT);
  CHECK(set(4, depth) == CL_SUCCESS);
  CHECK(set(0, cl.bytes(64)) == CL_INVALID_MEM_OBJECT);
  CHECK(set(0, foreign) == CL_INVALID_CONTEXT);
  CHECK(set(0, Memory()) == CL_INVALID_MEM_OBJECT);
  CHECK(clSetKernelArg(kernel, 0, sizeof(cl_mem), nullptr) == CL_INVALID_MEM_OBJECT);
  CHECK(clSetKernelArg(kernel, 0, 4, both.address()) == CL_INVALID_ARG_SIZE);
  CHECK(clSetKernelArg(kernel, 2, sizeof(cl_sampler), sampler.address()) == CL_SUCCESS);
  CHECK(clSetKernelArg(kernel, 2, 4, sampler.address()) == CL_INVALID_ARG_SIZE);
  CHECK(clSetKernelArg(kernel, 2, sizeof(cl_sampler), nullptr) == CL_INVALID_SAMPLER);
  CHECK(clSetKernelArg(kernel, 2, sizeof(cl_mem), both.address()) == CL_INVALID_SAMPLER);
  CHECK(clSetKernelArg(kernel, 2, sizeof(cl_sampler),
                       makeSampler(other, true, CL_ADDRESS_NONE, CL_FILTER_NEAREST).address()) == CL_INVALID_CONTEXT);
}

TEST_CASE("a released image is no longer a valid argument", "[sampler]") {
  Session cl;
  Kernel kernel = cl.kernel(cl.build("kernel void k(read_only image2d_t in) {}"), "k");
  Memory image = makeImage(cl, {CL_R, CL_FLOAT}, describeImage(CL_MEM_OBJECT_IMAGE2D, {4, 4, 1}));
  REQUIRE(clSetKernelArg(kernel, 0, sizeof(cl_mem), image.address()) == CL_SUCCESS);
  image.reset();
  const size_t one = 1;
  CHECK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr) ==
        CL_INVALID_KERNEL_ARGS);
}

TEST_CASE("information about image and sampler arguments", "[sampler]") {
  Session cl;
  Kernel kernel = makeKernel(cl);
  const auto access = [&](cl_uint index) {
    cl_kernel_arg_access_qualifier value = 0;
    check(clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof value, &value, nullptr), "info");
    return value;
  };
  const auto typeName = [&](cl_uint index) {
    char text[64] = {};
    check(clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_TYPE_NAME, sizeof text, text, nullptr), "info");
    return std::string(text);
  };
  CHECK(access(0) == CL_KERNEL_ARG_ACCESS_READ_ONLY);
  CHECK(access(1) == CL_KERNEL_ARG_ACCESS_WRITE_ONLY);
  CHECK(access(2) == CL_KERNEL_ARG_ACCESS_NONE);
  CHECK(access(3) == CL_KERNEL_ARG_ACCESS_READ_WRITE);
  CHECK(typeName(0) == "image2d_t");
  CHECK(typeName(2) == "sampler_t");
  CHECK(typeName(3) == "image2d_array_t");
  CHECK(typeName(4) == "image2d_depth_t");
}
