// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "program/program_binary.h"

#include "icd/profile.h"

namespace lanecl::icd {
namespace {

// Behind the module. The processor's binaries have none.
std::string trailer() {
  return profile().is_gpu ? "\nLaneCL device " + std::string(profile().name) : std::string();
}

// Instead of machine code.
std::string wayOut() {
  const bool is_older = profile().gpu.ip_version != 0 && profile().gpu.ip_version >> 22 <= 11; // the major version
  if (is_older)
    return "give OpenCL C or SPIR-V, which libraries that try machine code first do";
  return "with LANECL_DEVICE=gen9 or gen11 libraries that bring such code for newer GPUs use OpenCL C instead";
}

} // namespace

bool isGpuCode(std::string_view bytes) {
  return bytes.starts_with("\177ELF") || bytes.starts_with("CTNI");
}

std::string binaryOf(const frontend::Module &module) {
  return frontend::Frontend::serialize(module) + trailer();
}

bool readBinary(std::string_view bytes, frontend::Module &module, std::string &error) {
  if (isGpuCode(bytes)) {
    error = "this is machine code for a GPU, which runs on that GPU only; " + wayOut();
    return false;
  }
  const std::string own = trailer();
  if (!bytes.ends_with(own)) {
    error = "the program binary was made for another device; build the program from source again";
    return false;
  }
  bytes.remove_suffix(own.size());
  return frontend::Frontend::deserialize(bytes, module, error);
}

} // namespace lanecl::icd
