// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Accesses to places that may be the same. Elements and members are chosen by constants, parameters, ids, loaded
// numbers and computed numbers, which are often equal at run time although they differ in the text. Loads, stores and
// updates come in every order, and some arrays are accessed through a chosen pointer.
#include "generate/generators.h"

#include <algorithm>

namespace lanecl::fuzz {

namespace {

using Role = MemoryObject::Role;

// Returns an expression for `value` that the compiler cannot evaluate.
ExprPtr hidden(Maker &m, Type type, int64_t value) {
  if (m.chance(50)) { // for example p0 - 3
    const unsigned i = m.below(unsigned(m.kernel.parameters.size()));
    const Parameter parameter = m.kernel.parameters[i];
    const ExprPtr given = make({.kind = Expr::Kind::Parameter, .type = parameter.type, .number = i});
    const int64_t difference = extended(parameter.type.base, parameter.bits) - value;
    return m.operation(Op::Sub, type, {m.converted(type, given), m.constant(type, difference)});
  }
  // For example zeros[i & 255] + 1.
  const unsigned zeros = m.memoriesWhere([](const MemoryObject &o) { return o.role == Role::Zeros; })[0];
  const ExprPtr at = m.operation(Op::And, kInt, {m.ask(Query::GlobalId, kInt), m.constant(kInt, 255)});
  const ExprPtr zero = make({.kind = Expr::Kind::Load, .type = kInt, .args = {at}, .memory = zeros});
  return m.operation(Op::Add, type, {m.converted(type, zero), m.constant(type, value)});
}

// A place to access: an array in memory, of which the work-item owns `count` elements, or an array, record or pointer
// among the variables.
struct Subject {
  bool is_memory;
  unsigned number;
  Type type;
  unsigned count;
};

// Makes accesses to rows of members or elements that lie together, so that passes that join accesses have to find out
// which ones may overlap.
class Accesses {
public:
  Accesses(Maker &m_, Block &out_) : m(m_), out(out_) {}

  // Accesses the members of one row, one to three times.
  void series() {
    const std::optional<Subject> subject = any();
    if (!subject)
      return;
    const ExprPtr row = rowOf(*subject, m.chance(15));
    for (unsigned times = 1 + m.below(3); times > 0; --times)
      members(*subject, row, m.chance(65) ? How::Load : How::Store);
  }

  // Adds up all that a work-item has of up to two arrays: sum = sum * 17 + p0[k] + p1[k].
  void sum() {
    const std::optional<Subject> first = any();
    if (!first)
      return;
    const unsigned total = sumVariable();
    Stmt loop{.kind = Stmt::Kind::For, .values = {m.constant(kInt, 0), m.constant(kInt, first->count)}, .number = 1};
    loop.target.variable = m.addVariable({.type = kInt, .fixed = true});
    Block body;
    Accesses inside(m, body);
    for (const Subject &subject : {*first, *any()}) {
      const ExprPtr counter =
          m.operation(Op::And, kInt, {m.variable(loop.target.variable), m.constant(kInt, int64_t(subject.count) - 1)});
      inside.add(total, m.within(*element(subject, counter)));
    }
    loop.blocks = {body};
    out.push_back(loop);
  }

private:
  enum class How { Load, Store, Update };

  Maker &m;
  Block &out;

  // Accesses the members or elements of the row in a random order; mostly all are loaded or all are stored. In between
  // there are accesses that may meet the row, mostly in members that come later.
  void members(const Subject &subject, const ExprPtr &row, How mostly) {
    std::vector<unsigned> order;
    for (unsigned i = 0; i < memberCount(subject); ++i)
      order.insert(order.begin() + m.below(i + 1), i);
    for (unsigned at = 0; at < order.size(); ++at) {
      if (m.chance(30))
        disturb(subject, order[m.chance(80) ? at + m.below(unsigned(order.size()) - at) : m.below(at + 1)], mostly);
      access(part(subject, row, order[at]), m.chance(95) ? mostly : How(m.below(3)));
    }
  }

  std::vector<Subject> all() const {
    std::vector<Subject> found;
    for (unsigned i = 0; i < m.kernel.memories.size(); ++i) {
      const MemoryObject &o = m.kernel.memories[i];
      if (o.role == Role::Output || o.role == Role::Twin ||
          (o.isLocal() && m.locals_ready && !m.reading && int(i) != m.busy))
        found.push_back({true, i, o.type, o.count});
    }
    for (unsigned i : m.visible) {
      const Variable &v = m.function.variables[i];
      if (!isPlain(v) && m.mayWrite(v))
        found.push_back({false, i, v.type, v.array || v.pointer ? v.count : 1});
    }
    return found;
  }

  // Chooses a subject; memory is chosen more often than variables.
  std::optional<Subject> any() {
    std::vector<Subject> found = all();
    const bool is_memory = m.chance(60);
    if (const auto isOther = [=](const Subject &s) { return s.is_memory != is_memory; };
        !std::all_of(found.begin(), found.end(), isOther))
      std::erase_if(found, isOther);
    return found.empty() ? std::nullopt : std::optional(m.pick(found));
  }

  // Returns a subject that may contain the same place: the subject itself, the same memory as another argument, or an
  // array or pointer of that type.
  Subject related(const Subject &subject) {
    std::vector<Subject> found = all();
    std::erase_if(found, [&](const Subject &other) { return other.type != subject.type; });
    return m.chance(60) ? subject : m.pick(found);
  }

  // Adds an access that may meet a member of the series: mostly a store among loads, or a load among stores.
  void disturb(const Subject &subject, unsigned member, How series) {
    const Subject other = related(subject);
    const How often = series == How::Load ? How::Store : How::Load;
    access(part(other, rowOf(other, m.chance(85)), member % memberCount(other)), m.chance(60) ? often : How::Update);
  }

  // Returns a subscript below `count`, which is a power of two.
  ExprPtr slot(unsigned count) {
    const auto masked = [&](ExprPtr any) {
      return m.operation(Op::And, kInt, {m.converted(kInt, std::move(any)), m.constant(kInt, int64_t(count) - 1)});
    };
    const auto numbers =
        m.variablesWhere([](const Variable &v) { return isPlain(v) && isScalar(v.type) && isInteger(v.type.base); });
    if (count == 1)
      return m.constant(kInt, 0);
    switch (m.below(6)) {
    case 0: return masked(m.expr(kInt, Level::Lane, 1));
    case 1:
    case 2:
      if (!numbers.empty())
        return masked(m.variable(m.pick(numbers)));
      [[fallthrough]];
    case 3: return hidden(m, kInt, m.below(std::min(count, 4u)));
    default: return m.constant(kInt, m.below(std::min(count, 4u)));
    }
  }

  // Returns one of the work-item's elements. With `hides`, the compiler does not see where it lies.
  ExprPtr element(const Subject &subject, const ExprPtr &at, bool hides = false) {
    if (!subject.is_memory) {
      Expr e{.kind = Expr::Kind::Element, .type = subject.type, .variable = subject.number};
      const Variable &v = m.function.variables[subject.number];
      if (v.array || v.pointer)
        e.args = {at};
      return make(std::move(e));
    }
    m.function.loads_local |= m.kernel.memories[subject.number].isLocal();
    m.function.stores_local |= m.kernel.memories[subject.number].isLocal();
    const Type type{m.layouts[subject.number].index, 1};
    ExprPtr cell = m.ownCell(subject.number, at);
    if (hides)
      cell = m.operation(Op::Add, type, {cell, hidden(m, type, 0)});
    return make({.kind = Expr::Kind::Load, .type = subject.type, .args = {cell}, .memory = subject.number});
  }

  // Returns the place that memberCount() counts from: one record, whose members are accessed, or the first element of
  // another array.
  ExprPtr rowOf(const Subject &subject, bool hides) {
    return element(subject, isRecord(subject.type) ? slot(subject.count) : m.constant(kInt, 0), hides);
  }

  unsigned memberCount(const Subject &subject) const {
    return isRecord(subject.type) ? unsigned(m.kernel.records[subject.type.record - 1].fields.size()) : subject.count;
  }

  // Returns the element with number i from the first one.
  ExprPtr elementBehind(const Subject &subject, const ExprPtr &first, unsigned i) {
    if (m.chance(8))
      return element(subject, slot(subject.count), m.chance(30));
    if (i == 0)
      return first;
    const ExprPtr number = m.chance(20) ? hidden(m, kInt, i) : m.constant(kInt, i);
    if (!subject.is_memory)
      return element(subject, number);
    Expr e = *first;
    const Type type = e.args[0]->type;
    const ExprPtr distance = m.layouts[subject.number].by_slot
                                 ? m.operation(Op::Mul, type, {m.converted(type, number), m.itemsOf(subject.number)})
                                 : m.converted(type, number);
    e.args[0] = m.operation(Op::Add, type, {e.args[0], distance});
    return make(std::move(e));
  }

  // Returns member or element i of the row, as a scalar or vector.
  ExprPtr part(const Subject &subject, const ExprPtr &row, unsigned i) {
    if (!isRecord(subject.type))
      return partly(elementBehind(subject, row, i), false);
    Expr place = *row;
    const Field field = m.kernel.records[subject.type.record - 1].fields[i];
    place.path.push_back(uint8_t(i));
    if (field.array)
      place.args.push_back(slot(field.count));
    place.type = field.type;
    const ExprPtr whole = m.within(std::move(place));
    return partly(whole, fieldAt(subject.type, whole->path, m.kernel.records)->overlaid);
  }

  // Sometimes replaces the place by a part of it: a member of a union, or bytes accessed through a cast pointer. C's
  // aliasing rules permit both.
  ExprPtr partly(const ExprPtr &whole, bool is_union) {
    const Type type = whole->type;
    std::vector<Type> types;
    if (is_union)
      types = partTypes(type.base);
    else if (type.lanes != 3)
      types = {{Base::UChar, 1}, {Base::Char, 1}};
    if (!is_union && type.lanes == 1 && isInteger(type.base))
      types.push_back(isSigned(type.base) ? unsignedOf(type) : signedOf(type));
    if (!is_union && isVector(type) && type.lanes != 3)
      types.insert(types.end(), 3, {type.base, 1});
    if (types.empty() || !m.chance(is_union ? 50 : 6))
      return whole;
    const Type chosen = m.pick(types);
    return make({.kind = Expr::Kind::Part, .type = chosen, .args = {whole, slot(partsOf(type, chosen))}});
  }

  // Accesses the place in one of the three ways.
  void access(const ExprPtr &place, How how) {
    switch (how) {
    case How::Load: return load(place);
    case How::Store: return store(place, m.expr(place->type, Level::Lane, m.below(2)));
    case How::Update: return update(place);
    }
  }

  // Uses a value that was loaded. A float from a union may be a NaN, so its bits are used instead.
  void load(ExprPtr value) {
    if (value->kind == Expr::Kind::Part)
      value = bitsOfValue(value);
    if (m.chance(60))
      m.declareAs(out, value->type, value);
    else
      add(sumVariable(), value);
  }

  static ExprPtr bitsOfValue(const ExprPtr &value) {
    const Type type = value->type;
    return isInteger(type.base)
               ? value
               : make({.kind = Expr::Kind::Reinterpret, .type = {maskOf(type.base), type.lanes}, .args = {value}});
  }

  void store(const ExprPtr &place, ExprPtr value) {
    Stmt s{.kind = Stmt::Kind::Assign, .values = {std::move(value)}};
    s.target.element = place;
    out.push_back(s);
  }

  // Updates the place, as in v[i] += a, or updates some components of a vector.
  void update(const ExprPtr &place) {
    const Type type = place->type;
    if (isVector(type) && m.chance(40)) {
      Stmt s{.kind = Stmt::Kind::Assign};
      s.target.element = place;
      Type assigned = type;
      m.chooseComponents(s.target, assigned);
      s.values = {m.expr(assigned, Level::Lane, 1)};
      out.push_back(s);
      return;
    }
    if (place->kind == Expr::Kind::Part && !isInteger(type.base))
      return store(place, m.expr(type, Level::Lane, 1));
    const Op op = isInteger(type.base) && m.chance(40) ? Op::Xor : Op::Add;
    store(place, m.operation(op, type, {place, m.leaf(type, Level::Lane, 1)}));
  }

  // Returns the variable that collects all loaded values.
  unsigned sumVariable() {
    const auto sums = m.variablesWhere(
        [](const Variable &v) { return isPlain(v) && v.type == kUInt && !v.fixed && v.level == Level::Lane; });
    return sums.empty() ? m.declareAs(out, kUInt, m.constant(kUInt, 1)) : sums[0];
  }

  // Adds a loaded value to the sum: total = total * 17 + value. The result depends on the order of the values.
  void add(unsigned total, const ExprPtr &value) {
    const ExprPtr scaled = m.operation(Op::Mul, kUInt, {m.variable(total), m.constant(kUInt, 17)});
    Stmt s{.kind = Stmt::Kind::Assign,
           .values = {m.operation(Op::Add, kUInt, {scaled, m.converted(kUInt, bitsOfValue(value))})}};
    s.target.variable = total;
    out.push_back(s);
  }
};

void makeSeries(Maker &m, Block &out, const Place &) {
  Accesses(m, out).series();
}

void makeSum(Maker &m, Block &out, const Place &) {
  Accesses(m, out).sum();
}

// Declares a pointer to an array; mostly a condition chooses one of two arrays.
void makeChosen(Maker &m, Block &out, const Place &) {
  const auto arrays = m.variablesWhere([](const Variable &v) { return v.array && !isRecord(v.type); });
  if (arrays.size() < 2 || m.chance(20))
    return m.declareArray(out, arrays.empty() ? m.anyType() : m.function.variables[arrays[0]].type);
  const Variable like = m.function.variables[m.pick(arrays)];
  const std::vector<Space> spaces{Space::Private, Space::Private, Space::Generic};
  Variable v{.type = like.type, .count = like.count, .pointer = true, .space = m.pick(spaces)};
  const ExprPtr address = m.address({v.type, v.count, v.space, false}, m.visible.size());
  if (!address)
    return;
  Stmt s{.kind = Stmt::Kind::Declare, .values = {address}};
  s.target.variable = m.addVariable(v);
  m.visible.push_back(s.target.variable);
  out.push_back(s);
}

// Adds a record some of whose fields are unions of an integer with arrays of its parts.
Type addUnions(Maker &m) {
  Record record{.name = "S" + std::to_string(m.kernel.records.size())};
  const std::vector<unsigned> counts{1, 2, 2, 4};
  const Base base = m.chance(60) ? Base::UInt : Base::ULong;
  for (unsigned i = 0, fields = m.pick(counts); i < fields; ++i)
    record.fields.push_back({.name = "f" + std::to_string(i), .type = {base, 1}, .overlaid = i == 0 || m.chance(60)});
  return addRecord(m.kernel.records, std::move(record));
}

// Adds another argument for the same memory. The rows belong to the same work-items as before.
void addTwin(Maker &m, unsigned memory) {
  const MemoryObject &object = m.kernel.memories[memory];
  const Layout layout = m.layouts[memory];
  m.addMemory(
      {.role = Role::Twin, .name = object.name + "_again", .type = object.type, .count = object.count, .twin = memory});
  m.layouts.back() = layout;
}

// Adds a record of 2, 4 or 8 members of one size, which the pass join-accesses loads and stores together.
Type addPowerOfTwo(Maker &m) {
  const std::vector<std::vector<Base>> kinds{{Base::Int, Base::UInt},
                                             {Base::UInt, Base::Float},
                                             {Base::Short, Base::Half},
                                             {Base::UChar},
                                             {Base::Long, Base::Double}};
  const std::vector<unsigned> counts{2, 2, 2, 4, 4, 8};
  const std::vector<Base> bases = m.pick(kinds);
  Record record{.name = "S" + std::to_string(m.kernel.records.size())};
  for (unsigned i = 0, fields = m.pick(counts); i < fields; ++i)
    record.fields.push_back({.name = "f" + std::to_string(i), .type = {m.pick(bases), 1}});
  return addRecord(m.kernel.records, std::move(record));
}

// Adds a record of one of the kinds above.
Type anyStructure(Maker &m) {
  switch (m.below(8)) {
  case 0: return m.addRecord();
  case 1: return m.addStructure();
  case 2:
  case 3: return addUnions(m);
  default: return addPowerOfTwo(m);
  }
}

// Adds memory in which each work-item has a row. Mostly the rows lie in the order of the work-items.
void add(Maker &m, Role role, const std::string &name, Type type, unsigned count) {
  Layout &layout =
      m.layouts[m.addMemory({.role = role, .name = name, .type = type, .count = count, .is_filled = true})];
  layout.by_slot &= m.chance(20);
  if (m.chance(85))
    layout.order = Layout::Order::Straight;
}

// Adds memory of structures, of which each work-item has one or a few in a row.
void addStructures(Maker &m) {
  for (unsigned i = 0, structures = 1 + m.below(2); i < structures; ++i) {
    const Type type = anyStructure(m);
    const std::string digit = std::to_string(i);
    const std::vector<unsigned> counts{1, 1, 1, 1, 2, 4};
    add(m, Role::Output, "s" + digit, type, m.pick(counts));
    add(m, Role::Input, "ins" + digit, type, 16);
    if (m.chance(35))
      add(m, Role::Local, "locs" + digit, type, m.chance(60) ? 1 : 2);
  }
}

void start(Maker &m) {
  m.addMemory({.role = Role::Input, .name = "in", .type = kInt, .count = 256});
  m.addMemory({.role = Role::Zeros, .name = "zeros", .type = kInt, .count = 256});
  m.addMemory({.role = Role::Kept, .name = "kept", .type = kInt, .count = 8});
  addStructures(m);
  const std::vector<unsigned> counts{2, 4, 4, 8};
  add(m, Role::Output, "row", {m.anyType().base, 1}, m.pick(counts));
  if (m.chance(40))
    add(m, Role::Output, "out", m.anyType(), m.chance(50) ? 1 : 4);
  if (m.chance(30))
    add(m, Role::LocalGiven, "loc", m.anyType(), 4);
  const auto outputs = m.memoriesWhere([](const MemoryObject &o) { return o.role == Role::Output; });
  if (m.chance(35))
    addTwin(m, m.pick(outputs));
  m.kernel.shares_buffer = m.chance(30);
  m.addParameter(kInt, 1 + m.below(9));
  m.addParameter(kUInt, m.below(40));
}

// Makes a helper function, mostly with two restrict pointers. In the loop of makeSwaps(), one turn may pass to one
// pointer what the next turn passes to the other.
void helper(Maker &m) {
  if (m.chance(40))
    return addParameters(m);
  m.function.result = kInt;
  m.takes({.type = kInt, .level = m.atLeast(m.returns)});
  const Variable element{.type = m.anyType(), .pointer = true, .space = Space::Private, .restrict_ = true};
  m.takes(element);
  m.takes(element);
}

std::vector<Type> types() {
  std::vector<Type> result(8, kUInt);
  for (Base base : {Base::Int, Base::Int, Base::Float, Base::Float, Base::Short, Base::UChar, Base::Long, Base::Half})
    result.insert(result.end(), {{base, 1}, {base, 1}});
  result.insert(result.end(), {{Base::Int, 4}, {Base::Float, 2}, {Base::UChar, 4}, {Base::Short, 3}, {Base::UInt, 8}});
  return result;
}

} // namespace

const Choices &aliasChoices() {
  static const Choices choices{.types = types(),
                               .statements = {{50, makeSeries},
                                              {8, makeSum},
                                              {16, makeChosen},
                                              {3, makePointer},
                                              {4, makePointerMove},
                                              {6, makeAssignment},
                                              {4, makeStore},
                                              {4, makeRecord},
                                              {3, makeVectorStore},
                                              {10, makeBranch},
                                              {14, makeLoop},
                                              {2, makeSwitch},
                                              {4, makeLeave},
                                              {3, makeCall},
                                              {8, makeSwaps},
                                              {3, makeExchange}},
                               .leaves = {{40, variableLeaf},
                                          {20, elementLeaf},
                                          {6, componentLeaf},
                                          {12, inputLeaf},
                                          {6, parameterLeaf},
                                          {8, queryLeaf},
                                          {4, localLeaf},
                                          {12, ownOutputLeaf}},
                               .local_sizes = {{2}, {5}, {16}, {32}, {32}, {37}, {64}, {64}, {100}, {12, 3}, {16, 4}},
                               .kernel_statements = 10,
                               .helper_statements = 4,
                               .helpers = 1,
                               .progressions = 0,
                               .agreeing = 50,
                               .arrays = 70,
                               .functions = 3,
                               .restricts = 30,
                               .start = start,
                               .helper = helper};
  return choices;
}

} // namespace lanecl::fuzz
