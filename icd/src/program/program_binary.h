// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Program binaries: a compiled or linked program as the application stores it. Each profile has binaries of its own, as
// each GPU has.
#pragma once

#include "faults/program_text.h"
#include "frontend/frontend.h"

#include <string>
#include <string_view>

namespace lanecl::icd {

// Returns the binary of a module. `texts` are what the module was compiled from; they are empty outside check mode.
// Many programs store binaries, as pyopencl does, and run them in later processes. Findings show lines of the texts
// there.
std::string binaryOf(const frontend::Module &module, const ProgramTexts &texts);

// Returns true if the bytes are machine code for an Intel GPU: an ELF file, or the driver's older format ("CTNI").
bool isGpuCode(std::string_view bytes);

// Reads a binary. Returns false, with the reason in `error`, if the bytes are no binary of this device.
bool readBinary(std::string_view bytes, frontend::Module &module, ProgramTexts &texts, std::string &error);

} // namespace lanecl::icd
