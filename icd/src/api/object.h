// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The base of all OpenCL objects. A handle points at one: the ICD loader's dispatch pointer, a type tag, and two
// reference counts.
//
// clRetain…, clRelease… and CL_…_REFERENCE_COUNT use the application's count. The internal count keeps the object
// alive: all references of the application together hold one internal reference; commands and child objects hold the
// others. This lets a kernel that is running survive its release, while the application's count remains what the
// application expects.
#pragma once

#include "api/dispatch.h"
#include "api/object_watch.h"
#include "api/ref.h"
#include "scheduler/scheduler.h"

#include <CL/cl_icd.h>

#include <atomic>
#include <cassert>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace lanecl::icd {

// The class behind a handle (ObjectType) and the error code for an invalid one (kInvalid). LANECL_HANDLE specializes it
// beside each class.
template <class Handle> struct HandleTraits;

template <class Derived, class HandleType, Tag kTag> class Object {
public:
  using Handle = HandleType;
  static constexpr Tag kKind = kTag;

  Object(const Object &) = delete;
  Object &operator=(const Object &) = delete;

  Handle handle() { return reinterpret_cast<Handle>(this); }

  // Returns the object of a handle, or null for a null handle and for another kind of object. A destroyed object is
  // usually recognized by its tag, but not if its memory was reused.
  static Derived *cast(Handle handle) {
    static_assert(std::is_standard_layout_v<Object>, "the dispatch pointer must be the first word");
    static_assert(!std::is_polymorphic_v<Derived>, "a virtual table would displace the dispatch pointer");
    if (!handle || reinterpret_cast<uintptr_t>(handle) % alignof(void *) != 0)
      return nullptr;
    auto *object = reinterpret_cast<Object *>(handle);
    if (object->dispatch_ != &kDispatch || object->tag_ != kTag)
      return nullptr;
    return static_cast<Derived *>(object);
  }

  cl_uint applicationReferences() const { return application_.load(std::memory_order_relaxed); }

  // Adds a reference of the application. The first one after all were released also adds the internal reference.
  void retainApplication() {
    if (application_.fetch_add(1, std::memory_order_relaxed) != 0)
      return;
    countObject(kTag, 1);
    retainInternal();
  }
  // Releases a reference of the application. Returns false if the application has none.
  bool releaseApplication() {
    uint32_t count = application_.load(std::memory_order_relaxed);
    do {
      if (count == 0)
        return false;
    } while (!application_.compare_exchange_weak(count, count - 1, std::memory_order_acq_rel));
    if (count != 1)
      return true;
    countObject(kTag, -1);
    releaseInternal();
    return true;
  }

  void retainInternal() { internal_.fetch_add(1, std::memory_order_relaxed); }
  // Adds a reference, and returns false if the last one was released already. For callers that have no reference but
  // hold a lock that keeps the destructor from finishing.
  bool tryRetainInternal() {
    uint32_t count = internal_.load(std::memory_order_relaxed);
    while (count != 0)
      if (internal_.compare_exchange_weak(count, count + 1, std::memory_order_relaxed))
        return true;
    return false;
  }
  void releaseInternal() {
    const uint32_t before = internal_.fetch_sub(1, std::memory_order_acq_rel);
    assert(before != 0 && "more references are released than were taken");
    if (before == 1)
      end(std::unique_ptr<Derived>(static_cast<Derived *>(this)));
  }

protected:
  Object() { countObject(kTag, 1); }
  ~Object() {
    if (applicationReferences() != 0) // creation has failed: the application has never got the object
      countObject(kTag, -1);
    // The store is volatile, because the compiler drops plain stores to an object that is being destroyed.
    const_cast<volatile Tag &>(tag_) = Tag::Dead;
  }

private:
  // Destroys the object after its destructor callbacks. The callbacks are code of the application, so they run on a
  // thread on which such code may run.
  static void end(std::unique_ptr<Derived> object) {
    if constexpr (requires { object->callDestructorCallbacks(); }) {
      if (object->destructorCallbacks().empty() || scheduler::hostCodeRunsHere())
        return object->callDestructorCallbacks();
      scheduler::callHostCode([owned = object.release()] {
        const std::unique_ptr<Derived> destroyed_at_end(owned);
        destroyed_at_end->callDestructorCallbacks();
      });
    }
  }

  const cl_icd_dispatch *dispatch_ = &kDispatch;
  Tag tag_ = kTag;
  std::atomic<uint32_t> application_{1};
  std::atomic<uint32_t> internal_{1};
};

// Returns CL_SUCCESS, or the error code of the first handle that is not an object of its type. Example:
// validate(queue, kernel) returns CL_INVALID_COMMAND_QUEUE or CL_INVALID_KERNEL.
template <class... Handles> cl_int validate(Handles... handles) {
  cl_int code = CL_SUCCESS;
  const auto check = [&](auto handle) {
    using Traits = HandleTraits<decltype(handle)>;
    if (code == CL_SUCCESS && !Traits::ObjectType::cast(handle))
      code = Traits::kInvalid;
  };
  (check(handles), ...);
  return code;
}

// Returns the object of a handle that validate() has accepted.
template <class Handle> auto &objectOf(Handle handle) {
  auto *const object = HandleTraits<Handle>::ObjectType::cast(handle);
  assert(object && "validate() has not accepted the handle");
  return *object;
}

// The bodies of clRetain… and clRelease….
template <class Handle> cl_int retain(Handle handle) {
  if (cl_int code = validate(handle))
    return code;
  objectOf(handle).retainApplication();
  return CL_SUCCESS;
}

template <class Handle> cl_int release(Handle handle) {
  using Traits = HandleTraits<Handle>;
  if (validate(handle) == CL_SUCCESS && objectOf(handle).releaseApplication())
    return CL_SUCCESS;
  if (handle)
    noteWrongRelease(Traits::ObjectType::kKind, handle);
  return Traits::kInvalid;
}

} // namespace lanecl::icd

// Connects a handle type with its class and its error code.
#define LANECL_HANDLE(handle, object, invalid)                                                                         \
  namespace lanecl::icd {                                                                                              \
  template <> struct HandleTraits<handle> {                                                                            \
    using ObjectType = object;                                                                                         \
    static constexpr cl_int kInvalid = invalid;                                                                        \
  };                                                                                                                   \
  }
