// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What is made at the first use and never destroyed. A variable that is `static` in a function does not do: in a
// process that is forked while another thread initializes it, nobody ends that, and all who need it wait for ever.
#pragma once

#include <atomic>
#include <memory>

namespace lanecl::icd {

// To be `constinit`. Threads that come at the same time may each make one, of which the first stays. That will not do
// for what everything else is built on, as the settings and the root device, so a fork during the first call of OpenCL
// is not provided for.
template <class T> class MadeOnce {
public:
  template <class Make> const T &get(Make make) {
    if (const T *made = made_.load(std::memory_order_acquire))
      return *made;
    std::unique_ptr<const T> mine(new T(make()));
    const T *first = nullptr;
    return made_.compare_exchange_strong(first, mine.get(), std::memory_order_acq_rel) ? *mine.release() : *first;
  }

private:
  std::atomic<const T *> made_{nullptr};
};

} // namespace lanecl::icd
