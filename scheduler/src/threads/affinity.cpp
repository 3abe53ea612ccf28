// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "threads/affinity.h"

#include <cassert>
#include <cerrno>
#include <climits>
#include <new>
#include <sched.h>
#include <utility>

namespace lanecl::scheduler {

namespace {

constexpr unsigned kBits = sizeof(unsigned long) * CHAR_BIT;
constexpr size_t kMostWords = (size_t{1} << 16) / kBits; // more processors than any system has

// The binding that is in effect on the calling thread, or null.
thread_local const ScopedAffinity *current = nullptr;

} // namespace

ProcessorSet::ProcessorSet(std::span<const unsigned> processors) {
  for (unsigned processor : processors) {
    if (processor / kBits >= words.size())
      words.resize(processor / kBits + 1);
    words[processor / kBits] |= 1ul << processor % kBits;
  }
}

std::optional<ProcessorSet> ProcessorSet::ofThisThread() {
  ProcessorSet set;
  // The system call fails with EINVAL unless the set has room for all processors that the system could have.
  for (size_t count = 1024 / kBits; count <= kMostWords; count *= 2) {
    set.words.assign(count, 0);
    if (sched_getaffinity(0, count * sizeof(unsigned long), reinterpret_cast<cpu_set_t *>(set.words.data())) == 0)
      return set;
    if (errno != EINVAL)
      break;
  }
  return std::nullopt;
}

std::vector<unsigned> ProcessorSet::numbers() const {
  std::vector<unsigned> result;
  for (unsigned i = 0; i < words.size() * kBits; ++i)
    if (words[i / kBits] >> i % kBits & 1)
      result.push_back(i);
  return result;
}

bool ProcessorSet::bindThisThread() const {
  assert(!words.empty() && "the system refuses to bind a thread to no processor");
  return sched_setaffinity(0, words.size() * sizeof(unsigned long),
                           reinterpret_cast<const cpu_set_t *>(words.data())) == 0;
}

ScopedAffinity::ScopedAffinity(const ProcessorSet *to) {
  if (to == nullptr || current != nullptr)
    return;
  try {
    before = ProcessorSet::ofThisThread();
  } catch (const std::bad_alloc &) { // without memory the commands run unbound
  }
  if (!before || !to->bindThisThread())
    return;
  set = to;
  current = this;
}

ScopedAffinity::~ScopedAffinity() {
  if (set == nullptr)
    return;
  assert(current == this && before && "bindings of a thread end in the reverse order");
  current = nullptr;
  before->bindThisThread();
}

ScopedOwnAffinity::ScopedOwnAffinity() : outer(std::exchange(current, nullptr)) {
  if (outer != nullptr)
    outer->before->bindThisThread();
}

ScopedOwnAffinity::~ScopedOwnAffinity() {
  if (outer == nullptr)
    return;
  assert(current == nullptr && "bindings of a thread end in the reverse order");
  current = outer;
  outer->set->bindThisThread();
}

} // namespace lanecl::scheduler
