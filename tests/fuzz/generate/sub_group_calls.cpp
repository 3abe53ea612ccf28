// Calls of sub-group functions by whole sub-groups.
#include "generate/maker.h"

#include <algorithm>

namespace lanecl::fuzz {

namespace {

// Whether all sub-groups have `width` work-items.
bool areFull(const Maker &m) {
  if (m.kernel.required_width == 0)
    return false;
  return std::all_of(m.kernel.launches.begin(), m.kernel.launches.end(), [&](const NDRange &range) {
    for (unsigned dim = 0; dim < 3; ++dim)
      if (range.globalSize(dim) % range.localSize(dim))
        return false;
    return range.groupItems() % m.width == 0;
  });
}

void addOperands(Maker &m, Stmt &s, Type type) {
  const auto limited = [&](ExprPtr e) { // to the lanes that exist
    return m.operation(Op::Rem, kUInt, {std::move(e), m.ask(Query::SubGroupSize, kUInt)});
  };
  switch (infoOf(s.sub_group).kind) {
  case SubGroupKind::Broadcast: s.values.push_back(limited(m.expr(kUInt, Level::SubGroup, 1))); break;
  case SubGroupKind::Shuffle: s.values.push_back(limited(m.expr(kUInt, Level::Lane, 2))); break;
  case SubGroupKind::ShuffleXor: s.values.push_back(m.constant(kUInt, m.below(m.width))); break;
  case SubGroupKind::ShuffleDown:
  case SubGroupKind::ShuffleUp:
    s.values.push_back(m.expr(type, Level::Lane, 2));
    s.values.push_back(m.constant(kUInt, m.below(m.width)));
    break;
  default: break;
  }
}

} // namespace

void makeSubGroupCall(Maker &m, Block &out, const Place &place) {
  if (place.level == Level::Lane)
    return;
  Stmt s{.kind = Stmt::Kind::SubGroupCall, .sub_group = SubGroupFunction(m.below(kSubGroupFunctionCount))};
  const SubGroupKind kind = infoOf(s.sub_group).kind;
  const bool shifts = kind >= SubGroupKind::ShuffleXor;
  if (shifts && !areFull(m))
    return;
  const bool vote = kind == SubGroupKind::Vote;
  const bool same = kind == SubGroupKind::Reduction || kind == SubGroupKind::Broadcast || vote;
  Type type = vote ? kInt : m.anyType();
  const bool vectors = kind == SubGroupKind::Shuffle || shifts; // others have scalar overloads only
  if (!vectors || (bitsOf(type.base) != 32 && type.lanes > 1))
    type.lanes = 1;
  if (!m.chooseVariable(same ? std::max(place.level, Level::SubGroup) : Level::Lane, s.target, type))
    return;
  s.values.push_back(vote ? m.condition(Level::Lane, 2) : m.expr(type, Level::Lane, 2));
  addOperands(m, s, type);
  out.push_back(s);
}

} // namespace lanecl::fuzz
