// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Measures the time from a program's source text to the end of its first launch. build-cold.<program> builds a new
// program, build-warm.<program> one that was built before; the programs are those of other benchmarks. The small launch
// is included because many platforms generate code only then. process-start measures what a short program waits for: a
// whole process that gets one result from a kernel, including its start and end. The process of the warm-up has filled
// the platform's cache, if it has one.
#include "../benchmark.h"

#include <array>
#include <chrono>
#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

namespace bench {

namespace {

// Returns arrays of equal elements, large enough for each of the launches.
template <typename T> std::vector<T> filled(T value) {
  return std::vector<T>(4096, value);
}

// A program of another benchmark, and a launch of it that is as small as possible.
struct Program {
  const char *name;
  bool has_sub_groups;
  void (*describe)(Plan &plan);
};

// Expects the first elements of an array to be equal.
template <typename T> void expect(Plan &plan, Array array, size_t count, T value) {
  plan.expect(array, std::vector<T>(count, value));
}

constexpr cl_uint kPixel = 0x80ff4001;     // a picture of one color, which the filter does not change
constexpr cl_uint kBfloat16s = 0x3f803f80; // two ones as bfloat16

constexpr Program kPrograms[] = {
    {"saxpy", false,
     [](Plan &plan) {
       const Array x = plan.input(filled(3.0f)), y = plan.inout(filled(1.0f));
       plan.program("saxpy.cl");
       plan.launch("saxpy", {2.0f, x, y}, {256}, {64});
       expect(plan, y, 256, 7.0f);
     }},
    {"mandelbrot", false,
     [](Plan &plan) {
       const Array image = plan.inout(filled(0u));
       plan.program("mandelbrot.cl");
       plan.launch("mandelbrot", {image, 0.0f, 0.0f, 0.0f, 100}, {16, 16}, {16, 1});
       expect(plan, image, 256, 100u);
     }},
    {"sgemm", true,
     [](Plan &plan) {
       const Array a = plan.input(filled(1.0f)), b = plan.input(filled(1.0f)), c = plan.inout(filled(0.0f));
       plan.program("sgemm/sgemm.cl", "-DTILE_ROWS=6 -DTILE_COLUMNS=4");
       plan.launch("sgemm", {a, b, c, 16, 64, 64, 64}, {16}, {16});
       expect(plan, c, 6 * 64, 16.0f);
     }},
    {"sgemm-local", false,
     [](Plan &plan) {
       const Array a = plan.input(filled(1.0f)), b = plan.input(filled(1.0f)), c = plan.inout(filled(0.0f));
       plan.program("sgemm_local.cl", "-DTILE=16");
       plan.launch("sgemm_local", {a, b, c, 16, 32}, {16, 16}, {16, 16});
       expect(plan, c, 256, 32.0f);
     }},
    {"plain-bf16", true,
     [](Plan &plan) {
       const Array a = plan.input(filled(kBfloat16s)), b = plan.input(filled(kBfloat16s)), c = plan.inout(filled(0.0f));
       plan.program("matrix_mad.cl", "-DTILE_ROWS=1 -DTILE_COLUMNS=4");
       plan.launch("bf16_elements", {a, b, c, 64, 64}, {16}, {16});
       expect(plan, c, 8 * 64, 64.0f);
     }},
    {"gaussian", true,
     [](Plan &plan) {
       const Array in = plan.input(filled(kPixel)), out = plan.inout(filled(0u));
       plan.program("gaussian_filter/gaussian_filter.cl");
       plan.launch("gaussian_filter", {in, out, 16, 48, 16}, {16, 16}, {16, 1});
       expect(plan, out, 256, kPixel);
     }},
    {"reduction", true,
     [](Plan &plan) {
       const Array values = plan.input(filled(1.0f)), sum = plan.inout(filled(0.0f));
       plan.program("reduction_scan/reduction_scan.cl");
       plan.launch("reduce", {values, 1000, 1000, sum}, {16}, {16});
       expect(plan, sum, 1, 1000.0f);
     }},
    {"small-launches", false,
     [](Plan &plan) {
       const Array counters = plan.inout(filled(41u));
       plan.program("launch.cl");
       plan.launch("increment", {counters}, {64}, {64});
       expect(plan, counters, 64, 42u);
     }},
    // The kernel has four values, which start at 1 to 4; each becomes 5 x + 16 x.
    {"subgroups", true,
     [](Plan &plan) {
       const Array in = plan.input(filled(1u)), out = plan.inout(filled(0u));
       plan.program("subgroups.cl", "-DWIDTH=16");
       plan.launch("reduce", {in, out, 1}, {64}, {64});
       expect(plan, out, 64, 21u ^ 42u ^ 63u ^ 84u);
     }},
};

class FirstLaunch : public Case {
public:
  FirstLaunch(const Device &device, PlanPointer plan, bool cold)
      : device(device), plan(std::move(plan)), cold(cold), work(device, this->plan, false) {}
  void run() override {
    work.build(cold ? uniquePrefix() : "");
    work.run();
  }
  // Launches again with new arrays, because kernels may change them, and checks the result.
  void verify() override {
    OnDevice again(device, plan, false);
    again.build(cold ? uniquePrefix() : "");
    again.run();
    again.verify();
  }

private:
  // Makes the program unknown to every cache, whether the cache's key is the text, the options or the kernel's code:
  // ids are taken modulo a large number that no other run uses.
  static std::string uniquePrefix() {
    const auto now = std::to_string(std::chrono::system_clock::now().time_since_epoch().count());
    return "#define get_group_id(d) (get_group_id(d) % " + now + "ul)\n" +
           "#define get_global_id(d) (get_global_id(d) % " + now + "ul)\n";
  }

  const Device &device;
  const PlanPointer plan;
  const bool cold;
  OnDevice work;
};

// Returns the file of the device's driver: the library that contains the first function in the table of its platform
// (cl_khr_icd).
std::string driverOf(const Device &device) {
  const cl_platform_id platform = device.device.getInfo<CL_DEVICE_PLATFORM>();
  void *const *const functions = *reinterpret_cast<void *const *const *>(platform);
  Dl_info info{};
  if (dladdr(functions[0], &info) == 0 || !info.dli_fname)
    throw std::runtime_error("the driver's library is unknown");
  return info.dli_fname;
}

// Returns this process's environment with variables that make the OpenCL loader use only that driver.
std::vector<std::string> environmentWith(const std::string &driver) {
  std::vector<std::string> variables{"OCL_ICD_VENDORS=" + driver, "OCL_ICD_FILENAMES=" + driver};
  for (char **variable = environ; *variable; ++variable)
    if (!std::string_view(*variable).starts_with("OCL_ICD_"))
      variables.emplace_back(*variable);
  return variables;
}

class Processes : public Case {
public:
  explicit Processes(const Device &device) : variables(environmentWith(driverOf(device))) {
    for (std::string &variable : variables)
      environment.push_back(variable.data());
    environment.push_back(nullptr);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  }
  Processes(const Processes &) = delete;
  ~Processes() override { posix_spawn_file_actions_destroy(&actions); }

  void run() override {
    std::string program = BENCH_START_PROGRAM, kernel = BENCH_KERNEL_DIRECTORY "/start.cl", result = "3147910176";
    const std::array<char *, 4> arguments{program.data(), kernel.data(), result.data(), nullptr};
    pid_t child = 0;
    if (posix_spawn(&child, program.c_str(), &actions, nullptr, arguments.data(), environment.data()) != 0)
      throw std::runtime_error("cannot start " + program);
    if (waitpid(child, &status, 0) != child)
      throw std::runtime_error("cannot wait for " + program);
  }
  void verify() override {
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
      throw Mismatch("the process computed a wrong result");
  }

private:
  std::vector<std::string> variables;
  std::vector<char *> environment; // pointers into `variables`, ending with null
  posix_spawn_file_actions_t actions;
  int status = 0;
};

} // namespace

void addBuilds(Benchmarks &all) {
  for (const bool cold : {true, false})
    for (const Program &program : kPrograms)
      all.push_back({
          .name = std::string(cold ? "build-cold." : "build-warm.") + program.name,
          .description = cold ? "a new program, from its text to the end of its first launch"
                              : "the same with a program that was built before",
          .plan = program.describe,
          .needs = program.has_sub_groups ? kSubGroups : std::vector<std::string>(),
          .on_device = [=](const Device &device,
                           const PlanPointer &plan) { return std::make_unique<FirstLaunch>(device, plan, cold); },
      });
  all.push_back({
      .name = "process-start",
      .description = "a process with one small kernel that an earlier process has built",
      .on_device = [](const Device &device, const PlanPointer &) { return std::make_unique<Processes>(device); },
  });
}

} // namespace bench
