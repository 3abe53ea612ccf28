// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernel/import/element_alignment.h"

#include "pass_support/preserved.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

constexpr uint64_t kWidestElement = 8; // bytes; wider integers are stored as several of these

// Returns the alignment of a type's elements; for a structure that of its most aligned member.
Align elementAlign(Type *type, const DataLayout &layout) {
  if (auto *array = dyn_cast<ArrayType>(type))
    return elementAlign(array->getElementType(), layout);
  if (auto *structure = dyn_cast<StructType>(type)) {
    Align align;
    for (Type *member : structure->elements())
      align = std::max(align, elementAlign(member, layout));
    return align;
  }
  if (isa<TargetExtType>(type))
    return layout.getABITypeAlign(type);
  const uint64_t bytes = layout.getTypeStoreSize(type->getScalarType()).getFixedValue();
  return Align(std::min<uint64_t>(PowerOf2Ceil(std::max<uint64_t>(bytes, 1)), kWidestElement));
}

// Returns the type that a pointer points to, if the way in which the pointer is computed says so; else null.
Type *pointeeOf(const Value &pointer) {
  if (const auto *variable = dyn_cast<AllocaInst>(&pointer))
    return variable->getAllocatedType();
  if (const auto *variable = dyn_cast<GlobalVariable>(&pointer))
    return variable->getValueType();
  if (const auto *element = dyn_cast<GEPOperator>(&pointer))
    return element->getResultElementType();
  if (const auto *argument = dyn_cast<Argument>(&pointer))
    return argument->getPointeeInMemoryValueType(); // known for byval and sret
  if (const auto *cast = dyn_cast<AddrSpaceCastOperator>(&pointer))
    return pointeeOf(*cast->getPointerOperand());
  return nullptr;
}

// Lowers the alignments in one function.
class Lowering {
public:
  explicit Lowering(Function &function) : function(function), layout(function.getDataLayout()) {}

  bool run();

private:
  void lowerParameters();
  void lower(Instruction &instruction);
  template <typename Access> void lowerAccess(Access &access, Type *type);
  void lowerMemoryIntrinsic(MemIntrinsic &intrinsic);
  void lowerCall(CallBase &call);
  void dropAssumptions(AssumeInst &assume);

  Function &function;
  const DataLayout &layout;
  bool changed = false;
};

// A kernel's byval structures keep their alignment, because the block of the arguments is laid out by it.
void Lowering::lowerParameters() {
  for (Argument &argument : function.args()) {
    const MaybeAlign align = argument.getParamAlign();
    if (!align || (argument.hasByValAttr() && !function.hasLocalLinkage()))
      continue;
    argument.removeAttr(Attribute::Alignment);
    if (argument.hasByValAttr())
      argument.addAttr(Attribute::getWithAlignment(
          function.getContext(), std::min(*align, elementAlign(argument.getParamByValType(), layout))));
    changed = true;
  }
  if (function.hasRetAttribute(Attribute::Alignment)) {
    function.removeRetAttr(Attribute::Alignment);
    changed = true;
  }
}

// Lowers the alignment of a load or store, unless it is atomic.
template <typename Access> void Lowering::lowerAccess(Access &access, Type *type) {
  const Align align = elementAlign(type, layout);
  if (access.isAtomic() || access.getAlign() <= align)
    return;
  access.setAlignment(align);
  changed = true;
}

// Lowers the alignment of a copy. Both sides have the same type, so a side of unknown type takes the other side's. If
// neither type is known, it may be a structure of bytes.
void Lowering::lowerMemoryIntrinsic(MemIntrinsic &intrinsic) {
  auto *copy = dyn_cast<MemTransferInst>(&intrinsic);
  Type *into = pointeeOf(*intrinsic.getRawDest()), *from = copy ? pointeeOf(*copy->getRawSource()) : nullptr;
  const auto lowered = [&](MaybeAlign align, Type *own, Type *other) {
    Type *type = own ? own : other;
    return std::min(align.valueOrOne(), type ? elementAlign(type, layout) : Align());
  };
  if (const MaybeAlign align = intrinsic.getDestAlign(); align && lowered(align, into, from) < *align) {
    intrinsic.setDestAlignment(lowered(align, into, from));
    changed = true;
  }
  if (!copy)
    return;
  if (const MaybeAlign align = copy->getSourceAlign(); align && lowered(align, from, into) < *align) {
    copy->setSourceAlignment(lowered(align, from, into));
    changed = true;
  }
}

// Drops the alignment of arguments and results. Arguments passed by value keep that of their elements.
void Lowering::lowerCall(CallBase &call) {
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    if (!call.getAttributes().hasParamAttr(i, Attribute::Alignment))
      continue;
    const Align align = *call.getAttributes().getParamAlignment(i);
    call.removeParamAttr(i, Attribute::Alignment);
    if (Type *type = call.getParamByValType(i))
      call.addParamAttr(
          i, Attribute::getWithAlignment(function.getContext(), std::min(align, elementAlign(type, layout))));
    changed = true;
  }
  if (call.getAttributes().hasRetAttr(Attribute::Alignment)) {
    call.removeRetAttr(Attribute::Alignment);
    changed = true;
  }
}

// Removes the assumptions about alignment from an `assume`.
void Lowering::dropAssumptions(AssumeInst &assume) {
  SmallVector<OperandBundleDef> kept;
  for (unsigned i = 0; i < assume.getNumOperandBundles(); ++i)
    if (const OperandBundleUse bundle = assume.getOperandBundleAt(i); bundle.getTagName() != "align")
      kept.emplace_back(bundle);
  if (kept.size() == assume.getNumOperandBundles())
    return;
  CallBase::Create(&assume, kept, assume.getIterator());
  assume.eraseFromParent();
  changed = true;
}

void Lowering::lower(Instruction &instruction) {
  if (auto *load = dyn_cast<LoadInst>(&instruction)) {
    lowerAccess(*load, load->getType());
    if (load->hasMetadata(LLVMContext::MD_align)) {
      load->setMetadata(LLVMContext::MD_align, nullptr);
      changed = true;
    }
  } else if (auto *store = dyn_cast<StoreInst>(&instruction)) {
    lowerAccess(*store, store->getValueOperand()->getType());
  } else if (auto *intrinsic = dyn_cast<MemIntrinsic>(&instruction)) {
    lowerMemoryIntrinsic(*intrinsic);
  } else if (auto *assume = dyn_cast<AssumeInst>(&instruction)) {
    dropAssumptions(*assume);
  } else if (auto *call = dyn_cast<CallBase>(&instruction); call && !isa<IntrinsicInst>(call)) {
    lowerCall(*call);
  }
}

bool Lowering::run() {
  lowerParameters();
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    lower(instruction);
  return changed;
}

} // namespace

PreservedAnalyses ElementAlignmentPass::run(Function &function, FunctionAnalysisManager &) {
  if (function.isDeclaration())
    return PreservedAnalyses::all();
  return preservedWithCfg(Lowering(function).run());
}

} // namespace lanecl::vectorizer
