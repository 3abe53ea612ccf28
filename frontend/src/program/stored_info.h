// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The description of a program as bytes, for the cache: reading it needs no IR.
#pragma once

#include "cache/byte_stream.h"
#include "frontend/frontend.h"

namespace lanecl::frontend {

void writeInfo(const ProgramInfo &info, ByteWriter &writer);
bool readInfo(ByteReader &reader, ProgramInfo &info); // false: the bytes are no such description

} // namespace lanecl::frontend
