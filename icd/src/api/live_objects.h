// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Weak references: which objects of a kind still exist. A kernel must not keep its arguments alive, and must not
// touch one that is gone.
#pragma once

#include "api/ref.h"

#include <cstdint>
#include <mutex>
#include <unordered_map>

namespace lanecl::icd {

template <class T> class LiveObjects {
public:
  // Returns an id that distinguishes this object from a later one at the same address.
  uint64_t add(T &object) {
    const std::lock_guard lock(mutex_);
    ids_[&object] = ++last_id_;
    return last_id_;
  }
  void remove(T &object) {
    const std::lock_guard lock(mutex_);
    ids_.erase(&object);
  }
  // Empty when the object is destroyed, or is being destroyed.
  Ref<T> find(T *object, uint64_t id) {
    const std::lock_guard lock(mutex_);
    const auto found = ids_.find(object);
    if (found == ids_.end() || found->second != id || !object->tryRetainInternal())
      return {};
    return Ref<T>::adopt(object);
  }

  // Calls `visit` for each object; does nothing while another thread makes or destroys one. For signal handlers. An
  // object may be incomplete.
  template <class Visit> void tryForEach(const Visit &visit) {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock)
      return;
    for (const auto &[object, id] : ids_)
      visit(static_cast<const T &>(*object));
  }

private:
  std::mutex mutex_;
  std::unordered_map<T *, uint64_t> ids_;
  uint64_t last_id_ = 0;
};

} // namespace lanecl::icd
