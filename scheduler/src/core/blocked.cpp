// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "core/blocked.h"

#include "core/core.h"
#include "threads/fork.h"
#include "threads/one_tbb_threads.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstdio>
#include <mutex>
#include <new>
#include <oneapi/tbb/version.h>
#include <vector>

namespace lanecl::scheduler {

namespace {

// All cores of the process, for callWorkersOfAllCores(). A forked process has its own list, which starts empty.
struct Cores {
  std::mutex mutex; // guards the list
  std::vector<Core *> list;
};
PerProcess<Cores> cores;

std::atomic<int> blocked{0}; // number of oneTBB's threads that are inside a Blocked scope
std::atomic<bool> one_tbb_is_lost{false};

// Checks the version of oneTBB that was loaded. If the program has loaded a libtbb.so.12 already, the loader uses that
// copy for this library, and it may be too old.
bool checkVersion() {
  constexpr int kOldest = 12010; // interface version of oneTBB 2021.1
  if (TBB_runtime_interface_version() >= kOldest)
    return true;
  std::fprintf(stderr,
               "LaneCL needs oneTBB 2021.1 or later, but this program has loaded %s. Kernels run on LaneCL's own "
               "threads; to run them on oneTBB's, make the program load a newer libtbb.so.12.\n",
               TBB_runtime_version());
  neverUseOneTbb();
  return false;
}
[[maybe_unused]] const bool is_new_enough = checkVersion();

// Returns the cores that are not being destroyed, as owners.
std::vector<std::shared_ptr<Core>> livingCores() {
  Cores &all = cores.get();
  const std::lock_guard lock(all.mutex);
  std::vector<std::shared_ptr<Core>> living;
  living.reserve(all.list.size());
  for (Core *core : all.list)
    if (std::shared_ptr<Core> alive = core->weak_from_this().lock())
      living.push_back(std::move(alive));
  return living;
}

} // namespace

Blocked::Blocked() : counts(onOneTbbThread()) {
  if (!counts)
    return;
  blocked.fetch_add(1);
  callWorkersOfAllCores();
}

Blocked::~Blocked() {
  if (!counts)
    return;
  [[maybe_unused]] const int before = blocked.fetch_sub(1);
  assert(before > 0 && "a thread is no longer blocked that was not counted");
}

bool ownThreadsStandIn() {
  return blocked.load() != 0 || one_tbb_is_lost.load();
}

void neverUseOneTbb() {
  one_tbb_is_lost.store(true);
}

void callWorkersOfAllCores() {
  try {
    for (const std::shared_ptr<Core> &core : livingCores())
      core->callWorkers();
  } catch (const std::bad_alloc &) { // without memory, workers are called when the next command is submitted
  }
}

Registered::Registered(Core &which) : core(which) {
  Cores &all = cores.get();
  const std::lock_guard lock(all.mutex);
  assert(std::find(all.list.begin(), all.list.end(), &core) == all.list.end() && "the core is listed already");
  all.list.push_back(&core);
}

Registered::~Registered() {
  Cores &all = cores.get();
  const std::lock_guard lock(all.mutex);
  std::erase(all.list, &core);
}

} // namespace lanecl::scheduler
