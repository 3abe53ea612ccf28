// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The work-groups of a launch, which several threads divide among themselves.
#pragma once

#include "core/core.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstdint>
#include <optional>

namespace lanecl::scheduler {

inline constexpr double kShort = 2'000; // nanoseconds; a command that takes less is not handed to another thread

// One thread starts alone. When the time it takes shows that sharing the rest pays off, other threads join. Each thread
// takes chunks of the linear group space until none are left. The first chunks are large, so that neighboring
// work-groups stay on one processor. The last ones are small, so that all threads finish at about the same time.
// Between chunks a thread may be called away, and then leaves the rest to the others.
class SharedGroups {
public:
  explicit SharedGroups(Node &command) : node(command) {}

  void begin(uint64_t groups) {
    total = groups;
    next.store(0, std::memory_order_relaxed);
  }
  uint64_t count() const { return total; }
  bool anyLeft() const { return next.load(std::memory_order_relaxed) < total; }

  bool canBeShared() const { return (core().threads() != 1 || core().heedsPriorities()) && total != 1; }
  bool worthSharing(double group_nanoseconds, uint64_t groups) const {
    return group_nanoseconds * static_cast<double>(groups) > kWorthSharing;
  }

  // Whether the launch is long enough to measure one thread against several, see LaunchHistory::noteAlone().
  bool worthComparing(double group_nanoseconds) const {
    return group_nanoseconds * static_cast<double>(total) > kWorthComparing;
  }

  // Calls run(first, end) on this thread alone, since the time `started`. Returns how many groups are done: all of
  // them, or as many as it took to see that sharing the rest pays off. `trial` is the time, in nanoseconds, that must
  // pass before that is judged.
  template <typename Run> uint64_t runTrial(uint64_t started, uint64_t trial, Run run) {
    assert(total != 0 && trial != 0 && "a trial runs at least one group for some time");
    uint64_t done = 0, batch = 1;
    while (true) {
      assert(batch != 0 && batch <= total - done && "a trial would run a group that does not exist");
      run(done, done + batch);
      done += batch;
      if (done == total)
        return total;
      const uint64_t elapsed = nanoseconds() - started;
      const double one = static_cast<double>(elapsed) / static_cast<double>(done);
      if (elapsed >= trial && worthSharing(one, total - done)) {
        prepareChunks(one, total - done);
        return done;
      }
      // Reading the clock costs as much as a tiny group, so the clock is read less often the quicker the groups are.
      batch = std::min(total - done, elapsed < trial / 4 ? 3 * done : done);
    }
  }

  // Calls run(first, end) on this thread alone: for every group or, if `trial` is not 0, for as many as it takes to see
  // that sharing pays off. Returns how many are done. The time of one group goes to the history if `measured`, or if it
  // was taken anyway because the rest will be shared.
  template <typename Run> uint64_t runAlone(uint64_t trial, bool measured, LaunchHistory *history, Run run) {
    const uint64_t begin = trial != 0 || measured ? nanoseconds() : 0;
    uint64_t done = total;
    if (trial != 0)
      done = runTrial(begin, trial, run);
    else
      run(0, total);
    if (history != nullptr && (measured || done != total))
      history->note(static_cast<float>(nanoseconds() - begin) / static_cast<float>(done));
    return done;
  }

  // Chooses the chunk sizes for the `left` remaining groups, each of which takes `group_nanoseconds`.
  void prepareChunks(double group_nanoseconds, uint64_t left) {
    assert(group_nanoseconds > 0 && "chunks without duration would have any length");
    assert(left != 0 && left <= total && "no chunks are needed, or more than there are groups");
    const uint64_t most = std::max<uint64_t>(1, left / (uint64_t{2} * core().threads()));
    grain = std::clamp<uint64_t>(static_cast<uint64_t>(kSmallestChunk / group_nanoseconds), 1, most);
    longest = std::max(grain, static_cast<uint64_t>(kLongestChunk / group_nanoseconds));
  }

  // Lets other threads join when the first `done` groups are done. Up to `threads` threads take part, this one
  // included.
  void share(uint64_t done, unsigned threads) {
    assert(done < total && "nothing is left to share");
    next.store(done, std::memory_order_relaxed);
    core().share(std::static_pointer_cast<Node>(node.shared_from_this()), threads);
  }

  // Takes one group, for participants that do not take chunks. Returns nothing when none is left.
  std::optional<uint64_t> takeOne() {
    const uint64_t taken = anyLeft() ? next.fetch_add(1, std::memory_order_relaxed) : total;
    return taken < total ? std::optional(taken) : std::nullopt;
  }
  bool hasToStepAside() { return core().calledAway(node) && core().stepAside(node); }

  // Takes chunks and calls run(first, end) for each until none are left; every participant calls this. Returns false
  // when the thread has stepped aside and must not touch this object any more.
  template <typename Run> bool runChunks(Run run) {
    const uint64_t shares = uint64_t{kChunksPerThread} * core().threads();
    assert(grain != 0 && grain <= longest && "prepareChunks() has not chosen the chunks");
    uint64_t first = next.load(std::memory_order_relaxed);
    while (first < total) {
      if (core().calledAway(node) && core().stepAside(node))
        return false;
      const uint64_t size = std::min({total - first, std::max(grain, (total - first) / shares), longest});
      if (!next.compare_exchange_weak(first, first + size, std::memory_order_relaxed))
        continue;
      run(first, first + size);
      first = next.load(std::memory_order_relaxed);
    }
    return true;
  }

  static constexpr uint64_t kTrial = 1'500; // nanoseconds after which the expected time is reliable
  // Nanoseconds after which the caches hold what the groups of all threads use.
  static constexpr uint64_t kLongTrial = 20'000;

private:
  // Nanoseconds. Sharing costs about a microsecond when other threads are awake.
  static constexpr double kWorthSharing = 5'000;     // what the rest is expected to take
  static constexpr double kWorthComparing = 100'000; // enough for several long trials
  static constexpr double kSmallestChunk = 2'000;
  static constexpr double kLongestChunk = 200'000;
  static constexpr unsigned kChunksPerThread = 4;

  Core &core() const { return node.owner(); }

  Node &node;
  uint64_t total = 0;
  uint64_t grain = 1; // number of groups in the smallest chunk
  // Number of groups in the longest chunk. A thread that is called away leaves at the end of its chunk at the latest.
  uint64_t longest = 1;
  std::atomic<uint64_t> next{0}; // the first group that no thread has taken
};

} // namespace lanecl::scheduler
