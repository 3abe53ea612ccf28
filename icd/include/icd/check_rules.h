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
    {"initialisation", CheckReach::OwnMemory}, {"arithmetic", CheckReach::Nothing},
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
    "Where a work-item writes, others of its work-group may access the same bytes only with a barrier between, whose "
    "flags name the memory, or atomically; those of other work-groups only atomically, or behind fences or atomic "
    "operations that order them.";

inline constexpr CheckRuleText kCheckRules[] = {
    {"out-of-bounds", "memory", true,
     "An access must be within the memory object or allocation that its pointer belongs to.",
     "A GPU reads whatever lies there or drops the write, or resets itself. Guard the access by the number of "
     "elements, or make the buffer as large as what the work-items of the last work-group access."},
    {"misaligned-access", "memory", true, "A pointer must be a multiple of the size of what it points to.",
     "A GPU accesses the aligned address below it, or resets itself. Use vload and vstore, which ask for the alignment "
     "of an element only, or move elements one by one."},
    {"read-only-memory", "memory", true, "A kernel must not write memory that was made with CL_MEM_READ_ONLY.",
     "A device may keep such memory where writes are lost, or keep old values in caches. Make it with "
     "CL_MEM_READ_WRITE."},
    {"write-only-memory", "memory", false, "A kernel should not read memory that was made with CL_MEM_WRITE_ONLY.",
     "The value is undefined; most devices read what is there. Make it with CL_MEM_READ_WRITE."},
    {"image-write-outside", "memory", true, "A write must be within the image.",
     "A GPU drops it, or writes into another row or image. Guard the write by get_image_width and its like."},
    {"image-read-outside", "memory", false, "A read without an addressing mode should be within the image.",
     "The value is undefined: a GPU gives the border's colour, an element of the edge or of another row. Read with a "
     "sampler whose addressing mode says what is there, or guard the read by get_image_width and its like."},
    {"whole-sub-group", "sub-groups", true, "This function must be encountered by all work-items of the sub-group.",
     "Work-items that are not there have no defined value to contribute, and a barrier may hang. Move the call out"
     " of the divergent branch, or use the function that allows one, as sub_group_non_uniform_reduce_add."},
    {"full-sub-group", "sub-groups", true,
     "A block function is undefined where the sub-group has fewer work-items than its size.",
     "The last sub-group of a work-group is partial where the local size is no multiple of the sub-group size. "
     "Choose a local size that is one, or access such a sub-group element by element."},
    {"uniform-argument", "sub-groups", true, "This argument must be the same for all work-items of the sub-group.",
     "A GPU takes the value of one lane for all. Compute the argument from what the sub-group shares, or broadcast"
     " it with sub_group_broadcast."},
    {"block-alignment", "sub-groups", true,
     "The pointer of a block read must be aligned to 4 bytes, that of a block write or of local memory to 16.",
     "A GPU ignores the lower bits of the address. Align rows and offsets, or access element by element."},
    {"lane-out-of-range", "sub-groups", false, "The value of a lane that does not exist is undefined.",
     "A GPU returns zero, the value of another lane, or what a register held. It is an error in the program where "
     "the value is used: take a lane below get_max_sub_group_size()."},
    {"lane-not-active", "sub-groups", false, "The value of a work-item that does not call the function is undefined.",
     "A GPU returns what the lane's register held last. It is an error in the program where the value is used: "
     "call the function before the divergent branch."},
    {"cluster-size", "sub-groups", true,
     "The size of a cluster must be an integer constant expression, a power of two, and at most the sub-group's size.",
     "A GPU's compiler needs the number to choose instructions, and takes another one or refuses the kernel. Write it "
     "as "
     "a constant, and require a sub-group size that is as large."},
    {"image-block", "sub-groups", true,
     "An image that is accessed in blocks must have elements of at most 4 bytes; one made from a buffer rows that are "
     "a "
     "multiple of 64 bytes apart, and a begin that is a multiple of 32. A block write must begin at a multiple of 4 "
     "bytes.",
     "A GPU's block messages do not know other images, and ignore the lower bits of addresses. Choose another format "
     "or "
     "pitch, or access the image element by element."},
    {"block-surface", "sub-groups", true,
     "A surface must begin at a multiple of 64 bytes, be 64 to 2^24 bytes wide, a multiple of 4 and of its elements, "
     "and 1 to 2^24 rows high; its pitch must be a multiple of 16 bytes that is not below the width; blocks of 8 and "
     "16 "
     "bits must begin at a multiple of 4 bytes.",
     "A GPU ignores the lower bits, or accesses nothing. Begin the surface at the aligned address before and add the "
     "difference to the coordinate, and pad its rows."},
    {"whole-work-group", "work-groups", true,
     "This function must be encountered by all work-items of the work-group, or by none.",
     "Work-items that wait at different barriers, or at none, make a GPU hang or go on too early. Move the call out of "
     "the divergent branch or loop, and let all work-items leave the kernel behind the last barrier."},
    {"group-argument", "work-groups", true, "This argument must be the same for all work-items of the work-group.",
     "A GPU takes the value of one work-item or sub-group for all, or each copies something else. Compute the argument "
     "from what the work-group shares."},
    {"data-race", "races", true, kNoRace,
     "On a GPU the order of the accesses differs from run to run, and lanes need not go in lockstep. Put a barrier of "
     "the right memory between them, or use atomic operations."},
    {"data-race-of-equal-values", "races", false, kNoRace,
     "Whoever comes last, the same value is there, but the compiler may rely on there being no race, and values of "
     "vectors and structures were not compared. Let one work-item write."},
    {"uninitialised-read", "initialisation", true,
     "What decides about a branch, an address, or the result of an atomic, sub-group or work-group function must have "
     "been written before.",
     "Local and private memory hold what the last kernel left there, new buffers anything. Write the memory first, by "
     "all work-items that are meant to, with a barrier before others read it."},
    {"uninitialised-result", "initialisation", false,
     "What the host reads should have been written before, from values that were.",
     "The host gets what was in the memory before, or what a kernel has computed from it. Write all elements, or read "
     "only those that are written."},
    {"division-by-zero", "arithmetic", true, "An integer must not be divided by 0, and has no remainder of it.",
     "A GPU returns some number, often all bits set, and compilers assume that it does not happen. Test the divisor "
     "before, or leave out the work-items that have none."},
    {"division-overflow", "arithmetic", true, "The least number must not be divided by -1.",
     "The quotient is greater than the greatest number of its type. A GPU returns some number, and compilers assume "
     "that it does not happen. Divide in a wider type."},
    {"shift-beyond-width", "arithmetic", false, "A shift should be by fewer bits than its first operand has.",
     "OpenCL C takes the amount modulo the number of bits, so that a shift by 32 changes nothing; C, CUDA and other "
     "languages leave it undefined. Test the amount, or write the modulo."},
    {"conversion-out-of-range", "arithmetic", false,
     "A number must be in the range of the integer type that it is converted to.",
     "The result is what the device likes: the nearest integer, the lower bits or 0. Use convert_…_sat, which is "
     "defined for all numbers and gives 0 for NaN."},
    {"nan-result", "arithmetic", false, "An operation of numbers should have a number as its result.",
     "From here on NaN spreads to all that is computed from it. Look at the operands: the difference of infinities, "
     "0 / 0, the root or logarithm of a negative number."},
    {"width-dependent", "widths", false,
     "A kernel that requires no sub-group size should compute the same with each that the device has.",
     "Another device, or another local size, gives the kernel sub-groups of another size. Require the size with "
     "intel_reqd_sub_group_size, or compute with get_sub_group_size(). A barrier that is missing shows here, too."},
    {"unordered-commands", "commands", true,
     "Commands that use the same memory, one of which writes it, must be ordered by a queue, an event, a barrier, or "
     "by "
     "waiting for one before the other is enqueued.",
     "On another device, or when the first takes longer, they run at the same time or in the other order. Hand the "
     "first one's event to the second, or give each a sub-buffer of its own."},
    {"unordered-pointers", "commands", false,
     "Commands that are given pointers to the same SVM or USM, one of which writes there, should be ordered, or use "
     "different parts.",
     "How far a kernel goes from a pointer is not known. Where both use the same bytes, another device gives another "
     "result: hand the first one's event to the second. Hand over pointers to different parts where they do not."},
    {"used-while-mapped", "commands", true,
     "Memory that is mapped for writing must be unmapped before a command that uses it begins, and memory that is "
     "mapped for reading before one that writes it.",
     "A GPU with memory of its own overwrites what the command has written, or has not got what the host has written. "
     "Enqueue clEnqueueUnmapMemObject before, in the same queue or with its event in the command's wait list."},
    {"freed-while-used", "commands", true, "Memory must not be freed while a command may use it.",
     "The command accesses what is allocated there next. Wait for it, or use clEnqueueSVMFree or "
     "clMemBlockingFreeINTEL."},
    {"unmapped-too-often", "commands", true, "What is unmapped must be mapped.",
     "Here the call returns an error. Another device copies what the pointer points to into the memory object once "
     "more."},
    {"released-too-often", "api", true, "An object must not be released more often than it was created and retained.",
     "Here the call returns an error. Other devices and the OpenCL loader access memory that was freed: the "
     "program crashes, or releases another object that was created at the same address."},
    {"leaked-object", "api", false, "Objects should be released when they are not needed any more.",
     "A context, a queue or a buffer that is still there when the program ends was forgotten. In a program that "
     "runs for long, or in a library, such objects use up the device's memory."},
    {"failed-call", "failures", false, "A program should know what it does where a call fails.",
     "Where a query fails nothing is written, and the program goes on with what was in the variable before; another "
     "device may fail here where this one succeeds. Look at the code that the function returns, and ask only for what "
     "the device's version and extensions have."},
    {"build-warning", "api", false, "The program should be built without warnings.",
     "The compiler takes the text for a mistake, or another device's compiler may take it for an error. The "
     "build's log has the rest: CL_PROGRAM_BUILD_LOG of clGetProgramBuildInfo."},
};

constexpr bool haveKnownGroups() {
  for (const CheckRuleText &rule : kCheckRules)
    if (!findCheckGroup(rule.group))
      return false;
  return true;
}
static_assert(haveKnownGroups(), "each rule of the table is in a group of kCheckGroups");

// The first of the words, with commas between, that `isKnown` does not accept; empty: it accepts all of them.
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
