// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// MD5 and SHA-256 of messages of two words. A word's type may be a number, or a vector with a message in each lane.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bench::native {

inline constexpr uint32_t kMd5Table[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};

inline constexpr uint32_t kMd5Start[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};

inline constexpr uint32_t kSha256Table[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

inline constexpr uint32_t kSha256Start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                             0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

template <typename Word> Word rotateLeft(Word x, unsigned amount) {
  return x << amount | x >> (32 - amount);
}

// MD5 as RFC 1321 defines it; its words are little-endian.
template <typename Word> void md5(Word number, uint32_t tail, Word (&digest)[4]) {
  constexpr unsigned kAmounts[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
  constexpr unsigned kFactors[4] = {1, 5, 3, 7}, kFirst[4] = {0, 1, 5, 0};
  Word message[16] = {number};
  message[1] += tail;
  message[2] += 0x80u;
  message[14] += 64u;
  Word a{}, b{}, c{}, d{};
  a += kMd5Start[0], b += kMd5Start[1], c += kMd5Start[2], d += kMd5Start[3];
#pragma clang loop unroll(full)
  for (unsigned i = 0; i < 64; ++i) {
    const unsigned round = i / 16;
    const Word mixed = round == 0   ? (b & c) | (~b & d)
                       : round == 1 ? (b & d) | (c & ~d)
                       : round == 2 ? b ^ c ^ d
                                    : c ^ (b | ~d);
    const Word sum = a + mixed + message[(i * kFactors[round] + kFirst[round]) % 16] + kMd5Table[i];
    a = d, d = c, c = b;
    b += rotateLeft(sum, kAmounts[round][i % 4]);
  }
  digest[0] = a + kMd5Start[0], digest[1] = b + kMd5Start[1];
  digest[2] = c + kMd5Start[2], digest[3] = d + kMd5Start[3];
}

// SHA-256 as FIPS 180-4 defines it; its words are big-endian.
template <typename Word> void sha256(Word number, uint32_t tail, Word (&digest)[8]) {
  Word w[16] = {number};
  w[1] += tail;
  w[2] += 0x80000000u;
  w[15] += 64u;
  const auto right = [](Word x, unsigned amount) { return rotateLeft(x, 32 - amount); };
  Word s[8] = {};
  for (size_t i = 0; i < 8; ++i)
    s[i] += kSha256Start[i];
#pragma clang loop unroll(full)
  for (size_t i = 0; i < 64; ++i) {
    if (i >= 16) {
      const Word early = w[(i + 1) % 16], late = w[(i + 14) % 16];
      w[i % 16] += (right(early, 7) ^ right(early, 18) ^ early >> 3) + w[(i + 9) % 16] +
                   (right(late, 17) ^ right(late, 19) ^ late >> 10);
    }
    const Word t1 = s[7] + (right(s[4], 6) ^ right(s[4], 11) ^ right(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) +
                    kSha256Table[i] + w[i % 16];
    const Word t2 =
        (right(s[0], 2) ^ right(s[0], 13) ^ right(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
    for (size_t j = 7; j > 0; --j)
      s[j] = s[j - 1];
    s[4] += t1;
    s[0] = t1 + t2;
  }
  for (size_t i = 0; i < 8; ++i)
    digest[i] = s[i] + kSha256Start[i];
}

} // namespace bench::native
