// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Vectors with some undefined components: the fourth one of as_uchar4(uchar3), padding, and what was never written. The
// other components keep their values wherever they are put together, and no store of them is left out.
#include "support/selection.hpp"
#include "support/session.hpp"
#include "support/spirv.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <functional>
#include <optional>
#include <string>

using namespace lanecl::test;

namespace {

constexpr size_t kBytes = 64; // number of bytes that each work-item may write
constexpr uint8_t kUntouched = 0xa5;

// What a work-item writes. An undefined byte has no value.
using Written = std::array<std::optional<uint8_t>, kBytes>;

// Puts the `count` low bytes of a number at `first`, the lowest byte first.
void put(Written &out, size_t first, uint64_t number, size_t count) {
  for (size_t i = 0; i < count; ++i)
    out[first + i] = static_cast<uint8_t>(number >> 8 * i);
}

void leaveOpen(Written &out, size_t first, size_t count = 1) {
  for (size_t i = 0; i < count; ++i)
    out[first + i] = std::nullopt;
}

// Work-item i sees `in` from its i-th byte on, and writes to the 64 bytes at `out`. `u` is 0.
struct Case {
  const char *name, *body;
  std::function<void(const uint8_t *in, Written &out)> expected;
};

// Puts three bytes at `first`, and a fourth one that is open.
void putThree(const uint8_t *in, Written &out, size_t first) {
  for (size_t i = 0; i < 3; ++i)
    out[first + i] = in[i];
  leaveOpen(out, first + 3);
}

uint32_t wordOfThree(const uint8_t *in) {
  return in[0] | in[1] << 8 | in[2] << 16;
}

const std::vector<Case> kCases{
    {"stored_chars", "*(global uchar4 *)out = as_uchar4(THREE);",
     [](const uint8_t *in, Written &out) { putThree(in, out, 0); }},
    {"scattered_chars", "((global uchar4 *)out)[in[3] & 15] = as_uchar4(THREE);",
     [](const uint8_t *in, Written &out) { putThree(in, out, (in[3] & 15) * 4); }},
    {"stored_shorts",
     "ushort3 a = (ushort3)(in[0] * 257, in[1] * 259, in[2] * 263); *(global ushort4 *)out = as_ushort4(a);",
     [](const uint8_t *in, Written &out) {
       put(out, 0, in[0] * 257, 2), put(out, 2, in[1] * 259, 2), put(out, 4, in[2] * 263, 2);
       leaveOpen(out, 6, 2);
     }},
    {"stored_ints", "uint3 a = (uint3)(in[0], in[1] << 9, in[2] << 20); *(global uint4 *)out = as_uint4(a);",
     [](const uint8_t *in, Written &out) {
       put(out, 0, in[0], 4), put(out, 4, in[1] << 9, 4), put(out, 8, in[2] << 20, 4);
       leaveOpen(out, 12, 4);
     }},
    {"word_of_chars", "*(global uint *)out = as_uint(as_uchar4(THREE)) & 0xffffff;",
     [](const uint8_t *in, Written &out) { put(out, 0, wordOfThree(in), 4); }},
    {"word_of_constants", "*(global uint *)out = as_uint(as_uchar4((uchar3)(1, 2, 3))) & 0xffffff;",
     [](const uint8_t *, Written &out) { put(out, 0, 0x030201, 4); }},
    {"word_of_shorts",
     "ushort3 a = (ushort3)(in[0], in[1], in[2] * 257); *(global ulong *)out = as_ulong(as_ushort4(a)) << 16;",
     [](const uint8_t *in, Written &out) {
       put(out, 0, uint64_t{in[0]} << 16 | uint64_t{in[1]} << 32 | uint64_t{in[2]} * 257 << 48, 8);
     }},
    {"words_of_shorts",
     "ushort3 a = (ushort3)(in[0], in[1], in[2] * 257); *(global ushort *)out = as_uint2(as_ushort4(a)).y;",
     [](const uint8_t *in, Written &out) { put(out, 0, in[2] * 257, 2); }},
    {"words_of_ints", "uint3 a = (uint3)(in[0], in[1], in[2] * 65537); *(global uint *)out = as_ulong2(as_uint4(a)).y;",
     [](const uint8_t *in, Written &out) { put(out, 0, in[2] * 65537, 4); }},
    {"floats_of_chars", "*(global ushort *)out = as_uint(as_float(as_uchar4(THREE))) & 0xffff;",
     [](const uint8_t *in, Written &out) { put(out, 0, wordOfThree(in) & 0xffff, 2); }},
    {"private_array",
     "uchar4 v[16]; for (uint k = 0; k < 16; ++k) v[k] = as_uchar4((uchar3)(in[k], in[k + 1], in[k + 2]));"
     "for (uint k = 0; k < 16; ++k) { uchar4 r = v[k + in[0] & 15]; vstore3(r.xyz, k, out); }",
     [](const uint8_t *in, Written &out) {
       for (size_t k = 0; k < 16; ++k)
         put(out, 3 * k, wordOfThree(in + ((k + in[0]) & 15)), 3);
     }},
    {"private_array_in_a_loop",
     "uchar4 v[16]; for (uint k = 0; k < u + 16; ++k) v[k] = as_uchar4((uchar3)(in[k], in[k + 1], in[k + 2]));"
     "for (uint k = 0; k < u + 16; ++k) { uchar4 r = v[k + in[0] & 15]; out[3 * k] = r.x; out[3 * k + 1] = r.y;"
     "out[3 * k + 2] = r.z; }",
     [](const uint8_t *in, Written &out) {
       for (size_t k = 0; k < 16; ++k)
         put(out, 3 * k, wordOfThree(in + ((k + in[0]) & 15)), 3);
     }},
    {"chosen_private_array",
     "uchar4 a[8], b[8]; for (uint k = 0; k < u + 8; ++k) { a[k] = as_uchar4((uchar3)(in[k], in[k + 1], in[k + 2]));"
     "b[k] = as_uchar4((uchar3)(in[k + 1], in[k + 2], in[k + 3])); } uchar4 *v = in[0] & 1 ? a : b;"
     "v[in[1] & 7] = as_uchar4(THREE); for (uint k = 0; k < u + 8; ++k) vstore3(v[k].xyz, k, out);"
     "for (uint k = 0; k < 8; ++k) ((global uint *)(out + 32))[k] = ((uint *)v)[k + in[2] & 7] & 0xffffff;",
     [](const uint8_t *in, Written &out) {
       const auto element = [&](size_t k) {
         return wordOfThree(k == (in[1] & 7u) ? in : in + k + (in[0] & 1 ? 0 : 1));
       };
       for (size_t k = 0; k < 8; ++k) {
         put(out, 3 * k, element(k), 3);
         put(out, 32 + 4 * k, element((k + in[2]) & 7), 4);
       }
     }},
    {"private_array_of_words",
     "uint v[16]; for (uint k = 0; k < u + 16; ++k) v[k] = as_uint(as_uchar4((uchar3)(in[k], in[k + 1], in[k + 2])));"
     "for (uint k = 0; k < u + 16; ++k) vstore3(as_uchar4(v[k + in[0] & 15]).xyz, k, out);",
     [](const uint8_t *in, Written &out) {
       for (size_t k = 0; k < 16; ++k)
         put(out, 3 * k, wordOfThree(in + ((k + in[0]) & 15)), 3);
     }},
    {"private_array_component",
     "uchar3 v[16]; for (uint k = 0; k < 16; ++k) v[k] = (uchar3)(in[k], in[k + 1], in[k + 2]); v[!u].s1 = 7;"
     "for (uint k = 0; k < 16; ++k) ((global uchar3 *)out)[k] = v[k + in[0] & 15];",
     [](const uint8_t *in, Written &out) {
       for (size_t k = 0; k < 16; ++k) {
         const size_t from = (k + in[0]) & 15;
         putThree(in + from, out, 4 * k);
         if (from == 1)
           out[4 * k + 1] = 7;
       }
     }},
    {"private_array_as_words",
     "uchar3 v[8]; for (uint k = 0; k < 8; ++k) v[k] = (uchar3)(in[k], in[k + 1], in[k + 2]);"
     "for (uint k = 0; k < 8; ++k) ((global uint *)out)[k] = ((uint *)v)[k + in[0] & 7] & 0xffffff;",
     [](const uint8_t *in, Written &out) {
       for (size_t k = 0; k < 8; ++k)
         put(out, 4 * k, wordOfThree(in + ((k + in[0]) & 7)), 4);
     }},
    {"every_other_vector",
     "global uchar3 *o = (global uchar3 *)out; o[0] = (uchar3)(in[0], in[1], in[2]); o[2] = (uchar3)(in[1], 5, in[2]);",
     [](const uint8_t *in, Written &out) {
       putThree(in, out, 0);
       put(out, 8, in[1] | 5 << 8 | in[2] << 16, 3);
       leaveOpen(out, 11);
     }},
    {"stored_as_a_word", "uchar3 v = THREE; *(global uint *)out = *(uint *)&v & 0xffffff;",
     [](const uint8_t *in, Written &out) { put(out, 0, wordOfThree(in), 4); }},
    {"member_of_a_union", "union { uchar3 v; uint word; } a; a.v = THREE; *(global uint *)out = a.word & 0xffffff;",
     [](const uint8_t *in, Written &out) { put(out, 0, wordOfThree(in), 4); }},
    {"padding",
     "struct { uchar3 v; uchar b; uint c; } a, copies[4]; a.v = THREE; a.b = in[3]; a.c = in[4]; copies[in[5] & 3] = a;"
     "global uchar4 *o = (global uchar4 *)out; o[0] = as_uchar4(copies[in[5] & 3].v); out[4] = copies[in[5] & 3].b;"
     "out[5] = copies[in[5] & 3].c;",
     [](const uint8_t *in, Written &out) {
       putThree(in, out, 0);
       out[4] = in[3], out[5] = in[4];
     }},
    {"written_in_part", "uchar4 v; v.x = in[0]; v.z = in[1]; *(global uint *)out = as_uint(v) & 0x00ff00ff;",
     [](const uint8_t *in, Written &out) { put(out, 0, in[0] | in[1] << 16, 4); }},
    {"half_a_short", "uchar2 v; v.y = in[0]; *(global ushort *)out = as_ushort(v) >> 8;",
     [](const uint8_t *in, Written &out) { put(out, 0, in[0], 2); }},
    {"written_in_a_branch",
     "uchar4 v; if (in[0] & 1) v.x = in[1]; else v.w = in[2]; v.y = in[3];"
     "*(global uint *)out = as_uint(v) & (in[0] & 1 ? 0xffff : 0xff00ff00);",
     [](const uint8_t *in, Written &out) { put(out, 0, (in[0] & 1 ? in[1] : uint32_t{in[2]} << 24) | in[3] << 8, 4); }},
    {"chosen",
     "uchar4 v = in[3] & 1 ? as_uchar4(THREE) : vload4(0, in + 1); *(global uint *)out = as_uint(v) & 0xffffff;",
     [](const uint8_t *in, Written &out) { put(out, 0, wordOfThree(in + (in[3] & 1 ? 0 : 1)), 4); }},
    {"carried_by_a_loop",
     "uchar4 v = 0; for (uint k = 0; k < (in[0] & 7); ++k) v += as_uchar4((uchar3)(in[k], in[k + 1], in[k + 2]));"
     "*(global uint *)out = as_uint(v) & 0xffffff;",
     [](const uint8_t *in, Written &out) {
       uint8_t sums[3] = {};
       for (size_t k = 0; k < (in[0] & 7u); ++k)
         for (size_t i = 0; i < 3; ++i)
           sums[i] += in[k + i];
       put(out, 0, wordOfThree(sums), 4);
     }},
    {"passed_to_a_function", "*(global uint *)out = wordOf(as_uchar4(THREE)) & 0xffffff;",
     [](const uint8_t *in, Written &out) { put(out, 0, wordOfThree(in), 4); }},
    {"through_local_memory",
     "local uchar4 v[64]; v[get_local_id(0)] = as_uchar4(THREE); barrier(CLK_LOCAL_MEM_FENCE);"
     "vstore3(v[get_local_id(0)].xyz, 0, out); *(global uint *)(out + 4) = *(local uint *)&v[get_local_id(0)] << 8;",
     [](const uint8_t *in, Written &out) {
       put(out, 0, wordOfThree(in), 3);
       put(out, 4, wordOfThree(in) << 8, 4);
     }},
    {"exchanged",
     "uint all = as_uint(as_uchar4(THREE)); *(global uint *)out = sub_group_shuffle(all, get_sub_group_local_id()) << "
     "8;"
     "*(global uint *)(out + 4) = (intel_sub_group_shuffle_xor(all, 0) & 0xffffff);",
     [](const uint8_t *in, Written &out) {
       put(out, 0, wordOfThree(in) << 8, 4);
       put(out, 4, wordOfThree(in), 4);
     }},
    {"exchanged_vectors", "vstore3(sub_group_broadcast_first_of_its_own(as_uchar4(THREE)).xyz, 0, out);",
     [](const uint8_t *in, Written &out) { put(out, 0, wordOfThree(in), 3); }},
    {"atomically", "atomic_xchg((volatile global uint *)out, as_uint(as_uchar4(THREE)));",
     [](const uint8_t *in, Written &out) { putThree(in, out, 0); }},
    {"what_decides_nothing",
     "uchar4 v = as_uchar4(THREE); uchar3 w = THREE; if (v.w > 3) out[4] = 7; if (((uchar *)&w)[3] > 3) out[5] = 7;"
     "*(global uint *)out = as_uint(v) & 0xffffff; out[8] = 42; out[9] = (v.w & 0) | 42; out[10] = v.w == v.w;",
     [](const uint8_t *in, Written &out) {
       put(out, 0, wordOfThree(in), 4);
       leaveOpen(out, 4, 2);
       out[8] = out[9] = 42, out[10] = 1;
     }},
    {"turns_of_a_loop",
     "uint turns = min((uint)as_uchar4(THREE).w, 1u); for (uint k = 0; k < turns; ++k) out[1] = 7; out[0] = 42;",
     [](const uint8_t *, Written &out) {
       out[0] = 42;
       leaveOpen(out, 1);
     }},
    {"wider_vectors",
     "uchar8 v = (uchar8)(THREE, in[3], as_uchar4(THREE)); *(global ulong *)out = as_ulong(v) & 0xffffffffffffff;"
     "uchar16 w; w.lo = v; w.s9 = in[4]; *(global ushort *)(out + 8) = as_ulong2(w).y & 0xff00;",
     [](const uint8_t *in, Written &out) {
       put(out, 0, wordOfThree(in) | uint64_t{in[3]} << 24 | uint64_t{wordOfThree(in)} << 32, 8);
       put(out, 8, in[4] << 8, 2);
     }},
};

// Helpers that would be long in the kernels.
const char *const kHelpers = R"(
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#define THREE (uchar3)(in[0], in[1], in[2])
uint wordOf(uchar4 v) { return as_uint(v); }
uchar4 sub_group_broadcast_first_of_its_own(uchar4 v) {
  return as_uchar4(sub_group_shuffle(as_uint(v), get_sub_group_local_id()));
}
)";

std::string sourceOf(const std::vector<Case> &cases) {
  std::string source = kHelpers;
  for (const Case &one : cases)
    source += std::string("__attribute__((intel_reqd_sub_group_size(WIDTH))) kernel void ") + one.name +
              "(global const uchar *all_in, global uchar *all_out, uint u) {"
              "  global const uchar *in = all_in + get_global_id(0);"
              "  global uchar *out = all_out + get_global_id(0) * 64;\n" +
              one.body + "}\n";
  return source;
}

// The bodies of SPIR-V kernels. They see the same as the ones above: %in and %out belong to the work-item, %x, %y and
// %z are the first three bytes, and %xyz is a vector of these.
const std::vector<Case> kSpirvCases{
    {"shuffled", R"(
       %four = OpVectorShuffle %v4uchar %xyz %xyz 0 1 2 0xffffffff
         %at = OpBitcast %_ptr_CrossWorkgroup_v4uchar %out
               OpStore %at %four Aligned 4
)",
     [](const uint8_t *in, Written &out) { putThree(in, out, 0); }},
    {"shuffled_with_undef", R"(
       %four = OpVectorShuffle %v4uchar %xyz %undef3 0 1 2 3
       %word = OpBitcast %uint %four
        %low = OpBitwiseAnd %uint %word %low_bits
         %at = OpBitcast %_ptr_CrossWorkgroup_uint %out
               OpStore %at %low Aligned 4
)",
     [](const uint8_t *in, Written &out) { put(out, 0, wordOfThree(in), 4); }},
    {"inserted_into_undef", R"(
          %a = OpCompositeInsert %v4uchar %x %undef4 0
          %b = OpCompositeInsert %v4uchar %y %a 1
          %c = OpCompositeInsert %v4uchar %z %b 2
       %word = OpBitcast %uint %c
        %low = OpBitwiseAnd %uint %word %low_bits
         %at = OpBitcast %_ptr_CrossWorkgroup_uint %out
               OpStore %at %low Aligned 4
)",
     [](const uint8_t *in, Written &out) { put(out, 0, wordOfThree(in), 4); }},
    {"every_other_vector", R"(
         %at = OpBitcast %_ptr_CrossWorkgroup_v3uchar %out
               OpStore %at %xyz Aligned 4
        %zyx = OpVectorShuffle %v3uchar %xyz %xyz 2 1 0
       %next = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_v3uchar %at %uint_2
               OpStore %next %zyx Aligned 4
)",
     [](const uint8_t *in, Written &out) {
       putThree(in, out, 0);
       const uint8_t zyx[] = {in[2], in[1], in[0]};
       putThree(zyx, out, 8);
     }},
    {"array_of_four", R"(
     %number = OpUConvert %uint %x
     %nearby = OpBitwiseAnd %uint %number %uint_1
         %v0 = OpInBoundsAccessChain %_ptr_Function_v3uchar %array %nearby
         %p0 = OpBitcast %_ptr_Function_v4uchar %v0
       %four = OpVectorShuffle %v4uchar %xyz %xyz 0 1 2 0xffffffff
               OpStore %p0 %four Aligned 4
        %not = OpBitwiseXor %uint %nearby %uint_1
         %v1 = OpInBoundsAccessChain %_ptr_Function_v3uchar %array %not
         %p1 = OpBitcast %_ptr_Function_v4uchar %v1
       %back = OpVectorShuffle %v4uchar %xyz %xyz 2 1 0 0xffffffff
               OpStore %p1 %back Aligned 4
    %is_zero = OpIEqual %bool %u %uint_0
      %index = OpSelect %ulong %is_zero %ulong_1 %ulong_0
         %s1 = OpInBoundsAccessChain %_ptr_Function_uchar %array %index %uint_1
               OpStore %s1 %uchar_7 Aligned 1
         %f0 = OpInBoundsAccessChain %_ptr_Function_v3uchar %array %uint_0
         %q0 = OpBitcast %_ptr_Function_v4uchar %f0
         %a0 = OpLoad %v4uchar %q0 Aligned 4
         %f1 = OpInBoundsAccessChain %_ptr_Function_v3uchar %array %uint_1
         %q1 = OpBitcast %_ptr_Function_v4uchar %f1
         %a1 = OpLoad %v4uchar %q1 Aligned 4
     %target = OpBitcast %_ptr_CrossWorkgroup_v4uchar %out
               OpStore %target %a0 Aligned 4
       %next = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_v4uchar %target %uint_2
               OpStore %next %a1 Aligned 4
)",
     [](const uint8_t *in, Written &out) {
       const bool is_odd = (in[0] & 1) != 0;
       const uint8_t first[] = {in[is_odd ? 2 : 0], in[1], in[is_odd ? 0 : 2]};
       const uint8_t second[] = {in[is_odd ? 0 : 2], 7, in[is_odd ? 2 : 0]};
       putThree(first, out, 0);
       putThree(second, out, 8);
     }},
    {"component_of_an_array", R"(
         %v0 = OpInBoundsAccessChain %_ptr_Function_v3uchar %array %uint_0
               OpStore %v0 %xyz Aligned 4
        %zyx = OpVectorShuffle %v3uchar %xyz %xyz 2 1 0
         %v1 = OpInBoundsAccessChain %_ptr_Function_v3uchar %array %uint_1
               OpStore %v1 %zyx Aligned 4
     %is_zero = OpIEqual %bool %u %uint_0
     %number = OpSelect %ulong %is_zero %ulong_1 %ulong_0
         %s1 = OpInBoundsAccessChain %_ptr_Function_uchar %array %number %uint_1
               OpStore %s1 %uchar_7 Aligned 1
       %wide = OpUConvert %uint %x
        %bit = OpBitwiseAnd %uint %wide %uint_1
      %first = OpInBoundsAccessChain %_ptr_Function_v3uchar %array %bit
         %v2 = OpLoad %v3uchar %first Aligned 4
     %target = OpBitcast %_ptr_CrossWorkgroup_v3uchar %out
               OpStore %target %v2 Aligned 4
        %not = OpBitwiseXor %uint %bit %uint_1
     %second = OpInBoundsAccessChain %_ptr_Function_v3uchar %array %not
         %v3 = OpLoad %v3uchar %second Aligned 4
       %next = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_v3uchar %target %uint_2
               OpStore %next %v3 Aligned 4
)",
     [](const uint8_t *in, Written &out) {
       const uint8_t zyx[] = {in[2], 7, in[0]};
       putThree(in[0] & 1 ? zyx : in, out, 0);
       putThree(in[0] & 1 ? in : zyx, out, 8);
     }},
    {"copied_as_a_word", R"(
         %v0 = OpInBoundsAccessChain %_ptr_Function_v3uchar %array %uint_0
               OpStore %v0 %xyz Aligned 4
     %source = OpBitcast %_ptr_Function_uint %v0
       %word = OpLoad %uint %source Aligned 4
        %low = OpBitwiseAnd %uint %word %low_bits
         %at = OpBitcast %_ptr_CrossWorkgroup_uint %out
               OpStore %at %low Aligned 4
)",
     [](const uint8_t *in, Written &out) { put(out, 0, wordOfThree(in), 4); }},
};

std::string spirvOf(const Case &one, size_t width) {
  return replaced(std::string(R"(
               OpCapability SubgroupDispatch
               OpEntryPoint Kernel %k "k" %GlobalLinearId
               OpExecutionMode %k SubgroupSize WIDTH
     %char3s = OpTypeArray %v3uchar %uint_16
%private_char3s = OpTypePointer Function %char3s
   %function = OpTypeFunction %void %_ptr_CrossWorkgroup_uchar %_ptr_CrossWorkgroup_uchar %uint
     %undef3 = OpUndef %v3uchar
     %undef4 = OpUndef %v4uchar
   %low_bits = OpConstant %uint 0xffffff
          %k = OpFunction %void None %function
     %all_in = OpFunctionParameter %_ptr_CrossWorkgroup_uchar
    %all_out = OpFunctionParameter %_ptr_CrossWorkgroup_uchar
          %u = OpFunctionParameter %uint
      %entry = OpLabel
      %array = OpVariable %private_char3s Function
         %id = OpLoad %ulong %GlobalLinearId Aligned 8
      %bytes = OpIMul %ulong %id %ulong_64
         %in = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_uchar %all_in %id
        %out = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_uchar %all_out %bytes
        %in1 = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_uchar %in %uint_1
        %in2 = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_uchar %in %uint_2
          %x = OpLoad %uchar %in Aligned 1
          %y = OpLoad %uchar %in1 Aligned 1
          %z = OpLoad %uchar %in2 Aligned 1
        %xyz = OpCompositeConstruct %v3uchar %x %y %z
)") + one.body + "OpReturn\nOpFunctionEnd\n",
                  {{"WIDTH", std::to_string(width)}});
}

void compare(const Case &one, const std::vector<uint8_t> &in, const std::vector<uint8_t> &out) {
  size_t wrong = 0;
  for (size_t item = 0; item * kBytes < out.size(); ++item) {
    Written want;
    want.fill(kUntouched);
    one.expected(in.data() + item, want);
    for (size_t i = 0; i < kBytes; ++i)
      if (const uint8_t got = out[item * kBytes + i]; want[i] && got != *want[i] && wrong++ == 0)
        FAIL_CHECK("work-item " << item << ", byte " << i << ": " << int(got) << ", not " << int(*want[i]));
  }
  CHECK(wrong == 0);
}

void runAndCompare(const Session &cl, const Kernel &kernel, const Case &one, const std::string &how) {
  for (const size_t local : {64, 37}) { // full sub-groups, and a partial one after them
    std::vector<uint8_t> in(3 * local + kBytes);
    for (size_t i = 0; i < in.size(); ++i)
      in[i] = static_cast<uint8_t>(i * 151 + 37 + (i >> 3) * 29);
    Memory input = cl.buffer(in), output = cl.buffer(std::vector<uint8_t>(3 * local * kBytes, kUntouched));
    cl.run(kernel, {3 * local}, {local}, input, output, cl_uint(0));
    INFO(one.name << ", local size " << local << ", " << how);
    compare(one, in, cl.read<uint8_t>(output));
  }
}

void checkAll(const std::string &options) {
  const Session cl;
  for (const size_t width : widthsInTurn()) {
    const std::string how = "-cl-std=CL3.0 -DWIDTH=" + std::to_string(width) + " " + options;
    const Program program = cl.build(sourceOf(kCases), how);
    for (const Case &one : kCases)
      runAndCompare(cl, cl.kernel(program, one.name), one, how);
  }
}

} // namespace

TEST_CASE("an undefined component does not affect the others", "[undefined_components]") {
  checkAll("");
}

TEST_CASE("an undefined component does not affect the others without optimization", "[undefined_components]") {
  checkAll("-cl-opt-disable");
}

TEST_CASE("an undefined component does not affect the others with relaxed mathematics", "[undefined_components]") {
  checkAll("-cl-fast-relaxed-math");
}

TEST_CASE("an undefined component does not affect the others in SPIR-V", "[undefined_components]") {
  const Session cl;
  for (const size_t width : widthsInTurn())
    for (const Case &one : kSpirvCases)
      for (const char *options : {"", "-cl-opt-disable"}) {
        const Program program = buildIl(cl, createWithIl(cl, assemble(spirvOf(one, width))), options);
        runAndCompare(cl, cl.kernel(program, "k"), one, "sub-groups of " + std::to_string(width) + " " + options);
      }
}
