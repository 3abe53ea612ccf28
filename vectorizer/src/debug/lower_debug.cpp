// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "debug/lower_debug.h"

#include "analysis/debug/debug_markers.h"
#include "analysis/debug/debug_types.h"
#include "analysis/functions/kept_functions.h"
#include "codegen/statement_locations.h"
#include "debug/own_variables.h"
#include "kernel/launch/launch_abi.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

SmallVector<CallInst *> markersIn(Function &function, DebugMarker marker) {
  SmallVector<CallInst *> calls;
  for (Instruction &instruction : instructions(function))
    if (isDebugMarker(instruction, marker))
      calls.push_back(cast<CallInst>(&instruction));
  return calls;
}

AllocaInst *frameOnStack(Function &kept) {
  auto *frame = cast<AllocaInst>(markersIn(kept, DebugMarker::LanesStatement).front()->getArgOperand(0));
  BasicBlock &entry = kept.getEntryBlock();
  frame->moveBefore(entry, entry.begin()); // passes may have put something before it
  return frame;
}

// Returns the address of the debug frame. The lanes function of a kernel gets it as a parameter, and the function that
// resumes a kernel finds it before the coroutine's frame. A kept function has it on its stack.
Value *frameAddress(Function &function, IRBuilderBase &builder) {
  if (isKept(function))
    return frameOnStack(function);
  if (function.arg_size() == kLanesParameterCount)
    return function.getArg(kScratchParameter);
  const uint64_t before = frameOffset(privateBytes(function));
  return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), function.getArg(0), -static_cast<int64_t>(before));
}

class VariableDescriber {
public:
  explicit VariableDescriber(Function &function) : function(function) {}
  AllocaInst *run(); // returns the variable that holds the frame's address

private:
  void keepFrameAddress();
  void describeOwn();
  void describe(DILocalVariable *variable, DIExpression *expression, const DILocation *location);
  void describeInFrame(DILocalVariable *variable, DIExpression *expression, const DILocation *location);

  Function &function;
  // Holds the frame's address, so that debuggers find it in the same place wherever the function stops.
  AllocaInst *frame = nullptr;
};

void VariableDescriber::keepFrameAddress() {
  BasicBlock &entry = function.getEntryBlock();
  IRBuilder<> builder(&entry, entry.begin());
  frame = builder.CreateAlloca(builder.getPtrTy(), nullptr, "debug.frame");
  builder.SetInsertPoint(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  builder.CreateStore(frameAddress(function, builder), frame, /*isVolatile=*/true);
}

void VariableDescriber::describe(DILocalVariable *variable, DIExpression *expression, const DILocation *location) {
  auto *record = DbgVariableRecord::createDVRDeclare(frame, variable, expression, location);
  BasicBlock &entry = function.getEntryBlock();
  entry.insertDbgRecordBefore(record, entry.getFirstNonPHIOrDbgOrAlloca());
}

void VariableDescriber::describeInFrame(DILocalVariable *variable, DIExpression *expression,
                                        const DILocation *location) {
  describe(variable, DIExpression::prepend(expression, DIExpression::DerefBefore), location);
}

// Describes our own variables, in each inlined function, too, because debuggers do not look for variables outside of
// the scope of an inlined function.
void VariableDescriber::describeOwn() {
  DenseSet<std::pair<const DISubprogram *, const DILocation *>> described;
  for (const CallInst *marker : markersIn(function, DebugMarker::LanesStatement)) {
    const DILocation *location = marker->getDebugLoc().get();
    assert(location != nullptr && "a statement has a place in the source");
    DISubprogram *subprogram = location->getScope()->getSubprogram();
    if (!described.insert({subprogram, location->getInlinedAt()}).second)
      continue;
    const DILocation *begin =
        DILocation::get(function.getContext(), subprogram->getLine(), 0, subprogram, location->getInlinedAt());
    describe(frameAddressVariable(*subprogram), DIExpression::get(function.getContext(), {}), begin);
    for (const OwnVariable &own : ownVariables(*subprogram, isKept(function)))
      describeInFrame(own.variable, own.expression, begin);
  }
}

AllocaInst *VariableDescriber::run() {
  keepFrameAddress();
  describeOwn();
  DenseSet<std::pair<const MDNode *, const DILocation *>> described;
  for (CallInst *marker : markersIn(function, DebugMarker::LanesVariable)) {
    const MDNode *description = variableDescription(*marker);
    assert(description != nullptr && description->getNumOperands() % 2 == 0 && "pairs of a variable and an expression");
    const bool is_new = described.insert({description, marker->getDebugLoc()->getInlinedAt()}).second;
    for (unsigned i = 0; is_new && i + 1 < description->getNumOperands(); i += 2)
      describeInFrame(cast<DILocalVariable>(description->getOperand(i)),
                      cast<DIExpression>(description->getOperand(i + 1)), marker->getDebugLoc().get());
    marker->eraseFromParent();
  }
  return frame;
}

CallInst *createStatementText(CallInst &marker, AllocaInst &frame, unsigned number) {
  IRBuilder<> b(&marker);
  auto *type = FunctionType::get(b.getVoidTy(), {b.getPtrTy()}, false);
  auto *text = InlineAsm::get(type, statementText(number), "*m,~{rax},~{memory},~{dirflag},~{fpsr},~{flags}",
                              /*hasSideEffects=*/true);
  CallInst *call = b.CreateCall(text, {&frame});
  call->addParamAttr(0, Attribute::get(b.getContext(), Attribute::ElementType, b.getPtrTy()));
  call->setDoesNotThrow();
  return call;
}

// Replaces the markers of statements. Each becomes a key instruction of its own, and no other instruction is one, so
// debuggers stop nowhere else.
void lowerStatements(Function &function, AllocaInst &frame, unsigned &count) {
  for (Instruction &instruction : instructions(function))
    if (const DILocation *location = instruction.getDebugLoc().get())
      instruction.setDebugLoc(DebugLoc(const_cast<DILocation *>(location->getWithoutAtom())));
  for (CallInst *marker : markersIn(function, DebugMarker::LanesStatement)) {
    const DILocation *location = marker->getDebugLoc().get();
    CallInst *kept = createStatementText(*marker, frame, ++count);
    kept->setDebugLoc(DILocation::get(function.getContext(), location->getLine(), location->getColumn(),
                                      location->getScope(), location->getInlinedAt(), false, count, 1));
    marker->eraseFromParent();
  }
}

// Keeps the descriptions of global variables that are left, which are constants. Variables that were moved are
// described in the kernel.
void describeConstants(Module &module) {
  SmallPtrSet<const Metadata *, 8> left;
  for (GlobalVariable &variable : module.globals()) {
    SmallVector<DIGlobalVariableExpression *, 1> descriptions;
    variable.getDebugInfo(descriptions);
    variable.eraseMetadata(LLVMContext::MD_dbg);
    for (const DIGlobalVariableExpression *description : descriptions) {
      auto *plain = DIGlobalVariableExpression::get(module.getContext(), description->getVariable(),
                                                    withoutAddressSpace(description->getExpression()));
      variable.addDebugInfo(plain);
      left.insert(plain);
    }
  }
  for (DICompileUnit *unit : module.debug_compile_units()) {
    SmallVector<Metadata *> kept;
    for (const Metadata *variable : left)
      kept.push_back(const_cast<Metadata *>(variable));
    unit->replaceGlobalVariables(MDTuple::get(module.getContext(), kept));
  }
}

// Gives the compile units the name of another compiler, by which gdb recognizes OpenCL C and accepts its expressions,
// such as v.xz.
void nameProducer(Module &module) {
  for (DICompileUnit *unit : module.debug_compile_units())
    if (unit->getSourceLanguage().getUnversionedName() == dwarf::DW_LANG_C99)
      unit->replaceOperandWith(1, MDString::get(module.getContext(), "clang LaneCL (like IBM XL C for OpenCL)"));
}

// Removes what is not described here, and the mangled names of methods. gdb does not read the names that Clang gives to
// methods of objects in the generic address space; without them it makes names of its own, like Acc::add(int).
void tidySubprograms(Module &module) {
  DebugInfoFinder finder;
  finder.processModule(module);
  for (DISubprogram *subprogram : finder.subprograms()) {
    subprogram->replaceRetainedNodes(MDTuple::get(module.getContext(), {}));
    subprogram->replaceLinkageName(nullptr);
    if (DISubprogram *declaration = subprogram->getDeclaration())
      declaration->replaceLinkageName(nullptr);
  }
}

// Replaces the type of a subprogram. LLVM's replaceType() is for definitions only, because a declaration may be shared
// with equal ones; replaceOperandWith() takes care of that.
void replaceType(DISubprogram &subprogram, DISubroutineType *type) {
  for (unsigned i = 0; i < subprogram.getNumOperands(); ++i)
    if (subprogram.getOperand(i) == subprogram.getRawType()) {
      subprogram.replaceOperandWith(i, type);
      return;
    }
}

// Marks a function that a debugger cannot call and whose result it cannot read, because lanes functions do not follow
// the calling convention of C.
void describeConvention(DISubprogram &subprogram) {
  const DISubroutineType *type = subprogram.getType();
  LLVMContext &context = subprogram.getContext();
  SmallVector<Metadata *> types(type->getTypeArray().begin(), type->getTypeArray().end());
  if (!types.empty())
    types[0] = nullptr;
  replaceType(subprogram,
              DISubroutineType::get(context, type->getFlags(), dwarf::DW_CC_nocall, MDTuple::get(context, types)));
  if (DISubprogram *declaration = subprogram.getDeclaration()) // for methods
    describeConvention(*declaration);
}

} // namespace

PreservedAnalyses LowerDebugPass::run(Module &module, ModuleAnalysisManager &) {
  if (!context.debug)
    return PreservedAnalyses::all();
  unsigned count = 0;
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    const bool has_statements = !markersIn(function, DebugMarker::LanesStatement).empty();
    function.setUWTableKind(UWTableKind::Async);
    function.addFnAttr("frame-pointer", "all");
    if (has_statements || isKept(function))
      keepSymbol(function);
    if (!has_statements)
      continue;
    if (isKept(function))
      describeConvention(*function.getSubprogram());
    lowerStatements(function, *VariableDescriber(function).run(), count);
  }
  describeConstants(module);
  tidySubprograms(module);
  nameProducer(module);
  return PreservedAnalyses::none();
}

} // namespace lanecl::vectorizer
