// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Searches the shadow of memory that the host reads for uninitialized bytes, and leaves out padding.
#include "check/host/host_reads.h"

#include "api/shadow.h"
#include "check/host/command_names.h"
#include "check/host/host_caller.h"
#include "check/host/host_finding.h"
#include "icd/counted.h"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace lanecl::icd {
namespace {

std::atomic<Findings *> findings{nullptr};

// The uninitialized bytes among those that a command reads in one piece.
struct Unwritten {
  size_t first = 0, bytes = 0; // the offset of the first one, and how many there are
};

// Collects runs of uninitialized bytes, and recognizes padding: short gaps of equal length at equal distances, as in
// arrays of structures or of three-component vectors. Programs do not write padding, so it is not reported.
class Gaps {
public:
  void add(size_t begin, size_t bytes) {
    if (count == 0) {
      first = begin;
      length = bytes;
    } else if (count == 1) {
      distance = begin - first;
    }
    is_regular &= bytes == length && begin == first + count * distance;
    ++count;
    all += bytes;
  }
  bool arePadding() const { return is_regular && count > 1 && length < kMostPadding && distance <= kLongest; }
  Unwritten unwritten() const { return {first, all}; }

private:
  // A longer gap is an element that was not written; a longer distance is that of a work-group rather than of an
  // element.
  static constexpr size_t kMostPadding = 16, kLongest = 64;

  size_t count = 0, first = 0, length = 0, distance = 0, all = 0;
  bool is_regular = true;
};

bool isUnwritten(std::byte marks) {
  return marks != std::byte(0);
}

// Returns the first uninitialized byte's shadow, or `end`. It compares blocks first, since most memory is initialized.
const std::byte *firstUnwritten(const std::byte *marks, const std::byte *end) {
  static constexpr std::byte kWritten[256]{};
  while (size_t(end - marks) >= sizeof kWritten && std::memcmp(marks, kWritten, sizeof kWritten) == 0)
    marks += sizeof kWritten;
  return std::find_if(marks, end, isUnwritten);
}

// Returns the uninitialized bytes of a piece of memory, or none if they are padding.
Unwritten unwrittenOf(const std::byte *memory, size_t bytes) {
  const std::byte *const begin = shadowOf(memory), *const end = begin + bytes;
  Gaps gaps;
  for (const std::byte *gap = firstUnwritten(begin, end); gap != end;) {
    const std::byte *const gap_end = std::find_if_not(gap, end, isUnwritten);
    gaps.add(size_t(gap - begin), size_t(gap_end - gap));
    gap = firstUnwritten(gap_end, end);
  }
  return gaps.arePadding() ? Unwritten{} : gaps.unwritten();
}

} // namespace

void startHostReadChecks(Findings &all) {
  findings = &all;
}

HostRead::HostRead(cl_command_type type, const std::byte *memory, size_t bytes)
    : type_(type), memory_(memory), bytes_(bytes), caller_(shadowsAllMemory() ? hostCallAddress() : nullptr) {}

void HostRead::of(const std::byte *first, size_t bytes) const {
  Findings *const all = findings.load();
  if (!all || !memory_ || !shadowsAllMemory())
    return;
  const Unwritten unwritten = unwrittenOf(first, bytes);
  if (unwritten.bytes == 0)
    return;
  const std::string function = nameOfCommand(type_), caller = describeCall(caller_);
  reportHost(*all, "uninitialized-result", function + " called by " + caller,
             function + " returns to the host " + counted(unwritten.bytes, "byte") +
                 " that are uninitialized or computed from uninitialized values; the first is byte " +
                 std::to_string(size_t(first - memory_) + unwritten.first) + " of " + std::to_string(bytes_) +
                 (caller.empty() ? "" : "; called by " + caller));
}

void HostRead::of(const std::byte *base, const Rect &rect, const Box &box) const {
  for (size_t slice = 0; shadowsAllMemory() && slice < box[2]; ++slice)
    for (size_t row = 0; row < box[1]; ++row)
      of(base + rect.rowOffset(row, slice), box[0]);
}

} // namespace lanecl::icd
