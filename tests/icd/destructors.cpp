// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Destructors of program scope variables and of static variables in functions, and other things that happen at the end
// of a program.
#include "program_forms.hpp"
#include "spirv/module.hpp"

#include <catch2/catch.hpp>

#include <future>
#include <memory>
#include <utility>

using namespace lanecl::test;

namespace {

const char *const kCxx = "-cl-std=CLC++2021";

// Objects append their numbers to a list when they are destroyed. The host may provide the list's address, because
// there is no other way to see memory once the program is gone.
const char *const kPrelude = "global int *global entries;\n"
                             "void note(int id) { if (entries) entries[1 + entries[0]++] = id; }\n"
                             "struct S { int id; S(int a) : id(a) {} ~S() { note(id); } };\n"
                             "struct Known { int id; constexpr Known(int a) : id(a) {} ~Known() { note(id); } };\n"
                             "kernel void begin(global int *list) { entries = list; }\n";

class List {
public:
  explicit List(const Session &cl) : context(cl.context) {
    memory =
        static_cast<int *>(clSVMAlloc(context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, 64 * sizeof(int), 0));
    std::fill_n(memory, 64, 0);
  }
  List(const List &) = delete;
  List &operator=(const List &) = delete;
  ~List() { clSVMFree(context, memory); }

  std::vector<int> values() const { return std::vector<int>(memory + 1, memory + 1 + memory[0]); }

  // From now on the program appends to this list.
  void use(const Session &cl, const Program &program, const char *kernel = "begin") const {
    const Kernel begin = cl.kernel(program, kernel);
    check(clSetKernelArgSVMPointer(begin, 0, memory), "clSetKernelArgSVMPointer");
    const size_t one = 1;
    check(clEnqueueNDRangeKernel(cl.queue, begin, 1, nullptr, &one, nullptr, 0, nullptr, nullptr), "launch");
    check(clFinish(cl.queue), "clFinish");
  }

private:
  cl_context context;
  int *memory;
};

// Completes when the program is gone. The promise lives as long as the callback.
class End {
public:
  explicit End(const Program &program) {
    auto promise = std::make_unique<std::promise<void>>();
    gone = promise->get_future();
    check(clSetProgramReleaseCallback(
              program,
              [](cl_program, void *data) {
                std::unique_ptr<std::promise<void>>(static_cast<std::promise<void> *>(data))->set_value();
              },
              promise.release()),
          "clSetProgramReleaseCallback");
  }
  bool isReached() const { return gone.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }
  bool wait() const { return gone.wait_for(std::chrono::minutes(2)) == std::future_status::ready; }

private:
  std::future<void> gone;
};

std::vector<int> destroyed(const Session &cl, Program program) {
  const List list(cl);
  list.use(cl, program);
  CHECK(list.values().empty());
  const End end(program);
  program.reset();
  CHECK(end.wait());
  return list.values();
}

cl_bool has(const Program &program, cl_program_info what) {
  cl_bool answer = 2;
  check(clGetProgramInfo(program, what, sizeof answer, &answer, nullptr), "clGetProgramInfo");
  return answer;
}

std::string with(const std::string &text) {
  return kPrelude + text;
}

} // namespace

TEST_CASE("objects are destroyed in the reverse order of their construction", "[destructors]") {
  const Session cl;
  const std::string debugging = GENERATE("", " -g", " -g -cl-opt-disable");
  CHECK(destroyed(cl, cl.build(with("global S a(1), b(2); global S c[2] = {3, 4}; global Known d(5); global S e(6);"),
                               kCxx + debugging)) == std::vector<int>{6, 5, 4, 3, 2, 1});
}

TEST_CASE("clReleaseProgram waits for the destructors", "[destructors]") {
  const Session cl;
  Program program = cl.build(with("global S a(1);"), kCxx);
  const List list(cl);
  list.use(cl, program);
  program.reset();
  CHECK(list.values() == std::vector<int>{1});
}

TEST_CASE("kernels keep the objects of their program", "[destructors]") {
  const Session cl;
  const List list(cl);
  Program program = cl.build(with("global S a(1);"), kCxx);
  list.use(cl, program);
  Kernel kernel = cl.kernel(program, "begin");
  const End end(program);
  program.reset();
  CHECK_FALSE(end.isReached());
  CHECK(list.values().empty());
  kernel.reset();
  CHECK(end.wait());
  CHECK(list.values() == std::vector<int>{1});
}

TEST_CASE("another build destroys the objects of the last one", "[destructors]") {
  const Session cl;
  const List list(cl), next(cl);
  Program program = cl.build(with("global S a(ID);"), std::string(kCxx) + " -DID=1");
  list.use(cl, program);
  check(clBuildProgram(program, 1, &cl.device, "-cl-std=CLC++2021 -DID=2", nullptr, nullptr), "clBuildProgram");
  next.use(cl, program);
  const End end(program);
  program.reset();
  CHECK(end.wait());
  CHECK(list.values() == std::vector<int>{1});
  CHECK(next.values() == std::vector<int>{2});
}

TEST_CASE("objects of linked programs and of a binary are destroyed", "[destructors]") {
  const Session cl;
  const std::string other = "struct T { int id; T(int a); ~T(); };\n"
                            "global T other(7); kernel void touch(global int *p) { *p = other.id; }\n";
  Program program = linked(cl,
                           {with("struct T { int id; T(int a); ~T(); };\nT::T(int a) : id(a) {}\n"
                                 "T::~T() { note(id); }\n"
                                 "global S first(1); global S second(2);"),
                            other},
                           kCxx);
  Program loaded = fromBinary(cl, program);
  // The order of the sources is not specified, but the objects of each source have their own order.
  for (Program *form : {&program, &loaded}) {
    std::vector<int> values = destroyed(cl, std::move(*form));
    CHECK(std::erase(values, 7) == 1);
    CHECK(values == std::vector<int>{2, 1});
  }
}

TEST_CASE("static variables in functions are constructed once and destroyed", "[destructors]") {
  const Session cl;
  const std::string source =
      with("global S a(1); global int constructed;\n"
           "struct Counted : S { Counted(int a) : S(a) { "
           "atomic_fetch_add((global atomic_int *)&constructed, 1); } };\n"
           "int value(int i) { static Counted one(100); return one.id; }\n"
           "int never(int i) { static S two(3); return two.id; }\n"
           "__attribute__((intel_reqd_sub_group_size(WIDTH))) kernel void k(global int *out, int all) {\n"
           "  int i = get_global_id(0);\n"
           "  out[i] = i % 3 || all ? value(i) : 0; if (all == 2) out[i] = never(i); }\n"
           "kernel void count(global int *out) { *out = constructed; }\n");
  for (const auto &[width, local] : std::vector<std::pair<int, size_t>>{
           {8, 1}, {8, 13}, {8, 256}, {16, 13}, {16, 64}, {16, 256}, {32, 13}, {32, 64}, {32, 256}}) {
    CAPTURE(width, local);
    Program program = cl.build(source, std::string(kCxx) + " -DWIDTH=" + std::to_string(width));
    const size_t global = local * 8;
    Memory out = cl.bytes(global * sizeof(int)), count = cl.bytes(sizeof(int));
    cl.run(cl.kernel(program, "k"), {global}, {local}, out, 0);
    const std::vector<int> some = cl.read<int>(out);
    for (size_t i = 0; i < global; ++i)
      CHECK(some[i] == (i % 3 ? 100 : 0));
    cl.run(cl.kernel(program, "k"), {global}, {local}, out, 1);
    CHECK(cl.read<int>(out) == std::vector<int>(global, 100));
    cl.run(cl.kernel(program, "count"), {1}, {}, count);
    CHECK(cl.read<int>(count)[0] == 1);
    CHECK(has(program, CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT) == CL_TRUE);
    CHECK(destroyed(cl, std::move(program)) == std::vector<int>{100, 1});
  }
}

TEST_CASE("objects that destructors construct are destroyed first", "[destructors]") {
  const Session cl;
  CHECK(destroyed(cl, cl.build(with("void late() { static S object(8); }\n"
                                    "struct U { int id; U(int a) : id(a) {} ~U() { late(); "
                                    "note(id); } };\n"
                                    "global S a(1); global U u(2); global S b(3);"),
                               kCxx)) == std::vector<int>{3, 2, 8, 1});
}

TEST_CASE("each device destroys its own objects", "[destructors]") {
  const Session whole;
  cl_uint units = 0;
  check(clGetDeviceInfo(whole.device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, nullptr), "clGetDeviceInfo");
  if (units < 2)
    return;
  const cl_device_partition_property by[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 1,
                                             CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
  cl_device_id devices[2] = {};
  check(clCreateSubDevices(whole.device, by, 2, devices, nullptr), "clCreateSubDevices");
  cl_int code = CL_SUCCESS;
  Context context(clCreateContext(nullptr, 2, devices, nullptr, nullptr, &code));
  check(code, "clCreateContext");
  const std::string text = with("global S a(1);");
  const char *string = text.c_str();
  Program program(clCreateProgramWithSource(context, 1, &string, nullptr, &code));
  check(clBuildProgram(program, 2, devices, kCxx, nullptr, nullptr), "clBuildProgram");
  std::vector<std::unique_ptr<int[]>> lists; // the device can read all of the host's memory
  Kernel begin(clCreateKernel(program, "begin", &code));
  for (cl_device_id device : devices) {
    lists.push_back(std::make_unique<int[]>(64));
    const CommandQueue queue = makeQueue(context, 0, device);
    check(clSetKernelArgSVMPointer(begin, 0, lists.back().get()), "clSetKernelArgSVMPointer");
    const size_t one = 1;
    check(clEnqueueNDRangeKernel(queue, begin, 1, nullptr, &one, nullptr, 0, nullptr, nullptr), "launch");
    check(clFinish(queue), "clFinish");
  }
  const End end(program);
  begin.reset();
  program.reset();
  CHECK(end.wait());
  for (const auto &list : lists)
    CHECK(std::pair(list[0], list[1]) == std::pair(1, 1));
  for (cl_device_id device : devices)
    clReleaseDevice(device);
}

TEST_CASE("programs report whether they have constructors and destructors", "[destructors]") {
  const Session cl;
  const auto told = [&](const Program &program) {
    return std::pair(has(program, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT),
                     has(program, CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT));
  };
  using Answers = std::pair<cl_bool, cl_bool>;
  CHECK(told(cl.build(with("global S a(1);"), kCxx)) == Answers(CL_TRUE, CL_TRUE));
  CHECK(told(cl.build("struct P { int x; P(int a) : x(a) {} }; global P p(get_work_dim());"
                      "kernel void k(global int *out) { *out = p.x; }",
                      kCxx)) == Answers(CL_TRUE, CL_FALSE));
  CHECK(told(cl.build("kernel void k() {}")) == Answers(CL_FALSE, CL_FALSE));
  size_t kernels = 0;
  check(clGetProgramInfo(cl.build(with("global S a(1);"), kCxx), CL_PROGRAM_NUM_KERNELS, sizeof kernels, &kernels,
                         nullptr),
        "clGetProgramInfo");
  CHECK(kernels == 1);
}

TEST_CASE("release callbacks are called when the program is gone, the last one first", "[destructors]") {
  const Session cl;
  static std::vector<int> order;
  order.clear();
  Program program = cl.build(with("global S a(1);"), kCxx);
  const auto note = [](cl_program, void *number) { order.push_back(int(reinterpret_cast<intptr_t>(number))); };
  for (intptr_t i = 1; i <= 3; ++i)
    CHECK(clSetProgramReleaseCallback(program, note, reinterpret_cast<void *>(i)) == CL_SUCCESS);
  CHECK(clSetProgramReleaseCallback(program, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clSetProgramReleaseCallback(nullptr, note, nullptr) == CL_INVALID_PROGRAM);
  CHECK(clSetProgramReleaseCallback(cl.build("kernel void k() {}"), note, nullptr) == CL_INVALID_OPERATION);
  CHECK(clSetProgramReleaseCallback(cl.source("kernel void k() {}"), note, nullptr) == CL_INVALID_OPERATION);
  check(clRetainProgram(program), "clRetainProgram");
  check(clReleaseProgram(program), "clReleaseProgram");
  CHECK(order.empty());
  program.reset();
  CHECK(order == std::vector<int>{3, 2, 1});
}

TEST_CASE("SPIR-V has initializers and finalizers", "[destructors]") {
  const Session cl;
  Program program = buildIl(cl, "initializer");
  CHECK(has(program, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT) == CL_TRUE);
  CHECK(has(program, CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT) == CL_TRUE);
  char names[64] = {};
  check(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, nullptr), "clGetProgramInfo");
  CHECK(names == std::string("begin"));
  CHECK(destroyed(cl, std::move(program)) == std::vector<int>{42});
}
