// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What every OpenCL handle points at: the ICD loader's dispatch pointer, a type tag, and two reference counts.
//
// The application's count is what clRetain…, clRelease… and CL_…_REFERENCE_COUNT speak of. The internal count keeps
// the object alive; all of the application's references together hold one of it, commands and child objects hold the
// others. So a kernel in flight survives its release, and the application's count is what the application expects.
#pragma once

#include "api/dispatch.h"
#include "api/object_watch.h"
#include "api/ref.h"
#include "scheduler/scheduler.h"

#include <CL/cl_icd.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace lanecl::icd {

template <class Handle> struct HandleTraits; // ObjectType and kInvalid, specialized beside each class

template <class Derived, class HandleType, Tag kTag> class Object {
public:
  using Handle = HandleType;
  static constexpr Tag kKind = kTag;

  Object(const Object &) = delete;
  Object &operator=(const Object &) = delete;

  Handle handle() { return reinterpret_cast<Handle>(this); }

  // Null for a null handle, for another kind of object, and usually for a destroyed one.
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

  void retainApplication() {
    if (application_.fetch_add(1, std::memory_order_relaxed) != 0)
      return;
    countObject(kTag, 1);
    retainInternal();
  }
  // False when the application has no reference left to give back.
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
  // False when the last reference was released already. For callers without a reference that hold a lock which keeps
  // the destructor from finishing.
  bool tryRetainInternal() {
    uint32_t count = internal_.load(std::memory_order_relaxed);
    while (count != 0)
      if (internal_.compare_exchange_weak(count, count + 1, std::memory_order_relaxed))
        return true;
    return false;
  }
  void releaseInternal() {
    if (internal_.fetch_sub(1, std::memory_order_acq_rel) == 1)
      end(std::unique_ptr<Derived>(static_cast<Derived *>(this)));
  }

protected:
  Object() { countObject(kTag, 1); }
  ~Object() {
    if (applicationReferences() != 0) // the application never got it
      countObject(kTag, -1);
    // Overwritten through volatile, or the compiler would drop a store to an object that is being destroyed.
    const_cast<volatile Tag &>(tag_) = Tag::Dead;
  }

private:
  // Callbacks of the application are called before the object is destroyed, and where its code may run.
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

// The error of the first handle that is not what its type says, in the order given.
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

// The object of a handle that validate() has accepted.
template <class Handle> auto &objectOf(Handle handle) {
  return *HandleTraits<Handle>::ObjectType::cast(handle);
}

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

#define LANECL_HANDLE(handle, object, invalid)                                                                         \
  namespace lanecl::icd {                                                                                              \
  template <> struct HandleTraits<handle> {                                                                            \
    using ObjectType = object;                                                                                         \
    static constexpr cl_int kInvalid = invalid;                                                                        \
  };                                                                                                                   \
  }
