// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Atomics of neighboring work-items on neighboring elements, several of which may change at once.
#include "each_item.hpp"

#include <cmath>

using namespace lanecl::test;

namespace {

constexpr size_t kGroups = 6;

// What work-items do to element `OFFSET + local id` of global memory, or of local memory that is copied there at the
// end. With these operands, sums are exact in every order.
const char *const kSource = R"(
#define X ((T)((int)(get_global_id(0) * 7 % 23) - 11))
KERNEL void k(global A *cells, global T *old, uint n) {
  local A own[300];
  const uint id = get_local_linear_id();
  const size_t i = get_global_linear_id();
#if LOCAL
  for (uint k = id; k < 300; k += get_local_size(0) * get_local_size(1))
    atomic_init(&own[k], (T)3);
  barrier(CLK_LOCAL_MEM_FENCE);
  local A *mine = own + OFFSET;
#else
  global A *mine = cells + OFFSET;
#endif
  if (TAKES_PART) {
#if OLD
    old[i] = MODIFY(&mine[id], X, memory_order_relaxed);
#else
    MODIFY(&mine[id], X, memory_order_relaxed);
#endif
  }
#if LOCAL
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_group_id(1) == 0 && get_group_id(0) == 0)
    for (uint k = id; k < 300; k += get_local_size(0) * get_local_size(1))
      atomic_store(&cells[k], atomic_load(&own[k]));
#endif
})";

template <class T> struct Operation {
  const char *name;
  T (*apply)(T old, T operand);
};

template <class T> const std::vector<Operation<T>> &operations() {
  static const std::vector<Operation<T>> all = [] {
    std::vector<Operation<T>> list = {
        {"atomic_fetch_add_explicit", [](T a, T b) { return T(a + b); }},
        {"atomic_fetch_sub_explicit", [](T a, T b) { return T(a - b); }},
        {"atomic_fetch_min_explicit", [](T a, T b) { return std::min(a, b); }},
        {"atomic_fetch_max_explicit", [](T a, T b) { return std::max(a, b); }},
    };
    if constexpr (std::is_integral_v<T>) {
      list.push_back({"atomic_fetch_or_explicit", [](T a, T b) { return T(a | b); }});
      list.push_back({"atomic_fetch_xor_explicit", [](T a, T b) { return T(a ^ b); }});
      list.push_back({"atomic_fetch_and_explicit", [](T a, T b) { return T(a & b); }});
    }
    return list;
  }();
  return all;
}

struct Variant {
  bool local, old;
  size_t offset;
  const char *takes_part;
  bool (*on_host)(size_t id, size_t n);
};

const Variant kVariants[] = {
    {false, false, 0, "1", [](size_t, size_t) { return true; }},
    {false, false, 1, "1", [](size_t, size_t) { return true; }},
    {false, false, 4, "id < n", [](size_t id, size_t n) { return id < n; }},
    {false, false, 0, "id % 3 != 1", [](size_t id, size_t) { return id % 3 != 1; }},
    {true, false, 0, "1", [](size_t, size_t) { return true; }},
    {true, true, 1, "id % 3 != 1", [](size_t id, size_t) { return id % 3 != 1; }},
    {true, true, 3, "id < n", [](size_t id, size_t n) { return id < n; }},
};

template <class T>
void checkVariant(const Session &cl, const char *type, const Operation<T> &operation, const Variant &variant,
                  size_t width, const std::vector<size_t> &local) {
  const size_t size = local[0] * local[1], n = size * 2 / 3, items = kGroups * size;
  const auto text = [](auto value) { return std::to_string(int(value)); };
  const std::string definitions = std::string("#define T ") + type + "\n#define A atomic_" + type +
                                  "\n#define MODIFY " + operation.name + "\n#define LOCAL " + text(variant.local) +
                                  "\n#define OLD " + text(variant.old) + "\n#define OFFSET " + text(variant.offset) +
                                  "\n#define TAKES_PART (" + variant.takes_part + ")\n";
  const std::string extensions = "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
                                 "#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n";
  INFO(operation.name << " of " << type << ", " << definitions << "sub-groups of " << width << ", local size "
                      << Catch::StringMaker<std::vector<size_t>>::convert(local));
  std::vector<T> want(300, T(3)), old(items, T(77)), want_old = old;
  for (size_t i = 0; i < items; ++i) {
    // The work-groups follow each other along x; rows of all of them follow each other along y.
    const size_t x = i % (local[0] * kGroups), y = i / (local[0] * kGroups), group = x / local[0];
    const size_t id = y * local[0] + x % local[0];
    if (!variant.on_host(id, n) || (variant.local && group != 0))
      continue;
    T &cell = want[variant.offset + id];
    if (variant.old)
      want_old[i] = cell;
    cell = operation.apply(cell, T(int(x * 7 % 23) - 11));
  }
  Memory cells = cl.buffer(std::vector<T>(300, T(3))), seen = cl.buffer(old);
  cl.run(cl.kernel(buildForWidth(cl, extensions + definitions + kSource, width), "k"), {local[0] * kGroups, local[1]},
         local, cells, seen, cl_uint(n));
  CHECK(cl.read<T>(cells) == want);
  const std::vector<T> got_old = cl.read<T>(seen);
  if (!variant.old)
    CHECK(got_old == want_old);
  else // of the first work-group; each of the others had memory of its own, too
    for (size_t i = 0; i < items; ++i)
      if (i % (local[0] * kGroups) < local[0])
        CHECK(got_old[i] == want_old[i]);
}

// Each operation meets each variant at one of the widths, which differs from one operation to the next.
template <class T> void checkType(const char *type) {
  const Session cl;
  const std::vector<std::vector<size_t>> locals = {{64, 1}, {37, 1}, {16, 4}, {8, 3}, {5, 1}, {256, 1}};
  static_assert(std::size(kVariants) % 3 != 0);
  size_t number = std::string(type).size(), turn = number;
  for (const Operation<T> &operation : operations<T>())
    for (const Variant &variant : kVariants)
      for (const size_t width : oneWidthInTurn(number++))
        checkVariant<T>(cl, type, operation, variant, width, locals[turn++ % locals.size()]);
}

} // namespace

TEST_CASE("neighboring 32-bit integers", "[neighbor_atomics]") {
  checkType<int32_t>("int");
  checkType<uint32_t>("uint");
}

TEST_CASE("neighboring 64-bit integers", "[neighbor_atomics]") {
  checkType<int64_t>("long");
}

TEST_CASE("neighboring floats and doubles", "[neighbor_atomics]") {
  checkType<float>("float");
  checkType<double>("double");
}

TEST_CASE("many work-groups add to the same neighboring elements", "[neighbor_atomics]") {
  const Session cl;
  constexpr size_t kMany = 400;
  for (const size_t width : widthsInTurn()) {
    const Program program = buildForWidth(cl, R"(
KERNEL void k(global uint *sums, volatile global atomic_float *floats, global uint *one) {
  uint l = get_local_id(0);
  for (uint turn = 0; turn < 8; ++turn) {
    atomic_add(&sums[l], l + turn);
    atomic_fetch_add_explicit(&floats[l], (float)(l + turn), memory_order_relaxed, memory_scope_device);
    atomic_inc(&one[3]);
  }
})",
                                          width);
    std::vector<uint32_t> want(64);
    std::vector<float> want_floats(64);
    for (uint32_t l = 0; l < 64; ++l)
      want_floats[l] = float(want[l] = kMany * (8 * l + 28));
    Memory sums = cl.buffer(std::vector<uint32_t>(64)), floats = cl.buffer(std::vector<float>(64));
    Memory one = cl.buffer(std::vector<uint32_t>(8));
    cl.run(cl.kernel(program, "k"), {kMany * 64}, {64}, sums, floats, one);
    INFO("sub-groups of " << width);
    CHECK(cl.read<uint32_t>(sums) == want);
    CHECK(cl.read<float>(floats) == want_floats);
    CHECK(cl.read<uint32_t>(one) == std::vector<uint32_t>{0, 0, 0, uint32_t(kMany * 64 * 8), 0, 0, 0, 0});
  }
}
