// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs functions of the built-in library on the host: a small OpenCL C module is compiled, linked with the library,
// retargeted to this processor and made callable.
#pragma once

#include <memory>
#include <string>

namespace llvm::orc {
class LLJIT;
}

class HostLibrary {
public:
  // `source` is OpenCL C; its functions are found by their plain names. Throws std::runtime_error with what went wrong.
  explicit HostLibrary(const std::string &source);
  ~HostLibrary();

  template <typename Function> Function *function(const std::string &name) const {
    return reinterpret_cast<Function *>(address(name));
  }

private:
  void *address(const std::string &name) const;
  std::unique_ptr<llvm::orc::LLJIT> jit;
};
