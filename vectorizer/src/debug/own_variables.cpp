// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "debug/own_variables.h"

#include "analysis/debug/debug_types.h"
#include "vectorizer/contract/debug_frame.h"

#include "llvm/BinaryFormat/Dwarf.h"

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

using Header = abi::DebugFrame;

DIType *unsignedType(LLVMContext &context, StringRef name, unsigned bits) {
  return DIBasicType::get(context, dwarf::DW_TAG_base_type, name, bits, 0, dwarf::DW_ATE_unsigned, DINode::FlagZero);
}

struct Field {
  StringRef name;
  uint64_t offset;
  DIType *type;
};

// Returns a structure of `bytes` bytes with these members. It may have others, which are not described.
DIType *structure(LLVMContext &context, StringRef name, uint64_t bytes, ArrayRef<Field> fields) {
  SmallVector<Metadata *> members;
  for (const Field &field : fields)
    members.push_back(DIDerivedType::get(context, dwarf::DW_TAG_member, field.name, nullptr, 0, nullptr, field.type,
                                         field.type->getSizeInBits(), 0, 8 * field.offset, std::nullopt, std::nullopt,
                                         DINode::FlagZero));
  return DICompositeType::get(context, dwarf::DW_TAG_structure_type, name, nullptr, 0, nullptr, nullptr, 8 * bytes, 0,
                              0, DINode::FlagZero, MDNode::get(context, members), 0, std::nullopt, nullptr);
}

DIType *pointerTo(DIType &type) {
  return DIDerivedType::get(type.getContext(), dwarf::DW_TAG_pointer_type, "", nullptr, 0, nullptr, &type, 64, 0, 0,
                            std::nullopt, std::nullopt, DINode::FlagZero);
}

// Returns the type of abi::LaunchInfo, with the members that debuggers read.
DIType *launchType(LLVMContext &context) {
  using Launch = abi::LaunchInfo;
  DIType *sizes = arrayOf(*unsignedType(context, "ulong", 64), 3);
  const Field fields[] = {
      {"global_size", offsetof(Launch, global_size), sizes},
      {"global_offset", offsetof(Launch, global_offset), sizes},
      {"enqueued_local_size", offsetof(Launch, enqueued_local_size), sizes},
      {"num_groups", offsetof(Launch, num_groups), sizes},
      {"work_dim", offsetof(Launch, work_dim), unsignedType(context, "uint", 32)},
  };
  return structure(context, "__lanecl_launch_t", sizeof(Launch), fields);
}

// Returns the type of the frame's header, with the members that debuggers read.
DIType *headerType(LLVMContext &context) {
  DIType *u32 = unsignedType(context, "uint", 32), *u64 = unsignedType(context, "ulong", 64);
  DIType *triple = arrayOf(*u64, 3);
  const Field fields[] = {
      {"lane", offsetof(Header, lane), u32},
      {"line", offsetof(Header, line), u32},
      {"mask", offsetof(Header, mask), u64},
      {"sub_group", offsetof(Header, sub_group), u32},
      {"lanes", offsetof(Header, lanes), u32},
      {"width", offsetof(Header, width), u32},
      {"phase", offsetof(Header, phase), u32},
      {"group", offsetof(Header, group), triple},
      {"launch", offsetof(Header, launch), pointerTo(*launchType(context))},
      {"local_size", offsetof(Header, local_size), pointerTo(*triple)},
      {"optimized", offsetof(Header, optimized), u32},
      {"slot_bytes", offsetof(Header, slot_bytes), u64},
      {"waited_at", offsetof(Header, waited_at), u64},
      {"kernel", offsetof(Header, kernel), u64},
  };
  return structure(context, "__lanecl_frame_t", sizeof(Header), fields);
}

// Adds the header of the frame. In a kept function its first field, the selected lane, is the one of the kernel's
// frame.
void addHeader(DISubprogram &subprogram, bool is_kept, SmallVectorImpl<OwnVariable> &result) {
  LLVMContext &context = subprogram.getContext();
  auto *header = DILocalVariable::get(context, &subprogram, "__lanecl_frame", subprogram.getFile(),
                                      subprogram.getLine(), headerType(context), 0, DINode::FlagArtificial, 0, nullptr);
  if (!is_kept) {
    result.push_back({header, DIExpression::get(context, {})});
    return;
  }
  static_assert(offsetof(Header, lane) == 0);
  constexpr uint64_t kLaneBytes = sizeof(Header::lane);
  result.push_back(
      {header, DIExpression::get(context, {dwarf::DW_OP_plus_uconst, offsetof(Header, kernel), dwarf::DW_OP_deref,
                                           dwarf::DW_OP_LLVM_fragment, 0, 8 * kLaneBytes})});
  result.push_back(
      {header, DIExpression::get(context, {dwarf::DW_OP_plus_uconst, kLaneBytes, dwarf::DW_OP_LLVM_fragment,
                                           8 * kLaneBytes, 8 * (sizeof(Header) - kLaneBytes)})});
}

// Computes an id of the selected work-item on DWARF's stack machine. Between the steps the stack holds the frame's
// address and the number computed so far.
class IdExpression {
public:
  IdExpression(unsigned dim, bool is_kept) : dim(dim), is_kept(is_kept) {
    addProbe();
    addLinearId();
    for (unsigned smaller = 0; smaller < dim; ++smaller)
      addLocalSize(smaller, dwarf::DW_OP_div);
    addLocalSize(dim, dwarf::DW_OP_mod);
  }

  DIExpression *local(LLVMContext &context) {
    add({dwarf::DW_OP_stack_value});
    return DIExpression::get(context, ops);
  }

  DIExpression *global(LLVMContext &context) {
    addOffset();
    addGroup();
    return local(context);
  }

private:
  void add(std::initializer_list<uint64_t> more) { ops.append(more); }

  // Adds a zero from the page whose reading the kernel notices, see codegen/lane_questions.h.
  void addProbe() {
    add({dwarf::DW_OP_dup, dwarf::DW_OP_plus_uconst, offsetof(Header, probe), dwarf::DW_OP_deref, dwarf::DW_OP_deref});
    add({dwarf::DW_OP_plus});
  }

  // Adds the number of the work-item in its work-group.
  void addLinearId() {
    add({dwarf::DW_OP_dup, dwarf::DW_OP_plus_uconst, offsetof(Header, sub_group), dwarf::DW_OP_deref_size, 4});
    add({dwarf::DW_OP_over, dwarf::DW_OP_plus_uconst, offsetof(Header, width), dwarf::DW_OP_deref_size, 4});
    add({dwarf::DW_OP_mul});
    add({dwarf::DW_OP_over});
    if (is_kept)
      add({dwarf::DW_OP_plus_uconst, offsetof(Header, kernel), dwarf::DW_OP_deref});
    add({dwarf::DW_OP_plus_uconst, offsetof(Header, lane), dwarf::DW_OP_deref_size, 4, dwarf::DW_OP_plus});
  }

  // Combines the number with the local size of a dimension by this operation.
  void addLocalSize(unsigned of, uint64_t operation) {
    add({dwarf::DW_OP_over, dwarf::DW_OP_plus_uconst, offsetof(Header, local_size), dwarf::DW_OP_deref});
    add({dwarf::DW_OP_plus_uconst, 8 * of, dwarf::DW_OP_deref, operation});
  }

  // Adds the global offset.
  void addOffset() {
    add({dwarf::DW_OP_over, dwarf::DW_OP_plus_uconst, offsetof(Header, launch), dwarf::DW_OP_deref});
    add({dwarf::DW_OP_plus_uconst, offsetof(abi::LaunchInfo, global_offset) + 8 * dim, dwarf::DW_OP_deref});
    add({dwarf::DW_OP_plus});
  }

  // Adds the number of work-items before this work-group.
  void addGroup() {
    add({dwarf::DW_OP_swap, dwarf::DW_OP_dup, dwarf::DW_OP_plus_uconst, offsetof(Header, group) + 8 * dim});
    add({dwarf::DW_OP_deref, dwarf::DW_OP_swap, dwarf::DW_OP_plus_uconst, offsetof(Header, launch)});
    add({dwarf::DW_OP_deref, dwarf::DW_OP_plus_uconst, offsetof(abi::LaunchInfo, enqueued_local_size) + 8 * dim});
    add({dwarf::DW_OP_deref, dwarf::DW_OP_mul, dwarf::DW_OP_plus});
  }

  const unsigned dim;
  const bool is_kept;
  SmallVector<uint64_t, 96> ops;
};

} // namespace

DILocalVariable *frameAddressVariable(DISubprogram &subprogram) {
  LLVMContext &context = subprogram.getContext();
  return DILocalVariable::get(context, &subprogram, "__lanecl_frame_address", subprogram.getFile(),
                              subprogram.getLine(), unsignedType(context, "ulong", 64), 0, DINode::FlagArtificial, 0,
                              nullptr);
}

SmallVector<OwnVariable> ownVariables(DISubprogram &subprogram, bool is_kept) {
  LLVMContext &context = subprogram.getContext();
  SmallVector<OwnVariable> result;
  const auto add = [&](StringRef name, DIType *type, DIExpression *expression) {
    auto *variable = DILocalVariable::get(context, &subprogram, name, subprogram.getFile(), subprogram.getLine(), type,
                                          0, DINode::FlagArtificial, 0, nullptr);
    result.push_back({variable, expression});
  };
  DIType *u64 = unsignedType(context, "ulong", 64);
  addHeader(subprogram, is_kept, result);
  add("__lanecl_listed", u64,
      DIExpression::get(context, {dwarf::DW_OP_plus_uconst, offsetof(Header, probe), dwarf::DW_OP_deref,
                                  dwarf::DW_OP_plus_uconst, abi::kProbeBytes}));
  for (unsigned dim = 0; dim < 3; ++dim) {
    const std::string number = std::to_string(dim);
    add("__ocl_dbg_gid" + number, u64, IdExpression(dim, is_kept).global(context));
    add("__ocl_dbg_lid" + number, u64, IdExpression(dim, is_kept).local(context));
    add("__ocl_dbg_grid" + number, u64,
        DIExpression::get(context, {dwarf::DW_OP_plus_uconst, offsetof(Header, group) + 8 * dim}));
  }
  return result;
}

} // namespace lanecl::vectorizer
