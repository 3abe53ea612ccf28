// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Links the modules and adapts attributes, so that the vectorizer sees which functions are convergent or access memory.
#include "library.h"

#include <cassert>
#include <llvm/IR/AttributeMask.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/IPO/FunctionAttrs.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>

namespace lanecl::builtins {

static constexpr llvm::StringLiteral kPrimitivePrefix = "__lanecl_";

llvm::StringRef primitiveName(const llvm::Function &function) {
  llvm::StringRef name = function.getName();
  size_t length = 0;
  if (!name.consume_front("_Z") || name.consumeInteger(10, length))
    return {};
  name = name.take_front(length);
  return name.consume_front(kPrimitivePrefix) ? name : llvm::StringRef();
}

namespace {

// As the list of primitives names them.
enum class PrimitiveClass { Launch, Dimension, Lanes, Item, Other };

struct Primitive {
  llvm::StringLiteral name;
  PrimitiveClass kind;
};

constexpr Primitive kPrimitives[] = {
#define PRIMITIVE(Enumerator, name, Result, Class, Reveals) {name, PrimitiveClass::Class},
#include "vectorizer/contract/lane_primitives.def"
};

// The bounds of memory, which are queries, too, although none of the launch.
constexpr llvm::StringLiteral kBounds[] = {"local_memory", "local_bytes", "private_memory", "private_bytes"};

// Returns true if the primitive only queries ids, sizes or addresses, and so is not convergent. OpenCL C cannot declare
// functions that are not convergent.
bool isQuery(llvm::StringRef name) {
  const auto isOfLaunch = [&](const Primitive &entry) {
    return entry.name == name && (entry.kind == PrimitiveClass::Launch || entry.kind == PrimitiveClass::Dimension);
  };
  return llvm::any_of(kPrimitives, isOfLaunch) || llvm::is_contained(kBounds, name);
}

// Removes attributes that belong to one target or forbid optimization.
void eraseStringAttributes(llvm::Function &function) {
  llvm::AttributeMask mask;
  for (const llvm::Attribute &attribute : function.getAttributes().getFnAttrs())
    if (attribute.isStringAttribute())
      mask.addAttribute(attribute.getKindAsString());
  mask.addAttribute(llvm::Attribute::NoInline);
  mask.addAttribute(llvm::Attribute::OptimizeNone);
  function.removeFnAttrs(mask);
}

// Removes metadata that would be wrong or useless in a kernel. The library's type-based aliasing metadata is wrong for
// programs that reuse private memory for another type.
void cleanInstruction(llvm::Instruction &instruction) {
  for (unsigned kind : {llvm::LLVMContext::MD_tbaa, llvm::LLVMContext::MD_fpmath, llvm::LLVMContext::MD_noalias,
                        llvm::LLVMContext::MD_alias_scope})
    instruction.setMetadata(kind, nullptr);
  if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    llvm::Function *callee = call->getCalledFunction();
    if (callee && !callee->isIntrinsic())
      call->setCallingConv(callee->getCallingConv());
    if (callee && !callee->isConvergent())
      call->removeFnAttr(llvm::Attribute::Convergent);
  }
}

// Sets SPIR's calling convention, and a linkage with which a kernel gets only the functions that it calls. Declarations
// of queries lose `convergent`.
void cleanFunction(llvm::Function &function) {
  eraseStringAttributes(function);
  if (function.isIntrinsic())
    return;
  function.setCallingConv(llvm::CallingConv::SPIR_FUNC);
  if (isQuery(primitiveName(function)))
    function.removeFnAttr(llvm::Attribute::Convergent);
  if (!function.isDeclaration() && function.hasExternalLinkage())
    function.setLinkage(llvm::GlobalValue::LinkOnceODRLinkage);
}

// Deduces from their calls which functions are convergent or access memory, now that all definitions are available.
void deduceAttributes(llvm::Module &library) {
  llvm::PassBuilder builder;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graphs;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graphs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graphs, modules);
  llvm::ModulePassManager passes;
  passes.addPass(llvm::createModuleToPostOrderCGSCCPassAdaptor(llvm::PostOrderFunctionAttrsPass()));
  passes.run(library, modules);
}

} // namespace

// Drops the metadata of loops: libclc forbids unrolling of all loops, but here the kernel decides about that.
static void dropLoopHints(llvm::Function &function) {
  for (llvm::BasicBlock &block : function)
    block.getTerminator()->setMetadata(llvm::LLVMContext::MD_loop, nullptr);
}

bool linkBehind(llvm::Module &own, std::unique_ptr<llvm::Module> libclc) {
  assert(&own.getContext() == &libclc->getContext() && "modules of two contexts do not link");
  // Libclc's definition is dropped where LaneCL has one, so that the linker sees only one.
  for (llvm::Function &function : *libclc) {
    const llvm::Function *ours = own.getFunction(function.getName());
    if (!function.isDeclaration() && ours && !ours->isDeclaration())
      function.deleteBody();
    dropLoopHints(function);
  }
  for (llvm::NamedMDNode &node : llvm::make_early_inc_range(libclc->named_metadata()))
    libclc->eraseNamedMetadata(&node);
  libclc->setDataLayout(own.getDataLayout());
  libclc->setTargetTriple(own.getTargetTriple());
  return !llvm::Linker::linkModules(own, std::move(libclc));
}

// Gives __lanecl_collective_scratch(), declared in OpenCL C, a body that returns the address of a local array: 64 bits
// for each sub-group of the largest work-group.
void defineCollectiveScratch(llvm::Module &library) {
  constexpr unsigned kLocalAddressSpace = 3, kMostSubGroups = 1024;
  for (llvm::Function &function : library) {
    if (primitiveName(function) != "collective_scratch")
      continue;
    assert(function.isDeclaration() &&
           function.getReturnType() == llvm::PointerType::get(function.getContext(), kLocalAddressSpace) &&
           "OpenCL C declares the function, with a result in local memory");
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(library.getContext(), "entry", &function));
    auto *type = llvm::ArrayType::get(builder.getInt64Ty(), kMostSubGroups);
    auto *scratch = new llvm::GlobalVariable(library, type, false, llvm::GlobalValue::InternalLinkage,
                                             llvm::UndefValue::get(type), "__lanecl_collective_scratch_memory", nullptr,
                                             llvm::GlobalValue::NotThreadLocal, kLocalAddressSpace);
    scratch->setAlignment(llvm::Align(8));
    builder.CreateRet(scratch);
  }
}

void finishLibrary(llvm::Module &library) {
  for (llvm::NamedMDNode &node : llvm::make_early_inc_range(library.named_metadata()))
    library.eraseNamedMetadata(&node);
  for (llvm::Function &function : library)
    cleanFunction(function);
  for (llvm::Function &function : library)
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &instruction : block)
        cleanInstruction(instruction);
  deduceAttributes(library);
  library.setModuleIdentifier("lanecl-builtins");
  library.setSourceFileName("lanecl-builtins");
}

std::string unresolvedCalls(const llvm::Module &library) {
  std::string result;
  for (const llvm::Function &function : library) {
    if (!function.isDeclaration() || function.isIntrinsic() || function.use_empty())
      continue;
    if (primitiveName(function).empty())
      result += function.getName().str() + "\n";
  }
  return result;
}

} // namespace lanecl::builtins
