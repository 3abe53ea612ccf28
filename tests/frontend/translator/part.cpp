// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The library that program.cpp loads. It is built twice, with different numbers.
int part() {
  return LANECL_TEST_PART;
}
