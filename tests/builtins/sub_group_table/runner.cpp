// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runner.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <sstream>

namespace lanecl::test::table {
namespace {

constexpr std::byte kUntouched{0xa5};
constexpr size_t kKernelsPerProgram = 24, kMessages = 20;

// Floating-point values around 1: sums and products of a sub-group stay finite, and their order shows in the last bits.
template <class T> T randomValue(T, std::mt19937_64 &random) {
  if constexpr (std::is_integral_v<T>)
    return T(random());
  else
    return T((0.75 + double(random() % 4096) / 8192) * (random() % 2 ? 1 : -1));
}

std::vector<std::byte> randomValues(const Type &type, size_t items, std::mt19937_64 &random) {
  std::vector<std::byte> bytes(items * type.bytes());
  forEachScalar([&](Type scalar, auto zero) {
    if (scalar.scalar == std::string(type.scalar))
      for (size_t at = 0; at < bytes.size(); at += sizeof zero) {
        const auto value = randomValue(zero, random);
        std::memcpy(&bytes[at], &value, sizeof value);
      }
  });
  return bytes;
}

Inputs makeInputs(const Type &type, size_t items, unsigned width, std::mt19937_64 &random) {
  Inputs inputs{type, randomValues(type, items, random), randomValues(type, items, random), {}, 0};
  for (size_t i = 0; i < items; ++i)
    inputs.j.push_back(uint32_t(random() % width));
  return inputs;
}

std::string hex(const std::byte *bytes, size_t count) {
  std::string text;
  char digits[3];
  for (size_t i = count; i-- > 0;) {
    std::snprintf(digits, sizeof digits, "%02x", unsigned(bytes[i]));
    text += digits;
  }
  return text;
}

} // namespace

bool runsComplete() {
  const char *complete = std::getenv("LANECL_TEST_COMPLETE");
  return complete && complete == std::string("1");
}

Runner::~Runner() {
  std::printf("%s: %zu cases compared, %zu failed\n", name, cases, failed);
}

std::string Runner::failures() const {
  std::string text;
  for (const std::string &message : messages)
    text += message + "\n";
  return text;
}

std::vector<Shape> Runner::shapesOf(const Family &family, size_t number, unsigned width) {
  const std::vector<Shape> all = shapes(width);
  if (runsComplete())
    return all;
  if (family.operand.count > 1)
    return {all[number % all.size()]};
  return {all[0], all[1 + number % (all.size() - 1)]};
}

std::vector<Runner::Test> Runner::testsOf(const std::vector<Family> &families, unsigned width) {
  std::vector<Test> tests;
  for (const Family &family : families)
    for (Flow flow : {Flow::Uniform, Flow::Divergent}) {
      if (flow == Flow::Divergent && family.operand.count > 2 && !runsComplete())
        continue;
      Test test{family, flow, {}, family.name + (flow == Flow::Divergent ? "_divergent" : ""), {}};
      test.shapes = shapesOf(family, tests.size() + width / 8, width);
      std::copy_if(family.calls.begin(), family.calls.end(), std::back_inserter(test.calls),
                   [&](const Call &call) { return flow == Flow::Uniform || call.divergent; });
      if (!test.calls.empty())
        tests.push_back(std::move(test));
    }
  return tests;
}

// In a uniform flow whole sub-groups may stay out, in a divergent one single lanes. The hint is for the build, which
// compiles each kernel for a likely local size.
std::string Runner::kernelText(const Test &test) {
  const std::string t = test.family.operand.name(), r = test.family.result.name();
  const std::array<size_t, 3> local = threeDimensions(test.shapes[0].local);
  std::ostringstream text;
  text << "__attribute__((intel_reqd_sub_group_size(WIDTH), work_group_size_hint(" << local[0] << ", " << local[1]
       << ", " << local[2] << "))) kernel void " << test.kernel << "(global const " << t << " *as, global const " << t
       << " *bs, global const uint *js, global " << r << " *out, uint u, uint skip, ulong pattern, uint items) {\n"
       << "  size_t i = get_global_linear_id();\n  " << t << " a = as[i], b = bs[i];\n  uint j = js[i];\n"
       << (test.flow == Flow::Divergent ? "  if (pattern >> get_sub_group_local_id() & 1) {\n"
                                        : "  if ((get_sub_group_id() & skip) == 0) {\n");
  for (size_t c = 0; c < test.calls.size(); ++c)
    text << "    out[i + " << c << " * items] = " << test.calls[c].expression << ";\n";
  text << "  }\n}\n";
  return text.str();
}

void Runner::run(const std::vector<Family> &families, unsigned width) {
  const std::vector<Test> tests = testsOf(families, width);
  for (size_t first = 0; first < tests.size(); first += kKernelsPerProgram) {
    const size_t end = std::min(first + kKernelsPerProgram, tests.size());
    std::string source = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";
    for (size_t t = first; t < end; ++t)
      source += kernelText(tests[t]);
    const Program program = cl.build(source, "-cl-std=CL3.0 -DWIDTH=" + std::to_string(width));
    for (size_t t = first; t < end; ++t) {
      const Kernel kernel = cl.kernel(program, tests[t].kernel);
      for (const Shape &shape : tests[t].shapes)
        launch(tests[t], kernel, shape, width);
    }
  }
}

void Runner::launch(const Test &test, const Kernel &kernel, const Shape &shape, unsigned width) {
  std::mt19937_64 random(width + shape.items());
  const size_t items = shape.items(), result_bytes = test.family.result.bytes();
  Inputs inputs = makeInputs(test.family.operand, items, width, random);
  const Memory a = cl.buffer(inputs.a), b = cl.buffer(inputs.b), j = cl.buffer(inputs.j);
  const std::vector<std::byte> untouched(test.calls.size() * items * result_bytes, kUntouched);

  std::vector<Choice> choices{{0, ~uint64_t(0)}};
  if (test.flow == Flow::Uniform)
    choices.push_back({1, ~uint64_t(0)});
  else
    choices.insert(choices.end(), {{0, random()}, {0, 0x5555555555555555}, {0, uint64_t(1) << random() % width}});
  for (const Choice &choice : choices) {
    inputs.u = uint32_t(random() % width);
    const Memory out = cl.buffer(untouched);
    cl.run(kernel, shape.global, shape.local, a, b, j, out, cl_uint(inputs.u), cl_uint(choice.skip),
           cl_ulong(choice.pattern), cl_uint(items));
    compare(test, subGroupsOf(shape, width, inputs), choice, shape, cl.read<std::byte>(out));
  }
}

void Runner::compare(const Test &test, std::vector<SubGroup> sub_groups, const Choice &choice, const Shape &shape,
                     const std::vector<std::byte> &got) {
  for (SubGroup &s : sub_groups) {
    const uint64_t existing = s.items.size() == 64 ? ~uint64_t(0) : (uint64_t(1) << s.items.size()) - 1;
    s.active = (s.id & choice.skip) == 0 ? choice.pattern & existing : 0;
  }
  for (size_t call = 0; call < test.calls.size(); ++call) {
    std::string difference;
    bool compared = false;
    for (const SubGroup &s : sub_groups)
      compared |= compareCall(test, call, s, got, shape.items(), difference);
    cases += compared;
    failed += !difference.empty();
    if (!difference.empty() && messages.size() < kMessages)
      messages.push_back(test.kernel + ", width " + std::to_string(sub_groups[0].width) + ", " + shape.name + ": " +
                         test.calls[call].expression + difference);
  }
}

// Whether a lane's result is defined; the first difference is described.
bool Runner::compareCall(const Test &test, size_t call, const SubGroup &s, const std::vector<std::byte> &got,
                         size_t items, std::string &difference) const {
  const size_t bytes = test.family.result.bytes(), value_bytes = test.family.result.valueBytes();
  const std::vector<std::byte> untouched(bytes, kUntouched);
  bool compared = false;
  for (unsigned lane = 0; lane < s.items.size(); ++lane) {
    std::vector<std::byte> want = untouched;
    if (s.calls(lane)) {
      if (!test.calls[call].expected(s, lane, want.data()))
        continue;
      compared = true;
    }
    const std::byte *have = &got[(call * items + s.items[lane]) * bytes];
    if (difference.empty() && std::memcmp(have, want.data(), value_bytes) != 0)
      difference = "\n  lane " + std::to_string(lane) + " of sub-group " + std::to_string(s.id) + " got " +
                   hex(have, value_bytes) + " instead of " + hex(want.data(), value_bytes) +
                   " (u = " + std::to_string(s.inputs.u) + ", lanes " +
                   hex(reinterpret_cast<const std::byte *>(&s.active), 8) + ")";
  }
  return compared;
}

} // namespace lanecl::test::table
