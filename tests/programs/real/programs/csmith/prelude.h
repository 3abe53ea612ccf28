// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What Csmith's programs and its safe_math.h expect of <stdint.h>, as C++ for OpenCL and natively. The limits are
// spelled out, since their types differ between the two.
#ifdef __OPENCL_CPP_VERSION__
typedef char int8_t;
typedef uchar uint8_t;
typedef short int16_t;
typedef ushort uint16_t;
typedef int int32_t;
typedef uint uint32_t;
typedef long int64_t;
typedef ulong uint64_t;
#else
#include <stddef.h>
#include <stdint.h>
#undef INT8_MIN
#undef INT8_MAX
#undef UINT8_MAX
#undef INT16_MIN
#undef INT16_MAX
#undef UINT16_MAX
#undef INT32_MIN
#undef INT32_MAX
#undef UINT32_MAX
#undef INT64_MIN
#undef INT64_MAX
#undef UINT64_MAX
#endif
#undef CHAR_BIT
#undef INT_MAX

#define INT8_MIN (-128)
#define INT8_MAX 127
#define UINT8_MAX 255
#define INT16_MIN (-32768)
#define INT16_MAX 32767
#define UINT16_MAX 65535
#define INT32_MIN (-2147483647 - 1)
#define INT32_MAX 2147483647
#define UINT32_MAX 4294967295U
#define INT64_MIN (-9223372036854775807L - 1)
#define INT64_MAX 9223372036854775807L
#define UINT64_MAX 18446744073709551615UL
#define CHAR_BIT 8
#define INT_MAX 2147483647

#define STATIC static
#define FUNC_NAME(name) safe_##name
#define UNDEFINED(x) (x)
#define LOG_INDEX
#define LOG_EXEC
