// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "language/matrices.h"

#include <stdexcept>

namespace lanecl::fuzz {

namespace {

constexpr std::pair<std::string_view, Element> kElements[] = {
    {"i4", Element::I4},   {"u4", Element::U4},     {"i8", Element::I8},    {"u8", Element::U8},
    {"f16", Element::F16}, {"bf16", Element::Bf16}, {"tf32", Element::Tf32}};

// Takes the first element type off the text and returns it.
Element takeElement(std::string_view &text) {
  for (const auto &[name, element] : kElements)
    if (text.substr(0, text.find('_')) == name) {
      text.remove_prefix(name.size() + 1);
      return element;
    }
  throw std::logic_error("no element in " + std::string(text));
}

} // namespace

Matrices matricesOf(SubGroupFunction function, Type sum) {
  std::string_view text = infoOf(function).text;
  text.remove_prefix(std::string_view("intel_sub_group_").size());
  Matrices m;
  m.left = takeElement(text);
  m.right = takeElement(text);
  m.split = text.substr(0, 5) == "split";
  m.sum = sum;
  return m;
}

Base sumBase(SubGroupFunction function) {
  for (Base base : {Base::Int, Base::Float, Base::Half})
    if (contains(infoOf(function).types, {base, 2}))
      return base;
  return Base::Short;
}

bool Matrices::allowWidth(unsigned width) const {
  const bool narrow = bitsOf(sum.base) == 16;
  return (width == 8 && left != Element::Tf32 && !narrow) || (width == 16 && !split);
}

Type Matrices::leftType(unsigned width) const {
  const unsigned components = split || left == Element::Tf32 ? (rows() + 1) / 2 : rows();
  const Base whole = width == 8 ? Base::Int : Base::Short;
  const Base base = left == Element::Tf32 ? Base::Float : isSigned(left) ? whole : unsignedOf(whole);
  return {base, uint8_t(components)};
}

Type Matrices::rightType() const {
  return {left == Element::Tf32 ? Base::Float : isSigned(right) ? Base::Int : Base::UInt, 8};
}

} // namespace lanecl::fuzz
