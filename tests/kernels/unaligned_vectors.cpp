// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Vectors that are aligned only to their element's size. OpenCL C leaves them undefined, but GPUs support them. An
// access that crashes ends the test program.
#include "each_item.hpp"
#include "support/spirv.hpp"

#include <catch2/catch.hpp>

#include <numeric>

using namespace lanecl::test;

namespace {

// Each way copies a vector of N components to `o + i * M`, from the element of `s` that `from` names. V is the vector,
// T its element, and M the number of elements that a vector takes up. `one` is 1, and `at` is a permutation of the
// work-items; both are known only at run time. The memory of a way starts `shift` elements past an aligned address.
struct Way {
  const char *statement;
  std::function<size_t(size_t item, size_t vector)> from;
  bool by_one_item = false; // of each work-group, only the first one copies
};

size_t permuted(size_t item, size_t items) {
  return item * 5 % items;
}

std::vector<Way> waysFor(size_t items) {
  const auto own = [](size_t i, size_t m) { return i * m; };
  const auto first = [](size_t, size_t) -> size_t { return 0; };
  const auto gathered = [items](size_t i, size_t m) { return permuted(i, items) * (m + 1); };
  return {
      {"*(global V *)(o + i * M) = *(global const V *)(s + i * M);", own},
      {"*(global V *)(o + i * M) = *(global const V *)(s + i * (M + 1));",
       [](size_t i, size_t m) { return i * (m + 1); }},
      {"*(global V *)(o + i * M) = *(global const V *)(s + at[i] * (M + 1));", gathered},
      {"*(global V *)(o + i * M) = *(global const V *)s;", first},
      {"*(global V *)(o + (i - l) * M) = *(global const V *)s;", first, true},
      {"if (l == 0) *(global V *)(o + i * M) = *(global const V *)(s + M);", [](size_t, size_t m) { return m; }, true},
      {"if (l == 0) *(global V *)(o + get_group_id(0) * get_local_size(0) * M) = *(global const V *)(s + i * M);", own,
       true},
      {"if (at[i] & 1) *(global V *)(o + i * M) = *(global const V *)(s + i * M);"
       " else *(global V *)(o + i * M) = *(global const V *)(s + at[i] * (M + 1));",
       [items, own, gathered](size_t i, size_t m) { return permuted(i, items) % 2 == 1 ? own(i, m) : gathered(i, m); }},
      {"*(global V *)(o + at[i] * M) = *(global const V *)(s + at[i] * M);", own},
      {"for (uint n = 0; n < one; ++n) *(global V *)(o + i * M + n) = *(global const V *)(s + i * M + n);", own},
      // Through local memory, of the kernel and of an argument.
      {"*(local V *)(tile + one + l * M) = *(global const V *)(s + i * M); barrier(CLK_LOCAL_MEM_FENCE);"
       "*(global V *)(o + i * M) = *(local V *)(tile + one + l * M); barrier(CLK_LOCAL_MEM_FENCE);",
       own},
      {"*(local V *)((local T *)given + one + l * M) = *(global const V *)(s + i * M); barrier(CLK_LOCAL_MEM_FENCE);"
       "*(global V *)(o + i * M) = *(local V *)((local T *)given + one + l * M); barrier(CLK_LOCAL_MEM_FENCE);",
       own},
      {"event_t done = async_work_group_copy((local V *)(tile + one), (global const V *)(s + (i - l) * M),"
       " get_local_size(0), 0); wait_group_events(1, &done);"
       "*(global V *)(o + i * M) = *(local V *)(tile + one + l * M); barrier(CLK_LOCAL_MEM_FENCE);",
       own},
      // Through private memory, at known and at unknown positions.
      {"T mine[2 * M + 2]; *(private V *)(mine + 1) = *(global const V *)(s + i * M);"
       "*(global V *)(o + i * M) = *(private V *)(mine + one);",
       own},
      {"T mine[2 * M + 2]; *(private V *)(mine + at[i] % M) = *(global const V *)(s + i * M);"
       "*(global V *)(o + i * M) = *(private V *)(mine + at[i] % M);",
       own},
      // Structures: copied, passed, and accessed by member.
      {"Pair pair = *(global const Pair *)(s + i * M); *(global V *)(o + i * M) = pair.first;", own},
      {"Pair pair = *(global const Pair *)(s + at[i] * M); *(global V *)(o + i * M) = pair.second[one];",
       [items](size_t i, size_t m) { return (permuted(i, items) + 2) * m; }},
      {"*(global V *)(o + i * M) = ((global const Pair *)(s + i * M))->second[0];",
       [](size_t i, size_t m) { return (i + 1) * m; }},
      {"*(global One *)(o + i * M) = *(global const One *)(s + i * M);", own},
      {"*(global V *)(o + i * M) = second(*(global const Pair *)(s + i * M), one);",
       [](size_t i, size_t m) { return (i + 2) * m; }},
      {"store((global V *)(o + i * M), load((global const V *)(s + i * M)));", own},
      // Other address spaces.
      {"*(V *)(o + i * M) = *(const V *)(s + i * M);", own},
      {"*(global V *)(o + i * M) = *(constant V *)((constant T *)fixed + shift + i * M);", own},
      {"*(global V *)(o + i * M) = *(constant V *)((constant T *)fixed + shift);", first},
      {"*(volatile global V *)(o + i * M) = *(volatile global const V *)(s + i * M);", own},
      {"prefetch((global const V *)(s + i * M), 2); *(global V *)(o + i * M) = *(global const V *)(s + i * M);", own},
  };
}

std::string kernelWith(const std::vector<Way> &ways) {
  std::string text = R"(
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
typedef struct { V first, second[2]; } Pair;
typedef struct { V only; } One;
V load(global const V *p) __attribute__((noinline)) { return *p; }
void store(global V *p, V v) __attribute__((noinline)) { *p = v; }
V second(Pair pair, uint which) __attribute__((noinline)) { return pair.second[which]; }
KERNEL void k(global const V *in, global V *out, constant V *fixed, local V *given, global const uint *at, uint shift,
              uint one, uint region) {
  local T tile[64 * M + 2];
  uint i = get_global_id(0), l = get_local_id(0);
  global const T *s = (global const T *)in + shift;
)";
  for (size_t w = 0; w < ways.size(); ++w)
    text +=
        "  { global T *o = (global T *)out + " + std::to_string(w) + " * region + shift; " + ways[w].statement + " }\n";
  return text + "}\n";
}

// The size is in bytes, because the kernels only copy.
struct Element {
  const char *name;
  size_t bytes;
};
const Element kElements[] = {{"uchar", 1}, {"ushort", 2}, {"half", 2},  {"int", 4},
                             {"float", 4}, {"long", 8},   {"double", 8}};

class Check {
public:
  Check(const Session &session, const Element &of, size_t components)
      : cl(session), element(of), n(components), m(components == 3 ? 4 : components) {}

  void run(size_t width, size_t local) const;

private:
  static constexpr uint8_t kUntouched = 0xa5;

  const Session &cl;
  const Element element;
  const size_t n, m; // components of a vector, and number of elements that it takes up
};

void Check::run(size_t width, size_t local) const {
  const size_t items = 2 * local, region = (items + 6) * (m + 1) + 8;
  const std::vector<Way> ways = waysFor(items);
  const Program program =
      buildForWidth(cl,
                    "#define T " + std::string(element.name) + "\n#define M " + std::to_string(m) + "\ntypedef " +
                        element.name + std::to_string(n) + " V;\n" + kernelWith(ways),
                    width);
  const Kernel kernel = cl.kernel(program, "k");
  std::vector<uint8_t> in(region * element.bytes);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = uint8_t(i * 37 + i / 256 + 11);
  std::vector<cl_uint> at(items);
  for (size_t i = 0; i < items; ++i)
    at[i] = cl_uint(permuted(i, items));
  for (const cl_uint shift : {0, 1, 2, 3, 5}) {
    const Memory input = cl.buffer(in), order = cl.buffer(at);
    const Memory out = cl.buffer(std::vector<uint8_t>(ways.size() * region * element.bytes, kUntouched));
    cl.run(kernel, {items}, {local}, input, out, input, Local{(64 * m + 2) * element.bytes}, order, shift, cl_uint(1),
           cl_uint(region));
    const std::vector<uint8_t> got = cl.read<uint8_t>(out);
    for (size_t w = 0; w < ways.size(); ++w)
      for (size_t i = 0; i < items; ++i) {
        if (ways[w].by_one_item && i % local != 0)
          continue;
        const auto *found = got.data() + (w * region + shift + i * m) * element.bytes;
        const auto *wanted = in.data() + (shift + ways[w].from(i, m)) * element.bytes;
        if (std::equal(found, found + n * element.bytes, wanted))
          continue;
        FAIL_CHECK(element.name << n << " of work-item " << i << ", " << shift << " elements behind an aligned address"
                                << ", sub-groups of " << width << ": " << ways[w].statement);
        return;
      }
  }
}

void checkElements(const std::vector<std::string> &names) {
  const Session cl;
  size_t turn = firstTurn(), number = turn;
  for (const Element &element : kElements)
    if (std::find(names.begin(), names.end(), element.name) != names.end())
      for (const size_t n : {2, 3, 4, 8, 16}) {
        if (!isInTurn(number++, isRepeated() ? 2 : 1))
          continue;
        for (const size_t width : oneWidthInTurn(turn))
          Check(cl, element, n).run(width, turn++ % 2 == 0 ? 64 : 37);
      }
}

} // namespace

TEST_CASE("vectors of bytes at any address", "[unaligned_vectors]") {
  checkElements({"uchar"});
}

TEST_CASE("vectors of shorts and halves at multiples of 2", "[unaligned_vectors]") {
  checkElements({"ushort", "half"});
}

TEST_CASE("vectors of ints and floats at multiples of 4", "[unaligned_vectors]") {
  checkElements({"int", "float"});
}

TEST_CASE("vectors of longs and doubles at multiples of 8", "[unaligned_vectors]") {
  checkElements({"long", "double"});
}

// Memory that the device gets from the host: from malloc(), and places within shared memory. By its type, a kernel
// argument would have the alignment of float16.
TEST_CASE("vectors in host memory at any address", "[unaligned_vectors]") {
  constexpr size_t kItems = 37, kFloats = 16 * kItems;
  const Session cl;
  alignas(128) std::array<float, kFloats + 16> from{}, to{};
  for (const size_t width : widthsInTurn()) {
    const Kernel kernel = cl.kernel(buildForWidth(cl, R"(
KERNEL void k(global const float16 *in, global float16 *out) {
  size_t i = get_global_id(0);
  out[i] = in[i] + in[0].sf;
})",
                                                  width),
                                    "k");
    for (const size_t shift : {0, 1, 4, 7}) {
      INFO(shift << " floats behind an aligned address, sub-groups of " << width);
      std::iota(from.begin(), from.end(), 0.0f);
      std::vector<float> want(kFloats);
      std::iota(want.begin(), want.end(), float(2 * shift + 15));
      to.fill(-1);
      {
        const Memory in = cl.bytes(4 * kFloats, CL_MEM_USE_HOST_PTR, from.data() + shift),
                     out = cl.bytes(4 * kFloats, CL_MEM_USE_HOST_PTR, to.data() + shift);
        cl.run(kernel, {kItems}, {}, in, out);
        CHECK(cl.read<float>(out) == want);
      }
      to.fill(-1);
      REQUIRE(clSetKernelArgSVMPointer(kernel, 0, from.data() + shift) == CL_SUCCESS);
      REQUIRE(clSetKernelArgSVMPointer(kernel, 1, to.data() + shift) == CL_SUCCESS);
      const size_t size = kItems;
      REQUIRE(clEnqueueNDRangeKernel(cl.queue, kernel, 1, nullptr, &size, nullptr, 0, nullptr, nullptr) == CL_SUCCESS);
      REQUIRE(clFinish(cl.queue) == CL_SUCCESS);
      CHECK(std::vector<float>(to.data() + shift, to.data() + shift + kFloats) == want);
    }
  }
}

// malloc() aligns to 16 bytes. In OpenCL C, vectors of 32, 64 and 128 bytes are aligned to their size.
TEST_CASE("vectors of every type in memory from malloc", "[unaligned_vectors]") {
  constexpr size_t kItems = 37, kBytes = 128 * kItems, kMallocBytes = 16;
  const Session cl;
  alignas(128) std::array<uint8_t, kMallocBytes + kBytes> from{}, to{};
  for (size_t i = 0; i < from.size(); ++i)
    from[i] = uint8_t(i * 37 + i / 256 + 11);
  for (const size_t width : widthsInTurn())
    for (const auto &[element, size] : std::vector<std::pair<std::string, size_t>>{{"char", 1},
                                                                                   {"uchar", 1},
                                                                                   {"short", 2},
                                                                                   {"ushort", 2},
                                                                                   {"half", 2},
                                                                                   {"int", 4},
                                                                                   {"uint", 4},
                                                                                   {"float", 4},
                                                                                   {"long", 8},
                                                                                   {"ulong", 8},
                                                                                   {"double", 8}}) {
      std::string source = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";
      for (const size_t n : {2, 3, 4, 8, 16}) {
        const std::string vector = element + std::to_string(n);
        source += "KERNEL void copy" + std::to_string(n) + "(global const " + vector + " *in, global " + vector +
                  " *out) { out[get_global_id(0)] = in[get_global_id(0)]; }\n";
      }
      const Program program = buildForWidth(cl, source, width);
      for (const size_t n : {2, 3, 4, 8, 16}) {
        INFO(element << n << ", sub-groups of " << width);
        to.fill(0xa5);
        const size_t bytes = size * n, stride = size * (n == 3 ? 4 : n);
        const Memory in = cl.bytes(kItems * stride, CL_MEM_USE_HOST_PTR, from.data() + kMallocBytes),
                     out = cl.bytes(kItems * stride, CL_MEM_USE_HOST_PTR, to.data() + kMallocBytes);
        cl.run(cl.kernel(program, "copy" + std::to_string(n)), {kItems}, {}, in, out);
        const std::vector<uint8_t> got = cl.read<uint8_t>(out);
        size_t wrong = 0;
        for (size_t i = 0; i < kItems; ++i)
          wrong += !std::equal(&got[i * stride], &got[i * stride] + bytes, &from[kMallocBytes + i * stride]);
        CHECK(wrong == 0);
      }
    }
}

// Pixels of 16 bytes in rows that start at multiples of 4.
TEST_CASE("an image in a host buffer at any address", "[unaligned_vectors]") {
  constexpr size_t kWidth = 9, kHeight = 5, kPixels = kWidth * kHeight;
  const Session cl;
  alignas(128) std::array<float, 4 * kPixels + 16> memory{};
  for (const size_t width : widthsInTurn()) {
    const Kernel kernel = cl.kernel(buildForWidth(cl, R"(
KERNEL void k(read_write image2d_t image, global float *out) {
  int x = get_global_id(0), y = get_global_id(1);
  float4 pixel = read_imagef(image, (int2)(x, y));
  write_imagef(image, (int2)(x, y), pixel * 2);
  out[y * get_global_size(0) + x] = pixel.x + pixel.w;
})",
                                                  width),
                                    "k");
    for (const size_t shift : {0, 1, 2, 3}) {
      INFO(shift << " floats behind an aligned address, sub-groups of " << width);
      std::iota(memory.begin(), memory.end(), 0.0f);
      const Memory buffer = cl.bytes(16 * kPixels, CL_MEM_USE_HOST_PTR, memory.data() + shift);
      const cl_image_format format{CL_RGBA, CL_FLOAT};
      cl_image_desc description{};
      description.image_type = CL_MEM_OBJECT_IMAGE2D;
      description.image_width = kWidth;
      description.image_height = kHeight;
      description.buffer = buffer;
      cl_int code = 1;
      const Memory image(clCreateImage(cl.context, 0, &format, &description, nullptr, &code));
      if (code == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR || code == CL_INVALID_IMAGE_DESCRIPTOR)
        continue; // refused because of its address
      REQUIRE(code == CL_SUCCESS);
      const Memory out = cl.bytes(4 * kPixels);
      cl.run(kernel, {kWidth, kHeight}, {}, image, out);
      std::vector<float> sums(kPixels), doubled(4 * kPixels);
      for (size_t i = 0; i < kPixels; ++i)
        sums[i] = float(2 * (shift + 4 * i) + 3);
      for (size_t i = 0; i < 4 * kPixels; ++i)
        doubled[i] = float(2 * (shift + i));
      CHECK(cl.read<float>(out) == sums);
      CHECK(cl.read<float>(buffer) == doubled);
    }
  }
}

// Mathematical functions store their second result through a pointer.
TEST_CASE("results of built-in functions at multiples of 4", "[unaligned_vectors]") {
  checkEachItem(R"(
KERNEL void k(global const int *in, global int *out) {
  uint i = get_global_id(0), l = get_local_id(0);
  local float tile[64 * 4 + 1];
  float parts[9];
  int exponents[9];
  float4 x = (float4)(in[i] + 0.25f, in[i] + 0.5f, 3, 5.75f);
  float4 whole = modf(x, (float4 *)(parts + 1)) * 4;
  float4 fraction = frexp(x, (int4 *)(exponents + in[i] % 4));
  float4 rest = fract(x, (local float4 *)(tile + 1 + l * 4)) * 4;
  int sum = (int)(whole.x + whole.y + rest.x + rest.w);
  for (int c = 0; c < 4; ++c)
    sum += (int)parts[1 + c] * (c + 1) + (int)tile[1 + l * 4 + c] * (c + 2) +
           (int)(ldexp(fraction[c], exponents[in[i] % 4 + c]) * 4) * (c + 1);
  out[i] = sum;
})",
                [](const Item &item) {
                  const float x[] = {float(item.x()) + 0.25f, float(item.x()) + 0.5f, 3, 5.75f};
                  int sum = 1 + 2 + 1 + 3;
                  for (int c = 0; c < 4; ++c)
                    sum += int(x[c]) * (c + 1) + int(x[c]) * (c + 2) + int(x[c] * 4) * (c + 1);
                  return sum;
                });
}

// The module promises an alignment of 64 bytes: for the parameter, for the load and for the copy.
TEST_CASE("alignment promised by a SPIR-V module", "[unaligned_vectors]") {
  constexpr size_t kItems = 37;
  const Session cl;
  for (const size_t width : widthsInTurn()) {
    const std::string text = replaced(R"(
               OpCapability SubgroupDispatch
               OpEntryPoint Kernel %k "k" %GlobalInvocationId
               OpExecutionMode %k SubgroupSize WIDTH
               OpDecorate %in Alignment 64
               OpDecorate %out Alignment 64
       %func = OpTypeFunction %void %_ptr_CrossWorkgroup_v4uint %_ptr_CrossWorkgroup_v4uint
          %k = OpFunction %void None %func
         %in = OpFunctionParameter %_ptr_CrossWorkgroup_v4uint
        %out = OpFunctionParameter %_ptr_CrossWorkgroup_v4uint
      %entry = OpLabel
        %ids = OpLoad %v3ulong %GlobalInvocationId Aligned 32
         %id = OpCompositeExtract %ulong %ids 0
       %twice = OpIAdd %ulong %id %id
       %next = OpIAdd %ulong %twice %ulong_1
       %from = OpPtrAccessChain %_ptr_CrossWorkgroup_v4uint %in %id
       %even = OpPtrAccessChain %_ptr_CrossWorkgroup_v4uint %out %twice
        %odd = OpPtrAccessChain %_ptr_CrossWorkgroup_v4uint %out %next
      %value = OpLoad %v4uint %from Aligned 64
               OpStore %even %value Aligned 64
               OpCopyMemorySized %odd %from %ulong_16 Aligned 64
               OpReturn
               OpFunctionEnd
)",
                                      {{"WIDTH", std::to_string(width)}});
    const Program program = buildIl(cl, createWithIl(cl, assemble(text, 2)));
    const Kernel kernel = cl.kernel(program, "k");
    alignas(128) std::array<cl_uint, 4 * kItems + 4> from{};
    alignas(128) std::array<cl_uint, 8 * kItems + 4> to{};
    std::iota(from.begin(), from.end(), 0u);
    for (const size_t shift : {0, 1, 2, 3}) {
      INFO(shift << " uints behind an aligned address, sub-groups of " << width);
      to.fill(12345);
      REQUIRE(clSetKernelArgSVMPointer(kernel, 0, from.data() + shift) == CL_SUCCESS);
      REQUIRE(clSetKernelArgSVMPointer(kernel, 1, to.data() + shift) == CL_SUCCESS);
      const size_t size = kItems;
      REQUIRE(clEnqueueNDRangeKernel(cl.queue, kernel, 1, nullptr, &size, nullptr, 0, nullptr, nullptr) == CL_SUCCESS);
      REQUIRE(clFinish(cl.queue) == CL_SUCCESS);
      std::vector<cl_uint> want;
      for (size_t i = 0; i < 2 * kItems; ++i)
        for (size_t c = 0; c < 4; ++c)
          want.push_back(cl_uint(i / 2 * 4 + c + shift));
      CHECK(std::vector<cl_uint>(to.data() + shift, to.data() + shift + want.size()) == want);
    }
  }
}
