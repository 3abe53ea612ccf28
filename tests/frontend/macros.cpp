// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The macros that a program finds defined, for each version of the language.
#include "support.hpp"

using namespace test;

namespace {

struct Version {
  const char *option;
  int opencl_c; // __OPENCL_C_VERSION__, or 0 for C++ for OpenCL
};
const Version kVersions[] = {{"", 120},
                             {"-cl-std=CL1.0", 100},
                             {"-cl-std=CL1.1", 110},
                             {"-cl-std=CL1.2", 120},
                             {"-cl-std=CL2.0", 200},
                             {"-cl-std=CL3.0", 300},
                             {"-cl-std=CL3.1", 310},
                             {"-cl-std=CLC++", 0},
                             {"-cl-std=CLC++2021", 0}};

// Returns lines that do not compile unless the preprocessor's condition holds.
std::string require(const std::string &condition) {
  return "#if !(" + condition + ")\n#error " + condition + "\n#endif\n";
}

// Checks that the program builds in every version of the language.
void checkAtEveryVersion(const std::string &source) {
  for (const Version &version : kVersions) {
    // Builds twice: the first program of a version is parsed with the header's text, the second one with the
    // precompiled header.
    for (int round = 0; round < 2; ++round) {
      const CompileOutput output = device().build(source, std::string(version.option) + " -Werror");
      INFO(version.option << "\n" << output.log);
      CHECK(output.status == Status::Success);
    }
  }
}

} // namespace

TEST_CASE("The version macros follow -cl-std", "[macros]") {
  for (const Version &version : kVersions) {
    const bool is_31 = version.opencl_c == 310; // programs of earlier versions see no difference
    std::string source = require(is_31 ? "__OPENCL_VERSION__ == 310" : "__OPENCL_VERSION__ == 300") +
                         require(is_31 ? "CL_VERSION_3_1 == 310" : "!defined(CL_VERSION_3_1)") +
                         require("__ENDIAN_LITTLE__ == 1") + require("defined(__IMAGE_SUPPORT__)") +
                         "kernel void k() {}\n";
    if (version.opencl_c == 0)
      source += require("defined(__OPENCL_CPP_VERSION__)");
    else if (version.opencl_c > 100)
      source += require("__OPENCL_C_VERSION__ == " + std::to_string(version.opencl_c));
    INFO(version.option);
    CHECK(builds(source, version.option));
    CHECK(builds(source, version.option));
  }
}

TEST_CASE("Extension macros are defined at every version, and only the device's", "[macros]") {
  std::string source = "kernel void k() {}\n";
  for (const std::string &extension : traits().extensions)
    source += require("defined(" + extension + ") && " + extension + " == 1");
  for (const char *other : {"cl_khr_fp16", "cl_amd_media_ops", "cl_khr_gl_msaa_sharing", "cl_khr_mipmap_image",
                            "cl_intel_device_side_avc_motion_estimation"})
    source += require(std::string("!defined(") + other + ")");
  checkAtEveryVersion(source);
}

TEST_CASE("Extension pragmas of the device pass without a warning, others with one", "[macros]") {
  std::string source = "#pragma OPENCL EXTENSION all : disable\n";
  for (const std::string &extension : traits().extensions)
    source += "#pragma OPENCL EXTENSION " + extension + " : enable\n";
  checkAtEveryVersion(source + "kernel void k() {}");
  const std::string foreign = "#pragma OPENCL EXTENSION cl_amd_fp64 : enable\nkernel void k() {}";
  CHECK(contains(device().build(foreign, "").log,
                 "program.cl:1:26: warning: unsupported OpenCL extension 'cl_amd_fp64'"));
  CHECK_FALSE(builds(foreign, "-Werror"));
  CHECK(builds(foreign, "-w -Werror"));
}

TEST_CASE("OpenCL C 3.1 has the versions before it, and programs may name another", "[macros]") {
  const std::string versions = require("CL_VERSION_3_0 == 300 && CL_VERSION_2_0 == 200 && CL_VERSION_1_2 == 120") +
                               require("__OPENCL_C_VERSION__ >= CL_VERSION_3_1") + "kernel void k() {}";
  CHECK(builds(versions, "-cl-std=CL3.1 -Werror"));
  const std::string other = require("__OPENCL_VERSION__ == 7") + require("CL_VERSION_3_1 == 8") + "kernel void k() {}";
  for (int round = 0; round < 2; ++round)
    CHECK(builds(other, "-w -cl-std=CL3.1 -D__OPENCL_VERSION__=7 -DCL_VERSION_3_1=8"));
}

TEST_CASE("OpenCL C 3.1 is refused where the device has 3.0", "[macros]") {
  LanguageTraits older = traits();
  older.newest_opencl_c = 300;
  const CompileOutput output = Frontend(older).build("kernel void k() {}", "-cl-std=CL3.1");
  CHECK(output.status == Status::InvalidOptions);
  CHECK(output.log == "error: '-cl-std=CL3.1' is not supported; use CL1.0, CL1.1, CL1.2, CL2.0, CL3.0 or CLC++\n");
  CHECK(contains(device().build("kernel void k() {}", "-cl-std=CL3.2").log, "CL3.0, CL3.1 or CLC++"));
}

TEST_CASE("Feature macros belong to OpenCL C 3.0", "[macros]") {
  const std::string defined = require("__opencl_c_subgroups == 1") + require("__opencl_c_fp64 == 1") +
                              require("!defined(__opencl_c_pipes)") + "kernel void k() {}";
  CHECK(builds(defined, "-cl-std=CL3.0"));
  CHECK(builds(defined, "-cl-std=CL3.1"));
  CHECK(builds(require("!defined(__opencl_c_subgroups)") + "kernel void k() {}", "-cl-std=CL1.2"));
}

TEST_CASE("Sub-group functions are declared at every version", "[macros]") {
  checkAtEveryVersion(R"(
    __attribute__((intel_reqd_sub_group_size(16)))
    kernel void k(global float *p, global uint *q, global ushort *r) {
      float8 v = intel_sub_group_shuffle((float8)(p[0]), get_sub_group_local_id());
      p[1] = intel_sub_group_shuffle_down(v.s0, v.s1, 1u) + sub_group_reduce_add(p[2]);
      intel_sub_group_block_write8(q, intel_sub_group_block_read8(q));
      intel_sub_group_block_write_us(r, intel_sub_group_block_read_us(r));
      sub_group_barrier(CLK_LOCAL_MEM_FENCE);
      q[1] = get_max_sub_group_size() + get_num_sub_groups();
    })");
}

TEST_CASE("Built-ins are functions that a program may redeclare", "[macros]") {
  checkAtEveryVersion(R"(
    #if defined(get_global_id) || defined(intel_sub_group_shuffle) || defined(intel_sub_group_block_read)
    #error macro
    #endif
    float __attribute__((overloadable)) intel_sub_group_shuffle(float x, uint lane);
    size_t __attribute__((overloadable)) get_global_id(uint dim);
    kernel void k(global float *p) { p[get_global_id(0)] = intel_sub_group_shuffle(p[0], 3u); })");
}

TEST_CASE("Traits add macros, and programs may redefine the device's", "[macros]") {
  LanguageTraits special = traits();
  special.macros = {{"__LANECL__", "7"}};
  Frontend frontend(special);
  for (int round = 0; round < 3; ++round) {
    CHECK(frontend.build(require("__LANECL__ == 7") + "kernel void k() {}", "").status == Status::Success);
    CHECK(frontend.build(require("__LANECL__ == 8") + "kernel void k() {}", "-w -D__LANECL__=8").status ==
          Status::Success);
  }
}

TEST_CASE("-cl-fast-relaxed-math defines its macro", "[macros]") {
  const std::string source = require("defined(__FAST_RELAXED_MATH__)") + "kernel void k() {}";
  for (int round = 0; round < 2; ++round) {
    CHECK(builds(source, "-cl-fast-relaxed-math"));
    CHECK_FALSE(builds(source));
  }
}
