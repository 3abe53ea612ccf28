// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The intrusive pointer to OpenCL objects. It holds an internal reference (see object.h), so that nobody else needs to
// call retainInternal and releaseInternal.
#pragma once

#include <cassert>
#include <utility>

namespace lanecl::icd {

template <class T> class Ref {
public:
  Ref() = default;
  explicit Ref(T &object) : object_(&object) { object_->retainInternal(); }
  Ref(const Ref &other) : object_(other.object_) {
    if (object_)
      object_->retainInternal();
  }
  Ref(Ref &&other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref &operator=(Ref other) noexcept {
    swap(other);
    return *this;
  }
  ~Ref() {
    if (object_)
      object_->releaseInternal();
  }

  // Takes over a reference that the caller owns, such as the one that a new object starts with.
  static Ref adopt(T *object) {
    Ref result;
    result.object_ = object;
    return result;
  }
  // Gives the reference to the application, which returns it with clRelease….
  T *detach() { return std::exchange(object_, nullptr); }

  void swap(Ref &other) noexcept { std::swap(object_, other.object_); }
  T *get() const { return object_; }
  T &operator*() const {
    assert(object_ && "there is no object");
    return *object_;
  }
  T *operator->() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }

private:
  T *object_ = nullptr;
};

// Makes an object and returns its first reference.
template <class T, class... Args> Ref<T> make(Args &&...args) {
  return Ref<T>::adopt(new T(std::forward<Args>(args)...));
}

} // namespace lanecl::icd
