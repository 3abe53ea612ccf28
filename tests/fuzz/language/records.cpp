// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "language/records.h"

#include <algorithm>
#include <stdexcept>

namespace lanecl::fuzz {

namespace {

unsigned roundedUp(unsigned n, unsigned to) {
  return (n + to - 1) / to * to;
}

// A vector of three components takes the space of four, as OpenCL C says.
Footprint footprintOfVector(Type type) {
  const unsigned bytes = bitsOf(type.base) / 8;
  Footprint result;
  for (unsigned i = 0; i < type.lanes; ++i)
    result.cells.push_back({type.base, i * bytes});
  result.size = result.align = (type.lanes == 3 ? 4 : type.lanes) * bytes;
  return result;
}

} // namespace

Footprint footprintOf(Type type, const std::vector<Record> &records) {
  if (!isRecord(type))
    return footprintOfVector(type);
  const Record &record = records[type.record - 1];
  Footprint result;
  for (const Field &field : record.fields) {
    const Footprint one = footprintOf(field.type, records);
    const unsigned align = record.packed ? 1 : one.align;
    result.align = std::max(result.align, align);
    result.size = roundedUp(result.size, align);
    for (unsigned i = 0; i < field.count; ++i, result.size += one.size)
      for (CellPlace cell : one.cells)
        result.cells.push_back({cell.base, result.size + cell.offset});
  }
  result.size = roundedUp(result.size, result.align);
  return result;
}

const Field *fieldAt(Type type, const std::vector<uint8_t> &path, const std::vector<Record> &records) {
  const Field *field = nullptr;
  for (uint8_t number : path) {
    field = &records[type.record - 1].fields[number];
    type = field->type;
  }
  return field;
}

unsigned partsOf(Type whole, Type part) {
  return whole.lanes * bitsOf(whole.base) / (part.lanes * bitsOf(part.base));
}

std::vector<Type> partTypes(Base whole) {
  std::vector<Type> result{{Base::UChar, 1}, {Base::Short, 1}, {Base::UChar, 4}, {Base::UShort, 2}, {Base::Float, 1}};
  if (bitsOf(whole) == 64)
    result.insert(result.end(), {{Base::UInt, 1}, {Base::Int, 2}, {Base::Long, 1}, {Base::Double, 1}});
  return result;
}

Type addRecord(std::vector<Record> &records, Record record) {
  record.cells = 0;
  for (Field &field : record.fields) {
    field.cell = record.cells;
    record.cells += field.count * field.type.lanes;
  }
  if (record.cells > kMaxLanes)
    throw std::logic_error("a record of more cells than a value has");
  records.push_back(std::move(record));
  return {.lanes = uint8_t(records.back().cells), .record = uint8_t(records.size())};
}

} // namespace lanecl::fuzz
