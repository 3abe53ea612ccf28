// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Small kernels made by hand.
#pragma once

#include "evaluate/evaluate.h"

namespace lanecl::fuzz {

// Makes a kernel with one launch of 16 work-items, an output of one int and local memory of one int for each of them.
// The test adds the rest.
Kernel emptyKernel();
inline constexpr unsigned kOut = 0, kLocal = 1;

ExprPtr number(int64_t value);
ExprPtr ask(Query query);
ExprPtr op(Op op, ExprPtr left, ExprPtr right);
ExprPtr load(unsigned memory, ExprPtr index);
ExprPtr variable(unsigned number);
Stmt store(unsigned memory, ExprPtr index, ExprPtr value);
Stmt branch(ExprPtr condition, Block block);
// Makes a kernel with one variable, v0, of that type.
Kernel kernelOf(Type type);
ExprPtr constant(Type type, int64_t number);
ExprPtr vectorOf(Base base, std::vector<ExprPtr> components);
// Returns `yes` in that lane of each sub-group and `no` in the others.
ExprPtr atLane(int64_t lane, ExprPtr yes, ExprPtr no);
// Calls a function and assigns the result to v0.
Stmt call(SubGroupFunction function, std::vector<ExprPtr> values, Type type = kInt);
// Stores v0, or one of its components, to the output.
Stmt storeVariable();
Stmt storeComponent(const Kernel &kernel, unsigned component);
// Returns what memory holds after the first launch.
Contents run(Kernel &kernel, Unguarded &unguarded, unsigned width = 16);

// Declares an int variable, without a value if `value` is null.
Stmt declare(Kernel &kernel, ExprPtr value);

} // namespace lanecl::fuzz
