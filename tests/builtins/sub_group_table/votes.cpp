// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Votes, elections, ballots, lane masks and the functions that say where a work-item is. Results are uint4, scalars in
// every component.
#include "table.hpp"

#include <array>

namespace lanecl::test::table {
namespace {

using Uint4 = std::array<uint32_t, 4>;

Uint4 splat(uint64_t value) {
  const auto number = uint32_t(value);
  return {number, number, number, number};
}
Uint4 ballotOf(uint64_t bits) {
  return {uint32_t(bits), uint32_t(bits >> 32), 0, 0};
}
uint64_t lowBits(unsigned count) {
  return count >= 64 ? ~uint64_t(0) : (uint64_t(1) << count) - 1;
}

struct Predicate {
  const char *text;
  bool (*holds)(const SubGroup &, size_t lane);
};
constexpr Predicate kPredicates[] = {
    {"a > 0", [](const SubGroup &s, size_t lane) { return s.a<int32_t>(lane) > 0; }},
    {"a & 14", [](const SubGroup &s, size_t lane) { return (s.a<int32_t>(lane) & 14) != 0; }},
    {"j < 64", [](const SubGroup &, size_t) { return true; }}, // what the compiler does not know
    {"j > 64", [](const SubGroup &, size_t) { return false; }},
    {"u > 2", [](const SubGroup &s, size_t) { return s.inputs.u > 2; }},
    {"1", [](const SubGroup &, size_t) { return true; }}};

// Lanes that call and for which the predicate holds.
uint64_t ballot(const SubGroup &s, const Predicate &predicate) {
  uint64_t bits = 0;
  for (size_t lane = 0; lane < s.items.size(); ++lane)
    if (s.calls(lane) && predicate.holds(s, lane))
      bits |= uint64_t(1) << lane;
  return bits;
}

void addVotes(std::vector<Call> &calls) {
  for (const Predicate &p : kPredicates)
    for (const std::string prefix : {"sub_group_", "sub_group_non_uniform_"}) {
      const bool divergent = prefix != "sub_group_";
      calls.push_back({prefix + "all(int)", "(uint4)(" + prefix + "all(" + p.text + ") != 0)", divergent,
                       giving([p](const SubGroup &s, unsigned) { return splat(ballot(s, p) == s.active); })});
      calls.push_back({prefix + "any(int)", "(uint4)(" + prefix + "any(" + p.text + ") != 0)", divergent,
                       giving([p](const SubGroup &s, unsigned) { return splat(ballot(s, p) != 0); })});
    }
  calls.push_back(
      {"sub_group_elect()", "(uint4)(sub_group_elect() != 0)", true,
       giving([](const SubGroup &s, unsigned lane) { return splat(lane == unsigned(std::countr_zero(s.active))); })});
  for (const Predicate &p : kPredicates)
    calls.push_back({"sub_group_ballot(int)", "sub_group_ballot(" + std::string(p.text) + ")", true,
                     giving([p](const SubGroup &s, unsigned) { return ballotOf(ballot(s, p)); })});
}

// A ballot that the program made up, with bits beyond the sub-group that must not count.
constexpr const char *kMadeUp = "(uint4)(u * 2654435761u | 4, u * 40503u + 1, ~0u, 7)";
uint64_t madeUp(const SubGroup &s) {
  return (s.inputs.u * 2654435761u | 4) | uint64_t(s.inputs.u * 40503u + 1) << 32;
}

void addBallots(std::vector<Call> &calls) {
  const auto add = [&](const std::string &name, const std::string &more, auto value) {
    calls.push_back({name + "(uint4)", "(uint4)(" + name + "(" + kMadeUp + more + "))", true,
                     giving([value](const SubGroup &s, unsigned lane) {
                       return splat(value(s, madeUp(s) & lowBits(s.width), lane));
                     })});
  };
  using S = const SubGroup &;
  add("sub_group_inverse_ballot", ") != (0", [](S, uint64_t bits, unsigned lane) { return bits >> lane & 1; });
  add("sub_group_ballot_bit_extract", ", j) != (0",
      [](S s, uint64_t bits, unsigned lane) { return bits >> s.j(lane) & 1; });
  add("sub_group_ballot_bit_count", "", [](S, uint64_t bits, unsigned) { return std::popcount(bits); });
  add("sub_group_ballot_inclusive_scan", "",
      [](S, uint64_t bits, unsigned lane) { return std::popcount(bits & lowBits(lane + 1)); });
  add("sub_group_ballot_exclusive_scan", "",
      [](S, uint64_t bits, unsigned lane) { return std::popcount(bits & lowBits(lane)); });
  add("sub_group_ballot_find_lsb", "", [](S, uint64_t bits, unsigned) { return std::countr_zero(bits); });
  add("sub_group_ballot_find_msb", "", [](S, uint64_t bits, unsigned) { return 63 - std::countl_zero(bits); });
}

void addMasks(std::vector<Call> &calls) {
  const auto add = [&](const std::string &name, auto bits) {
    calls.push_back({name + "()", name + "()", true, giving([bits](const SubGroup &s, unsigned lane) {
                       return ballotOf(bits(lowBits(s.width), lane));
                     })});
  };
  add("get_sub_group_eq_mask", [](uint64_t, unsigned lane) { return uint64_t(1) << lane; });
  add("get_sub_group_ge_mask", [](uint64_t all, unsigned lane) { return all & ~lowBits(lane); });
  add("get_sub_group_gt_mask", [](uint64_t all, unsigned lane) { return all & ~lowBits(lane + 1); });
  add("get_sub_group_le_mask", [](uint64_t, unsigned lane) { return lowBits(lane + 1); });
  add("get_sub_group_lt_mask", [](uint64_t, unsigned lane) { return lowBits(lane); });
}

void addIds(std::vector<Call> &calls) {
  const auto add = [&](const std::string &name, auto value) {
    calls.push_back({name + "()", "(uint4)(" + name + "())", true,
                     giving([value](const SubGroup &s, unsigned lane) { return splat(value(s, lane)); })});
  };
  using S = const SubGroup &;
  add("get_sub_group_size", [](S s, unsigned) { return s.items.size(); });
  add("get_max_sub_group_size", [](S s, unsigned) { return s.width; });
  add("get_num_sub_groups", [](S s, unsigned) { return s.count; });
  add("get_enqueued_num_sub_groups", [](S s, unsigned) { return s.enqueued_count; });
  add("get_sub_group_id", [](S s, unsigned) { return s.id; });
  add("get_sub_group_local_id", [](S, unsigned lane) { return lane; });
}

} // namespace

std::vector<Family> votes(unsigned) {
  std::vector<Family> families{{"votes", kInt, kUint4, {}}, {"ballots", kInt, kUint4, {}}};
  addVotes(families[0].calls);
  addBallots(families[1].calls);
  addMasks(families[1].calls);
  addIds(families[1].calls);
  return families;
}

} // namespace lanecl::test::table
