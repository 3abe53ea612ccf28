#include "run/case.h"

#include "print/print.h"

#include <algorithm>

namespace lanecl::fuzz {

Variant variantNumber(uint64_t number) {
  constexpr const char *kOptions[] = {"", "", "", "", "-cl-opt-disable", "-g", "", "-g -cl-opt-disable"};
  return {std::string("-cl-std=CL3.0 -w ") + kOptions[number % std::size(kOptions)],
          number / std::size(kOptions) % 2 == 1};
}

namespace {

std::vector<Argument> argumentsOf(const Kernel &kernel, const NDRange &range, bool constants_at_build) {
  std::vector<Argument> result;
  const Contents contents = initialContents(kernel, range);
  for (unsigned i = 0; i < kernel.memories.size(); ++i) {
    const MemoryObject &object = kernel.memories[i];
    if (!isArgument(object))
      continue;
    if (object.isInLocalMemory())
      result.push_back(
          {Argument::Kind::Local, object.type, {}, kernel.elements(i, range) * bitsOf(object.type.base) / 8});
    else
      result.push_back({Argument::Kind::Buffer, object.type, contents[i], 0});
  }
  for (const Parameter &parameter : kernel.parameters)
    if (!constants_at_build)
      result.push_back({Argument::Kind::Scalar, parameter.type, {parameter.bits}, 0});
  return result;
}

CaseLaunch launchOf(const Tested &tested, unsigned number, bool constants_at_build) {
  const Kernel &kernel = *tested.kernel;
  CaseLaunch launch{.kernel = kernel.name, .range = kernel.launches[number]};
  launch.arguments = argumentsOf(kernel, launch.range, constants_at_build);
  for (const Outcome &outcome : *tested.outcomes) {
    unsigned argument = 0;
    for (size_t i = 0; outcome.launch == number && i < kernel.memories.size(); ++i) {
      if (kernel.memories[i].isWritten())
        launch.expectations.push_back({outcome.width, argument, outcome.contents[i]});
      argument += isArgument(kernel.memories[i]);
    }
  }
  return launch;
}

} // namespace

Case makeCase(const std::vector<Tested> &kernels, const Variant &variant) {
  std::vector<const Kernel *> printed;
  size_t launches = 0;
  for (const Tested &tested : kernels) {
    printed.push_back(tested.kernel);
    launches = std::max(launches, tested.kernel->launches.size());
  }
  Text text = print(printed, variant.constants_at_build);
  Case result{.options = variant.options + text.options, .source = std::move(text.source)};
  for (unsigned number = 0; number < launches; ++number)
    for (const Tested &tested : kernels)
      if (number < tested.kernel->launches.size())
        result.launches.push_back(launchOf(tested, number, variant.constants_at_build));
  return result;
}

} // namespace lanecl::fuzz
