// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

int part() {
  return LANECL_TEST_PART;
}
