// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The table of sub-group functions: what a call looks like in OpenCL C and what each lane gets, computed on the host.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace lanecl::test::table {

// An OpenCL type of `count` components.
struct Type {
  const char *scalar;
  unsigned scalar_bytes;
  unsigned count = 1;

  Type vector(unsigned n) const { return {scalar, scalar_bytes, n}; }
  std::string name() const { return count == 1 ? scalar : scalar + std::to_string(count); }
  size_t bytes() const { return size_t(scalar_bytes) * (count == 3 ? 4 : count); } // in memory
  size_t valueBytes() const { return size_t(scalar_bytes) * count; }
};

inline constexpr Type kInt{"int", 4}, kUint4{"uint", 4, 4};
inline constexpr unsigned kVectorSizes[] = {2, 3, 4, 8, 16};

// Calls f(Type, T()) for each scalar type, T being the host's type.
template <class F> void forEachScalar(F f) {
  f(Type{"char", 1}, int8_t());
  f(Type{"uchar", 1}, uint8_t());
  f(Type{"short", 2}, int16_t());
  f(Type{"ushort", 2}, uint16_t());
  f(Type{"int", 4}, int32_t());
  f(Type{"uint", 4}, uint32_t());
  f(Type{"long", 8}, int64_t());
  f(Type{"ulong", 8}, uint64_t());
  f(Type{"half", 2}, _Float16());
  f(Type{"float", 4}, float());
  f(Type{"double", 8}, double());
}

// What the work-items of a launch read, one value each.
struct Inputs {
  Type type;
  std::vector<std::byte> a, b;
  std::vector<uint32_t> j; // below the sub-group's width
  uint32_t u;              // the same for all, below the width
};

// One sub-group of a launch, as a reference sees it.
struct SubGroup {
  const Inputs &inputs;
  unsigned width;            // get_max_sub_group_size()
  unsigned id, count;        // of the work-group's sub-groups
  unsigned enqueued_count;   // in a work-group of the size asked for
  std::vector<size_t> items; // of each lane that exists: its work-item
  uint64_t active = 0;       // the lanes that call

  bool calls(size_t lane) const { return lane < 64 && active >> lane & 1; }
  uint32_t j(size_t lane) const { return inputs.j[items[lane]]; }
  const std::byte *value(size_t lane, bool second = false) const {
    return (second ? inputs.b : inputs.a).data() + items[lane] * inputs.type.bytes();
  }
  template <class T> T a(size_t lane) const {
    T result;
    std::memcpy(&result, value(lane), sizeof result);
    return result;
  }
};

// Stores what the lane gets; false where the specification leaves it undefined.
using Expected = std::function<bool(const SubGroup &, unsigned lane, std::byte *result)>;

struct Call {
  std::string function;   // the overload, as "sub_group_reduce_add(int)"
  std::string expression; // of the work-item's values `a` and `b`, the numbers `j` and `u`, and WIDTH
  bool divergent;         // some lanes may call it alone
  Expected expected;
};

// A reference that returns the value.
template <class F> Expected giving(F f) {
  return [f](const SubGroup &s, unsigned lane, std::byte *result) {
    const auto value = f(s, lane);
    std::memcpy(result, &value, sizeof value);
    return true;
  };
}

// Calls on values of one type with results of one type: they share a kernel.
struct Family {
  std::string name;
  Type operand, result;
  std::vector<Call> calls;
};

// The families of every function but block reads and writes. `width` is for arguments that must be constants.
std::vector<Family> exchanges(unsigned width);
std::vector<Family> arithmetic(unsigned width);
std::vector<Family> votes(unsigned width);

} // namespace lanecl::test::table
