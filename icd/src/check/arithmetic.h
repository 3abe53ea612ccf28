// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What an operation has done, in words. See vectorizer/src/check/check_arithmetic.cpp.
#pragma once

#include "vectorizer/contract/check_site.h"

#include <string>

namespace lanecl::icd {

std::string describeArithmetic(const abi::CheckSite &site, uint64_t value, uint64_t other);

} // namespace lanecl::icd
