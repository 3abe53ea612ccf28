// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Values that are made at first use.
#pragma once

#include <atomic>
#include <mutex>

namespace lanecl::icd {

// For a global variable, or a `constinit` one in a function. The value is never destroyed, as commands may still run
// while the process exits. What is `static` in a function and initialized there does not do: in a process that is
// forked while another thread initializes it, nobody ends that, and all who need it wait for ever. Here the forked
// process makes its own.
template <class T> class MadeOnce {
public:
  constexpr MadeOnce() = default;

  template <class Make> const T &get(Make make) {
    const T *made = value_.load(std::memory_order_acquire); // a launch asks for several, and call_once takes longer
    if (made == nullptr) {
      std::call_once(once_, [&] { value_.store(new T(make()), std::memory_order_release); });
      made = value_.load(std::memory_order_acquire);
    }
    return *made;
  }

private:
  std::once_flag once_;
  std::atomic<const T *> value_{nullptr};
};

} // namespace lanecl::icd
