// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Makes the dispatch table and the table of names from entry_points.def.
#include "api/dispatch.h"

#include "api/recent_names.h"

#include "icd/capabilities.h"
#include "icd/command_buffer_api.h"

#include <string_view>

namespace lanecl::icd {
namespace {

constexpr Dispatch makeDispatch() {
  Dispatch table{};
#define LANECL_ENTRY(name) table.name = &::name;
#include "api/entry_points.def"
  return table;
}

struct NamedFunction {
  std::string_view name;
  void *function;
  const char *extension = nullptr; // the device must have it; null: none is required
};

const NamedFunction kFunctions[] = {
#define LANECL_ENTRY(name) {#name, reinterpret_cast<void *>(&::name)},
#define LANECL_EXTENSION_ENTRY(name) {#name, reinterpret_cast<void *>(&::name)},
#define LANECL_OPTIONAL_ENTRY(name, extension) {#name, reinterpret_cast<void *>(&::name), extension},
#define LANECL_COMMAND_BUFFER_ENTRY(name)                                                                              \
  {#name, reinterpret_cast<void *>(&command_buffer::name), "cl_khr_command_buffer"},
#include "api/entry_points.def"
};

} // namespace

constexpr Dispatch kDispatch = makeDispatch();

void *functionByName(const char *name) {
  if (!name)
    return nullptr;
  for (const NamedFunction &entry : kFunctions)
    if (entry.name == name)
      return !entry.extension || hasExtension(entry.extension) ? entry.function : nullptr;
  return nullptr;
}

} // namespace lanecl::icd
