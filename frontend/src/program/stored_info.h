// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Writes the description of a program as bytes for the cache, so that reading it needs no IR.
#pragma once

#include "cache/byte_stream.h"
#include "frontend/frontend.h"

namespace lanecl::frontend {

// Appends the description to `writer`.
void writeInfo(const ProgramInfo &info, ByteWriter &writer);
// Reads a description. Returns false if the bytes are not one.
bool readInfo(ByteReader &reader, ProgramInfo &info);

} // namespace lanecl::frontend
