// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls of sub-group and work-group functions.
#include "print/printer.h"

namespace lanecl::fuzz {

namespace {

// Reveals whether a lane calls the function, too.
constexpr const char *kCalls = "uint calls(uint lane) { uint callers = sub_group_ballot(1).x; "
                               "return lane < 32u ? callers >> lane & 1u : 0u; }\n";

// Sets the lowest bit of a ballot that has no bit set.
constexpr const char *kSomeBit =
    "uint4 some_bit(uint4 v) { return v.x & 0xffffffffu >> (32u - get_max_sub_group_size()) "
    "? v : (uint4)1u; }\n";

// The number of the sub-group's first lane among all lanes of the NDRange, including unused ones. Each lane has `count`
// uints of scratch memory.
constexpr const char *kFirstLane =
    "uint first_lane(void) { return (uint)(((get_group_id(2) * get_num_groups(1) + get_group_id(1)) * "
    "get_num_groups(0) + get_group_id(0)) * get_enqueued_num_sub_groups() + get_sub_group_id()) * "
    "get_max_sub_group_size(); }\n";

// Reveals whether both sub-groups of a pair have all their work-items.
constexpr const char *kPairIsWhole =
    "bool pair_is_whole(void) { return ((get_sub_group_id() >> 1) + 1u) * 2u * get_max_sub_group_size() <= "
    "get_local_size(0) * get_local_size(1) * get_local_size(2); }\n";

// Returns the lane whose value a work-item gets, in terms of the last operand, or 32 if there is none.
std::string sourceLane(const Stmt &s) {
  const std::string lane = "get_sub_group_local_id()", width = "get_max_sub_group_size()";
  const std::string size = std::to_string(s.number);
  const auto wrapped = [&](const std::string &index) {
    return "(" + index + " < 2u * " + width + " ? (" + index + ") & (" + width + " - 1u) : 32u)";
  };
  switch (infoOf(s.sub_group).kind) {
  case SubGroupKind::ShuffleXor: return lane + " ^ at";
  case SubGroupKind::ShuffleUp: return lane + " - at";
  case SubGroupKind::ShuffleDown: return lane + " + at";
  case SubGroupKind::PairUp: return wrapped(width + " + " + lane + " - at");
  case SubGroupKind::PairDown: return wrapped(lane + " + at");
  case SubGroupKind::Rotate: return "(" + lane + " + (uint)at) & (" + width + " - 1u)";
  case SubGroupKind::ClusteredRotate:
    return "(" + lane + " & ~(" + size + "u - 1u)) | ((" + lane + " + (uint)at) & (" + size + "u - 1u))";
  default: return "at";
  }
}

} // namespace

std::string blockSuffix(Type type, bool is_short) {
  const char *component = type.base == Base::UChar    ? "uc"
                          : type.base == Base::UShort ? "us"
                          : type.base == Base::UInt   ? "ui"
                                                      : "ul";
  const std::string name = is_short && type.base == Base::UInt ? "" : std::string("_") + component;
  return name + (type.lanes == 1 ? "" : std::to_string(type.lanes));
}

std::string firstLaneHelper() {
  return kFirstLane;
}

// Converts a result to what the target holds: the bits of a floating-point value become an unsigned integer, numbers
// are converted by value.
std::string Printer::kept(const Stmt &s, const std::string &result) {
  const Type to = function->variables[s.target.variable].type, from = resultType(s.sub_group, s.type);
  if (givesCondition(s.sub_group))
    return "(" + nameOf(to) + ")(" + result + " != 0)";
  if (to == from)
    return result;
  if (!isInteger(from.base))
    return "as_" + nameOf(to) + "(" + result + ")";
  return "(" + nameOf(to) + ")" + result;
}

// Prints a call of a sub-group or work-group function.
void Printer::subGroupCall(const Stmt &s) {
  const SubGroupKind kind = infoOf(s.sub_group).kind;
  if (kind == SubGroupKind::BlockLoad)
    return blockLoad(s);
  if (isOfBlocks2d(kind))
    return block2d(s);
  if (isOfImage(kind))
    return imageBlock(s);
  if (kind == SubGroupKind::BlockPrefetch) {
    line() << infoOf(s.sub_group).text << blockSuffix(s.type) << "(" << elementOfInput(s, expr(s.values[0])) << ");\n";
    return;
  }
  if (kind == SubGroupKind::Barrier)
    return barrier(s);
  if (usesMemory(kind))
    return throughMemory(s);
  if (isOfMatrices(kind))
    return matrix(s);
  if (s.guarded)
    return guardedCall(s);
  std::string operands = list(s.values);
  if (kind == SubGroupKind::ClusteredReduction || kind == SubGroupKind::ClusteredRotate)
    operands += ", " + std::to_string(s.number) + "u";
  line() << target(s.target) << " = " << kept(s, std::string(infoOf(s.sub_group).text) + "(" + operands + ")") << ";\n";
}

// Every work-item calls the function. Where its result is undefined, another value is used.
void Printer::guardedCall(const Stmt &s) {
  const std::string name(infoOf(s.sub_group).text);
  if (infoOf(s.sub_group).kind == SubGroupKind::BallotFind) {
    helpers.insert(kSomeBit);
    line() << target(s.target) << " = " << kept(s, name + "(some_bit(" + expr(s.values[0]) + "))") << ";\n";
    return;
  }
  helpers.insert(kCalls);
  const std::string type = nameOf(s.type);
  const bool is_rotation = infoOf(s.sub_group).kind >= SubGroupKind::Rotate;
  const bool clustered = infoOf(s.sub_group).kind == SubGroupKind::ClusteredRotate;
  std::vector<ExprPtr> values = s.values;
  values.pop_back();
  line() << "{\n";
  ++indent;
  // If the compiler knows the distance, it must still know it here.
  line() << (is_rotation ? "const int at = " : "const uint at = ") << expr(s.values.back()) << ";\n";
  line() << "const " << type << " got = " << name << "(" << list(values) << ", at"
         << (clustered ? ", " + std::to_string(s.number) + "u" : "") << ");\n";
  line() << target(s.target) << " = " << kept(s, "(calls(" + sourceLane(s) + ") ? got : (" + type + ")0)") << ";\n";
  --indent;
  line() << "}\n";
}

// Prints a sub-group barrier with the fences and the scope that its number names.
void Printer::barrier(const Stmt &s) {
  constexpr const char *kScopes[BarrierNumber::kScopes] = {"", ", memory_scope_sub_group", ", memory_scope_work_group",
                                                           ", memory_scope_device"};
  std::string flags;
  for (const auto &[bit, name] : {std::pair(BarrierNumber::kLocal, "CLK_LOCAL_MEM_FENCE"),
                                  {BarrierNumber::kGlobal, "CLK_GLOBAL_MEM_FENCE"},
                                  {BarrierNumber::kImage, "CLK_IMAGE_MEM_FENCE"}})
    if (s.number & bit)
      flags += (flags.empty() ? "" : " | ") + std::string(name);
  line() << infoOf(s.sub_group).text << "(" << (flags.empty() ? "0" : flags)
         << kScopes[BarrierNumber::scopeOf(s.number)] << ");\n";
}

// Returns a pointer to input memory, as the type that the function loads.
std::string Printer::elementOfInput(const Stmt &s, const std::string &index) {
  const std::string type = nameOf({s.type.base, 1});
  return "(global const " + type + " *)(" + kernel.memories[s.memory].name + " + " + index + ")";
}

// Prints a call. The sum is the last operand. If sub-groups work in pairs, not all of them may call.
void Printer::matrix(const Stmt &s) {
  const std::string call = std::string(infoOf(s.sub_group).text) + "(" + expr(s.values[1]) + ", " + expr(s.values[2]) +
                           ", " + expr(s.values[0]) + ")";
  if (infoOf(s.sub_group).kind == SubGroupKind::Matrix || s.number < 0) {
    line() << target(s.target) << " = " << kept(s, call) << ";\n";
    return;
  }
  helpers.insert(kPairIsWhole);
  line() << "{\n";
  ++indent;
  line() << nameOf(s.type) << " got = 0;\n";
  line() << "if (pair_is_whole() && " << s.number << "u >> (get_sub_group_id() >> 1) % " << kSplitPairs << "u & 1u)\n";
  line() << "  got = " << call << ";\n";
  line() << target(s.target) << " = " << kept(s, "got") << ";\n";
  --indent;
  line() << "}\n";
}

// Prints a block read from input memory, sometimes after a prefetch of the same block.
void Printer::blockLoad(const Stmt &s) {
  const std::string pointer = elementOfInput(s, "at");
  line() << "{\n";
  ++indent;
  line() << "const uint at = " << expr(s.values[0]) << ";\n";
  if (s.number & 1)
    line() << "intel_sub_group_block_prefetch" << blockSuffix(s.type) << "(" << pointer << ");\n";
  line() << target(s.target) << " = "
         << kept(s, std::string(infoOf(s.sub_group).text) + blockSuffix(s.type, s.number & BlockNumber::kPlain) + "(" +
                        pointer + ")")
         << ";\n";
  --indent;
  line() << "}\n";
}

// The work-items store and load elements at a place that depends on their lane, or all of them read or write a block.
void Printer::throughMemory(const Stmt &s) {
  const MemoryObject &object = kernel.memories[s.memory];
  const SubGroupKind kind = infoOf(s.sub_group).kind;
  const bool is_local = object.isInLocalMemory();
  const std::string element = nameOf(kind == SubGroupKind::Exchange ? s.type : Type{s.type.base, 1});
  const std::string fence =
      is_local ? "sub_group_barrier(CLK_LOCAL_MEM_FENCE);\n" : "sub_group_barrier(CLK_GLOBAL_MEM_FENCE);\n";
  const std::string first = is_local ? "get_sub_group_id() * get_max_sub_group_size()" : "first_lane()";
  if (!is_local)
    helpers.insert(kFirstLane);
  line() << "{\n";
  ++indent;
  line() << (is_local ? "local " : "global ") << element << " *cells = (" << (is_local ? "local " : "global ")
         << element << " *)(" << object.name << " + " << first << " * " << object.count << ");\n";
  line() << "const " << nameOf(s.type) << " value = " << expr(s.values[0]) << ";\n";
  const std::string before = fill(s);
  line() << before << ";\n" << std::string(size_t(indent) * 2, ' ') << fence;
  line() << target(s.target) << " = " << kept(s, fetched(s)) << ";\n";
  line() << fence;
  --indent;
  line() << "}\n";
}

// Returns what the work-items do to memory before they wait for each other.
std::string Printer::fill(const Stmt &s) {
  const SubGroupKind kind = infoOf(s.sub_group).kind;
  if (kind == SubGroupKind::Exchange)
    return "cells[get_sub_group_local_id()] = value";
  if (kind == SubGroupKind::BlockWrite)
    return std::string(infoOf(s.sub_group).text) + blockSuffix(s.type, s.number & BlockNumber::kPlain) +
           "(cells, value)";
  std::string text = "uint at = (get_sub_group_local_id() + " + std::to_string(BlockNumber::valueOf(s.number)) +
                     "u) % get_sub_group_size()";
  for (unsigned k = 0; k < s.type.lanes; ++k)
    text += "; cells[" + std::to_string(k) + "u * get_max_sub_group_size() + at] = value" +
            (s.type.lanes == 1 ? std::string() : std::string(".s") + "0123456789abcdef"[k]);
  return text;
}

// Returns what a work-item reads after all have stored.
std::string Printer::fetched(const Stmt &s) {
  const SubGroupKind kind = infoOf(s.sub_group).kind;
  if (kind == SubGroupKind::Exchange)
    return "cells[" + expr(s.values[1]) + "]";
  if (kind == SubGroupKind::BlockWrite)
    return "cells[" + std::to_string(BlockNumber::valueOf(s.number)) + "u * get_max_sub_group_size() + " +
           expr(s.values[1]) + "]";
  return std::string(infoOf(s.sub_group).text) + blockSuffix(s.type, s.number & BlockNumber::kPlain) + "(cells)";
}

} // namespace lanecl::fuzz
