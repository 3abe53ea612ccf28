// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A sparse matrix in compressed rows times a vector, a work-item a row.
kernel void spmv(const global int *restrict starts, const global int *restrict columns,
                 const global float *restrict values, const global float *restrict x, global float *restrict y) {
  const int row = get_global_id(0);
  float sum = 0;
  for (int i = starts[row]; i < starts[row + 1]; ++i)
    sum = fma(values[i], x[columns[i]], sum);
  y[row] = sum;
}
