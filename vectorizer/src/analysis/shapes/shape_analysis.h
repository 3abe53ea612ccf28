// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Computes the shape of every value of a linearized kernel.
#pragma once

#include "analysis/shapes/private_layout.h"
#include "analysis/shapes/shape.h"
#include "pass_support/required_pass.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

// Valid only after linearization. Every branch is uniform then, so shapes follow from the data flow alone, and a phi of
// uniform values is uniform.
class ShapeInfo {
public:
  // Makes the shapes for code of one lane: every value is uniform.
  ShapeInfo() = default;
  ShapeInfo(llvm::Function &function, const PrivateLayouts &layouts);

  // Returns the shape of any value. Constants are uniform, and so are arguments, except those of a kept function that
  // are marked as varying. A pointer into a lane-innermost variable has the shape of its offset.
  Shape shapeOf(const llvm::Value *value) const;
  bool isUniform(const llvm::Value *value) const { return shapeOf(value).isUniform(); }

private:
  llvm::DenseMap<const llvm::Value *, Shape> shapes;
};

// The pass `print<shapes>`: writes the shape of every instruction that has a result, for IR tests.
class ShapePrinterPass : public RequiredPass<ShapePrinterPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

} // namespace lanecl::vectorizer
