// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernel/import/import.h"

#include "analysis/lane_target.h"
#include "codegen/target_machine.h"
#include "kernel/import/builtin_library.h"
#include "kernel/import/promises.h"
#include "kernel/import/relaxed_functions.h"
#include "kernel/import/sine_and_cosine.h"
#include "kernel/launch/program_variables.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace lanecl::vectorizer {

// Clang compiles a kernel to two functions: a body of this name, and an entry that calls it. Passes and debuggers
// should see one function, so the body becomes the kernel.
static constexpr StringLiteral kBodyPrefix = "__clang_ocl_kern_imp_";

// Drops the compilation's module-level metadata, which would conflict when modules are linked.
static void dropModuleDescription(Module &module) {
  for (StringRef name : {"llvm.module.flags", "llvm.ident", "llvm.commandline", "opencl.ocl.version",
                         "opencl.spir.version", "opencl.used.extensions", "opencl.used.optional.core.features",
                         "opencl.compiler.options", "nvvm.annotations", "nvvmir.version", "nvvm-reflect-ftz"})
    if (NamedMDNode *node = module.getNamedMetadata(name))
      module.eraseNamedMetadata(node);
}

// Opens the program lazily: function bodies are read when they are needed.
static std::unique_ptr<Module> openProgram(LLVMContext &context, MemoryBufferRef buffer, Diagnostics &diagnostics) {
  Expected<std::unique_ptr<Module>> module = getLazyBitcodeModule(buffer, context);
  if (module)
    return std::move(*module);
  diagnostics.error("cannot read the program: " + toString(module.takeError()));
  return nullptr;
}

// Returns the function with the kernel's code, or null if the program has no such kernel.
static Function *kernelBody(Module &program, StringRef kernel) {
  if (Function *body = program.getFunction((kBodyPrefix + kernel).str()))
    return body;
  return program.getFunction(kernel);
}

// Makes alignments explicit before the data layout changes, because the program expects those of its own layout.
static void fixAlignments(Module &module) {
  const DataLayout &layout = module.getDataLayout();
  for (GlobalVariable &variable : module.globals())
    if (!variable.getAlign() && variable.getValueType()->isSized())
      variable.setAlignment(layout.getPrefTypeAlign(variable.getValueType()));
}

// Changes the module's target to this processor.
static void retarget(Module &module, const TargetMachine &target) {
  fixAlignments(module);
  module.setTargetTriple(target.getTargetTriple());
  module.setDataLayout(target.createDataLayout());
}

// Gives the function's calls the C calling convention, as their callees have it.
static void makeCallsPlain(Function &function) {
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&instruction))
      call->setCallingConv(CallingConv::C);
}

// Adapts all functions to this processor and the C calling convention; all but the kernel become internal.
static void adopt(Module &module, Function &kernel, const TargetMachine &target) {
  // Assembly and attributes for the program's own target are dropped.
  module.setModuleInlineAsm("");
  for (Function &function : module) {
    function.setCallingConv(CallingConv::C);
    function.setDLLStorageClass(GlobalValue::DefaultStorageClass);
    function.setComdat(nullptr);
    if (function.isDeclaration())
      continue;
    for (StringRef stale : {"frame-pointer", "stack-protector-buffer-size", "uniform-work-group-size", "target-cpu",
                            "target-features", "tune-cpu"})
      function.removeFnAttr(stale);
    for (Attribute::AttrKind stale : {Attribute::NoInline, Attribute::OptimizeNone, Attribute::OptimizeForSize,
                                      Attribute::MinSize, Attribute::StackProtectStrong})
      function.removeFnAttr(stale);
    addTargetAttributes(function, target);
    makeCallsPlain(function);
    function.setVisibility(GlobalValue::DefaultVisibility);
    function.setLinkage(&function == &kernel ? GlobalValue::ExternalLinkage : GlobalValue::InternalLinkage);
  }
}

// Makes variables internal. Reports those that are undefined or have no place in the program's memory.
static bool checkVariables(Module &module, StringRef kernel, Diagnostics &diagnostics) {
  for (GlobalVariable &variable : module.globals()) {
    if (variable.isDeclaration()) {
      if (variable.use_empty())
        continue;
      diagnostics.error("undefined variable '" + variable.getName() + "' used in kernel '" + kernel + "'");
      return false;
    }
    variable.setComdat(nullptr);
    variable.setVisibility(GlobalValue::DefaultVisibility);
    variable.setLinkage(GlobalValue::InternalLinkage);
    if (variable.isConstant() || variable.getAddressSpace() == kLocal || variable.getAddressSpace() == kConstant ||
        isInProgramMemory(variable))
      continue;
    diagnostics.error("kernel '" + kernel + "' uses the program scope variable '" + variable.getName() +
                      "', which has no place in the program's memory; link the program first");
    return false;
  }
  return true;
}

namespace {

// Collects the linker's errors, which it reports through the context, for our own diagnostics.
class LinkerErrors final : public DiagnosticHandler {
public:
  explicit LinkerErrors(std::string &text) : text(text) {}

  bool handleDiagnostics(const DiagnosticInfo &info) override {
    if (info.getSeverity() != DS_Error)
      return true;
    raw_string_ostream out(text);
    DiagnosticPrinterRawOStream printer(out);
    info.print(printer);
    return true;
  }

private:
  std::string &text;
};

} // namespace

// Links what `into` refers to and does not define.
static bool linkNeeded(Module &into, std::unique_ptr<Module> from, Diagnostics &diagnostics) {
  std::string complaint;
  LLVMContext &context = into.getContext();
  std::unique_ptr<DiagnosticHandler> previous = context.getDiagnosticHandler();
  context.setDiagnosticHandler(std::make_unique<LinkerErrors>(complaint));
  const bool failed = Linker::linkModules(into, std::move(from), Linker::LinkOnlyNeeded);
  context.setDiagnosticHandler(std::move(previous));
  if (failed)
    diagnostics.error("linking failed: " + complaint);
  return !failed;
}

// Adds the functions of the built-in library that the module calls.
static bool linkBuiltins(Module &module, const ImportRequest &request, Diagnostics &diagnostics) {
  if (!request.builtins)
    return true;
  callRelaxedFunctions(module);
  if (request.join_calls)
    joinSineAndCosine(module);
  std::unique_ptr<Module> library = request.builtins->needed(module, module.getContext(), diagnostics);
  if (!library)
    return false;
  dropModuleDescription(*library);
  retarget(*library, *request.target);
  return linkNeeded(module, std::move(library), diagnostics);
}

std::unique_ptr<Module> importKernel(LLVMContext &context, const ImportRequest &request, Diagnostics &diagnostics) {
  std::unique_ptr<Module> program = openProgram(context, request.program, diagnostics);
  if (!program)
    return nullptr;
  Function *body = kernelBody(*program, request.kernel);
  if (!body || (body->isDeclaration() && !body->isMaterializable())) {
    diagnostics.error("the program has no kernel '" + request.kernel + "'");
    return nullptr;
  }
  // The linker takes only what is referenced, so the module starts with a declaration of the kernel.
  auto module = std::make_unique<Module>(request.kernel, context);
  module->setDataLayout(program->getDataLayout());
  module->setTargetTriple(program->getTargetTriple());
  module->setSourceFileName(program->getSourceFileName());
  const std::string body_name = body->getName().str();
  Function::Create(body->getFunctionType(), GlobalValue::ExternalLinkage, body_name, *module);
  if (!linkNeeded(*module, std::move(program), diagnostics))
    return nullptr;
  retarget(*module, *request.target);
  if (!linkBuiltins(*module, request, diagnostics))
    return nullptr;

  // The linked function gets the kernel's name, also where it is only the body of the kernel.
  Function *kernel = module->getFunction(body_name);
  if (body_name != request.kernel) {
    if (Function *entry = module->getFunction(request.kernel)) // other kernels that call this one already call the body
      entry->setName(request.kernel + ".entry");
    kernel->setName(request.kernel);
    // Debuggers show the linkage name if there is one, so it is removed.
    if (DISubprogram *subprogram = kernel->getSubprogram())
      subprogram->replaceLinkageName(nullptr);
  }
  adopt(*module, *kernel, *request.target);
  dropPromises(*module);
  return checkVariables(*module, request.kernel, diagnostics) ? std::move(module) : nullptr;
}

} // namespace lanecl::vectorizer
