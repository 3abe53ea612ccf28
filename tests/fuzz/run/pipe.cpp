// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Each text is preceded by its size in eight bytes.
#include "run/pipe.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <poll.h>
#include <unistd.h>

namespace lanecl::fuzz {

namespace {

// Writes all bytes; returns false if the pipe's other end is closed.
bool sendBytes(int descriptor, const char *bytes, size_t count) {
  while (count > 0) {
    const ssize_t sent = write(descriptor, bytes, count);
    if (sent <= 0)
      return false;
    bytes += sent;
    count -= size_t(sent);
  }
  return true;
}

using Deadline = std::optional<std::chrono::steady_clock::time_point>;

// Waits until there is something to read or the deadline has passed.
Received waitForBytes(int descriptor, Deadline deadline) {
  int wait = -1;
  if (deadline) {
    const auto left = *deadline - std::chrono::steady_clock::now();
    wait = int(std::max<int64_t>(0, std::chrono::ceil<std::chrono::milliseconds>(left).count()));
  }
  pollfd event{descriptor, POLLIN, 0};
  return poll(&event, 1, wait) > 0 ? Received::Text : Received::TooLate;
}

// Reads exactly that many bytes, in as many pieces as they arrive.
Received receiveBytes(int descriptor, char *bytes, size_t count, Deadline deadline) {
  while (count > 0) {
    if (waitForBytes(descriptor, deadline) == Received::TooLate)
      return Received::TooLate;
    const ssize_t got = read(descriptor, bytes, count);
    if (got <= 0)
      return Received::Closed;
    bytes += got;
    count -= size_t(got);
  }
  return Received::Text;
}

} // namespace

bool sendText(int descriptor, const std::string &text) {
  const uint64_t size = text.size();
  char head[sizeof size];
  std::memcpy(head, &size, sizeof size);
  return sendBytes(descriptor, head, sizeof head) && sendBytes(descriptor, text.data(), text.size());
}

Received receiveText(int descriptor, std::string &text, Deadline deadline) {
  uint64_t size = 0;
  char head[sizeof size];
  if (const Received got = receiveBytes(descriptor, head, sizeof head, deadline); got != Received::Text)
    return got;
  std::memcpy(&size, head, sizeof size);
  text.resize(size);
  return receiveBytes(descriptor, text.data(), size, deadline);
}

} // namespace lanecl::fuzz
