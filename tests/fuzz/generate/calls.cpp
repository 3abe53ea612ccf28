// Calls of the kernel's own functions.
#include "generate/maker.h"

namespace lanecl::fuzz {

void makeCall(Maker &m, Block &out, const Place &place) {
  if (m.kernel.functions.empty())
    return;
  Stmt s{.kind = Stmt::Kind::Call, .callee = m.below(unsigned(m.kernel.functions.size()))};
  const Function callee = m.kernel.functions[s.callee];
  const bool by_all = callee.needs == Level::Group || callee.whole_sub_groups; // work-items that must reach it together
  if ((by_all && place.level > callee.needs) || (m.reading && (callee.stores_local || callee.needs == Level::Group)) ||
      place.loops > 1 || !m.chooseVariable(Level::Lane, s.target, callee.result))
    return;
  for (unsigned i = 0; i < callee.parameters; ++i) {
    const Variable &p = callee.variables[i];
    s.pointers.push_back(-1);
    if (!p.pointer) {
      s.values.push_back(m.expr(p.type, p.level, 2));
      continue;
    }
    const auto candidates = m.variablesWhere([&](const Variable &v) {
      return v.type == p.type && !v.fixed && v.level == Level::Lane && v.count >= p.count;
    });
    if (candidates.empty())
      return;
    s.pointers.back() = int(m.pick(candidates));
  }
  m.function.stores_local |= callee.stores_local;
  m.function.whole_sub_groups |= callee.whole_sub_groups;
  out.push_back(s);
}

} // namespace lanecl::fuzz
