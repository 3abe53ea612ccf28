// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Products of small matrices that are distributed over the lanes of a sub-group.
//
// The left matrix consists of rows of eight dwords that are the same for all lanes. The right matrix consists of
// columns of eight dwords, one column per lane. A dword holds the elements of eight, four, two or one consecutive k,
// the first in its low bits. For each dword of a row the product is therefore a splat of that dword and a dot product
// with the lanes' dwords:
//
//   8 and 4 bits      vpdpbusd where there is VNNI, otherwise vpmaddwd of the elements extended to 16 bits. The sums
//                     wrap around like 32-bit integers, whatever the instructions.
//   bf16, f16, tf32   fma of the elements as float, one after the other in the order of k, so that every processor
//                     has the same result. Only ten mantissa bits of a tf32 element are used.
//
// The dot product of AVX-512 BF16 is not used. It treats denormals as zero, and on Sapphire Rapids it takes four times
// as long as one of the two fma that replace it.
#pragma once

#include "lanes/context.h"

#include "llvm/ADT/ArrayRef.h"

namespace lanecl::vectorizer::lanes {

enum class MatrixElement { I8, U8, I4, U4, Bf16, F16, Tf32 };

inline constexpr unsigned kMatrixDwords = 8; // in a row of the left matrix, and in a column of the right one

// Adds the product to `sums`, which holds a <W x i32> or <W x float> for each row. A row is <8 x i32>. Dword k of lane
// n's column is element n of the <W x i32> columns[k]. The two element types are integers of the same size, or they are
// equal.
void emitMatrixMultiplyAdd(const LaneContext &c, MatrixElement left, MatrixElement right,
                           llvm::ArrayRef<llvm::Value *> rows, llvm::ArrayRef<llvm::Value *> columns,
                           llvm::MutableArrayRef<llvm::Value *> sums);

} // namespace lanecl::vectorizer::lanes
