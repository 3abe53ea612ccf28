// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cl_khr_extended_bit_ops: bit fields whose position and length vary from work-item to work-item.
#include "each_item.hpp"

using namespace lanecl::test;

namespace {

constexpr size_t kItems = 100;

template <class U> U reversed(U value) {
  U result = 0;
  for (unsigned bit = 0; bit < 8 * sizeof(U); ++bit)
    if (value >> bit & 1)
      result = U(result | U(1) << (8 * sizeof(U) - 1 - bit));
  return result;
}

template <class U> U ones(unsigned count) {
  return count == 0 ? U(0) : U(U(~U(0)) >> (8 * sizeof(U) - count));
}

template <class U> U signExtended(U field, unsigned count) {
  const bool negative = count != 0 && (field >> (count - 1) & 1);
  return negative ? U(field | U(~ones<U>(count))) : field;
}

// Checks one scalar type and one vector type of each signedness. All components of a vector are the same.
template <class U> void checkType(const std::string &is_signed, const std::string &is_unsigned, unsigned vector) {
  const Session cl;
  const unsigned bits = 8 * sizeof(U);
  const std::string n = std::to_string(vector);
  const std::string source = "#define N " + n + "\n#define S " + is_signed + "\n#define U " + is_unsigned + R"(
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
typedef JOIN(S, N) SV; typedef JOIN(U, N) UV;
KERNEL void k(global const U *base, global const U *insert, global const uint2 *field, global U *out) {
  size_t i = get_global_id(0);
  U b = base[i], x = insert[i]; uint at = field[i].x, count = field[i].y;
  for (int n = 0; n < 8; ++n) out[8 * i + n] = 99;
  if (i % 5 == 3) return;
  out[8 * i] = bitfield_insert(b, x, at, count);
  out[8 * i + 1] = (U)bitfield_insert((SV)(S)b, (SV)(S)x, at, count).s1;
  out[8 * i + 2] = (U)bitfield_extract_signed((S)b, at, count);
  out[8 * i + 3] = (U)bitfield_extract_signed((UV)b, at, count).s1;
  out[8 * i + 4] = bitfield_extract_unsigned(b, at, count);
  out[8 * i + 5] = bitfield_extract_unsigned((SV)(S)b, at, count).s1;
  out[8 * i + 6] = bit_reverse(b);
  out[8 * i + 7] = (U)bit_reverse((SV)(S)b).s0;
})";
  std::vector<U> base(kItems), insert(kItems), want;
  std::vector<uint32_t> fields;
  for (size_t i = 0; i < kItems; ++i) {
    base[i] = U(0x9e3779b97f4a7c15u * (i + 1) >> 7);
    insert[i] = U(0xd1b54a32d192ed03u * (i + 3) >> 5);
    // Every position that leaves room for the field, including whole values and empty fields.
    const unsigned at = i % 10 == 0 ? 0 : unsigned(i * 7 % bits);
    const unsigned count = i % 10 == 0 ? bits : i % 10 == 1 ? 0 : unsigned(i * 5 % (bits - at + 1));
    fields.insert(fields.end(), {at, count});
    if (i % 5 == 3) {
      want.insert(want.end(), 8, 99);
      continue;
    }
    const U mask = U(ones<U>(count) << at), inserted = U((base[i] & U(~mask)) | (U(insert[i] << at) & mask));
    const U field = U(U(base[i] >> at) & ones<U>(count)), extended = signExtended(field, count);
    want.insert(want.end(),
                {inserted, inserted, extended, extended, field, field, reversed(base[i]), reversed(base[i])});
  }
  for (const size_t width : widthsInTurn()) {
    const Program program = buildForWidth(cl, source, width);
    Memory b = cl.buffer(base), x = cl.buffer(insert), f = cl.buffer(fields), out = cl.bytes(8 * kItems * sizeof(U));
    cl.run(cl.kernel(program, "k"), {kItems}, {50}, b, x, f, out);
    INFO(is_signed << ", sub-groups of " << width);
    CHECK(cl.read<U>(out) == want);
  }
}

} // namespace

TEST_CASE("bit fields and reversed bits", "[bit_operations]") {
  checkType<uint8_t>("char", "uchar", 16);
  checkType<uint16_t>("short", "ushort", 3);
  checkType<uint32_t>("int", "uint", 4);
  checkType<uint64_t>("long", "ulong", 2);
}
