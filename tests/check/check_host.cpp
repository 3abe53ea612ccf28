// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// check_host FILE MEMORY GLOBAL LOCAL [OPTIONS]: runs the kernel `k` of a file. Its first argument has 64 integers,
// which hold their own numbers. MEMORY says where they are:
//   buffer, read-only, write-only     a buffer with these access flags
//   sub-buffer, sub-buffer-of-svm     a sub-buffer with as much memory before it and after it
//   svm, usm                          an allocation
//   freed                             an SVM allocation that is freed before the launch
//   unwritten, unwritten-svm          memory of which only the first half is written
//   both                              one buffer as two arguments
//   far-apart                         two arguments whose addresses differ by a multiple of 256 GiB
//   null                              a null pointer
//   image, image-array, image-…       images, see inImage() and kBlockImages
// A last argument is local memory of 32 integers. An argument between these two is local memory of no bytes.
// FILE.spvasm is the text of a SPIR-V module. Another file may consist of several programs, which are compiled and
// linked, and of headers for them: each starts after a line `//: program` or `//: header NAME`.
#include "support/exit_status.hpp"
#include "support/extension.hpp"
#include "support/session.hpp"
#include "support/spirv.hpp"

#include <CL/cl_ext.h>

#include <array>
#include <cstdio>
#include <numeric>
#include <sstream>
#include <vector>

#include <sys/mman.h>

using namespace lanecl::test;

namespace {

constexpr size_t kCount = 64, kBytes = kCount * sizeof(int), kLocalBytes = 32 * sizeof(int);

std::vector<int> numbers() {
  std::vector<int> values(kCount);
  std::iota(values.begin(), values.end(), 0);
  return values;
}

// Sets the arguments in local memory, if the kernel has any, and runs the kernel.
void launch(const Session &cl, const Kernel &kernel, size_t global, size_t local) {
  cl_uint arguments = 0;
  check(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof arguments, &arguments, nullptr), "clGetKernelInfo");
  if (arguments > 1)
    check(clSetKernelArg(kernel, arguments - 1, kLocalBytes, nullptr), "clSetKernelArg");
  if (arguments > 2)
    check(clSetKernelArg(kernel, 1, 0, nullptr), "clSetKernelArg");
  check(clEnqueueNDRangeKernel(cl.queue, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr), "launch");
  check(clFinish(cl.queue), "clFinish");
}

void inSubBuffer(const Session &cl, const Kernel &kernel, const Memory &whole, size_t global, size_t local) {
  const cl_buffer_region region{kBytes, kBytes};
  cl_int code = CL_SUCCESS;
  const Memory part(clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
  check(code, "clCreateSubBuffer");
  cl.write(part, numbers());
  cl.setArguments(kernel, part);
  launch(cl, kernel, global, local);
}

void inSubBufferOfSvm(const Session &cl, const Kernel &kernel, size_t global, size_t local) {
  void *const memory = clSVMAlloc(cl.context, CL_MEM_READ_WRITE, 3 * kBytes, 0);
  inSubBuffer(cl, kernel, cl.bytes(3 * kBytes, CL_MEM_USE_HOST_PTR, memory), global, local);
  clSVMFree(cl.context, memory);
}

void inSvm(const Session &cl, const Kernel &kernel, size_t global, size_t local, bool freed) {
  void *const memory = clSVMAlloc(cl.context, CL_MEM_READ_WRITE, kBytes, 0);
  const std::vector<int> values = numbers();
  check(clEnqueueSVMMemcpy(cl.queue, CL_TRUE, memory, values.data(), kBytes, 0, nullptr, nullptr), "copy");
  check(clSetKernelArgSVMPointer(kernel, 0, memory), "clSetKernelArgSVMPointer");
  if (freed)
    clSVMFree(cl.context, memory);
  launch(cl, kernel, global, local);
  if (!freed)
    clSVMFree(cl.context, memory);
}

// Writes only the first half of the buffer.
void inUnwritten(const Session &cl, const Kernel &kernel, size_t global, size_t local) {
  const Memory buffer = cl.bytes(kBytes);
  std::vector<int> half = numbers();
  half.resize(kCount / 2);
  cl.write(buffer, half);
  cl.setArguments(kernel, buffer);
  launch(cl, kernel, global, local);
}

void inUnwrittenSvm(const Session &cl, const Kernel &kernel, size_t global, size_t local) {
  void *const memory = clSVMAlloc(cl.context, CL_MEM_READ_WRITE, kBytes, 0);
  const std::vector<int> values = numbers();
  check(clEnqueueSVMMemcpy(cl.queue, CL_TRUE, memory, values.data(), kBytes / 2, 0, nullptr, nullptr), "copy");
  check(clSetKernelArgSVMPointer(kernel, 0, memory), "clSetKernelArgSVMPointer");
  launch(cl, kernel, global, local);
  clSVMFree(cl.context, memory);
}

void inUsm(const Session &cl, const Kernel &kernel, size_t global, size_t local) {
  const auto allocate = extensionFunction<clDeviceMemAllocINTEL_fn>("clDeviceMemAllocINTEL");
  const auto set = extensionFunction<clSetKernelArgMemPointerINTEL_fn>("clSetKernelArgMemPointerINTEL");
  cl_int code = CL_SUCCESS;
  void *const memory = allocate(cl.context, cl.device, nullptr, kBytes, 0, &code);
  check(code, "clDeviceMemAllocINTEL");
  check(set(kernel, 0, memory), "clSetKernelArgMemPointerINTEL");
  launch(cl, kernel, global, local);
}

// Passes one buffer as both arguments.
void inBoth(const Session &cl, const Kernel &kernel, size_t global, size_t local) {
  const Memory buffer = cl.buffer(numbers());
  cl.setArguments(kernel, buffer, buffer);
  check(clEnqueueNDRangeKernel(cl.queue, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr), "launch");
  check(clFinish(cl.queue), "clFinish");
}

// Passes two buffers in memory of the host. Below the first one there is room in the address space somewhere.
void inFarApart(const Session &cl, const Kernel &kernel, size_t global, size_t local) {
  constexpr size_t kDistance = size_t(256) << 30;
  constexpr int kRead = PROT_READ | PROT_WRITE, kNew = MAP_PRIVATE | MAP_ANONYMOUS;
  char *const first = static_cast<char *>(mmap(nullptr, 4096, kRead, kNew, -1, 0));
  void *second = MAP_FAILED;
  for (char *at = first - kDistance; second == MAP_FAILED && at > first - 400 * kDistance; at -= kDistance)
    second = mmap(at, 4096, kRead, kNew | MAP_FIXED_NOREPLACE, -1, 0);
  if (second == MAP_FAILED)
    throw std::runtime_error("there is no room in the address space");
  const Memory one = cl.bytes(kBytes, CL_MEM_USE_HOST_PTR, first);
  const Memory other = cl.bytes(kBytes, CL_MEM_USE_HOST_PTR, second);
  cl.run(kernel, {global}, {local}, one, other);
}

// Makes an image of 64 elements: 4 rows of 16, or four layers of 4 x 4.
void inImage(const Session &cl, const Kernel &kernel, size_t global, size_t local, bool is_array) {
  const cl_image_format format{CL_R, CL_SIGNED_INT32};
  cl_image_desc description{};
  description.image_type = is_array ? CL_MEM_OBJECT_IMAGE2D_ARRAY : CL_MEM_OBJECT_IMAGE2D;
  description.image_width = is_array ? 4 : 16;
  description.image_height = 4;
  description.image_array_size = is_array ? 4 : 0;
  cl_int code = CL_SUCCESS;
  const Memory image(clCreateImage(cl.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format, &description,
                                   numbers().data(), &code));
  check(code, "clCreateImage");
  cl.setArguments(kernel, image);
  launch(cl, kernel, global, local);
}

// Images of the 256 bytes for block functions. An image that is made from a buffer has a row pitch, and `begin` is the
// buffer's offset in the memory, which decides its alignment.
struct BlockImage {
  const char *name;
  cl_image_format format;
  size_t width, height, pitch, begin;
};
constexpr BlockImage kBlockImages[] = {
    {"image-of-bytes", {CL_R, CL_UNSIGNED_INT8}, 64, 4, 0, 0},
    {"image-of-vectors", {CL_RGBA, CL_SIGNED_INT32}, 4, 4, 0, 0},
    {"image-of-buffer", {CL_R, CL_SIGNED_INT32}, 16, 3, 64, 32},
    {"image-pitch", {CL_R, CL_SIGNED_INT32}, 16, 3, 80, 0},
    {"image-begin", {CL_R, CL_SIGNED_INT32}, 16, 3, 64, 16},
};

void inBlockImage(const Session &cl, const Kernel &kernel, const BlockImage &kind, size_t global, size_t local) {
  alignas(64) std::array<int, kCount> values{};
  std::iota(values.begin(), values.end(), 0);
  const size_t first = kind.begin / sizeof(int);
  const Memory buffer = cl.bytes(kBytes - kind.begin, CL_MEM_USE_HOST_PTR, &values[first]);
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = kind.width;
  description.image_height = kind.height;
  description.image_row_pitch = kind.pitch;
  description.buffer = kind.pitch == 0 ? nullptr : buffer.get();
  cl_int code = CL_SUCCESS;
  const Memory image(clCreateImage(cl.context, CL_MEM_READ_WRITE, &kind.format, &description, nullptr, &code));
  check(code, "clCreateImage");
  cl.setArguments(kernel, image);
  launch(cl, kernel, global, local);
}

// A program or a header of a file.
struct Part {
  std::string header; // the header's name; empty: a program
  std::string text{};
};

// Returns the parts of a file, or nothing when the file is one program.
std::vector<Part> partsOf(const std::string &text) {
  const std::string program = "//: program", header = "//: header ";
  std::vector<Part> parts;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line == program)
      parts.push_back({""});
    else if (line.starts_with(header))
      parts.push_back({line.substr(header.size())});
    else if (!parts.empty())
      parts.back().text += line + "\n";
  }
  return parts;
}

// Compiles the programs with the headers and links them.
Program link(const Session &cl, const std::vector<Part> &parts, const std::string &options) {
  std::vector<Program> programs;
  std::vector<cl_program> headers, inputs;
  std::vector<const char *> names;
  for (const Part &part : parts) {
    programs.push_back(cl.source(part.text));
    (part.header.empty() ? inputs : headers).push_back(programs.back());
    if (!part.header.empty())
      names.push_back(part.header.c_str());
  }
  for (cl_program program : inputs)
    check(clCompileProgram(program, 0, nullptr, options.c_str(), cl_uint(names.size()),
                           names.empty() ? nullptr : headers.data(), names.empty() ? nullptr : names.data(), nullptr,
                           nullptr),
          "clCompileProgram");
  cl_int code = CL_SUCCESS;
  Program linked(
      clLinkProgram(cl.context, 0, nullptr, "", cl_uint(inputs.size()), inputs.data(), nullptr, nullptr, &code));
  check(code, "clLinkProgram");
  return linked;
}

// Builds the program of a file, whichever of the three kinds the file is.
Program programOf(const Session &cl, const std::string &file, const std::string &options) {
  const std::string text = textOfFile(file);
  if (file.ends_with(".spvasm"))
    return buildIl(cl, createWithIl(cl, assemble(text)), options);
  const std::vector<Part> parts = partsOf(text);
  return parts.empty() ? cl.build(text, options) : link(cl, parts, options);
}

void run(const std::string &file, const std::string &memory, size_t global, size_t local, const std::string &options) {
  const Session cl;
  const Program program = programOf(cl, file, options);
  const Kernel kernel = cl.kernel(program, "k");
  if (memory == "sub-buffer")
    return inSubBuffer(cl, kernel, cl.bytes(3 * kBytes), global, local);
  if (memory == "sub-buffer-of-svm")
    return inSubBufferOfSvm(cl, kernel, global, local);
  if (memory == "svm" || memory == "freed")
    return inSvm(cl, kernel, global, local, memory == "freed");
  if (memory == "usm")
    return inUsm(cl, kernel, global, local);
  if (memory == "both")
    return inBoth(cl, kernel, global, local);
  if (memory == "far-apart")
    return inFarApart(cl, kernel, global, local);
  if (memory == "image" || memory == "image-array")
    return inImage(cl, kernel, global, local, memory == "image-array");
  for (const BlockImage &kind : kBlockImages)
    if (memory == kind.name)
      return inBlockImage(cl, kernel, kind, global, local);
  if (memory == "unwritten")
    return inUnwritten(cl, kernel, global, local);
  if (memory == "unwritten-svm")
    return inUnwrittenSvm(cl, kernel, global, local);
  const cl_mem_flags flags = memory == "read-only"    ? CL_MEM_READ_ONLY
                             : memory == "write-only" ? CL_MEM_WRITE_ONLY
                                                      : CL_MEM_READ_WRITE;
  const Memory buffer = cl.buffer(numbers(), flags);
  cl.setArguments(kernel, buffer);
  if (memory == "null")
    check(clSetKernelArg(kernel, 0, sizeof(cl_mem), nullptr), "clSetKernelArg");
  launch(cl, kernel, global, local);
}

} // namespace

int main(int count, char **arguments) {
  if (count != 5 && count != 6)
    return 2;
  return lanecl::test::exitStatusOf([&] {
    run(arguments[1], arguments[2], std::stoul(arguments[3]), std::stoul(arguments[4]), count == 6 ? arguments[5] : "");
  });
}
