// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Private arrays of up to several GiB for each work-item. They must work, or be refused with an error code. Work-items
// access few of the elements, so that few pages are needed.
#include "each_item.hpp"

#include <catch2/catch.hpp>

using namespace lanecl::test;

namespace {

constexpr size_t kMiB = size_t{1} << 20;

// Stores to the first, the last and some element in between, through indices that the compiler does not know. If
// accesses have a second size, each work-item gets an array of its own; otherwise the elements of all lanes are next to
// each other.
const char *const kSource = R"(
KERNEL void k(global const int *in, global int *out, ulong first, ulong last) {
  uint i = get_global_id(0);
  int big[COUNT];
  ulong at = (ulong)in[i] * 7919 * 104729 % COUNT;
  big[first] = in[i];
  big[last] = in[i] + 1;
#if APART
  ((private short *)big)[at * 2] = 0;
  ((private short *)big)[at * 2 + 1] = 0;
#endif
  big[at] = in[i] + 2;
#if WAITS
  local int tile[64];
  tile[get_local_id(0)] = big[last];
  barrier(CLK_LOCAL_MEM_FENCE);
  big[at] += tile[0];
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  out[i] = big[first] * 3 + big[last] * 5 + big[at] * 7;
})";

struct Case {
  size_t bytes; // size of an array
  size_t width, local;
  bool waits, apart;
};

int expected(const Case &c, const std::vector<int> &in, size_t i) {
  const size_t count = c.bytes / 4, at = uint64_t(in[i]) * 7919 * 104729 % count;
  int first = in[i], last = in[i] + 1, some = in[i] + 2;
  const auto store = [&](int value) {
    some = value;
    if (at == 0)
      first = value;
    if (at == count - 1)
      last = value;
  };
  store(some);
  if (c.waits) {
    const size_t leader = i / c.local * c.local;
    const size_t leaders_at = uint64_t(in[leader]) * 7919 * 104729 % count;
    store(some + (leaders_at == count - 1 ? in[leader] + 2 : in[leader] + 1));
  }
  return first * 3 + last * 5 + some * 7;
}

// Returns CL_SUCCESS if the results are right, or the error code of the refusal.
cl_int codeOf(const Session &cl, const Case &c) {
  const Program program =
      buildForWidth(cl,
                    "#define COUNT " + std::to_string(c.bytes / 4) + "ul\n#define WAITS " + std::to_string(c.waits) +
                        "\n#define APART " + std::to_string(c.apart) + "\n" + kSource,
                    c.width);
  const Kernel kernel = cl.kernel(program, "k");
  const std::vector<int> in = mixedInput(c.local);
  const Memory input = cl.buffer(in), out = cl.buffer(std::vector<int>(c.local, -1));
  cl.setArguments(kernel, input, out, cl_ulong(0), cl_ulong(c.bytes / 4 - 1));
  Event event;
  if (const cl_int code =
          clEnqueueNDRangeKernel(cl.queue, kernel, 1, nullptr, &c.local, &c.local, 0, nullptr, event.out()))
    return code;
  clWaitForEvents(1, event.address());
  cl_int status = 1;
  check(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr), "clGetEventInfo");
  if (status != CL_COMPLETE)
    return status;
  const std::vector<int> got = cl.read<int>(out);
  for (size_t i = 0; i < c.local; ++i)
    CHECK(got[i] == expected(c, in, i));
  return CL_SUCCESS;
}

void checkSizes(bool waits, bool apart) {
  const Session cl;
  for (const size_t width : widthsInTurn())
    for (const size_t mib :
         {16, 31, 32, 33, 48, 63, 64, 65, 96, 127, 128, 129, 255, 256, 257, 512, 1023, 1024, 2048, 4096, 8192, 65536})
      for (const ptrdiff_t more : {-4, 0, 4}) {
        if (more != 0 && !runsEverything() && (mib & (mib - 1)) != 0)
          continue;
        const Case c{mib * kMiB + size_t(more), width, mib % 2 == 0 ? size_t{64} : size_t{37}, waits, apart};
        INFO(c.bytes << " bytes, sub-groups of " << width << ", " << c.local << " work-items"
                     << (waits ? " with a barrier" : "") << (apart ? ", apart" : ""));
        const cl_int code = codeOf(cl, c);
        CHECK((code == CL_SUCCESS || code == CL_OUT_OF_RESOURCES));
        if (mib <= 32) // 2 GiB for a work-group
          CHECK(code == CL_SUCCESS);
      }
}

} // namespace

TEST_CASE("large private arrays without a barrier", "[large_private_arrays]") {
  checkSizes(false, false);
}

TEST_CASE("large private arrays that are live across a barrier", "[large_private_arrays]") {
  checkSizes(true, false);
}

TEST_CASE("large private arrays with a separate array for each work-item", "[large_private_arrays]") {
  checkSizes(false, true);
  checkSizes(true, true);
}

TEST_CASE("private arrays too large for any machine are refused with a message", "[large_private_arrays]") {
  const Session cl;
  std::string told;
  const auto note = [](const char *message, const void *, size_t, void *to) {
    *static_cast<std::string *>(to) += message;
  };
  Session listening;
  cl_int code = 1;
  listening.context = Context(clCreateContext(nullptr, 1, &listening.device, note, &told, &code));
  REQUIRE(code == CL_SUCCESS);
  listening.queue = makeQueue(listening.context, 0, listening.device);
  for (const size_t width : widthsInTurn())
    for (const unsigned shift : {36, 38, 40, 50, 58, 60}) {
      INFO("2^" << shift << " bytes, sub-groups of " << width);
      told.clear();
      CHECK(codeOf(listening, {size_t{1} << shift, width, 64, false, false}) == CL_OUT_OF_RESOURCES);
      CHECK_THAT(told, Catch::Contains("private memory"));
    }
}
