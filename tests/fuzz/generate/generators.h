// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The generators, by name.
#pragma once

#include "generate/guards.h"
#include "generate/maker.h"

#include <optional>
#include <string_view>

namespace lanecl::fuzz {

// The choices of each generator are in the file that has its name.
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

// A generator and the function that returns what it chooses from.
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

const Generator &generatorNamed(std::string_view name); // throws std::runtime_error if there is none

// A kernel with its guards, and what it computes.
struct Sample {
  Kernel kernel;
  std::vector<Outcome> outcomes;
};

// Makes the kernel for that seed. Returns nothing if the kernel takes too long to be worth testing, or cannot be made
// valid.
std::optional<Sample> generate(const Generator &generator, const Without &without, uint64_t seed);

} // namespace lanecl::fuzz
