// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Broadcasts, shuffles and rotations of every type.
#include "table.hpp"

#include <algorithm>

namespace lanecl::test::table {
namespace {

// A lane's value of `a`, or of `b`; outside of the sub-group: undefined.
struct Source {
  int64_t lane;
  bool second = false;
};
using SourceOf = std::function<Source(const SubGroup &, int64_t lane)>;

class Builder {
public:
  Builder(Type type, std::vector<Call> &calls) : type(type), calls(calls) {}

  // `arguments` follow the value.
  void add(const std::string &function, const std::string &arguments, bool divergent, SourceOf source) {
    addCall(function, function + "(a" + arguments + ")", divergent, std::move(source));
  }
  void addPair(const std::string &function, const std::string &delta, SourceOf source) {
    addCall(function, function + "(a, b, " + delta + ")", true, std::move(source));
  }

private:
  void addCall(const std::string &function, const std::string &expression, bool divergent, SourceOf source) {
    calls.push_back({function + "(" + type.name() + ")", expression, divergent,
                     [source, bytes = type.valueBytes()](const SubGroup &s, unsigned lane, std::byte *result) {
                       const Source from = source(s, lane);
                       if (from.lane < 0 || !s.calls(size_t(from.lane)))
                         return false;
                       std::memcpy(result, s.value(size_t(from.lane), from.second), bytes);
                       return true;
                     }});
  }

  Type type;
  std::vector<Call> &calls;
};

// A number in the kernel's text and on the host: different for each lane, the same for all, known to the compiler.
struct Number {
  const char *text;
  int64_t (*value)(const SubGroup &, int64_t lane);
};
constexpr Number kVarying{"j", [](const SubGroup &s, int64_t lane) -> int64_t { return s.j(size_t(lane)); }};
constexpr Number kUniform{"u", [](const SubGroup &s, int64_t) -> int64_t { return s.inputs.u; }};
constexpr Number kThree{"3", [](const SubGroup &, int64_t) -> int64_t { return 3; }};
constexpr Number kFour{"4", [](const SubGroup &, int64_t) -> int64_t { return 4; }};

void addBroadcasts(Builder &add, Type type) {
  for (const Number &n : {kUniform, kThree}) {
    const auto lane = [n](const SubGroup &s, int64_t l) { return Source{n.value(s, l)}; };
    add.add("sub_group_broadcast", std::string(", ") + n.text, false, lane);
    add.add("sub_group_non_uniform_broadcast", std::string(", ") + n.text, true, lane);
    if (type.scalar_bytes < 4 && type.scalar != std::string("half") && type.count != 16)
      add.add("intel_sub_group_broadcast", std::string(", ") + n.text, false, lane);
  }
}

void addKhronosShuffles(Builder &add) {
  add.add("sub_group_broadcast_first", "", true,
          [](const SubGroup &s, int64_t) { return Source{std::countr_zero(s.active)}; });
  for (const Number &n : {kVarying, kUniform, kThree, kFour}) {
    const std::string text = std::string(", ") + n.text;
    add.add("sub_group_shuffle", text, true, [n](const SubGroup &s, int64_t l) { return Source{n.value(s, l)}; });
    add.add("sub_group_shuffle_xor", text, true,
            [n](const SubGroup &s, int64_t l) { return Source{l ^ n.value(s, l)}; });
    add.add("sub_group_shuffle_up", text, true,
            [n](const SubGroup &s, int64_t l) { return Source{l - n.value(s, l)}; });
    add.add("sub_group_shuffle_down", text, true,
            [n](const SubGroup &s, int64_t l) { return Source{l + n.value(s, l)}; });
  }
}

void addRotations(Builder &add, unsigned width) {
  for (const Number &n : {kUniform, kThree})
    for (int64_t sign : {1, -1}) {
      const std::string delta = std::string(sign < 0 ? ", -(int)" : ", ") + n.text;
      add.add("sub_group_rotate", delta, true,
              [n, sign](const SubGroup &s, int64_t l) { return Source{(l + sign * n.value(s, l)) & (s.width - 1)}; });
      for (unsigned size : {2u, 4u, width})
        add.add("sub_group_clustered_rotate", delta + ", " + std::to_string(size), true,
                [n, sign, size](const SubGroup &s, int64_t l) {
                  return Source{(l & -int64_t(size)) + ((l + sign * n.value(s, l)) & (size - 1))};
                });
    }
}

using Numbers = std::vector<Number>;

// `of_one` for the functions of one value, `of_two` for those of two.
void addIntelShuffles(Builder &add, const Numbers &of_one, const Numbers &of_two) {
  for (const Number &n : of_one) {
    const std::string text = std::string(", ") + n.text;
    add.add("intel_sub_group_shuffle", text, true, [n](const SubGroup &s, int64_t l) { return Source{n.value(s, l)}; });
    add.add("intel_sub_group_shuffle_xor", text, true,
            [n](const SubGroup &s, int64_t l) { return Source{l ^ n.value(s, l)}; });
  }
  for (const Number &n : of_two) {
    add.addPair("intel_sub_group_shuffle_down", n.text, [n](const SubGroup &s, int64_t l) {
      const int64_t index = l + n.value(s, l), width = s.width;
      return index < width ? Source{index, false} : Source{index - width, true};
    });
    add.addPair("intel_sub_group_shuffle_up", n.text, [n](const SubGroup &s, int64_t l) {
      const int64_t index = l - n.value(s, l), width = s.width;
      return index >= 0 ? Source{index, true} : Source{index + width, false};
    });
  }
}

// Vectors are shuffled component by component, so that long ones need not show each number again.
void addIntelVectorShuffles(Builder &add, unsigned components) {
  if (components < 8)
    addIntelShuffles(add, {kVarying, kThree}, {kVarying, kThree});
  else
    addIntelShuffles(add, {kVarying}, {kThree});
}

bool hasIntelVectorShuffles(const std::string &scalar) {
  return scalar != "long" && scalar != "ulong" && scalar != "half" && scalar != "double";
}

} // namespace

std::vector<Family> exchanges(unsigned width) {
  std::vector<Family> families;
  forEachScalar([&](Type type, auto) {
    const auto family = [&](Type operand) -> Family & {
      families.push_back({"exchange_" + operand.name(), operand, operand, {}});
      return families.back();
    };
    Family &scalars = family(type);
    Builder add(type, scalars.calls);
    addBroadcasts(add, type);
    addKhronosShuffles(add);
    addRotations(add, width);
    const Numbers all{kVarying, kUniform, kThree, kFour};
    addIntelShuffles(add, all, all);
    for (unsigned n : kVectorSizes) {
      const Type vector = type.vector(n);
      Family &vectors = family(vector);
      Builder add_vector(vector, vectors.calls);
      addBroadcasts(add_vector, vector);
      if (hasIntelVectorShuffles(type.scalar))
        addIntelVectorShuffles(add_vector, n);
    }
  });
  return families;
}

} // namespace lanecl::test::table
