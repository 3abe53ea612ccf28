// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Clang's action that compiles a program: it inserts LaneCL's readers of the syntax tree before Clang's code generator.
#include "clang_module/emit.h"

#include "clang_module/constant_operations.h"
#include "clang_module/extension_pragmas.h"
#include "clang_module/jump_reader.h"
#include "clang_module/kernel_attributes.h"
#include "clang_module/run_clang.h"

#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/MultiplexConsumer.h"

namespace lanecl::frontend {
namespace {

class EmitProgram final : public clang::EmitLLVMOnlyAction {
public:
  EmitProgram(llvm::LLVMContext &context, const ProgramJob &job, EmittedProgram &program)
      : EmitLLVMOnlyAction(&context), job(job), program(program) {}

  // Whether the program itself made Clang look at the disk. Every program makes it look for the include folders.
  bool lookedAtDisk() const {
    const DiskUse &use = job.files.diskUse();
    return !use.files.empty() || use.missing.size() > missing_search_folders;
  }

private:
  // Work-around for Clang's code generator (EmitDeclDestroy() in CGDeclCXX.cpp): it passes null instead of the object
  // to the destructor of a variable outside the default address space. With the C++ ABI of WebAssembly, where the
  // destructor's type differs from that of the function registered for it, Clang makes a function that knows the
  // object. tests/icd/destructors.cpp tells whether this is still needed.
  bool BeginInvocation(clang::CompilerInstance &compiler) override {
    if (compiler.getLangOpts().OpenCLCPlusPlus)
      compiler.getLangOpts().CXXABI = clang::TargetCXXABI::WebAssembly;
    return EmitLLVMOnlyAction::BeginInvocation(compiler);
  }

  // The consumers run in this order for each declaration, with the code generator last.
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler,
                                                        llvm::StringRef file) override {
    auto generator = EmitLLVMOnlyAction::CreateASTConsumer(compiler, file);
    if (!generator)
      return nullptr;
    missing_search_folders = job.files.diskUse().missing.size();
    acceptExtensionPragmas(compiler, job.extensions);
    std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
    consumers.push_back(makeKernelAttributeReader(compiler, job.sub_group_sizes, program.attributes));
    if (job.wants_jumps)
      consumers.push_back(makeJumpReader(program.jumps));
    consumers.push_back(makeConstantOperationKeeper());
    consumers.push_back(std::move(generator));
    return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
  }

  const ProgramJob &job;
  EmittedProgram &program;
  size_t missing_search_folders = 0;
};

} // namespace

EmittedProgram emitProgram(const ProgramJob &job, llvm::LLVMContext &context) {
  EmittedProgram program;
  EmitProgram action(context, job, program);
  const bool success = runClang(job.arguments, job.files, action, program.log);
  std::unique_ptr<llvm::Module> module = action.takeModule();
  if (success)
    program.module = std::move(module);
  program.looked_at_disk = action.lookedAtDisk();
  return program;
}

} // namespace lanecl::frontend
