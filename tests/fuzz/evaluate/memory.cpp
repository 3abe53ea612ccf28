// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Variables, private arrays, memory and pointers.
#include "evaluate/numbers.h"
#include "evaluate/work_group.h"

#include <algorithm>

namespace lanecl::fuzz {

Address Address::fromBits(uint64_t bits) {
  return {.memory = unsigned(bits >> 56),
          .begin = uint32_t(bits >> 40 & 0xffff),
          .size = uint32_t(bits >> 20 & 0xfffff),
          .position = int64_t(bits & 0xfffff)};
}

uint64_t Address::bits() const {
  if (memory > 0xff || begin > 0xffff || size > 0xfffff || position < 0 || position > 0xfffff)
    throw Rejected("a pointer outside of its object");
  return uint64_t(memory) << 56 | uint64_t(begin) << 40 | uint64_t(size) << 20 | uint64_t(position);
}

// Returns the place of a variable of the running function on the work-item's stack.
Address WorkGroup::frame(const Item &item, unsigned variable) const {
  const Variable &v = variableAt(variable);
  return {.begin = uint32_t(place(item, variable)), .size = v.pointer ? 1u : (v.array ? v.count : 1) * v.type.lanes};
}

// Evaluates a subscript of an array with `count` elements, a power of two. The guarded text takes it modulo the count.
int64_t WorkGroup::subscript(const Expr &e, size_t arg, unsigned count, Item &item) {
  const Wide i = integer(e.args[arg], item);
  if ((i < 0 || i >= Wide(count)) && !e.guarded)
    launch.unguarded.expressions.insert(&e);
  return int64_t(uint64_t(i) & (count - 1));
}

// Follows the expression's path of fields within fields and adds their offsets to the address.
void WorkGroup::follow(const Expr &e, size_t next, Address &address, Item &item) {
  Type type = e.kind == Expr::Kind::Load ? kernel.memories[e.memory].type : variableAt(e.variable).type;
  for (uint8_t number : e.path) {
    const Field &field = kernel.records[type.record - 1].fields[number];
    address.position += field.cell;
    if (field.array)
      address.position += subscript(e, next++, field.count, item) * field.type.lanes;
    type = field.type;
  }
}

// Returns the cells of a memory object: the work-group's own if the object is in local memory, otherwise the launch's.
// A twin is another name of the same memory.
Cells &WorkGroup::cells(unsigned memory) {
  if (kernel.memories[memory].role == MemoryObject::Role::Twin)
    memory = kernel.memories[memory].twin;
  return kernel.memories[memory].isLocal() ? locals[memory] : launch.memory[memory];
}

// Returns where the value of a Load, a Variable or an Element is, following a pointer if the variable is one.
Address WorkGroup::locate(const Expr &e, Item &item) {
  if (e.kind == Expr::Kind::Load) {
    const MemoryObject &object = kernel.memories[e.memory];
    Address result{.memory = e.memory + 1, .size = uint32_t(cells(e.memory).size())};
    const Wide i = integer(e.args[0], item);
    if (object.isRead())
      result.position = subscript(e, 0, object.count, item);
    else if (i < 0 || i >= Wide(result.size))
      throw Rejected("an access outside of memory");
    else
      result.position = int64_t(i);
    result.position *= object.type.lanes;
    follow(e, 1, result, item);
    return result;
  }
  const Variable &v = variableAt(e.variable);
  Address result = frame(item, e.variable);
  if (e.kind == Expr::Kind::Variable)
    return result;
  if (v.pointer)
    result = Address::fromBits(known(read(result, kSize, item)));
  const bool subscripted = v.pointer || v.array;
  if (subscripted)
    result.position += subscript(e, 0, v.count, item) * v.type.lanes;
  follow(e, subscripted, result, item);
  return result;
}

namespace {

void requireInside(const Address &address, unsigned count) {
  if (address.position < 0 || address.position + count > address.size)
    throw Rejected("an access outside of its object");
}

} // namespace

// Reads the components of a value from consecutive cells. Throws Rejected if nothing of a scalar has been written.
Value WorkGroup::read(const Address &address, Type type, Item &item) {
  requireInside(address, type.lanes);
  const uint64_t all = isRecord(type) ? ~uint64_t(0) : truncated(type.base, ~uint64_t(0));
  Value result;
  for (unsigned i = 0; i < type.lanes; ++i) {
    const size_t cell = size_t(address.begin + address.position + i);
    if (address.memory == 0) {
      result.c[i] = item.stack[cell] & all;
      result.unknown[i] = item.unknown[cell] & all;
      result.settled &= item.assigned[cell] || result.unknown[i] == 0;
    } else {
      result.c[i] = cells(address.memory - 1).load(int64_t(cell), item.global_linear);
      result.unknown[i] = cells(address.memory - 1).scalar(int64_t(cell)).unknown & all;
      result.settled &= result.unknown[i] == 0;
    }
  }
  if (isScalar(type) && !result.settled && result.unknown[0] == all)
    throw Rejected("a read of an uninitialized value");
  return result;
}

// Writes the components of a value to `count` consecutive cells.
void WorkGroup::write(const Address &address, unsigned count, const Value &v, Item &item) {
  requireInside(address, count);
  for (unsigned i = 0; i < count; ++i) {
    const size_t cell = size_t(address.begin + address.position + i);
    if (address.memory == 0) {
      item.stack[cell] = v.c[i];
      item.unknown[cell] = v.unknown[i];
      item.assigned[cell] = v.settled || v.unknown[i] == 0;
    } else {
      note(address.memory - 1, cell);
      cells(address.memory - 1).store(int64_t(cell), item.global_linear, {v.c[i], v.unknown[i]});
    }
  }
}

// Loads the value of a Variable, an Element or a Load.
Value WorkGroup::load(const Expr &e, Item &item) {
  const Address at = locate(e, item);
  const bool is_pointer = e.kind == Expr::Kind::Variable && e.pointer;
  const unsigned count = is_pointer ? 1 : e.type.lanes;
  requireInside(at, count);
  if (at.memory == 0 && e.kind != Expr::Kind::Load && (is_pointer || !variableAt(e.variable).pointer) &&
      !variableAt(e.variable).open) {
    const auto first = item.assigned.begin() + ptrdiff_t(at.begin + uint64_t(at.position));
    if (std::find(first, first + count, 0) != first + count)
      launch.unguarded.variables.insert({function, e.variable});
  }
  return read(at, is_pointer ? kSize : e.type, item);
}

// A variable must have a value in all its parts when its address is taken, because any part may be read through the
// pointer.
Value WorkGroup::address(const Expr &e, Item &item) {
  const Expr &what = *e.args[0];
  const Address at = locate(what, item);
  if (what.kind != Expr::Kind::Load && !variableAt(what.variable).pointer && !variableAt(what.variable).open) {
    const auto first = item.assigned.begin() + ptrdiff_t(at.begin);
    if (std::find(first, first + at.size, 0) != first + at.size)
      launch.unguarded.variables.insert({function, what.variable});
  }
  Value result;
  result.c[0] = at.bits();
  return result;
}

// Returns whether the pointer points to the address space that the expression names.
bool WorkGroup::pointsTo(const Expr &e, Item &item) {
  const Address at = Address::fromBits(bits(e.args[0], item));
  const Space space = at.memory == 0                             ? Space::Private
                      : kernel.memories[at.memory - 1].isLocal() ? Space::Local
                                                                 : Space::Global;
  return space == e.space;
}

// The guarded text takes the offset modulo `number`.
Value WorkGroup::vectorLoad(const Expr &e, Item &item) {
  Wide offset = integer(e.args[0], item);
  if (offset < 0 || offset >= Wide(e.number)) {
    if (!e.guarded)
      launch.unguarded.expressions.insert(&e);
    offset = Wide(uint64_t(offset) & (uint64_t(e.number) - 1));
  }
  Address at = Address::fromBits(bits(e.args[1], item));
  at.position += int64_t(offset) * e.type.lanes;
  Value result = read(at, e.type, item);
  if (const Base from = e.args[1]->type.base; from != e.type.base)
    for (unsigned i = 0; i < e.type.lanes; ++i) {
      result.unknown[i] = unknownBitsOfConversion(e.type.base, from, {result.c[i], result.unknown[i]}, false);
      result.c[i] = convert(e.type.base, from, result.c[i], false);
    }
  return result;
}

// Evaluates vstoren or vstore_halfn. The latter converts the components with the statement's rounding mode.
void WorkGroup::vectorStore(const Stmt &s, Item &item) {
  const unsigned lanes = s.values[0]->type.lanes;
  const Base from = s.values[0]->type.base, to = s.values[2]->type.base;
  Value v = value(s.values[0], item);
  for (unsigned i = 0; i < lanes && from != to; ++i) {
    v.unknown[i] = unknownBitsOfConversion(to, from, {v.c[i], v.unknown[i]}, false);
    v.c[i] = convert(to, from, v.c[i], false, Rounding(s.number));
  }
  const Wide offset = integer(s.values[1], item);
  Address at = Address::fromBits(bits(s.values[2], item));
  if (offset < 0 || offset >= Wide(at.size))
    throw Rejected("an access outside of its object");
  at.position += int64_t(offset) * lanes;
  write(at, lanes, v, item);
}

// Assigns to a variable, to an element, or only to the components that the target's swizzle names.
void WorkGroup::assign(const Target &t, const Value &v, Item &item) {
  if (t.element && t.element->kind == Expr::Kind::Part)
    return assignPart(t, v, item);
  Address at = t.element ? locate(*t.element, item) : frame(item, t.variable);
  const std::vector<uint8_t> &components = t.swizzle.components;
  if (components.empty())
    return write(at, t.element ? t.element->type.lanes : at.size, v, item);
  const int64_t whole = at.position;
  for (size_t i = 0; i < components.size(); ++i) {
    at.position = whole + components[i];
    Value one{.settled = v.settled};
    one.c[0] = v.c[i];
    one.unknown[0] = v.unknown[i];
    write(at, 1, one, item);
  }
}

// Gives a variable its initial values. Without any, its scalars count as not assigned; those of an open variable may
// then have any value.
void WorkGroup::declare(const Stmt &s, Item &item) {
  const Address at = frame(item, s.target.variable);
  const bool is_unknown = s.values.empty() && variableAt(s.target.variable).open;
  std::fill_n(item.stack.begin() + ptrdiff_t(at.begin), at.size, is_unknown ? launch.choice : 0);
  std::fill_n(item.unknown.begin() + ptrdiff_t(at.begin), at.size, is_unknown ? ~uint64_t(0) : 0);
  std::fill_n(item.assigned.begin() + ptrdiff_t(at.begin), at.size, !s.values.empty());
  Address next = at;
  for (const ExprPtr &e : s.values) {
    const unsigned cells = e->pointer ? 1 : e->type.lanes;
    write(next, cells, value(e, item), item);
    next.position += cells;
  }
}

// Stores a value to an element of a memory object.
void WorkGroup::store(const Stmt &s, Item &item) {
  const Wide index = integer(s.values[0], item);
  const Value v = value(s.values[1], item);
  const Type type = kernel.memories[s.memory].type;
  const uint32_t size = uint32_t(cells(s.memory).size());
  if (index < 0 || index >= Wide(size))
    throw Rejected("an access outside of memory");
  write({.memory = s.memory + 1, .size = size, .position = int64_t(index) * type.lanes}, type.lanes, v, item);
}

// Runs an atomic function, whose result is not used: it would depend on the order of the work-items.
void WorkGroup::atomic(const Stmt &s, Item &item) {
  const Address at = locate(*s.values[0], item);
  const Type type = s.values[0]->type;
  const uint64_t operand = s.values.size() > 1 ? bits(s.values[1], item) : 1;
  constexpr Op kAtomics[] = {Op::Add, Op::Min, Op::Max, Op::And, Op::Or, Op::Xor, Op::Sub, Op::Add, Op::Sub};
  requireInside(at, 1);
  if (journal)
    throw Rejected("an atomic function where it is unknown whether a work-item comes by");
  uint64_t &cell = cells(at.memory - 1).cell(at.position, kindOf(s.atomic));
  cell = operate(kAtomics[unsigned(s.atomic)], type, cell, operand, 0).bits;
}

// Reads a texel. Outside the image, the result is the nearest texel or the border color: zeros, but alpha is one if the
// image has no alpha.
Value WorkGroup::readImage(const Expr &e, Item &item) {
  const ImageShape &image = kernel.memories[e.memory].image;
  const Value coordinates = knownValue(e.args[0], item);
  const unsigned sizes[3] = {image.width, image.height, image.depth};
  size_t texel = 0, stride = 1;
  bool inside = true;
  for (unsigned dim = 0; dim < image.dims; ++dim) {
    const int64_t c = extended(Base::Int, coordinates.c[dim]), last = int64_t(sizes[dim]) - 1;
    inside &= c >= 0 && c <= last;
    texel += size_t(std::clamp<int64_t>(c, 0, last)) * stride;
    stride *= sizes[dim];
  }
  Value result;
  result.c[3] = image.channels < 4;
  if (!inside && e.number == 0) // CLK_ADDRESS_CLAMP
    return result;
  for (unsigned i = 0; i < image.channels; ++i)
    result.c[i] =
        uint64_t(extended(image.base, cells(e.memory).load(int64_t(texel * image.channels + i), item.global_linear)));
  for (uint64_t &c : result.c)
    c = truncated(Base::Int, c);
  return result;
}

void WorkGroup::barrier() {
  for (Cells &local : locals)
    local.barrier();
}

} // namespace lanecl::fuzz
