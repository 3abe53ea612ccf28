// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reads, drops and adapts the instructions of OpenCL.DebugInfo.100.
#include "spirv/lower/debug_information.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

#include <set>

namespace lanecl::frontend::spirv {
namespace {

// Numbers in that set of instructions that no other instruction refers to.
enum : uint32_t { NoScope = 24, InlinedVariable = 27, MacroDef = 32, MacroUndef = 33, ImportedEntity = 34 };

// Whether an instruction of this number is dropped.
bool isUnread(uint32_t number) {
  return number == NoScope || number == InlinedVariable || number == MacroDef || number == MacroUndef ||
         number == ImportedEntity;
}

} // namespace

bool hasDebugInformation(const Module &module) {
  return std::ranges::any_of(module.instructions(), [](const Instruction &instruction) {
    return instruction.op == spv::Op::OpExtInstImport && literalString(instruction, 1) == kDebugInstructions;
  });
}

void dropUnreadDebugInformation(Module &module) {
  uint32_t imported = 0; // 0 is not an id
  std::set<uint32_t> dropped;
  std::vector<std::vector<uint32_t>> kept;
  for (const Instruction &instruction : module.instructions()) {
    if (instruction.op == spv::Op::OpExtInstImport && literalString(instruction, 1) == kDebugInstructions)
      imported = instruction[0];
    if (instruction.op == spv::Op::OpExtInst && imported != 0 && instruction[2] == imported && isUnread(instruction[3]))
      dropped.insert(instruction[1]);
    else
      kept.push_back(encode(instruction.op, instruction.operands));
  }
  if (dropped.empty())
    return;
  // Names come before what they name, so they are dropped last.
  std::erase_if(kept, [&](const std::vector<uint32_t> &words) {
    return spv::Op(words[0] & 0xffff) == spv::Op::OpName && dropped.contains(words[1]);
  });
  module.replace(std::move(kept));
}

// Removes the instruction set's import, its instructions, and their names.
bool removeDebugInformation(Module &module) {
  uint32_t imported = 0; // 0 is not an id
  std::set<uint32_t> removed;
  for (const Instruction &instruction : module.instructions())
    if (instruction.op == spv::Op::OpExtInstImport && literalString(instruction, 1) == kDebugInstructions)
      removed.insert(imported = instruction[0]);
    else if (instruction.op == spv::Op::OpExtInst && imported != 0 && instruction[2] == imported)
      removed.insert(instruction[1]);
  if (removed.empty())
    return false;
  std::vector<std::vector<uint32_t>> kept;
  for (const Instruction &instruction : module.instructions()) {
    const bool is_debug = (instruction.op == spv::Op::OpExtInst && removed.contains(instruction[1])) ||
                          ((instruction.op == spv::Op::OpExtInstImport || instruction.op == spv::Op::OpName) &&
                           removed.contains(instruction[0]));
    if (!is_debug)
      kept.push_back(encode(instruction.op, instruction.operands));
  }
  module.replace(std::move(kept));
  return true;
}

// A subprogram's flag cannot be changed, so each one is replaced by a copy with the flag, everywhere in the module.
void useKeyInstructions(llvm::Module &module) {
  llvm::DebugInfoFinder finder;
  finder.processModule(module);
  llvm::ValueToValueMapTy map;
  for (llvm::DISubprogram *old : finder.subprograms())
    if (old->isDefinition())
      map.MD()[old].reset(llvm::DISubprogram::getDistinct(
          module.getContext(), old->getScope(), old->getName(), old->getLinkageName(), old->getFile(), old->getLine(),
          old->getType(), old->getScopeLine(), old->getContainingType(), old->getVirtualIndex(),
          old->getThisAdjustment(), old->getFlags(), old->getSPFlags(), old->getUnit(), old->getTemplateParams(),
          old->getDeclaration(), /*RetainedNodes: of the old one=*/nullptr, old->getThrownTypes(),
          old->getAnnotations(), old->getTargetFuncName(), /*UsesKeyInstructions=*/true));
  llvm::ValueMapper mapper(map, llvm::RF_ReuseAndMutateDistinctMDs | llvm::RF_IgnoreMissingLocals);
  for (llvm::Function &function : module)
    mapper.remapFunction(function);
  // Variables in local memory belong to a function, and their unit lists them, too.
  for (llvm::GlobalVariable &variable : module.globals())
    mapper.remapGlobalObjectMetadata(variable);
  for (llvm::DICompileUnit *unit : finder.compile_units())
    mapper.mapMDNode(*unit);
}

} // namespace lanecl::frontend::spirv
