// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cl_khr_command_buffer_mutable_dispatch.
#include "support/command_buffers.hpp"
#include "support/images.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <atomic>
#include <thread>

using namespace lanecl::test;
using lanecl::command_buffer::CommandProperties;
using lanecl::command_buffer::DispatchConfig;
using lanecl::command_buffer::UpdateType;

namespace {

using Sizes = std::vector<size_t>;
using Argument = cl_mutable_dispatch_arg_khr;

Argument argument(cl_uint index, const Memory &memory) {
  return {index, sizeof(cl_mem), memory.address()};
}
Argument argument(cl_uint index, const int &value) {
  return {index, sizeof value, &value};
}

// A command buffer whose kernels can be updated.
struct MutableRecorder : Recorder {
  explicit MutableRecorder(const CommandQueue &queue, cl_command_buffer_flags_khr more = 0)
      : Recorder(queue, CL_COMMAND_BUFFER_MUTABLE_KHR | more) {}

  cl_mutable_command_khr dispatch(const Kernel &kernel, const Sizes &global, const Sizes &local = {},
                                  const CommandProperties *properties = nullptr, const Sizes &offset = {}) const {
    cl_mutable_command_khr handle = nullptr;
    check(clCommandNDRangeKernelKHR(buffer, nullptr, properties, kernel, cl_uint(global.size()),
                                    offset.empty() ? nullptr : offset.data(), global.data(),
                                    local.empty() ? nullptr : local.data(), 0, nullptr, nullptr, &handle),
          "clCommandNDRangeKernelKHR");
    REQUIRE(handle != nullptr);
    return handle;
  }
  cl_int tryUpdate(const std::vector<DispatchConfig> &configs) const {
    const std::vector<UpdateType> types(configs.size(), lanecl::command_buffer::kDispatchConfig);
    std::vector<const void *> pointers;
    for (const DispatchConfig &config : configs)
      pointers.push_back(&config);
    return clUpdateMutableCommandsKHR(buffer, cl_uint(configs.size()), types.data(), pointers.data());
  }
  void update(const std::vector<DispatchConfig> &configs) const {
    check(tryUpdate(configs), "clUpdateMutableCommandsKHR");
  }
  template <class T> T info(cl_mutable_command_khr command, cl_mutable_command_info_khr name) const {
    T value{};
    size_t size = 0;
    check(clGetMutableCommandInfoKHR(command, name, sizeof value, &value, &size), "clGetMutableCommandInfoKHR");
    CHECK(size == sizeof value);
    return value;
  }
};

DispatchConfig withArguments(cl_mutable_command_khr command, const std::vector<Argument> &arguments) {
  return {.command = command, .num_args = cl_uint(arguments.size()), .arg_list = arguments.data()};
}

// `set` stores v to p[global id]. `sizes` stores the sizes and the offset that the work-items see.
const char kSetSource[] = "kernel void set(global int *p, int v) { p[get_global_id(0)] = v; }\n"
                          "kernel void sizes(global int *p) {\n"
                          "  size_t i = get_global_id(0) - get_global_offset(0);\n"
                          "  p[3 * i] = get_global_size(0);\n"
                          "  p[3 * i + 1] = get_local_size(0);\n"
                          "  p[3 * i + 2] = get_global_offset(0);\n"
                          "}\n";

} // namespace

TEST_CASE("the device can update everything", "[mutable_dispatch]") {
  Session cl;
  cl_mutable_dispatch_fields_khr fields = 0;
  REQUIRE(clGetDeviceInfo(cl.device, CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR, sizeof fields, &fields, nullptr) ==
          CL_SUCCESS);
  CHECK(fields ==
        (CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR | CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR |
         CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR | CL_MUTABLE_DISPATCH_ARGUMENTS_KHR | CL_MUTABLE_DISPATCH_EXEC_INFO_KHR));
}

TEST_CASE("updated arguments are used from the next enqueue on", "[mutable_dispatch]") {
  Session cl;
  Kernel set = cl.kernel(cl.build(kSetSource), "set");
  Memory a = cl.buffer(std::vector<int>(8, 0)), b = cl.buffer(std::vector<int>(8, 0));
  cl.setArguments(set, a, 1);
  MutableRecorder recorder(cl.queue);
  const cl_mutable_command_khr first = recorder.dispatch(set, {8}), second = recorder.dispatch(set, {4});
  recorder.finalize();
  recorder.run();
  CHECK(cl.read<int>(a) == std::vector<int>(8, 1));
  recorder.update({withArguments(second, {argument(0, b), argument(1, 5)})});
  for (int run = 0; run < 2; ++run) {
    cl.write(a, std::vector<int>(8, 0));
    recorder.run();
    CHECK(cl.read<int>(a) == std::vector<int>(8, 1));
    CHECK(cl.read<int>(b) == std::vector<int>{5, 5, 5, 5, 0, 0, 0, 0});
  }
  recorder.update({withArguments(first, {argument(1, 7)})}); // the other argument does not change
  recorder.run();
  CHECK(cl.read<int>(a) == std::vector<int>(8, 7));
  cl_int value = 0;
  cl.setArguments(set, b, value); // the kernel is the application's, and updates do not change it
  recorder.run();
  CHECK(cl.read<int>(a) == std::vector<int>(8, 7));
}

TEST_CASE("an update does not affect earlier enqueues", "[mutable_dispatch]") {
  Session cl;
  Kernel add = cl.kernel(cl.build("kernel void k(global int *p, int v) { p[get_global_id(0)] += v; }"), "k");
  Memory data = cl.buffer(std::vector<int>(100, 0));
  cl.setArguments(add, data, 0);
  MutableRecorder recorder(cl.queue, CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR);
  const cl_mutable_command_khr command = recorder.dispatch(add, {100});
  recorder.finalize();
  cl_int code = CL_SUCCESS;
  Event gate(clCreateUserEvent(cl.context, &code));
  REQUIRE(code == CL_SUCCESS);
  REQUIRE(clEnqueueBarrierWithWaitList(cl.queue, 1, gate.address(), nullptr) == CL_SUCCESS);
  int expected = 0;
  for (int i = 1; i <= 20; ++i) {
    recorder.update({withArguments(command, {argument(1, i)})});
    recorder.enqueue();
    expected += i;
  }
  CHECK(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
  CHECK(cl.read<int>(data) == std::vector<int>(100, expected));
}

TEST_CASE("a local argument is updated to a size of 0 and back", "[mutable_dispatch]") {
  Session cl;
  MutableRecorder recorder(cl.queue);
  const Kernel kernel = cl.kernel(cl.build("kernel void k(global int *out, int count, local int *tile) {\n"
                                           "  int sum = 0;\n"
                                           "  for (int i = 0; i < count; ++i) { tile[i] = i + 1; sum += tile[i]; }\n"
                                           "  out[get_global_id(0)] = sum;\n"
                                           "}\n"),
                                  "k");
  const Memory out = cl.buffer(std::vector<int>(2, -1));
  cl.setArguments(kernel, out, 4, Local{16});
  const auto command = recorder.dispatch(kernel, {2}, {1});
  recorder.finalize();
  const auto run = [&](int count, size_t bytes) {
    recorder.update({withArguments(command, {argument(1, count), Argument{2, bytes, nullptr}})});
    recorder.run();
    return cl.read<int>(out);
  };
  CHECK(run(0, 0) == std::vector<int>{0, 0});
  CHECK(run(5, 20) == std::vector<int>{15, 15});
  CHECK(run(0, 0) == std::vector<int>{0, 0});
}

TEST_CASE("if one call updates a command several times, the last update wins", "[mutable_dispatch]") {
  Session cl;
  Kernel set = cl.kernel(cl.build(kSetSource), "set");
  Memory a = cl.buffer(std::vector<int>(8, 0)), b = cl.buffer(std::vector<int>(8, 0));
  cl.setArguments(set, a, 1);
  MutableRecorder recorder(cl.queue);
  const cl_mutable_command_khr command = recorder.dispatch(set, {8});
  recorder.finalize();
  recorder.update({withArguments(command, {argument(1, 2)}), withArguments(command, {argument(0, b)}),
                   withArguments(command, {argument(1, 3)})});
  recorder.run();
  CHECK(cl.read<int>(a) == std::vector<int>(8, 0));
  CHECK(cl.read<int>(b) == std::vector<int>(8, 3));
}

TEST_CASE("local, image and shared memory arguments are updated", "[mutable_dispatch]") {
  Session cl;
  Kernel kernel = cl.kernel(cl.build("kernel void k(read_only image2d_t image, global int *out, local int *scratch) {\n"
                                     "  size_t l = get_local_id(0);\n"
                                     "  scratch[l] = read_imageui(image, (int2)(l, 0)).x;\n"
                                     "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                                     "  out[get_global_id(0)] = scratch[get_local_size(0) - 1 - l];\n"
                                     "}"),
                            "k");
  // These formats have code of their own in the kernel.
  const cl_image_format words{CL_R, CL_UNSIGNED_INT32}, shorts{CL_R, CL_UNSIGNED_INT16};
  const Extent extent{16, 1, 1};
  std::vector<uint32_t> ascending(16);
  std::vector<uint16_t> squares(16);
  for (unsigned i = 0; i < 16; ++i) {
    ascending[i] = i;
    squares[i] = uint16_t(i * i);
  }
  Memory first = makeImage(cl, words, CL_MEM_OBJECT_IMAGE2D, extent, ascending);
  Memory second = makeImage(cl, shorts, CL_MEM_OBJECT_IMAGE2D, extent, squares);
  Memory out = cl.bytes(64);
  cl.setArguments(kernel, first, out, Local{16});
  MutableRecorder recorder(cl.queue);
  const cl_mutable_command_khr command = recorder.dispatch(kernel, {4}, {4});
  recorder.finalize();
  recorder.run();
  CHECK(cl.read<int>(out)[0] == 3);
  int *const shared = static_cast<int *>(clSVMAlloc(cl.context, CL_MEM_READ_WRITE, 64, 0));
  const Argument arguments[] = {argument(0, second), {2, 64, nullptr}}, pointer{1, 0, shared};
  const size_t sixteen = 16;
  recorder.update({{.command = command,
                    .num_args = 2,
                    .num_svm_args = 1,
                    .arg_list = arguments,
                    .arg_svm_list = &pointer,
                    .global_work_size = &sixteen,
                    .local_work_size = &sixteen}});
  recorder.run();
  for (int i = 0; i < 16; ++i)
    CHECK(shared[i] == (15 - i) * (15 - i));
  const cl_bool yes = CL_TRUE;
  const cl_mutable_dispatch_exec_info_khr info{CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof yes, &yes};
  recorder.update({{.command = command, .num_exec_infos = 1, .exec_info_list = &info}});
  recorder.run();
  clSVMFree(cl.context, shared);
}

TEST_CASE("sizes and offset are updated, and queries report it", "[mutable_dispatch]") {
  Session cl;
  Kernel sizes = cl.kernel(cl.build(kSetSource), "sizes");
  Memory data = cl.bytes(3 * 64 * sizeof(int));
  cl.setArguments(sizes, data);
  MutableRecorder recorder(cl.queue);
  const cl_mutable_command_khr command = recorder.dispatch(sizes, {32}, {8});
  recorder.finalize();
  const auto expectSizes = [&](size_t global, size_t local, size_t offset) {
    cl.write(data, std::vector<int>(3 * 64, -1));
    recorder.run();
    std::vector<int> expected(3 * 64, -1);
    for (size_t i = 0; i < global; ++i) {
      expected[3 * i] = int(global);
      expected[3 * i + 1] = int(local);
      expected[3 * i + 2] = int(offset);
    }
    CHECK(cl.read<int>(data) == expected);
    CHECK(recorder.info<size_t>(command, CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR) == global);
    CHECK(recorder.info<size_t>(command, CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR) == local);
    CHECK(recorder.info<size_t>(command, CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR) == offset);
  };
  expectSizes(32, 8, 0);
  const size_t two = 2, sixteen = 16, sixty_four = 64, seven = 7, zero = 0;
  recorder.update({{.command = command, .global_work_size = &sixty_four}});
  expectSizes(64, 8, 0);
  recorder.update({{.command = command, .local_work_size = &sixteen}});
  expectSizes(64, 16, 0);
  recorder.update({{.command = command, .work_dim = 1, .global_work_offset = &seven}});
  expectSizes(64, 16, 7);
  recorder.update(
      {{.command = command, .global_work_offset = &zero, .global_work_size = &two, .local_work_size = &two}});
  expectSizes(2, 2, 0);
  recorder.update({{.command = command, .global_work_size = &zero}}); // for now, there is nothing to do
  expectSizes(0, 2, 0);
  recorder.update({{.command = command, .global_work_size = &sixty_four}});
  expectSizes(64, 2, 0);
}

TEST_CASE("a local size that was left open is chosen again", "[mutable_dispatch]") {
  Session cl;
  Kernel set = cl.kernel(cl.build(kSetSource), "set");
  Memory data = cl.buffer(std::vector<int>(1000, 0));
  cl.setArguments(set, data, 1);
  MutableRecorder recorder(cl.queue);
  const cl_mutable_command_khr command = recorder.dispatch(set, {64});
  recorder.finalize();
  recorder.run();
  const size_t prime = 997;
  recorder.update({{.command = command, .global_work_size = &prime}});
  recorder.run();
  std::vector<int> expected(1000, 1);
  std::fill(expected.begin() + 997, expected.end(), 0);
  CHECK(cl.read<int>(data) == expected);
  CHECK(recorder.info<size_t>(command, CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR) == 0);
}

TEST_CASE("arguments may be set after the command buffer is finalized", "[mutable_dispatch]") {
  Session cl;
  Kernel set = cl.kernel(cl.build(kSetSource), "set");
  Memory data = cl.buffer(std::vector<int>(8, 0));
  const CommandProperties later[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, CL_MUTABLE_DISPATCH_ARGUMENTS_KHR, 0};
  MutableRecorder recorder(cl.queue);
  const cl_mutable_command_khr command = recorder.dispatch(set, {8}, {}, later);
  recorder.finalize();
  CHECK(recorder.state() == CL_COMMAND_BUFFER_STATE_FINALIZED_KHR);
  CHECK(recorder.clEnqueueCommandBufferKHR(0, nullptr, recorder.buffer, 0, nullptr, nullptr) == CL_INVALID_OPERATION);
  recorder.update({withArguments(command, {argument(0, data)})});
  CHECK(recorder.state() == CL_COMMAND_BUFFER_STATE_FINALIZED_KHR);
  CHECK(recorder.clEnqueueCommandBufferKHR(0, nullptr, recorder.buffer, 0, nullptr, nullptr) == CL_INVALID_OPERATION);
  recorder.update({withArguments(command, {argument(1, 6)})});
  CHECK(recorder.state() == CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR);
  recorder.run();
  CHECK(cl.read<int>(data) == std::vector<int>(8, 6));

  const CommandProperties never[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR, 0};
  Recorder other(cl.queue, CL_COMMAND_BUFFER_MUTABLE_KHR);
  Kernel unset = cl.kernel(cl.build(kSetSource), "set");
  const size_t size = 8;
  cl_mutable_command_khr handle = nullptr;
  for (const CommandProperties *properties : {never, static_cast<const CommandProperties *>(nullptr)})
    CHECK(other.clCommandNDRangeKernelKHR(other.buffer, nullptr, properties, unset, 1, nullptr, &size, nullptr, 0,
                                          nullptr, nullptr, &handle) == CL_INVALID_KERNEL_ARGS);
}

TEST_CASE("an update that fails changes nothing", "[mutable_dispatch]") {
  Session cl;
  Kernel set = cl.kernel(cl.build(kSetSource), "set");
  Memory a = cl.buffer(std::vector<int>(8, 0)), b = cl.buffer(std::vector<int>(8, 0));
  cl.setArguments(set, a, 1);
  MutableRecorder recorder(cl.queue);
  const cl_mutable_command_khr first = recorder.dispatch(set, {8}, {2}), second = recorder.dispatch(set, {4}, {2});
  recorder.finalize();
  const int nine = 9;
  const std::vector<Argument> good{argument(0, b), argument(1, nine)}, bad{argument(1, nine), {0, 3, b.address()}};
  const size_t four = 4, eight = 8;
  DispatchConfig fine = withArguments(first, good);
  fine.global_work_size = &four;
  CHECK(recorder.tryUpdate({fine, withArguments(second, bad)}) == CL_INVALID_ARG_SIZE);
  DispatchConfig too_large{.command = second, .local_work_size = &eight}; // larger than the global size
  CHECK(recorder.tryUpdate({fine, too_large}) == CL_INVALID_OPERATION);
  CHECK(recorder.info<size_t>(first, CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR) == 8);
  recorder.run();
  CHECK(cl.read<int>(a) == std::vector<int>(8, 1));
  CHECK(cl.read<int>(b) == std::vector<int>(8, 0));
}

TEST_CASE("queries of mutable commands", "[mutable_dispatch]") {
  Session cl;
  Kernel set = cl.kernel(cl.build(kSetSource), "set");
  Memory data = cl.bytes(4096);
  cl.setArguments(set, data, 1);
  MutableRecorder recorder(cl.queue);
  const CommandProperties properties[] = {CL_MUTABLE_DISPATCH_ASSERTS_KHR, 1, CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR,
                                          CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR, 0};
  const cl_mutable_command_khr command = recorder.dispatch(set, {8, 4, 2}, {2, 2, 2}, properties, {1, 2, 3});
  const cl_mutable_command_khr plain = recorder.dispatch(set, {8, 4});
  CHECK(recorder.info<cl_command_queue>(command, CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR) == cl.queue.get());
  CHECK(recorder.info<cl_command_buffer_khr>(command, CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR) == recorder.buffer.get());
  CHECK(recorder.info<cl_command_type>(command, CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR) == CL_COMMAND_NDRANGE_KERNEL);
  CHECK(recorder.info<cl_kernel>(command, CL_MUTABLE_DISPATCH_KERNEL_KHR) == set.get());
  CHECK(recorder.info<cl_uint>(command, CL_MUTABLE_DISPATCH_DIMENSIONS_KHR) == 3);
  CHECK(recorder.info<cl_uint>(plain, CL_MUTABLE_DISPATCH_DIMENSIONS_KHR) == 2);
  using Three = std::array<size_t, 3>;
  using Two = std::array<size_t, 2>;
  CHECK(recorder.info<Three>(command, CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR) == Three{1, 2, 3});
  CHECK(recorder.info<Three>(command, CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR) == Three{8, 4, 2});
  CHECK(recorder.info<Three>(command, CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR) == Three{2, 2, 2});
  CHECK(recorder.info<Two>(plain, CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR) == Two{0, 0});
  CHECK(recorder.info<Two>(plain, CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR) == Two{0, 0});
  using List = std::array<CommandProperties, 5>;
  CHECK(recorder.info<List>(command, CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR) == std::to_array(properties));
  size_t size = 1;
  REQUIRE(recorder.clGetMutableCommandInfoKHR(plain, CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR, 0, nullptr, &size) ==
          CL_SUCCESS);
  CHECK(size == 0);
  cl_uint number = 0;
  CHECK(recorder.clGetMutableCommandInfoKHR(nullptr, CL_MUTABLE_DISPATCH_DIMENSIONS_KHR, 4, &number, nullptr) ==
        CL_INVALID_MUTABLE_COMMAND_KHR);
  CHECK(recorder.clGetMutableCommandInfoKHR(command, CL_MUTABLE_DISPATCH_DIMENSIONS_KHR, 3, &number, nullptr) ==
        CL_INVALID_VALUE);
  CHECK(recorder.clGetMutableCommandInfoKHR(command, 0x1234, 4, &number, nullptr) == CL_INVALID_VALUE);
}

TEST_CASE("recording is refused if a kernel's properties are wrong", "[mutable_dispatch]") {
  Session cl;
  Kernel set = cl.kernel(cl.build(kSetSource), "set");
  Memory data = cl.bytes(256);
  cl.setArguments(set, data, 1);
  const auto &f = CommandBufferFunctions::get();
  const cl_command_buffer_properties_khr asserting[] = {CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR,
                                                        CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR, 0};
  cl_int code = CL_SUCCESS;
  CommandBuffer plain = makeCommandBuffer(cl.queue);
  CommandBuffer asserts(f.clCreateCommandBufferKHR(1, cl.queue.address(), asserting, &code));
  REQUIRE(code == CL_SUCCESS);
  const size_t size = 8, local = 4;
  const auto record = [&](cl_command_buffer_khr buffer, const std::vector<CommandProperties> &properties,
                          const size_t *local_size) {
    return f.clCommandNDRangeKernelKHR(buffer, nullptr, properties.data(), set, 1, nullptr, &size, local_size, 0,
                                       nullptr, nullptr, nullptr);
  };
  CHECK(record(plain, {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, 1 << 5, 0}, nullptr) == CL_INVALID_VALUE);
  CHECK(record(plain, {CL_MUTABLE_DISPATCH_ASSERTS_KHR, 2, 0}, &local) == CL_INVALID_VALUE);
  CHECK(record(plain, {CL_MUTABLE_DISPATCH_ASSERTS_KHR, 1, 0}, nullptr) == CL_INVALID_VALUE);
  CHECK(record(plain, {CL_MUTABLE_DISPATCH_ASSERTS_KHR, 1, 0}, &local) == CL_SUCCESS);
  CHECK(record(asserts, {0}, nullptr) == CL_INVALID_VALUE);
  CHECK(record(asserts, {0}, &local) == CL_SUCCESS);
}

TEST_CASE("updates are refused as the extension specifies", "[mutable_dispatch]") {
  Session cl;
  Kernel set = cl.kernel(cl.build(kSetSource), "set");
  Memory data = cl.bytes(4096);
  cl.setArguments(set, data, 1);
  MutableRecorder recorder(cl.queue), other(cl.queue);
  Recorder immutable(cl.queue);
  const CommandProperties none[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, 0, 0};
  const cl_mutable_command_khr command = recorder.dispatch(set, {8}, {4}),
                               fixed = recorder.dispatch(set, {8}, {4}, none);
  const cl_mutable_command_khr others = other.dispatch(set, {8}, {4});
  const DispatchConfig nothing{.command = command};
  CHECK(recorder.tryUpdate({nothing}) == CL_INVALID_OPERATION); // the command buffer is not finalized
  recorder.finalize();
  immutable.finalize();
  CHECK(recorder.tryUpdate({nothing}) == CL_SUCCESS);
  const UpdateType type = lanecl::command_buffer::kDispatchConfig, wrong = 1;
  const void *config = &nothing, *null = nullptr;
  const auto update = [&](cl_command_buffer_khr buffer, cl_uint count, const UpdateType *types, const void **configs) {
    return recorder.clUpdateMutableCommandsKHR(buffer, count, types, configs);
  };
  CHECK(update(nullptr, 1, &type, &config) == CL_INVALID_COMMAND_BUFFER_KHR);
  CHECK(update(immutable.buffer, 1, &type, &config) == CL_INVALID_OPERATION);
  CHECK(update(recorder.buffer, 0, nullptr, nullptr) == CL_SUCCESS);
  CHECK(update(recorder.buffer, 1, nullptr, &config) == CL_INVALID_VALUE);
  CHECK(update(recorder.buffer, 1, &type, nullptr) == CL_INVALID_VALUE);
  CHECK(update(recorder.buffer, 0, &type, nullptr) == CL_INVALID_VALUE);
  CHECK(update(recorder.buffer, 0, nullptr, &config) == CL_INVALID_VALUE);
  CHECK(update(recorder.buffer, 1, &wrong, &config) == CL_INVALID_VALUE);
  CHECK(update(recorder.buffer, 1, &type, &null) == CL_INVALID_VALUE);

  const size_t four = 4, eight = 8, ten = 10, huge = 4096;
  const cl_bool yes = CL_TRUE;
  const Argument value = argument(1, 3), no_such{2, 4, &yes}, pointer{0, 0, nullptr}, not_a_pointer{1, 0, nullptr};
  const cl_mutable_dispatch_exec_info_khr info{CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof yes, &yes},
      bad_info{0x1234, sizeof yes, &yes};
  CHECK(recorder.tryUpdate({{.command = nullptr}}) == CL_INVALID_MUTABLE_COMMAND_KHR);
  CHECK(recorder.tryUpdate({{.command = others}}) == CL_INVALID_MUTABLE_COMMAND_KHR);
  CHECK(recorder.tryUpdate({{.command = command, .work_dim = 2}}) == CL_INVALID_OPERATION);
  CHECK(recorder.tryUpdate({{.command = fixed, .global_work_offset = &four}}) == CL_INVALID_OPERATION);
  CHECK(recorder.tryUpdate({{.command = fixed, .global_work_size = &four}}) == CL_INVALID_OPERATION);
  CHECK(recorder.tryUpdate({{.command = fixed, .local_work_size = &four}}) == CL_INVALID_OPERATION);
  CHECK(recorder.tryUpdate({{.command = fixed, .num_args = 1, .arg_list = &value}}) == CL_INVALID_OPERATION);
  CHECK(recorder.tryUpdate({{.command = fixed, .num_svm_args = 1, .arg_svm_list = &pointer}}) == CL_INVALID_OPERATION);
  CHECK(recorder.tryUpdate({{.command = fixed, .num_exec_infos = 1, .exec_info_list = &info}}) == CL_INVALID_OPERATION);
  CHECK(recorder.tryUpdate({{.command = command, .num_args = 1}}) == CL_INVALID_VALUE);
  CHECK(recorder.tryUpdate({{.command = command, .arg_list = &value}}) == CL_INVALID_VALUE);
  CHECK(recorder.tryUpdate({{.command = command, .num_svm_args = 1}}) == CL_INVALID_VALUE);
  CHECK(recorder.tryUpdate({{.command = command, .arg_svm_list = &pointer}}) == CL_INVALID_VALUE);
  CHECK(recorder.tryUpdate({{.command = command, .num_exec_infos = 1}}) == CL_INVALID_VALUE);
  CHECK(recorder.tryUpdate({{.command = command, .exec_info_list = &info}}) == CL_INVALID_VALUE);
  CHECK(recorder.tryUpdate({{.command = command, .num_args = 1, .arg_list = &no_such}}) == CL_INVALID_ARG_INDEX);
  CHECK(recorder.tryUpdate({{.command = command, .num_svm_args = 1, .arg_svm_list = &not_a_pointer}}) ==
        CL_INVALID_ARG_VALUE);
  CHECK(recorder.tryUpdate({{.command = command, .num_exec_infos = 1, .exec_info_list = &bad_info}}) ==
        CL_INVALID_VALUE);
  // The work-groups would not be uniform.
  CHECK(recorder.tryUpdate({{.command = command, .global_work_size = &ten}}) == CL_INVALID_OPERATION);
  CHECK(recorder.tryUpdate({{.command = command, .global_work_size = &huge, .local_work_size = &huge}}) ==
        CL_INVALID_WORK_ITEM_SIZE);
  CHECK(recorder.tryUpdate({{.command = command, .global_work_size = &eight, .local_work_size = &eight}}) ==
        CL_SUCCESS);
}

TEST_CASE("threads update and enqueue one command buffer at the same time", "[mutable_dispatch]") {
  Session cl(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  constexpr size_t kCount = 64;
  constexpr int kThreads = 4, kRounds = 200;
  // In each run, both kernels add the same value, whatever the other threads do.
  Kernel add = cl.kernel(cl.build("kernel void k(global int *p, int v) { atomic_add(p + get_global_id(0), v); }"), "k");
  Memory a = cl.buffer(std::vector<int>(kCount, 0)), b = cl.buffer(std::vector<int>(kCount, 0));
  MutableRecorder recorder(cl.queue, CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR);
  cl.setArguments(add, a, 1);
  const cl_mutable_command_khr first = recorder.dispatch(add, {kCount});
  cl.setArguments(add, b, 1);
  const cl_mutable_command_khr second = recorder.dispatch(add, {kCount});
  recorder.finalize();
  std::atomic<int> failures{0};
  const auto work = [&](int value) {
    for (int i = 0; i < kRounds; ++i) {
      const std::vector<Argument> arguments{argument(1, value)};
      failures += recorder.tryUpdate({withArguments(first, arguments), withArguments(second, arguments)}) != CL_SUCCESS;
      failures += recorder.clEnqueueCommandBufferKHR(0, nullptr, recorder.buffer, 0, nullptr, nullptr) != CL_SUCCESS;
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back(work, i + 1);
  for (std::thread &thread : threads)
    thread.join();
  REQUIRE(clFinish(cl.queue) == CL_SUCCESS);
  CHECK(failures == 0);
  const std::vector<int> sums = cl.read<int>(a);
  CHECK(sums == cl.read<int>(b));
  CHECK(sums == std::vector<int>(kCount, sums[0]));
  CHECK(sums[0] >= kThreads * kRounds);
  CHECK(sums[0] <= kThreads * kThreads * kRounds);
}

TEST_CASE("threads that update different arguments of one command both succeed", "[mutable_dispatch]") {
  Session cl;
  Kernel kernel = cl.kernel(cl.build("kernel void k(global int *p, int a, int b) { p[0] = a; p[1] = b; }"), "k");
  Memory data = cl.bytes(2 * sizeof(int));
  cl.setArguments(kernel, data, 0, 0);
  MutableRecorder recorder(cl.queue);
  const cl_mutable_command_khr command = recorder.dispatch(kernel, {1});
  recorder.finalize();
  for (int round = 1; round <= 200; ++round) {
    std::vector<std::thread> threads;
    std::atomic<int> failures{0};
    for (cl_uint index : {1u, 2u})
      threads.emplace_back([&, index] {
        const int value = round * int(index);
        failures += recorder.tryUpdate({withArguments(command, {argument(index, value)})}) != CL_SUCCESS;
      });
    for (std::thread &thread : threads)
      thread.join();
    REQUIRE(failures == 0);
    recorder.run();
    REQUIRE(cl.read<int>(data) == std::vector<int>{round, 2 * round});
  }
}
