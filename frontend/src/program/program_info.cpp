// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Describes programs, guarded against crashes of LLVM's bitcode reader on damaged binaries.
#include "program/program_info.h"

#include "program/constructors.h"
#include "program/destructors.h"
#include "program/kernel_info.h"
#include "program/program_variables.h"
#include "vectorizer/crash_guard.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"

namespace lanecl::frontend {
namespace {

bool readAll(const std::string &bitcode, ProgramInfo &info, std::string &error) {
  llvm::LLVMContext context;
  auto program = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bitcode, "program"), context);
  if (program)
    return describeProgram(**program, info, error);
  error = "error: the program is damaged: " + llvm::toString(program.takeError());
  return false;
}

} // namespace

bool describeProgram(const llvm::Module &program, ProgramInfo &info, std::string &log) {
  info.kernels = readKernels(program);
  info.has_constructor = hasConstructor(program);
  info.has_destructor = hasDestructor(program);
  return readVariables(program, info.variables, log);
}

// Guarded, because LLVM may crash on the damaged bitcode of a binary.
std::shared_ptr<const ProgramInfo> readProgramInfo(const Module &module, std::string &error) {
  error.clear();
  if (!module) {
    error = "error: the program has not been built";
    return nullptr;
  }
  auto info = std::make_shared<ProgramInfo>();
  std::string reason;
  bool good = false;
  if (!vectorizer::runGuarded([&] { good = readAll(*module.bitcode, *info, error); }, reason))
    error = "error: the program is damaged: " + reason;
  return good ? info : nullptr;
}

} // namespace lanecl::frontend
