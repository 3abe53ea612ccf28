// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// SHA-256 of short messages. A work-item has one message, or sixteen of them in vectors. A message is the 4 bytes of
// its number and 4 more; words are big-endian.
#ifdef VECTOR
typedef uint16 WORD;
#define NUMBERS(id) (16 * (id) + (uint16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
#else
typedef uint WORD;
#define NUMBERS(id) (id)
#endif

constant uint table[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
constant uint start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                          0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

WORD right(WORD x, uint amount) { return rotate(x, (WORD)(32 - amount)); }

kernel void sha256(global WORD *digests, uint tail) {
  const uint id = get_global_id(0), count = get_global_size(0);
  WORD w[16] = {NUMBERS(id), tail, 0x80000000};
  w[15] = 64;
  WORD s[8];
#pragma unroll
  for (int i = 0; i < 8; ++i)
    s[i] = start[i];
  // Sixteen rounds at a time. If all rounds were unrolled, the code would not fit into a cache for instructions.
  for (int block = 0; block < 64; block += 16) {
    if (block > 0)
#pragma unroll
      for (int i = 0; i < 16; ++i) {
        const WORD early = w[(i + 1) % 16], late = w[(i + 14) % 16];
        w[i] += (right(early, 7) ^ right(early, 18) ^ early >> 3) + w[(i + 9) % 16] +
                (right(late, 17) ^ right(late, 19) ^ late >> 10);
      }
#pragma unroll
    for (int i = 0; i < 16; ++i) {
      const WORD t1 = s[7] + (right(s[4], 6) ^ right(s[4], 11) ^ right(s[4], 25)) + bitselect(s[6], s[5], s[4]) +
                      table[block + i] + w[i];
      const WORD t2 = (right(s[0], 2) ^ right(s[0], 13) ^ right(s[0], 22)) + bitselect(s[0], s[1], s[2] ^ s[0]);
#pragma unroll
      for (int j = 7; j > 0; --j)
        s[j] = s[j - 1];
      s[4] += t1;
      s[0] = t1 + t2;
    }
  }
#pragma unroll
  for (int i = 0; i < 8; ++i)
    digests[i * count + id] = s[i] + start[i];
}
