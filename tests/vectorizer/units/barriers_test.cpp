// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kernels with barriers: vectors of lanes and private arrays that live across them, in whole and in partial sub-groups.
#include "harness.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace lanecl;
using namespace lanecl::vectorizer;
using namespace lanecl::vectorizer::test;

namespace {

constexpr unsigned kRounds = 5;

// Returns the constant vector <0, 1, 2, ...> of that type.
std::string laneNumbers(unsigned width, const char *type) {
  std::string text = "<";
  for (unsigned lane = 0; lane < width; ++lane)
    text += fmt::format("{}{} {}{}", lane ? ", " : "", type, lane, type[0] == 'i' ? "" : ".0");
  return text + ">";
}

// Returns a kernel that repeats five times: local[id] = v; barrier; w = the next sub-group's v; barrier; v = 3 v + w;
// sum += w. At the start v = id, and at the end out[id] = v + sum. The stores are masked. The last sub-group reads from
// the first one.
std::string exchange(unsigned width, const char *type, const char *name, bool partial) {
  const bool is_int = type[0] == 'i';
  const std::string vec = fmt::format("<{} x {}>", width, type);
  const std::string ids = laneNumbers(width, "i32");
  const std::string load_mask =
      partial
          ? fmt::format("  %have = insertelement <{0} x i32> poison, i32 %active, i32 0\n"
                        "  %splat = shufflevector <{0} x i32> %have, <{0} x i32> poison, <{0} x i32> zeroinitializer\n"
                        "  %mask = icmp ult <{0} x i32> {1}, %splat\n",
                        width, ids)
          : fmt::format("  %mask = icmp eq <{0} x i32> zeroinitializer, zeroinitializer\n", width);
  return lanesFunction(
      name, fmt::format(R"(entry:
  %argp = getelementptr i8, ptr addrspace(2) %launch, i64 {arguments}
  %args = load ptr addrspace(2), ptr addrspace(2) %argp, align 8
  %out = load ptr addrspace(1), ptr addrspace(2) %args, align 8
  %local = load ptr addrspace(3), ptr addrspace(2) %worker, align 8
  %n = call i32 @_Z23__lanecl_num_sub_groupsv()
{mask}
  %sg1 = insertelement <{w} x i32> poison, i32 %sg, i32 0
  %sgs = shufflevector <{w} x i32> %sg1, <{w} x i32> poison, <{w} x i32> zeroinitializer
  %first = mul <{w} x i32> %sgs, splat (i32 {w})
  %id = add <{w} x i32> %first, {ids}
  %v0 = {convert} <{w} x i32> %id to {vec}
  %succ = add i32 %sg, 1
  %wraps = icmp eq i32 %succ, %n
  %next = select i1 %wraps, i32 0, i32 %succ
  %mine.i = mul i32 %sg, {w}
  %mine = getelementptr {type}, ptr addrspace(3) %local, i32 %mine.i
  %theirs.i = mul i32 %next, {w}
  %theirs = getelementptr {type}, ptr addrspace(3) %local, i32 %theirs.i
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %v = phi {vec} [ %v0, %entry ], [ %v.next, %loop ]
  %sum = phi {vec} [ zeroinitializer, %entry ], [ %sum.next, %loop ]
  call void @llvm.masked.store(({vec}) %v, ptr addrspace(3) align {bytes} %mine, <{w} x i1> %mask)
  call void @_Z27__lanecl_work_group_barrierj(i32 1)
  %w = load {vec}, ptr addrspace(3) %theirs, align {bytes}
  call void @_Z27__lanecl_work_group_barrierj(i32 1)
  %tripled = {mul} {vec} %v, splat ({type} {three})
  %v.next = {add} {vec} %tripled, %w
  %sum.next = {add} {vec} %sum, %w
  %i.next = add i32 %i, 1
  %again = icmp ult i32 %i.next, {rounds}
  br i1 %again, label %loop, label %end
end:
  %result = {add} {vec} %v.next, %sum.next
  %size = load i64, ptr addrspace(2) %local_size, align 8
  %group = mul i64 %gx, %size
  %sg64 = zext i32 %mine.i to i64
  %at = add i64 %group, %sg64
  %p = getelementptr {type}, ptr addrspace(1) %out, i64 %at
  call void @llvm.masked.store(({vec}) %result, ptr addrspace(1) align {bytes} %p, <{w} x i1> %mask)
  ret void
)",
                        fmt::arg("arguments", offsetof(abi::LaunchInfo, arguments)), fmt::arg("mask", load_mask),
                        fmt::arg("w", width), fmt::arg("ids", ids), fmt::arg("vec", vec), fmt::arg("type", type),
                        fmt::arg("convert", is_int ? "bitcast" : "uitofp"), fmt::arg("mul", is_int ? "mul" : "fmul"),
                        fmt::arg("add", is_int ? "add" : "fadd"), fmt::arg("three", is_int ? "3" : "3.0"),
                        fmt::arg("bytes", is_int ? 4 : 8), fmt::arg("rounds", kRounds)));
}

// Completes the names of intrinsics, which contain their types; the texts above leave these out.
std::string finishStores(std::string text, unsigned width, const char *type) {
  const std::string vec = fmt::format("<{} x {}>", width, type);
  const std::string short_name = fmt::format("v{}{}", width, type[0] == 'i' ? type : "f64");
  std::string declarations;
  for (unsigned space : {1u, 3u}) {
    const std::string name = fmt::format("@llvm.masked.store.{}.p{}", short_name, space);
    const std::string from = fmt::format("@llvm.masked.store(({}) ", vec);
    declarations += fmt::format("declare void {}({}, ptr addrspace({}), <{} x i1>)\n", name, vec, space, width);
    for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; ++at) {
      const size_t end = text.find('\n', at);
      const std::string line = text.substr(at, end - at);
      if (line.find(fmt::format("addrspace({})", space)) != std::string::npos)
        text.replace(at, from.size(), fmt::format("{}({} ", name, vec));
    }
  }
  return declarations + text;
}

// Computes on the host what the kernel of exchange() stores.
template <typename T> std::vector<T> expected(unsigned width, unsigned items, unsigned groups) {
  const unsigned sub_groups = (items + width - 1) / width;
  std::vector<T> v(sub_groups * width), sum(sub_groups * width), result;
  for (unsigned id = 0; id < v.size(); ++id)
    v[id] = T(id);
  for (unsigned round = 0; round < kRounds; ++round) {
    const std::vector<T> before = v;
    for (unsigned id = 0; id < v.size(); ++id) {
      const T w = before[(id / width + 1) % sub_groups * width + id % width];
      v[id] = T(3) * before[id] + w;
      sum[id] += w;
    }
  }
  for (unsigned group = 0; group < groups; ++group)
    for (unsigned id = 0; id < items; ++id)
      result.push_back(v[id] + sum[id]);
  return result;
}

template <typename T>
Built checkExchange(unsigned width, const char *type, unsigned items, const LaunchClass &launch,
                    const CodeTarget &target = {}) {
  constexpr unsigned kGroups = 3;
  std::string ir = exchange(width, type, "k.lanes", false);
  if (items % width != 0 || launch.local_size[0] == 0)
    ir += exchange(width, type, "k.lanes.partial", true);
  Built built = build(finishStores(ir, width, type), launch, target);
  std::vector<T> out(items * kGroups + 64, T(-7));
  run(built, items, kGroups, {out.data()}, (items + width) * sizeof(T));
  const std::vector<T> want = expected<T>(width, items, kGroups);
  for (unsigned id = 0; id < want.size(); ++id) {
    INFO("work-item " << id);
    REQUIRE(out[id] == want[id]);
  }
  for (unsigned id = want.size(); id < out.size(); ++id)
    REQUIRE(out[id] == T(-7));
  return built;
}

} // namespace

TEST_CASE("lane vectors live across barriers in a loop", "[barriers]") {
  const Isa isa = GENERATE(Isa::Avx512, Isa::Avx2, Isa::Sse42);
  const unsigned width = GENERATE(8u, 16u, 32u);
  const Built built = checkExchange<uint32_t>(width, "i32", 4 * width, {width, {4 * width, 1, 1}, true}, {isa});
  CHECK(built.facts.scratch_bytes > 0);
  CHECK(built.facts.scratch_bytes % 128 == 0);
}

TEST_CASE("a work-group size known only at the call", "[barriers]") {
  const unsigned items = GENERATE(16u, 48u, 256u);
  const Built built = checkExchange<uint32_t>(16, "i32", items, {16, {0, 0, 0}, true});
  CHECK(built.facts.scratch_bytes == 0);
  CHECK(built.facts.scratch_per_sub_group > 0);
}

TEST_CASE("frames of lane vectors wider than scratch memory is aligned", "[barriers]") {
  checkExchange<double>(32, "double", 96, {32, {96, 1, 1}, true});
  checkExchange<double>(64, "double", 128, {64, {128, 1, 1}, true});
}

TEST_CASE("one sub-group needs no suspension", "[barriers]") {
  const Built built = checkExchange<uint32_t>(16, "i32", 16, {16, {16, 1, 1}, true});
  CHECK(built.facts.scratch_bytes == 0);
  CHECK(built.assembly.find("resume") == std::string::npos);
}
