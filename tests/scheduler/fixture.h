// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the scheduler's tests share: devices with one and with several threads, and launches of plain C++ functions.
#pragma once

#include "scheduler/scheduler.h"

#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <thread>

namespace lanecl::scheduler::test {

// 0 stands for one thread for each processor.
inline constexpr unsigned kThreadCounts[] = {1, 2, 0};

inline std::shared_ptr<Executor> makeDevice(unsigned threads) {
  return Executor::create(ExecutorSettings{threads});
}

// Waits without running commands, as a host program that polls does. Returns false after ten seconds.
inline bool eventually(const std::function<bool()> &condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end)
      return false;
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  return true;
}

using Sizes = std::array<uint64_t, 3>;

inline abi::LaunchInfo makeInfo(Sizes global, Sizes local) {
  abi::LaunchInfo info{};
  info.work_dim = 3;
  for (int d = 0; d < 3; ++d) {
    info.global_size[d] = global[d];
    info.enqueued_local_size[d] = local[d];
    info.num_groups[d] = (global[d] + local[d] - 1) / local[d];
  }
  return info;
}

// Makes a launch whose only argument is a pointer to `state`.
inline Launch makeLaunch(abi::WorkGroupFunction entry, Sizes global, Sizes local, void *state = nullptr) {
  Launch launch;
  launch.entry = entry;
  launch.info = makeInfo(global, local);
  launch.arguments.resize(sizeof state);
  std::memcpy(launch.arguments.data(), &state, sizeof state);
  return launch;
}

// Returns the state that makeLaunch() was given.
template <typename State> State &stateOf(const abi::LaunchInfo *info) {
  void *state;
  std::memcpy(&state, info->arguments, sizeof state);
  return *static_cast<State *>(state);
}

} // namespace lanecl::scheduler::test
