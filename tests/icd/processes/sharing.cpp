// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Two processes, each with its own OpenCL, take turns working on a buffer in shared memory. Semaphores tell whose turn
// it is. The handles are sent through a socket.
#include "support/extension.hpp"

#include <csignal>
#include <cstdio>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace lanecl::test;

namespace {

constexpr int kRounds = 100;
constexpr size_t kCount = 4096;
using Property = cl_semaphore_properties_khr;

#define FUNCTION(name) const auto name = extensionFunction<cl##name##_fn>("cl" #name)

void require(bool condition, const char *what) {
  if (!condition)
    throw std::runtime_error(what);
}

// A message of one byte, with room for a descriptor beside it.
class Parcel {
public:
  Parcel() {
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
  }
  Parcel(const Parcel &) = delete;
  Parcel &operator=(const Parcel &) = delete;

  cmsghdr *descriptorHeader() { return CMSG_FIRSTHDR(&message); }
  msghdr message{};

private:
  char byte = 0, control[CMSG_SPACE(sizeof(int))] = {};
  iovec data{&byte, 1};
};

void send(int socket, int descriptor) {
  Parcel parcel;
  cmsghdr *const header = parcel.descriptorHeader();
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof descriptor);
  std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  require(sendmsg(socket, &parcel.message, 0) == 1, "sendmsg");
}

int receive(int socket) {
  Parcel parcel;
  require(recvmsg(socket, &parcel.message, 0) == 1 && parcel.descriptorHeader(), "recvmsg");
  int descriptor = -1;
  std::memcpy(&descriptor, CMSG_DATA(parcel.descriptorHeader()), sizeof descriptor);
  return descriptor;
}

cl_semaphore_khr makeSemaphore(const Session &cl, const std::vector<Property> &more) {
  FUNCTION(CreateSemaphoreWithPropertiesKHR);
  std::vector<Property> properties{CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR};
  properties.insert(properties.end(), more.begin(), more.end());
  cl_int code = 1;
  const cl_semaphore_khr semaphore = CreateSemaphoreWithPropertiesKHR(cl.context, properties.data(), &code);
  check(code, "clCreateSemaphoreWithPropertiesKHR");
  return semaphore;
}

cl_semaphore_khr exported(const Session &cl, int socket) {
  FUNCTION(GetSemaphoreHandleForTypeKHR);
  const cl_semaphore_khr semaphore =
      makeSemaphore(cl, {CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, 0, 0});
  int handle = -1;
  check(GetSemaphoreHandleForTypeKHR(semaphore, cl.device, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, sizeof handle, &handle,
                                     nullptr),
        "clGetSemaphoreHandleForTypeKHR");
  send(socket, handle);
  close(handle);
  return semaphore;
}

cl_semaphore_khr imported(const Session &cl, int socket) {
  return makeSemaphore(cl, {CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, Property(receive(socket)), 0});
}

Memory import(const Session &cl, int descriptor) {
  const cl_mem_properties properties[] = {CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR, cl_mem_properties(descriptor), 0};
  cl_int code = 1;
  Memory memory(
      clCreateBufferWithProperties(cl.context, properties, CL_MEM_READ_WRITE, kCount * sizeof(int), nullptr, &code));
  check(code, "clCreateBufferWithProperties");
  return memory;
}

// Everything is enqueued at once. The steps 2 x + 1 and 3 x of the two processes do not commute, so the result shows
// their order.
void work(const Session &cl, Memory &memory, cl_semaphore_khr mine, cl_semaphore_khr others, const char *step) {
  FUNCTION(EnqueueWaitSemaphoresKHR);
  FUNCTION(EnqueueSignalSemaphoresKHR);
  FUNCTION(EnqueueAcquireExternalMemObjectsKHR);
  FUNCTION(EnqueueReleaseExternalMemObjectsKHR);
  const Kernel kernel =
      cl.kernel(cl.build("kernel void k(global uint *p) { size_t i = get_global_id(0); p[i] = STEP; }", step), "k");
  cl.setArguments(kernel, memory);
  for (int round = 0; round < kRounds; ++round) {
    check(EnqueueWaitSemaphoresKHR(cl.queue, 1, &mine, nullptr, 0, nullptr, nullptr), "clEnqueueWaitSemaphoresKHR");
    check(EnqueueAcquireExternalMemObjectsKHR(cl.queue, 1, memory.address(), 0, nullptr, nullptr), "acquire");
    check(clEnqueueNDRangeKernel(cl.queue, kernel, 1, nullptr, &kCount, nullptr, 0, nullptr, nullptr), "launch");
    check(EnqueueReleaseExternalMemObjectsKHR(cl.queue, 1, memory.address(), 0, nullptr, nullptr), "release");
    check(EnqueueSignalSemaphoresKHR(cl.queue, 1, &others, nullptr, 0, nullptr, nullptr),
          "clEnqueueSignalSemaphoresKHR");
  }
  check(clFinish(cl.queue), "clFinish");
}

void releaseBoth(cl_semaphore_khr a, cl_semaphore_khr b) {
  FUNCTION(ReleaseSemaphoreKHR);
  check(ReleaseSemaphoreKHR(a), "clReleaseSemaphoreKHR");
  check(ReleaseSemaphoreKHR(b), "clReleaseSemaphoreKHR");
}

void second(int socket) {
  const Session cl;
  Memory memory = import(cl, receive(socket));
  const cl_semaphore_khr first = imported(cl, socket), mine = imported(cl, socket);
  work(cl, memory, mine, first, "-DSTEP=p[i]*3");
  releaseBoth(first, mine);
}

void first(int socket) {
  const Session cl;
  const int shared = memfd_create("shared", MFD_CLOEXEC);
  require(ftruncate(shared, kCount * sizeof(int)) == 0, "ftruncate");
  send(socket, shared);
  Memory memory = import(cl, shared);
  const cl_semaphore_khr mine = exported(cl, socket), others = exported(cl, socket);
  FUNCTION(EnqueueSignalSemaphoresKHR);
  const CommandQueue begin = makeQueue(cl.context);
  check(EnqueueSignalSemaphoresKHR(begin, 1, &mine, nullptr, 0, nullptr, nullptr), "clEnqueueSignalSemaphoresKHR");
  check(clFinish(begin), "clFinish");
  work(cl, memory, mine, others, "-DSTEP=p[i]*2+1");
  FUNCTION(EnqueueWaitSemaphoresKHR);
  check(EnqueueWaitSemaphoresKHR(cl.queue, 1, &mine, nullptr, 0, nullptr, nullptr), "clEnqueueWaitSemaphoresKHR");
  uint32_t expected = 0;
  for (int round = 0; round < kRounds; ++round)
    expected = (expected * 2 + 1) * 3;
  require(cl.read<uint32_t>(memory) == std::vector<uint32_t>(kCount, expected), "a wrong result");
  releaseBoth(mine, others);
}

int run(void (*body)(int), int socket) {
  alarm(100);
  try {
    body(socket);
    return 0;
  } catch (const std::exception &problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return 1;
  }
}

} // namespace

int main() {
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0)
    return 1;
  const pid_t child = fork(); // before OpenCL is used
  if (child == 0)
    return run(second, sockets[1]);
  const int mine = run(first, sockets[0]);
  int status = 0;
  if (mine != 0)
    kill(child, SIGKILL);
  const bool other_good = waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return mine == 0 && other_good ? 0 : 1;
}
