// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The debug frame of a lanes function (vectorizer/contract/debug_frame.h), for `widen`. That of a kernel lies in the
// sub-group's scratch memory, that of a kept function on the stack.
#pragma once

#include "analysis/private_layout.h"
#include "lanes/context.h"
#include "pass_support/pass_context.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DebugInfoMetadata.h"

namespace lanecl::vectorizer {

class DebugFrame {
public:
  // Gives each source variable of the scalar function its place. No frame: the function was not built with -g.
  DebugFrame(const llvm::Function &scalar, llvm::Function &lanes, const PrivateLayouts &layouts, unsigned width,
             const PassContext &context);
  explicit operator bool() const { return exists; }

  // At the function's entry: writes the header. `mask`: the lanes for which a kept function was called; null: all.
  void enter(const lanes::LaneContext &c, llvm::Value *mask);
  // The variable's address; null: not a source variable.
  llvm::Value *place(llvm::IRBuilderBase &b, const llvm::AllocaInst &variable) const;
  // What a marker of the scalar function becomes. `mask`: the active lanes.
  void statement(const lanes::LaneContext &c, const llvm::CallBase &marker, llvm::Value *mask);
  void variable(llvm::IRBuilderBase &b, const llvm::CallBase &marker) const;
  // Before the lanes of the mask call a kept function, which may have a frame of its own.
  void call(const lanes::LaneContext &c, const llvm::CallBase &call, llvm::Value *mask);
  // Where the frame keeps the lanes' pointers to a variable that lies outside of it; null: it lies in the frame.
  llvm::Value *pointerPlace(llvm::IRBuilderBase &b, const llvm::CallBase &marker) const;
  void leave(llvm::IRBuilderBase &b); // before the function returns

private:
  void findPlaces(const llvm::Function &scalar);
  uint64_t reserve(uint64_t bytes, llvm::Align alignment = llvm::Align());
  llvm::Value *field(llvm::IRBuilderBase &b, uint64_t offset) const;
  void store(llvm::IRBuilderBase &b, llvm::Value *value, uint64_t offset) const;
  void storeInKernel(llvm::IRBuilderBase &b, llvm::Value *value, uint64_t offset) const;
  void makeOnStack(llvm::IRBuilderBase &b);
  void linkFrames(llvm::IRBuilderBase &b);
  void storeMask(const lanes::LaneContext &c, const llvm::CallBase &at, llvm::Value *mask);
  // Where the lanes' variables lie: in lane-major order, or cell by cell. Offset in the frame.
  struct Layout {
    uint64_t offset;
    uint64_t lane_stride;
    uint64_t cells = 1, cell_bytes = 0, cell_stride = 0; // cell_bytes 0: lane-major
    bool through_pointer = false;
  };
  Layout layoutOf(const llvm::CallBase &marker) const;
  using Description = llvm::SmallVector<llvm::Metadata *, 16>;
  void describeSelected(Description &description, llvm::DILocalVariable &source, llvm::DIExpression &expression,
                        const Layout &layout) const;
  void describeLanes(Description &description, llvm::DILocalVariable &source, const Layout &layout) const;

  const unsigned width;
  const bool optimized;
  const bool is_kernel;
  const PrivateLayouts &layouts;
  llvm::Function &lanes;
  bool exists = false;
  llvm::Value *frame = nullptr;  // known from enter() on
  llvm::Value *caller = nullptr; // the frame of the function that called a kept function
  uint64_t bytes = 0;
  llvm::Align alignment;                                 // of the whole
  llvm::DenseMap<const llvm::Value *, uint64_t> offsets; // of variables, and of markers with a pointer
  // For which block and mask the header's mask was written last.
  const llvm::BasicBlock *mask_block = nullptr;
  llvm::Value *mask_written = nullptr;
};

} // namespace lanecl::vectorizer
