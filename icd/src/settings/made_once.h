// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A value that is made at first use, and that a forked process can make, too.
#pragma once

#include <atomic>
#include <mutex>

namespace lanecl::icd {

// Use it for a global variable, or for a `static constinit` variable in a function:
//
//   static constinit MadeOnce<Topology> machine;
//   return machine.get([] { return Topology(nullptr); });
//
// An ordinary `static` variable with an initializer would hang: if the process is forked while another thread runs the
// initializer, that thread does not exist in the forked process, and whoever needs the value there waits forever. Here
// the forked process makes its own value. The value is never destroyed, because commands may still run while the
// process exits.
template <class T> class MadeOnce {
public:
  constexpr MadeOnce() = default;

  template <class Make> const T &get(Make make) {
    const T *made = value_.load(std::memory_order_acquire); // faster than call_once
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
