// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What work-items pass to sub-group and work-group functions.
#pragma once

#include "generate/maker.h"

namespace lanecl::fuzz {

// Number of elements in an input for block reads. A block fits after any index that block reads get.
inline constexpr unsigned kBlockInput = 1024;

// Adds the operands and the number that the call's function and type need.
void addOperands(Maker &, Stmt &);

// Whether the number of work-items in every work-group of every launch is a multiple of `items`.
bool haveWorkGroupsOf(const Kernel &, size_t items);

// Defined in matrices.cpp.
void addMatrices(Maker &, Stmt &);

// Defined in blocks_2d.cpp. Also chooses the type.
void addBlock2d(Maker &, Stmt &);

// Defined in image_blocks.cpp. Add an image for block functions, and their operands.
void addBlockImage(Maker &, const std::string &name, ImageShape::Access access);
void addImageBlock(Maker &, Stmt &);

} // namespace lanecl::fuzz
