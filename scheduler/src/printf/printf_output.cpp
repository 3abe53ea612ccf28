// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The buffer that collects what kernels print, and writing it to stdout.

#include "printf/printf.h"

#include "threads/fork.h"

#include <atomic>
#include <cstdio>
#include <mutex>

namespace lanecl::scheduler {

namespace {

constexpr size_t kFlushAt = size_t{256} << 10; // bytes of buffered text

// The text that kernels have printed and that is not yet written out.
struct Output {
  std::mutex mutex;
  std::string text;
  std::atomic<bool> any{false};
};
PerProcess<Output> output;

void writeOut(Output &out) {
  std::fwrite(out.text.data(), 1, out.text.size(), stdout);
  std::fflush(stdout);
  out.text.clear();
  out.any.store(false, std::memory_order_relaxed);
}

} // namespace

void appendOutput(std::string_view text) {
  Output &out = output.get();
  std::lock_guard lock(out.mutex);
  out.text.append(text);
  out.any.store(true, std::memory_order_relaxed);
  if (out.text.size() >= kFlushAt)
    writeOut(out);
}

void flushOutput() {
  Output &out = output.get();
  if (!out.any.load(std::memory_order_relaxed))
    return;
  std::lock_guard lock(out.mutex);
  if (!out.text.empty())
    writeOut(out);
}

} // namespace lanecl::scheduler
