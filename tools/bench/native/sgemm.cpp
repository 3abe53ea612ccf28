// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Matrix multiplications in C++: the fast one, and the one that one writes in half an hour, with tiles and plain loops,
// which the compiler vectorizes.
//
// For the fast one, blocks of A and B are packed so that the innermost loop reads memory contiguously and keeps a tile
// of C in registers.
#include "native.h"
#include "parallel.h"
#include "vector.h"

#include <memory>

namespace bench::native {

namespace {

// The tile of C that stays in registers has kRows rows and kBlocks blocks of 16 columns. Blocks of A and B are kDepth
// deep.
#ifdef __AVX512F__
constexpr size_t kRows = 14, kBlocks = 2; // uses 28 of 32 registers
#else
constexpr size_t kRows = 6, kBlocks = 1; // 16 columns take two registers, so this uses 12 of 16
#endif
constexpr size_t kColumns = kBlocks * kLanes, kDepth = 256;

// The part of C that one thread computes.
struct Part {
  size_t row_begin, row_end, column_begin, column_end;
};

struct Product {
  const float *a, *b;
  float *c;
  size_t m, n, k;
};

size_t divideUp(size_t value, size_t by) {
  return (value + by - 1) / by;
}

// Copies columns [column, column + kColumns) of `depth` rows of B, one row after the other. Columns past the last one
// become zeros.
void packB(const Product &p, size_t k0, size_t depth, size_t column, size_t column_end, float *packed) {
  const size_t columns = std::min(kColumns, column_end - column);
  for (size_t k = 0; k < depth; ++k, packed += kColumns) {
    std::memset(packed, 0, kColumns * sizeof(float));
    std::memcpy(packed, p.b + (k0 + k) * p.n + column, columns * sizeof(float));
  }
}

// Copies kRows rows of A transposed. Rows past the last one become zeros.
void packA(const Product &p, size_t k0, size_t depth, size_t row, size_t row_end, float *packed) {
  for (size_t i = 0; i < kRows; ++i)
    for (size_t k = 0; k < depth; ++k)
      packed[k * kRows + i] = row + i < row_end ? p.a[(row + i) * p.k + k0 + k] : 0;
}

using Tile = Float16[kRows][kBlocks];

// Multiplies a packed block of A with one of B. The loops are unrolled completely, so that `sums` stays in registers.
void multiplyTile(const float *__restrict a, const float *__restrict b, size_t depth, Tile &result) {
  Tile sums = {};
  for (size_t k = 0; k < depth; ++k, a += kRows, b += kColumns) {
    Float16 b_row[kBlocks];
#pragma clang loop unroll(full)
    for (size_t j = 0; j < kBlocks; ++j)
      b_row[j] = load(b + j * kLanes);
#pragma clang loop unroll(full)
    for (size_t i = 0; i < kRows; ++i)
#pragma clang loop unroll(full)
      for (size_t j = 0; j < kBlocks; ++j)
        sums[i][j] = fma(Float16(a[i]), b_row[j], sums[i][j]);
  }
  std::memcpy(&result, &sums, sizeof sums);
}

// Stores the part of a tile that lies inside C, or adds it to what earlier blocks have computed.
void storeTile(const Product &p, const Tile &tile, size_t row, size_t row_end, size_t column, size_t column_end,
               bool add) {
  const size_t columns = std::min(kColumns, column_end - column);
  for (size_t i = 0; i < std::min(kRows, row_end - row); ++i) {
    float *c = p.c + (row + i) * p.n + column;
    const float *sums = reinterpret_cast<const float *>(tile[i]);
    for (size_t j = 0; j < columns; ++j)
      c[j] = add ? c[j] + sums[j] : sums[j];
  }
}

// Computes a thread's part of C, kDepth columns of A at a time.
void multiplyPart(const Product &p, const Part &part) {
  const size_t panels = divideUp(part.column_end - part.column_begin, kColumns);
  const auto packed_b = std::make_unique_for_overwrite<float[]>(panels * kDepth * kColumns);
  const auto packed_a = std::make_unique_for_overwrite<float[]>(kDepth * kRows);
  Tile tile;
  for (size_t k0 = 0; k0 < p.k; k0 += kDepth) {
    const size_t depth = std::min(kDepth, p.k - k0);
    for (size_t j = 0; j < panels; ++j)
      packB(p, k0, depth, part.column_begin + j * kColumns, part.column_end, &packed_b[j * kDepth * kColumns]);
    for (size_t row = part.row_begin; row < part.row_end; row += kRows) {
      packA(p, k0, depth, row, part.row_end, packed_a.get());
      for (size_t j = 0; j < panels; ++j) {
        multiplyTile(packed_a.get(), &packed_b[j * kDepth * kColumns], depth, tile);
        storeTile(p, tile, row, part.row_end, part.column_begin + j * kColumns, part.column_end, k0 != 0);
      }
    }
  }
}

} // namespace

// The threads divide the columns of C. When that gives each less than four tiles' width, they divide the rows as well.
void sgemm(const float *a, const float *b, float *c, size_t m, size_t n, size_t k) {
  const Product product{a, b, c, m, n, k};
  const size_t threads = threadCount();
  const size_t column_parts = std::min(threads, std::max<size_t>(1, n / (4 * kColumns)));
  const size_t row_parts = divideUp(threads, column_parts);
  onThreads(unsigned(column_parts * row_parts), [&](unsigned i) {
    const size_t column = i % column_parts, row = i / column_parts;
    multiplyPart(product, {m * row / row_parts, m * (row + 1) / row_parts, n * column / column_parts,
                           n * (column + 1) / column_parts});
  });
}

namespace {

constexpr size_t kPlainTile = 64; // rows and columns

// The rows of B go through the cache once for a block of rows of A. The columns of C are the vector lanes.
void multiplyRows(const float *__restrict a, const float *__restrict b, float *__restrict c, size_t n, size_t row_begin,
                  size_t row_end) {
  std::memset(c + row_begin * n, 0, (row_end - row_begin) * n * sizeof(float));
  for (size_t k0 = 0; k0 < n; k0 += kPlainTile)
    for (size_t column = 0; column < n; column += kPlainTile)
      for (size_t row = row_begin; row < row_end; ++row) {
        float sums[kPlainTile];
        std::memcpy(sums, c + row * n + column, sizeof sums);
        for (size_t k = k0; k < k0 + kPlainTile; ++k)
#pragma omp simd
          for (size_t j = 0; j < kPlainTile; ++j)
            sums[j] += a[row * n + k] * b[k * n + column + j];
        std::memcpy(c + row * n + column, sums, sizeof sums);
      }
}

} // namespace

void sgemmTiled(const float *a, const float *b, float *c, size_t n) {
  inRanges(n, 16, [&](size_t begin, size_t end) { multiplyRows(a, b, c, n, begin, end); });
}

} // namespace bench::native
