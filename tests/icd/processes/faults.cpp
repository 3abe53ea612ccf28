// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Faults inside kernels: the messages about them, and that they take the course that the program has chosen. The faults
// of each scenario happen in forked processes, whose stderr is read.
#include "support/session.hpp"

#include <atomic>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <thread>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace lanecl::test;

namespace {

constexpr int kGood = 7; // an exit code that no process has by chance
constexpr size_t kPage = 4096;

void require(bool condition, const std::string &what) {
  if (condition)
    return;
  std::fprintf(stderr, "%s\n", what.c_str());
  _exit(1);
}

struct Outcome {
  int status = 0; // as returned by waitpid()
  std::string text;

  bool diedOf(int signal) const { return WIFSIGNALED(status) && WTERMSIG(status) == signal; }
  bool exitedWith(int code) const { return WIFEXITED(status) && WEXITSTATUS(status) == code; }
  bool says(const std::string &part) const { return text.find(part) != std::string::npos; }
  void mustSay(const std::string &part) const { require(says(part), "no '" + part + "' in:\n" + text); }
};

// Runs `body` in a process of its own, which does not leave a core file.
Outcome inChild(const std::function<void()> &body) {
  int ends[2];
  require(pipe(ends) == 0, "pipe failed");
  const pid_t child = fork();
  require(child >= 0, "fork failed");
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    alarm(60);
    body();
    _exit(0);
  }
  close(ends[1]);
  Outcome outcome;
  char bytes[4096];
  for (ssize_t count = 0; (count = read(ends[0], bytes, sizeof bytes)) > 0;)
    outcome.text.append(bytes, size_t(count));
  close(ends[0]);
  require(waitpid(child, &outcome.status, 0) == child, "waitpid failed");
  return outcome;
}

// Returns two pages, the second of which must not be accessed.
char *guardedPage() {
  void *pages = mmap(nullptr, 2 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  require(pages != MAP_FAILED, "mmap failed");
  mprotect(static_cast<char *>(pages) + kPage, kPage, PROT_NONE);
  return static_cast<char *>(pages);
}

const char *const kBeyond = "kernel void beyond(global const int *from, global int *to, int by) {\n"
                            "  size_t i = get_global_id(0);\n"
                            "  int value = from[i];\n"
                            "  to[i + by] = value;\n"
                            "}\n";

struct Launch {
  std::string options;
  std::vector<size_t> global{64}, local{16};
  int by = 1024;
};

// Runs a kernel that writes past the end of a page.
void runBeyond(const Launch &launch) {
  const Session cl;
  const Program program = cl.build(kBeyond, launch.options);
  const Memory from = cl.buffer(std::vector<int>(1024, 1));
  const Memory to = cl.bytes(kPage, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, guardedPage());
  cl.run(cl.kernel(program, "beyond"), launch.global, launch.local, from, to, launch.by);
}

void describesAWrite() {
  const Outcome outcome = inChild([] { runBeyond({}); });
  require(outcome.diedOf(SIGSEGV), "not ended by SIGSEGV:\n" + outcome.text);
  outcome.mustSay("SIGSEGV in kernel 'beyond', writing to 0x");
  outcome.mustSay("bytes past the end of a buffer (4096 bytes, argument 1 'to')");
  outcome.mustSay("global ids (0,0,0) to (");
  outcome.mustSay("LANECL_DEBUG=optimized");
  outcome.mustSay("lanecl check PROGRAM");
}

void namesTheWorkGroups() {
  // The kernel asks for its group ids, so the launch's own work-groups run and the message can name them.
  const Outcome outcome = inChild([] {
    const Session cl;
    const Program program = cl.build("kernel void last(global int *p) {\n"
                                     "  if (get_group_id(0) == 5 && get_group_id(1) == 2)\n"
                                     "    p[1024 + get_local_id(0)] = 1;\n"
                                     "}\n");
    const Memory page = cl.bytes(kPage, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, guardedPage());
    cl.run(cl.kernel(program, "last"), {96, 12}, {16, 4}, page);
  });
  require(outcome.diedOf(SIGSEGV), "not ended by SIGSEGV:\n" + outcome.text);
  // A thread runs any number of work-groups in a row, and this one is the last of a row.
  outcome.mustSay("(5,2,0)");
  outcome.mustSay(" to (95,11,0)");
}

void describesARead() {
  const Outcome outcome = inChild([] {
    const Session cl;
    const Program program = cl.build(kBeyond);
    const Memory to = cl.buffer(std::vector<int>(1024, 1));
    char *const page = guardedPage();
    mprotect(page, kPage, PROT_NONE);
    const Memory from = cl.bytes(kPage, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, page);
    cl.run(cl.kernel(program, "beyond"), {64}, {}, from, to, 0);
  });
  require(outcome.diedOf(SIGSEGV), "not ended by SIGSEGV:\n" + outcome.text);
  outcome.mustSay("reading 0x");
  outcome.mustSay("0 bytes into a buffer (4096 bytes, argument 0 'from')");
}

void namesLineAndLanes() {
  // The upper half of the 16 lanes is the first to leave the page: 1024 - 64 + 48 + 8.
  const Outcome outcome = inChild([] {
    const Session cl;
    const Program program = cl.build("__attribute__((intel_reqd_sub_group_size(16)))\n"
                                     "kernel void half_of_them(global int *to) {\n"
                                     "  size_t i = get_global_id(0);\n"
                                     "  if (i >= 56)\n"
                                     "    to[i + 968] = 1;\n"
                                     "}\n",
                                     "-g -s half.cl");
    const Memory to = cl.bytes(kPage, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, guardedPage());
    cl.run(cl.kernel(program, "half_of_them"), {64}, {32}, to);
  });
  require(outcome.diedOf(SIGSEGV), "not ended by SIGSEGV:\n" + outcome.text);
  outcome.mustSay("in kernel 'half_of_them' at half.cl:5, writing to");
  outcome.mustSay("lanes 8-15 of sub-group 1 of work-group (1,0,0); the first is global id (56,0,0)");
}

void namesTheSubGroupAmongBarriers() {
  const Outcome outcome = inChild([] {
    const Session cl;
    const Program program = cl.build("__attribute__((intel_reqd_sub_group_size(8)))\n"
                                     "kernel void behind(global int *to, local int *l) {\n"
                                     "  size_t i = get_local_id(0);\n"
                                     "  l[i] = i;\n"
                                     "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                                     "  int value = l[31 - i];\n"
                                     "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                                     "  if (i >= 18 && i < 23)\n"
                                     "    to[i + 1024] = value;\n"
                                     "}\n",
                                     "-g -s behind.cl");
    const Memory to = cl.bytes(kPage, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, guardedPage());
    cl.run(cl.kernel(program, "behind"), {32}, {32}, to, Local{128});
  });
  require(outcome.diedOf(SIGSEGV), "not ended by SIGSEGV:\n" + outcome.text);
  outcome.mustSay("at behind.cl:9, writing to");
  outcome.mustSay("72 bytes past the end of a buffer");
  outcome.mustSay("lanes 2-6 of sub-group 2 of work-group (0,0,0); the first is global id (18,0,0)");
}

// Functions that stay functions are in the report by name, with the lanes that called them.
const char *const kInFunction = "void put(global int *to, size_t at, int value) {\n"
                                "  if (value > 2)\n"
                                "    to[at] = value;\n"
                                "}\n"
                                "void put_upper(global int *to, size_t i) {\n"
                                "  if (i >= 18)\n"
                                "    put(to, i + 1024, i & 7);\n"
                                "}\n"
                                "__attribute__((intel_reqd_sub_group_size(8)))\n"
                                "kernel void upper(global int *to) {\n"
                                "  put_upper(to, get_global_id(0));\n"
                                "}\n"
                                "__attribute__((intel_reqd_sub_group_size(8)))\n"
                                "kernel void upper_behind(global int *to, local int *l) {\n"
                                "  size_t i = get_local_id(0);\n"
                                "  l[i] = i;\n"
                                "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                                "  int value = l[31 - i];\n"
                                "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                                "  if (value < 31 - 20)\n"
                                "    put_upper(to, i);\n"
                                "}\n";

void namesTheFunction() {
  for (const char *options : {"-g -s functions.cl", "-g -cl-opt-disable -s functions.cl"}) {
    const Outcome outcome = inChild([options] {
      setenv("LANECL_KEEP_FUNCTIONS", "1", 1);
      const Session cl;
      const Program program = cl.build(kInFunction, options);
      const Memory to = cl.bytes(kPage, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, guardedPage());
      cl.run(cl.kernel(program, "upper"), {32}, {32}, to);
    });
    require(outcome.diedOf(SIGSEGV), "not ended by SIGSEGV:\n" + outcome.text);
    outcome.mustSay("SIGSEGV in function 'put' of kernel 'upper' at functions.cl:3, writing to");
    outcome.mustSay("  called from  put_upper functions.cl:7\n  called from  upper functions.cl:11\n");
    outcome.mustSay("lanes 3-7 of sub-group 2 of work-group (0,0,0); the first is global id (19,0,0)");
  }
}

void namesTheFunctionAmongBarriers() {
  const Outcome outcome = inChild([] {
    setenv("LANECL_KEEP_FUNCTIONS", "1", 1);
    const Session cl;
    const Program program = cl.build(kInFunction, "-g -s functions.cl");
    const Memory to = cl.bytes(kPage, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, guardedPage());
    cl.run(cl.kernel(program, "upper_behind"), {32}, {32}, to, Local{128});
  });
  require(outcome.diedOf(SIGSEGV), "not ended by SIGSEGV:\n" + outcome.text);
  outcome.mustSay("SIGSEGV in function 'put' of kernel 'upper_behind' at functions.cl:3, writing to");
  outcome.mustSay("  called from  put_upper functions.cl:7\n  called from  upper_behind functions.cl:21\n");
  outcome.mustSay("lanes 5-7 of sub-group 2 of work-group (0,0,0); the first is global id (21,0,0)");
}

void namesANullPointer() {
  const Outcome outcome = inChild([] {
    const Session cl;
    const Program program = cl.build("kernel void null(global int *p) { p[get_global_id(0)] = 1; }");
    const Kernel kernel = cl.kernel(program, "null");
    check(clSetKernelArg(kernel, 0, sizeof(cl_mem), nullptr), "clSetKernelArg");
    const size_t global = 64;
    check(clEnqueueNDRangeKernel(cl.queue, kernel, 1, nullptr, &global, nullptr, 0, nullptr, nullptr), "launch");
    check(clFinish(cl.queue), "clFinish");
  });
  require(outcome.diedOf(SIGSEGV), "not ended by SIGSEGV:\n" + outcome.text);
  outcome.mustSay("address      a null pointer");
}

// The fault is in a mapping that is longer than its file.
void describesABusError() {
  const Outcome outcome = inChild([] {
    const int file = memfd_create("short", 0);
    require(ftruncate(file, off_t(kPage)) == 0, "ftruncate failed");
    void *pages = mmap(nullptr, 2 * kPage, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    const Session cl;
    const Program program = cl.build(kBeyond);
    const Memory from = cl.buffer(std::vector<int>(1024, 1));
    const Memory to = cl.bytes(2 * kPage, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, pages);
    cl.run(cl.kernel(program, "beyond"), {64}, {}, from, to, 1024);
  });
  require(outcome.diedOf(SIGBUS), "not ended by SIGBUS:\n" + outcome.text);
  outcome.mustSay("SIGBUS in kernel 'beyond'");
  outcome.mustSay("bytes into a buffer (8192 bytes, argument 1 'to')");
}

void describesATrap() {
  const Outcome outcome = inChild([] {
    const Session cl;
    const Program program = cl.build(
        "kernel void trap(global int *p) { if (p[get_global_id(0)] == 7) __builtin_trap(); }", "-g -s trap.cl");
    const Memory sevens = cl.buffer(std::vector<int>(64, 7));
    cl.run(cl.kernel(program, "trap"), {64}, {}, sevens);
  });
  require(outcome.diedOf(SIGILL), "not ended by SIGILL:\n" + outcome.text);
  outcome.mustSay("SIGILL in kernel 'trap' at trap.cl:1, instruction at 0x");
}

void describesUnifiedMemory() {
  const Outcome outcome = inChild([] {
    const Session cl;
    const Program program = cl.build("kernel void far(global int *p, ulong by) { p[get_global_id(0) + by] = 1; }");
    void *const memory = clSVMAlloc(cl.context, CL_MEM_READ_WRITE, 1000, 0);
    const Kernel kernel = cl.kernel(program, "far");
    check(clSetKernelArgSVMPointer(kernel, 0, memory), "clSetKernelArgSVMPointer");
    const cl_ulong by = cl_ulong(1) << 33;
    check(clSetKernelArg(kernel, 1, sizeof by, &by), "clSetKernelArg");
    const size_t global = 64;
    check(clEnqueueNDRangeKernel(cl.queue, kernel, 1, nullptr, &global, nullptr, 0, nullptr, nullptr), "launch");
    check(clFinish(cl.queue), "clFinish");
  });
  require(outcome.diedOf(SIGSEGV), "not ended by SIGSEGV:\n" + outcome.text);
  outcome.mustSay("past the end of shared virtual memory (1000 bytes, argument 0 'p')");
}

// No thread of the program waits, so a worker runs the kernel.
void describesFaultsOfWorkers() {
  const Outcome outcome = inChild([] {
    const Session cl;
    const Program program = cl.build(kBeyond);
    const Memory from = cl.buffer(std::vector<int>(1024, 1));
    const Memory to = cl.bytes(kPage, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, guardedPage());
    const Event done = cl.enqueue(cl.kernel(program, "beyond"), {64}, {}, from, to, 1024);
    check(clFlush(cl.queue), "clFlush");
    while (true)
      pause();
  });
  require(outcome.diedOf(SIGSEGV), "not ended by SIGSEGV:\n" + outcome.text);
  outcome.mustSay("SIGSEGV in kernel 'beyond'");
  require(outcome.text.find("SIGSEGV in") == outcome.text.rfind("SIGSEGV in"), "said twice:\n" + outcome.text);
}

sigjmp_buf back;
void jumpBack(int) {
  siglongjmp(back, 1);
}
void installHandler(void (*handler)(int)) {
  struct sigaction action{};
  action.sa_handler = handler;
  sigaction(SIGSEGV, &action, nullptr);
}

// The program's handler jumps out of the kernel.
void comesBackByJump(bool installed_before) {
  const Outcome outcome = inChild([installed_before] {
    setenv("LANECL_THREADS", "1", 1);
    if (installed_before)
      installHandler(jumpBack);
    const Session cl;
    const Program program = cl.build(kBeyond);
    const Memory from = cl.buffer(std::vector<int>(1024, 1));
    const Memory good = cl.buffer(std::vector<int>(1024, 0));
    cl.run(cl.kernel(program, "beyond"), {64}, {}, from, good, 0);
    if (!installed_before)
      installHandler(jumpBack);
    if (sigsetjmp(back, 1) == 0) {
      runBeyond({});
      _exit(1);
    }
    // A fault of the program itself is not attributed to a kernel.
    if (sigsetjmp(back, 1) == 0)
      *static_cast<volatile int *>(nullptr) = 1;
    _exit(kGood);
  });
  require(outcome.exitedWith(kGood), "the handler was not called:\n" + outcome.text);
  if (!installed_before)
    return require(outcome.text.empty(), "said, although the handler is the program's:\n" + outcome.text);
  outcome.mustSay("SIGSEGV in kernel 'beyond'");
  require(outcome.text.find("SIGSEGV in") == outcome.text.rfind("SIGSEGV in"), "said twice:\n" + outcome.text);
}

// The program's handler uses siginfo to repair the access, and the kernel goes on.
char *guarded = nullptr;
void openPage(int, siginfo_t *info, void *) {
  auto *const address = static_cast<char *>(info->si_addr);
  if (address < guarded + kPage || address >= guarded + 2 * kPage)
    _exit(1);
  mprotect(guarded + kPage, kPage, PROT_READ | PROT_WRITE);
}
void goesOnWhereRepaired() {
  const Outcome outcome = inChild([] {
    struct sigaction action{};
    action.sa_sigaction = openPage;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &action, nullptr);
    guarded = guardedPage();
    const Session cl;
    const Program program = cl.build(kBeyond);
    const Memory from = cl.buffer(std::vector<int>(1024, 9));
    const Memory to = cl.bytes(kPage, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, guarded);
    cl.run(cl.kernel(program, "beyond"), {64}, {}, from, to, 1024);
    int value = 0;
    std::memcpy(&value, guarded + kPage + 63 * sizeof value, sizeof value);
    _exit(value == 9 ? kGood : 1);
  });
  require(outcome.exitedWith(kGood), "the kernel did not go on:\n" + outcome.text);
}

// A handler that is installed later passes the fault on, as Python's faulthandler does.
struct sigaction passed_to;
void passOnByRaise(int signal) {
  sigaction(signal, &passed_to, nullptr);
  raise(signal);
}
void isPassedOnByRaise() {
  const Outcome outcome = inChild([] {
    const Session cl;
    const Program program = cl.build(kBeyond);
    const Memory from = cl.buffer(std::vector<int>(1024, 1));
    cl.run(cl.kernel(program, "beyond"), {64}, {}, from, from, 0);
    struct sigaction action{};
    action.sa_handler = passOnByRaise;
    sigaction(SIGSEGV, &action, &passed_to);
    runBeyond({});
  });
  require(outcome.diedOf(SIGSEGV), "not ended by SIGSEGV:\n" + outcome.text);
  outcome.mustSay("SIGSEGV in kernel 'beyond'");
}

void isSilentWhenOff() {
  const Outcome outcome = inChild([] {
    setenv("LANECL_FAULT_REPORT", "off", 1);
    runBeyond({});
  });
  require(outcome.diedOf(SIGSEGV), "not ended by SIGSEGV");
  require(outcome.text.empty(), "said:\n" + outcome.text);
}

// Signals that others send are not faults of the kernel, and faults of the program are left to it.
void leavesOtherFaultsAlone() {
  const auto first_launch = [] {
    const Session cl;
    const Program program = cl.build(kBeyond);
    const Memory from = cl.buffer(std::vector<int>(1024, 1));
    cl.run(cl.kernel(program, "beyond"), {64}, {}, from, from, 0);
  };
  const Outcome own = inChild([&] {
    first_launch();
    *static_cast<volatile int *>(nullptr) = 1;
  });
  require(own.diedOf(SIGSEGV) && own.text.empty(), "the program's own fault:\n" + own.text);
  const Outcome sent = inChild([&] {
    first_launch();
    kill(getpid(), SIGSEGV);
  });
  require(sent.diedOf(SIGSEGV) && sent.text.empty(), "a signal of another process:\n" + sent.text);
}

const std::map<std::string, std::function<void()>> kScenarios = {
    {"bus_error", describesABusError},
    {"function", namesTheFunction},
    {"function_among_barriers", namesTheFunctionAmongBarriers},
    {"handler_installed_before", [] { comesBackByJump(true); }},
    {"handler_installed_later", [] { comesBackByJump(false); }},
    {"handler_passes_on", isPassedOnByRaise},
    {"handler_repairs", goesOnWhereRepaired},
    {"line_and_lanes", namesLineAndLanes},
    {"null_pointer", namesANullPointer},
    {"off", isSilentWhenOff},
    {"others", leavesOtherFaultsAlone},
    {"read", describesARead},
    {"sub_group_among_barriers", namesTheSubGroupAmongBarriers},
    {"trap", describesATrap},
    {"unified_memory", describesUnifiedMemory},
    {"worker", describesFaultsOfWorkers},
    {"work_groups", namesTheWorkGroups},
    {"write", describesAWrite},
};

} // namespace

int main(int argc, char **argv) {
  const auto scenario = kScenarios.find(argc > 1 ? argv[1] : "");
  if (scenario == kScenarios.end()) {
    std::fprintf(stderr, "name a scenario\n");
    return 2;
  }
  scenario->second();
  return 0;
}
