// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Makes the kernels: generates one, evaluates it, and adds the guards that it needs.
#include "generate/generators.h"

#include <stdexcept>

namespace lanecl::fuzz {

const Generator &generatorNamed(std::string_view name) {
  for (const Generator &generator : kGenerators)
    if (generator.name == name)
      return generator;
  throw std::runtime_error("there is no generator named " + std::string(name));
}

std::optional<Sample> generate(const Generator &generator, const Without &without, uint64_t seed) {
  Sample sample{Maker(generator.choices(), without, seed).run(), {}};
  sample.kernel.name = "k" + std::to_string(seed);
  Unguarded unguarded;
  try {
    sample.outcomes = evaluateLaunches(sample.kernel, unguarded);
  } catch (const Rejected &) {
    return std::nullopt;
  }
  addGuards(sample.kernel, unguarded);
  return sample;
}

} // namespace lanecl::fuzz
