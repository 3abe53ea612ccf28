// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Stands in for the SPIR-V translator, to test that its libraries are part of its identity.
int part();
int main() {
  return part();
}
