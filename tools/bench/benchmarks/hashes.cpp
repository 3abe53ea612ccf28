// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// MD5 and SHA-256 of 128 Ki messages of 8 bytes: <hash>.<scalar or vector>.<local size>. A work-item hashes one
// message, or sixteen of them in vectors. The local size is 1 or 64.
#include "../native/hashes.h"
#include "../data.h"
#include "../native/native.h"
#include "../workload.h"

#include <algorithm>

namespace bench {

namespace {

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

Benchmark hashBenchmark(const Hash &hash, bool in_vectors, size_t local) {
  const size_t items = in_vectors ? kCount / 16 : kCount;
  return benchmarkOf({
      .name = std::string(hash.name) + (in_vectors ? ".vector." : ".scalar.") + std::to_string(local),
      .description = std::string(in_vectors ? "16 messages" : "a message") + " for each work-item, groups of " +
                     std::to_string(local),
      .amount = 1e-6 * kCount,
      .unit = "Mhash",
      .plan =
          [=, &hash](Plan &plan) {
            const Array digests = plan.output<uint32_t>(hash.words * kCount);
            plan.program(hash.name + std::string(".cl"), in_vectors ? "-DVECTOR" : "");
            plan.launch(hash.name, {digests, kTail}, {items}, {local});
            plan.expect(digests, allDigests(hash));
          },
      .native = [&hash](HostArrays &arrays) { hash.native(kTail, arrays.out<uint32_t>(0), kCount); },
  });
}

} // namespace

std::vector<Benchmark> hashes() {
  std::vector<Benchmark> benchmarks;
  for (const Hash &hash : kHashes)
    for (const bool in_vectors : {false, true})
      for (const size_t local : {1, 64})
        benchmarks.push_back(hashBenchmark(hash, in_vectors, local));
  return benchmarks;
}

} // namespace bench
