// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The one intrusive pointer. Nothing else calls retainInternal and releaseInternal.
#pragma once

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

  // Takes over the reference that a new object has.
  static Ref adopt(T *object) {
    Ref result;
    result.object_ = object;
    return result;
  }
  // Hands the reference to the application, which gives it back with clRelease….
  T *detach() { return std::exchange(object_, nullptr); }

  void swap(Ref &other) noexcept { std::swap(object_, other.object_); }
  T *get() const { return object_; }
  T &operator*() const { return *object_; }
  T *operator->() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }

private:
  T *object_ = nullptr;
};

template <class T, class... Args> Ref<T> make(Args &&...args) {
  return Ref<T>::adopt(new T(std::forward<Args>(args)...));
}

} // namespace lanecl::icd
