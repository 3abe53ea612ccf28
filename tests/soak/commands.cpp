// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "jobs.h"

#include <algorithm>
#include <numeric>

namespace lanecl::test::soak {
namespace {

constexpr size_t kItems = 1024, kGroup = 64, kSubGroup = 16, kBuffers = 3;

class Commands {
public:
  Commands(Shared &shared, Random &random)
      : shared(shared), random(random), queue(makeQueue(shared.context, properties(random), shared.device)) {
    for (Place &place : places) {
      place.model.resize(kItems);
      std::generate(place.model.begin(), place.model.end(), [&] { return cl_int(random() % 1000); });
      cl_int code = CL_SUCCESS;
      place.buffer = Memory(clCreateBuffer(shared.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                           kItems * sizeof(cl_int), place.model.data(), &code));
      check(code, "clCreateBuffer");
    }
  }

  void run() {
    for (size_t left = 5 + below(random, 40); left > 0; --left)
      addOne();
    for (Place &place : places)
      verify(place);
  }

private:
  struct Place {
    Memory buffer;
    std::vector<cl_int> model;
    Event last; // the command that wrote it, or read it, last
  };

  static cl_command_queue_properties properties(Random &random) {
    return (random() & 1 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0) | (random() & 1 ? CL_QUEUE_PROFILING_ENABLE : 0);
  }

  struct WaitList {
    cl_uint count = 0;
    cl_event events[2];
    void add(const Event &event) {
      if (event)
        events[count++] = event;
    }
    const cl_event *list() const { return count != 0 ? events : nullptr; }
  };

  static WaitList after(const Place &a) {
    WaitList list;
    list.add(a.last);
    return list;
  }

  void ended(Place &place, Event event) {
    ++shared.tally.commands;
    if (oneIn(random, 4))
      countEnd(event, shared.tally);
    place.last = std::move(event);
  }

  void addOne() {
    Place &place = places[below(random, kBuffers)];
    switch (below(random, 9)) {
    case 0: return add(place);
    case 1: return mirror(place);
    case 2: return sums(place);
    case 3: return fill(place);
    case 4: return write(place);
    case 5: return copy(place, places[below(random, kBuffers)]);
    case 6: return map(place);
    case 7: return verify(place);
    case 8: check(oneIn(random, 3) ? clFinish(queue) : clFlush(queue), "clFinish or clFlush");
    }
  }

  Kernel kernel(const char *name) {
    cl_int code = CL_SUCCESS;
    Kernel result(clCreateKernel(shared.program, name, &code));
    check(code, "clCreateKernel");
    return result;
  }

  void launch(Place &place, const Kernel &kernel) {
    check(clSetKernelArg(kernel, 0, sizeof(cl_mem), place.buffer.address()), "clSetKernelArg");
    const size_t global = kItems, local = kGroup;
    const WaitList list = after(place);
    Event event;
    check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &local, list.count, list.list(), event.out()),
          "clEnqueueNDRangeKernel");
    ended(place, std::move(event));
  }

  void add(Place &place) {
    const cl_int value = cl_int(random() % 100);
    Kernel kernel = this->kernel("add");
    check(clSetKernelArg(kernel, 1, sizeof value, &value), "clSetKernelArg");
    launch(place, kernel);
    for (cl_int &element : place.model)
      element += value;
  }

  void mirror(Place &place) {
    Kernel kernel = this->kernel("mirror");
    check(clSetKernelArg(kernel, 1, kGroup * sizeof(cl_int), nullptr), "clSetKernelArg");
    launch(place, kernel);
    for (auto group = place.model.begin(); group != place.model.end(); group += kGroup)
      std::reverse(group, group + kGroup);
  }

  void sums(Place &place) {
    launch(place, kernel("sums"));
    for (auto group = place.model.begin(); group != place.model.end(); group += kSubGroup) {
      const auto sum = cl_int(std::accumulate(group, group + kSubGroup, 0U));
      std::replace_if(group, group + kSubGroup, [](cl_int value) { return value & 1; }, sum);
    }
  }

  void fill(Place &place) {
    const cl_int value = cl_int(random());
    const size_t first = below(random, kItems), count = 1 + below(random, kItems - first);
    const WaitList list = after(place);
    Event event;
    check(clEnqueueFillBuffer(queue, place.buffer, &value, sizeof value, first * sizeof value, count * sizeof value,
                              list.count, list.list(), event.out()),
          "clEnqueueFillBuffer");
    ended(place, std::move(event));
    std::fill_n(place.model.begin() + ptrdiff_t(first), count, value);
  }

  // The values must live until a write that does not block has ended: it is waited for.
  void write(Place &place) {
    std::generate(place.model.begin(), place.model.end(), [&] { return cl_int(random() % 1000); });
    const WaitList list = after(place);
    const bool blocking = random() & 1;
    Event event;
    check(clEnqueueWriteBuffer(queue, place.buffer, blocking, 0, kItems * sizeof(cl_int), place.model.data(),
                               list.count, list.list(), event.out()),
          "clEnqueueWriteBuffer");
    if (!blocking)
      check(clWaitForEvents(1, event.address()), "clWaitForEvents");
    ended(place, std::move(event));
  }

  void copy(Place &from, Place &to) {
    if (&from == &to)
      return;
    WaitList list;
    list.add(from.last);
    list.add(to.last);
    Event event;
    check(clEnqueueCopyBuffer(queue, from.buffer, to.buffer, 0, 0, kItems * sizeof(cl_int), list.count, list.list(),
                              event.out()),
          "clEnqueueCopyBuffer");
    to.model = from.model;
    from.last = event;
    ended(to, std::move(event));
  }

  void map(Place &place) {
    const WaitList list = after(place);
    cl_int code = CL_SUCCESS;
    void *mapped = clEnqueueMapBuffer(queue, place.buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                      kItems * sizeof(cl_int), list.count, list.list(), nullptr, &code);
    check(code, "clEnqueueMapBuffer");
    const size_t index = below(random, kItems);
    compare(place, static_cast<const cl_int *>(mapped));
    static_cast<cl_int *>(mapped)[index] = place.model[index] = cl_int(index);
    Event event;
    check(clEnqueueUnmapMemObject(queue, place.buffer, mapped, 0, nullptr, event.out()), "clEnqueueUnmapMemObject");
    ended(place, std::move(event));
  }

  void verify(Place &place) {
    std::vector<cl_int> got(kItems);
    const WaitList list = after(place);
    check(clEnqueueReadBuffer(queue, place.buffer, CL_TRUE, 0, kItems * sizeof(cl_int), got.data(), list.count,
                              list.list(), nullptr),
          "clEnqueueReadBuffer");
    ++shared.tally.commands;
    compare(place, got.data());
  }

  static void compare(const Place &place, const cl_int *got) {
    for (size_t i = 0; i < kItems; ++i)
      if (got[i] != place.model[i])
        throw std::runtime_error("element " + std::to_string(i) + " is " + std::to_string(got[i]) + " instead of " +
                                 std::to_string(place.model[i]));
  }

  Shared &shared;
  Random &random;
  CommandQueue queue;
  Place places[kBuffers];
};

} // namespace

void runCommands(Shared &shared, Random &random) {
  Commands(shared, random).run();
}

} // namespace lanecl::test::soak
