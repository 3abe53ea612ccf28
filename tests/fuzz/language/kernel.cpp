// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "language/kernel.h"

#include <algorithm>
#include <cmath>

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

size_t Kernel::maxItems() const {
  size_t most = 0;
  for (const NDRange &range : launches)
    most = std::max(most, range.items());
  return most;
}

size_t Kernel::elements(unsigned memory, const NDRange &range) const {
  const MemoryObject &object = memories[memory];
  if (object.isLocal())
    return object.count * maxGroupItems();
  if (object.role == MemoryObject::Role::Program)
    return object.count * maxItems();
  if (object.role == MemoryObject::Role::LocalScratch)
    return object.count * range.groupLanes();
  if (object.role == MemoryObject::Role::Scratch)
    return object.count * range.groupLanes() * range.groups(0) * range.groups(1) * range.groups(2);
  if (object.role == MemoryObject::Role::Twin)
    return elements(object.twin, range);
  return object.isOfItems() ? object.count * range.items() : object.count;
}

namespace {

// Returns any number except a NaN.
uint64_t anyNumber(Base base, uint64_t bits) {
  const uint64_t sign = uint64_t(1) << (bitsOf(base) - 1), infinity = fromNumber(base, INFINITY);
  return truncated(base, (bits & infinity) == infinity ? bits & (infinity | sign) : bits);
}

uint64_t multipleOfQuarter(Base base, uint64_t number) {
  return fromNumber(base, double(int64_t(number % 1024) - 512) * 0.25);
}

uint64_t smallNumber(Base base, uint64_t number) {
  return fromNumber(base, int(number % (2 * kMostAtFirst + 1)) - kMostAtFirst);
}

// Returns small numbers and arbitrary ones.
std::vector<uint64_t> randomNumbers(const std::vector<CellPlace> &cells, size_t count, uint64_t state, bool relaxed) {
  const auto next = [&] { return (state = state * 6364136223846793005u + 1442695040888963407u) >> 20; };
  std::vector<uint64_t> numbers;
  for (size_t i = 0; i < count * cells.size(); ++i) {
    const Base base = cells[i % cells.size()].base;
    const uint64_t high = next();
    const bool any = i % 3 == 0;
    const uint64_t number = any ? high << 24 ^ next() : next() % 64 - 16;
    numbers.push_back(isInteger(base) ? truncated(base, number)
                      : relaxed       ? smallNumber(base, high)
                      : any           ? anyNumber(base, number)
                                      : multipleOfQuarter(base, high));
  }
  return numbers;
}

// Returns the counters' first values, which are neutral for the operations of each kind.
std::vector<uint64_t> counters(Base base) {
  std::vector<uint64_t> result;
  const uint64_t most = truncated(base, uint64_t(highest(base))), least = truncated(base, uint64_t(lowest(base)));
  for (uint64_t start : {uint64_t(0), most, least, truncated(base, ~uint64_t(0)), uint64_t(0), uint64_t(0)})
    result.insert(result.end(), kAtomicSlots, start);
  return result;
}

// Returns -77, which few kernels compute, for all cells.
std::vector<uint64_t> unwritten(const std::vector<CellPlace> &cells, size_t count) {
  std::vector<uint64_t> result;
  for (size_t i = 0; i < count * cells.size(); ++i) {
    const Base base = cells[i % cells.size()].base;
    result.push_back(isInteger(base) ? truncated(base, uint64_t(-77)) : fromNumber(base, -77));
  }
  return result;
}

} // namespace

Contents initialContents(const Kernel &kernel, const NDRange &range) {
  Contents contents;
  for (unsigned i = 0; i < kernel.memories.size(); ++i) {
    const MemoryObject &object = kernel.memories[i];
    const std::vector<CellPlace> cells = footprintOf(object.type, kernel.records).cells;
    using Role = MemoryObject::Role;
    switch (object.role) {
    case Role::Input:
    case Role::Table:
      contents.push_back(randomNumbers(cells, object.count, kernel.seed * 64 + object.number, kernel.relaxed));
      break;
    case Role::Image:
      contents.push_back(randomNumbers({{object.image.base, 0}}, size_t(object.count) * object.image.channels,
                                       kernel.seed * 64 + object.number, kernel.relaxed));
      break;
    case Role::Scratch: contents.emplace_back(kernel.elements(i, range), 0x5a5a5a5a); break;
    case Role::Zeros: contents.emplace_back(object.count, 0); break;
    case Role::Output:
    case Role::Open:
      if (object.is_filled) {
        contents.push_back(randomNumbers(cells, kernel.elements(i, range), kernel.seed * 64 + object.number, false));
        break;
      }
      [[fallthrough]];
    case Role::Kept: contents.push_back(unwritten(cells, kernel.elements(i, range))); break;
    case Role::Locks:
    case Role::Relay: contents.emplace_back(object.count, 0); break;
    case Role::Counters: contents.push_back(counters(object.type.base)); break;
    case Role::Program: contents.emplace_back(kernel.elements(i, range) * cells.size()); break;
    case Role::Twin:
    case Role::Local:
    case Role::LocalGiven:
    case Role::Turns:
    case Role::LocalLocks:
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
    s.needs = s.kind == Stmt::Kind::Barrier || s.kind == Stmt::Kind::TakeTurns || of_work_group ? Level::Group
              : s.kind == Stmt::Kind::SubGroupCall                                              ? Level::SubGroup
              : s.kind == Stmt::Kind::Call ? kernel.functions[s.callee].needs
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
  const auto ofSubGroups = [&](const Stmt &s) {
    return s.kind == Stmt::Kind::TakeTurns && kernel.memories[s.memory].role == MemoryObject::Role::Turns;
  };
  for (const Function &function : kernel.functions)
    forEachStatement(function.body, [&](const Stmt &s) {
      found |= s.kind == Stmt::Kind::SubGroupCall || ofSubGroups(s) || asks(s.target.element) ||
               std::any_of(s.values.begin(), s.values.end(), asks);
    });
  return found;
}

std::vector<Type> leavesOf(Type type, const std::vector<Record> &records) {
  if (!isRecord(type))
    return {type};
  std::vector<Type> result;
  for (const Field &field : records[type.record - 1].fields)
    for (unsigned i = 0; i < field.count; ++i)
      for (Type leaf : leavesOf(field.type, records))
        result.push_back(leaf);
  return result;
}

bool usesMemory(const Expr &e) {
  return e.kind == Expr::Kind::Load || e.kind == Expr::Kind::Disguise || e.kind == Expr::Kind::ReadImage;
}

bool usesMemory(const Stmt &s) {
  return s.kind == Stmt::Kind::Store || s.kind == Stmt::Kind::TakeTurns || s.kind == Stmt::Kind::Lock ||
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
