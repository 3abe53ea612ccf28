// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reveals where a freeze is needed before several elements are combined into one number: the whole number is poison if
// a single bit of it is.
#pragma once

#include "llvm/IR/Value.h"

namespace lanecl::vectorizer {

// Whether an element of the value may be poison: through a flag such as nsw, an operand out of range, or an element
// that a shuffle leaves open. Arguments, results of calls and loaded values are never poison, because what is passed
// and stored is defined. Loads of private variables are the exception, because LLVM forwards stored values to them.
bool mayHavePoison(const llvm::Value &value);

} // namespace lanecl::vectorizer
