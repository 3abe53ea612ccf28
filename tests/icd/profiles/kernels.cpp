// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kernels that a GPU's profile builds, and kernels that it refuses. CTest runs this once for each profile, with
// LANECL_DEVICE.
#include "expected.hpp"

#include "spirv/module.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace lanecl::test;

namespace {

bool contains(const std::vector<size_t> &sizes, size_t size) {
  return std::find(sizes.begin(), sizes.end(), size) != sizes.end();
}

bool builds(const Session &cl, const std::string &source, std::string &log) {
  try {
    cl.build(source);
    return true;
  } catch (const BuildError &error) {
    CHECK(error.code == CL_BUILD_PROGRAM_FAILURE);
    log = error.log;
    return false;
  }
}

std::string requiring(size_t size, const std::string &body) {
  return "__attribute__((intel_reqd_sub_group_size(" + std::to_string(size) + "))) kernel void k(global int *p) {" +
         body + "}";
}

bool builds(const Session &cl, const SpirvModule &module, std::string &log) {
  const Program program = createWithIl(cl, module);
  const cl_int code = clBuildProgram(program, 1, &cl.device, "", nullptr, nullptr);
  CHECK((code == CL_SUCCESS || code == CL_BUILD_PROGRAM_FAILURE));
  log = buildLog(program);
  return code == CL_SUCCESS;
}

// The last operand of a matrix multiplication, which says what the elements are.
constexpr uint32_t kInt8 = 0x33, kTf32 = 0x300;

// Returns a module that multiplies matrices in sub-groups of that size. Assemblers may be too old for the instruction,
// so another one stands in for it.
SpirvModule multiplying(unsigned size, const std::string &a, const std::string &element, uint32_t operands) {
  SpirvModule module = assemble(replaced(R"(
               OpCapability Vector16
               OpCapability SubgroupDispatch
               OpExtension "SPV_INTEL_subgroup_matrix_multiply_accumulate"
               OpEntryPoint Kernel %k "k"
               OpExecutionMode %k SubgroupSize SIZE
          %b = OpTypeVector %ELEMENT 8
       %type = OpTypeFunction %void %_ptr_CrossWorkgroup_ELEMENT
  %dimension = OpConstant %uint DIMENSION
       %left = OpConstantNull %LEFT
      %right = OpConstantNull %b
        %sum = OpConstantNull %ELEMENT
          %k = OpFunction %void None %type
          %p = OpFunctionParameter %_ptr_CrossWorkgroup_ELEMENT
      %entry = OpLabel
     %result = OpCompositeConstruct %ELEMENT %dimension %left %right %sum %dimension
               OpStore %p %result Aligned 4
               OpReturn
               OpFunctionEnd
)",
                                         {{"SIZE", std::to_string(size)},
                                          {"DIMENSION", operands == kTf32 ? "8" : "32"},
                                          {"LEFT", a},
                                          {"ELEMENT", element}}));
  constexpr uint32_t kStandIn = 80, kMultiply = 6237, kCapability = 6236;
  for (size_t at = 5; at < module.size(); at += module[at] >> 16)
    if ((module[at] & 0xffff) == kStandIn) {
      module[at] += kMultiply - kStandIn;
      module[at + (module[at] >> 16) - 1] = operands;
    }
  module.insert(module.begin() + 5, {2 << 16 | 17, kCapability});
  return module;
}

} // namespace

TEST_CASE("double builds if the GPU supports it", "[.profile]") {
  Session cl;
  std::string log;
  CHECK(builds(cl, "kernel void k(global double *p) { p[0] = 2 * p[0]; }", log) == expected().has_double);
  if (!expected().has_double)
    CHECK(log.find("double") != std::string::npos);
  // Programs check these macros before they use double.
  CHECK(builds(cl, "#if defined(cl_khr_fp64) || defined(__opencl_c_fp64)\n#error\n#endif\nkernel void k() {}", log) !=
        expected().has_double);
}

TEST_CASE("a sub-group size that the GPU lacks is an error of the build", "[.profile]") {
  Session cl;
  for (size_t size : {8, 16, 32}) {
    CAPTURE(size);
    std::string log;
    const bool has_size = contains(expected().sub_group_sizes, size);
    CHECK(builds(cl, requiring(size, "p[get_global_id(0)] = get_max_sub_group_size();"), log) == has_size);
    if (!has_size)
      CHECK(log.find("supported sizes are 16 and 32") != std::string::npos);
  }
}

TEST_CASE("kernels that require no sub-group size get one that the GPU has", "[.profile]") {
  Session cl;
  const Kernel kernel =
      cl.kernel(cl.build("kernel void k(global int *p) { p[get_global_linear_id()] = get_max_sub_group_size(); }",
                         "-cl-std=CL3.0"),
                "k");
  for (const std::vector<size_t> &local : {std::vector<size_t>{1}, {7}, {8}, {8, 4}, {24, 2}, {17}, {32}, {256}}) {
    const Memory out = cl.buffer(std::vector<int>(256, 0));
    cl.run(kernel, local, local, out);
    CHECK(contains(expected().sub_group_sizes, size_t(cl.read<int>(out)[0])));
  }
}

TEST_CASE("matrix functions exist only for the GPU's sub-group sizes", "[.profile]") {
  Session cl;
  std::string log;
  const std::string body = " a; int8 b = 0; p[0] = intel_sub_group_i8_i8_matrix_mad_k32(a, b, 0);";
  for (unsigned size : {8u, 16u}) {
    if (!contains(expected().sub_group_sizes, size))
      continue;
    CAPTURE(size);
    CHECK(builds(cl, requiring(size, (size == 8 ? "int" : "short") + body), log) == (expected().matrix_size == size));
  }
  const std::string prefetch = "intel_sub_group_2d_block_prefetch_8b_32r16x1c(p, 64, 32, 64, (int2)(0));";
  CHECK(builds(cl, requiring(16, prefetch), log) == expected().has_blocks_2d);
}

TEST_CASE("SPIR-V multiplies matrices only in the GPU's sub-group sizes", "[.profile]") {
  Session cl;
  std::string log;
  for (unsigned size : {8u, 16u}) {
    CAPTURE(size);
    CHECK(builds(cl, multiplying(size, size == 8 ? "uint" : "ushort", "uint", kInt8), log) ==
          (expected().matrix_size == size));
    if (expected().matrix_size != size)
      CHECK_THAT(log, Catch::Contains("SubgroupMatrixMultiplyAccumulateINTEL"));
    if (expected().matrix_size != 0 && expected().matrix_size != size)
      CHECK_THAT(log,
                 Catch::Contains("instruction OpSubgroupMatrixMultiplyAccumulateINTEL (6237) is for sub-groups of " +
                                 std::to_string(size)));
  }
  CHECK(builds(cl, multiplying(16, "float", "float", kTf32), log) == (expected().matrix_size == 16));
  if (expected().matrix_size == 8)
    CHECK_THAT(log, Catch::Contains("OpSubgroupMatrixMultiplyAccumulateINTEL") && Catch::Contains("_tf32"));
}

TEST_CASE("functions that the GPU lacks are missing when they are declared by hand", "[.profile]") {
  Session cl;
  std::string log;
  const std::string begin = "__attribute__((overloadable)) ";
  const auto has = [&](unsigned size, const std::string &declaration, const std::string &body) {
    return builds(cl, begin + declaration + ";\n" + requiring(size, body), log);
  };
  for (unsigned size : {8u, 16u}) {
    if (!contains(expected().sub_group_sizes, size))
      continue;
    CAPTURE(size);
    const std::string type = size == 8 ? "int" : "short";
    CHECK(has(size, "int intel_sub_group_i8_i8_matrix_mad_k32(" + type + " a, int8 b, int acc)",
              type + " a = p[0]; int8 b = 1; p[0] = intel_sub_group_i8_i8_matrix_mad_k32(a, b, 0);") ==
          (expected().matrix_size == size));
    if (expected().matrix_size != size)
      CHECK_THAT(log, Catch::Contains("intel_sub_group_i8_i8_matrix_mad_k32"));
  }
  const std::string split = "intel_sub_group_i8_i8_split_matrix_mad_k32";
  CHECK(has(expected().matrix_size == 8 ? 8 : 16, "int2 " + split + "(int a, int8 b, int2 acc)",
            "int8 b = 1; p[0] = " + split + "(p[0], b, (int2)(0)).x;") == (expected().matrix_size == 8));
  const std::string prefetch = "intel_sub_group_2d_block_prefetch_8b_32r16x1c";
  CHECK(has(16, "void " + prefetch + "(global void *p, int w, int h, int pitch, int2 place)",
            prefetch + "(p, 64, 32, 64, (int2)(0));") == expected().has_blocks_2d);
  if (!expected().has_blocks_2d)
    CHECK_THAT(log, Catch::Contains("needs cl_intel_subgroup_2d_block_io"));
}

TEST_CASE("images build if the GPU supports them", "[.profile]") {
  Session cl;
  std::string log;
  const std::string source = "kernel void k(read_only image2d_t i, sampler_t s, global float4 *p)"
                             "{ p[0] = read_imagef(i, s, (float2)(0)); }";
  CHECK(builds(cl, source, log) == expected().has_images);
  const cl_image_format format{CL_RGBA, CL_FLOAT};
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = description.image_height = 16;
  cl_int code = 1;
  const Memory image(clCreateImage(cl.context, CL_MEM_READ_WRITE, &format, &description, nullptr, &code));
  CHECK(code == (expected().has_images ? CL_SUCCESS : CL_INVALID_OPERATION));
}

TEST_CASE("rows of images in buffers start where the GPU requires it", "[.profile]") {
  if (!expected().has_images)
    return;
  Session cl;
  std::vector<char> memory(4096 + 64);
  char *const aligned = memory.data() + (64 - reinterpret_cast<size_t>(memory.data()) % 64);
  const auto code = [&](size_t row_pitch, size_t offset, cl_mem_object_type type = CL_MEM_OBJECT_IMAGE2D) {
    cl_int result = 1;
    const Memory buffer(
        clCreateBuffer(cl.context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, 2048, aligned + offset, &result));
    const cl_image_format format{CL_RGBA, CL_UNORM_INT8};
    cl_image_desc description{};
    description.image_type = type;
    description.image_width = description.image_height = 16;
    description.image_depth = 1;
    description.image_row_pitch = row_pitch;
    description.mem_object = buffer;
    const Memory image(clCreateImage(cl.context, CL_MEM_READ_WRITE, &format, &description, nullptr, &result));
    return result;
  };
  CHECK(code(80, 0) == CL_SUCCESS);
  CHECK(code(72, 0) == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR); // not a multiple of four elements
  CHECK(code(80, 8) == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  CHECK(code(80, 0, CL_MEM_OBJECT_IMAGE3D) == CL_INVALID_IMAGE_DESCRIPTOR); // not in a buffer
}

TEST_CASE("SPIR-V may leave out what GPU compilers do not require", "[.profile]") {
  Session cl;
  std::string text = textOf("subgroups");
  for (const char *line : {"OpExtension \"SPV_INTEL_subgroups\"", "OpCapability SubgroupDispatch",
                           "OpCapability SubgroupBufferBlockIOINTEL"}) {
    const size_t at = text.find(line);
    REQUIRE(at != std::string::npos);
    text.erase(at, std::string(line).size());
  }
  const Kernel kernel = cl.kernel(buildIl(cl, createWithIl(cl, assemble(text))), "exchange");
  const Memory in = cl.buffer(std::vector<int>(32, 1)), out = cl.buffer(std::vector<int>(32, 0));
  cl.run(kernel, {16}, {16}, in, out);
  CHECK(cl.read<int>(out) == std::vector<int>(32, 1));
}

TEST_CASE("SPIR-V may use what the GPU supports, and extensions that need no hardware support", "[.profile]") {
  Session cl;
  const auto accepts = [&](const std::string &first) {
    const SpirvModule module = assemble("OpCapability Linkage\n" + first);
    const Program program = createWithIl(cl, module); // what the device lacks is an error of the build
    const cl_int code = clBuildProgram(program, 1, &cl.device, "", nullptr, nullptr);
    CHECK((code == CL_SUCCESS || code == CL_BUILD_PROGRAM_FAILURE));
    return code == CL_SUCCESS;
  };
  CHECK(accepts("OpCapability Float64\n") == expected().has_double);
  CHECK(accepts("OpCapability ImageBasic\n") == expected().has_images);
  CHECK(accepts("OpCapability Pipes\n") == expected().has_pipes);
  CHECK(accepts("OpCapability ExpectAssumeKHR\nOpExtension \"SPV_KHR_expect_assume\"\n"));
  CHECK(accepts("OpCapability GroupNonUniformRotateKHR\nOpExtension \"SPV_KHR_subgroup_rotate\"\n"));
}
