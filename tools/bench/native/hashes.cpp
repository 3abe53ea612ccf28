// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// MD5 and SHA-256 of many messages, 16 at a time.
#include "hashes.h"
#include "native.h"
#include "parallel.h"
#include "vector.h"

namespace bench::native {

namespace {

using Words16 = uint32_t __attribute__((ext_vector_type(16)));

// Hashes the messages 0 to count - 1, sixteen at a time with a message in each lane.
template <size_t Words>
void hashAll(void (*hash)(Words16, uint32_t, Words16 (&)[Words]), uint32_t tail, uint32_t *digests, size_t count) {
  inRanges(count, 4096, [=](size_t begin, size_t end) {
    for (size_t i = begin; i < end; i += kLanes) {
      Words16 numbers, digest[Words];
      for (size_t lane = 0; lane < kLanes; ++lane)
        numbers[lane] = uint32_t(i + lane);
      hash(numbers, tail, digest);
      for (size_t word = 0; word < Words; ++word)
        std::memcpy(digests + word * count + i, &digest[word], sizeof digest[word]);
    }
  });
}

} // namespace

void md5OfNumbers(uint32_t tail, uint32_t *digests, size_t count) {
  hashAll<4>(md5<Words16>, tail, digests, count);
}

void sha256OfNumbers(uint32_t tail, uint32_t *digests, size_t count) {
  hashAll<8>(sha256<Words16>, tail, digests, count);
}

} // namespace bench::native
