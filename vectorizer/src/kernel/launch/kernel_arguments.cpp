// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernel/launch/kernel_arguments.h"

#include "analysis/functions/markers.h"
#include "analysis/lane_target.h"
#include "defined/replace_undef.h"
#include "kernel/import/debug_info.h"
#include "kernel/import/restrict.h"
#include "kernel/launch/known_images.h"
#include "kernel/launch/launch_abi.h"
#include "kernel/launch/local_variables.h"
#include "kernel/launch/program_variables.h"
#include "vectorizer/contract/abi.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

// Emits the loads of the arguments, in the order and layout of abi.h.
class ArgumentLoader {
public:
  ArgumentLoader(Function &wrapper, IRBuilder<> &builder) : builder(builder), layout(wrapper.getDataLayout()) {
    block = loadLaunchField(builder, builder.getPtrTy(kConstant), wrapper.getArg(kLaunchParameter),
                            offsetof(abi::LaunchInfo, arguments), "arguments");
    worker = wrapper.getArg(kWorkerParameter);
  }

  Value *load(Argument &argument);
  // Notes the size of the block, once all arguments have been loaded.
  void describeBlock();

private:
  Value *place(uint64_t size, Align alignment);
  Value *loadLocalPointer(const Argument &argument);
  Value *copyStruct(const Argument &argument);
  LoadInst *loadValue(Type *type, Align alignment, uint64_t size, const Twine &name);

  IRBuilder<> &builder;
  const DataLayout &layout;
  LoadInst *block;
  Value *worker;
  Value *local_memory = nullptr;
  uint64_t offset = 0; // of the next argument in the block, in bytes
};

// Returns the address of the next argument and advances past it.
Value *ArgumentLoader::place(uint64_t size, Align alignment) {
  offset = abi::align_up(offset, alignment.value());
  Value *address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), block, offset);
  offset += size;
  return address;
}

// Loads the next argument. The block never changes while the kernel runs.
LoadInst *ArgumentLoader::loadValue(Type *type, Align alignment, uint64_t size, const Twine &name) {
  LoadInst *load = builder.CreateAlignedLoad(type, place(size, alignment), alignment, name);
  MDNode *yes = MDNode::get(builder.getContext(), {});
  load->setMetadata(LLVMContext::MD_invariant_load, yes);
  load->setMetadata(LLVMContext::MD_noundef, yes);
  return load;
}

// Returns the address of a local argument, whose offset in local memory is packed.
Value *ArgumentLoader::loadLocalPointer(const Argument &argument) {
  assert(argument.getType()->getPointerAddressSpace() == kLocal && "the block holds an offset for it");
  Value *bytes = loadValue(builder.getInt64Ty(), Align(8), 8, argument.getName() + ".offset");
  if (!local_memory)
    local_memory = loadLocalMemory(builder, worker);
  return builder.CreateInBoundsGEP(builder.getInt8Ty(), local_memory, bytes, argument.getName());
}

// Returns whether memory is only read through the pointer.
static bool isOnlyRead(const Value &pointer) {
  return all_of(pointer.uses(), [](const Use &use) {
    const User *user = use.getUser();
    if (isa<GetElementPtrInst, AddrSpaceCastInst>(user))
      return isOnlyRead(*user);
    if (const auto *copy = dyn_cast<MemTransferInst>(user))
      return use.getOperandNo() == 1 && !copy->isVolatile();
    const auto *load = dyn_cast<LoadInst>(user);
    return load && load->isSimple();
  });
}

// Returns the address of a structure passed by value. It belongs to the work-item, which may write it; if it does, the
// structure is copied to private memory.
Value *ArgumentLoader::copyStruct(const Argument &argument) {
  Type *type = argument.getParamByValType();
  const Align alignment = argument.getParamAlign().value_or(layout.getABITypeAlign(type));
  const uint64_t size = layout.getTypeAllocSize(type);
  Value *source = place(size, alignment);
  if (isOnlyRead(argument))
    return builder.CreateAddrSpaceCast(source, argument.getType());
  AllocaInst *copy = builder.CreateAlloca(type, nullptr, argument.getName());
  copy->setAlignment(alignment);
  builder.CreateMemCpy(copy, alignment, source, alignment, size);
  return copy;
}

// Emits the load of the next argument and returns its value.
Value *ArgumentLoader::load(Argument &argument) {
  if (argument.hasByValAttr())
    return copyStruct(argument);
  Type *type = argument.getType();
  auto *pointer = dyn_cast<PointerType>(type);
  if (!pointer) // a vector of three components has the size of four
    return loadValue(type, layout.getABITypeAlign(type), layout.getTypeAllocSize(type), argument.getName());
  if (pointer->getAddressSpace() == kLocal)
    return loadLocalPointer(argument);
  LoadInst *load = loadValue(type, Align(8), 8, argument.getName());
  if (MaybeAlign alignment = argument.getParamAlign(); alignment && *alignment > 1) {
    Metadata *bytes = ConstantAsMetadata::get(builder.getInt64(alignment->value()));
    load->setMetadata(LLVMContext::MD_align, MDNode::get(builder.getContext(), bytes));
  }
  return load;
}

void ArgumentLoader::describeBlock() {
  if (offset != 0)
    block->setMetadata(kBytesOfArguments,
                       MDNode::get(builder.getContext(), ConstantAsMetadata::get(builder.getInt64(offset))));
}

// Removes the outermost "inlined at" of the kernel's locations. Inlining the kernel into its wrapper requires the
// wrapper to have a subprogram of its own if there is debug information; afterwards that subprogram is not wanted.
class OuterLevelRemover {
public:
  explicit OuterLevelRemover(LLVMContext &context) : context(context) {}

  DILocation *operator()(DILocation *location) {
    if (!location || !location->getInlinedAt())
      return location;
    DILocation *&result = done[location];
    if (result)
      return result;
    DILocation *outer = location->getInlinedAt();
    DILocation *new_outer = outer->getInlinedAt() ? (*this)(outer) : nullptr;
    DILocation *made = DILocation::get(context, location->getLine(), location->getColumn(), location->getScope(),
                                       new_outer, location->isImplicitCode());
    return done[location] = made;
  }

private:
  LLVMContext &context;
  DenseMap<DILocation *, DILocation *> done;
};

// Replaces the wrapper's own subprogram by that of the kernel, in all locations and records of the function.
void removeOuterLevel(Function &function, DISubprogram *subprogram) {
  OuterLevelRemover remove(function.getContext());
  const DILocation *top = DILocation::get(function.getContext(), subprogram->getLine(), 0, subprogram);
  for (Instruction &instruction : instructions(function)) {
    for (DbgRecord &record : instruction.getDbgRecordRange())
      record.setDebugLoc(DebugLoc(remove(record.getDebugLoc().get())));
    DILocation *location = instruction.getDebugLoc().get();
    if (location && location->getInlinedAt())
      instruction.setDebugLoc(DebugLoc(remove(location)));
    else if (location) // a location of the wrapper itself: that of the argument loads
      instruction.setDebugLoc(DebugLoc(top));
    updateLoopMetadataDebugLocations(instruction, [&](Metadata *metadata) -> Metadata * {
      auto *loop_location = dyn_cast_or_null<DILocation>(metadata);
      return loop_location ? remove(loop_location) : metadata;
    });
  }
  function.setSubprogram(subprogram);
}

// Creates a function that loads the arguments and calls the kernel, and inlines the kernel into it. Inlining turns
// `restrict` parameters into alias scopes on the kernel's accesses (see import/restrict.h).
Function *wrap(Function &kernel) {
  Module &module = *kernel.getParent();
  LLVMContext &context = module.getContext();
  Function *wrapper = Function::Create(lanesFunctionType(context), kernel.getLinkage(), "", module);
  wrapper->takeName(&kernel);
  wrapper->copyMetadata(&kernel, 0);
  wrapper->setSubprogram(nullptr);
  wrapper->setAttributes(
      AttributeList().addFnAttributes(context, AttrBuilder(context, kernel.getAttributes().getFnAttrs())));
  for (Attribute::AttrKind stale : {Attribute::AlwaysInline, Attribute::NoInline})
    wrapper->removeFnAttr(stale);
  wrapper->removeFnAttr(Attribute::Memory);
  describeLanesParameters(*wrapper);
  // The kernel is inlined below, so nothing must keep it from that.
  kernel.setName(wrapper->getName() + ".body");
  kernel.setLinkage(GlobalValue::InternalLinkage);
  kernel.removeFnAttr(Attribute::NoInline);

  IRBuilder<> builder(BasicBlock::Create(context, "entry", wrapper));
  if (DISubprogram *artificial = makeArtificialSubprogram(kernel, wrapper->getName())) {
    wrapper->setSubprogram(artificial);
    builder.SetCurrentDebugLocation(DILocation::get(context, artificial->getLine(), 0, artificial));
  }
  ArgumentLoader loader(*wrapper, builder);
  SmallVector<Value *, 8> arguments;
  for (Argument &argument : kernel.args())
    arguments.push_back(loader.load(argument));
  loader.describeBlock();
  // The loader has already copied arguments that are passed by value.
  for (Argument &argument : kernel.args())
    argument.removeAttr(Attribute::ByVal);
  CallInst *call = builder.CreateCall(&kernel, arguments);
  call->setCallingConv(kernel.getCallingConv());
  builder.CreateRetVoid();

  DISubprogram *subprogram = kernel.getSubprogram();
  InlineFunctionInfo info;
  [[maybe_unused]] const InlineResult inlined = InlineFunction(*call, info);
  assert(inlined.isSuccess() && "the kernel's body moves to the wrapper");
  forgetRestrictOfBarriers(*wrapper);
  if (subprogram)
    removeOuterLevel(*wrapper, subprogram);
  return wrapper;
}

// Reports arguments whose opaque type image-handles did not replace.
bool checkArguments(const Function &kernel, Diagnostics &diagnostics) {
  for (const Argument &argument : kernel.args())
    if (isa<TargetExtType>(argument.getType())) {
      diagnostics.error(kernel, DebugLoc(),
                        "kernel '" + kernel.getName() + "': argument " + Twine(argument.getArgNo()) +
                            " has an opaque type that this device does not support");
      return false;
    }
  return true;
}

} // namespace

PreservedAnalyses KernelArgumentsPass::run(Module &module, ModuleAnalysisManager &analyses) {
  FunctionAnalysisManager &functions = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  SmallVector<Function *> kernels;
  for (Function &function : module)
    if (!function.isDeclaration() &&
        (context.kernel.empty() ? !function.hasLocalLinkage() : function.getName() == context.kernel))
      kernels.push_back(&function);
  for (Function *kernel : kernels) {
    if (!checkArguments(*kernel, context.diagnostics))
      return PreservedAnalyses::none();
    // Clang keeps parameters in variables. Accesses through a variable would not show that their address is that of a
    // `restrict` parameter.
    if (context.optimize && !context.debug) {
      SROAPass(SROAOptions::PreserveCFG).run(*kernel, functions);
      ReplaceUndefPass().run(*kernel, functions);
    }
    // Here images are still parameters, to which the launch class refers by their numbers.
    useKnownFormats(*kernel, context.launch.images);
    Function *wrapper = wrap(*kernel);
    if (kernel->use_empty()) {
      functions.clear(*kernel, kernel->getName());
      kernel->eraseFromParent();
    }
    placeLocalVariables(*wrapper, context);
    placeProgramVariables(*wrapper, context);
  }
  return PreservedAnalyses::none();
}

} // namespace lanecl::vectorizer
