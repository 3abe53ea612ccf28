// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "llvm/IR/PassManager.h"

#include <utility>

namespace lanecl::vectorizer {

// The base of a pass without which kernels would not compile or would compute wrong values. A pass that only makes the
// code faster derives from llvm::PassInfoMixin instead; PassGate can leave it out.
template <class Pass> struct RequiredPass : llvm::PassInfoMixin<Pass> {
  static bool isRequired() { return true; }
};

// One of LLVM's optional passes, where the passes behind it rely on what it does.
template <class Pass> struct Required : Pass {
  explicit Required(Pass pass = Pass()) : Pass(std::move(pass)) {}
  static bool isRequired() { return true; }
};

} // namespace lanecl::vectorizer
