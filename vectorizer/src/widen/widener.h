// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The Widener makes a lanes function of a linearized kernel: one vector of W lanes for every varying value.
#pragma once

#include "analysis/functions/primitives.h"
#include "analysis/shapes/private_layout.h"
#include "analysis/shapes/shape_analysis.h"
#include "analysis/values/lane_instructions.h"
#include "debug/frame.h"
#include "lanes/context.h"
#include "lanes/cross_lane/reduce.h"
#include "lanes/lane_loop.h"
#include "pass_support/pass_context.h"
#include "pass_support/remarks.h"
#include "widen/element_moves.h"
#include "widen/segment_offsets.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstVisitor.h"

namespace lanecl::vectorizer {

// Returns the scalar types of which a type consists, in order: <3 x float> is three floats, {i32, i1} an i32 and an i1.
llvm::SmallVector<llvm::Type *, 4> scalarTypes(llvm::Type *type);

struct WidenOptions {
  unsigned width = 16;
  // The sub-group may have fewer lanes than its width; sub_group_size() returns their number.
  bool partial = false;
  bool beside_full = false; // there is another function for full sub-groups
  bool one_lane = false;    // only lane 0 exists, so every value is uniform
  bool masked = false;      // for a kept function that gets the mask of its lanes (widen_functions.cpp)
  lanes::TargetFeatures target;
};

// Widens one function, once.
//
// How a value of the scalar kernel is represented in the lanes function:
//   uniform   as itself, one scalar; its vector (a splat) is made when it is needed
//   strided   as the scalar of lane 0, active or not (analysis/shapes/shape.h); its vector is that plus a constant
//   varying   as one <W x T> for each scalar of which the value consists ("component")
class Widener : public llvm::InstVisitor<Widener> {
public:
  Widener(llvm::Function &scalar, llvm::Function &lanes, const WidenOptions &options, PassContext &context);

  void run();

  // The visitors are grouped by the file that defines them.
  void visitInstruction(llvm::Instruction &instruction); // widen_values.cpp
  void visitPHINode(llvm::PHINode &phi);
  void visitBinaryOperator(llvm::BinaryOperator &op);
  void divideByRoot(llvm::BinaryOperator &op, llvm::CallBase &root);
  void visitUnaryOperator(llvm::UnaryOperator &op);
  void visitSelectInst(llvm::SelectInst &select);
  void visitCastInst(llvm::CastInst &cast);
  void visitFreezeInst(llvm::FreezeInst &freeze);
  void visitExtractElementInst(llvm::ExtractElementInst &extract);
  void visitInsertElementInst(llvm::InsertElementInst &insert);
  void visitShuffleVectorInst(llvm::ShuffleVectorInst &shuffle);
  void visitExtractValueInst(llvm::ExtractValueInst &extract);
  void visitInsertValueInst(llvm::InsertValueInst &insert);

  void visitBranchInst(llvm::BranchInst &branch); // widener.cpp
  void visitReturnInst(llvm::ReturnInst &back);
  void visitUnreachableInst(llvm::UnreachableInst &);

  void visitCmpInst(llvm::CmpInst &compare); // widen_compare.cpp

  void visitAllocaInst(llvm::AllocaInst &variable); // widen_memory.cpp
  void visitGetElementPtrInst(llvm::GetElementPtrInst &gep);
  void visitLoadInst(llvm::LoadInst &load);
  void visitStoreInst(llvm::StoreInst &store);

  void visitAtomicRMWInst(llvm::AtomicRMWInst &rmw); // widen_atomics.cpp
  void visitAtomicCmpXchgInst(llvm::AtomicCmpXchgInst &exchange);
  void visitFenceInst(llvm::FenceInst &fence);

  void visitCallBase(llvm::CallBase &call); // widen_calls.cpp

private:
  using Values = llvm::SmallVector<llvm::Value *, 4>;

  // widener.cpp: where the values of the lanes function are kept.
  Shape shapeOf(const llvm::Value *value) const { return shapes.shapeOf(value); }
  bool isUniform(const llvm::Value *value) const { return shapeOf(value).isUniform(); }
  // Returns the scalar of a uniform value, or lane 0's of a strided one.
  llvm::Value *scalarOf(llvm::Value *value);
  // Returns one vector for each component.
  Values lanesOf(llvm::Value *value);
  // Returns the vector of a value with one component.
  llvm::Value *laneOf(llvm::Value *value) { return lanesOf(value).front(); }
  void setScalar(llvm::Value &value, llvm::Value *scalar);
  void setLanes(llvm::Value &value, Values components);
  // Sets the vectors or, if the value is uniform although it was computed in lanes, its scalar.
  void setResult(llvm::Instruction &instruction, Values components);
  // Makes a scalar of the given type from its components.
  llvm::Value *rebuild(llvm::Type *type, llvm::ArrayRef<llvm::Value *> components);
  // Takes a scalar apart into its components.
  Values split(llvm::Value *scalar);
  // Returns the value as work-item `lane` (i32) sees it.
  llvm::Value *oneLane(llvm::Value *value, llvm::Value *lane);
  // Returns the scalar of a value that must be the same in all active lanes.
  llvm::Value *anyActiveLane(llvm::Value *value);
  // Moves the builder directly after a definition.
  void placeAfter(llvm::Value *scalar);

  // widener.cpp: control flow.
  void widenBlock(llvm::BasicBlock &block);
  void completePhis();
  void prepareEntryMask();

  // widen_functions.cpp: kept functions and their calls.
  void takeParameters();
  void returnLanes(llvm::Value *result);
  bool widenKeptCall(llvm::CallBase &call);
  Values callLanes(llvm::CallBase &call, llvm::Function &lanes, llvm::ArrayRef<llvm::Value *> arguments);

  // widen_values.cpp: scalars, and arithmetic in lanes.
  // Clones the instruction with the scalars of its operands.
  llvm::Instruction *cloneScalar(llvm::Instruction &instruction);
  // Emits a uniform or strided result from the scalars of the operands.
  void cloneLinear(llvm::Instruction &instruction);
  llvm::Value *divideScalars(llvm::Instruction::BinaryOps opcode, llvm::Value *x, llvm::Value *y);
  enum class Extension { Sign, Zero, NonNegative };
  llvm::Value *extendedLaneZero(llvm::Value *narrow, llvm::Type *wide, Extension extension);
  Values bitcast(const Values &source, llvm::Type *type);

  // widen_checks.cpp: calls of check mode that are made once for all lanes.
  bool widenCheck(llvm::CallBase &call);
  void tellAccesses(llvm::CallBase &call);
  void placeCheckCall(llvm::CallBase &call);
  void callOnce(llvm::StringRef name, llvm::ArrayRef<llvm::Value *> arguments);
  llvm::Value *laneMaskBits();
  llvm::Value *lanesInMemory(llvm::Value *value, llvm::AllocaInst *&place);

  // widen_compare.cpp: comparisons and guards.
  llvm::Value *compareWithLimit(llvm::ICmpInst &guard);
  llvm::Value *allPass(llvm::Value *condition);
  llvm::Value *lanesBelow(llvm::Value *first, llvm::Value *limit, int64_t stride, bool is_unsigned, bool or_equal);

  // widen_memory.cpp: private variables, and loads and stores of known shapes.
  void movePrivate(llvm::GetElementPtrInst &gep);
  llvm::Value *linearAddress(llvm::GetElementPtrInst &gep);
  llvm::Value *privateCells(const llvm::AllocaInst &variable, llvm::Value *pointer, unsigned component);
  llvm::Value *privateOffsets(const llvm::AllocaInst &variable, llvm::Value *pointer, unsigned component);
  void loadPrivate(llvm::LoadInst &load, const llvm::AllocaInst &variable);
  void storePrivate(llvm::StoreInst &store, const llvm::AllocaInst &variable);
  Values loadStrided(llvm::LoadInst &load, int64_t stride);
  bool storeStrided(llvm::StoreInst &store, int64_t stride);
  bool loadLikelyRow(llvm::LoadInst &load);
  bool storeLikelyRow(llvm::StoreInst &store);

  // widen_addresses.cpp: loads and stores whose addresses have no better form than a base and offsets. Results have one
  // vector for each component.
  // The address of lane l is base + (index of l) * scale.
  struct LaneIndex {
    llvm::Value *base;
    llvm::Value *index; // a value of the scalar kernel, sign-extended
    llvm::APInt scale;
  };
  // The addresses in the form that gather and scatter instructions take.
  struct LaneAddress {
    llvm::Value *base;
    llvm::Value *offset; // <W x i32> or <W x i64>, signed
    unsigned scale;
  };
  // Elements that are consecutive, unless the 32-bit index of their pointer wraps around between two lanes.
  struct LikelyRow {
    llvm::Value *pointer; // the element of lane 0
    llvm::Value *is_row;  // i1: whether they are consecutive
    llvm::Align align;    // of the element of lane 0
  };
  std::optional<LikelyRow> likelyRow(llvm::Value *pointer, llvm::Type *element, llvm::Align align);
  std::optional<LikelyRow> rowOf(llvm::Value *pointer, llvm::Type *element, llvm::Align align);
  Values eitherWay(llvm::Value *likely, llvm::function_ref<Values()> then, llvm::function_ref<Values()> otherwise);
  Values loadUnits(llvm::ArrayRef<llvm::Type *> types, unsigned together,
                   llvm::function_ref<llvm::Value *(llvm::Type *unit, unsigned i)> load);
  Values gather(llvm::Value *pointer, llvm::ArrayRef<llvm::Type *> types, llvm::Align align);
  Values loadConstantStride(llvm::Value *first, llvm::ArrayRef<llvm::Type *> types, int64_t stride, llvm::Align align);
  void scatter(llvm::Value *pointer, const Values &components, llvm::Align align);
  std::optional<LaneAddress> shortAddress(llvm::Value *pointer);
  std::optional<LaneAddress> constantOffsets(llvm::Value *pointer);
  std::optional<LaneIndex> splitPointer(llvm::Value *pointer);
  void addToBase(LaneIndex &address, llvm::Value *steps, const llvm::APInt &scale);
  void moveToBase(LaneIndex &address);
  llvm::Constant *laneOffsets(int64_t stride);
  llvm::Value *componentPointers(llvm::Value *pointer, llvm::Type *element, unsigned component);

  // widen_atomics.cpp: atomic operations.
  bool updateOwnNeighbors(llvm::AtomicRMWInst &rmw);
  bool updateNeighbors(llvm::AtomicRMWInst &rmw);

  // widen_segments.cpp: accesses in segments of lanes.
  struct SegmentedAddress {
    unsigned lanes = 0; // the number of lanes in a segment
    // Whether the lanes of a segment are consecutive; otherwise they have one address.
    bool consecutive = false;
    llvm::SmallVector<llvm::Value *, 4> pointers; // the addresses of the segments' first lanes
    llvm::SmallVector<int64_t, 4> distances;      // of these from the first, in bytes; empty: unknown
    llvm::Value *holds = nullptr;                 // i1: whether all this holds; null: always
  };
  std::optional<SegmentedAddress> segmentedAddress(llvm::Value *pointer, llvm::Type *element, bool may_repeat);
  void testSegments(SegmentedAddress &address, llvm::Value *pointer, int64_t stride);
  bool proveSegments(SegmentedAddress &address, llvm::Value *pointer, int64_t stride);
  std::optional<FixedOffsets> fixedAddress(llvm::Value *pointer, unsigned segment, bool may_test);
  llvm::Value *segmentMask(const SegmentedAddress &address, unsigned segment);
  llvm::Value *indicesInMemory(llvm::ArrayRef<uint32_t> indices);
  llvm::SmallDenseMap<llvm::Constant *, llvm::GlobalVariable *, 4> indices_in_memory;
  llvm::Value *loadSplats(const SegmentedAddress &address, unsigned segment, unsigned count, llvm::Type *element,
                          llvm::Align align);
  llvm::Value *loadSegments(const SegmentedAddress &address, llvm::Type *element, llvm::Align align);
  void storeSegments(const SegmentedAddress &address, llvm::Value *value, llvm::Align align);
  bool loadInSegments(llvm::LoadInst &load);
  bool storeInSegments(llvm::StoreInst &store);

  // widen_calls.cpp, widen_primitives.cpp: calls.
  void widenIntrinsic(llvm::CallBase &call, llvm::Intrinsic::ID id);
  void widenInstruction(llvm::CallBase &call, LaneInstruction instruction);
  void callLaneByLane(llvm::Instruction &call);
  void runLaneByLane(llvm::Instruction &call); // without a remark in the report
  // The operands of a loop over lanes. Operands that are not in memory are computed in the loop.
  struct LaneSource {
    llvm::SmallMapVector<llvm::Value *, llvm::SmallVector<lanes::LanesInMemory, 1>, 4> memory;
    llvm::SmallDenseMap<llvm::Value *, Values> loaded; // the operands of the lane that is being emitted
  };
  void prepareLanes(llvm::Value *value, LaneSource &source);
  llvm::Value *laneFrom(const LaneSource &source, llvm::Value *value, llvm::Value *lane);
  llvm::Instruction *cloneForLane(llvm::Instruction &instruction, llvm::Value *lane, const LaneSource &source);
  llvm::Instruction *emitOneLane(llvm::Instruction &instruction, llvm::Value *lane, LaneSource &source);
  void emitChunkOfLanes(llvm::Instruction &instruction, llvm::Value *first, unsigned count, LaneSource &source);
  void prefetchLines(llvm::CallBase &call);
  bool widenDebugMarker(llvm::CallBase &call);
  void widenPrimitive(llvm::CallBase &call, Primitive primitive);
  bool reduceToAll(llvm::CallBase &call, lanes::ReduceOp op);
  bool widenReduction(llvm::CallBase &call, Primitive primitive);
  void widenVote(llvm::CallBase &call, Primitive primitive);
  void widenBroadcast(llvm::CallBase &call, Primitive primitive);
  void widenShuffle(llvm::CallBase &call, Primitive primitive);
  void widenBlockRead(llvm::CallBase &call);
  void widenBlockWrite(llvm::CallBase &call);
  void widenPartnerExchange(llvm::CallBase &call);
  Values eachComponent(llvm::Value *value, llvm::function_ref<llvm::Value *(llvm::Value *)> operation);
  llvm::Value *lanePredicate(llvm::Value *value);
  llvm::Value *votePredicate(llvm::Value *value);

  // widen_matrix.cpp: matrices and rows.
  Values matrixRows(llvm::Value *matrix);
  void widenMatrixMultiply(llvm::CallBase &call);
  llvm::Value *rowMask(llvm::Value *first, llvm::Value *end);
  void widenRowRead(llvm::CallBase &call);
  void widenRowWrite(llvm::CallBase &call);

  // Remarks for the report, and counts for `moves`.
  void remark(Remark::Kind kind, const llvm::Instruction &at, const llvm::Twine &text);
  void count(const llvm::Instruction &instruction);
  void remarkOnAddresses(Remark::Kind kind, const llvm::Instruction &access, llvm::StringRef what); // widen_memory.cpp
  void remarkOnStride(Remark::Kind kind, const llvm::Instruction &access, int64_t stride, llvm::Type *element);
  void remarkOnOperation(const llvm::CallBase &call, const llvm::Twine &text) {
    remark(Remark::Kind::SubGroupOperation, call, text);
  }

  llvm::Function &source;
  llvm::Function &target;
  const WidenOptions options;
  PassContext &context;
  const llvm::DataLayout &layout;
  PrivateLayouts layouts;
  ShapeInfo shapes;

  llvm::IRBuilder<> b;
  lanes::LaneContext c;
  DebugFrame debug;
  llvm::Value *entry_mask = nullptr;                                    // null: all lanes exist
  llvm::AllocaInst *check_addresses = nullptr, *check_values = nullptr; // null: none yet
  llvm::Value *check_call = nullptr; // an abi::CheckCall on the stack; null: none yet
  llvm::Value *mask = nullptr;       // the mask of the block that is being widened; null: all lanes are active

  // The results so far, by value of the scalar kernel.
  ElementMoves moves;
  llvm::DenseMap<const llvm::Value *, llvm::Value *> scalars;
  llvm::DenseMap<const llvm::Value *, Values> vectors;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::BasicBlock *> heads; // where a block starts
  llvm::DenseMap<const llvm::BasicBlock *, llvm::BasicBlock *> tails; // where it ends, if emitters have split it
};

} // namespace lanecl::vectorizer
