#include "completion.h"

#include "core.h"

#include <utility>

namespace lanecl::scheduler {

bool Completion::complete(Node &node, Status status) {
  const bool first = finish(node, status);
  drain();
  return first;
}

void Completion::drain() {
  while (!finished.empty()) {
    auto [node, status] = std::move(finished.back());
    finished.pop_back();
    node->dropPayload();
    finish(*node, status);
  }
}

bool Completion::finish(Node &node, Status status) {
  Node::Finished result;
  if (!node.finish(status, result))
    return false;
  for (auto &[when, callback] : result.callbacks)
    calls.push_back({std::move(callback), status < kComplete ? status : when});
  result.dependants.forEach([&](NodePtr &dependant) {
    if (!dependant->dependencyDone(status < kComplete))
      return;
    if (dependant->dependencyFailed())
      finished.emplace_back(std::move(dependant), kWaitListFailed);
    else if (dependant->kind() == Node::Kind::Marker)
      finished.emplace_back(std::move(dependant), kComplete);
    else
      ready.push(std::move(dependant));
  });
  return true;
}

void Completion::resolve(NodePtr node) {
  if (node->dependencyFailed())
    finished.emplace_back(std::move(node), kWaitListFailed);
  else if (node->kind() == Node::Kind::Marker)
    finished.emplace_back(std::move(node), kComplete);
  else
    ready.push(std::move(node));
  drain();
}

NodePtr Completion::dispatch(Core *here) {
  NodePtr next;
  // Callbacks may block, so with any of them about nothing is kept back.
  const bool may_keep = here != nullptr && calls.empty() && here->idle();
  OneOrMore<NodePtr> with_callbacks;
  ready.forEach([&](NodePtr &node) {
    if (node->hasCallbacks()) {
      with_callbacks.push(std::move(node));
      return;
    }
    node->reach(kSubmitted);
    if (may_keep && !next && &node->owner() == here)
      next = std::move(node);
    else
      node->owner().submit(node);
  });
  with_callbacks.forEach([&](NodePtr &node) {
    if (next)
      next->owner().submit(std::exchange(next, nullptr));
    node->reach(kSubmitted);
    node->owner().submit(node);
  });
  for (const Called &call : calls)
    callGuarded(call.callback, call.status);
  return next;
}

} // namespace lanecl::scheduler
