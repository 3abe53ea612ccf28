// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Small kernels made by hand.
#pragma once

#include "evaluate/evaluate.h"

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
// One variable, v0, of that type.
Kernel kernelOf(Type type);
ExprPtr constant(Type type, int64_t number);
ExprPtr vectorOf(Base base, std::vector<ExprPtr> components);
// In that lane of each sub-group `yes`, in the others `no`.
ExprPtr atLane(int64_t lane, ExprPtr yes, ExprPtr no);
// To v0.
Stmt call(SubGroupFunction function, std::vector<ExprPtr> values, Type type = kInt);
// v0, or one of its components, to the output.
Stmt storeVariable();
Stmt storeComponent(const Kernel &kernel, unsigned component);
// What memory holds after the first launch.
Contents run(Kernel &kernel, Unguarded &unguarded, unsigned width = 16);

// An int variable; no value when that is null.
Stmt declare(Kernel &kernel, ExprPtr value);

} // namespace lanecl::fuzz
