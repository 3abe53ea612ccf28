// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "host_library.h"

#include <clang/CodeGen/CodeGenAction.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Tooling/Tooling.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <stdexcept>

namespace {

void check(llvm::Error error) {
  if (error)
    throw std::runtime_error(llvm::toString(std::move(error)));
}

template <typename T> T check(llvm::Expected<T> value) {
  check(value.takeError());
  return std::move(*value);
}

// Keeps the module of the compilation that clang::tooling drives.
class KeepModule : public clang::EmitLLVMOnlyAction {
public:
  KeepModule(llvm::LLVMContext &context, std::unique_ptr<llvm::Module> &result)
      : EmitLLVMOnlyAction(&context), result(result) {}
  void EndSourceFileAction() override {
    EmitLLVMOnlyAction::EndSourceFileAction();
    result = takeModule();
  }

private:
  std::unique_ptr<llvm::Module> &result;
};

std::unique_ptr<llvm::Module> compile(const std::string &source, llvm::LLVMContext &context) {
  std::unique_ptr<llvm::Module> module;
  const std::vector<std::string> arguments{"--target=spir64-unknown-unknown",
                                           "-xcl",
                                           "-cl-std=CL3.0",
                                           "-cl-no-stdinc",
                                           "-Dcl_intel_sigmoid",
                                           "-include",
                                           "opencl-c.h",
                                           "-include",
                                           LANECL_C_HEADER,
                                           "-resource-dir=" LANECL_CLANG_RESOURCES,
                                           "-O1",
                                           "-ffp-contract=off"};
  clang::tooling::runToolOnCodeWithArgs(std::make_unique<KeepModule>(context, module), source, arguments, "host.cl");
  if (!module)
    throw std::runtime_error("the source does not compile");
  return module;
}

void link(llvm::Module &module, llvm::LLVMContext &context) {
  auto buffer = check(llvm::errorOrToExpected(llvm::MemoryBuffer::getFile(LANECL_BUILTINS_BC)));
  auto library = check(llvm::getOwningLazyBitcodeModule(std::move(buffer), context));
  if (llvm::Linker::linkModules(module, std::move(library), llvm::Linker::LinkOnlyNeeded))
    throw std::runtime_error("the library does not link");
}

// The SPIR calling convention and data layout become the host's.
void retarget(llvm::Module &module, const llvm::TargetMachine &target) {
  module.setTargetTriple(target.getTargetTriple());
  module.setDataLayout(target.createDataLayout());
  for (llvm::Function &function : module) {
    function.setCallingConv(llvm::CallingConv::C);
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &instruction : block)
        if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
          call->setCallingConv(llvm::CallingConv::C);
  }
}

void optimize(llvm::Module &module, llvm::TargetMachine &target) {
  llvm::PassBuilder builder(&target);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graphs;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graphs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graphs, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2).run(module, modules);
}

} // namespace

HostLibrary::HostLibrary(const std::string &source) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto context = std::make_unique<llvm::LLVMContext>();
  auto module = compile(source, *context);
  link(*module, *context);
  auto host = check(llvm::orc::JITTargetMachineBuilder::detectHost());
  auto target = check(host.createTargetMachine());
  retarget(*module, *target);
  optimize(*module, *target);
  jit = check(llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(host).create());
  check(jit->addIRModule(llvm::orc::ThreadSafeModule(std::move(module), std::move(context))));
}

HostLibrary::~HostLibrary() = default;

void *HostLibrary::address(const std::string &name) const {
  return check(jit->lookup(name)).toPtr<void *>();
}
