// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What has a value within arrays, records and memory.
#include "generate/maker.h"

#include <algorithm>

namespace lanecl::fuzz {

ExprPtr Maker::subscript() {
  return index(chance(70) ? Level::Lane : Level::Group, 2);
}

// Descends into the fields of a record until it reaches a scalar or a vector.
ExprPtr Maker::within(Expr place, Level level) {
  while (isRecord(place.type)) {
    const Record &record = kernel.records[place.type.record - 1];
    const unsigned number = below(unsigned(record.fields.size()));
    const Field field = record.fields[number];
    place.path.push_back(uint8_t(number));
    if (field.array)
      place.args.push_back(level == Level::Lane ? subscript() : index(level, 1));
    place.type = field.type;
  }
  return make(std::move(place));
}

// Returns an element of an array or what a pointer points to; for a plain variable, the whole variable.
ExprPtr Maker::elementOf(unsigned number) {
  const Variable v = function.variables[number];
  if (isPlain(v))
    return variable(number);
  Expr e{.kind = Expr::Kind::Element, .type = v.type, .variable = number};
  if (v.pointer && v.count == 1)
    e.args = {constant(kInt, 0)};
  else if (v.array || v.pointer)
    e.args = {subscript()};
  return within(std::move(e));
}

ExprPtr Maker::ownElement(unsigned memory) {
  return make({.kind = Expr::Kind::Load,
               .type = kernel.memories[memory].type,
               .args = {ownCell(memory, slot(memory, Level::Lane, 1))},
               .memory = memory});
}

// Returns an element of memory that no work-item writes.
ExprPtr Maker::anyElement(unsigned memory, Level level, unsigned depth) {
  return within(
      {.kind = Expr::Kind::Load, .type = kernel.memories[memory].type, .args = {index(level, depth)}, .memory = memory},
      level);
}

std::vector<unsigned> Maker::locals() const {
  std::vector<unsigned> result = memoriesWhere([](const MemoryObject &o) { return o.isLocal(); });
  std::erase(result, unsigned(busy));
  return result;
}

// While other work-items may write local memory, pointers that may point there are not used.
bool Maker::mayRead(const Variable &v) const {
  const bool local = v.pointer && (v.space == Space::Local || v.space == Space::Generic);
  return !local || (locals_ready && busy < 0);
}

bool Maker::mayWrite(const Variable &v) const {
  const bool local = v.pointer && (v.space == Space::Local || v.space == Space::Generic);
  return !v.fixed && !v.constant && mayRead(v) && !(local && reading);
}

// Chooses `count` of `lanes` components, all different ones if `distinct` is set.
Swizzle Maker::swizzle(unsigned lanes, unsigned count, bool distinct) {
  Swizzle result{.spelling = Swizzle::Spelling(below(3))};
  if (result.spelling == Swizzle::Spelling::Half && lanes != 3 && count * 2 == lanes) {
    const unsigned half = below(4), first = half < 2 ? half * count : half - 2, step = half < 2 ? 1 : 2;
    for (unsigned i = 0; i < count; ++i)
      result.components.push_back(uint8_t(first + i * step));
    return result;
  }
  while (result.components.size() < count) {
    const uint8_t c = uint8_t(below(lanes));
    if (!distinct || std::find(result.components.begin(), result.components.end(), c) == result.components.end())
      result.components.push_back(c);
  }
  return result;
}

} // namespace lanecl::fuzz
