// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The descriptions of kernels and of their arguments.
#include "support.hpp"

using namespace test;

namespace {

// Builds a program with one kernel and returns its description.
KernelInfo kernelOf(const std::string &source, const std::string &options = "") {
  const std::vector<KernelInfo> kernels = kernelsOf(source, options);
  REQUIRE(kernels.size() == 1);
  return kernels[0];
}

// Returns the description of a kernel's only argument, which is declared like this.
ArgumentInfo argumentOf(const std::string &declaration, const std::string &options = "",
                        const std::string &before = "") {
  const KernelInfo kernel = kernelOf(before + "kernel void k(" + declaration + ") {}", options);
  REQUIRE(kernel.arguments.size() == 1);
  return kernel.arguments[0];
}

struct ValueCase {
  const char *type;
  uint32_t size, alignment;
};

} // namespace

TEST_CASE("Kernels come in source order, helper functions do not come", "[kernels]") {
  const auto kernels = kernelsOf("int helper(int x) { return x; }\nkernel void zebra() {}\n__kernel void apple() {}\n"
                                 "kernel void later(global int *p);\nkernel void middle() {}\n"
                                 "kernel void later(global int *p) { *p = helper(1); }");
  REQUIRE(kernels.size() == 4);
  CHECK(kernels[0].name == "zebra");
  CHECK(kernels[1].name == "apple");
  CHECK(kernels[2].name == "middle");
  CHECK(kernels[3].name == "later");
}

TEST_CASE("Values have the size and alignment of their OpenCL type", "[kernels]") {
  const ValueCase cases[] = {{"char", 1, 1},      {"uchar2", 2, 2},       {"char3", 4, 4},       {"short", 2, 2},
                             {"ushort3", 8, 8},   {"int", 4, 4},          {"uint2", 8, 8},       {"int3", 16, 16},
                             {"float", 4, 4},     {"float3", 16, 16},     {"float4", 16, 16},    {"float8", 32, 32},
                             {"float16", 64, 64}, {"long", 8, 8},         {"ulong3", 32, 32},    {"double", 8, 8},
                             {"double2", 16, 16}, {"double16", 128, 128}, {"unsigned int", 4, 4}};
  for (const ValueCase &value : cases) {
    const ArgumentInfo argument = argumentOf(std::string(value.type) + " x");
    INFO(value.type);
    CHECK(argument.kind == ArgumentKind::Value);
    CHECK(argument.address == AddressQualifier::Private);
    CHECK(argument.access == AccessQualifier::None);
    CHECK(argument.size == value.size);
    CHECK(argument.alignment == value.alignment);
    CHECK(argument.name == "x");
    CHECK(argument.type_name == (std::string(value.type) == "unsigned int" ? "uint" : value.type));
  }
}

TEST_CASE("Structures are values", "[kernels]") {
  const ArgumentInfo argument = argumentOf("struct S s", "", "struct S { char c; float4 v; int n[3]; };\n");
  CHECK(argument.kind == ArgumentKind::Value);
  CHECK(argument.size == 48);
  CHECK(argument.alignment == 16);
  CHECK(argument.type_name == "struct S");
  const ArgumentInfo small = argumentOf("T t", "", "typedef struct { int a; short b; } T;\n");
  CHECK(small.size == 8);
  CHECK(small.alignment == 4);
  CHECK(small.type_name == "T");
  const ArgumentInfo packed = argumentOf("P p", "", "typedef struct __attribute__((packed)) { char a; int b; } P;\n");
  CHECK(packed.size == 5);
}

TEST_CASE("Pointers keep their address space and qualifiers", "[kernels]") {
  const ArgumentInfo global = argumentOf("const volatile global float4 *restrict p");
  CHECK(global.kind == ArgumentKind::GlobalPointer);
  CHECK(global.address == AddressQualifier::Global);
  CHECK(global.type_name == "float4*");
  CHECK(global.is_const);
  CHECK(global.is_volatile);
  CHECK(global.is_restrict);
  CHECK(global.size == 8);
  CHECK(global.alignment == 8);
  const ArgumentInfo plain = argumentOf("global int *p");
  CHECK_FALSE(plain.is_const);
  CHECK_FALSE(plain.is_volatile);
  CHECK_FALSE(plain.is_restrict);
  CHECK(argumentOf("constant int *p").kind == ArgumentKind::ConstantPointer);
  CHECK(argumentOf("constant int *p").address == AddressQualifier::Constant);
  CHECK(argumentOf("local uchar *p").kind == ArgumentKind::LocalPointer);
  CHECK(argumentOf("local uchar *p").address == AddressQualifier::Local);
}

TEST_CASE("Images and samplers", "[kernels]") {
  const ArgumentInfo read = argumentOf("read_only image2d_t i");
  CHECK(read.kind == ArgumentKind::Image);
  CHECK(read.access == AccessQualifier::ReadOnly);
  CHECK(read.address == AddressQualifier::Global);
  CHECK(read.type_name == "image2d_t");
  CHECK(read.size == 8);
  CHECK(argumentOf("write_only image2d_t i").access == AccessQualifier::WriteOnly);
  CHECK(argumentOf("read_write image1d_t i", "-cl-std=CL2.0").access == AccessQualifier::ReadWrite);
  CHECK(argumentOf("image1d_buffer_t i").access == AccessQualifier::ReadOnly);
  CHECK(read.image == ImageShape::Image2D);
  CHECK_FALSE(read.is_depth_image);
  for (auto [type, shape] :
       {std::pair{"image1d_t i", ImageShape::Image1D}, std::pair{"image1d_buffer_t i", ImageShape::Image1DBuffer},
        std::pair{"image1d_array_t i", ImageShape::Image1DArray},
        std::pair{"image2d_array_t i", ImageShape::Image2DArray}, std::pair{"image3d_t i", ImageShape::Image3D},
        std::pair{"int i", ImageShape::None}})
    CHECK(argumentOf(type).image == shape);
  const ArgumentInfo depth = argumentOf("read_only image2d_array_depth_t i", "-cl-std=CL3.0");
  CHECK(depth.image == ImageShape::Image2DArray);
  CHECK(depth.is_depth_image);
  const ArgumentInfo sampler = argumentOf("sampler_t s");
  CHECK(sampler.kind == ArgumentKind::Sampler);
  CHECK(sampler.type_name == "sampler_t");
  CHECK(sampler.size == 8);
}

TEST_CASE("Argument information does not depend on -cl-kernel-arg-info or -cl-std", "[kernels]") {
  for (const char *options : {"", "-cl-kernel-arg-info", "-cl-std=CL1.0", "-cl-std=CL3.0", "-cl-std=CLC++", "-g"})
    CHECK(argumentOf("global float *values", options).name == "values");
}

TEST_CASE("Kernel attributes", "[kernels]") {
  const KernelInfo kernel =
      kernelOf("__attribute__((reqd_work_group_size(8, 4, 2))) __attribute__((vec_type_hint(float4)))\n"
               "__attribute__((intel_reqd_sub_group_size(16))) kernel void k() {}");
  CHECK(kernel.required_work_group_size == std::array<uint64_t, 3>{8, 4, 2});
  CHECK(kernel.work_group_size_hint == std::array<uint64_t, 3>{0, 0, 0});
  CHECK(kernel.vec_type_hint == "float4");
  CHECK(kernel.required_sub_group_size == 16);
  CHECK(kernel.attributes == "reqd_work_group_size(8, 4, 2) vec_type_hint(float4) intel_reqd_sub_group_size(16)");
  const KernelInfo hint = kernelOf("kernel __attribute__((work_group_size_hint(64,1,1))) void k() {}");
  CHECK(hint.work_group_size_hint == std::array<uint64_t, 3>{64, 1, 1});
  CHECK(hint.attributes == "work_group_size_hint(64,1,1)");
  CHECK(kernelOf("kernel void k() {}").attributes == "");
  CHECK(kernelOf("kernel void k() {}").vec_type_hint == "");
  for (const char *type : {"uchar", "short3", "uint8", "long", "double2"})
    CHECK(kernelOf("kernel __attribute__((vec_type_hint(" + std::string(type) + "))) void k() {}").vec_type_hint ==
          type);
}

TEST_CASE("An attribute out of a macro is spelled out", "[kernels]") {
  const KernelInfo kernel = kernelOf("#define SIZE(n) __attribute__((intel_reqd_sub_group_size(n)))\n"
                                     "SIZE(8) kernel void k() {}");
  CHECK(kernel.required_sub_group_size == 8);
  CHECK(kernel.attributes == "intel_reqd_sub_group_size(8)");
}

TEST_CASE("An attribute on the declaration counts for the definition", "[kernels]") {
  CHECK(kernelOf("__attribute__((intel_reqd_sub_group_size(32))) kernel void k();\nkernel void k() {}")
            .required_sub_group_size == 32);
}

TEST_CASE("Local variables are counted per kernel, those of called functions included", "[kernels]") {
  const auto kernels =
      kernelsOf("kernel void none(global int *p) { *p = 1; }\n"
                "kernel void one(global int *p) { local int a[16]; a[*p] = 1; *p = a[1]; }\n"
                "kernel void two(global int *p) { local char c; local float4 v; c = 1; v = 2; *p = v.x + c; }\n"
                "kernel void caller(global int *p) { local int b[4]; b[*p] = 1; one(p); *p = b[2]; }");
  REQUIRE(kernels.size() == 4);
  CHECK(kernels[0].local_bytes == 0);
  CHECK(kernels[1].local_bytes == 64);
  CHECK(kernels[2].local_bytes == 32);
  CHECK(kernels[3].local_bytes == 80);
}

TEST_CASE("Private arrays are counted, variables for registers are not", "[kernels]") {
  CHECK(kernelOf("kernel void k(global int *p) { int x = *p; float4 v = x; *p = v.y; }").private_bytes == 0);
  CHECK(kernelOf("kernel void k(global int *p) { int a[10]; a[*p] = 1; *p = a[p[1]]; }").private_bytes == 40);
}

TEST_CASE("A broken module has no kernels and a reason", "[kernels]") {
  std::string error;
  Module module;
  CHECK(Frontend::describe(module, error) == nullptr);
  CHECK(error != "");
  module.bitcode = std::make_shared<const std::string>("BC\xC0\xDE garbage that is no bitcode at all");
  CHECK(Frontend::describe(module, error) == nullptr);
  CHECK(error != "");
}

TEST_CASE("A kernel numbers its sub-groups when it asks for the number of its own or for how many there are",
          "[kernels]") {
  const auto numbers = [](const std::string &text) {
    return kernelOf("uint number(void) { return get_sub_group_id(); }\n"
                    "uint unused(void) { return get_num_sub_groups(); }\n"
                    "kernel void k(global uint *p) { *p = " +
                        text + "; }",
                    "-cl-std=CL3.0")
        .queries_sub_groups;
  };
  CHECK(numbers("get_sub_group_id()"));
  CHECK(numbers("get_num_sub_groups()"));
  CHECK(numbers("get_enqueued_num_sub_groups()"));
  CHECK(numbers("number()"));
  CHECK_FALSE(numbers("get_sub_group_local_id() + get_sub_group_size() + get_max_sub_group_size()"));
  CHECK_FALSE(numbers("sub_group_reduce_add(*p)"));
}

TEST_CASE("A kernel sees work-groups by their ids, sizes, barriers, memory and functions", "[kernels]") {
  const auto sees = [](const std::string &body, const std::string &argument = "") {
    return kernelOf("size_t number(void) { return get_local_id(0); }\n"
                    "size_t local_name(size_t i) { return i; }\n"
                    "size_t unused(void) { return get_group_id(0); }\n"
                    "kernel void k(global uint *p" +
                        argument + ") { " + body + " }",
                    "-cl-std=CL3.0");
  };
  for (const char *body : {"*p = get_local_id(0);", "*p = get_group_id(1);", "*p = get_local_size(0);",
                           "*p = get_enqueued_local_size(0);", "*p = get_num_groups(2);", "*p = get_local_linear_id();",
                           "*p = number();", "wait_group_events(0, 0);", "local uint x; x = *p; *p = x;",
                           "barrier(CLK_LOCAL_MEM_FENCE);", "*p = sub_group_any(*p);", "*p = get_sub_group_size();"}) {
    INFO(body);
    CHECK(sees(body).sees_work_groups);
  }
  CHECK(sees("*p = *x;", ", local uint *x").sees_work_groups);
  CHECK_FALSE(sees("*p = *x;", ", constant uint *x").sees_work_groups);
  CHECK_FALSE(sees("p[local_name(get_global_id(0))] = get_global_size(0) + get_global_offset(0) + get_work_dim() + "
                   "get_global_linear_id() + atomic_inc(p) + native_sin(1.0f);")
                  .sees_work_groups);
  CHECK(sees("*p = sub_group_any(*p);").sees_sub_groups);
  CHECK(sees("*p = get_sub_group_local_id();").sees_sub_groups);
  CHECK_FALSE(sees("*p = get_local_id(0); barrier(CLK_LOCAL_MEM_FENCE);").sees_sub_groups);
  // It is what functions of the library do that counts, and not their names.
  CHECK_FALSE(sees("*p = to_local((generic uint *)p) == 0;").sees_work_groups);
  CHECK_FALSE(sees("*p = get_local_linear_id(); wait_group_events(0, 0);").sees_sub_groups);
  CHECK(sees("*p = intel_sub_group_shuffle_xor(*p, 1);").sees_sub_groups);
  CHECK(sees("intel_sub_group_block_write(p, 1);").sees_sub_groups);
}

TEST_CASE("A kernel's description says whether it reads, writes or updates what a pointer points to", "[kernels]") {
  const auto accessOf = [](const std::string &body) {
    const KernelInfo kernel =
        kernelOf("int get(global const int *from) { return from[1]; }\n"
                 "void put(global int *to, int x) { to += 2; global int *other = x > 1 ? to : to + 1; *other = x; }\n"
                 "void nothing(global int *p) {}\n"
                 "global int *behind(global int *p) { return p + 3; }\n"
                 "typedef struct { global int *a, *b; } pair;\n"
                 "void put_both(pair both) { *both.b = 2; }\n"
                 "void put_first(global int **several) { *several[0] = 3; }\n"
                 "pair paired(global int *p, global int *q) { pair both = {q, p}; return both; }\n"
                 "kernel void k(global int *p, global int *q) { " +
                     body + " }",
                 "-cl-std=CL1.2");
    const ArgumentInfo &p = kernel.arguments.at(0);
    return std::string(p.is_read ? "r" : "") + (p.is_written ? "w" : "") + (p.is_updated ? "u" : "");
  };
  CHECK(accessOf("p[0] = 1;") == "w");
  CHECK(accessOf("q[0] = p[0];") == "r");
  CHECK(accessOf("p[get_global_id(0)] += 1;") == "rw");
  CHECK(accessOf("global int *r = p; r++; put(r, get(q));") == "w");
  CHECK(accessOf("put(q, get(p));") == "r");
  CHECK(accessOf("atomic_inc(p);") == "u");
  CHECK(accessOf("q[0] = vload4(0, p).x;") == "r");
  CHECK(accessOf("vstore4((int4)(1), 0, p);") == "w");
  CHECK(accessOf("local int l[4]; event_t e = async_work_group_copy(p, l, 4, 0); wait_group_events(1, &e);") == "w");
  CHECK(accessOf("local int l[4]; event_t e = async_work_group_copy(l, p, 4, 0); wait_group_events(1, &e);") == "r");
  CHECK(accessOf("q[0] = convert_int(modf(2.5f, (global float *)p));") == "w");
  CHECK(accessOf("q[0] = convert_int(remquo(2.5f, 2.0f, p));") == "w");
  CHECK(accessOf("nothing(p);").empty());
  CHECK(accessOf("q[0] = p == q;").empty());
  CHECK(accessOf("*behind(p) = 1;") == "w");
  // In arrays and structures. A member that holds another pointer says nothing about this one.
  CHECK(accessOf("global int *several[2] = {q, p}; several[q[0]][1] = 1;") == "w");
  CHECK(accessOf("global int *several[2]; several[q[0]] = p; q[1] = *several[1];") == "r");
  CHECK(accessOf("global int *several[2]; several[1] = p; several[0] = q; *several[0] = 1;").empty());
  CHECK(accessOf("pair both = {q, p}; *both.b = *both.a;") == "w");
  CHECK(accessOf("pair both = {q, p}; *both.a = *both.b;") == "r");
  CHECK(accessOf("pair both = {q, p}; pair copy = both; *copy.b = 1;") == "w");
  CHECK(accessOf("pair both = {q, p}; put_both(both);") == "w");
  CHECK(accessOf("pair both; both.b = p; pair *to = &both; *to->b = 1;") == "w");
  CHECK(accessOf("global int *several[2] = {p, q}; put_first(several);") == "w");
  CHECK(accessOf("*paired(p, q).b = 1;") == "w");
}
