// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reports commands that hand uninitialized memory to the host, or values that kernels computed from such memory. The
// shadow memory of check mode tells which bytes are uninitialized; see api/shadow.h.
#pragma once

#include "check/findings/findings.h"
#include "memory/rect.h"

#include <CL/cl.h>

namespace lanecl::icd {

void startHostReadChecks(Findings &findings);

// One command that reads for the host. The object is made when the command is enqueued, so that it can record the
// caller, and checks the bytes when the command runs. It does nothing if there is no shadow memory.
class HostRead {
public:
  // Makes a read of memory without a shadow, which is never reported.
  HostRead() = default;
  // `memory` and `bytes` are the whole memory object or allocation; reports give offsets from its start.
  HostRead(cl_command_type type, const std::byte *memory, size_t bytes);

  // Checks the bytes that the command reads: one piece, or the rows of a box.
  void of(const std::byte *first, size_t bytes) const;
  void of(const std::byte *base, const Rect &rect, const Box &box) const;

private:
  cl_command_type type_ = 0;
  const std::byte *memory_ = nullptr;
  size_t bytes_ = 0;
  const void *caller_ = nullptr;
};

} // namespace lanecl::icd
