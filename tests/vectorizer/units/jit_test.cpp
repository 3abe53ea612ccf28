// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Compiled functions are loaded by the JIT, called, and unloaded, also by several threads at the same time.
#include "harness.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <thread>

using namespace lanecl::vectorizer;
using namespace lanecl::vectorizer::test;

// Stores the number of active lanes of each sub-group: out[sub-group] = active lanes.
static const char *const kStoreActive = R"(
  %argp = getelementptr i8, ptr addrspace(2) %launch, i64 104
  %args = load ptr addrspace(2), ptr addrspace(2) %argp, align 8
  %out = load ptr addrspace(1), ptr addrspace(2) %args, align 8
  %size = call i32 @_Z23__lanecl_sub_group_sizev()
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %sg
  store i32 %size, ptr addrspace(1) %p
  ret void
)";
static_assert(offsetof(lanecl::abi::LaunchInfo, arguments) == 104);

// Returns whether this process has memory at the address.
static bool isMapped(const void *address) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const uint64_t begin = std::stoull(line, nullptr, 16),
                   end = std::stoull(line.substr(line.find('-') + 1), nullptr, 16);
    if (uint64_t(address) >= begin && uint64_t(address) < end)
      return true;
  }
  return false;
}

TEST_CASE("every sub-group runs once, the last one partial", "[work-group]") {
  const std::string ir = lanesFunction("k.lanes", kStoreActive) + lanesFunction("k.lanes.partial", kStoreActive);
  const bool known = GENERATE(true, false);
  const Built built = build(ir, {8, {known ? 20u : 0u, known ? 1u : 0u, known ? 1u : 0u}, true});
  std::vector<int> out(5, -1);
  run(built, 20, 1, {out.data()}, 0);
  CHECK(out == std::vector<int>{8, 8, 4, -1, -1});
}

TEST_CASE("big private variables lie in scratch memory", "[work-group]") {
  const std::string body = R"(
  %big = alloca [65536 x i32], align 64
  %small = alloca [16 x i32], align 64
  %at = getelementptr [65536 x i32], ptr %big, i64 0, i32 %sg
  store volatile i32 %sg, ptr %at
  %value = load volatile i32, ptr %at
  %argp = getelementptr i8, ptr addrspace(2) %launch, i64 104
  %args = load ptr addrspace(2), ptr addrspace(2) %argp, align 8
  %out = load ptr addrspace(1), ptr addrspace(2) %args, align 8
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %sg
  store i32 %value, ptr addrspace(1) %p
  ret void
)";
  const Built built = build(lanesFunction("k.lanes", body), {16, {64, 1, 1}, true});
  CHECK(built.facts.scratch_bytes == 65536 * 4);
  std::vector<int> out(4, -1);
  run(built, 64, 1, {out.data()}, 0);
  CHECK(out == std::vector<int>{0, 1, 2, 3});
}

TEST_CASE("released code is unloaded", "[jit]") {
  Built built = build(lanesFunction("k.lanes", kStoreActive), {16, {64, 1, 1}, true});
  const void *address = built.code->address();
  CHECK(isMapped(address));
  built.code = nullptr;
  CHECK_FALSE(isMapped(address));
}

TEST_CASE("objects that are none are refused", "[jit]") {
  auto jit = llvm::cantFail(Jit::create(Profiler::None));
  for (const char *text : {"",
                           "\x7f"
                           "ELF",
                           "not an object"}) {
    std::vector<CodeObject> objects;
    objects.push_back({llvm::MemoryBuffer::getMemBufferCopy(text), "k"});
    auto code = jit->load(std::move(objects), false);
    CHECK_FALSE(bool(code));
    llvm::consumeError(code.takeError());
  }
}

TEST_CASE("code is loaded and released on several threads", "[jit]") {
  std::vector<std::thread> threads;
  std::atomic<unsigned> right{0};
  const auto buildAndRun = [&] {
    const Built built = build(lanesFunction("k.lanes", kStoreActive), {16, {64, 1, 1}, true});
    std::vector<int> out(4, -1);
    run(built, 64, 1, {out.data()}, 0);
    right += out == std::vector<int>{16, 16, 16, 16};
  };
  for (unsigned thread = 0; thread < 4; ++thread)
    threads.emplace_back([&] {
      for (unsigned round = 0; round < 5; ++round)
        try {
          buildAndRun();
        } catch (const std::runtime_error &) { // the missing result counts as wrong
        }
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(right == 20);
}
