// Random kernels on the device against their evaluation on the host.
//   lanecl_random_kernels [--seed FIRST] [--count N] [--print | --reduce]
// LANECL_ISA chooses the instruction set. A failure prints the seed and the source.
#include "ast.h"
#include "isa.h"
#include "reduce.h"
#include "support/session.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>

using namespace lanecl::test;
using namespace lanecl::test::random_kernels;
namespace rk = lanecl::test::random_kernels;

namespace {

struct Case {
  rk::Kernel kernel;
  rk::Memory expected;
};

// The kernels of seeds from `seed` on; those that take too long on the host are left out.
std::vector<Case> makeCases(uint64_t &seed, unsigned count) {
  std::vector<Case> cases;
  for (; cases.size() < count; ++seed) {
    rk::Kernel kernel = generate(seed);
    rk::Memory memory = initialMemory(kernel);
    if (evaluate(kernel, memory))
      cases.push_back({std::move(kernel), std::move(memory)});
  }
  return cases;
}

template <class T> bool same(const char *what, const std::vector<T> &got, const std::vector<T> &want) {
  unsigned shown = 0;
  for (size_t i = 0; i < want.size(); ++i)
    if (got[i] != want[i] && shown++ < 8)
      std::printf("  %s[%zu]: expected %lld, got %lld\n", what, i, (long long)want[i], (long long)got[i]);
  return shown == 0;
}

void describe(const rk::Kernel &kernel) {
  std::printf("seed %llu, sub-groups of %u, local size", (unsigned long long)kernel.seed, kernel.width);
  for (size_t size : kernel.local)
    std::printf(" %zu", size);
  std::printf(", work-groups");
  for (size_t size : kernel.groups)
    std::printf(" %zu", size);
  std::printf(", a %d, b %d\n", kernel.arguments[0], kernel.arguments[1]);
}

bool runCase(const Session &cl, const Program &program, const Case &test) {
  const rk::Memory start = initialMemory(test.kernel);
  lanecl::test::Memory in = cl.buffer(start.in), counters = cl.buffer(start.counters), out = cl.buffer(start.out);
  std::vector<size_t> global = test.kernel.local;
  for (size_t i = 0; i < global.size(); ++i)
    global[i] *= test.kernel.groups[i];
  cl.run(cl.kernel(program, kernelName(test.kernel)), global, test.kernel.local, in, counters, out,
         Local{test.kernel.groupSize() * sizeof(cl_int)}, test.kernel.arguments[0], test.kernel.arguments[1]);
  const bool outputs = same("out", cl.read<int32_t>(out), test.expected.out);
  return same("counters", cl.read<uint32_t>(counters), test.expected.counters) && outputs;
}

// Whether a kernel builds and computes something wrong, quietly.
bool isWrong(const Session &cl, const rk::Kernel &kernel) {
  try {
    rk::Memory expected = initialMemory(kernel);
    if (!evaluate(kernel, expected))
      return false;
    return !runCase(cl, cl.build(preamble() + rk::print(kernel), "-cl-std=CL3.0 -w"), {kernel, expected});
  } catch (const std::exception &) {
    return false;
  }
}

void printSource(const rk::Kernel &kernel) {
  describe(kernel);
  std::printf("%s%s\n", preamble().c_str(), rk::print(kernel).c_str());
  std::fflush(stdout);
}

// One program for several kernels, since most of the time goes into building.
unsigned runBatch(const Session &cl, const std::vector<Case> &cases, bool reduce_failures) {
  std::string source = preamble();
  for (const Case &test : cases)
    source += rk::print(test.kernel);
  Program program;
  try {
    program = cl.build(source, "-cl-std=CL3.0 -w");
  } catch (const BuildError &failure) {
    if (cases.size() > 1) { // which of them?
      unsigned failures = 0;
      for (const Case &test : cases)
        failures += runBatch(cl, {test}, reduce_failures);
      return failures;
    }
    std::printf("FAILED %s\n", failure.what());
    printSource(cases[0].kernel);
    return 1;
  }
  unsigned failures = 0;
  for (const Case &test : cases) {
    std::string error;
    try {
      if (runCase(cl, program, test))
        continue;
    } catch (const std::exception &failure) {
      error = failure.what();
    }
    ++failures;
    std::printf("FAILED %s\n", error.c_str());
    printSource(test.kernel);
    if (!reduce_failures || !error.empty())
      continue;
    const rk::Kernel small = reduce(test.kernel, [&](const rk::Kernel &kernel) { return isWrong(cl, kernel); });
    std::printf("REDUCED\n");
    printSource(small);
    isWrong(cl, small);
  }
  return failures;
}

// What the runtime says about commands that fail.
void CL_CALLBACK report(const char *text, const void *, size_t, void *) {
  std::printf("%s\n", text);
}

Session makeSession() {
  Session cl;
  cl_int code = CL_SUCCESS;
  cl.context = Context(clCreateContext(nullptr, 1, &cl.device, report, nullptr, &code));
  check(code, "clCreateContext");
  cl.queue = makeQueue(cl.context, 0, cl.device);
  return cl;
}

uint64_t number(const char *text) {
  return std::strtoull(text, nullptr, 0);
}

} // namespace

int main(int argc, char **argv) {
  if (!isaAvailable())
    return kSkipped;
  uint64_t seed = 1;
  unsigned count = 50;
  bool print_only = false, reduce_failures = false;
  for (int i = 1; i < argc; ++i) {
    const std::string_view option = argv[i];
    if (option == "--print")
      print_only = true;
    else if (option == "--reduce")
      reduce_failures = true;
    else if (option == "--seed" && i + 1 < argc)
      seed = number(argv[++i]);
    else if (option == "--count" && i + 1 < argc)
      count = unsigned(number(argv[++i]));
    else
      return std::fprintf(stderr, "usage: %s [--seed FIRST] [--count N] [--print | --reduce]\n", argv[0]), 2;
  }
  if (const char *more = std::getenv("LANECL_TEST_KERNELS"))
    count = unsigned(number(more));
  try {
    unsigned failures = 0;
    const uint64_t first = seed;
    const Session cl = makeSession();
    for (unsigned done = 0; done < count;) {
      const std::vector<Case> cases = makeCases(seed, std::min(count - done, 10u));
      done += unsigned(cases.size());
      if (!print_only) {
        failures += runBatch(cl, cases, reduce_failures);
        continue;
      }
      for (const Case &test : cases)
        printSource(test.kernel);
    }
    std::printf("%u random kernels of seeds %llu to %llu, %u failed\n", count, (unsigned long long)first,
                (unsigned long long)seed - 1, failures);
    return failures != 0;
  } catch (const std::exception &failure) {
    std::fprintf(stderr, "seed %llu or before: %s\n", (unsigned long long)seed, failure.what());
    return 1;
  }
}
