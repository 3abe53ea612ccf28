// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// When this library is preloaded, oneTBB seems to be older than 2021.1.
extern "C" [[gnu::visibility("default")]] int TBB_runtime_interface_version() {
  return 12009;
}
