// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The part of Core for launches that several threads share.
#include "core/core.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace lanecl::scheduler {

void Core::share(const NodePtr &node, unsigned places) {
  {
    std::lock_guard lock(mutex);
    assert(places != 0 && "the thread that shares a launch takes part in it");
    assert(findShared(*node) == shared.end() && "the launch is shared already");
    shared.push_back({node, 1, places, true}); // if this throws, no other thread has joined yet
    addWork(*node, static_cast<int>(places) - 1);
  }
  callWorkers();
}

std::vector<Core::Shared>::iterator Core::findShared(const Node &node) {
  return std::find_if(shared.begin(), shared.end(), [&](const Shared &s) { return s.node.get() == &node; });
}

bool Core::stepAside(const Node &node) {
  std::lock_guard lock(mutex);
  const auto entry = findShared(node);
  assert(entry != shared.end() && entry->participants != 0 && "the thread takes no part in the launch");
  if (!entry->open)
    return false;
  --entry->participants;
  addWork(node, 1);
  return true;
}

bool Core::leaveShared(const Node &node) {
  NodePtr last; // destroyed only after the lock is released
  std::lock_guard lock(mutex);
  const auto entry = findShared(node);
  assert(entry != shared.end() && entry->participants != 0 && "the thread takes no part in the launch");
  assert(entry->participants <= entry->places && "more threads take part in the launch than may");
  if (std::exchange(entry->open, false))
    addWork(node, -static_cast<int>(entry->places - entry->participants));
  if (--entry->participants != 0)
    return false;
  last = std::move(entry->node);
  shared.erase(entry);
  return true;
}

bool Core::takeShared(Task &task, Priority priority, const Taker &taker) {
  for (Shared &entry : shared) {
    if (!entry.open || entry.node->priority() != priority || entry.participants >= entry.places ||
        !taker.mayJoin(*entry.node))
      continue;
    ++entry.participants;
    task = {entry.node, true};
    return true;
  }
  return false;
}

} // namespace lanecl::scheduler
