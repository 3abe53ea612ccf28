// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The generators by name.
#pragma once

#include "generate/guards.h"
#include "generate/maker.h"

#include <optional>
#include <string_view>

namespace lanecl::fuzz {

// Choices of each generator, in the file of its name.
const Choices &aliasChoices();
const Choices &integerChoices();
const Choices &memoryChoices();
const Choices &subGroupChoices();
const Choices &floatChoices();
const Choices &relaxedFloatChoices();
const Choices &halfChoices();
const Choices &relaxedHalfChoices();
const Choices &rowChoices();
const Choices &chainChoices();
const Choices &waitChoices();
const Choices &undefinedChoices();
const Choices &lockChoices();
const Choices &loopChoices();

struct Generator {
  std::string_view name;
  const Choices &(*choices)();
};
inline constexpr Generator kGenerators[] = {{"integers", integerChoices},
                                            {"memory", memoryChoices},
                                            {"sub-groups", subGroupChoices},
                                            {"floats", floatChoices},
                                            {"relaxed-floats", relaxedFloatChoices},
                                            {"halves", halfChoices},
                                            {"relaxed-halves", relaxedHalfChoices},
                                            {"rows", rowChoices},
                                            {"chains", chainChoices},
                                            {"waits", waitChoices},
                                            {"undefined", undefinedChoices},
                                            {"locks", lockChoices},
                                            {"aliases", aliasChoices},
                                            {"loops", loopChoices}};

const Generator &generatorNamed(std::string_view name); // throws std::runtime_error

// A kernel with its guards, and what it computes.
struct Sample {
  Kernel kernel;
  std::vector<Outcome> outcomes;
};

// The kernel of that seed; none where it is too long to be worth the time, or there is no way to make it valid.
std::optional<Sample> generate(const Generator &generator, const Without &without, uint64_t seed);

} // namespace lanecl::fuzz
