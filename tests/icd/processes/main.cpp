// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Ends and forks of processes that use OpenCL. Each scenario runs in a process of its own. The process must exit in
// time, with the code that it passes to exit().
#include "support/long_kernel.hpp"
#include "support/session.hpp"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace lanecl::test;

namespace {

constexpr int kGood = 7; // an exit code that no process has by chance
constexpr unsigned kSeconds = 100;
using Milliseconds = std::chrono::milliseconds;

const char *const kSource = "kernel void twice(global int *p) { p[get_global_id(0)] *= 2; }";
// Returns source that takes the compiler a while and is not in the cache.
std::string longSource() {
  static std::atomic<int> number{0};
  std::string text = "// " + std::to_string(getpid()) + " " + std::to_string(++number) + "\n";
  for (int i = 0; i < 30; ++i)
    text += "kernel void k" + std::to_string(i) +
            "(global float *p) { size_t i = get_global_id(0); p[i] = sin(p[i]) + pow(p[i], 3.0f) * tgamma(p[i]); }\n";
  return text;
}

void require(bool condition, const char *what) {
  if (condition)
    return;
  std::fprintf(stderr, "%s\n", what);
  _exit(1);
}

void wait(const std::atomic<bool> &flag) {
  while (!flag)
    std::this_thread::sleep_for(Milliseconds(1));
}

[[noreturn]] void sleepForEver() {
  while (true)
    pause();
}

// Does everything from creating a context to reading a result.
void useOpenCL() {
  const Session cl;
  const Program program = cl.build(std::string(kSource) + " // " + std::to_string(getpid()));
  const Memory data = cl.buffer(std::vector<int>(1000, 21));
  cl.run(cl.kernel(program, "twice"), {1000}, {}, data);
  require(cl.read<int>(data) == std::vector<int>(1000, 42), "a wrong result");
}

// exit() with a limit: the documents promise that it waits no longer than ten seconds for the compiler.
[[noreturn]] void exitWithinPromise() {
  alarm(12); // the process needs some time to end, too
  std::exit(kGood);
}

std::atomic<bool> long_kernel_reported{false};
void CL_CALLBACK noteReport(const char *, const void *, size_t, void *) {
  long_kernel_reported = true;
}
void CL_CALLBACK exitInReport(const char *, const void *, size_t, void *) {
  exitWithinPromise();
}

// Compiles a kernel that takes much longer than the time after which it is reported. Most of it is a single pass. The
// build or the launch may be refused, because the process exits.
void compileLongKernel(void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *)) {
  const cl_device_id device = laneclDevice();
  cl_int code = CL_SUCCESS;
  Session cl;
  cl.context = Context(clCreateContext(nullptr, 1, &device, notify, nullptr, &code));
  check(code, "clCreateContext");
  cl.queue = makeQueue(cl.context);
  const Memory data = cl.buffer(std::vector<cl_uint>(64, 5));
  const Program program = cl.source(longKernel("sum", 8000));
  if (clBuildProgram(program, 1, &device, "", nullptr, nullptr) != CL_SUCCESS)
    return;
  const Kernel kernel = cl.kernel(program, "sum");
  cl.setArguments(kernel, data, data);
  const size_t global = 64;
  clEnqueueNDRangeKernel(cl.queue, kernel, 1, nullptr, &global, nullptr, 0, nullptr, nullptr);
}

// No thread of the program helps, so a worker has to come.
void completeWithoutWaiting() {
  const Session cl;
  const Memory data = cl.bytes(4);
  const int value = 1;
  Event done;
  check(clEnqueueFillBuffer(cl.queue, data, &value, sizeof value, 0, sizeof value, 0, nullptr, done.out()),
        "clEnqueueFillBuffer");
  check(clFlush(cl.queue), "clFlush");
  cl_int status = CL_QUEUED;
  while (status != CL_COMPLETE) {
    std::this_thread::sleep_for(Milliseconds(1));
    check(clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr), "clGetEventInfo");
  }
}

// A queue with a launch that runs for about a minute, and other launches after it. Never released.
struct Busy {
  Busy() {
    program = cl.build("kernel void spin(global uint *p, uint n) {\n"
                       "  uint x = p[get_global_id(0)];\n"
                       "  for (uint i = 0; i < n; ++i) x = x * 1664525u + 1013904223u;\n"
                       "  p[get_global_id(0)] = x;\n}");
    data = cl.bytes(4096 * sizeof(int));
    const Kernel kernel = cl.kernel(program, "spin");
    for (int i = 0; i < 20; ++i)
      running = cl.enqueue(kernel, {4096}, {64}, data, cl_uint(100'000'000));
    check(clFlush(cl.queue), "clFlush");
  }
  void waitUntilBegun() const { std::this_thread::sleep_for(Milliseconds(20)); }

  Session cl;
  Program program;
  Memory data;
  Event running;
};

void CL_CALLBACK exitInEventCallback(cl_event, cl_int, void *) {
  std::exit(kGood);
}
void CL_CALLBACK exitInCallback(void *) {
  std::exit(kGood);
}
void CL_CALLBACK exitInBuildCallback(cl_program, void *) {
  std::exit(kGood);
}
void CL_CALLBACK setFlag(cl_program, void *flag) {
  *static_cast<std::atomic<bool> *>(flag) = true;
}
void CL_CALLBACK setFlagAndSleep(cl_program, void *flag) {
  *static_cast<std::atomic<bool> *>(flag) = true;
  sleepForEver();
}

void buildInBackground(const Program &program, void(CL_CALLBACK *notify)(cl_program, void *), void *argument) {
  const cl_device_id device = laneclDevice();
  check(clBuildProgram(program, 1, &device, "", notify, argument), "clBuildProgram");
}

// The forked process runs `body`, and must end with exit(kGood).
void inFork(const std::function<void()> &body) {
  const pid_t child = fork();
  require(child >= 0, "fork failed");
  if (child == 0) {
    alarm(kSeconds / 2);
    body();
    std::exit(kGood);
  }
  int status = 0;
  require(waitpid(child, &status, 0) == child, "waitpid failed");
  require(!WIFSIGNALED(status) || WTERMSIG(status) != SIGALRM, "the forked process hangs");
  require(WIFEXITED(status) && WEXITSTATUS(status) == kGood, "the forked process failed");
}

// An object as programs have them: it is made before main(), and is destroyed after everything that OpenCL registers
// later.
struct Global {
  std::unique_ptr<Session> session;
  Memory data;
  ~Global() {
    if (!session)
      return;
    clFinish(session->queue);
    std::vector<int> values(1000);
    require(clEnqueueReadBuffer(session->queue, data, CL_TRUE, 0, 4000, values.data(), 0, nullptr, nullptr) ==
                    CL_SUCCESS &&
                values == std::vector<int>(1000, 2048),
            "a wrong result in a destructor");
    data.reset();
    session.reset();
  }
} global;

const std::map<std::string, std::function<void()>> kScenarios{
    {"exit_in_event_callback",
     [] {
       auto *busy = new Busy;
       Event event;
       const int zero = 0;
       const CommandQueue other = makeQueue(busy->cl.context);
       check(clEnqueueFillBuffer(other, busy->data, &zero, 4, 0, 4096, 0, nullptr, event.out()), "clEnqueueFillBuffer");
       check(clSetEventCallback(event, CL_COMPLETE, exitInEventCallback, nullptr), "clSetEventCallback");
       check(clFlush(other), "clFlush");
       sleepForEver();
     }},
    {"exit_in_native_kernel",
     [] {
       auto *busy = new Busy;
       const CommandQueue other = makeQueue(busy->cl.context);
       check(clEnqueueNativeKernel(other, exitInCallback, nullptr, 0, 0, nullptr, nullptr, 0, nullptr, nullptr),
             "clEnqueueNativeKernel");
       clFinish(other);
       sleepForEver();
     }},
    {"exit_in_build_callback",
     [] {
       auto *cl = new Session;
       auto *program = new Program(cl->source(kSource));
       buildInBackground(*program, exitInBuildCallback, nullptr);
       sleepForEver();
     }},
    {"exit_while_a_long_kernel_is_compiled",
     [] {
       std::thread([] {
         compileLongKernel(noteReport);
         sleepForEver();
       }).detach();
       wait(long_kernel_reported);
       exitWithinPromise();
     }},
    {"exit_in_the_report_of_a_long_kernel", [] { compileLongKernel(exitInReport); }},
    {"exit_while_building",
     [] {
       auto *cl = new Session;
       static std::atomic<bool> done{false};
       for (int i = 0; i < 3; ++i)
         buildInBackground(*new Program(cl->source(longSource())), setFlag, &done);
       std::this_thread::sleep_for(Milliseconds(30));
       std::exit(kGood);
     }},
    {"exit_while_a_thread_builds",
     [] {
       static Session &cl = *new Session;
       for (int i = 0; i < 2; ++i)
         std::thread([] {
           while (true) {
             const Program program = cl.source(longSource());
             clBuildProgram(program, 1, &cl.device, "", nullptr, nullptr);
           }
         }).detach();
       std::this_thread::sleep_for(Milliseconds(150));
       std::exit(kGood);
     }},
    {"exit_while_a_build_callback_sleeps",
     [] {
       auto *cl = new Session;
       static std::atomic<bool> begun{false};
       buildInBackground(*new Program(cl->source(kSource)), setFlagAndSleep, &begun);
       wait(begun);
       std::exit(kGood);
     }},
    {"exit_while_launches_run",
     [] {
       (new Busy)->waitUntilBegun();
       std::exit(kGood);
     }},
    {"exit_of_a_thread_while_another_waits",
     [] {
       auto *busy = new Busy;
       std::thread([busy] {
         busy->waitUntilBegun();
         std::exit(kGood);
       }).detach();
       clFinish(busy->cl.queue);
       sleepForEver();
     }},
    {"quick_exit_while_everything_runs",
     [] {
       auto *busy = new Busy;
       static std::atomic<bool> done{false};
       buildInBackground(*new Program(busy->cl.source(longSource())), setFlag, &done);
       busy->waitUntilBegun();
       std::quick_exit(kGood);
     }},
    {"main_thread_ends",
     [] {
       laneclDevice(); // the loader's own initialization is not tested here
       // The thread exits only after this is set, because exit() would make the library refuse the main thread's own
       // use.
       static std::atomic<bool> is_ending = false;
       std::thread([] {
         while (!is_ending)
           std::this_thread::sleep_for(Milliseconds(1));
         std::this_thread::sleep_for(Milliseconds(20));
         useOpenCL();
         std::exit(kGood);
       }).detach();
       useOpenCL();
       is_ending = true;
       pthread_exit(nullptr);
     }},
    {"all_threads_of_the_program_end",
     [] {
       std::atexit([] { _exit(kGood); });
       useOpenCL();
       pthread_exit(nullptr); // the library's threads follow after a while
     }},
    {"use_in_destructors",
     [] {
       global.session = std::make_unique<Session>();
       const Program program = global.session->build(kSource);
       global.data = global.session->buffer(std::vector<int>(1000, 1));
       const Kernel kernel = global.session->kernel(program, "twice");
       for (int i = 0; i < 11; ++i)
         global.session->enqueue(kernel, {1000}, {}, global.data);
       std::exit(kGood);
     }},
    {"build_in_an_exit_handler",
     [] {
       static Session *cl;
       std::atexit([] {
         const Program program = cl->source(longSource());
         const cl_int code = clBuildProgram(program, 1, &cl->device, "", nullptr, nullptr);
         require(code == CL_SUCCESS || code == CL_COMPILER_NOT_AVAILABLE, "a build at exit");
       });
       cl = new Session;
       cl->build(kSource);
       std::exit(kGood);
     }},
    {"fork_while_launches_run",
     [] {
       auto *busy = new Busy;
       busy->waitUntilBegun();
       for (int i = 0; i < 5; ++i) {
         inFork([] {});
         inFork(useOpenCL);
       }
       std::exit(kGood);
     }},
    {"fork_while_building",
     [] {
       static Session &cl = *new Session;
       for (int i = 0; i < 3; ++i) {
         std::atomic<bool> done{false};
         const Program program = cl.source(longSource());
         buildInBackground(program, setFlag, &done);
         for (int k = 0; k < 3; ++k) {
           std::this_thread::sleep_for(Milliseconds(9 * k));
           inFork([] {});
           inFork(useOpenCL);
         }
         wait(done);
       }
       std::exit(kGood);
     }},
    {"fork_while_modules_are_read",
     [] {
       static Session &cl = *new Session;
       static std::atomic<bool> stop{false};
       const auto read = [] {
         const char words[] = "no SPIR-V";
         cl_int code = CL_SUCCESS;
         clCreateProgramWithIL(cl.context, words, sizeof words, &code);
         require(code == CL_INVALID_VALUE, "a module");
       };
       read();
       std::thread reader([=] {
         while (!stop)
           read();
       });
       for (int i = 0; i < 600; ++i)
         inFork(read);
       stop = true;
       reader.join();
       std::exit(kGood);
     }},
    {"fork_at_the_first_build",
     [] {
       Session cl;
       std::atomic<bool> done{false};
       const Program program = cl.source(longSource());
       buildInBackground(program, setFlag, &done);
       inFork(useOpenCL); // forks while everything is being made that is made once
       wait(done);
       std::exit(kGood);
     }},
    {"fork_at_the_first_launch",
     [] {
       laneclDevice();
       static std::atomic<bool> forking{false}, launched{false};
       // Runs in the middle of the handlers of fork(), as when fork() waits for a compilation.
       pthread_atfork([] { forking = true, wait(launched); }, nullptr, nullptr);
       std::thread first([] {
         wait(forking);
         completeWithoutWaiting();
         launched = true;
       });
       inFork(completeWithoutWaiting);
       first.join();
       std::exit(kGood);
     }},
    {"fork_while_threads_do_everything",
     [] {
       require(std::freopen("/dev/null", "w", stdout) != nullptr, "freopen");
       static std::atomic<bool> stop{false};
       std::vector<std::thread> threads;
       laneclDevice(); // the loader's own initialization does not survive a fork
#if __has_feature(thread_sanitizer)
       useOpenCL(); // neither does ThreadSanitizer's pthread_once
#endif
       for (int i = 0; i < 2; ++i)
         threads.emplace_back([] {
           const Session cl;
           while (!stop) {
             const Program program =
                 cl.build("kernel void say(global int *p) { printf(\"%d\\n\", p[0]); p[get_global_id(0)] += 1; } // " +
                          std::to_string(std::chrono::steady_clock::now().time_since_epoch().count()));
             const Memory data = cl.buffer(std::vector<int>(64, 21));
             cl.run(cl.kernel(program, "say"), {64}, {8}, data);
           }
         });
       for (int i = 0; i < 6; ++i) {
         std::this_thread::sleep_for(Milliseconds(3));
         inFork([] {
           const Session cl;
           const Program program = cl.build("kernel void say(global int *p) { printf(\"%d\\n\", *p); }");
           const Memory data = cl.buffer(std::vector<int>(64, 21));
           cl.run(cl.kernel(program, "say"), {1}, {}, data);
         });
       }
       stop = true;
       for (std::thread &thread : threads)
         thread.join();
       std::exit(kGood);
     }},
    {"fork_in_callbacks",
     [] {
       const Session cl;
       static std::atomic<int> done{0};
       for (int i = 0; i < 5; ++i) {
         Event event;
         const Memory data = cl.buffer(std::vector<int>(16));
         check(clEnqueueNativeKernel(
                   cl.queue, [](void *) { inFork(useOpenCL), ++done; }, nullptr, 0, 0, nullptr, nullptr, 0, nullptr,
                   event.out()),
               "clEnqueueNativeKernel");
         check(clSetEventCallback(
                   event, CL_COMPLETE, [](cl_event, cl_int, void *) { inFork(useOpenCL), ++done; }, nullptr),
               "clSetEventCallback");
         check(clFinish(cl.queue), "clFinish");
       }
       while (done != 10)
         std::this_thread::sleep_for(Milliseconds(1));
       std::exit(kGood);
     }},
};

int fail(const std::string &name, const char *how) {
  std::fprintf(stderr, "%s: %s\n", name.c_str(), how);
  return 1;
}

[[noreturn]] void run(const std::function<void()> &scenario) {
  alarm(kSeconds);
  try {
    scenario();
  } catch (const std::exception &problem) {
    std::fprintf(stderr, "%s\n", problem.what());
  }
  _exit(1);
}

} // namespace

//   lanecl_icd_processes SCENARIO [fresh]
// Runs a scenario in a process of its own. In a process that is only forked, threads of LaneCL's own stand in for
// oneTBB's. With `fresh`, the process executes this program again.
int main(int argc, char **argv) {
  const auto scenario = kScenarios.find(argc >= 2 ? argv[1] : "");
  if (scenario == kScenarios.end()) {
    for (const auto &[name, body] : kScenarios)
      std::puts(name.c_str());
    return argc == 2 ? 1 : 0;
  }
  const std::string how = argc == 3 ? argv[2] : "";
  if (how == "here")
    run(scenario->second);
  const pid_t child = fork(); // before OpenCL is used
  if (child == 0 && how == "fresh")
    execl("/proc/self/exe", argv[0], argv[1], "here", nullptr);
  if (child == 0)
    run(scenario->second);
  int status = 0;
  if (waitpid(child, &status, 0) != child)
    return fail(scenario->first, "waitpid failed");
  if (WIFSIGNALED(status))
    return fail(scenario->first, WTERMSIG(status) == SIGALRM ? "hangs" : strsignal(WTERMSIG(status)));
  return WEXITSTATUS(status) == kGood ? 0 : fail(scenario->first, "did not end with the code it gave to exit()");
}
