// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The happens-before relation of commands. Two commands are ordered if the program has asked for it, with an in-order
// queue, a wait list, a barrier, or by waiting for the first one before it enqueues the second. When the commands
// happened to run does not count: a missing wait list is found even if the commands ran in the right order this time.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

namespace lanecl::icd {

// A graph with an edge from each command to those that it waits for. Not thread-safe.
class CommandOrder {
public:
  using Id = uint64_t; // rises with each command; 0: no command
  enum class Role { Command, Marker, Barrier };
  struct Queue {
    const void *key;
    bool in_order;
  };

  // Adds a command that is enqueued now.
  Id add(Queue queue, Role role, const std::vector<Id> &wait_list);
  // Adds the host's use of a mapped region. It starts at the end of `after`, the mapping command, and ends before a
  // command that waits for the returned id, the unmapping one.
  Id addHostUse(Id after);
  Id addUserEvent();
  void setUserEvent(Id event);
  // Adds the signal of a semaphore that a command waits for before the signal is enqueued.
  Id addAwaitedSignal() { return addUserEvent(); }
  // Records that the awaited signal is that of a command, which was enqueued later.
  void setAwaitedSignal(Id awaited, Id command);
  void forgetQueue(const void *key);

  // Records that the host knows these commands to be complete. They and everything ordered before them come before each
  // command that is enqueued from now on.
  void hostHasSeen(Id command);
  void hostHasSeen(const std::vector<Id> &commands);
  // Returns commands such that each other command of the queue is ordered before one of them.
  std::vector<Id> latestOf(const void *queue) const;

  bool isSeen(Id command) const {
    assert(command < base + nodes.size() && "the command was not added");
    return command < base || nodes[command - base].seen;
  }
  // Whether `first` is ordered before `second`. Only for commands that the host has not seen.
  bool isBefore(Id first, Id second);
  // Whether the command waits for a user event whose status is not set, or for a signal that is not enqueued. The host
  // may still wait for other commands before it sets the status, and thereby order them first; other commands may come
  // before the signal.
  bool isOpen(Id command);

private:
  static constexpr std::size_t kMost = 32768; // commands that are kept; older ones count as seen

  struct Node {
    std::vector<Id> after;              // what the command waits for; commands that were seen are left out
    bool seen = false, is_open = false; // open: see isOpen()
    uint64_t visited = 0;               // the last traversal that came here, see `visit`
  };
  struct QueueState {
    std::vector<Id> latest; // see latestOf()
    Id barrier = 0;         // the last one, which all later commands wait for
  };

  Id addNode(std::vector<Id> after);
  Node &node(Id id) {
    assert(id >= base && id < base + nodes.size() && "the command was dropped, or not added");
    return nodes[id - base];
  }
  void forgetSeen();
  // Whether `is_wanted` holds for `from` or for a command ordered before it. Commands with ids below `least` are not
  // visited if each command waits for earlier ones only.
  template <class Wanted> bool reaches(Id from, Id least, const Wanted &is_wanted);

  std::deque<Node> nodes;
  Id base = 1;                  // the id of nodes[0]
  uint64_t visit = 0;           // the number of the current traversal
  bool waits_for_later = false; // an awaited signal has come from a later command
  std::map<const void *, QueueState> queues;
};

} // namespace lanecl::icd
