// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "spirv/translator/translator.h"

#include "opencl_c/child_process.h"

namespace lanecl::frontend::spirv {
namespace {

constexpr std::string_view kBitcodeMagic{"BC\xC0\xDE", 4};

std::string firstLine(const std::string &text) {
  return text.substr(0, text.find('\n'));
}

} // namespace

bool translate(const std::string &program, std::string_view module, std::string &bitcode, std::string &error,
               std::chrono::milliseconds limit) {
  // With the target CL2.0 built-in functions have the names of OpenCL C, and atomic operations keep their order and
  // scope. All extensions are allowed here, because checkEnvironment() has checked those of the module.
  ChildResult result =
      runChild(program,
               {"-r", "--spirv-target-env=CL2.0", "--spirv-ext=+all", "--spirv-gen-kernel-arg-name-md",
                "--preserve-ocl-kernel-arg-type-metadata-through-string", "/proc/self/fd/0", "-o", "-"},
               module, limit);
  if (result.failure.empty() && result.output.starts_with(kBitcodeMagic)) {
    bitcode = std::move(result.output);
    return true;
  }
  if (result.failure.empty())
    result.failure = "it wrote no LLVM bitcode";
  error = "error: the SPIR-V translator '" + program + "' failed: " + result.failure;
  if (!result.messages.empty())
    error += ": " + firstLine(result.messages);
  error += "; it must be llvm-spirv of LLVM 15, and LANECL_SPIRV_TRANSLATOR can name another one\n";
  return false;
}

} // namespace lanecl::frontend::spirv
