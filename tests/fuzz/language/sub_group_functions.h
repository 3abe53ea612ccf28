// Sub-group functions by kind; a statement calls one (Stmt::Kind::SubGroupCall).
#pragma once

#include <string_view>

namespace lanecl::fuzz {

enum class SubGroupFunction {
#define SUB_GROUP_FUNCTION(name, kind, text) name,
#include "language/sub_group_functions.def"
};

// Operands: the value, and of a
enum class SubGroupKind {
  Reduction,
  InclusiveScan,
  ExclusiveScan,
  Vote,        // (the value is a condition)
  Broadcast,   // the lane, the same in all
  Shuffle,     // the lane
  ShuffleXor,  // the mask
  ShuffleDown, // the value that follows, the distance
  ShuffleUp    // the value that goes before, the distance
};

struct SubGroupInfo {
  std::string_view text; // in OpenCL C
  SubGroupKind kind;
};

inline constexpr SubGroupInfo kSubGroupFunctions[] = {
#define SUB_GROUP_FUNCTION(name, kind, text) {text, SubGroupKind::kind},
#include "language/sub_group_functions.def"
};
inline constexpr unsigned kSubGroupFunctionCount = sizeof kSubGroupFunctions / sizeof kSubGroupFunctions[0];

constexpr const SubGroupInfo &infoOf(SubGroupFunction function) {
  return kSubGroupFunctions[unsigned(function)];
}

} // namespace lanecl::fuzz
