// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The table of the rules that check mode knows. The device reports violations of them, and the tools show the reports
// and parse the options that name rules or groups of rules. docs/checking.md lists the rules for users.
#pragma once

#include <string>
#include <string_view>

namespace lanecl::icd {

// Which memory accesses a group of checks covers. The vectorizer calls the same thing Reach.
enum class CheckReach {
  Nothing,
  OwnMemory, // accesses of local and private memory only
  Everything
};

// A group of checks that the user may choose, and its reach under `--checks all`, which is the default. Expensive
// groups are reduced or left out there.
struct CheckGroup {
  std::string_view name;
  CheckReach by_default;
};

inline constexpr CheckGroup kCheckGroups[] = {
    {"memory", CheckReach::Everything},        {"sub-groups", CheckReach::Everything},
    {"work-groups", CheckReach::Everything},   {"races", CheckReach::OwnMemory},
    {"initialization", CheckReach::OwnMemory}, {"arithmetic", CheckReach::Nothing},
    {"widths", CheckReach::Nothing},           {"commands", CheckReach::Nothing},
    {"failures", CheckReach::Nothing},         {"api", CheckReach::Everything},
};

// Returns null for a name that is not a group's.
constexpr const CheckGroup *findCheckGroup(std::string_view name) {
  for (const CheckGroup &group : kCheckGroups)
    if (group.name == name)
      return &group;
  return nullptr;
}

// Whether a list of legal values consists of these words and all groups, in order: "all|full|memory|sub-groups|…".
constexpr bool listsCheckGroups(std::string_view legal, std::string_view words) {
  const auto skip = [&](std::string_view word) {
    const bool is_next = legal.starts_with(word);
    legal.remove_prefix(is_next ? word.size() : 0);
    return is_next;
  };
  bool all = skip(words);
  for (const CheckGroup &group : kCheckGroups)
    all = all && skip("|") && skip(group.name);
  return all && legal.empty();
}

// Returns the reach of `group` in the list that the user gives, which has names of groups, `all` and `full`, separated
// by commas: "all,races" checks races of all memory, "all" only those of local and private memory.
constexpr CheckReach reachOf(std::string_view groups, std::string_view group) {
  CheckReach reach = CheckReach::Nothing;
  while (true) {
    const size_t end = groups.find(',');
    const std::string_view word = groups.substr(0, end);
    if (word == group || word == "full")
      return CheckReach::Everything;
    if (const CheckGroup *known = findCheckGroup(group); known && word == "all")
      reach = known->by_default;
    if (end == std::string_view::npos)
      return reach;
    groups.remove_prefix(end + 1);
  }
}

constexpr bool isChosenGroup(std::string_view groups, std::string_view group) {
  return reachOf(groups, group) != CheckReach::Nothing;
}

// How a finding is reported. Ignored findings are only counted, in the summary of `lanecl check`.
enum class Severity { Error, Warning, Ignored };

struct CheckRuleText {
  std::string_view id, group; // "out-of-bounds", "memory"
  bool error;                 // false: a warning, for an undefined value or a mistake without consequences here
  std::string_view demand;    // the rule in words
  std::string_view help;      // what a GPU does when the rule is broken, and how to repair the program
};

// The exit status of `lanecl check` if an error was found, unless the user asks for another one, and of a process that
// LANECL_CHECK_STOP=exit ends at an error.
inline constexpr int kCheckErrorStatus = 86;

inline constexpr std::string_view kNoRace =
    "If a work-item writes to memory, other work-items of its work-group may access the same bytes only atomically or "
    "across a barrier whose flags name that memory. Those of other work-groups may access them only atomically, or "
    "ordered by fences or atomic operations.";

inline constexpr CheckRuleText kCheckRules[] = {
    {"out-of-bounds", "memory", true,
     "An access must stay within the memory object or allocation that its pointer belongs to.",
     "A GPU reads whatever lies there, drops the write, or resets. Compare the index with the number of elements "
     "first, or make the buffer large enough for all work-items of the last work-group."},
    {"misaligned-access", "memory", true, "A pointer must be a multiple of the size of the type that it points to.",
     "A GPU accesses the aligned address below it, or resets. Use vload and vstore, which need only the alignment of "
     "one element, or access the elements one by one."},
    {"read-only-memory", "memory", true, "A kernel must not write to memory that was created with CL_MEM_READ_ONLY.",
     "A device may lose such writes, or read stale values from a cache. Create the memory with CL_MEM_READ_WRITE."},
    {"write-only-memory", "memory", false, "A kernel should not read memory that was created with CL_MEM_WRITE_ONLY.",
     "The value is undefined, although most devices read what is there. Create the memory with CL_MEM_READ_WRITE."},
    {"image-write-outside", "memory", true, "A write must stay within the image.",
     "A GPU drops the write, or changes another row or image. Compare the coordinates with get_image_width, "
     "get_image_height and so on first."},
    {"image-read-outside", "memory", false, "A read without an addressing mode should stay within the image.",
     "The value is undefined: a GPU returns the border color, the nearest element or one of another row. Use a sampler "
     "with an addressing mode, or compare the coordinates with get_image_width and so on first."},
    {"whole-sub-group", "sub-groups", true, "This function must be encountered by all work-items of the sub-group.",
     "Work-items that do not call it contribute no defined value, and a barrier may hang. Move the call out of the "
     "divergent branch, or use a function that allows divergence, such as sub_group_non_uniform_reduce_add."},
    {"full-sub-group", "sub-groups", true,
     "A block function is undefined in a sub-group that has fewer work-items than the sub-group size.",
     "The last sub-group of a work-group is partial if the local size is not a multiple of the sub-group size. Choose "
     "a local size that is one, or access the elements one by one in a partial sub-group."},
    {"uniform-argument", "sub-groups", true, "This argument must be the same for all work-items of the sub-group.",
     "A GPU uses one lane's value for all. Compute the argument from values that the whole sub-group shares, or "
     "broadcast it with sub_group_broadcast."},
    {"block-alignment", "sub-groups", true,
     "The pointer of a block read must be aligned to 4 bytes, that of a block write or of local memory to 16 bytes.",
     "A GPU ignores the low bits of the address. Align rows and offsets, or access the elements one by one."},
    {"lane-out-of-range", "sub-groups", false, "The value of a lane that does not exist is undefined.",
     "A GPU returns zero, another lane's value, or whatever a register held. The program is wrong if it uses the "
     "value: choose a lane below get_max_sub_group_size()."},
    {"lane-not-active", "sub-groups", false, "The value of a work-item that does not call the function is undefined.",
     "A GPU returns whatever the lane's register held last. The program is wrong if it uses the value: call the "
     "function before the divergent branch."},
    {"cluster-size", "sub-groups", true,
     "A cluster size must be an integer constant expression, a power of two, and at most the sub-group size.",
     "A GPU's compiler needs the number to choose instructions; it uses another one or rejects the kernel. Write it as "
     "a constant, and require a sub-group size that is at least as large."},
    {"image-block", "sub-groups", true,
     "A block function needs an image with elements of at most 4 bytes; if the image was created from a buffer, its "
     "rows must be a multiple of 64 bytes apart and start at a multiple of 32. A block write must begin at a multiple "
     "of 4 bytes.",
     "A GPU's block messages do not support other images, and they ignore the low bits of addresses. Choose another "
     "format or pitch, or access the image element by element."},
    {"block-surface", "sub-groups", true,
     "A surface must start at a multiple of 64 bytes, be 64 to 2^24 bytes wide (a multiple of 4 and of the element "
     "size) and 1 to 2^24 rows high, and have a pitch that is a multiple of 16 bytes and at least the width. Blocks of "
     "8-bit and 16-bit elements must begin at a multiple of 4 bytes.",
     "A GPU ignores the low bits, or accesses nothing. Start the surface at the aligned address below and add the "
     "difference to the coordinate, and pad the rows."},
    {"whole-work-group", "work-groups", true,
     "This function must be encountered by all work-items of the work-group, or by none.",
     "When work-items wait at different barriers, or some at none, a GPU hangs or continues too early. Move the call "
     "out of the divergent branch or loop, and let work-items return only after the last barrier."},
    {"group-argument", "work-groups", true, "This argument must be the same for all work-items of the work-group.",
     "A GPU uses the value of one work-item or sub-group for all, or each copies something else. Compute the argument "
     "from values that the whole work-group shares."},
    {"data-race", "races", true, kNoRace,
     "On a GPU the order of the accesses varies from run to run, and lanes need not run in lockstep. Put a barrier for "
     "this kind of memory between the accesses, or use atomic operations."},
    {"data-race-of-equal-values", "races", false, kNoRace,
     "Whichever write comes last, the value is the same, but the compiler may assume that there is no race, and values "
     "of vectors and structures were not compared. Let one work-item write."},
    {"uninitialized-read", "initialization", true,
     "A value that decides a branch or an address, or that is passed to an atomic, sub-group or work-group function, "
     "must be initialized.",
     "Local and private memory hold what the last kernel left there, and a new buffer holds anything. Initialize the "
     "memory in every work-item that should, with a barrier before others read it."},
    {"uninitialized-result", "initialization", false,
     "What the host reads should be initialized, and computed from initialized values.",
     "The host gets what was in the memory before, or what a kernel computed from it. Write all elements, or read only "
     "those that were written."},
    {"division-by-zero", "arithmetic", true, "The divisor of an integer division or remainder must not be 0.",
     "A GPU returns some number, often with all bits set, and compilers assume that this does not happen. Test the "
     "divisor first."},
    {"division-overflow", "arithmetic", true, "The smallest integer of a type must not be divided by -1.",
     "The quotient is greater than the largest integer of the type. A GPU returns some number, and compilers assume "
     "that this does not happen: divide in a wider type."},
    {"shift-beyond-width", "arithmetic", false,
     "A shift amount should be less than the number of bits of the first operand.",
     "OpenCL C takes the amount modulo the number of bits, so a shift by 32 changes nothing; C, CUDA and other "
     "languages leave it undefined. Test the amount, or write the modulo operation."},
    {"conversion-out-of-range", "arithmetic", false,
     "A number must be in the range of the integer type that it is converted to.",
     "The result depends on the device: the nearest integer, the low bits or 0. Use convert_…_sat, which is defined "
     "for all numbers and returns 0 for NaN."},
    {"nan-result", "arithmetic", false, "An operation on numbers should not result in NaN.",
     "NaN spreads to everything that is computed from it. Look at the operands: the difference of infinities, 0 / 0, "
     "the root or logarithm of a negative number."},
    {"width-dependent", "widths", false,
     "A kernel that requires no sub-group size should compute the same results with every size that the device "
     "supports.",
     "Another device or another local size gives the kernel another sub-group size. Require one with "
     "intel_reqd_sub_group_size, or compute with get_sub_group_size(); a missing barrier has the same symptom."},
    {"unordered-commands", "commands", true,
     "If two commands use the same memory and one of them writes to it, they must be ordered by a queue, an event or a "
     "barrier, or by waiting for one before enqueuing the other.",
     "On another device, or when the first takes longer, they run at the same time or in the other order. Pass the "
     "first command's event to the second, or give each its own sub-buffer."},
    {"unordered-pointers", "commands", false,
     "If two commands receive pointers into the same SVM or USM allocation and one of them writes there, they should "
     "be ordered, or use different parts.",
     "How far a kernel reaches from a pointer is not known. If both use the same bytes, another device gives another "
     "result: pass the first command's event to the second; if not, pass pointers to different parts."},
    {"used-while-mapped", "commands", true,
     "Memory that is mapped for writing must be unmapped before a command uses it, and memory that is mapped for "
     "reading before a command writes to it.",
     "A GPU with its own memory overwrites what the command wrote, or does not see what the host wrote. Enqueue "
     "clEnqueueUnmapMemObject first, in the same queue or with its event in the command's wait list."},
    {"freed-while-used", "commands", true, "Memory must not be freed while a command may use it.",
     "The command then accesses whatever is allocated there next. Wait for it first, or use clEnqueueSVMFree or "
     "clMemBlockingFreeINTEL."},
    {"unmapped-too-often", "commands", true, "Only memory that is mapped may be unmapped.",
     "Here the call returns an error. Another device copies the data at the pointer into the memory object once more."},
    {"released-too-often", "api", true, "An object must not be released more often than it was created and retained.",
     "Here the call returns an error. Other devices and the OpenCL loader access freed memory: the program crashes, or "
     "releases another object that was created at the same address."},
    {"leaked-object", "api", false, "Objects should be released when they are no longer needed.",
     "A context, queue or buffer that still exists when the program ends was forgotten. In a long-running program or "
     "in a library, such objects use up the device's memory."},
    {"failed-call", "failures", false, "A program should handle the failure of a call.",
     "A query that fails writes nothing, so the program goes on with the variable's old value; another device may fail "
     "where this one succeeds. Test the error code, and ask only for what the device's version and extensions "
     "provide."},
    {"build-warning", "api", false, "The program should build without warnings.",
     "The compiler suspects a mistake, or another device's compiler may report an error here. The build log has the "
     "full text: CL_PROGRAM_BUILD_LOG of clGetProgramBuildInfo."},
};

constexpr bool haveKnownGroups() {
  for (const CheckRuleText &rule : kCheckRules)
    if (!findCheckGroup(rule.group))
      return false;
  return true;
}
static_assert(haveKnownGroups(), "each rule of the table is in a group of kCheckGroups");

// The first of the comma-separated words that `isKnown` does not accept; empty: it accepts all of them.
template <class IsKnown> constexpr std::string_view firstUnknown(std::string_view words, IsKnown isKnown) {
  while (true) {
    const size_t end = words.find(',');
    const std::string_view word = words.substr(0, end);
    if (!isKnown(word))
      return word.empty() ? "(nothing)" : word;
    if (end == std::string_view::npos)
      return {};
    words.remove_prefix(end + 1);
  }
}

constexpr std::string_view unknownGroup(std::string_view groups) {
  return firstUnknown(
      groups, [](std::string_view word) { return word == "all" || word == "full" || findCheckGroup(word) != nullptr; });
}

constexpr const CheckRuleText *findCheckRule(std::string_view id) {
  for (const CheckRuleText &rule : kCheckRules)
    if (rule.id == id)
      return &rule;
  return nullptr;
}

// Their names, for messages.
inline std::string knownRules() {
  std::string names;
  for (const CheckRuleText &rule : kCheckRules)
    names += (names.empty() ? "" : ", ") + std::string(rule.id);
  return names;
}

// The user's choice of severities. Each member is a comma-separated list of rule names, which overrides
// CheckRuleText::error.
struct ChosenSeverities {
  std::string errors, warnings, ignored;
};

constexpr std::string_view unknownRule(std::string_view rules) {
  return firstUnknown(rules, findCheckRule);
}

// Returns the severity of a rule. If several lists name it, ignoring wins over an error, and an error over a warning.
inline Severity severityOf(const CheckRuleText &rule, const ChosenSeverities &chosen) {
  const auto isIn = [&](const std::string &rules) {
    return ("," + rules + ",").find("," + std::string(rule.id) + ",") != std::string::npos;
  };
  if (isIn(chosen.ignored))
    return Severity::Ignored;
  if (isIn(chosen.errors))
    return Severity::Error;
  if (isIn(chosen.warnings))
    return Severity::Warning;
  return rule.error ? Severity::Error : Severity::Warning;
}

} // namespace lanecl::icd
