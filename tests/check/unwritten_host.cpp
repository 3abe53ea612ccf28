// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// check_unwritten_host: fills memory of 64 integers in different ways, some of which leave it uninitialized. A kernel
// with the name of the way then makes a decision by each integer.
#include "support/exit_status.hpp"
#include "support/extension.hpp"
#include "support/session.hpp"

#include <CL/cl_ext.h>

#include <cstdio>
#include <functional>
#include <numeric>
#include <string>

using namespace lanecl::test;

namespace {

constexpr size_t kCount = 64, kBytes = kCount * sizeof(int), kHalf = kBytes / 2;
// The kernel NAME decides by each integer. The other kernels write memory completely or leave parts of it
// uninitialized.
constexpr const char *kSource = "kernel void NAME(global const int *p, global int *out) {\n"
                                "  size_t i = get_global_id(0);\n"
                                "  if (p[i] == 7)\n"
                                "    out[i] = 1;\n"
                                "}\n"
                                "kernel void copy(global const int *p, global int *out) {\n"
                                "  size_t i = get_global_id(0);\n"
                                "  out[i] = p[i] + 1;\n"
                                "}\n"
                                "struct padded { char a; int b; };\n"
                                "kernel void write_padded(global struct padded *out) {\n"
                                "  size_t i = get_global_id(0);\n"
                                "  out[i].a = 1;\n"
                                "  out[i].b = 2;\n"
                                "}\n"
                                "kernel void write_threes(global int3 *out) {\n"
                                "  size_t i = get_global_id(0);\n"
                                "  out[i] = (int3)(1, 2, 3);\n"
                                "}\n"
                                "kernel void miss_one(global int *out) {\n"
                                "  size_t i = get_global_id(0);\n"
                                "  if (i < get_global_size(0) - 1)\n"
                                "    out[i] = 1;\n"
                                "}\n"
                                "kernel void miss_one_of_a_group(global int *out) {\n"
                                "  if (get_local_id(0) != 5)\n"
                                "    out[get_global_id(0)] = 1;\n"
                                "}\n";

// A tile whose work-items with y == 2 leave their elements uninitialized.
constexpr const char *kTile = "kernel void tile(global int *out) {\n"
                              "  local int tile[2][4][4];\n"
                              "  int x = get_local_id(0), y = get_local_id(1), z = get_local_id(2);\n"
                              "  if (y != 2)\n"
                              "    tile[z][y][x] = x;\n"
                              "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                              "  if (tile[z][y][x] > 1)\n"
                              "    out[get_local_linear_id()] = 1;\n"
                              "}\n";

// Each member function tries one kind of ways.
class Ways {
public:
  void run();

private:
  // Builds a kernel of this name, sets its first argument by `set`, and has it decide by each integer of that memory.
  void decide(const std::string &name, const std::function<void(const Kernel &)> &set);
  void decide(const std::string &name, const Memory &memory) {
    decide(name, [&](const Kernel &kernel) { cl.setArguments(kernel, memory); });
  }
  void commands();
  void rectangles();
  void hostMemory();
  void images();
  void kernels();
  void svm();
  void typedSvm();
  void usm();
  void readBuffers();
  void readByMapping();
  void readAllocations();

  Memory unwritten(cl_mem_flags flags = CL_MEM_READ_WRITE) const { return cl.bytes(kBytes, flags); }

  const Session cl;
  std::vector<int> numbers = std::vector<int>(kCount, 3);
  const Memory out = cl.buffer(numbers), written = cl.buffer(numbers);
  const size_t global = kCount, local = kCount;
};

void Ways::decide(const std::string &name, const std::function<void(const Kernel &)> &set) {
  const Program program = cl.build(kSource, "-cl-std=CL3.0 -DNAME=" + name);
  const Kernel kernel = cl.kernel(program, name);
  set(kernel);
  check(clSetKernelArg(kernel, 1, sizeof(cl_mem), out.address()), "clSetKernelArg");
  check(clEnqueueNDRangeKernel(cl.queue, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr), "launch");
  check(clFinish(cl.queue), "clFinish");
}

void Ways::commands() {
  decide("never", unwritten());
  const Memory whole = unwritten(), half = unwritten(), filled = unwritten(), copied = unwritten(), other = unwritten();
  cl.write(whole, numbers);
  decide("whole", whole);
  check(clEnqueueWriteBuffer(cl.queue, half, CL_TRUE, kHalf, kHalf, numbers.data(), 0, nullptr, nullptr), "write");
  decide("second_half", half);
  const int three = 3;
  check(clEnqueueFillBuffer(cl.queue, filled, &three, 4, 0, kBytes, 0, nullptr, nullptr), "fill");
  decide("filled", filled);
  check(clEnqueueCopyBuffer(cl.queue, written, copied, 0, 0, kBytes, 0, nullptr, nullptr), "copy");
  decide("copied", copied);
  check(clEnqueueCopyBuffer(cl.queue, half, other, 0, 0, kBytes, 0, nullptr, nullptr), "copy");
  decide("copied_half", other);
  const cl_buffer_region region{0, kBytes};
  cl_int code = CL_SUCCESS;
  const Memory part(clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
  check(code, "clCreateSubBuffer");
  decide("sub_buffer", part);
}

// Writes the second half of each row of 8 integers.
void Ways::rectangles() {
  const Memory target = unwritten(), copy = unwritten();
  const size_t begin[3] = {16, 0, 0}, none[3] = {}, region[3] = {16, 8, 1};
  check(clEnqueueWriteBufferRect(cl.queue, target, CL_TRUE, begin, none, region, 32, 0, 16, 0, numbers.data(), 0,
                                 nullptr, nullptr),
        "write");
  decide("half_rows", target);
  check(clEnqueueCopyBufferRect(cl.queue, target, copy, begin, none, region, 32, 0, 32, 0, 0, nullptr, nullptr),
        "copy");
  decide("moved_half_rows", copy);
}

void Ways::hostMemory() {
  decide("with_data", written);
  decide("host_pointer", cl.bytes(kBytes, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, numbers.data()));
  decide("allocated_for_host", unwritten(CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR));
  const Memory for_writing = unwritten(), for_reading = unwritten();
  cl_int code = CL_SUCCESS;
  void *pointer = clEnqueueMapBuffer(cl.queue, for_writing, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0, kBytes, 0,
                                     nullptr, nullptr, &code);
  check(clEnqueueUnmapMemObject(cl.queue, for_writing, pointer, 0, nullptr, nullptr), "unmap");
  decide("mapped_for_writing", for_writing);
  pointer = clEnqueueMapBuffer(cl.queue, for_reading, CL_TRUE, CL_MAP_READ, 0, kBytes, 0, nullptr, nullptr, &code);
  check(clEnqueueUnmapMemObject(cl.queue, for_reading, pointer, 0, nullptr, nullptr), "unmap");
  decide("mapped_for_reading", for_reading);
}

void Ways::images() {
  const cl_image_format format{CL_R, CL_SIGNED_INT32};
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = 8;
  description.image_height = 8;
  cl_int code = CL_SUCCESS;
  const Memory image(clCreateImage(cl.context, CL_MEM_READ_WRITE, &format, &description, nullptr, &code));
  check(code, "clCreateImage");
  const size_t origin[3] = {}, region[3] = {8, 8, 1};
  const Memory from_image = unwritten(), back = unwritten();
  check(clEnqueueWriteImage(cl.queue, image, CL_TRUE, origin, region, 0, 0, numbers.data(), 0, nullptr, nullptr),
        "write");
  check(clEnqueueCopyImageToBuffer(cl.queue, image, from_image, origin, region, 0, 0, nullptr, nullptr), "copy");
  decide("image", from_image);
  check(clEnqueueCopyBufferToImage(cl.queue, unwritten(), image, 0, origin, region, 0, nullptr, nullptr), "copy");
  check(clEnqueueCopyImageToBuffer(cl.queue, image, back, origin, region, 0, 0, nullptr, nullptr), "copy");
  decide("unwritten_image", back);
}

void Ways::kernels() {
  const Kernel copy = cl.kernel(cl.build(kSource, "-DNAME=k"), "copy");
  const Memory from_written = unwritten(), from_unwritten = unwritten();
  cl.run(copy, {kCount}, {kCount}, written, from_written);
  decide("by_kernel", from_written);
  cl.run(copy, {kCount}, {kCount}, unwritten(), from_unwritten);
  decide("kernel_of_unwritten", from_unwritten);
  // The host may have written to its memory since the kernel ran.
  std::vector<int> own(kCount);
  const Memory host(cl.bytes(kBytes, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, own.data()));
  cl.run(copy, {kCount}, {kCount}, unwritten(), host);
  decide("kernel_into_host_memory", host);
}

void Ways::svm() {
  const auto allocate = [&] { return clSVMAlloc(cl.context, CL_MEM_READ_WRITE, kBytes, 0); };
  void *const never = allocate(), *const filled = allocate(), *const mapped = allocate(), *const copied = allocate();
  const auto decideSvm = [&](const std::string &name, void *pointer) {
    decide(name, [&](const Kernel &kernel) { check(clSetKernelArgSVMPointer(kernel, 0, pointer), "clSetKernelArg"); });
    clSVMFree(cl.context, pointer);
  };
  const int three = 3;
  check(clEnqueueSVMMemcpy(cl.queue, CL_TRUE, copied, never, kBytes, 0, nullptr, nullptr), "copy");
  check(clEnqueueSVMMemFill(cl.queue, filled, &three, 4, kBytes, 0, nullptr, nullptr), "fill");
  check(clEnqueueSVMMap(cl.queue, CL_TRUE, CL_MAP_WRITE, mapped, kBytes, 0, nullptr, nullptr), "map");
  check(clEnqueueSVMUnmap(cl.queue, mapped, 0, nullptr, nullptr), "unmap");
  decideSvm("svm", never);
  decideSvm("svm_filled", filled);
  decideSvm("svm_mapped", mapped);
  decideSvm("svm_copied", copied);
}

// The extension cl_khr_unified_svm, which the headers may lack. The host can write to memory that a device owns by
// commands only.
void Ways::typedSvm() {
  using Allocate = void *(CL_API_CALL *)(cl_context, const cl_properties *, cl_uint, size_t, cl_int *);
  const auto allocate = extensionFunction<Allocate>("clSVMAllocWithPropertiesKHR");
  const cl_properties of_device[] = {0x2078, reinterpret_cast<cl_properties>(cl.device), 0};
  constexpr cl_uint kDevice = 0, kHost = 1;
  const auto decideTyped = [&](const std::string &name, void *pointer) {
    decide(name, [&](const Kernel &kernel) { check(clSetKernelArgSVMPointer(kernel, 0, pointer), "clSetKernelArg"); });
    clSVMFree(cl.context, pointer);
  };
  void *const filled = allocate(cl.context, of_device, kDevice, kBytes, nullptr);
  const int three = 3;
  check(clEnqueueSVMMemFill(cl.queue, filled, &three, 4, kBytes, 0, nullptr, nullptr), "fill");
  decideTyped("svm_device_filled", filled);
  decideTyped("svm_device", allocate(cl.context, of_device, kDevice, kBytes, nullptr));
  decideTyped("svm_host", allocate(cl.context, nullptr, kHost, kBytes, nullptr));
}

void Ways::usm() {
  const auto set = extensionFunction<clSetKernelArgMemPointerINTEL_fn>("clSetKernelArgMemPointerINTEL");
  const auto copy = extensionFunction<clEnqueueMemcpyINTEL_fn>("clEnqueueMemcpyINTEL");
  const auto release = extensionFunction<clMemFreeINTEL_fn>("clMemFreeINTEL");
  cl_int code = CL_SUCCESS;
  const auto ofDevice = [&] {
    return extensionFunction<clDeviceMemAllocINTEL_fn>("clDeviceMemAllocINTEL")(cl.context, cl.device, nullptr, kBytes,
                                                                                0, &code);
  };
  void *const device = ofDevice(), *const copied = ofDevice(), *const from_device = ofDevice();
  void *const host =
      extensionFunction<clHostMemAllocINTEL_fn>("clHostMemAllocINTEL")(cl.context, nullptr, kBytes, 0, &code);
  void *const shared = extensionFunction<clSharedMemAllocINTEL_fn>("clSharedMemAllocINTEL")(cl.context, cl.device,
                                                                                            nullptr, kBytes, 0, &code);
  check(copy(cl.queue, CL_TRUE, copied, numbers.data(), kBytes, 0, nullptr, nullptr), "copy");
  check(copy(cl.queue, CL_TRUE, from_device, device, kBytes, 0, nullptr, nullptr), "copy");
  const auto decideUsm = [&](const std::string &name, void *pointer) {
    decide(name, [&](const Kernel &kernel) { check(set(kernel, 0, pointer), "clSetKernelArgMemPointerINTEL"); });
    release(cl.context, pointer);
  };
  decideUsm("usm_device", device);
  decideUsm("usm_copied", copied);
  decideUsm("usm_from_device", from_device);
  decideUsm("usm_host", host);
  decideUsm("usm_shared", shared);
}

// Lets the host read uninitialized memory by one command after the other. Each command has a line of its own, because
// lanecl check reports only one finding for each line.
void Ways::readBuffers() {
  const Program program = cl.build(kSource, "-cl-std=CL3.0 -DNAME=k");
  const Memory second_half = unwritten(), whole = unwritten(), computed = unwritten(), padded = unwritten();
  const Memory threes = unwritten(), all_but_one = unwritten(), parts = unwritten(), never = unwritten();
  std::vector<int> result(kCount);
  const auto read = [&](const Memory &memory) { return cl.read<int>(memory); };
  cl.write(whole, numbers);
  read(whole);
  cl.run(cl.kernel(program, "write_padded"), {kCount / 2}, {8}, padded);
  read(padded);
  cl.run(cl.kernel(program, "write_threes"), {kCount / 4}, {8}, threes);
  read(threes);
  const auto readHere = [&](const Memory &memory, size_t offset) {
    return clEnqueueReadBuffer(cl.queue, memory, CL_TRUE, offset, kBytes - offset, result.data(), 0, nullptr, nullptr);
  };
  check(clEnqueueWriteBuffer(cl.queue, second_half, CL_TRUE, kHalf, kHalf, numbers.data(), 0, nullptr, nullptr),
        "write");
  check(readHere(second_half, kHalf), "read");
  check(readHere(second_half, 100), "read");
  cl_int code = CL_SUCCESS;
  const cl_buffer_region region{kHalf, kHalf};
  const Memory part(clCreateSubBuffer(never, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
  check(code, "clCreateSubBuffer");
  check(clEnqueueReadBuffer(cl.queue, part, CL_TRUE, 8, 16, result.data(), 0, nullptr, nullptr), "read");
  cl.run(cl.kernel(program, "copy"), {kCount}, {kCount}, never, computed);
  check(clEnqueueReadBuffer(cl.queue, computed, CL_TRUE, 0, kBytes, result.data(), 0, nullptr, nullptr), "read");
  cl.run(cl.kernel(program, "miss_one"), {kCount}, {kCount}, all_but_one);
  check(clEnqueueReadBuffer(cl.queue, all_but_one, CL_TRUE, 0, kBytes, result.data(), 0, nullptr, nullptr), "read");
  cl.run(cl.kernel(program, "miss_one_of_a_group"), {kCount}, {32}, parts);
  check(clEnqueueReadBuffer(cl.queue, parts, CL_TRUE, 0, kBytes, result.data(), 0, nullptr, nullptr), "read");
  const size_t begin[3] = {4, 1, 0}, none[3] = {}, box[3] = {12, 3, 1};
  check(clEnqueueReadBufferRect(cl.queue, never, CL_TRUE, begin, none, box, 32, 0, 12, 0, result.data(), 0, nullptr,
                                nullptr),
        "read");
  check(clEnqueueReadBufferRect(cl.queue, whole, CL_TRUE, begin, none, box, 32, 0, 12, 0, result.data(), 0, nullptr,
                                nullptr),
        "read");
}

void Ways::readByMapping() {
  const Memory never = unwritten();
  const auto map = [&](cl_map_flags flags) {
    cl_int code = CL_SUCCESS;
    void *pointer = clEnqueueMapBuffer(cl.queue, never, CL_TRUE, flags, 16, 32, 0, nullptr, nullptr, &code);
    check(code, "clEnqueueMapBuffer");
    check(clEnqueueUnmapMemObject(cl.queue, never, pointer, 0, nullptr, nullptr), "unmap");
  };
  map(CL_MAP_READ);
  map(CL_MAP_READ | CL_MAP_WRITE); // the host may intend to write to it
  map(CL_MAP_READ);
}

void Ways::readAllocations() {
  void *const shared = clSVMAlloc(cl.context, CL_MEM_READ_WRITE, kBytes, 0);
  std::vector<int> result(kCount);
  check(clEnqueueSVMMap(cl.queue, CL_TRUE, CL_MAP_READ, shared, 12, 0, nullptr, nullptr), "map");
  check(clEnqueueSVMUnmap(cl.queue, shared, 0, nullptr, nullptr), "unmap");
  const std::byte *const inside = static_cast<std::byte *>(shared) + 20;
  check(clEnqueueSVMMemcpy(cl.queue, CL_TRUE, result.data(), inside, 40, 0, nullptr, nullptr), "copy");
  const int three = 3;
  check(clEnqueueSVMMemFill(cl.queue, shared, &three, 4, kBytes, 0, nullptr, nullptr), "fill");
  check(clEnqueueSVMMemcpy(cl.queue, CL_TRUE, result.data(), inside, 40, 0, nullptr, nullptr), "copy");
  clSVMFree(cl.context, shared);
  cl_int code = CL_SUCCESS;
  void *const device = extensionFunction<clDeviceMemAllocINTEL_fn>("clDeviceMemAllocINTEL")(cl.context, cl.device,
                                                                                            nullptr, kBytes, 0, &code);
  check(code, "clDeviceMemAllocINTEL");
  check(extensionFunction<clEnqueueMemcpyINTEL_fn>("clEnqueueMemcpyINTEL")(cl.queue, CL_TRUE, result.data(), device, 24,
                                                                           0, nullptr, nullptr),
        "copy");
  extensionFunction<clMemFreeINTEL_fn>("clMemFreeINTEL")(cl.context, device);
}

void Ways::run() {
  readBuffers();
  readByMapping();
  readAllocations();
  commands();
  rectangles();
  hostMemory();
  images();
  kernels();
  svm();
  typedSvm();
  usm();
  const Program program = cl.build(kTile, "-cl-std=CL3.0");
  cl.run(cl.kernel(program, "tile"), {8, 4, 2}, {4, 4, 2}, out);
}

} // namespace

int main() {
  return lanecl::test::exitStatusOf([&] { Ways().run(); });
}
