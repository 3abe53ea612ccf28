// Small kernels made by hand.
#pragma once

#include "language/kernel.h"

namespace lanecl::fuzz {

// One launch of 16 work-items, an output of one int for each, a local int for each; more is up to the test.
Kernel emptyKernel();
inline constexpr unsigned kOut = 0, kLocal = 1;

ExprPtr number(int64_t value);
ExprPtr ask(Query query);
ExprPtr op(Op op, ExprPtr left, ExprPtr right);
ExprPtr load(unsigned memory, ExprPtr index);
ExprPtr variable(unsigned number);
Stmt store(unsigned memory, ExprPtr index, ExprPtr value);
Stmt branch(ExprPtr condition, Block block);
// An int variable; no value when that is null.
Stmt declare(Kernel &kernel, ExprPtr value);

} // namespace lanecl::fuzz
