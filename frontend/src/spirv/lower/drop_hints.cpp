// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Removes or weakens instructions one by one. Results that are no longer defined lose their names, too.
#include "spirv/lower/drop_hints.h"

#include <bit>
#include <set>

namespace lanecl::frontend::spirv {
namespace {

using Code = std::vector<uint32_t>;

constexpr std::string_view kNonSemantic = "NonSemantic.";

// Numbers of extensions that the installed headers of SPIR-V may be too old for.
enum HintInstruction : uint32_t {
  LoopControl = 5887,
  AliasDomain = 5911,
  AliasScope = 5912,
  AliasScopeList = 5913,
  PointerToCrossWorkgroup = 5934, // casts a pointer to the storage class CrossWorkgroup; the next one casts back
  CrossWorkgroupToPointer = 5938,
};
enum HintDecoration : uint32_t {
  UserSemantic = 5635, // a string that only the program's author understands
  InAliasScope = 5914,
  NoAlias = 5915,
  MaxError = 6170,
  HostAccess = 6188,
  CacheLoad = 6442,
  CacheStore = 6443,
};
enum HintMode : uint32_t {
  MaxWorkgroupSize = 5893,
  MaxWorkDim = 5894,
  NoGlobalOffset = 5895,
  MaximumRegisters = 6461,
  MaximumRegistersId = 6462,
  NamedMaximumRegisters = 6463,
};
// Storage classes of global memory that only the device, or only the host, allocates.
constexpr uint32_t kDeviceOnly = 5936, kHostOnly = 5937;
// Memory operands that are followed by an id each. They come last.
constexpr uint32_t kAliasScopeMask = 0x10000, kNoAliasMask = 0x20000;
// A bit of the function control.
constexpr uint32_t kOptNone = 0x10000;

// Flags that allow inexact arithmetic: those of the core, and those with SPV_INTEL_fp_fast_math_mode.
constexpr uint32_t kFastMathCapability = 5837, kCoreFastMath = 0x1f, kIntelFastMath = 0x3001f;

// The loop controls of the core, some of which have a literal. Loop controls of extensions come after them, with their
// literals.
constexpr uint32_t kCoreLoopControls = 0x1ff, kLoopControlsWithLiteral = 0x1f8;

bool isHint(uint32_t decoration) {
  switch (decoration) {
  case UserSemantic:
  case InAliasScope:
  case NoAlias:
  case MaxError:
  case HostAccess:
  case CacheLoad:
  case CacheStore: return true;
  default: return false;
  }
}

bool isHintMode(uint32_t mode) {
  switch (mode) {
  case MaxWorkgroupSize:
  case MaxWorkDim:
  case NoGlobalOffset:
  case MaximumRegisters:
  case MaximumRegistersId:
  case NamedMaximumRegisters: return true;
  default: return false;
  }
}

// Notes the ids that hints define, then writes the module again without the hints.
class HintDropper {
public:
  explicit HintDropper(Module &module) : module(module) {}

  void run() {
    for (const Instruction &instruction : module.instructions())
      noteDropped(instruction);
    const std::vector<Instruction> &all = module.instructions();
    for (size_t i = 0; i < all.size(); ++i)
      if (!isDropped(all[i]) && !(all[i].op == spv::Op::OpLoopMerge &&
                                  isIdleMerge(all[i], i + 1 < all.size() ? all[i + 1].op : spv::Op::OpNop)))
        add(all[i]);
    module.replace(std::move(code));
  }

private:
  // Notes ids whose definitions are dropped, because names come before what they name.
  void noteDropped(const Instruction &instruction) {
    switch (uint32_t(instruction.op)) {
    case AliasDomain:
    case AliasScope:
    case AliasScopeList: dropped.insert(instruction[0]); break;
    case uint32_t(spv::Op::OpExtInstImport):
      if (literalString(instruction, 1).starts_with(kNonSemantic))
        dropped.insert(instruction[0]);
      break;
    case uint32_t(spv::Op::OpExtInst):
      if (dropped.contains(instruction[2]))
        dropped.insert(instruction[1]);
      break;
    default: break;
    }
  }

  // Whether the whole instruction is a hint.
  bool isDropped(const Instruction &instruction) const {
    switch (uint32_t(instruction.op)) {
    case LoopControl:
    case AliasDomain:
    case AliasScope:
    case AliasScopeList:
    case uint32_t(spv::Op::OpSelectionMerge): return true; // kernels need no structured control flow
    case uint32_t(spv::Op::OpExtInstImport):
    case uint32_t(spv::Op::OpName): return dropped.contains(instruction[0]);
    case uint32_t(spv::Op::OpExtInst): return dropped.contains(instruction[2]);
    case uint32_t(spv::Op::OpDecorate):
    case uint32_t(spv::Op::OpDecorateId):
    case uint32_t(spv::Op::OpDecorateString): return isHint(instruction[1]);
    case uint32_t(spv::Op::OpMemberDecorate):
    case uint32_t(spv::Op::OpMemberDecorateString): return isHint(instruction[2]);
    case uint32_t(spv::Op::OpExecutionMode):
    case uint32_t(spv::Op::OpExecutionModeId): return isHintMode(instruction[1]);
    default: return false;
    }
  }

  // Whether a loop merge can be dropped, because it has no controls, or must be dropped, because it stands where the
  // validator does not accept one: some compilers write such merges for kernels. Operands: %merge %continue controls.
  bool isIdleMerge(const Instruction &merge, spv::Op next) {
    const bool before_branch = next == spv::Op::OpBranch || next == spv::Op::OpBranchConditional;
    return (merge[2] & kCoreLoopControls) == 0 || !before_branch || merge[0] == merge[1] ||
           !merge_blocks.insert(merge[0]).second;
  }

  // Adds the instruction without its hints.
  void add(const Instruction &instruction) {
    has_fast_math |= instruction.op == spv::Op::OpCapability && instruction[0] == kFastMathCapability;
    Code operands(instruction.operands.begin(), instruction.operands.end());
    spv::Op op = instruction.op;
    switch (uint32_t(op)) {
    case uint32_t(spv::Op::OpLoad): operands = withoutAliasing(instruction, 3); break;
    case uint32_t(spv::Op::OpStore):
    case uint32_t(spv::Op::OpCopyMemory): operands = withoutAliasing(instruction, 2); break;
    case uint32_t(spv::Op::OpCopyMemorySized): operands = withoutAliasing(instruction, 3); break;
    case uint32_t(spv::Op::OpDecorate):
      if (spv::Decoration(instruction[1]) == spv::Decoration::FPFastMathMode)
        clear(operands, 2, ~(has_fast_math ? kIntelFastMath : kCoreFastMath));
      else if (spv::Decoration(instruction[1]) == spv::Decoration::Alignment && operands.size() > 2)
        operands[2] = powerOfTwo(operands[2]);
      break;
    case uint32_t(spv::Op::OpLoopMerge): operands = withoutLoopControls(instruction); break;
    case uint32_t(spv::Op::OpFunction): clear(operands, 2, kOptNone); break;
    case uint32_t(spv::Op::OpTypeForwardPointer):
    case uint32_t(spv::Op::OpTypePointer): useCrossWorkgroup(operands, 1); break;
    case uint32_t(spv::Op::OpVariable): useCrossWorkgroup(operands, 2); break;
    case uint32_t(spv::Op::OpGenericCastToPtrExplicit): useCrossWorkgroup(operands, 3); break;
    case PointerToCrossWorkgroup:
    case CrossWorkgroupToPointer: op = spv::Op::OpBitcast; break; // casts between types that have become equal
    default: break;
    }
    code.push_back(encode(op, operands));
  }

  static void clear(Code &operands, size_t index, uint32_t bits) {
    if (index < operands.size())
      operands[index] &= ~bits;
  }

  // Returns the alignment's lowest set bit. Some versions of Clang write an alignment of 128 as a negative number.
  static uint32_t powerOfTwo(uint32_t alignment) { return std::max(alignment & -alignment, 1u); }

  static void useCrossWorkgroup(Code &operands, size_t index) {
    if (index < operands.size() && (operands[index] == kDeviceOnly || operands[index] == kHostOnly))
      operands[index] = uint32_t(spv::StorageClass::CrossWorkgroup);
  }

  // Returns the operands without promises about aliasing. One or two sets of memory operands start at `first`. A
  // promise that accesses do not alias holds for one work-item; in code for many work-items each would need promises of
  // its own.
  static Code withoutAliasing(const Instruction &instruction, size_t first) {
    constexpr uint32_t kWithOperand = 0x1a; // Aligned, MakePointerAvailable, MakePointerVisible
    Code operands(instruction.upTo(first).begin(), instruction.upTo(first).end());
    for (size_t at = first; at < instruction.operands.size();) {
      const uint32_t mask = instruction[at], aliasing = mask & (kAliasScopeMask | kNoAliasMask);
      operands.push_back(mask ^ aliasing);
      const size_t kept = size_t(std::popcount(mask & kWithOperand));
      const auto arguments = instruction.from(at + 1);
      operands.insert(operands.end(), arguments.begin(),
                      arguments.begin() + ptrdiff_t(std::min(kept, arguments.size())));
      at += 1 + kept + size_t(std::popcount(aliasing));
    }
    if (operands.size() == first + 1 && operands.back() == 0)
      operands.pop_back();
    return operands;
  }

  // Operands: %merge %continue controls literals
  static Code withoutLoopControls(const Instruction &instruction) {
    const uint32_t controls = instruction[2] & kCoreLoopControls;
    const auto kept = instruction.upTo(3 + size_t(std::popcount(controls & kLoopControlsWithLiteral)));
    Code operands(kept.begin(), kept.end());
    clear(operands, 2, ~kCoreLoopControls);
    return operands;
  }

  Module &module;
  std::set<uint32_t> dropped; // ids that are no longer defined
  // Blocks that are the merge block of a loop. A block may be that of one loop only.
  std::set<uint32_t> merge_blocks;
  bool has_fast_math = false; // the module declares SPV_INTEL_fp_fast_math_mode
  std::vector<Code> code;
};

} // namespace

void dropHints(Module &module) {
  HintDropper(module).run();
}

} // namespace lanecl::frontend::spirv
