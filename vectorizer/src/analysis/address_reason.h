// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Why the lanes' addresses of an access are not consecutive, and what to do about it, as text for the report.
#pragma once

#include "analysis/lane_origin.h"
#include "analysis/shape_analysis.h"

namespace lanecl::vectorizer {

// Of an address that varies: "its index is a product of line 5; give neighbouring lanes neighbouring elements".
std::string whyScattered(const llvm::Value &pointer, const ShapeInfo &shapes, const LaneOrigin &origin);

} // namespace lanecl::vectorizer
