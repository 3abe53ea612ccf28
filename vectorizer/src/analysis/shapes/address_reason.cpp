// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/shapes/address_reason.h"

#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace lanecl::vectorizer {
namespace {

// Walks from an address back to the operation that makes the lanes' addresses non-consecutive. It goes on through an
// operation as long as exactly one operand of that operation varies: `in[(8 * id) + uniform]` leads to the product.
class Search {
public:
  Search(const ShapeInfo &shapes, const LaneOrigin &origin) : shapes(shapes), origin(origin) {}

  // Returns the reason for `value`, or an empty string.
  std::string of(const Value &value) {
    const auto *instruction = dyn_cast<Instruction>(&value);
    if (!instruction || ++steps == kMostSteps)
      return "";
    if (const auto *address = dyn_cast<GetElementPtrInst>(instruction))
      return ofAddress(*address);
    if (const auto *cast = dyn_cast<CastInst>(instruction))
      return shapes.shapeOf(cast->getOperand(0)).isStrided() ? wraps() : of(*cast->getOperand(0));
    if (isa<FreezeInst>(instruction))
      return of(*instruction->getOperand(0));
    if (const auto *op = dyn_cast<BinaryOperator>(instruction))
      return ofOperation(*op);
    return ofOrigin(value);
  }

private:
  static constexpr unsigned kMostSteps = 32;

  static std::string wraps() { return "its index may wrap around in 32 bits; use size_t"; }

  std::string ofOrigin(const Value &value) const {
    const std::string text = origin.of(value);
    return text.empty() ? "" : "its index depends on " + text;
  }

  // Returns the operand that varies, or null if none does or several do.
  const Value *onlyVarying(const User &user) const {
    const Value *varying = nullptr;
    for (const Value *operand : user.operand_values())
      if (shapes.shapeOf(operand).isVarying()) {
        if (varying)
          return nullptr;
        varying = operand;
      }
    return varying;
  }

  // A GEP sign-extends an index of less than 64 bits. So a strided 32-bit index that may wrap around gives addresses
  // that are not strided, although no operand of the GEP varies.
  std::string ofAddress(const GetElementPtrInst &address) {
    if (const Value *varying = onlyVarying(address))
      return of(*varying);
    for (const Value *index : address.indices())
      if (shapes.shapeOf(index).isStrided() && index->getType()->getScalarSizeInBits() < 64)
        return wraps();
    return ofOrigin(address);
  }

  std::string ofOperation(const BinaryOperator &op) {
    if (const Value *varying = onlyVarying(op))
      return of(*varying);
    const bool both_vary = any_of(op.operand_values(), [&](auto *value) { return shapes.shapeOf(value).isVarying(); });
    switch (op.getOpcode()) {
    case Instruction::Mul:
    case Instruction::Shl:
      if (!both_vary) // an id times a uniform value that the compiler does not know
        return "its index is a product" + ofItsLine(op) + "; give neighboring lanes neighboring elements";
      break;
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::URem:
    case Instruction::SRem:
    case Instruction::LShr:
    case Instruction::AShr:
    case Instruction::And:
    case Instruction::Xor:
      if (!both_vary)
        return "its index is a quotient, remainder or combination of bits" + ofItsLine(op);
      break;
    default: break;
    }
    return ofOrigin(op);
  }

  const ShapeInfo &shapes;
  const LaneOrigin &origin;
  unsigned steps = 0;
};

} // namespace

std::string whyScattered(const Value &pointer, const ShapeInfo &shapes, const LaneOrigin &origin) {
  return Search(shapes, origin).of(pointer);
}

} // namespace lanecl::vectorizer
