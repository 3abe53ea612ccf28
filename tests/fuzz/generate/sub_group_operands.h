// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What work-items hand over to sub-group and work-group functions.
#pragma once

#include "generate/maker.h"

namespace lanecl::fuzz {

// Elements of an input for block reads, so that a block fits behind any index they get.
inline constexpr unsigned kBlockInput = 1024;

// For the call's function and type: its operands, and its number.
void addOperands(Maker &, Stmt &);

// Whether all work-groups of all launches have a multiple of so many work-items.
bool haveWorkGroupsOf(const Kernel &, size_t items);

// In matrices.cpp.
void addMatrices(Maker &, Stmt &);

// In blocks_2d.cpp; the type, too.
void addBlock2d(Maker &, Stmt &);

// In image_blocks.cpp: an image for block functions, and their operands.
void addBlockImage(Maker &, const std::string &name, ImageShape::Access access);
void addImageBlock(Maker &, Stmt &);

} // namespace lanecl::fuzz
