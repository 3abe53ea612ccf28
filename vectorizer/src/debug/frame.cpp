// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "debug/frame.h"

#include "analysis/debug/debug_markers.h"
#include "analysis/debug/debug_types.h"
#include "analysis/functions/kept_functions.h"
#include "codegen/lane_questions.h"
#include "debug/handle_types.h"
#include "kernel/launch/launch_abi.h"
#include "lanes/cross_lane/votes.h"
#include "vectorizer/contract/debug_frame.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

static constexpr Align kPlaceAlignment = Align::Constant<64>(); // the size of the widest register
// The most pieces by which NAME__lanes is described if it is not contiguous
static constexpr uint64_t kMostPieces = 1024;

DebugFrame::DebugFrame(const Function &scalar, Function &lanes, const PrivateLayouts &layouts, unsigned width,
                       const PassContext &context)
    : width(width), optimized(context.optimize), is_kernel(!isKept(scalar)), layouts(layouts), lanes(lanes) {
  findPlaces(scalar);
  // Kept functions rely on a frame of the kernel, even if the kernel itself has no lines.
  exists |= is_kernel && context.debug && hasKeptCalls(scalar);
  if (exists && is_kernel)
    setPrivateBytes(lanes, alignTo(bytes, abi::kMemoryAlignment));
}

void DebugFrame::findPlaces(const Function &scalar) {
  bytes = abi::kDebugVariables;
  for (const Instruction &instruction : instructions(scalar)) {
    if (isDebugMarker(instruction, DebugMarker::Statement))
      exists = true;
    if (!isDebugMarker(instruction, DebugMarker::Variable))
      continue;
    exists = true;
    const auto *variable = dyn_cast<AllocaInst>(instruction.getOperand(0));
    // A frame is only aligned to kMemoryAlignment, so a variable with a larger alignment stays outside, and the frame
    // has pointers to it.
    if (!variable || (variable->getAlign().value() > abi::kMemoryAlignment && layouts.cellBytes(*variable) == 0))
      offsets[&instruction] = reserve(sizeof(void *) * width);
    else if (!offsets.contains(variable))
      offsets[variable] = reserve(laneMajorStride(*variable) * width, variable->getAlign());
  }
}

uint64_t DebugFrame::reserve(uint64_t size, Align least) {
  const Align place_alignment = std::max(least, kPlaceAlignment);
  alignment = std::max(alignment, place_alignment);
  const uint64_t offset = alignTo(bytes, place_alignment);
  bytes = offset + size;
  return offset;
}

Value *DebugFrame::field(IRBuilderBase &b, uint64_t offset) const {
  assert(frame != nullptr && offset < bytes && "enter() has made the frame, and the field is in it");
  return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), frame, offset);
}

void DebugFrame::store(IRBuilderBase &b, Value *value, uint64_t offset) const {
  b.CreateAlignedStore(value, field(b, offset), Align(value->getType()->isIntegerTy(32) ? 4 : 8));
}

void DebugFrame::storeInKernel(IRBuilderBase &b, Value *value, uint64_t offset) const {
  Value *field = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), lanes.getArg(kScratchParameter), offset);
  b.CreateAlignedStore(value, field, Align(value->getType()->isIntegerTy(32) ? 4 : 8));
}

void DebugFrame::makeOnStack(IRBuilderBase &b) {
  const IRBuilderBase::InsertPointGuard guard(b);
  b.SetInsertPoint(&lanes.getEntryBlock(), lanes.getEntryBlock().begin());
  AllocaInst *memory = b.CreateAlloca(ArrayType::get(b.getInt8Ty(), bytes), nullptr, "debug.frame");
  memory->setAlignment(std::max(alignment, Align::Of<abi::DebugFrame>()));
  frame = memory;
}

// Links the frame with those of the kernel and the caller. A kept function gets the kernel's frame as its scratch
// memory, and that frame knows which function runs.
void DebugFrame::linkFrames(IRBuilderBase &b) {
  using Header = abi::DebugFrame;
  Value *kernel = lanes.getArg(kScratchParameter);
  caller = ConstantPointerNull::get(b.getPtrTy());
  if (!is_kernel) {
    Value *running = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), kernel, offsetof(Header, running));
    caller = b.CreateAlignedLoad(b.getPtrTy(), running, Align::Of<void *>(), "caller");
  }
  store(b, kernel, offsetof(Header, kernel));
  store(b, caller, offsetof(Header, caller));
  storeInKernel(b, frame, offsetof(Header, running));
}

static Value *createProbe(IRBuilderBase &b) {
  Module &module = *b.GetInsertBlock()->getModule();
  FunctionCallee callee = module.getOrInsertFunction(kDebuggerProbe, FunctionType::get(b.getPtrTy(), false));
  auto *function = cast<Function>(callee.getCallee());
  function->setDoesNotThrow();
  function->setDoesNotAccessMemory();
  return b.CreateCall(callee);
}

void DebugFrame::enter(const lanes::LaneContext &c, Value *mask) {
  using Header = abi::DebugFrame;
  IRBuilderBase &b = c.b;
  if (is_kernel)
    frame = lanes.getArg(kScratchParameter);
  else
    makeOnStack(b);
  const auto argument = [&](LanesParameter parameter) { return lanes.getArg(parameter); };
  store(b, b.getInt32(0), offsetof(Header, lane));
  store(b, b.getInt32(0), offsetof(Header, line));
  store(b, is_kernel ? b.getInt64(0) : lanes::emitBallot(c, lanes::materializeMask(c, mask)), offsetof(Header, mask));
  store(b, argument(kSubGroupIdParameter), offsetof(Header, sub_group));
  store(b, argument(kActiveLanesParameter), offsetof(Header, lanes));
  store(b, b.getInt32(width), offsetof(Header, width));
  store(b, b.getInt32(abi::kDebugBegun), offsetof(Header, phase));
  for (unsigned dim = 0; dim < 3; ++dim)
    store(b, lanes.getArg(kGroupXParameter + dim), offsetof(Header, group) + 8 * dim);
  store(b, argument(kLaunchParameter), offsetof(Header, launch));
  store(b, argument(kLocalSizeParameter), offsetof(Header, local_size));
  store(b, b.getInt32(optimized), offsetof(Header, optimized));
  store(b, b.getInt32(1), offsetof(Header, runs));
  store(b, b.getInt64(0), offsetof(Header, slot_bytes)); // set by the `barriers` pass
  store(b, b.getInt64(0), offsetof(Header, waited_at));
  store(b, createProbe(b), offsetof(Header, probe));
  store(b, b.getInt64(0), offsetof(Header, asked));
  linkFrames(b);
  if (is_kernel)
    createBegin(b, frame);
}

void DebugFrame::leave(IRBuilderBase &b) {
  if (!exists)
    return;
  if (is_kernel)
    store(b, b.getInt32(abi::kDebugDone), offsetof(abi::DebugFrame, phase));
  else
    storeInKernel(b, caller, offsetof(abi::DebugFrame, running));
}

Value *DebugFrame::place(IRBuilderBase &b, const AllocaInst &variable) const {
  const auto found = offsets.find(&variable);
  return found == offsets.end() ? nullptr : field(b, found->second);
}

// Writes the mask of active lanes. Until a debugger chooses another lane, the first active one is selected, so that the
// values it shows belong to a work-item that executes the statement.
void DebugFrame::storeMask(const lanes::LaneContext &c, const CallBase &at, Value *mask) {
  if (at.getParent() == mask_block && mask == mask_written)
    return;
  mask_block = at.getParent();
  mask_written = mask;
  IRBuilderBase &b = c.b;
  Value *active = lanes::emitBallot(c, lanes::materializeMask(c, mask));
  store(b, active, offsetof(abi::DebugFrame, mask));
  Value *first = b.CreateIntrinsic(Intrinsic::cttz, {b.getInt64Ty()}, {active, b.getTrue()});
  storeInKernel(b, b.CreateTrunc(first, b.getInt32Ty()), offsetof(abi::DebugFrame, lane));
}

void DebugFrame::statement(const lanes::LaneContext &c, const CallBase &marker, Value *mask) {
  storeMask(c, marker, mask);
  createLanesStatement(c.b, frame, marker);
}

// Writes the mask for a call, which may have fewer lanes than the statement it is in. The called function selects
// lanes, too, so the next statement has to write the mask again.
void DebugFrame::call(const lanes::LaneContext &c, const CallBase &call, Value *mask) {
  if (!exists)
    return;
  storeMask(c, call, mask);
  mask_block = nullptr;
}

Value *DebugFrame::pointerPlace(IRBuilderBase &b, const CallBase &marker) const {
  const auto found = offsets.find(&marker);
  return found == offsets.end() ? nullptr : field(b, found->second);
}

DebugFrame::Layout DebugFrame::layoutOf(const CallBase &marker) const {
  if (const auto pointer = offsets.find(&marker); pointer != offsets.end())
    return {pointer->second, sizeof(void *), 1, 0, 0, true};
  const auto *variable = cast<AllocaInst>(marker.getArgOperand(0));
  const auto *source = cast<DILocalVariable>(variableDescription(marker)->getOperand(0));
  assert(offsets.contains(variable) && "findPlaces() has given the variable a place");
  const unsigned cell = layouts.cellBytes(*variable);
  const DICompositeType *array = cell != 0 ? arrayOfScalars(source->getType()) : nullptr;
  if (array && elementCount(*array) > 1)
    return {offsets.lookup(variable), cell, elementCount(*array), cell, uint64_t{cell} * width};
  return {offsets.lookup(variable), laneMajorStride(*variable)};
}

// Describes the variable of the selected lane, cell by cell if the cells are not contiguous. The expressions start from
// the frame's address.
static_assert(offsetof(abi::DebugFrame, lane) == 0);
void DebugFrame::describeSelected(Description &description, DILocalVariable &source, DIExpression &expression,
                                  const Layout &layout) const {
  LLVMContext &context = source.getContext();
  for (uint64_t cell = 0; cell < layout.cells; ++cell) {
    SmallVector<uint64_t, 16> ops{dwarf::DW_OP_dup};
    if (!is_kernel)
      ops.append({dwarf::DW_OP_plus_uconst, offsetof(abi::DebugFrame, kernel), dwarf::DW_OP_deref});
    ops.append({dwarf::DW_OP_deref_size, 4, dwarf::DW_OP_constu, layout.lane_stride, dwarf::DW_OP_mul,
                dwarf::DW_OP_plus, dwarf::DW_OP_plus_uconst, layout.offset + cell * layout.cell_stride});
    if (layout.through_pointer)
      ops.push_back(dwarf::DW_OP_deref);
    append_range(ops, expression.getElements());
    if (layout.cell_bytes != 0)
      ops.append({dwarf::DW_OP_LLVM_fragment, 8 * cell * layout.cell_bytes, 8 * layout.cell_bytes});
    description.append({&source, DIExpression::get(context, ops)});
  }
}

// Describes NAME__lanes, an array of the variables of all lanes.
void DebugFrame::describeLanes(Description &description, DILocalVariable &source, const Layout &layout) const {
  LLVMContext &context = source.getContext();
  DIType *type = source.getType();
  auto *lanes = DILocalVariable::get(context, source.getScope(), (source.getName() + "__lanes").str(), source.getFile(),
                                     source.getLine(), arrayOf(*type, width), 0, DINode::FlagArtificial, 0, nullptr);
  const uint64_t piece = layout.cell_bytes != 0 ? layout.cell_bytes : bytesOf(type);
  const bool contiguous = layout.cell_bytes == 0 && piece == layout.lane_stride;
  if (contiguous) {
    description.append({lanes, DIExpression::get(context, {dwarf::DW_OP_plus_uconst, layout.offset})});
    return;
  }
  if (piece == 0 || width * layout.cells > kMostPieces)
    return;
  for (uint64_t lane = 0; lane < width; ++lane)
    for (uint64_t cell = 0; cell < layout.cells; ++cell) {
      const uint64_t at = layout.offset + lane * layout.lane_stride + cell * layout.cell_stride;
      const uint64_t bit = 8 * piece * (lane * layout.cells + cell);
      description.append({lanes, DIExpression::get(context, {dwarf::DW_OP_plus_uconst, at, dwarf::DW_OP_LLVM_fragment,
                                                             bit, 8 * piece})});
    }
}

// Returns the variable with the type that debuggers should see, see handle_types.h.
static DILocalVariable *shownVariable(DILocalVariable &source) {
  DIType *type = shownType(source.getType(), source.getFile());
  if (type == source.getType())
    return &source;
  return DILocalVariable::get(source.getContext(), source.getScope(), source.getName(), source.getFile(),
                              source.getLine(), type, source.getArg(), source.getFlags(), source.getAlignInBits(),
                              nullptr);
}

void DebugFrame::variable(IRBuilderBase &b, const CallBase &marker) const {
  DILocalVariable *source = shownVariable(*cast<DILocalVariable>(variableDescription(marker)->getOperand(0)));
  auto *expression = cast<DIExpression>(variableDescription(marker)->getOperand(1));
  const Layout layout = layoutOf(marker);
  Description description;
  describeSelected(description, *source, *expression, layout);
  if (!layout.through_pointer && expression->getNumElements() == 0 && !source->getName().empty())
    describeLanes(description, *source, layout);
  createLanesVariable(b, frame, MDNode::get(b.getContext(), description));
}

} // namespace lanecl::vectorizer
