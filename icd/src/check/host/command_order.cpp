// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The graph of commands. Commands that the host has seen the end of are removed, so the graph stays small.
#include "check/host/command_order.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace lanecl::icd {

// Adds a command that waits for those in `after`. If there are too many, the oldest one counts as seen from now on.
CommandOrder::Id CommandOrder::addNode(std::vector<Id> after) {
  std::erase_if(after, [&](Id id) { return id == 0 || isSeen(id); });
  if (nodes.size() == kMost)
    hostHasSeen(base);
  nodes.push_back({.after = std::move(after)});
  return base + nodes.size() - 1;
}

CommandOrder::Id CommandOrder::add(Queue queue, Role role, const std::vector<Id> &wait_list) {
  QueueState &state = queues[queue.key];
  std::erase_if(state.latest, [&](Id id) { return isSeen(id); });
  std::vector<Id> after = wait_list;
  const bool waits_for_all = queue.in_order || (role != Role::Command && wait_list.empty());
  if (waits_for_all)
    after.insert(after.end(), state.latest.begin(), state.latest.end());
  after.push_back(state.barrier);
  const Id id = addNode(std::move(after));
  if (waits_for_all)
    state.latest.clear();
  state.latest.push_back(id);
  if (role == Role::Barrier)
    state.barrier = id;
  return id;
}

CommandOrder::Id CommandOrder::addHostUse(Id after) {
  return addNode({after});
}

CommandOrder::Id CommandOrder::addUserEvent() {
  const Id id = addNode({});
  node(id).is_open = true;
  return id;
}

// A user event whose status is set counts as seen: the host set it, so everything that the host had seen by then is
// ordered before the commands that wait for the event.
void CommandOrder::setUserEvent(Id event) {
  hostHasSeen(event);
}

void CommandOrder::setAwaitedSignal(Id awaited, Id command) {
  if (isSeen(awaited))
    return;
  if (isSeen(command))
    return hostHasSeen(awaited);
  assert(node(awaited).is_open && "the awaited signal is that of an earlier command already");
  node(awaited).is_open = false;
  node(awaited).after.push_back(command);
  waits_for_later = true;
}

void CommandOrder::forgetQueue(const void *key) {
  queues.erase(key);
}

std::vector<CommandOrder::Id> CommandOrder::latestOf(const void *queue) const {
  const auto found = queues.find(queue);
  return found == queues.end() ? std::vector<Id>() : found->second.latest;
}

void CommandOrder::hostHasSeen(Id command) {
  hostHasSeen(std::vector<Id>{command});
}

// Whatever a complete command has waited for is complete, too, so the marks spread along the edges.
void CommandOrder::hostHasSeen(const std::vector<Id> &commands) {
  std::vector<Id> left = commands;
  while (!left.empty()) {
    const Id id = left.back();
    left.pop_back();
    if (id == 0 || isSeen(id))
      continue;
    node(id).seen = true;
    node(id).is_open = false;
    const std::vector<Id> after = std::exchange(node(id).after, {});
    left.insert(left.end(), after.begin(), after.end());
  }
  forgetSeen();
}

// Drops seen commands from the front. One that the host has not seen keeps the later ones in the list.
void CommandOrder::forgetSeen() {
  for (; !nodes.empty() && nodes.front().seen; ++base)
    nodes.pop_front();
}

template <class Wanted> bool CommandOrder::reaches(Id from, Id least, const Wanted &is_wanted) {
  ++visit;
  if (waits_for_later)
    least = 0;
  std::vector<Id> left{from};
  while (!left.empty()) {
    const Id id = left.back();
    left.pop_back();
    if (id < least || isSeen(id) || std::exchange(node(id).visited, visit) == visit)
      continue;
    if (is_wanted(id))
      return true;
    left.insert(left.end(), node(id).after.begin(), node(id).after.end());
  }
  return false;
}

bool CommandOrder::isBefore(Id first, Id second) {
  return reaches(second, first, [&](Id id) { return id == first; });
}

bool CommandOrder::isOpen(Id command) {
  return reaches(command, 0, [&](Id id) { return node(id).is_open; });
}

} // namespace lanecl::icd
