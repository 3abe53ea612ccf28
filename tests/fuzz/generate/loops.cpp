// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Counting loops, for the passes that change the order of accesses. There are two loops in a row that compute the same,
// as in a softmax, and loops whose stride is the size of the NDRange. Nothing forbids the change in a quarter of them.
// In each of the others, one thing forbids it.
#include "generate/generators.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace lanecl::fuzz {

namespace {

using Role = MemoryObject::Role;

constexpr unsigned kRow = 32, kInputs = 64;

// Makes expressions in a loop with that counter.
class Turn {
public:
  Turn(Maker &m_, unsigned counter_) : m(m_), counter(counter_) {}

  ExprPtr number(Type type) { return m.converted(type, m.variable(counter)); }

  // For example in[(i + 3) & 63].
  ExprPtr input(Type type) {
    const auto inputs = m.memoriesWhere([&](const MemoryObject &o) {
      return o.isRead() && o.role != Role::Zeros && (isInteger(o.type.base) || !isInteger(type.base));
    });
    const unsigned memory = m.pick(inputs);
    const MemoryObject &object = m.kernel.memories[memory];
    ExprPtr at = number(kInt);
    if (const unsigned further = m.below(3))
      at = op(Op::Add, at, m.constant(kInt, further));
    at = op(Op::And, at, m.constant(kInt, object.count - 1));
    return m.converted(type, make({.kind = Expr::Kind::Load, .type = object.type, .args = {at}, .memory = memory}));
  }

  // Applies so many operations to the value that a pass would rather keep the result than repeat them.
  ExprPtr chain(ExprPtr value, bool uses_variables) {
    for (unsigned links = 14 + m.below(6); links > 0; --links)
      value = link(value, uses_variables);
    return value;
  }

  // Returns an operation on the two values.
  ExprPtr combined(ExprPtr a, ExprPtr b) {
    const std::vector<Op> of_integers{Op::Mul, Op::Xor, Op::Add}, of_floats{Op::Mul, Op::Add, Op::Sub};
    return op(m.pick(isInteger(a->type.base) ? of_integers : of_floats), std::move(a), std::move(b));
  }

private:
  Maker &m;
  const unsigned counter;

  ExprPtr op(Op o, ExprPtr a, ExprPtr b) {
    const Type type = a->type;
    return m.operation(o, type, {std::move(a), std::move(b)});
  }

  // Returns the value after one more operation.
  ExprPtr link(const ExprPtr &value, bool uses_variables) {
    const Type type = value->type;
    if (!isInteger(type.base)) {
      const std::vector<Op> ops{Op::Add, Op::Sub, Op::Mul, Op::Fmax};
      return op(m.pick(ops), value, operand(type, uses_variables));
    }
    const std::vector<Op> ops{Op::Add, Op::Sub, Op::Xor, Op::Mul, Op::Rotate};
    const Op chosen = m.pick(ops);
    return op(chosen, value, chosen == Op::Rotate ? m.constant(type, 1 + m.below(7)) : operand(type, uses_variables));
  }

  // Returns the counter, an input that depends on it, a variable or a constant.
  ExprPtr operand(Type type, bool uses_variables) {
    switch (m.below(8)) {
    case 0: return number(type);
    case 1: return input(type);
    case 2:
      if (uses_variables)
        return m.converted(type, m.leaf({type.base, 1}, Level::Lane, 0));
      [[fallthrough]];
    default: return m.constant(type, 1 + 2 * int64_t(m.below(isInteger(type.base) ? 5000 : 5)));
    }
  }
};

Block among(Maker &m, const std::function<void(Block &)> &fill) {
  const size_t visible = m.visible.size();
  Block block;
  fill(block);
  m.visible.resize(visible);
  return block;
}

// Repeats the statement a few times, at least once. The compiler may or may not see that it runs at least once.
Stmt repeated(Maker &m, Stmt statement, std::optional<unsigned> changes = std::nullopt) {
  Stmt loop{.kind = Stmt::Kind::For, .values = {m.constant(kInt, 0), m.constant(kInt, 2)}, .number = 1};
  if (m.chance(60)) {
    const ExprPtr more = m.operation(Op::And, kInt, {parameterLeaf(m, kInt, Level::Group, 0), m.constant(kInt, 1)});
    loop.values[1] = m.operation(Op::Add, kInt, {more, m.constant(kInt, 1 + m.below(2))});
  }
  loop.target.variable = m.addVariable({.type = kInt, .fixed = true});
  loop.blocks = {{std::move(statement)}};
  if (changes) { // computes with another value the next time
    const ExprPtr variable = m.variable(*changes);
    Stmt s{.kind = Stmt::Kind::Assign,
           .values = {m.operation(Op::Add, variable->type, {variable, m.constant(variable->type, 5)})}};
    s.target.variable = *changes;
    loop.blocks[0].push_back(s);
  }
  return loop;
}

Stmt branch(ExprPtr condition, Block side) {
  return {.kind = Stmt::Kind::If, .values = {std::move(condition)}, .blocks = {std::move(side), {}}};
}

// Makes two loops that compute the same:
//   for (i = first; i < n; ++i) sum += f(i);
//   for (i = first; i < n; ++i) row[i] = f(i) * sum;
class Twice {
public:
  Twice(Maker &m_, Block &out_, unsigned memory_)
      : m(m_), out(out_), memory(memory_), type(valueType(m_, m_.kernel.memories[memory_].type)),
        trouble(m_.chance(25) ? Trouble::None : Trouble(m_.below(kTroubles))) {}

  void build() {
    chooseTurns();
    Turn turn(m, counter);
    ExprPtr value = turn.chain(start(turn), /*uses_variables=*/true);
    sum = m.declareAs(out, type, m.constant(type, 1));
    if (trouble == Trouble::BothRead)
      value = turn.chain(turn.combined(value, vectorOf(elsewhere())), false);
    const ExprPtr other = trouble == Trouble::OtherValue ? changed(value) : value;
    if (trouble == Trouble::LastTurn && m.chance(60))
      return lastTurn(turn, value);
    first(turn, value);
    if (trouble == Trouble::Between)
      access(out);
    second(turn, other);
  }

private:
  // What keeps a pass from combining the loops.
  enum class Trouble {
    BothRead,      // both loops read what the second one stores
    FirstReads,    // the first loop reads it
    SecondReads,   // the second loop reads it
    FirstWrites,   // the first loop writes where the second one stores
    Between,       // the row is accessed between the loops
    BeforeTurns,   // the row is accessed there if the second loop has any turns
    FirstSkipped,  // some work-items skip the first loop
    SecondSkipped, // some work-items skip the second loop
    Repeated,      // the second loop is repeated
    // The last turn of the first loop decides where the second loop stores or what it computes.
    LastTurn,
    OtherTurns, // the second loop has other turns than the first one
    OtherValue, // the second loop computes something else
    Behind,     // the second loop stores before it computes the same value
    None
  };
  static constexpr unsigned kTroubles = unsigned(Trouble::None);

  Maker &m;
  Block &out;
  const unsigned memory;
  const Type type; // of what is computed
  const Trouble trouble;
  unsigned counter = 0, sum = 0;
  ExprPtr begin{}, end{};
  int64_t step = 1;

  static Type valueType(Maker &m, Type element) {
    const std::vector<uint8_t> lanes{1, 1, 1, 1, 2, 4};
    return {element.base, m.pick(lanes)};
  }

  // The number of turns may be known or not, and the same for all work-items or not. Vectors are stored side by side or
  // overlap.
  void chooseTurns() {
    const std::vector<Base> bases{Base::Int, Base::Int, Base::UInt, Base::Long, Base::ULong};
    const Type number{m.pick(bases), 1};
    counter = m.addVariable({.type = number, .fixed = true});
    begin = m.constant(number, m.chance(70) ? 0 : m.below(3));
    const ExprPtr some = m.chance(60) ? parameterLeaf(m, kInt, Level::Group, 0) : m.expr(kInt, Level::Lane, 1);
    const ExprPtr turns = m.operation(Op::And, kInt, {some, m.constant(kInt, 15)}); // more than LLVM unrolls
    const ExprPtr more = m.operation(Op::Add, kInt, {turns, m.constant(kInt, m.chance(50) ? 0 : 1 + m.below(3))});
    end = m.variable(m.declareAs(out, number, m.converted(number, more)));
    step = m.chance(80) ? 1 : 2;
    if (type.lanes > 1 && m.chance(50))
      step = type.lanes;
    else if (step == 1 && m.chance(15))
      step = -1;
  }

  ExprPtr start(Turn &turn) { return turn.combined(turn.input(type), turn.number(type)); }

  // Makes the first loop. Its sum is used after the loop.
  void first(Turn &turn, const ExprPtr &value) {
    Block body;
    if (trouble == Trouble::FirstWrites)
      store(body, elsewhere(), turn.input({type.base, 1}));
    ExprPtr added = value;
    if (trouble == Trouble::FirstReads)
      added = turn.combined(added, vectorOf(elsewhere()));
    assign(body, sum, turn.combined(m.variable(sum), added));
    Stmt loop = loopOf(std::move(body));
    out.push_back(trouble == Trouble::FirstSkipped ? branch(m.condition(Level::Lane, 1), {loop}) : loop);
  }

  // Makes the second loop, which uses the sum of the first one.
  void second(Turn &turn, const ExprPtr &value) {
    ExprPtr stored = turn.combined(value, m.variable(sum));
    if (trouble == Trouble::SecondReads)
      stored = turn.combined(stored, vectorOf(m.chance(50) ? cell(m.variable(counter)) : elsewhere()));
    Block body;
    if (trouble == Trouble::Behind)
      storeBefore(turn, body, value);
    else
      store(body, cell(trouble == Trouble::LastTurn ? beyond(m.variable(sum)) : m.variable(counter)), stored);
    Stmt loop = loopOf(std::move(body));
    if (trouble == Trouble::OtherTurns)
      changeTurns(loop);
    if (trouble == Trouble::SecondSkipped)
      return out.push_back(branch(m.condition(Level::Lane, 1), {loop}));
    if (trouble == Trouble::Repeated)
      return out.push_back(repeated(m, loop, sum));
    if (trouble != Trouble::BeforeTurns)
      return out.push_back(loop);
    Block side;
    access(side);
    side.push_back(loop);
    out.push_back(branch(m.operation(step < 0 ? Op::Greater : Op::Less, kInt, {loop.values[0], loop.values[1]}), side));
  }

  // Makes a body that stores first: row[i] = sum; all ^= f(i);
  void storeBefore(Turn &turn, Block &body, const ExprPtr &value) {
    const unsigned all = m.declareAs(out, type, m.constant(type, 3));
    store(body, cell(m.variable(counter)), m.variable(sum));
    assign(body, all, turn.combined(m.variable(all), value));
  }

  // Makes a loop with s += x; all ^= f(s);  and then one with row[i] = f(s) + all;
  void lastTurn(Turn &turn, const ExprPtr &value) {
    const unsigned all = m.declareAs(out, type, m.constant(type, 3));
    const ExprPtr of_sum = turn.chain(turn.combined(value, m.variable(sum)), false);
    Block body, storing;
    assign(body, sum, turn.combined(m.variable(sum), turn.input(type)));
    assign(body, all, turn.combined(m.variable(all), of_sum));
    out.push_back(loopOf(std::move(body)));
    store(storing, cell(m.variable(counter)), turn.combined(of_sum, m.variable(all)));
    out.push_back(loopOf(std::move(storing)));
  }

  // Returns the counter plus 0 to 3.
  ExprPtr beyond(ExprPtr some) {
    if (type.lanes > 1 || !isInteger(type.base))
      some = m.variable(counter);
    some = m.operation(Op::And, kInt, {m.converted(kInt, some), m.constant(kInt, 3)});
    return m.operation(Op::Add, kInt, {some, m.converted(kInt, m.variable(counter))});
  }

  Stmt loopOf(Block body) {
    Stmt loop{.kind = Stmt::Kind::For, .values = {begin, end}, .blocks = {std::move(body)}, .number = step};
    if (step < 0)
      std::swap(loop.values[0], loop.values[1]);
    loop.target.variable = counter;
    return loop;
  }

  void changeTurns(Stmt &loop) {
    if (m.chance(30) && step > 0)
      loop.number += 1;
    ExprPtr &changes = loop.values[m.chance(80) ? 1 : 0];
    changes = m.operation(Op::Add, changes->type, {changes, m.constant(changes->type, 1)});
  }

  // Returns the same expression except for one constant or one place in memory.
  ExprPtr changed(const ExprPtr &value) {
    const Expr::Kind kind = m.chance(50) ? Expr::Kind::Load : Expr::Kind::Constant;
    unsigned number = 0;
    rewrite(value, [&](const ExprPtr &, Expr copy) {
      number += copy.kind == kind;
      return make(std::move(copy));
    });
    unsigned left = m.below(number);
    return rewrite(value, [&](const ExprPtr &, Expr copy) {
      if (copy.kind == Expr::Kind::Constant && copy.kind == kind && left-- == 0)
        copy.number ^= 1;
      if (copy.kind == Expr::Kind::Load && copy.kind == kind && left-- == 0)
        copy.args[0] = neighbor(copy);
      return make(std::move(copy));
    });
  }

  // Returns the index of the element after the one that is loaded.
  ExprPtr neighbor(const Expr &load) {
    const Type type = load.args[0]->type;
    const ExprPtr next = m.operation(Op::Add, type, {load.args[0], m.constant(type, 1)});
    return m.operation(Op::And, type, {next, m.constant(type, m.kernel.memories[load.memory].count - 1)});
  }

  ExprPtr cell(const ExprPtr &slot) {
    return make({.kind = Expr::Kind::Load,
                 .type = m.kernel.memories[memory].type,
                 .args = {m.ownCell(memory, slot)},
                 .memory = memory});
  }

  ExprPtr vectorOf(const ExprPtr &scalar) { return m.converted(type, scalar); }

  // Returns another place of the row, mostly one that an earlier turn stores to, or the place through another argument.
  ExprPtr elsewhere() {
    const std::vector<int64_t> factors{0, 1, 1, 1, 3};
    const ExprPtr scaled =
        m.operation(Op::Mul, kInt, {m.converted(kInt, m.variable(counter)), m.constant(kInt, m.pick(factors))});
    const ExprPtr moved =
        m.operation(Op::Add, kInt, {scaled, m.constant(kInt, m.chance(60) ? kRow - 1 - m.below(2) : m.below(5))});
    Expr place = *cell(m.operation(Op::And, kInt, {moved, m.constant(kInt, kRow - 1)}));
    const auto twins = m.memoriesWhere([&](const MemoryObject &o) { return o.role == Role::Twin && o.twin == memory; });
    if (!twins.empty() && m.chance(70))
      place.memory = twins[0];
    return make(std::move(place));
  }

  void store(Block &block, const ExprPtr &place, const ExprPtr &value) {
    if (value->type.lanes == 1) {
      Stmt s{.kind = Stmt::Kind::Assign, .values = {value}};
      s.target.element = place;
      block.push_back(s);
      return;
    }
    const ExprPtr to = make(
        {.kind = Expr::Kind::Address, .type = place->type, .args = {place}, .pointer = true, .space = Space::Global});
    block.push_back({.kind = Stmt::Kind::VectorStore, .values = {value, m.constant(kInt, 0), to}});
  }

  static void assign(Block &block, unsigned variable, ExprPtr value) {
    Stmt s{.kind = Stmt::Kind::Assign, .values = {std::move(value)}};
    s.target.variable = variable;
    block.push_back(s);
  }

  // Loads or stores a place of the row that both loops usually access.
  void access(Block &block) {
    const ExprPtr place = cell(m.constant(kInt, m.below(5)));
    if (m.chance(50))
      store(block, place, m.constant(place->type, 1));
    else
      assign(block, sum, m.operation(Op::Add, type, {m.variable(sum), vectorOf(place)}));
  }
};

// Whether the kernel is to be one strided loop and nothing else. Assignments have no effect in such a kernel.
bool isOneLoop(Maker &m) {
  return m.memoriesWhere([](const MemoryObject &o) { return o.role == Role::Kept; }).empty();
}

void makeTwice(Maker &m, Block &out, const Place &) {
  if (isOneLoop(m))
    return;
  const auto rows = m.memoriesWhere([](const MemoryObject &o) { return o.role == Role::Output && o.count == kRow; });
  Twice(m, out, m.pick(rows)).build();
}

// Makes a loop with the stride of the NDRange:
//   for (i = get_global_id(0); i < n; i += get_global_size(0)) columns[i] = f(i);
class Strided {
public:
  Strided(Maker &m_, Block &out_, const Place &place_, unsigned memory_)
      : m(m_), out(out_), place(place_), memory(memory_), type(indexType(m_)),
        trouble(m_.chance(30) ? Trouble::None : Trouble(m_.below(kTroubles))) {}

  void build() {
    unsigned before = 0;
    if (trouble == Trouble::Writes || trouble == Trouble::Barrier)
      out.push_back(
          {.kind = Stmt::Kind::Store, .values = {own(), m.expr(element(), Level::Lane, 1)}, .memory = memory});
    if (trouble == Trouble::Reads)
      before = m.declareAs(out, element(), load(own()));
    if (trouble == Trouble::Barrier && place.level == Level::Group)
      out.push_back({.kind = Stmt::Kind::Barrier});
    const Stmt loop = strides();
    switch (trouble) {
    case Trouble::Skipped: out.push_back(branch(m.condition(Level::Lane, 1), {loop})); break;
    case Trouble::Repeated: {
      Stmt outer = repeated(m, loop);
      if (place.level == Level::Group && m.chance(50))
        outer.blocks[0].insert(outer.blocks[0].begin(), {.kind = Stmt::Kind::Barrier});
      out.push_back(outer);
      break;
    }
    default: out.push_back(loop);
    }
    if (trouble == Trouble::Reads)
      storeBits(m.variable(before));
  }

private:
  // What keeps a pass from changing the order of the turns.
  enum class Trouble {
    Writes,   // a store before the loop to what the loop writes
    Reads,    // a load before the loop of what the loop writes
    Barrier,  // a barrier after a store
    Skipped,  // some work-items skip the loop
    Repeated, // the loop is inside another loop
    Own,      // the loop uses values of the work-item
    Updates,  // the loop updates memory atomically
    None
  };
  static constexpr unsigned kTroubles = unsigned(Trouble::None);

  Maker &m;
  Block &out;
  const Place &place;
  const unsigned memory;
  const Type type; // type of the counter
  const Trouble trouble;

  static Type indexType(Maker &m) {
    const std::vector<Base> bases{Base::Int, Base::Int, Base::UInt, Base::Long, Base::ULong, Base::ULong};
    return {m.pick(bases), 1};
  }

  Type element() const { return m.kernel.memories[memory].type; }
  ExprPtr size() { return m.ask(Query::GlobalSize, type); }
  ExprPtr number(int64_t value) { return m.constant(type, value); }
  ExprPtr op(Op o, ExprPtr a, ExprPtr b) { return m.operation(o, type, {std::move(a), std::move(b)}); }

  void storeBits(ExprPtr value) {
    if (const Base base = value->type.base; !isInteger(base))
      value = make({.kind = Expr::Kind::Reinterpret, .type = {maskOf(base), 1}, .args = {value}});
    const unsigned output = m.anyOutput();
    out.push_back(
        {.kind = Stmt::Kind::Store,
         .values = {m.ownCell(output, m.constant(kInt, 0)), m.converted(m.kernel.memories[output].type, value)},
         .memory = output});
  }

  ExprPtr load(const ExprPtr &at) {
    return make({.kind = Expr::Kind::Load, .type = element(), .args = {at}, .memory = memory});
  }

  // Returns a place that the work-item accesses in the loop.
  ExprPtr own() {
    const unsigned slots = m.kernel.memories[memory].count;
    return op(Op::Add, m.ask(Query::GlobalId, type), op(Op::Mul, size(), number(m.below(slots))));
  }

  Stmt strides() {
    Stmt loop{.kind = Stmt::Kind::For, .number = 1};
    const ExprPtr all = op(Op::Mul, size(), number(m.kernel.memories[memory].count));
    loop.values = {m.ask(Query::GlobalId, type), m.chance(50) ? all : op(Op::Sub, all, number(m.below(20))), size()};
    loop.target.variable = m.addVariable({.type = type, .fixed = true});
    loop.blocks = {among(m, [&](Block &body) { fill(body, loop.target.variable); })};
    return loop;
  }

  void fill(Block &body, unsigned counter) {
    Turn turn(m, counter);
    const bool reads = m.chance(50);
    ExprPtr value = turn.input(element());
    if (reads)
      value = turn.combined(value, load(m.variable(counter)));
    if (trouble == Trouble::Own || m.chance(50))
      value = turn.chain(value, trouble == Trouble::Own);
    body.push_back({.kind = Stmt::Kind::Store, .values = {m.variable(counter), value}, .memory = memory});
    if (trouble == Trouble::Updates) {
      m.focus = int(counter);
      makeAtomic(m, body, place);
      m.focus = -1;
    }
  }
};

void makeStrided(Maker &m, Block &out, const Place &place) {
  const auto isLoop = [](const Stmt &s) { return s.kind == Stmt::Kind::For; };
  if (isOneLoop(m) && (std::any_of(out.begin(), out.end(), isLoop) ||
                       std::any_of(m.function.body.begin(), m.function.body.end(), isLoop)))
    return;
  const auto columns = m.memoriesWhere([](const MemoryObject &o) { return o.role == Role::Output && o.count == 4; });
  Strided(m, out, place, m.pick(columns)).build();
}

NDRange range(Maker &m) {
  const std::vector<size_t> sizes{16, 32, 32, 64, 64, 64, 96, 128, 37, 100};
  const size_t local = m.pick(sizes);
  size_t global = local * (1 + m.below(unsigned(256 / local)));
  if (!m.kernel.required_local && m.chance(25))
    global -= m.below(unsigned(local));
  return {.global = {global}, .local = {local}};
}

// Adds memory: rows of work-items, and columns in the order of the work-items.
void start(Maker &m) {
  m.sees_groups = m.chance(60);
  const std::vector<Base> bases{Base::UInt, Base::UInt, Base::ULong, Base::Float, Base::UShort, Base::Int};
  const auto any = [&] { return Type{m.pick(bases), 1}; };
  m.addMemory({.role = Role::Input, .name = "in", .type = kInt, .count = kInputs});
  m.addMemory({.role = Role::Input, .name = "in1", .type = any(), .count = kInputs});
  m.addMemory({.role = Role::Table, .name = "table", .type = kUInt, .count = 16});
  m.addMemory({.role = Role::Zeros, .name = "zeros", .type = kInt, .count = kInputs});
  const unsigned row =
      m.addMemory({.role = Role::Output, .name = "row", .type = any(), .count = kRow, .is_filled = true});
  const std::vector<Base> indices{Base::ULong, Base::ULong, Base::ULong, Base::Long, Base::Int, Base::Int, Base::UInt};
  m.layouts[row] = {.order = m.chance(80) ? Layout::Order::Straight : Layout::Order::Reversed,
                    .index = m.pick(indices)};
  const unsigned columns =
      m.addMemory({.role = Role::Output, .name = "columns", .type = any(), .count = 4, .is_filled = true});
  m.layouts[columns] = {.by_slot = true, .index = m.layouts[columns].index};
  if (m.chance(25)) {
    const Layout layout = m.layouts[row];
    m.addMemory(
        {.role = Role::Twin, .name = "row_again", .type = m.kernel.memories[row].type, .count = kRow, .twin = row});
    m.layouts.back() = layout;
  }
  m.addMemory({.role = Role::Counters, .name = "counters", .type = kUInt, .count = kAtomicOps * kAtomicSlots});
  if (m.chance(70)) // otherwise the kernel is one loop, see isOneLoop()
    m.addMemory({.role = Role::Kept, .name = "kept", .type = kInt, .count = 4});
  m.addParameter(kInt, m.below(70));
  m.addParameter(kInt, 1 + m.below(20));
}

} // namespace

const Choices &loopChoices() {
  static const Choices choices{
      .types = {kInt, kUInt, {Base::Float, 1}, {Base::ULong, 1}},
      .statements =
          {{60, makeTwice}, {40, makeStrided}, {4, makeAssignment}, {3, makeStore}, {4, makeBranch}, {3, makeLoop}},
      .leaves = {{40, variableLeaf}, {6, inputLeaf}, {6, parameterLeaf}, {6, queryLeaf}},
      .kernel_statements = 4,
      .helpers = 0,
      .progressions = 0,
      .agreeing = 20,
      .functions = 3,
      .restricts = 85,
      .range = range,
      .start = start};
  return choices;
}

} // namespace lanecl::fuzz
