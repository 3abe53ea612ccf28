// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The allocator of commands: one thread allocates, another one frees.
#include "scheduler/command_memory.h"

#include <catch2/catch.hpp>

#include <cstdint>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

using namespace lanecl::scheduler;

namespace {

// A block of command memory that is filled with a mark, which shows whether blocks overlap.
struct Block {
  unsigned char *memory;
  size_t bytes;
  unsigned char mark;

  bool intact() const {
    for (size_t i = 0; i < bytes; ++i)
      if (memory[i] != mark)
        return false;
    return true;
  }
};

// Allocates 500 blocks of various sizes, with marks that depend on the seed.
std::vector<Block> allocateBlocks(int seed) {
  std::vector<Block> blocks;
  for (int i = 0; i < 500; ++i) {
    const size_t bytes = size_t(1) + size_t(i * 37 + seed * 11) % 1500;
    auto *memory = static_cast<unsigned char *>(allocateCommandMemory(bytes));
    const auto mark = static_cast<unsigned char>(i + seed);
    std::memset(memory, mark, bytes);
    blocks.push_back({memory, bytes, mark});
  }
  return blocks;
}

void freeBlocks(const std::vector<Block> &blocks) {
  for (const Block &block : blocks)
    freeCommandMemory(block.memory, block.bytes);
}

} // namespace

TEST_CASE("blocks of command memory are aligned and do not overlap", "[command_memory]") {
  for (int round = 0; round < 3; ++round) {
    const std::vector<Block> blocks = allocateBlocks(round);
    for (const Block &block : blocks) {
      REQUIRE(block.intact());
      REQUIRE(reinterpret_cast<uintptr_t>(block.memory) % __STDCPP_DEFAULT_NEW_ALIGNMENT__ == 0);
    }
    freeBlocks(blocks);
  }
}

TEST_CASE("command memory goes from thread to thread", "[command_memory]") {
  constexpr int kThreads = 4, kRounds = 20;
  std::vector<Block> handed[kThreads];
  for (int round = 0; round < kRounds; ++round) {
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t)
      threads.emplace_back([&, t] {
        freeBlocks(handed[t]); // allocated by another thread in the previous round
        handed[t] = allocateBlocks(t + round);
      });
    for (std::thread &thread : threads)
      thread.join();
    for (const std::vector<Block> &blocks : handed)
      for (const Block &block : blocks)
        REQUIRE(block.intact());
    std::swap(handed[0], handed[1]);
    std::swap(handed[2], handed[3]);
  }
  for (const std::vector<Block> &blocks : handed)
    freeBlocks(blocks);
}

TEST_CASE("standard containers live in command memory", "[command_memory]") {
  std::vector<std::string, CommandAllocator<std::string>> words;
  for (int i = 0; i < 1000; ++i)
    words.push_back(std::to_string(i));
  CHECK(words[999] == "999");
  CHECK_THROWS_AS(CommandAllocator<uint64_t>().allocate(SIZE_MAX / 4), std::bad_alloc);
}
