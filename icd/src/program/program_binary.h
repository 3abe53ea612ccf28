// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Program binaries: a compiled or linked program as the application keeps it. Each profile has its own, as each GPU
// has.
#pragma once

#include "faults/program_text.h"
#include "frontend/frontend.h"

#include <string>
#include <string_view>

namespace lanecl::icd {

// `texts` that the module was compiled from become part of the binary; there are some in check mode. A program that
// keeps its binaries, as pyopencl does, runs them in later processes, where findings show lines of the texts.
std::string binaryOf(const frontend::Module &module, const ProgramTexts &texts);

// What libraries bring for an Intel GPU: an ELF file, or the driver's older format.
bool isGpuCode(std::string_view bytes);

// False with a reason: the bytes are no binary of this device.
bool readBinary(std::string_view bytes, frontend::Module &module, ProgramTexts &texts, std::string &error);

} // namespace lanecl::icd
