// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "threads/stack.h"

#include <pthread.h>

namespace lanecl::scheduler {

namespace {

struct Bounds {
  uintptr_t low = 0, high = 0;
};

Bounds threadStack() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0)
    return {};
  void *low = nullptr;
  size_t size = 0;
  pthread_attr_getstack(&attributes, &low, &size);
  pthread_attr_destroy(&attributes);
  const auto address = reinterpret_cast<uintptr_t>(low);
  return {address, address + size};
}

} // namespace

uint64_t stackLeft() {
  thread_local const Bounds bounds = threadStack(); // reads /proc on the main thread, so it is done once
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  if (here < bounds.low + kStackReserveBytes || here >= bounds.high)
    return 0;
  return here - bounds.low - kStackReserveBytes;
}

} // namespace lanecl::scheduler
