// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "run/case.h"

#include "print/print.h"

#include <algorithm>

namespace lanecl::fuzz {

Variant variantNumber(uint64_t number) {
  constexpr const char *kOptions[] = {"", "", "", "", "-cl-opt-disable", "-g", "", "-g -cl-opt-disable"};
  return {std::string("-cl-std=CL3.0 -w ") + kOptions[number % std::size(kOptions)],
          number / std::size(kOptions) % 2 == 1};
}

namespace {

// Scalars of one type. A type with different scalars or with padding becomes bytes.
struct Laid {
  Type type{};
  std::vector<uint64_t> values{};
  std::vector<uint64_t> open{}; // bits that may have any value; empty if there are none
};

// Whether the cell is a zero whose sign may be either.
bool isAnyZero(const Kernel &kernel, Base base, uint64_t bits) {
  return kernel.relaxed && !isInteger(base) && toNumber(base, bits) == 0;
}

// Returns the bits of a cell that may have any value when the cell is compared.
uint64_t openBits(const Kernel &kernel, Base base, uint64_t cell, uint64_t unknown) {
  const uint64_t sign = uint64_t(1) << (bitsOf(base) - 1);
  return truncated(base, unknown) | (isAnyZero(kernel, base, cell) ? sign : 0);
}

// Lays out scalars and vectors other than those of three components: their cells are contiguous in memory.
Laid scalars(const Kernel &kernel, Base base, const std::vector<uint64_t> &cells,
             const std::vector<uint64_t> &unknown) {
  Laid result{{base, 1}, cells, {}};
  for (size_t i = 0; i < cells.size(); ++i)
    result.open.push_back(openBits(kernel, base, cells[i], unknown[i]));
  if (std::count(result.open.begin(), result.open.end(), 0) == ptrdiff_t(cells.size()))
    result.open.clear();
  return result;
}

// Lays out elements as they are in memory. Records and vectors of three components become bytes, because they have
// padding, which may hold anything afterwards.
Laid laidOut(const Kernel &kernel, Type type, const std::vector<uint64_t> &cells,
             const std::vector<uint64_t> &unknown) {
  if (!isRecord(type) && type.lanes != 3)
    return scalars(kernel, type.base, cells, unknown);
  const Footprint footprint = footprintOf(type, kernel.records);
  const size_t count = cells.size() / footprint.cells.size();
  constexpr uint64_t kPadding = 0xa5;
  Laid result{{Base::UChar, 1}, std::vector<uint64_t>(count * footprint.size, kPadding), {}};
  result.open.assign(result.values.size(), 0xff);
  for (size_t i = 0; i < cells.size(); ++i) {
    const CellPlace &cell = footprint.cells[i % footprint.cells.size()];
    const size_t offset = i / footprint.cells.size() * footprint.size + cell.offset;
    const uint64_t open = openBits(kernel, cell.base, cells[i], unknown[i]);
    for (unsigned byte = 0; byte < bitsOf(cell.base) / 8; ++byte) {
      result.values[offset + byte] = cells[i] >> (8 * byte) & 0xff;
      result.open[offset + byte] = open >> (8 * byte) & 0xff;
    }
  }
  return result;
}

// Returns the argument for a memory object with its initial contents.
Argument argumentOf(const Kernel &kernel, unsigned memory, const NDRange &range, const std::vector<uint64_t> &cells) {
  const MemoryObject &object = kernel.memories[memory];
  if (object.isInLocalMemory())
    return {.kind = Argument::Kind::Local,
            .type = object.type,
            .bytes = kernel.elements(memory, range) * footprintOf(object.type, kernel.records).size};
  if (object.role == MemoryObject::Role::Image)
    return {.kind = Argument::Kind::Image, .type = {object.image.base, 1}, .values = cells, .image = object.image};
  const Laid laid = laidOut(kernel, object.type, cells, std::vector<uint64_t>(cells.size()));
  return {.kind = Argument::Kind::Buffer, .type = laid.type, .values = laid.values};
}

// Returns the kernel's arguments in their order: memory first, then the parameters that are not constants of the build.
std::vector<Argument> argumentsOf(const Kernel &kernel, const NDRange &range, bool constants_at_build) {
  std::vector<Argument> result;
  const Contents contents = initialContents(kernel, range);
  std::vector<uint64_t> numbers; // by memory object: the number of its argument
  for (unsigned i = 0; i < kernel.memories.size(); ++i) {
    const MemoryObject &object = kernel.memories[i];
    numbers.push_back(result.size());
    if (object.role == MemoryObject::Role::Twin)
      result.push_back({.kind = Argument::Kind::Same, .values = {numbers[object.twin]}});
    else if (isArgument(object))
      result.push_back(argumentOf(kernel, i, range, contents[i]));
  }
  for (const Parameter &parameter : kernel.parameters)
    if (!constants_at_build)
      result.push_back({.kind = Argument::Kind::Scalar, .type = parameter.type, .values = {parameter.bits}});
  return result;
}

// Returns one launch of a kernel with the outcomes that are expected, for each sub-group size.
CaseLaunch launchOf(const Tested &tested, unsigned number, bool constants_at_build) {
  const Kernel &kernel = *tested.kernel;
  CaseLaunch launch{.kernel = kernel.name, .range = kernel.launches[number], .shares_buffer = kernel.shares_buffer};
  launch.arguments = argumentsOf(kernel, launch.range, constants_at_build);
  for (const Outcome &outcome : *tested.outcomes) {
    unsigned argument = 0;
    for (size_t i = 0; outcome.launch == number && i < kernel.memories.size(); ++i) {
      if (kernel.memories[i].isCompared()) {
        const Laid laid = laidOut(kernel, kernel.memories[i].type, outcome.contents[i], outcome.unknown[i]);
        launch.expectations.push_back({outcome.width, argument, laid.values, laid.open});
      }
      argument += isArgument(kernel.memories[i]);
    }
  }
  return launch;
}

} // namespace

Case makeCase(const std::vector<Tested> &kernels, const Variant &variant) {
  std::vector<const Kernel *> printed;
  size_t launches = 0;
  for (const Tested &tested : kernels) {
    printed.push_back(tested.kernel);
    launches = std::max(launches, tested.kernel->launches.size());
  }
  Text text = print(printed, variant.constants_at_build);
  Case result{
      .options = variant.options + text.options, .source = std::move(text.source), .block_order = variant.block_order};
  for (unsigned number = 0; number < launches; ++number)
    for (const Tested &tested : kernels)
      if (number < tested.kernel->launches.size())
        result.launches.push_back(launchOf(tested, number, variant.constants_at_build));
  return result;
}

} // namespace lanecl::fuzz
