// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reads the description of a kernel from Clang's metadata, its argument types and its instructions.
#include "program/kernel_info.h"

#include "program/argument_access.h"
#include "program/finish_module.h"
#include "program/kernel_use.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Module.h"

namespace lanecl::frontend {
namespace {

// Bytes that clSetKernelArg takes for a memory object or a sampler.
constexpr uint32_t kHandleBytes = 8;

// One of Clang's kernel_arg_* lists. Elements of missing lists read as empty strings and zeros.
class ArgumentList {
public:
  ArgumentList(const llvm::Function &kernel, const char *name) : node(kernel.getMetadata(name)) {}

  std::string text(unsigned index) const {
    const auto *value = operand<llvm::MDString>(index);
    return value ? value->getString().str() : std::string();
  }
  uint64_t number(unsigned index) const {
    const auto *value = operand<llvm::ConstantAsMetadata>(index);
    const auto *constant = value ? llvm::dyn_cast<llvm::ConstantInt>(value->getValue()) : nullptr;
    return constant ? constant->getZExtValue() : 0;
  }
  unsigned size() const { return node ? node->getNumOperands() : 0; }

private:
  template <class T> const T *operand(unsigned index) const {
    return index < size() ? llvm::dyn_cast_or_null<T>(node->getOperand(index).get()) : nullptr;
  }
  const llvm::MDNode *node;
};

// Clang numbers address spaces in metadata as SPIR does.
AddressQualifier addressOf(uint64_t number) {
  switch (number) {
  case 1: return AddressQualifier::Global;
  case 2: return AddressQualifier::Constant;
  case 3: return AddressQualifier::Local;
  default: return AddressQualifier::Private;
  }
}

// Returns the access qualifier of an image or a pipe, by Clang's name for it.
AccessQualifier accessOf(llvm::StringRef text) {
  if (text == "read_only")
    return AccessQualifier::ReadOnly;
  if (text == "write_only")
    return AccessQualifier::WriteOnly;
  return text == "read_write" ? AccessQualifier::ReadWrite : AccessQualifier::None;
}

// Returns how the argument is passed. Images, samplers and pipes are opaque target types in Clang's IR.
ArgumentKind kindOf(const llvm::Argument &argument) {
  if (const auto *target = llvm::dyn_cast<llvm::TargetExtType>(argument.getType())) {
    if (target->getName() == "spirv.Pipe")
      return ArgumentKind::Pipe;
    return target->getName() == "spirv.Sampler" ? ArgumentKind::Sampler : ArgumentKind::Image;
  }
  if (!argument.getType()->isPointerTy() || argument.hasByValAttr())
    return ArgumentKind::Value;
  switch (argument.getType()->getPointerAddressSpace()) {
  case 1: return ArgumentKind::GlobalPointer;
  case 2: return ArgumentKind::ConstantPointer;
  case 3: return ArgumentKind::LocalPointer;
  default: return ArgumentKind::Value;
  }
}

// Reads the image's shape from target("spirv.Image", sampled type, dimensionality, depth, arrayed, …), whose numbers
// are those of SPIR-V's OpTypeImage.
void describeImage(const llvm::Argument &argument, ArgumentInfo &info) {
  const auto *type = llvm::dyn_cast<llvm::TargetExtType>(argument.getType());
  if (!type || type->getName() != "spirv.Image" || type->getNumIntParameters() < 3)
    return;
  const bool arrayed = type->getIntParameter(2) != 0;
  info.is_depth_image = type->getIntParameter(1) == 1;
  switch (type->getIntParameter(0)) {
  case 0: info.image = arrayed ? ImageShape::Image1DArray : ImageShape::Image1D; break;
  case 1: info.image = arrayed ? ImageShape::Image2DArray : ImageShape::Image2D; break;
  case 2: info.image = ImageShape::Image3D; break;
  case 5: info.image = ImageShape::Image1DBuffer; break;
  default: break;
  }
}

// Sets whether the kernel reads, writes or updates the memory that a pointer points to.
void describeAccess(const llvm::Argument &argument, ArgumentInfo &info) {
  if (info.kind != ArgumentKind::GlobalPointer && info.kind != ArgumentKind::ConstantPointer)
    return;
  const ArgumentAccess access = findAccess(argument);
  info.is_read = access.reads;
  info.is_written = access.writes;
  info.is_updated = access.updates;
}

// Sets size and alignment as abi.h lays out the argument block. Structures are passed by value (`byval`).
void measure(const llvm::Argument &argument, ArgumentInfo &info) {
  info.size = info.alignment = kHandleBytes;
  if (info.kind != ArgumentKind::Value)
    return;
  const llvm::DataLayout &layout = argument.getParent()->getDataLayout();
  llvm::Type *type = argument.hasByValAttr() ? argument.getParamByValType() : argument.getType();
  if (!type->isSized())
    return;
  info.size = static_cast<uint32_t>(layout.getTypeAllocSize(type).getFixedValue());
  info.alignment = static_cast<uint32_t>(layout.getABITypeAlign(type).value());
  if (argument.hasByValAttr())
    if (const llvm::MaybeAlign align = argument.getParamAlign())
      info.alignment = std::max(info.alignment, static_cast<uint32_t>(align->value()));
}

// Reads Clang's metadata lists kernel_arg_*, which hold one element per argument.
std::vector<ArgumentInfo> readArguments(const llvm::Function &kernel) {
  const ArgumentList names(kernel, "kernel_arg_name"), types(kernel, "kernel_arg_type"),
      addresses(kernel, "kernel_arg_addr_space"), accesses(kernel, "kernel_arg_access_qual"),
      qualifiers(kernel, "kernel_arg_type_qual");
  std::vector<ArgumentInfo> arguments;
  for (const llvm::Argument &argument : kernel.args()) {
    const unsigned index = argument.getArgNo();
    ArgumentInfo info;
    info.name = names.text(index);
    info.type_name = types.text(index);
    info.kind = kindOf(argument);
    describeImage(argument, info);
    info.address = addressOf(addresses.number(index));
    info.access = accessOf(accesses.text(index));
    const std::string qualifier = qualifiers.text(index);
    info.is_const = qualifier.find("const") != std::string::npos;
    info.is_restrict = qualifier.find("restrict") != std::string::npos;
    info.is_volatile = qualifier.find("volatile") != std::string::npos;
    info.is_pipe = qualifier.find("pipe") != std::string::npos;
    measure(argument, info);
    describeAccess(argument, info);
    arguments.push_back(std::move(info));
  }
  return arguments;
}

// Reads three sizes from metadata, or zeros if the kernel does not have it.
std::array<uint64_t, 3> readSizes(const llvm::Function &kernel, const char *name) {
  const ArgumentList list(kernel, name);
  return {list.number(0), list.number(1), list.number(2)};
}

// Returns the type that !vec_type_hint names. The metadata holds a value of the type, and whether its integers are
// signed.
std::string readVecTypeHint(const llvm::Function &kernel) {
  const llvm::MDNode *node = kernel.getMetadata("vec_type_hint");
  if (!node || node->getNumOperands() != 2)
    return {};
  const auto *value = llvm::dyn_cast<llvm::ConstantAsMetadata>(node->getOperand(0));
  if (!value)
    return {};
  llvm::Type *type = value->getType();
  std::string name;
  if (type->getScalarType()->isFloatingPointTy()) {
    name = type->getScalarType()->isDoubleTy() ? "double" : type->getScalarType()->isHalfTy() ? "half" : "float";
  } else {
    const bool is_signed = ArgumentList(kernel, "vec_type_hint").number(1) != 0;
    const unsigned bits = type->getScalarSizeInBits();
    name = bits == 8 ? "char" : bits == 16 ? "short" : bits == 64 ? "long" : "int";
    if (!is_signed)
      name = "u" + name;
  }
  if (const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    name += std::to_string(vector->getNumElements());
  return name;
}

// Reads everything that the host may ask about a kernel.
KernelInfo readKernel(const llvm::Function &kernel) {
  KernelInfo info;
  info.name = kernel.getName().str();
  info.attributes = ArgumentList(kernel, kAttributesMetadata).text(0);
  info.arguments = readArguments(kernel);
  info.required_work_group_size = readSizes(kernel, "reqd_work_group_size");
  info.work_group_size_hint = readSizes(kernel, "work_group_size_hint");
  info.vec_type_hint = readVecTypeHint(kernel);
  info.required_sub_group_size = static_cast<unsigned>(ArgumentList(kernel, "intel_reqd_sub_group_size").number(0));
  info.required_sub_groups = ArgumentList(kernel, kSubGroupsMetadata).number(0);
  const KernelUse use = findUse(kernel);
  info.local_bytes = use.local_bytes;
  info.private_bytes = use.private_bytes;
  info.queries_sub_groups = use.queries_sub_groups;
  info.sees_sub_groups = use.sees_sub_groups;
  info.sees_work_groups = use.sees_work_groups;
  info.widest_vector = use.widest_vector;
  return info;
}

} // namespace

std::vector<KernelInfo> readKernels(const llvm::Module &program) {
  std::vector<KernelInfo> kernels;
  for (const llvm::Function &function : program)
    if (isKernel(function) && function.getName() != kConstructor && function.getName() != kDestructor)
      kernels.push_back(readKernel(function));
  return kernels;
}

} // namespace lanecl::frontend
