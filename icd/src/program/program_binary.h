// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Program binaries: a compiled or linked program as the application keeps it. Each profile has its own, as each GPU
// has.
#pragma once

#include "faults/program_text.h"
#include "frontend/frontend.h"

#include <string>
#include <string_view>

namespace lanecl::icd {

// `texts`: that it was compiled from. In check mode the binary has them, as programs that keep binaries, and pyopencl
// for all programs that use it, run the kernels of this one in the next process.
std::string binaryOf(const frontend::Module &module, const ProgramTexts &texts);

// What libraries bring for an Intel GPU: an ELF file, or the driver's older format.
bool isGpuCode(std::string_view bytes);

// False with a reason: the bytes are no binary of this device.
bool readBinary(std::string_view bytes, frontend::Module &module, ProgramTexts &texts, std::string &error);

} // namespace lanecl::icd
