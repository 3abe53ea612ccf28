// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "codegen/statement_locations.h"

#include "codegen/lane_questions.h"

#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"

using namespace llvm;

namespace lanecl::vectorizer {

static constexpr StringLiteral kStatement = "# statement ";

std::string statementText(unsigned number) {
  return (kStatement + Twine(number) + "\n").str() + laneQuestionText();
}

namespace {

bool beginsStatement(const MachineInstr &instruction) {
  return instruction.isInlineAsm() && instruction.getDebugLoc() &&
         StringRef(instruction.getOperand(InlineAsm::MIOp_AsmString).getSymbolName()).starts_with(kStatement);
}

class StatementLocations final : public MachineFunctionPass {
public:
  static char ID;
  StatementLocations() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override { return "LaneCL statement locations"; }
  bool runOnMachineFunction(MachineFunction &function) override;

private:
  static void spread(MachineFunction &function);
  static void makeNops(MachineFunction &function);
};

char StatementLocations::ID = 0;

// Spreads the location of each statement over the instructions after it, along the dominator tree. Code before the
// first statement creates the function's frame and parameters, and jumps to where a sub-group resumes after a barrier.
// It gets no line, so that a breakpoint on the function's name stops in the first statement.
void StatementLocations::spread(MachineFunction &function) {
  DISubprogram *subprogram = function.getFunction().getSubprogram();
  const DILocation *top = DILocation::get(subprogram->getContext(), subprogram->getLine(), 0, subprogram);
  MachineDominatorTree tree(function);
  DenseMap<const MachineBasicBlock *, const DILocation *> last;
  for (const auto *node : depth_first(tree.getRootNode())) {
    const DILocation *current = node->getIDom() ? last.lookup(node->getIDom()->getBlock()) : top;
    for (MachineInstr &instruction : *node->getBlock()) {
      if (instruction.isDebugInstr())
        continue;
      if (beginsStatement(instruction)) {
        current = instruction.getDebugLoc().get();
      } else if (current == top) {
        instruction.setFlag(MachineInstr::FrameSetup);
        instruction.setDebugLoc(DebugLoc());
      } else if (!instruction.getFlag(MachineInstr::FrameSetup)) {
        instruction.setDebugLoc(DebugLoc(const_cast<DILocation *>(current->getWithoutAtom())));
      }
    }
    last[node->getBlock()] = current;
  }
}

// Inserts the nops, which become the only key instructions of their statements.
void StatementLocations::makeNops(MachineFunction &function) {
  const TargetInstrInfo *instructions = function.getSubtarget().getInstrInfo();
  for (MachineBasicBlock &block : function)
    for (MachineInstr &instruction : make_early_inc_range(block))
      if (beginsStatement(instruction)) {
        instructions->insertNoop(block, instruction.getIterator());
        std::prev(instruction.getIterator())->setDebugLoc(instruction.getDebugLoc());
        instruction.setDebugLoc(DebugLoc(const_cast<DILocation *>(instruction.getDebugLoc()->getWithoutAtom())));
      }
}

bool StatementLocations::runOnMachineFunction(MachineFunction &function) {
  const auto has_statement = [](const MachineBasicBlock &block) { return any_of(block, beginsStatement); };
  if (!function.getFunction().getSubprogram() || none_of(function, has_statement))
    return false;
  spread(function);
  makeNops(function);
  return true;
}

} // namespace

Pass *createStatementLocationsPass() {
  return new StatementLocations();
}

} // namespace lanecl::vectorizer
