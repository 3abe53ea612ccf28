// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// MD5 of short messages as password recovery computes it. A work-item has one message, or sixteen of them in vectors. A
// message is the 4 bytes of its number and 4 more; words are little-endian.
#ifdef VECTOR
typedef uint16 WORD;
#define NUMBERS(id) (16 * (id) + (uint16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
#else
typedef uint WORD;
#define NUMBERS(id) (id)
#endif

constant uint table[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};

WORD choose(WORD x, WORD y, WORD z) { return bitselect(z, y, x); }
WORD choose2(WORD x, WORD y, WORD z) { return bitselect(y, x, z); }
WORD parity(WORD x, WORD y, WORD z) { return x ^ y ^ z; }
WORD mixed(WORD x, WORD y, WORD z) { return y ^ (x | ~z); }

// Does 16 steps. Step i adds word (i * factor + first) of the message and rotates by one of four amounts.
#define ROUND(function, start, factor, first, r0, r1, r2, r3)                                                          \
  _Pragma("unroll") for (int i = 0; i < 16; ++i) {                                                                     \
    const uint amounts[4] = {r0, r1, r2, r3};                                                                          \
    const WORD sum = a + function(b, c, d) + message[(i * factor + first) % 16] + table[start + i];                    \
    a = d;                                                                                                             \
    d = c;                                                                                                             \
    c = b;                                                                                                             \
    b += rotate(sum, (WORD)(amounts[i % 4]));                                                                          \
  }

kernel void md5(global WORD *digests, uint tail) {
  const uint id = get_global_id(0), count = get_global_size(0);
  WORD message[16] = {NUMBERS(id), tail, 0x80};
  message[14] = 64;
  WORD a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
  ROUND(choose, 0, 1, 0, 7, 12, 17, 22)
  ROUND(choose2, 16, 5, 1, 5, 9, 14, 20)
  ROUND(parity, 32, 3, 5, 4, 11, 16, 23)
  ROUND(mixed, 48, 7, 0, 6, 10, 15, 21)
  digests[id] = a + 0x67452301;
  digests[count + id] = b + 0xefcdab89;
  digests[2 * count + id] = c + 0x98badcfe;
  digests[3 * count + id] = d + 0x10325476;
}
