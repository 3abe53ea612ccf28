// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which commands are ordered before which: by what the program has said when it enqueued them, and by what it has
// waited for, not by when they happened to run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

namespace lanecl::icd {

// Not thread-safe.
class CommandOrder {
public:
  using Id = uint64_t; // later commands have greater ones; 0: none
  enum class Role { Command, Marker, Barrier };
  struct Queue {
    const void *key;
    bool in_order;
  };

  Id add(Queue queue, Role role, const std::vector<Id> &wait_list);
  // What the host does from the end of `after` until a command begins that waits for this.
  Id addHostUse(Id after);
  Id addUserEvent();
  void setUserEvent(Id event);
  void forgetQueue(const void *key);

  // The host knows that these are complete: what it enqueues from now on comes behind them and all before them.
  void hostHasSeen(Id command);
  void hostHasSeen(const std::vector<Id> &commands);
  std::vector<Id> latestOf(const void *queue) const; // all others of the queue are before one of them

  bool isSeen(Id command) const { return command < base || nodes[command - base].seen; }
  bool isBefore(Id first, Id second); // of commands that the host has not seen
  // Whether it waits for a user event that is not set: the host may still wait for others first.
  bool isOpen(Id command);

private:
  static constexpr std::size_t kMost = 32768; // that are kept; older ones count as seen

  struct Node {
    std::vector<Id> after;
    bool seen = false, is_open_event = false;
    uint64_t visited = 0;
  };
  struct QueueState {
    std::vector<Id> latest;
    Id barrier = 0;
  };

  Id addNode(std::vector<Id> after);
  Node &node(Id id) { return nodes[id - base]; }
  void forgetSeen();
  // Whether `is_wanted` holds for the command or one before it that has an id of at least `least`.
  template <class Wanted> bool reaches(Id from, Id least, const Wanted &is_wanted);

  std::deque<Node> nodes;
  Id base = 1; // of the first node
  uint64_t visit = 0;
  std::map<const void *, QueueState> queues;
};

} // namespace lanecl::icd
