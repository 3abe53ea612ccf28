// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Describes undefined arithmetic for reports. vectorizer/src/check/check_arithmetic.cpp has the checks.
#pragma once

#include "vectorizer/contract/check_site.h"

#include <string>

namespace lanecl::icd {

// Returns the operation with its operands, such as "division of 7 by 0". The rule of `site` determines what `value`
// and `other` mean: operands, the width in bits, or the signedness of the type.
std::string describeArithmetic(const abi::CheckSite &site, uint64_t value, uint64_t other);

} // namespace lanecl::icd
