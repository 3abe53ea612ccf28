// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// lanecl-builtins-linker: links libclc and LaneCL's OpenCL C modules into the built-in library. Runs at build time
// only.
#include "libclc.h"
#include "library.h"
#include "revealing_functions.h"

#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/InitLLVM.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/WithColor.h>

namespace {

llvm::cl::opt<std::string> output_path("o", llvm::cl::desc("The library to write"), llvm::cl::Required);
llvm::cl::opt<std::string> functions_path("revealing-functions",
                                          llvm::cl::desc("The list to write of functions that tell "
                                                         "work-items how they are grouped"),
                                          llvm::cl::Required);
llvm::cl::opt<std::string> libclc_path("libclc", llvm::cl::desc("libclc's NVPTX bitcode"), llvm::cl::Required);
llvm::cl::list<std::string> own_paths(llvm::cl::Positional, llvm::cl::desc("<our bitcode files>"), llvm::cl::OneOrMore);

// Prints the message and returns the exit status of a failure.
int fail(const llvm::Twine &message) {
  llvm::WithColor::error(llvm::errs(), "lanecl-builtins-linker") << message << "\n";
  return 1;
}

// Links LaneCL's own modules. Returns null with the reason in `error`.
std::unique_ptr<llvm::Module> linkOwn(llvm::LLVMContext &context, std::string &error) {
  std::unique_ptr<llvm::Module> own;
  for (const std::string &path : own_paths) {
    llvm::SMDiagnostic diagnostic;
    auto module = llvm::parseIRFile(path, diagnostic, context);
    if (!module) {
      error = path + ": " + diagnostic.getMessage().str();
      return nullptr;
    }
    if (!own) {
      own = std::move(module);
    } else if (llvm::Linker::linkModules(*own, std::move(module))) {
      error = path + ": does not link with the files before it";
      return nullptr;
    }
  }
  return own;
}

// Writes a file by `print`. Returns false with the reason in `error`.
bool write(const std::string &path, llvm::function_ref<void(llvm::raw_ostream &)> print, std::string &error) {
  std::error_code code;
  llvm::raw_fd_ostream stream(path, code, llvm::sys::fs::OF_None);
  if (!code)
    print(stream);
  error = code ? path + ": " + code.message() : "";
  return !code;
}

} // namespace

// The library is checked before it is written, so that a broken one fails the build and not a program.
int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::cl::ParseCommandLineOptions(argc, argv, "Makes LaneCL's built-in library\n");
  llvm::LLVMContext context;
  std::string error;
  auto own = linkOwn(context, error);
  if (!own)
    return fail(error);
  auto libclc = lanecl::builtins::loadLibclc(libclc_path, context, error);
  if (!libclc)
    return fail(error);
  if (!lanecl::builtins::linkBehind(*own, std::move(libclc)))
    return fail("libclc does not link with our modules");
  lanecl::builtins::defineCollectiveScratch(*own);
  lanecl::builtins::finishLibrary(*own);
  if (std::string missing = lanecl::builtins::unresolvedCalls(*own); !missing.empty())
    return fail("called but defined nowhere:\n" + missing);
  if (llvm::verifyModule(*own, &llvm::errs()))
    return fail("the linked library is broken");
  const std::string functions = lanecl::builtins::revealingFunctions(*own, error);
  if (!error.empty())
    return fail(error);
  return write(
             output_path, [&](llvm::raw_ostream &out) { llvm::WriteBitcodeToFile(*own, out); }, error) &&
                 write(
                     functions_path, [&](llvm::raw_ostream &out) { out << functions; }, error)
             ? 0
             : fail(error);
}
