// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Explains, for the vectorization report, why an access is a gather or a scatter: why the addresses of its lanes are
// not consecutive, and what the programmer can do about it.
#pragma once

#include "analysis/shapes/lane_origin.h"
#include "analysis/shapes/shape_analysis.h"

namespace lanecl::vectorizer {

// Returns the reason for a varying `pointer`, such as "its index is a product of line 5; give neighboring lanes
// neighboring elements". Returns an empty string if no reason is found.
std::string whyScattered(const llvm::Value &pointer, const ShapeInfo &shapes, const LaneOrigin &origin);

} // namespace lanecl::vectorizer
