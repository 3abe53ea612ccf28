// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Adds DebugFunction, DebugScope and OpLine so that the disassembly is the source:
//
//   %r = OpIAdd %uint %a %b    ->    %scope = OpExtInst %void %set DebugScope %function
//                                    OpLine %file 42 7
//                                    %r = OpIAdd %uint %a %b
#include "spirv/lower/disassembly_lines.h"

#include "spirv/lower/debug_information.h"
#include "spirv/module/types.h"

#include <utility>

namespace lanecl::frontend::spirv {
namespace {

// Numbers of instructions in OpenCL.DebugInfo.100, and values of their operands.
enum : uint32_t { CompilationUnit = 1, TypeFunction = 8, DebugFunction = 20, Scope = 23, Source = 35 };
enum : uint32_t { InfoVersion = 65536, DwarfVersion = 4, NoFlags = 0, IsDefinition = 1 << 3 };

using Code = std::vector<uint32_t>;

// Appends a literal string to the operands.
Code withText(Code operands, std::string_view text) {
  const Code words = literalWords(text);
  operands.insert(operands.end(), words.begin(), words.end());
  return operands;
}

// Whether the instruction belongs to the sections that come before OpString.
bool isBeforeStrings(spv::Op op) {
  switch (op) {
  case spv::Op::OpCapability:
  case spv::Op::OpExtension:
  case spv::Op::OpExtInstImport:
  case spv::Op::OpMemoryModel:
  case spv::Op::OpEntryPoint:
  case spv::Op::OpExecutionMode:
  case spv::Op::OpExecutionModeId: return true;
  default: return false;
  }
}

bool mayBeginBlock(spv::Op op) {
  return op == spv::Op::OpLabel || op == spv::Op::OpPhi || op == spv::Op::OpVariable;
}

bool isPlace(spv::Op op) {
  return op == spv::Op::OpLine || op == spv::Op::OpNoLine;
}

bool isMerge(spv::Op op) {
  return op == spv::Op::OpLoopMerge || op == spv::Op::OpSelectionMerge;
}

// Writes the module again with the added instructions.
class Lines {
public:
  Lines(Module &module, const Disassembly &disassembly, const std::string &file)
      : module(module), disassembly(disassembly), file(file), none(Types(module).none()) {}

  // Adds the debug information while writing the module again. Instruction i has the place i of the disassembly.
  void add() {
    findFunctions();
    const size_t last = module.instructions().size() - 1;
    for (size_t i = 0; i < module.instructions().size(); ++i) {
      const Instruction &instruction = module.instructions()[i];
      if (instruction.op == spv::Op::OpMemoryModel)
        code.push_back(encode(spv::Op::OpExtInstImport, withText({set}, kDebugInstructions)));
      if (!has_strings && !isBeforeStrings(instruction.op))
        addStrings();
      if (instruction.op == spv::Op::OpFunction)
        beginFunction(instruction);
      if (function && !isPlace(instruction.op))
        addPlace(instruction.op, disassembly.places[std::min(i + isMerge(instruction.op), last)]);
      // Drops the module's own OpLine, since the translator reads none outside a scope.
      if (!isPlace(instruction.op))
        code.push_back(encode(instruction.op, instruction.operands));
    }
    module.replace(std::move(code));
  }

private:
  struct Described {
    std::string name;
    uint32_t id = 0, name_id = 0;
    Disassembly::Place place{};
  };

  // Collects the functions that have a body.
  void findFunctions() {
    std::map<uint32_t, std::string> names;
    for (const Instruction &instruction : module.instructions())
      if (instruction.op == spv::Op::OpName)
        names.emplace(instruction[0], literalString(instruction, 1));
    for (const Instruction &instruction : module.instructions())
      if (instruction.op == spv::Op::OpEntryPoint)
        names[instruction[1]] = literalString(instruction, 2);
    uint32_t begun = 0;
    Disassembly::Place place{};
    for (size_t i = 0; i < module.instructions().size(); ++i) {
      const Instruction &instruction = module.instructions()[i];
      if (instruction.op == spv::Op::OpFunction) {
        begun = instruction[1];
        place = disassembly.places[i];
      } else if (instruction.op == spv::Op::OpLabel && !functions.contains(begun)) {
        const std::string name = names.contains(begun) ? names[begun] : "function " + std::to_string(begun);
        functions[begun] = {name, module.newId(), module.newId(), place};
      }
    }
  }

  // Writes the strings that the descriptions refer to: the file's name, an empty text and the functions' names.
  void addStrings() {
    has_strings = true;
    code.push_back(encode(spv::Op::OpString, withText({file_name}, file)));
    code.push_back(encode(spv::Op::OpString, withText({empty}, "")));
    for (const auto &[id, described] : functions)
      code.push_back(encode(spv::Op::OpString, withText({described.name_id}, described.name)));
  }

  void addDebug(uint32_t id, std::initializer_list<uint32_t> operands) {
    Code all{none, id, set};
    all.insert(all.end(), operands);
    code.push_back(encode(spv::Op::OpExtInst, all));
  }

  // Writes the descriptions of the unit and the functions, after all types and before the first function.
  void describe() {
    if (none == 0)
      code.push_back(encode(spv::Op::OpTypeVoid, {none = module.newId()}));
    const uint32_t source = module.newId(), unit = module.newId(), type = module.newId();
    addDebug(source, {Source, file_name, empty}); // the translator requires a text
    addDebug(unit, {CompilationUnit, InfoVersion, DwarfVersion, source, uint32_t(spv::SourceLanguage::OpenCL_C)});
    addDebug(type, {TypeFunction, NoFlags, none});
    for (const auto &[id, described] : functions)
      addDebug(described.id, {DebugFunction, described.name_id, type, source, described.place.line,
                              described.place.column, unit, empty, IsDefinition, described.place.line, id});
  }

  // The first function comes after all types, which is where the descriptions belong.
  void beginFunction(const Instruction &instruction) {
    if (!is_described)
      describe();
    is_described = true;
    const auto found = functions.find(instruction[1]);
    function = found == functions.end() ? nullptr : &found->second;
    is_in_block = false;
  }

  // Writes OpLine unless the instruction must not have one. A line applies to all instructions up to the next line or
  // the end of the block. No instruction may come between a merge and its branch, so the merge is given the branch's
  // line.
  void addPlace(spv::Op op, Disassembly::Place place) {
    const bool is_behind_merge = std::exchange(is_merge, isMerge(op));
    if (op == spv::Op::OpLabel)
      is_in_block = false;
    if (op == spv::Op::OpFunction || op == spv::Op::OpFunctionParameter || op == spv::Op::OpFunctionEnd ||
        mayBeginBlock(op) || is_behind_merge)
      return;
    if (!std::exchange(is_in_block, true))
      addDebug(module.newId(), {Scope, function->id});
    code.push_back(encode(spv::Op::OpLine, {file_name, place.line, place.column}));
  }

  Module &module;
  const Disassembly &disassembly;
  const std::string &file;
  uint32_t none; // the type void
  const uint32_t set = module.newId(), file_name = module.newId(), empty = module.newId();
  std::map<uint32_t, Described> functions; // by their ids
  std::vector<Code> code;
  const Described *function = nullptr; // the function that is being written; null: it has no body
  bool has_strings = false, is_described = false, is_in_block = false, is_merge = false;
};

} // namespace

void addDisassemblyLines(Module &module, const Disassembly &disassembly, const std::string &file) {
  Lines(module, disassembly, file).add();
}

} // namespace lanecl::frontend::spirv
