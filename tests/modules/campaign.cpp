// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "campaign.h"

#include "generate.h"
#include "support/images.hpp"
#include "support/spirv.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <new>
#include <optional>
#include <thread>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace lanecl::modules {
namespace {

using test::Program;
using test::Session;
using Clock = std::chrono::steady_clock;

constexpr unsigned kLastMinor = 6;

enum Outcome : unsigned { Built, RefusedAtCreation, RefusedByBuild, Computed, WrongValues, NotBuilt, kOutcomes };
constexpr const char *kOutcomeNames[] = {"built",
                                         "refused when created",
                                         "refused by the build",
                                         "built and computed what they should",
                                         "COMPUTED SOMETHING ELSE",
                                         "VALID BUT REFUSED"};

// What the worker process tells the other one, also by dying.
struct Progress {
  volatile size_t next = 0; // the module that it works at
  volatile size_t outcomes[kOutcomes] = {};
};

SpirvModule wordsOf(const std::filesystem::path &file) {
  const std::string bytes = test::textOfFile(file.string());
  SpirvModule words(bytes.size() / sizeof(uint32_t));
  std::copy_n(bytes.data(), words.size() * sizeof(uint32_t), reinterpret_cast<char *>(words.data()));
  return words;
}

struct CorpusModule {
  std::string name;
  SpirvModule words;
};

using Corpus = std::vector<CorpusModule>;

// In the order of their names, so that a seed means the same everywhere.
Corpus read(const std::filesystem::path &folder) {
  std::vector<std::filesystem::path> files;
  if (folder.empty())
    return {};
  for (const auto &entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".spvasm" || entry.path().extension() == ".spv")
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  Corpus modules;
  for (const auto &file : files)
    modules.push_back({file.stem().string(), file.extension() == ".spv"
                                                 ? wordsOf(file)
                                                 : test::assemble(test::textOfFile(file.string()), kLastMinor)});
  return modules;
}

// Has code that runs when it is built or released, and that may do anything when it is damaged.
bool runsByItself(const CorpusModule &module) {
  constexpr size_t kHeaderWords = 5;
  constexpr uint32_t kExecutionMode = 16, kInitializer = 33, kFinalizer = 34;
  const SpirvModule &words = module.words;
  for (size_t at = kHeaderWords; at + 2 < words.size() && words[at] >> 16 != 0; at += words[at] >> 16)
    if ((words[at] & 0xffff) == kExecutionMode && (words[at + 2] == kInitializer || words[at + 2] == kFinalizer))
      return true;
  return false;
}

class Worker {
public:
  Worker(const Plan &plan, const Corpus &corpus, Progress &progress) : plan(plan), corpus(corpus), progress(progress) {
    cl_int code = CL_SUCCESS;
    cl.context = test::Context(clCreateContext(nullptr, 1, &cl.device, hear, &heard, &code));
    test::check(code, "clCreateContext");
    cl.queue = test::makeQueue(cl.context);
  }
  Worker(const Worker &) = delete;

  void run() {
    for (; progress.next < plan.count; progress.next = progress.next + 1) {
      const Outcome outcome = outcomeOf(progress.next);
      progress.outcomes[outcome] = progress.outcomes[outcome] + 1;
      if (outcome == WrongValues || outcome == NotBuilt)
        keep(progress.next);
    }
  }

  // The module of that number, which depends on the seed and the corpus only.
  SpirvModule moduleOf(size_t number) const {
    Random random(plan.seed * 1'000'003 + number);
    const auto any = [&]() -> SpirvModule {
      const size_t chosen = random() % (corpus.size() + corpus.size() / 2 + 1);
      if (chosen < corpus.size())
        return corpus[chosen].words;
      const Sample sample = generate(random);
      return test::assemble(sample.text, sample.minor);
    };
    if (plan.kind != Kind::Damaged)
      return number < corpus.size() ? corpus[number].words : sampleModule(number);
    const SpirvModule module = any(), other = any();
    return damaged(module, other, random);
  }

  void keep(size_t number) const {
    std::filesystem::create_directories(plan.failures);
    const auto file = plan.failures / (nameOf(number) + ".spv");
    const SpirvModule module = moduleOf(number);
    std::ofstream out(file, std::ios::binary);
    out.write(reinterpret_cast<const char *>(module.data()), std::streamsize(module.size() * sizeof(uint32_t)));
    std::printf("kept as %s\n", file.c_str());
  }

private:
  static void CL_CALLBACK hear(const char *message, const void *, size_t, void *heard) {
    *static_cast<std::string *>(heard) += message;
  }

  std::string nameOf(size_t number) const {
    if (plan.kind == Kind::Foreign)
      return corpus[number].name;
    return (plan.kind == Kind::Damaged ? "damaged-" : "valid-") + std::to_string(plan.seed) + "-" +
           std::to_string(number);
  }

  Outcome outcomeOf(size_t number) {
    if (plan.kind == Kind::Valid)
      return buildValid(number);
    const Outcome outcome = build(moduleOf(number));
    if (plan.kind == Kind::Foreign && outcome != Built)
      std::printf("%s: %s\n", nameOf(number).c_str(), heard.c_str());
    return outcome;
  }

  Sample sampleOf(size_t number) const {
    Random random(plan.seed * 1'000'003 + number);
    return generate(random);
  }

  SpirvModule sampleModule(size_t number) const {
    const Sample sample = sampleOf(number);
    return test::assemble(sample.text, sample.minor);
  }

  Outcome build(const SpirvModule &module, Program *built = nullptr) {
    heard.clear();
    cl_int code = CL_SUCCESS;
    Program program(clCreateProgramWithIL(cl.context, module.data(), module.size() * sizeof(uint32_t), &code));
    if (code != CL_SUCCESS)
      return refused(RefusedAtCreation);
    if (clBuildProgram(program, 1, &cl.device, "", nullptr, nullptr) != CL_SUCCESS) {
      heard = test::buildLog(program);
      return refused(RefusedByBuild);
    }
    cl_uint kernels = 0;
    test::check(clCreateKernelsInProgram(program, 0, nullptr, &kernels), "clCreateKernelsInProgram");
    if (built)
      *built = std::move(program);
    return Built;
  }

  Outcome refused(Outcome outcome) const {
    if (heard.empty())
      throw std::runtime_error("a module was refused without a word");
    return outcome;
  }

  // Modules of the corpus come first, and are only built.
  Outcome buildValid(size_t number) {
    if (number < corpus.size())
      return build(corpus[number].words) == Built ? Built : NotBuilt;
    const Sample sample = sampleOf(number);
    Program program;
    if (build(test::assemble(sample.text, sample.minor), &program) != Built)
      return NotBuilt;
    test::Memory in = cl.buffer(sample.input), out = cl.bytes(kItems * sizeof(uint64_t));
    const test::Kernel kernel = cl.kernel(program, "k");
    const auto [images, sampler] = setImages(kernel, sample);
    cl.setArguments(kernel, in, out);
    cl.run(kernel, {kItems}, {kItems});
    bool is_right = cl.read<uint64_t>(out) == sample.output;
    for (size_t i = 0; i < images.size(); ++i)
      is_right &= test::readImage<uint8_t>(cl, images[i], sample.images[i].before.extent) == sample.images[i].after;
    return is_right ? Computed : WrongValues;
  }

  struct Images {
    std::vector<test::Memory> images;
    test::Sampler sampler;
  };

  // The kernel's arguments from the third on.
  Images setImages(const test::Kernel &kernel, const Sample &sample) const {
    Images made;
    cl_uint index = 2;
    for (const SampleImage &image : sample.images) {
      made.images.push_back(makeImage(image));
      test::check(clSetKernelArg(kernel, index++, sizeof(cl_mem), made.images.back().address()), "clSetKernelArg");
    }
    if (const auto &model = sample.sampler) {
      made.sampler = test::makeSampler(cl, model->normalized, model->addressing, model->filter);
      test::check(clSetKernelArg(kernel, index, sizeof(cl_sampler), made.sampler.address()), "clSetKernelArg");
    }
    return made;
  }

  test::Memory makeImage(const SampleImage &image) const {
    const auto &[format, extent, content] = image.before;
    if (image.type != CL_MEM_OBJECT_IMAGE1D_BUFFER)
      return test::makeImage(cl, format.format, image.type, extent, content, image.flags);
    cl_image_desc description = test::describeImage(image.type, extent);
    test::Memory buffer = cl.buffer(content);
    description.mem_object = buffer;
    return test::makeImage(cl, format.format, description, image.flags);
  }

  const Plan &plan;
  const Corpus &corpus;
  Progress &progress;
  std::string heard; // the reason of the last refusal
  Session cl;
};

class Campaign {
public:
  explicit Campaign(const Plan &plan_) : plan(plan_), corpus(read(plan.corpus)) {
    if (plan.kind == Kind::Foreign)
      plan.count = corpus.size();
    if (plan.kind == Kind::Damaged)
      std::erase_if(corpus, runsByItself);
    void *shared = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
      throw std::runtime_error("no shared memory");
    progress = new (shared) Progress;
  }
  ~Campaign() { munmap(progress, sizeof(Progress)); }
  Campaign(const Campaign &) = delete;

  size_t run() {
    while (progress->next < plan.count)
      if (const std::optional<std::string> death = watch(start())) {
        std::printf("module %zu: %s\n", size_t(progress->next), death->c_str());
        ++deaths;
        finish([&](Worker &worker) { worker.keep(progress->next); });
        progress->next = progress->next + 1;
      }
    for (unsigned outcome = 0; outcome < kOutcomes; ++outcome)
      if (progress->outcomes[outcome] != 0)
        std::printf("%zu %s\n", size_t(progress->outcomes[outcome]), kOutcomeNames[outcome]);
    std::printf("%zu crashed or hung\n", deaths);
    return deaths + progress->outcomes[WrongValues] + progress->outcomes[NotBuilt];
  }

private:
  // In a process of its own, which never uses what a crash may have left.
  template <class Work> pid_t fork(Work work) {
    std::fflush(stdout);
    const pid_t child = ::fork();
    if (child != 0)
      return child;
    int status = 1;
    try {
      Worker worker(plan, corpus, *progress);
      work(worker);
      status = 0;
    } catch (const std::exception &error) {
      std::printf("%s\n", error.what());
    }
    std::fflush(stdout);
    _exit(status);
  }

  pid_t start() {
    return fork([](Worker &worker) { worker.run(); });
  }

  template <class Work> void finish(Work work) { waitpid(fork(work), nullptr, 0); }

  // How the worker ended before its work was done.
  std::optional<std::string> watch(pid_t worker) {
    size_t last = SIZE_MAX;
    Clock::time_point since;
    for (int status = 0;;) {
      if (waitpid(worker, &status, WNOHANG) == worker) {
        if (WIFSIGNALED(status))
          return "the process died of signal " + std::to_string(WTERMSIG(status));
        return status == 0 ? std::nullopt : std::optional<std::string>("the process failed");
      }
      if (last != progress->next) {
        last = progress->next;
        since = Clock::now();
      } else if (Clock::now() - since > std::chrono::seconds(plan.limit)) {
        kill(worker, SIGKILL);
        waitpid(worker, nullptr, 0);
        return "no result within " + std::to_string(plan.limit) + " seconds";
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }

  Plan plan;
  Corpus corpus;
  Progress *progress;
  size_t deaths = 0;
};

} // namespace

size_t run(const Plan &plan) {
  return Campaign(plan).run();
}

} // namespace lanecl::modules
