// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The frame of a kernel: sizes, types and functions.
#include "generate/maker.h"

#include <algorithm>

namespace lanecl::fuzz {

constexpr size_t kMostItems = 300; // most launches have no more work-items, because each is evaluated

Maker::Maker(const Choices &choices_, const Without &without_, uint64_t seed)
    : choices(choices_), without(without_), random(seed) {
  kernel.seed = seed;
}

Kernel Maker::run() {
  kernel.relaxed = choices.relaxed;
  chooseSizes();
  chooseTypes();
  choices.start(*this);
  for (NDRange &range : kernel.launches)
    range.open = !sees_groups && !kernel.required_local && chance(25);
  const unsigned helpers = below(choices.helpers + 1);
  for (unsigned i = 0; i < helpers; ++i)
    makeHelper(i);
  makeKernel();
  return std::move(kernel);
}

// Chooses few types for one kernel, so that its values meet in operations.
void Maker::chooseTypes() {
  types = {kInt};
  for (unsigned count = 1 + below(2); count > 0; --count)
    types.push_back(pick(choices.types));
}

std::vector<size_t> Maker::chooseGlobal(const std::vector<size_t> &local) {
  std::vector<size_t> global;
  const bool uniform = kernel.required_local || chance(65);
  for (size_t size : local)
    global.push_back(size * (1 + below(size > 40 ? 2 : 3)));
  if (uniform)
    return global;
  for (size_t &size : global)
    size -= below(unsigned(std::min<size_t>(size, 20)));
  return global;
}

NDRange Maker::chooseRange() {
  if (choices.range)
    return choices.range(*this);
  if (chance(1)) { // long in two dimensions, so that lanes may lie along either of them
    const size_t x = 64 + below(5), y = 64 + below(9);
    return {.global = {x, y}, .local = {chance(50) ? x : 1, chance(50) ? 1 : y % 2 + 1}};
  }
  NDRange range{.local = pick(choices.local_sizes)};
  if (chance(35)) { // in terms of the sub-group size
    const size_t w = width;
    const std::vector<std::vector<size_t>> sizes{{w}, {2 * w}, {3 * w}, {w + 3}, {w, 2}, {w - 1, 3}, {2 * w + 1}};
    range.local = pick(sizes);
  }
  do
    range.global = chooseGlobal(range.local);
  while (range.items() > kMostItems);
  if (!chance(12))
    return range;
  // The offset may also exceed what an int or a uint can hold, so that indices wrap around within the row.
  const std::vector<size_t> offsets{
      1, 2, 3, 7, 100, (size_t(1) << 31) - 16, (size_t(1) << 31) - 5, (size_t(1) << 32) - 9};
  range.offset.assign(range.global.size(), 0);
  range.offset[0] = pick(offsets);
  return range;
}

// Chooses a launch of two or three dimensions with few work-items along x.
NDRange Maker::chooseShortRange() {
  NDRange range;
  do {
    range.global = {1 + below(40), 2 + below(6)};
    if (chance(40))
      range.global.push_back(2 + below(3));
  } while (range.items() > kMostItems);
  for (const size_t size : range.global)
    range.local.push_back(chance(50) ? size : 1);
  return range;
}

// The second launch has another local size, or another global size if the local size is an attribute. Some kernels are
// launched with further sizes, for which only the code for any size exists.
void Maker::chooseSizes() {
  const std::vector<unsigned> widths{8, 16, 32};
  width = pick(widths);
  kernel.required_width = chance(60) ? width : 0;
  kernel.required_local = chance(10);
  kernel.launches.push_back(chooseRange());
  NDRange second = chooseRange();
  while (!kernel.required_local && second.local == kernel.launches[0].local)
    second = chooseRange();
  if (kernel.required_local) {
    second.local = kernel.launches[0].local;
    second.offset.clear();
    do
      second.global = chooseGlobal(second.local);
    while (second.items() > kMostItems);
  }
  kernel.launches.push_back(std::move(second));
  if (!kernel.required_local && !choices.range && chance(15))
    for (unsigned further = 3; further > 0; --further)
      kernel.launches.push_back(chooseShortRange());
}

unsigned Maker::addMemory(MemoryObject object) {
  const std::vector<Base> indices{Base::Int, Base::Int, Base::UInt, Base::Long, Base::ULong, Base::ULong, Base::Short};
  Layout layout{.axis = axis, .by_slot = chance(40), .index = pick(indices)};
  const auto isLong = [](const NDRange &launch) { return launch.items() > kMostItems; };
  const bool is_long = std::any_of(kernel.launches.begin(), kernel.launches.end(), isLong);
  if (is_long && layout.index == Base::Short)
    layout.index = Base::Int;
  if (chance(is_long ? std::max(columns, 70u) : columns))
    layout.order = Layout::Order::ByColumns;
  else if (chance(25))
    layout.order = chance(70) ? Layout::Order::Reversed : Layout::Order::Rotated;
  layouts.push_back(layout);
  object.number = unsigned(kernel.memories.size());
  kernel.memories.push_back(std::move(object));
  return unsigned(kernel.memories.size() - 1);
}

unsigned Maker::addParameter(Type type, int64_t number) {
  kernel.parameters.push_back({type, truncated(type.base, uint64_t(number))});
  return unsigned(kernel.parameters.size() - 1);
}

std::vector<unsigned> Maker::memoriesWhere(const std::function<bool(const MemoryObject &)> &accept) const {
  std::vector<unsigned> result;
  for (unsigned i = 0; i < kernel.memories.size(); ++i)
    if (accept(kernel.memories[i]))
      result.push_back(i);
  return result;
}

std::vector<unsigned> Maker::variablesWhere(const std::function<bool(const Variable &)> &accept) const {
  std::vector<unsigned> result;
  std::copy_if(visible.begin(), visible.end(), std::back_inserter(result),
               [&](unsigned i) { return !function.variables[i].open && accept(function.variables[i]); });
  return result;
}

void Maker::startFunction(const std::string &name, Level level, unsigned statements) {
  function = {.name = name};
  visible.clear();
  progressions.clear();
  returns = level;
  statements_left = statements;
}

void Maker::finishFunction() {
  kernel.functions.push_back(function);
  findNeeds(kernel);
}

void Maker::add(Block statements) {
  std::move(statements.begin(), statements.end(), std::back_inserter(function.body));
}

void Maker::takes(Variable v) {
  visible.push_back(addVariable(std::move(v)));
  ++function.parameters;
}

// Chooses the result and parameters of a helper function as most generators do.
void addParameters(Maker &m) {
  m.function.result = m.chance(60) ? kInt : m.anyType();
  m.takes({.type = kInt, .level = m.atLeast(m.returns)});
  if (m.chance(60))
    m.takes({.type = m.anyType(), .level = m.atLeast(m.returns)});
  if (m.chance(60))
    m.takes({.type = kInt, .count = m.chance(70) ? 4u : 1u, .pointer = true});
}

// Makes a helper function. Which work-items may call it together depends on its level.
void Maker::makeHelper(unsigned number) {
  const Level level = Level(below(3));
  startFunction("helper" + std::to_string(number), level, choices.helper_statements);
  if (choices.helper)
    choices.helper(*this);
  else
    addParameters(*this);
  declare(function.body, kInt, level, Level::Lane);
  add(open({.level = level, .depth = 1}, 4));
  if (chance(60)) { // a tail that some work-items leave early
    returns = Level::Lane;
    add(open({.level = Level::Lane, .depth = 1}, 3));
  }
  function.body.push_back({.kind = Stmt::Kind::Return, .values = {expr(function.result, Level::Lane, 3)}});
  finishFunction();
}

// Writes the work-items' cells before anything else, because uninitialized memory must not be read.
void Maker::writeFirst(unsigned memory) {
  const MemoryObject object = kernel.memories[memory];
  Block stores;
  ExprPtr slot = constant(kInt, 0);
  Stmt loop{.kind = Stmt::Kind::For, .values = {slot, constant(kInt, object.count)}};
  loop.number = 1;
  if (object.count > 1) {
    loop.target.variable = addVariable({.type = kInt, .fixed = true, .level = Level::Group});
    visible.push_back(loop.target.variable);
    slot = variable(loop.target.variable);
  }
  Stmt s{.kind = Stmt::Kind::Store, .memory = memory};
  s.values = {ownCell(memory, slot), expr(object.type, Level::Lane, 1)};
  if (object.count == 1)
    return function.body.push_back(s);
  visible.pop_back();
  loop.blocks = {{s}};
  function.body.push_back(loop);
}

// Makes the kernel itself: it writes local memory first, declares variables of all its types, and stores them at the
// end.
void Maker::makeKernel() {
  startFunction("kernel", Level::Group, choices.kernel_statements / 3 + below(choices.kernel_statements));
  const bool is_apart = memoriesWhere([](const MemoryObject &m) { return m.role == MemoryObject::Role::Twin; }).empty();
  function.restrict_ = choices.restricts > 0 && is_apart && chance(choices.restricts);
  locals_ready = false;
  for (unsigned memory :
       memoriesWhere([](const MemoryObject &m) { return m.isLocal() || m.role == MemoryObject::Role::Program; }))
    writeFirst(memory);
  locals_ready = true;
  const Place place{};
  for (unsigned count = choices.progressions ? 1 + below(choices.progressions) : 0; count > 0; --count)
    makeProgression(*this, function.body, place);
  for (Type type : types)
    declare(function.body, type, Level::Group, Level::Lane);
  for (Type type : types)
    if (chance(choices.arrays))
      declareArray(function.body, type);
  if (chance(choices.agreeing))
    declare(function.body, kInt, Level::Group, Level::Group);
  if (chance(choices.agreeing))
    declare(function.body, kInt, Level::Group, Level::SubGroup);
  for (size_t i = 0; i < progressions.size(); ++i)
    makeGuard(*this, function.body, place);
  add(open(place, 8));
  const bool has_tail = chance(50);
  if (!has_tail || chance(30))
    keepVariables();
  if (has_tail) {
    returns = Level::Lane;
    statements_left = choices.kernel_statements / 3;
    add(open({.level = Level::Lane, .depth = 1}, 4));
    keepVariables();
  }
  finishFunction();
}

// Converts the value to the type so that every bit of the value matters.
ExprPtr Maker::kept(Type type, ExprPtr value) {
  const Type from = value->type, bits{maskOf(from.base), from.lanes};
  if (!isInteger(from.base) && !kernel.relaxed)
    value = make({.kind = Expr::Kind::Reinterpret, .type = bits, .args = {value}});
  if (isInteger(value->type.base) && bitsOf(from.base) > bitsOf(type.base)) {
    const ExprPtr high = operation(Op::Shr, value->type, {value, constant(value->type, bitsOf(type.base))});
    value = operation(Op::Xor, value->type, {value, high});
  }
  return converted(type, value);
}

// Stores every variable to memory that nothing else is written to, so that every earlier store to a variable matters.
void Maker::keepVariables() {
  const auto kept_memory = memoriesWhere([](const MemoryObject &m) { return m.role == MemoryObject::Role::Kept; });
  if (kept_memory.empty())
    return;
  const unsigned out = kept_memory[0];
  unsigned next = 0;
  for (unsigned i : visible) {
    const Variable v = function.variables[i];
    if (v.fixed || v.open || !mayRead(v))
      continue;
    const Type type = kernel.memories[out].type;
    ExprPtr value = kept(type, elementOf(i));
    if (!isPlain(v))
      value = operation(Op::Xor, type, {value, kept(type, elementOf(i))});
    Stmt s{.kind = Stmt::Kind::Store, .memory = out};
    s.values = {ownCell(out, constant(kInt, next++ % kernel.memories[out].count)), value};
    function.body.push_back(s);
  }
}

} // namespace lanecl::fuzz
