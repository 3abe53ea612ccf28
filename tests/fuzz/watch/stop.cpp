// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "watch/stop.h"

#include "print/print.h"

#include <bit>
#include <random>
#include <sstream>

namespace lanecl::fuzz {

namespace {

using Kind = Stmt::Kind;

bool isLoop(const Stmt &s) {
  return s.kind == Kind::For || s.kind == Kind::While || s.kind == Kind::DoWhile;
}

// Collects the variables that are declared at the start of the statement. Returns false if the statement is not in the
// block.
bool scopeOf(const Block &block, const Stmt &at, std::vector<unsigned> &scope) {
  const size_t outside = scope.size();
  for (const Stmt &s : block) {
    if (&s == &at)
      return true;
    if (isLoop(s))
      scope.push_back(s.target.variable);
    for (const Block &nested : s.blocks)
      if (scopeOf(nested, at, scope))
        return true;
    if (s.kind == Kind::For)
      scope.pop_back(); // the other loops declare their counter in front of the loop
    if (s.kind == Kind::Declare)
      scope.push_back(s.target.variable);
  }
  scope.resize(outside);
  return false;
}

// Whether the line on which the statement starts is certain to contain code.
bool hasCode(const Stmt &s) {
  switch (s.kind) {
  case Kind::Declare: return !s.values.empty();
  case Kind::Assign:
  case Kind::Store:
  case Kind::Atomic:
  case Kind::For:
  case Kind::While:
  case Kind::DoWhile:
  case Kind::Break:
  case Kind::Continue:
  case Kind::Call: return true;
  default: return false; // a condition may be a constant, and a sub-group function takes several lines
  }
}

// A statement that a breakpoint may be put at.
struct Candidate {
  unsigned function = 0;
  const Stmt *statement = nullptr;
};

// Returns the statements of all functions that have code of their own on the line where they start.
std::vector<Candidate> candidatesIn(const Kernel &kernel) {
  std::vector<Candidate> candidates;
  for (unsigned f = 0; f < kernel.functions.size(); ++f)
    forEachStatement(kernel.functions[f].body, [&](const Stmt &s) {
      if (hasCode(s))
        candidates.push_back({f, &s});
    });
  return candidates;
}

// Returns the variables in scope that consist of integers or floats and whose values are known at the stop.
std::vector<SeenVariable> seen(const Function &function, const Candidate &place, const Watch &watch) {
  std::vector<unsigned> scope;
  for (unsigned i = 0; i < function.parameters; ++i)
    scope.push_back(i);
  scopeOf(function.body, *place.statement, scope);
  std::vector<SeenVariable> result;
  for (unsigned i : scope) {
    const Variable &v = function.variables[i];
    if (!isRecord(v.type) && v.type.base <= Base::Float && !watch.variables[i].empty())
      result.push_back({v.name, v.type.base, watch.variables[i]});
  }
  return result;
}

} // namespace

std::optional<Stop> planStop(const Sample &sample, const Variant &variant, unsigned width, uint64_t number) {
  constexpr int kTries = 30;
  const Kernel &kernel = sample.kernel;
  const NDRange &range = kernel.launches[0];
  const std::vector<Candidate> candidates = candidatesIn(kernel);
  std::mt19937_64 random(number);
  for (int tries = 0; tries < kTries && !candidates.empty(); ++tries) {
    const Candidate &place = candidates[random() % candidates.size()];
    const size_t item = random() % range.items();
    Watch watch{.statement = place.statement, .item = int32_t(item)};
    Unguarded unguarded;
    evaluate(kernel, range, kernel.required_width ? kernel.required_width : width, unguarded, &watch);
    const std::vector<SeenVariable> variables =
        watch.reached ? seen(kernel.functions[place.function], place, watch) : std::vector<SeenVariable>{};
    if (variables.empty())
      continue;
    const size_t x = range.globalSize(0), y = range.globalSize(1);
    return Stop{.test = makeCase({{&kernel, &sample.outcomes}}, variant),
                .line = print({&kernel}, variant.constants_at_build).lines.at(place.statement),
                .global_id = {range.globalOffset(0) + item % x, range.globalOffset(1) + item / x % y,
                              range.globalOffset(2) + item / (x * y)},
                .variables = variables};
  }
  return std::nullopt;
}

std::string describe(const Stop &stop, const std::string &source_file, const std::string &case_file) {
  std::ostringstream out;
  out << "{\"source\": \"" << source_file << "\", \"case\": \"" << case_file << "\", \"line\": " << stop.line
      << ", \"global_id\": [" << stop.global_id[0] << ", " << stop.global_id[1] << ", " << stop.global_id[2]
      << "], \"variables\": [";
  for (size_t i = 0; i < stop.variables.size(); ++i) {
    const SeenVariable &v = stop.variables[i];
    out << (i ? ", " : "") << "{\"name\": \"" << v.name << "\", \"type\": \"" << nameOf({v.base, 1})
        << "\", \"scalars\": [";
    for (size_t k = 0; k < v.scalars.size(); ++k) {
      out << (k ? ", " : "");
      if (isSigned(v.base))
        out << extended(v.base, v.scalars[k]);
      else
        out << v.scalars[k]; // for a float, its bits
    }
    out << "]}";
  }
  out << "]}";
  return out.str();
}

} // namespace lanecl::fuzz
