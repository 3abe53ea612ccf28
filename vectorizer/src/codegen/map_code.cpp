// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "codegen/map_code.h"

#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/ELFObjectFile.h"

using namespace llvm;
using namespace llvm::object;

namespace lanecl::vectorizer {

namespace {

std::optional<ELFSymbolRef> symbolNamed(const ObjectFile &file, StringRef name) {
  for (const SymbolRef symbol : file.symbols()) {
    Expected<StringRef> its_name = symbol.getName();
    if (its_name && *its_name == name)
      return ELFSymbolRef(symbol);
    if (!its_name)
      consumeError(its_name.takeError());
  }
  return std::nullopt;
}

using LineTable = DWARFDebugLine::LineTable;

// Returns the index of a file in the map, which is added if it is new.
uint32_t fileNumber(CodeMap &map, const LineTable &table, uint64_t file) {
  std::string name;
  if (!table.getFileNameByIndex(file, "", DILineInfoSpecifier::FileLineInfoKind::RawValue, name))
    return 0;
  auto place = llvm::find(map.files, name);
  if (place == map.files.end())
    place = map.files.insert(place, name);
  return static_cast<uint32_t>(place - map.files.begin());
}

// Adds the lines of a line table that belong to the section.
void addLines(CodeMap &map, const LineTable &table, uint64_t section) {
  for (const DWARFDebugLine::Row &row : table.Rows)
    if (row.Address.SectionIndex == section)
      map.lines.push_back({row.Address.Address, row.EndSequence ? 0 : row.Line, fileNumber(map, table, row.File)});
}

// Adds the functions of the source. Functions that only the compiler knows are artificial.
void addFunctions(CodeMap &map, DWARFUnit &unit, uint64_t section) {
  for (const DWARFDebugInfoEntry &entry : unit.dies()) {
    const DWARFDie die(&unit, &entry);
    uint64_t begin = 0, end = 0, its_section = 0;
    if (die.isSubprogramDIE() && !dwarf::toUnsigned(die.find(dwarf::DW_AT_artificial)) &&
        die.getLowAndHighPC(begin, end, its_section) && its_section == section && die.getShortName() != nullptr)
      map.functions.push_back({begin, end, die.getShortName()});
  }
}

} // namespace

CodeMap mapCode(MemoryBufferRef object, StringRef symbol, const void *address, bool with_lines) {
  CodeMap map;
  Expected<std::unique_ptr<ObjectFile>> file = ObjectFile::createELFObjectFile(object);
  if (!file) {
    consumeError(file.takeError());
    return map;
  }
  const std::optional<ELFSymbolRef> entry = symbolNamed(**file, symbol);
  Expected<section_iterator> section = entry ? entry->getSection() : (*file)->section_end();
  Expected<uint64_t> offset = entry ? entry->getValue() : 0;
  if (!section || !offset || *section == (*file)->section_end()) {
    consumeError(section.takeError());
    consumeError(offset.takeError());
    return map;
  }
  map.begin = reinterpret_cast<uintptr_t>(address) - *offset;
  map.bytes = (*section)->getSize();
  if (!with_lines)
    return map;
  const std::unique_ptr<DWARFContext> dwarf = DWARFContext::create(**file);
  for (const std::unique_ptr<DWARFUnit> &unit : dwarf->compile_units()) {
    if (const LineTable *table = dwarf->getLineTableForUnit(unit.get()))
      addLines(map, *table, (*section)->getIndex());
    addFunctions(map, *unit, (*section)->getIndex());
  }
  return map;
}

} // namespace lanecl::vectorizer
