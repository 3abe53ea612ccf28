// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Where a freeze is needed before elements become parts of one number, which is poison as a whole when a bit of it is.
#pragma once

#include "llvm/IR/Value.h"

namespace lanecl::vectorizer {

// Whether an element of the value may be poison, by a flag, an operation out of its range, or a missing element of a
// shuffle. Arguments, results of calls and memory hold none: what is passed and stored is defined. Only private
// variables may, because LLVM forwards what is stored there.
bool mayHavePoison(const llvm::Value &value);

} // namespace lanecl::vectorizer
