// Makes a failing kernel small: statements go, expressions become constants or parts of themselves.
#pragma once

#include "ast.h"

#include <functional>

namespace lanecl::test::random_kernels {

// `fails` must hold for the kernel and holds for the result. Barriers and stores to local memory stay: without them
// there may be a race, or a value nobody wrote.
Kernel reduce(Kernel kernel, const std::function<bool(const Kernel &)> &fails);

} // namespace lanecl::test::random_kernels
