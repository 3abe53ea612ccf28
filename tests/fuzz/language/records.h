// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Structs of the kernel language, and how values lie in memory.
#pragma once

#include "language/types.h"

#include <vector>

namespace lanecl::fuzz {

struct Field {
  std::string name{};
  Type type{};
  unsigned count = 1; // number of elements of an array, a power of two
  bool array = false;
  // The field is an integer in a union with arrays of other types, see partTypes().
  bool overlaid = false;
  unsigned cell = 0; // number of its first scalar among those of the record
};

// A struct. A value of it holds all its scalars one after the other, as many as a Value has room for.
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
// Where the cells of a type are in memory, and its size and alignment in bytes.
struct Footprint {
  std::vector<CellPlace> cells{};
  unsigned size = 0, align = 1; // bytes
};

Footprint footprintOf(Type type, const std::vector<Record> &records);

// Returns the field that a path of nested fields leads to, or null if the path is empty.
const Field *fieldAt(Type type, const std::vector<uint8_t> &path, const std::vector<Record> &records);

// Returns how many values of a type fit into the bytes of another one.
unsigned partsOf(Type whole, Type part);
// Returns the types of the arrays that a union with that integer has.
std::vector<Type> partTypes(Base whole);

// Adds the record and computes the cells of its fields.
Type addRecord(std::vector<Record> &records, Record record);

} // namespace lanecl::fuzz
