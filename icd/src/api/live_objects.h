// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Weak references to objects of one kind. A kernel holds its arguments by them: it must neither keep a memory object
// alive nor access one that is gone. A weak reference is a pointer and the id that add() returned.
#pragma once

#include "api/ref.h"

#include <cassert>
#include <cstdint>
#include <mutex>
#include <unordered_map>

namespace lanecl::icd {

// The live objects of class T in one context. Thread-safe.
template <class T> class LiveObjects {
public:
  // Adds an object. Returns an id that distinguishes it from a later object at the same address.
  uint64_t add(T &object) {
    const std::lock_guard lock(mutex_);
    [[maybe_unused]] const bool is_new = ids_.emplace(&object, ++last_id_).second;
    assert(is_new && "an object that was destroyed at this address is still registered");
    return last_id_;
  }
  void remove(T &object) {
    const std::lock_guard lock(mutex_);
    [[maybe_unused]] const size_t erased = ids_.erase(&object);
    assert(erased == 1 && "the object is not registered");
  }
  // Returns a reference to the object, or an empty one if it is destroyed or being destroyed.
  Ref<T> find(T *object, uint64_t id) {
    const std::lock_guard lock(mutex_);
    const auto found = ids_.find(object);
    if (found == ids_.end() || found->second != id || !object->tryRetainInternal())
      return {};
    return Ref<T>::adopt(object);
  }

  // Calls `visit` for each object. None is destroyed meanwhile, but one that is visited may still be under
  // construction.
  template <class Visit> void forEach(const Visit &visit) {
    const std::lock_guard lock(mutex_);
    visitAll(visit);
  }

  // The same for signal handlers: it never waits for the lock, and visits nothing while the lock is held, be it by
  // another thread or by what the handler has interrupted. POSIX does not list pthread_mutex_trylock() among what
  // handlers may call; in glibc it is one atomic exchange, which fails in the thread that holds the lock, too.
  template <class Visit> void tryForEach(const Visit &visit) {
    if (const std::unique_lock lock(mutex_, std::try_to_lock); lock)
      visitAll(visit);
  }

private:
  template <class Visit> void visitAll(const Visit &visit) const {
    for (const auto &[object, id] : ids_)
      visit(static_cast<const T &>(*object));
  }

  std::mutex mutex_;
  std::unordered_map<T *, uint64_t> ids_;
  uint64_t last_id_ = 0;
};

} // namespace lanecl::icd
