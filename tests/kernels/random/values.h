// Arithmetic of the random kernels on the host.
#pragma once

#include "ast.h"

#include <array>

namespace lanecl::test::random_kernels {

// Components as raw bits, zero-extended: 32 bits of an int, a uint or a float.
using Value = std::array<uint64_t, 4>;

float toFloat(uint64_t bits);
uint64_t fromFloat(float value);
float tame(float value);
Value tamed(Type type, Value value);
int64_t toInteger(Base base, uint64_t bits); // sign-extended where the type is signed

uint64_t binary(Op op, Base base, uint64_t left, uint64_t right);
uint64_t divide(bool remainder, Base base, uint64_t left, uint64_t right);
uint64_t convert(Base to, Base from, uint64_t bits);

} // namespace lanecl::test::random_kernels
