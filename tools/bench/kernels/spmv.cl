// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Multiplies a sparse matrix in compressed rows by a vector, one row for each work-item.
kernel void spmv(const global int *restrict starts, const global int *restrict columns,
                 const global float *restrict values, const global float *restrict x, global float *restrict y) {
  const int row = get_global_id(0);
  float sum = 0;
  for (int i = starts[row]; i < starts[row + 1]; ++i)
    sum = fma(values[i], x[columns[i]], sum);
  y[row] = sum;
}
