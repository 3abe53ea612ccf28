// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Work-groups that several threads divide among themselves.
#pragma once

#include "core/core.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>

namespace lanecl::scheduler {

inline constexpr double kShort = 2'000; // nanoseconds: what takes less is not handed to another thread

// One thread begins alone. When the time it takes shows that sharing the rest pays off, other threads join, and each
// takes chunks of the linear group space until none are left: large ones first, so that neighbours stay on one
// processor, small ones at the end, so that all threads stop together. Between chunks a thread may be called away, and
// leaves the rest to the others.
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

  bool worthComparing(double group_nanoseconds) const {
    return group_nanoseconds * static_cast<double>(total) > kWorthComparing;
  }

  // run(first, end), alone, since `started`. Returns how many groups are done: all of them, or as many as it took to
  // see that sharing pays off.
  template <typename Run> uint64_t runTrial(uint64_t started, uint64_t trial, Run run) {
    uint64_t done = 0, batch = 1;
    while (true) {
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
      // Reading the clock costs as much as a tiny group, so the quicker the groups, the less often it is read.
      batch = std::min(total - done, elapsed < trial / 4 ? 3 * done : done);
    }
  }

  // run(first, end), alone: every group or, with a `trial` of some nanoseconds, as many as it takes to see that sharing
  // pays off. Returns how many are done. The time of one goes to the history if `measured`, or if it is known anyway
  // because the rest will be shared.
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

  // Chooses the chunks of the `left` groups, each of which takes so many nanoseconds.
  void prepareChunks(double group_nanoseconds, uint64_t left) {
    const uint64_t most = std::max<uint64_t>(1, left / (uint64_t{2} * core().threads()));
    grain = std::clamp<uint64_t>(static_cast<uint64_t>(kSmallestChunk / group_nanoseconds), 1, most);
    longest = std::max(grain, static_cast<uint64_t>(kLongestChunk / group_nanoseconds));
  }

  // Lets other threads join, up to so many with this one, when so many groups are done.
  void share(uint64_t done, unsigned threads) {
    next.store(done, std::memory_order_relaxed);
    core().share(std::static_pointer_cast<Node>(node.shared_from_this()), threads);
  }

  // One group, for participants that do not take chunks.
  std::optional<uint64_t> takeOne() {
    const uint64_t taken = anyLeft() ? next.fetch_add(1, std::memory_order_relaxed) : total;
    return taken < total ? std::optional(taken) : std::nullopt;
  }
  bool hasToStepAside() { return core().calledAway(node) && core().stepAside(node); }

  // Called by every participant. False: it has stepped aside and must not touch this object any more.
  template <typename Run> bool runChunks(Run run) {
    const uint64_t shares = uint64_t{kChunksPerThread} * core().threads();
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

  static constexpr uint64_t kTrial = 1'500;      // nanoseconds after which the expected time is reliable
  static constexpr uint64_t kLongTrial = 20'000; // when caches have what the groups of all threads use

private:
  // Sharing costs about a microsecond when other threads are awake.
  static constexpr double kWorthSharing = 5'000;     // nanoseconds that the rest is expected to take
  static constexpr double kWorthComparing = 100'000; // several long trials
  static constexpr double kSmallestChunk = 2'000;
  static constexpr double kLongestChunk = 200'000;
  static constexpr unsigned kChunksPerThread = 4;

  Core &core() const { return node.owner(); }

  Node &node;
  uint64_t total = 0;
  uint64_t grain = 1;            // groups of the smallest chunk
  uint64_t longest = 1;          // groups of the longest, after which a thread that is called away leaves
  std::atomic<uint64_t> next{0}; // first group that no thread has taken
};

} // namespace lanecl::scheduler
