// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Several threads compile at the same time.
#include "support.hpp"

#include <atomic>
#include <thread>

using namespace test;

namespace {

// Builds different programs with different options on eight threads. Some of the programs are wrong.
void buildFromManyThreads(Frontend &frontend) {
  const char *standards[] = {"", "-cl-std=CL2.0", "-cl-std=CL3.0", "-cl-std=CLC++ -g"};
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 12; ++i) {
        const std::string name = "k" + std::to_string(t) + "_" + std::to_string(i);
        const bool good = i % 4 != 3;
        const CompileOutput output = frontend.build(
            "kernel void " + name + "(global float *p) { *p = sin(*p)" + (good ? "; }" : " }"), standards[(t + i) % 4]);
        const ProgramInfo *info = output.module.info.get();
        const bool as_expected = good ? info && info->kernels.size() == 1 && info->kernels[0].name == name
                                      : !info && contains(output.log, "expected ';'");
        wrong += as_expected ? 0 : 1;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(wrong == 0);
}

} // namespace

TEST_CASE("Eight threads compile at once", "[concurrency]") {
  Frontend frontend(traits());
  buildFromManyThreads(frontend);
}

TEST_CASE("Eight threads compile at once with a cache", "[concurrency]") {
  TemporaryDirectory directory;
  LanguageTraits with_cache = traits();
  with_cache.cache = std::make_shared<DiskCache>(DiskCache::Settings{.directory = directory.path().string()});
  Frontend frontend(with_cache);
  buildFromManyThreads(frontend);
  Frontend again(with_cache);
  buildFromManyThreads(again);
}

TEST_CASE("A crash in one thread leaves the others alone", "[concurrency]") {
  Frontend frontend(traits());
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 6; ++i) {
        const bool crash = t == 0;
        const std::string source = std::string(crash ? "#pragma clang __debug crash\n" : "") + "kernel void k() {}";
        if ((frontend.build(source, "").status == Status::Success) == crash)
          ++wrong;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(wrong == 0);
}
