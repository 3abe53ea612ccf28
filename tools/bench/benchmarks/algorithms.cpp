// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Benchmarks with data-parallel algorithms: sums, transforms, sorting and counting.
#include "../benchmark.h"
#include "../data.h"
#include "../native/native.h"

#include <algorithm>
#include <complex>
#include <numbers>
#include <numeric>
#include <tuple>

namespace bench {

namespace {

// The sum and the prefix sums of 16 Mi floats by sub-groups, with the kernels of the example. Each sub-group has a
// chunk of the floats.
namespace reduction_scan {

constexpr size_t kCount = size_t(1) << 24, kChunk = 16 * 1024, kChunks = kCount / kChunk, kWidth = 16;

// A relative error: half an epsilon for each addition on the way of a value into a sum.
constexpr double kTolerance = (double(kChunk) / kWidth + kChunks + 16) * 0x1p-24;

void describeReduction(Plan &plan) {
  const std::vector<float> all = randomFloats(kCount, 0, 1);
  const Array values = plan.input(all), sums = plan.output<float>(kChunks), sum = plan.output<float>(1);
  plan.program("reduction_scan/reduction_scan.cl");
  plan.launch("reduce", {values, cl_uint(kCount), cl_uint(kChunk), sums}, {kChunks * kWidth}, {kWidth});
  plan.launch("reduce", {sums, cl_uint(kChunks), cl_uint(kChunks), sum}, {kWidth}, {kWidth});
  plan.check<float>(sum, [want = std::accumulate(all.begin(), all.end(), 0.0)](std::span<const float> got) {
    Plan::expectNear(0, got[0], want, kTolerance * want);
  });
}

void verifyScan(const std::vector<float> &values, std::span<const float> got) {
  double sum = 0;
  for (size_t i = 0; i < kCount; ++i) {
    sum += values[i];
    Plan::expectNear(i, got[i], sum, kTolerance * sum);
  }
}

void describeScan(Plan &plan) {
  const std::vector<float> all = randomFloats(kCount, 0, 1);
  const Array values = plan.input(all), sums = plan.output<float>(kChunks), scanned = plan.output<float>(kCount);
  plan.program("reduction_scan/reduction_scan.cl");
  plan.launch("reduce", {values, cl_uint(kCount), cl_uint(kChunk), sums}, {kChunks * kWidth}, {kWidth});
  plan.launch("scan_sums", {sums, cl_uint(kChunks)}, {kWidth}, {kWidth});
  plan.launch("scan_chunks", {values, cl_uint(kCount), cl_uint(kChunk), sums, scanned}, {kChunks * kWidth}, {kWidth});
  plan.check<float>(scanned, [all](std::span<const float> got) { verifyScan(all, got); });
}

void add(Benchmarks &all) {
  all.push_back({
      .name = "reduction",
      .description = "sum of 16 Mi floats, the example's kernels",
      .amount = 1e-9 * sizeof(float) * kCount,
      .unit = "GB",
      .plan = describeReduction,
      .native = reference(native::sum, Array{0}, kCount, Array{2}),
      .needs = kSubGroups,
  });
  all.push_back({
      .name = "scan",
      .description = "prefix sums of 16 Mi floats, the example's kernels",
      .amount = 3e-9 * sizeof(float) * kCount,
      .unit = "GB",
      .plan = describeScan,
      .native = reference(native::scan, Array{0}, Array{2}, kCount),
      .needs = kSubGroups,
  });
}

} // namespace reduction_scan

// 2048 Fourier transforms of 256 complex numbers, by sub-groups.
namespace fft {

constexpr size_t kPoints = 256, kTransforms = 2048;
using Complex = std::complex<double>;

// The recursive transform of the textbooks, which splits its input into halves.
std::vector<Complex> fourier(const std::vector<Complex> &x) {
  if (x.size() == 1)
    return x;
  const size_t half = x.size() / 2;
  const std::vector<Complex> even = fourier(generate(half, [&](size_t i) { return x[2 * i]; }));
  const std::vector<Complex> odd = fourier(generate(half, [&](size_t i) { return x[2 * i + 1]; }));
  std::vector<Complex> result(x.size());
  for (size_t k = 0; k < half; ++k) {
    const Complex turned = std::polar(1.0, -std::numbers::pi * double(k) / double(half)) * odd[k];
    result[k] = even[k] + turned;
    result[k + half] = even[k] - turned;
  }
  return result;
}

void describe(Plan &plan) {
  const std::vector<float> numbers = randomFloats(2 * kPoints * kTransforms);
  std::vector<float> expected;
  for (size_t first = 0; first < numbers.size(); first += 2 * kPoints)
    for (const Complex &element : fourier(
             generate(kPoints, [&](size_t i) { return Complex(numbers[first + 2 * i], numbers[first + 2 * i + 1]); })))
      expected.insert(expected.end(), {float(element.real()), float(element.imag())});
  const Array in = plan.input(numbers), out = plan.output<float>(numbers.size());
  plan.program("fft.cl");
  plan.launch("fourier256", {in, out}, {kTransforms * 16}, {64});
  plan.expect(out, expected, 2e-5);
}

void add(Benchmarks &all) {
  all.push_back({
      .name = "fft",
      .description = "2048 transforms of 256 complex numbers, in registers and by shuffles",
      .amount = 5e-9 * kPoints * 8 * kTransforms,
      .unit = "GFLOP",
      .plan = describe,
      .needs = {"cl_intel_required_subgroup_size", "cl_khr_subgroup_shuffle"},
  });
}

} // namespace fft

// One pass of a radix sort and a stream compaction of 512 Ki keys by sub-group ballots.
namespace ballots {

constexpr size_t kCount = size_t(1) << 19, kChunk = 1024, kChunks = kCount / kChunk, kWidth = 16, kDigits = 16;
constexpr cl_uint kShift = 4, kLimit = 0x60000000;

const std::vector<std::string> kBallots{"cl_intel_subgroups", "cl_intel_required_subgroup_size",
                                        "cl_khr_subgroup_ballot", "cl_khr_subgroup_shuffle"};
const cl::NDRange kGlobal(kChunks *kWidth), kLocal(64), kSubGroup(kWidth);

std::vector<uint32_t> sortedByDigit(const std::vector<uint32_t> &values) {
  std::vector<uint32_t> sorted;
  for (uint32_t digit = 0; digit < kDigits; ++digit)
    std::copy_if(values.begin(), values.end(), std::back_inserter(sorted),
                 [=](uint32_t value) { return (value >> kShift) % kDigits == digit; });
  return sorted;
}

void describeRadixPass(Plan &plan) {
  const std::vector<uint32_t> values = randomWords(kCount);
  const Array keys = plan.input(values), places = plan.output<uint32_t>(kDigits * kChunks);
  const Array sorted = plan.output<uint32_t>(kCount);
  plan.program("ballots.cl");
  plan.launch("radix_count", {keys, places, kShift}, kGlobal, kLocal);
  plan.launch("places_of", {places, cl_uint(kDigits * kChunks)}, kSubGroup, kSubGroup);
  plan.launch("radix_scatter", {keys, places, sorted, kShift}, kGlobal, kLocal);
  plan.expect(sorted, sortedByDigit(values));
}

void describeCompaction(Plan &plan) {
  std::vector<uint32_t> all = randomWords(kCount);
  const Array values = plan.input(all), places = plan.output<uint32_t>(kChunks);
  const Array kept = plan.output<uint32_t>(kCount);
  plan.program("ballots.cl");
  plan.launch("keep_count", {values, places, kLimit}, kGlobal, kLocal);
  plan.launch("places_of", {places, cl_uint(kChunks)}, kSubGroup, kSubGroup);
  plan.launch("keep_write", {values, places, kept, kLimit}, kGlobal, kLocal);
  std::erase_if(all, [](uint32_t value) { return value >= kLimit; });
  all.resize(kCount); // zeros follow the values that are kept
  plan.expect(kept, all);
}

void add(Benchmarks &all) {
  all.push_back({
      .name = "radix-pass",
      .description = "512 Ki keys by 4 bits, with ballots",
      .amount = 1e-6 * kCount,
      .unit = "Mkey",
      .plan = describeRadixPass,
      .needs = kBallots,
  });
  all.push_back({
      .name = "compaction",
      .description = "3 of 8 among 512 Ki values in their order, with ballots",
      .amount = 1e-6 * kCount,
      .unit = "Mvalue",
      .plan = describeCompaction,
      .needs = kBallots,
  });
}

} // namespace ballots

// 64 Ki keys sorted by a bitonic network: many short launches, and barriers in local memory.
namespace bitonic_sort {

constexpr size_t kCount = size_t(1) << 16, kBlock = 512;

void describe(Plan &plan) {
  std::vector<uint32_t> keys = randomWords(kCount);
  const Array input = plan.input(keys), sorted = plan.output<uint32_t>(kCount);
  const cl::NDRange global(kCount / 2), local(kBlock / 2);
  plan.program("bitonic_sort.cl");
  plan.copy(input, sorted);
  plan.launch("sort_blocks", {sorted}, global, local);
  for (size_t length = 2 * kBlock; length <= kCount; length *= 2) {
    for (size_t distance = length / 2; distance >= kBlock; distance /= 2)
      plan.launch("merge_step", {sorted, cl_uint(length), cl_uint(distance)}, global, local);
    plan.launch("merge_blocks", {sorted, cl_uint(length)}, global, local);
  }
  std::sort(keys.begin(), keys.end());
  plan.expect(sorted, keys);
}

void add(Benchmarks &all) {
  all.push_back({
      .name = "bitonic-sort",
      .description = "64 Ki keys, in local memory where sequences fit",
      .amount = 1e-6 * kCount,
      .unit = "Mkey",
      .plan = describe,
  });
}

} // namespace bitonic_sort

// Counts how often each of 256 values occurs among 2 Mi bytes, with atomics on local memory.
namespace histogram {

constexpr size_t kCount = size_t(1) << 21, kGroups = 64;

// Returns bytes of which the dark ones are more frequent, as in photographs.
std::vector<uint8_t> randomBytes() {
  std::vector<uint8_t> bytes(kCount);
  const std::vector<uint32_t> words = randomWords(kCount);
  for (size_t i = 0; i < kCount; ++i)
    bytes[i] = uint8_t((words[i] & 0xff) * (words[i] >> 8 & 0xff) >> 8);
  return bytes;
}

void describe(Plan &plan) {
  const std::vector<uint8_t> bytes = randomBytes();
  std::vector<uint32_t> expected(256);
  for (const uint8_t byte : bytes)
    ++expected[byte];
  const Array values = plan.input(bytes), bins = plan.output<uint32_t>(256);
  plan.program("histogram.cl");
  plan.zero(bins);
  plan.launch("histogram", {values, cl_uint(kCount), bins}, {kGroups * 256}, {256});
  plan.expect(bins, expected);
}

void add(Benchmarks &all) {
  all.push_back({
      .name = "histogram",
      .description = "256 bins of 2 Mi bytes, counted by local atomics",
      .amount = 1e-9 * kCount,
      .unit = "Gvalue",
      .plan = describe,
      .native = reference(native::histogram, Array{0}, kCount, Array{1}),
  });
}

} // namespace histogram

// Atomic additions in global memory by 512 Ki work-items: atomics.<where>.
namespace atomics {

constexpr size_t kCount = size_t(1) << 19, kCounters = 1024;

std::vector<uint32_t> oddOnesSorted() {
  std::vector<uint32_t> values = randomWords(kCount);
  std::erase_if(values, [](uint32_t value) { return value % 2 == 0; });
  std::sort(values.begin(), values.end());
  return values;
}

void describeOne(Plan &plan) {
  const Array values = plan.input(randomWords(kCount)), counters = plan.output<uint32_t>(1);
  plan.program("atomics.cl");
  plan.zero(counters);
  plan.launch("one_counter", {values, counters}, {kCount}, {64});
  plan.expect(counters, std::vector{uint32_t(oddOnesSorted().size())});
}

void describeMany(Plan &plan) {
  const Array values = plan.input(randomWords(kCount)), counters = plan.output<uint32_t>(kCounters);
  plan.program("atomics.cl");
  plan.zero(counters);
  plan.launch("many_counters", {values, counters}, {kCount}, {64});
  std::vector<uint32_t> expected(kCounters);
  for (const uint32_t value : randomWords(kCount))
    ++expected[value % kCounters];
  plan.expect(counters, expected);
}

// The work-items append to the list in any order, so the check sorts it.
void describeAppend(Plan &plan) {
  const Array values = plan.input(randomWords(kCount)), counters = plan.output<uint32_t>(1);
  const Array list = plan.output<uint32_t>(kCount);
  plan.program("atomics.cl");
  plan.zero(counters);
  plan.launch("append", {values, counters, list}, {kCount}, {64});
  plan.expect(counters, std::vector{uint32_t(oddOnesSorted().size())});
  plan.check<uint32_t>(list, [expected = oddOnesSorted()](std::span<const uint32_t> result) {
    std::vector<uint32_t> got(result.begin(), result.begin() + ptrdiff_t(expected.size()));
    std::sort(got.begin(), got.end());
    if (got != expected)
      throw Mismatch("the list does not have the odd values");
  });
}

void add(Benchmarks &all) {
  const std::tuple<const char *, const char *, void (*)(Plan &)> kinds[] = {
      {"one", "half of 512 Ki work-items count in one place", describeOne},
      {"many", "512 Ki work-items count in 1024 places", describeMany},
      {"append", "half of 512 Ki work-items append to a list", describeAppend}};
  for (const auto &[where, description, plan] : kinds)
    all.push_back({
        .name = std::string("atomics.") + where,
        .description = description,
        .amount = 1e-6 * kCount,
        .unit = "Mitem",
        .plan = plan,
    });
}

} // namespace atomics

} // namespace

void addAlgorithms(Benchmarks &all) {
  reduction_scan::add(all);
  fft::add(all);
  ballots::add(all);
  bitonic_sort::add(all);
  histogram::add(all);
  atomics::add(all);
}

} // namespace bench
