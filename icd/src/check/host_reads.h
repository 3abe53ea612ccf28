// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What commands hand to the host of memory that nobody has written, or of values that kernels have made of such. Only
// where check mode knows it; see api/shadow.h.
#pragma once

#include "check/findings.h"
#include "memory/rect.h"

#include <CL/cl.h>

namespace lanecl::icd {

void startHostReadChecks(Findings &findings);

// Made when the command is enqueued, used when it runs. It does nothing where nothing is known.
class HostRead {
public:
  HostRead() = default; // of memory of which nothing is known
  // `memory` is all of a memory object or an allocation.
  HostRead(cl_command_type type, const std::byte *memory, size_t bytes);

  void of(const std::byte *first, size_t bytes) const;
  void of(const std::byte *base, const Rect &rect, const Box &box) const;

private:
  cl_command_type type_ = 0;
  const std::byte *memory_ = nullptr;
  size_t bytes_ = 0;
  const void *caller_ = nullptr;
};

} // namespace lanecl::icd
