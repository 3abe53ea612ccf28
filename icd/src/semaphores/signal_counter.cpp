// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The eventfd of a semaphore.

#include "semaphores/signal_counter.h"

#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace lanecl::icd {
namespace {

// Returns true if the descriptor is an eventfd.
bool isEventDescriptor(int descriptor) {
  char target[64];
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  const ssize_t length = readlink(link.c_str(), target, sizeof target);
  return length > 0 && std::string_view(target, size_t(length)) == "anon_inode:[eventfd]";
}

} // namespace

// Makes an eventfd from which each wait takes one signal, because a semaphore may be signaled again before the command
// that waits for it runs.
std::shared_ptr<SignalCounter> SignalCounter::make() {
  const int descriptor = eventfd(0, EFD_SEMAPHORE | EFD_NONBLOCK | EFD_CLOEXEC);
  return descriptor < 0 ? nullptr : std::shared_ptr<SignalCounter>(new SignalCounter(descriptor));
}

// Rejects a descriptor that blocks: make() did not create it, and it would stop the thread that waits for signals.
std::shared_ptr<SignalCounter> SignalCounter::adopt(int descriptor) {
  const int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0 || (flags & O_NONBLOCK) == 0 || !isEventDescriptor(descriptor))
    return nullptr;
  return std::shared_ptr<SignalCounter>(new SignalCounter(descriptor));
}

SignalCounter::~SignalCounter() {
  close(descriptor_);
}

bool SignalCounter::signal() {
  const uint64_t one = 1;
  return write(descriptor_, &one, sizeof one) == sizeof one;
}

bool SignalCounter::take() {
  uint64_t count = 0;
  return read(descriptor_, &count, sizeof count) == sizeof count;
}

bool SignalCounter::isSignaled() const {
  pollfd state{descriptor_, POLLIN, 0};
  return poll(&state, 1, 0) == 1 && (state.revents & POLLIN) != 0;
}

uint64_t SignalCounter::id() const {
  std::ifstream facts("/proc/self/fdinfo/" + std::to_string(descriptor_));
  constexpr std::string_view kName = "eventfd-id:";
  for (std::string line; std::getline(facts, line);)
    if (line.starts_with(kName))
      return std::strtoull(line.c_str() + kName.size(), nullptr, 10);
  return 0;
}

int SignalCounter::duplicate() const {
  return fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);
}

} // namespace lanecl::icd
