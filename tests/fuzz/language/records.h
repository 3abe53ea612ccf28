// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Structs of the kernel language, and how values lie in memory.
#pragma once

#include "language/types.h"

#include <vector>

namespace lanecl::fuzz {

struct Field {
  std::string name{};
  Type type{};
  unsigned count = 1; // elements of an array, a power of two
  bool array = false;
  // An integer in a union with arrays of other types, see partTypes.
  bool overlaid = false;
  unsigned cell = 0; // the first of its scalars among those of the record
};

// A struct. A value has all its scalars in a row, as many as a Value can hold.
struct Record {
  std::string name{};
  std::vector<Field> fields{};
  bool packed = false;
  unsigned cells = 0;
};

// Where a scalar lies in the bytes of a type.
struct CellPlace {
  Base base = Base::Int;
  unsigned offset = 0;
};
struct Footprint {
  std::vector<CellPlace> cells{};
  unsigned size = 0, align = 1; // bytes
};

Footprint footprintOf(Type type, const std::vector<Record> &records);

// The field within fields to which a path leads; null where the path is empty.
const Field *fieldAt(Type type, const std::vector<uint8_t> &path, const std::vector<Record> &records);

// How many values of a type lie in the bytes of another one.
unsigned partsOf(Type whole, Type part);
// The types of which a union with that integer has arrays.
std::vector<Type> partTypes(Base whole);

// Adds it, with the cells of its fields found.
Type addRecord(std::vector<Record> &records, Record record);

} // namespace lanecl::fuzz
