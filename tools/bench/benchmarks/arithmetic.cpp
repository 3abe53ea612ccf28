// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Benchmarks that arithmetic limits, some of them with divergent loops.
#include "../benchmark.h"
#include "../data.h"
#include "../native/hashes.h"
#include "../native/native.h"

#include <thread>

namespace bench {

namespace {

// As many work-groups as there are threads, each with the same long work. The slowest thread decides the time.
namespace heavy_groups {

constexpr size_t kGroup = 64;
constexpr uint32_t kRounds = 1 << 17;

size_t itemCount() {
  return kGroup * std::max(1u, std::thread::hardware_concurrency());
}

uint32_t stateOf(size_t item) {
  uint32_t x = 2654435761u * uint32_t(item + 1);
  for (uint32_t round = 0; round < kRounds; ++round) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
  }
  return x;
}

void describe(Plan &plan) {
  const Array states = plan.output<uint32_t>(itemCount());
  plan.program("heavy_groups.cl");
  plan.launch("heavy", {states, kRounds}, {itemCount()}, {kGroup});
  plan.expect(states, generate(itemCount(), stateOf));
}

void add(Benchmarks &all) {
  all.push_back({
      .name = "heavy-groups",
      .description = "as many work-groups as threads, 128 Ki rounds of integers in each",
      .amount = 6e-9 * double(itemCount()) * kRounds,
      .unit = "GOP",
      .plan = describe,
      .native = reference(native::randomStates, Array{0}, itemCount(), kRounds),
  });
}

} // namespace heavy_groups

// The accelerations of 4096 bodies by gravity, each computed from all of them.
namespace nbody {

constexpr size_t kCount = 4096;
constexpr float kSoftening = 0.01f;

// Returns x, y, z and the mass of each body. All masses together are about 1.
std::vector<float> randomBodies() {
  std::vector<float> bodies = randomFloats(4 * kCount);
  for (size_t i = 0; i < kCount; ++i)
    bodies[4 * i + 3] = (1 + bodies[4 * i + 3]) / kCount;
  return bodies;
}

std::vector<float> accelerationsOf(const std::vector<float> &bodies) {
  std::vector<float> result(4 * kCount);
  for (size_t i = 0; i < kCount; ++i) {
    double sum[3] = {};
    for (size_t j = 0; j < kCount; ++j) {
      double d[3], square = kSoftening;
      for (int axis = 0; axis < 3; ++axis) {
        d[axis] = double(bodies[4 * j + axis]) - bodies[4 * i + axis];
        square += d[axis] * d[axis];
      }
      const double force = bodies[4 * j + 3] / (square * std::sqrt(square));
      for (int axis = 0; axis < 3; ++axis)
        sum[axis] += force * d[axis];
    }
    std::copy(sum, sum + 3, &result[4 * i]);
  }
  return result;
}

void describe(Plan &plan) {
  const std::vector<float> all = randomBodies();
  const Array bodies = plan.input(all), result = plan.output<float>(4 * kCount);
  plan.program("nbody.cl");
  plan.launch("accelerations", {bodies, result, cl_int(kCount), kSoftening}, {kCount}, {256});
  plan.expect(result, accelerationsOf(all), 1e-5);
}

void add(Benchmarks &all) {
  all.push_back({
      .name = "n-body",
      .description = "accelerations of 4096 bodies, through local memory",
      .amount = 20e-9 * kCount * kCount,
      .unit = "GFLOP",
      .plan = describe,
      .native = reference(native::accelerations, Array{0}, Array{1}, kCount, kSoftening),
  });
}

} // namespace nbody

// The value of 512 Ki European options: exponentials, logarithms, roots and divisions.
namespace black_scholes {

constexpr size_t kCount = size_t(1) << 19;
constexpr float kRate = 0.02f, kVolatility = 0.3f;

double normal(double d) {
  return 0.5 * std::erfc(-d * std::sqrt(0.5));
}

void describe(Plan &plan) {
  const std::vector<float> price = randomFloats(kCount, 5, 30, 1), strike = randomFloats(kCount, 1, 100, 2),
                           year = randomFloats(kCount, 0.25f, 10, 3);
  const Array prices = plan.input(price), strikes = plan.input(strike), years = plan.input(year);
  const Array calls = plan.output<float>(kCount), puts = plan.output<float>(kCount);
  plan.program("black_scholes.cl");
  plan.launch("black_scholes", {prices, strikes, years, calls, puts, kRate, kVolatility}, {kCount}, {128});

  std::vector<float> call(kCount), put(kCount);
  for (size_t i = 0; i < kCount; ++i) {
    const double s = price[i], x = strike[i], t = year[i], v = kVolatility, deviation = v * std::sqrt(t);
    const double d1 = (std::log(s / x) + (kRate + 0.5 * v * v) * t) / deviation, d2 = d1 - deviation;
    const double discounted = x * std::exp(-kRate * t);
    call[i] = float(s * normal(d1) - discounted * normal(d2));
    put[i] = float(discounted * normal(-d2) - s * normal(-d1));
  }
  plan.expect(calls, call, 5e-5);
  plan.expect(puts, put, 5e-5);
}

void add(Benchmarks &all) {
  all.push_back({
      .name = "black-scholes",
      .description = "512 Ki European options",
      .amount = 1e-6 * kCount,
      .unit = "Moption",
      .plan = describe,
      .native =
          reference(native::blackScholes, Array{0}, Array{1}, Array{2}, Array{3}, Array{4}, kCount, kRate, kVolatility),
  });
}

} // namespace black_scholes

// sin, cos, exp, log and sqrt, in float, half and double: transcendental.<type>.
namespace transcendental {

constexpr size_t kCount = size_t(1) << 17;
constexpr int kRounds = 8;

double afterAllRounds(double x) {
  for (int round = 0; round < kRounds; ++round)
    x = std::sin(x) * 0.5 + std::cos(x) * 0.125 + std::exp(-x * x) * 0.25 + std::log(1 + x * x) * 0.25 +
        std::sqrt(x) * 0.125;
  return x;
}

template <typename T> void describe(Plan &plan, const char *options, double tolerance) {
  const std::vector<float> values = randomFloats(kCount, 0, 1.5f);
  const std::vector<T> start(values.begin(), values.end());
  const Array in = plan.input(start), out = plan.output<T>(kCount);
  plan.program("transcendental.cl", options);
  plan.launch("mix_functions", {in, out, kRounds}, {kCount}, {128});
  plan.expect(out, generate(kCount, [&](size_t i) { return T(afterAllRounds(double(start[i]))); }), tolerance);
}

template <typename T>
void add(Benchmarks &all, const char *type, const char *options, double tolerance, std::vector<std::string> needs) {
  all.push_back({
      .name = std::string("transcendental.") + type,
      .description = "sin, cos, exp, log and sqrt, 8 rounds for each of 128 Ki values",
      .amount = 1e-6 * kCount * kRounds * 5,
      .unit = "Mcall",
      .plan = [=](Plan &plan) { describe<T>(plan, options, tolerance); },
      .needs = std::move(needs),
  });
}

void add(Benchmarks &all) {
  add<float>(all, "float", "", 1e-5, {});
  add<_Float16>(all, "half", "-DHALF", 0.02, {"cl_khr_fp16"});
  add<double>(all, "double", "-DDOUBLE", 1e-13, {"cl_khr_fp64"});
}

} // namespace transcendental

// Ray marching through a scene of spheres, 512 x 512 rays of up to 96 steps: a divergent loop with square roots.
namespace ray_march {

constexpr size_t kSize = 512;
constexpr float kScale = 2.0f / kSize, kFar = 30;
constexpr int kSteps = 96;

float distanceToScene(float x, float y, float z) {
  const float row_x = x - 2.0f * std::floor(std::fma(x, 0.5f, 0.5f));
  const float row_z = z - 2.0f * std::floor(std::fma(z, 0.5f, 0.5f));
  return std::sqrt(std::fma(row_x, row_x, std::fma(y, y, row_z * row_z))) - 0.6f;
}

float depthOf(size_t column, size_t row) {
  const float u = std::fma(float(column), kScale, -1.0f), v = std::fma(float(row), kScale, -1.0f);
  const float length = 1.0f / std::sqrt(std::fma(u, u, std::fma(v, v, 1.0f)));
  const float dx = u * length, dy = v * length, dz = length;
  float t = 0;
  for (int step = 0; step < kSteps && t < kFar; ++step) {
    const float distance = distanceToScene(std::fma(dx, t, 0.3f), std::fma(dy, t, 1.5f), std::fma(dz, t, 0.2f));
    if (distance < 0.001f)
      break;
    t += distance;
  }
  return t;
}

// A device's square root may be less accurate than the host's, and a ray that grazes a sphere then misses it. One ray
// in a thousand may differ.
void verifyDepths(std::span<const float> expected, std::span<const float> depths) {
  size_t different = 0;
  for (size_t i = 0; i < depths.size(); ++i)
    different += !(std::abs(depths[i] - expected[i]) <= 0.01f);
  if (different > depths.size() / 1000)
    throw Mismatch(std::to_string(different) + " rays end elsewhere");
}

void describe(Plan &plan) {
  const Array depths = plan.output<float>(kSize * kSize);
  plan.program("ray_march.cl");
  plan.launch("march", {depths, kScale, kSteps, kFar}, {kSize, kSize}, {16, 8});
  plan.check<float>(depths, [expected = generate(kSize * kSize, [](size_t i) {
                               return depthOf(i % kSize, i / kSize);
                             })](std::span<const float> result) { verifyDepths(expected, result); });
}

void add(Benchmarks &all) {
  all.push_back({
      .name = "ray-march",
      .description = "512 x 512 rays through a scene of spheres",
      .amount = 1e-6 * kSize * kSize,
      .unit = "Mray",
      .plan = describe,
  });
}

} // namespace ray_march

// MD5 and SHA-256 of 128 Ki messages of 8 bytes: <hash>.<scalar or vector>.<local size>. A work-item hashes one
// message, or sixteen of them in vectors. The local size is 1 or 64.
namespace hashes {

constexpr size_t kCount = size_t(1) << 17;
constexpr uint32_t kTail = 0x34333231;

struct Hash {
  const char *name;
  size_t words; // words of a digest
  std::vector<uint32_t> (*digestOf)(uint32_t number, uint32_t tail);
  void (*native)(uint32_t tail, uint32_t *digests, size_t count);
  // The message "12345678" as two words, and the first word of its digest. They check the reference itself.
  uint32_t first, second, known;
};

std::vector<uint32_t> md5Of(uint32_t number, uint32_t tail) {
  uint32_t digest[4];
  native::md5(number, tail, digest);
  return {digest, digest + 4};
}

std::vector<uint32_t> sha256Of(uint32_t number, uint32_t tail) {
  uint32_t digest[8];
  native::sha256(number, tail, digest);
  return {digest, digest + 8};
}

constexpr Hash kHashes[] = {
    {"md5", 4, md5Of, native::md5OfNumbers, 0x34333231, 0x38373635, 0xd25ad525},
    {"sha256", 8, sha256Of, native::sha256OfNumbers, 0x31323334, 0x35363738, 0xef797c81},
};

// Returns word 0 of all digests, then word 1 of all, and so on, as the kernels write them.
std::vector<uint32_t> allDigests(const Hash &hash) {
  if (hash.digestOf(hash.first, hash.second).front() != hash.known)
    throw Mismatch("the host computes a wrong digest of a known message");
  std::vector<uint32_t> digests(hash.words * kCount);
  for (size_t i = 0; i < kCount; ++i) {
    const std::vector<uint32_t> digest = hash.digestOf(uint32_t(i), kTail);
    for (size_t word = 0; word < hash.words; ++word)
      digests[word * kCount + i] = digest[word];
  }
  return digests;
}

void describe(Plan &plan, const Hash &hash, bool in_vectors, size_t local) {
  const Array digests = plan.output<uint32_t>(hash.words * kCount);
  plan.program(hash.name + std::string(".cl"), in_vectors ? "-DVECTOR" : "");
  plan.launch(hash.name, {digests, kTail}, {in_vectors ? kCount / 16 : kCount}, {local});
  plan.expect(digests, allDigests(hash));
}

void add(Benchmarks &all) {
  for (const Hash &hash : kHashes)
    for (const bool in_vectors : {false, true})
      for (const size_t local : {1, 64})
        all.push_back({
            .name = std::string(hash.name) + (in_vectors ? ".vector." : ".scalar.") + std::to_string(local),
            .description = (in_vectors ? "16 messages for each work-item, groups of "
                                       : "a message for each work-item, groups of ") +
                           std::to_string(local),
            .amount = 1e-6 * kCount,
            .unit = "Mhash",
            .plan = [=, &hash](Plan &plan) { describe(plan, hash, in_vectors, local); },
            .native = reference(hash.native, kTail, Array{0}, kCount),
        });
}

} // namespace hashes

// The Mandelbrot set, 2048 x 2048 pixels, at most 256 iterations: a divergent loop.
namespace mandelbrot {

constexpr size_t kSize = 2048;
constexpr uint32_t kLimit = 256;
constexpr float kLeft = -2, kTop = -1.25f, kStep = 2.5f / kSize;

uint32_t iterationsAt(size_t column, size_t row) {
  const float cx = std::fma(float(column), kStep, kLeft), cy = std::fma(float(row), kStep, kTop);
  float x = cx, y = cy;
  uint32_t count = 0;
  for (; count < kLimit; ++count) {
    const float square = y * y;
    if (std::fma(x, x, square) > 4)
      break;
    const float next = std::fma(x, x, std::fma(-y, y, cx));
    y = std::fma(x + x, y, cy);
    x = next;
  }
  return count;
}

void describe(Plan &plan) {
  const Array image = plan.output<uint32_t>(kSize * kSize);
  plan.program("mandelbrot.cl");
  plan.launch("mandelbrot", {image, kLeft, kTop, kStep, kLimit}, {kSize, kSize}, {64, 1});
  plan.expect(image, generate(kSize * kSize, [](size_t i) { return iterationsAt(i % kSize, i / kSize); }));
}

void add(Benchmarks &all) {
  all.push_back({
      .name = "mandelbrot",
      .description = "2048 x 2048 pixels, up to 256 iterations",
      .amount = 1e-6 * kSize * kSize,
      .unit = "Mpixel",
      .plan = describe,
      .native = reference(native::mandelbrot, Array{0}, kSize, kSize, kLeft, kTop, kStep, kLimit),
  });
}

} // namespace mandelbrot

} // namespace

void addArithmetic(Benchmarks &all) {
  heavy_groups::add(all);
  nbody::add(all);
  black_scholes::add(all);
  transcendental::add(all);
  ray_march::add(all);
  hashes::add(all);
  mandelbrot::add(all);
}

} // namespace bench
