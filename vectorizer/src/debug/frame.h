// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The debug frame of a lanes function (vectorizer/contract/debug_frame.h), which `widen` creates. A kernel's frame is
// in the sub-group's scratch memory; the frame of a kept function is on the stack.
#pragma once

#include "analysis/shapes/private_layout.h"
#include "lanes/context.h"
#include "pass_support/pass_context.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DebugInfoMetadata.h"

namespace lanecl::vectorizer {

class DebugFrame {
public:
  // Gives each source variable of the scalar function a place in the frame. There is no frame if the function was not
  // built with -g.
  DebugFrame(const llvm::Function &scalar, llvm::Function &lanes, const PrivateLayouts &layouts, unsigned width,
             const PassContext &context);
  explicit operator bool() const { return exists; }

  // Writes the header at the function's entry. `mask` has the lanes for which a kept function was called; null: all
  // lanes.
  void enter(const lanes::LaneContext &c, llvm::Value *mask);
  // Returns the address of a variable in the frame; null if it is no source variable.
  llvm::Value *place(llvm::IRBuilderBase &b, const llvm::AllocaInst &variable) const;
  // Create what a marker of the scalar function becomes in the lanes function. `mask` has the active lanes.
  void statement(const lanes::LaneContext &c, const llvm::CallBase &marker, llvm::Value *mask);
  void variable(llvm::IRBuilderBase &b, const llvm::CallBase &marker) const;
  // Prepares the frame for a call of a kept function by the lanes of the mask, because that function may have a frame,
  // too.
  void call(const lanes::LaneContext &c, const llvm::CallBase &call, llvm::Value *mask);
  // Returns where the frame keeps the lanes' pointers to a variable outside of it; null if the variable is in the
  // frame.
  llvm::Value *pointerPlace(llvm::IRBuilderBase &b, const llvm::CallBase &marker) const;
  void leave(llvm::IRBuilderBase &b); // to be called before the function returns

private:
  void findPlaces(const llvm::Function &scalar);
  uint64_t reserve(uint64_t bytes, llvm::Align alignment = llvm::Align());
  llvm::Value *field(llvm::IRBuilderBase &b, uint64_t offset) const;
  void store(llvm::IRBuilderBase &b, llvm::Value *value, uint64_t offset) const;
  void storeInKernel(llvm::IRBuilderBase &b, llvm::Value *value, uint64_t offset) const;
  void makeOnStack(llvm::IRBuilderBase &b);
  void linkFrames(llvm::IRBuilderBase &b);
  void storeMask(const lanes::LaneContext &c, const llvm::CallBase &at, llvm::Value *mask);
  // Where the variables of all lanes are, from their offset in the frame on. Either each lane's variable is contiguous
  // (lane-major), or each cell of the variable is stored for all lanes before the next cell.
  struct Layout {
    uint64_t offset;
    uint64_t lane_stride;
    uint64_t cells = 1, cell_bytes = 0, cell_stride = 0; // cell_bytes is 0 if the layout is lane-major
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
  llvm::Value *frame = nullptr;  // null before enter()
  llvm::Value *caller = nullptr; // the frame of the function that called this kept function
  uint64_t bytes = 0;
  llvm::Align alignment; // of the whole frame
  // The offsets of variables, and for variables outside the frame those of the pointers to them, by marker.
  llvm::DenseMap<const llvm::Value *, uint64_t> offsets;
  // The block and the mask for which the header's mask was written last.
  const llvm::BasicBlock *mask_block = nullptr;
  llvm::Value *mask_written = nullptr;
};

} // namespace lanecl::vectorizer
