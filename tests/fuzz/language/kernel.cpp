#include "language/kernel.h"

#include <algorithm>

namespace lanecl::fuzz {

size_t NDRange::groupLanes() const {
  constexpr size_t kMostLanes = 32;
  return (groupItems() + kMostLanes - 1) / kMostLanes * kMostLanes;
}

size_t Kernel::maxGroupItems() const {
  size_t most = 0;
  for (const NDRange &range : launches)
    most = std::max(most, range.groupItems());
  return most;
}

size_t Kernel::elements(unsigned memory, const NDRange &range) const {
  const MemoryObject &object = memories[memory];
  if (object.isLocal())
    return object.count * maxGroupItems();
  if (object.role == MemoryObject::Role::LocalScratch)
    return object.count * range.groupLanes();
  if (object.role == MemoryObject::Role::Scratch)
    return object.count * range.groupLanes() * range.groups(0) * range.groups(1) * range.groups(2);
  return object.isOfItems() ? object.count * range.items() : object.count;
}

namespace {

// Small numbers and arbitrary ones.
std::vector<uint64_t> randomNumbers(Base base, size_t count, uint64_t state) {
  const auto next = [&] { return (state = state * 6364136223846793005u + 1442695040888963407u) >> 20; };
  std::vector<uint64_t> numbers;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t high = next();
    numbers.push_back(truncated(base, i % 3 == 0 ? high << 24 ^ next() : next() % 64 - 16));
  }
  return numbers;
}

// Neutral for the operation of each counter, in AtomicOp's order.
std::vector<uint64_t> counters() {
  std::vector<uint64_t> result;
  for (uint32_t start : {0u, ~0u, 0u, ~0u, 0u, 0u})
    result.insert(result.end(), kAtomicSlots, start);
  return result;
}

} // namespace

Contents initialContents(const Kernel &kernel, const NDRange &range) {
  Contents contents;
  for (unsigned i = 0; i < kernel.memories.size(); ++i) {
    const MemoryObject &object = kernel.memories[i];
    using Role = MemoryObject::Role;
    switch (object.role) {
    case Role::Input:
    case Role::Table:
      contents.push_back(randomNumbers(object.type.base, object.count, kernel.seed * 64 + object.number));
      break;
    case Role::Scratch: contents.emplace_back(kernel.elements(i, range), 0x5a5a5a5a); break;
    case Role::Zeros: contents.emplace_back(object.count, 0); break;
    case Role::Output:
    case Role::Kept:
      contents.emplace_back(kernel.elements(i, range), truncated(object.type.base, uint64_t(-77)));
      break;
    case Role::Counters: contents.push_back(counters()); break;
    case Role::Local:
    case Role::LocalGiven:
    case Role::LocalScratch: contents.emplace_back(); break;
    }
  }
  return contents;
}

namespace {

Level findNeeds(Block &block, const Kernel &kernel) {
  Level needs = Level::Lane;
  for (Stmt &s : block) {
    const bool of_work_group = s.kind == Stmt::Kind::SubGroupCall && isOfWorkGroup(infoOf(s.sub_group).kind);
    s.needs = s.kind == Stmt::Kind::Barrier || of_work_group ? Level::Group
              : s.kind == Stmt::Kind::SubGroupCall           ? Level::SubGroup
              : s.kind == Stmt::Kind::Call                   ? kernel.functions[s.callee].needs
                                                             : Level::Lane;
    for (Block &nested : s.blocks)
      s.needs = std::min(s.needs, findNeeds(nested, kernel));
    needs = std::min(needs, s.needs);
  }
  return needs;
}

bool asks(const ExprPtr &e) {
  return e && ((e->kind == Expr::Kind::Query && e->query >= Query::LaneId) ||
               std::any_of(e->args.begin(), e->args.end(), asks));
}

} // namespace

void findNeeds(Kernel &kernel) {
  for (Function &function : kernel.functions)
    function.needs = findNeeds(function.body, kernel);
}

bool asksForSubGroups(const Kernel &kernel) {
  bool found = false;
  for (const Function &function : kernel.functions)
    forEachStatement(function.body, [&](const Stmt &s) {
      found |= s.kind == Stmt::Kind::SubGroupCall || asks(s.target.element) ||
               std::any_of(s.values.begin(), s.values.end(), asks);
    });
  return found;
}

bool usesMemory(const Stmt &s) {
  return s.kind == Stmt::Kind::Store || s.kind == Stmt::Kind::Atomic ||
         (s.kind == Stmt::Kind::SubGroupCall && usesMemory(infoOf(s.sub_group).kind));
}

void forEachExpression(Stmt &s, const std::function<void(ExprPtr &)> &visit) {
  if (s.target.element)
    visit(s.target.element);
  for (ExprPtr &e : s.values)
    visit(e);
}

void forEachStatement(Block &block, const std::function<void(Stmt &)> &visit) {
  for (Stmt &s : block) {
    visit(s);
    for (Block &nested : s.blocks)
      forEachStatement(nested, visit);
  }
}

void forEachStatement(const Block &block, const std::function<void(const Stmt &)> &visit) {
  for (const Stmt &s : block) {
    visit(s);
    for (const Block &nested : s.blocks)
      forEachStatement(nested, visit);
  }
}

ExprPtr rewrite(const ExprPtr &e, const std::function<ExprPtr(const ExprPtr &original, Expr copy)> &change) {
  Expr copy = *e;
  for (ExprPtr &arg : copy.args)
    arg = rewrite(arg, change);
  return change(e, std::move(copy));
}

} // namespace lanecl::fuzz
