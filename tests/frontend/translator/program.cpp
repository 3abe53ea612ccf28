// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

int part();
int main() {
  return part();
}
