// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cl_khr_unified_svm: shared virtual memory of a type, with properties.
#include "support/extension.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <atomic>
#include <bit>
#include <limits>
#include <thread>

using namespace lanecl::test;

namespace {

// The distribution's headers are older than the extension.
using Capabilities = cl_bitfield;
using Properties = std::vector<cl_properties>; // with the terminating 0; empty stands for NULL
constexpr cl_platform_info kPlatformTypes = 0x0909;
constexpr cl_device_info kDeviceTypes = 0x1077, kAtomSize = 0x1078;
constexpr Capabilities kSingleAddressSpace = 1 << 0, kSystemAllocated = 1 << 1, kDeviceOwned = 1 << 2,
                       kUnassociated = 1 << 3, kContextAccess = 1 << 4, kHostOwned = 1 << 5, kHostRead = 1 << 6,
                       kHostWrite = 1 << 7, kHostMap = 1 << 8, kDeviceRead = 1 << 9, kDeviceWrite = 1 << 10,
                       kDeviceAtomics = 1 << 11, kConcurrent = 1 << 12, kConcurrentAtomics = 1 << 13,
                       kIndirect = 1 << 14;
constexpr cl_properties kAssociatedDevice = 0x2078, kAccessFlags = 0x2079, kAlignment = 0x207a;
constexpr cl_uint kTypeIndex = 0x2088, kCapabilities = 0x2089, kProperties = 0x208a, kFlags = 0x208b, kBase = 0x419b,
                  kSize = 0x419c, kDevice = 0x419d;
constexpr cl_kernel_exec_info kIndirectAccess = 0x11bb;

// The types that the extension names, with the capabilities that each must have at least.
constexpr Capabilities kNamedTypes[] = {
    kSingleAddressSpace | kDeviceOwned | kDeviceRead | kDeviceWrite | kDeviceAtomics | kIndirect,
    kSingleAddressSpace | kUnassociated | kContextAccess | kHostOwned | kHostRead | kHostWrite | kDeviceRead |
        kDeviceWrite | kIndirect,
    kSingleAddressSpace | kHostRead | kHostWrite | kDeviceRead | kDeviceWrite | kIndirect,
    kSingleAddressSpace | kUnassociated | kContextAccess | kHostMap | kDeviceRead | kDeviceWrite | kDeviceAtomics,
    kSingleAddressSpace | kUnassociated | kContextAccess | kHostRead | kHostWrite | kHostMap | kDeviceRead |
        kDeviceWrite | kDeviceAtomics | kConcurrent,
    kSingleAddressSpace | kSystemAllocated | kUnassociated | kContextAccess | kHostRead | kHostWrite | kHostMap |
        kDeviceRead | kDeviceWrite | kDeviceAtomics | kConcurrent | kConcurrentAtomics | kIndirect,
};

struct Functions {
  void *(CL_API_CALL *allocate)(cl_context, const cl_properties *, cl_uint, size_t,
                                cl_int *) = extensionFunction<decltype(allocate)>("clSVMAllocWithPropertiesKHR");
  cl_int(CL_API_CALL *release)(cl_context, const cl_properties *, cl_bitfield,
                               void *) = extensionFunction<decltype(release)>("clSVMFreeWithPropertiesKHR");
  cl_int(CL_API_CALL *info)(cl_context, cl_device_id, const void *, cl_uint, size_t, void *,
                            size_t *) = extensionFunction<decltype(info)>("clGetSVMPointerInfoKHR");
  cl_int(CL_API_CALL *suggest)(cl_context, Capabilities, Capabilities, const cl_properties *, size_t,
                               cl_uint *) = extensionFunction<decltype(suggest)>("clGetSVMSuggestedTypeIndexKHR");
};

cl_properties handleOf(cl_device_id device) {
  return reinterpret_cast<cl_properties>(device);
}

struct SvmSession : Session {
  Functions svm;
  std::vector<Capabilities> types = deviceList<Capabilities>(kDeviceTypes);

  // Returns the properties that the type requires.
  Properties required(cl_uint type) const {
    return types[type] & kUnassociated ? Properties{} : Properties{kAssociatedDevice, handleOf(device), 0};
  }
  cl_int codeOf(cl_uint type, const Properties &properties, size_t size = 64) const {
    cl_int code = 1;
    void *pointer = svm.allocate(context, properties.empty() ? nullptr : properties.data(), type, size, &code);
    CHECK((pointer != nullptr) == (code == CL_SUCCESS && size != 0));
    CHECK(svm.release(context, nullptr, 0, pointer) == CL_SUCCESS);
    return code;
  }
  template <class T> T ask(const void *pointer, cl_uint name, cl_device_id of = nullptr) const {
    T value{};
    size_t bytes = 0;
    CHECK(svm.info(context, of, pointer, name, sizeof value, &value, &bytes) == CL_SUCCESS);
    CHECK(bytes == sizeof value);
    return value;
  }
  Properties propertiesOf(const void *pointer) const {
    size_t bytes = 1;
    CHECK(svm.info(context, nullptr, pointer, kProperties, 0, nullptr, &bytes) == CL_SUCCESS);
    Properties properties(bytes / sizeof(cl_properties));
    CHECK(svm.info(context, nullptr, pointer, kProperties, bytes, properties.data(), nullptr) == CL_SUCCESS);
    return properties;
  }
};

// An allocation of a type, which is written and read in the way that the type permits.
class Array {
public:
  Array(const SvmSession &cl, cl_uint type, size_t count, const Properties &properties = {})
      : cl_(cl), capabilities_(cl.types[type]), count_(count) {
    const Properties list = properties.empty() ? cl.required(type) : properties;
    cl_int code = 1;
    data_ = static_cast<int *>(
        cl.svm.allocate(cl.context, list.empty() ? nullptr : list.data(), type, count * sizeof(int), &code));
    check(code, "clSVMAllocWithPropertiesKHR");
  }
  Array(const Array &) = delete;
  Array &operator=(const Array &) = delete;
  ~Array() { cl_.svm.release(cl_.context, nullptr, 0, data_); }

  int *data() const { return data_; }
  void write(const std::vector<int> &values) {
    if (capabilities_ & kHostWrite) {
      std::copy(values.begin(), values.end(), data_);
    } else if (capabilities_ & kHostMap) {
      check(clEnqueueSVMMap(cl_.queue, CL_TRUE, CL_MAP_WRITE, data_, bytes(), 0, nullptr, nullptr), "map");
      std::copy(values.begin(), values.end(), data_);
      check(clEnqueueSVMUnmap(cl_.queue, data_, 0, nullptr, nullptr), "unmap");
    } else {
      check(clEnqueueSVMMemcpy(cl_.queue, CL_TRUE, data_, values.data(), bytes(), 0, nullptr, nullptr), "copy");
    }
  }
  std::vector<int> read() const {
    check(clFinish(cl_.queue), "clFinish");
    std::vector<int> values(count_);
    if (capabilities_ & kHostRead) {
      std::copy_n(data_, count_, values.begin());
    } else if (capabilities_ & kHostMap) {
      check(clEnqueueSVMMap(cl_.queue, CL_TRUE, CL_MAP_READ, data_, bytes(), 0, nullptr, nullptr), "map");
      std::copy_n(data_, count_, values.begin());
      check(clEnqueueSVMUnmap(cl_.queue, data_, 0, nullptr, nullptr), "unmap");
    } else {
      check(clEnqueueSVMMemcpy(cl_.queue, CL_TRUE, values.data(), data_, bytes(), 0, nullptr, nullptr), "copy");
    }
    return values;
  }

private:
  size_t bytes() const { return count_ * sizeof(int); }

  const SvmSession &cl_;
  Capabilities capabilities_;
  size_t count_;
  int *data_;
};

void launch(const Session &cl, const Kernel &kernel, size_t size) {
  check(clEnqueueNDRangeKernel(cl.queue, kernel, 1, nullptr, &size, nullptr, 0, nullptr, nullptr), "launch");
}

cl_command_type typeOf(const Event &event) {
  cl_command_type type = 0;
  check(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr), "clGetEventInfo");
  return type;
}

} // namespace

TEST_CASE("platform and device report the types of unified shared virtual memory", "[unified_svm]") {
  const SvmSession cl;
  size_t bytes = 0;
  REQUIRE(clGetPlatformInfo(laneclPlatform(), kPlatformTypes, 0, nullptr, &bytes) == CL_SUCCESS);
  std::vector<Capabilities> platform(bytes / sizeof(Capabilities));
  CHECK(clGetPlatformInfo(laneclPlatform(), kPlatformTypes, bytes, platform.data(), nullptr) == CL_SUCCESS);
  CHECK(platform == cl.types);
  for (const Capabilities named : kNamedTypes)
    CHECK(std::any_of(platform.begin(), platform.end(), [=](Capabilities type) { return (type & named) == named; }));
  for (const Capabilities type : platform) {
    CHECK((type & kDeviceOwned ? (type & kUnassociated) == 0 : true));
    CHECK((type & kHostOwned ? (type & kUnassociated) != 0 : true));
    CHECK(type < 1 << 15);
  }
  CHECK(deviceList<size_t>(kAtomSize) == std::vector<size_t>{1});
}

TEST_CASE("allocations report how they were made", "[unified_svm]") {
  const SvmSession cl;
  for (cl_uint type = 0; type < cl.types.size(); ++type) {
    std::vector<Properties> lists{{kAssociatedDevice, handleOf(cl.device), 0},
                                  {kAlignment, 64, kAccessFlags, 0x303, kAssociatedDevice, handleOf(cl.device), 0}};
    if (cl.types[type] & kUnassociated)
      lists.insert(lists.end(), {{}, {0}, {kAssociatedDevice, 0, 0}, {kAccessFlags, 0x101, 0}});
    for (const Properties &properties : lists) {
      const Array array(cl, type, 25, properties);
      const bool has_device =
          !properties.empty() && std::count(properties.begin(), properties.end(), handleOf(cl.device)) != 0;
      for (const int *pointer : {array.data(), array.data() + 24})
        for (const cl_device_id device : {static_cast<cl_device_id>(nullptr), cl.device}) {
          CHECK(cl.ask<cl_uint>(pointer, kTypeIndex, device) == type);
          CHECK(cl.ask<Capabilities>(pointer, kCapabilities, device) == cl.types[type]);
          CHECK(cl.ask<void *>(pointer, kBase, device) == array.data());
          CHECK(cl.ask<size_t>(pointer, kSize, device) == 100);
          CHECK(cl.ask<cl_device_id>(pointer, kDevice, device) == (has_device ? cl.device : nullptr));
          CHECK(cl.ask<cl_bitfield>(pointer, kFlags, device) ==
                (properties.size() == 7                                    ? 0x303
                 : properties.size() == 3 && properties[0] == kAccessFlags ? 0x101
                                                                           : 0));
          CHECK(cl.propertiesOf(pointer) == properties);
        }
    }
  }
}

TEST_CASE("allocations of clSVMAlloc have a type", "[unified_svm]") {
  const SvmSession cl;
  for (const cl_svm_mem_flags flags : {CL_MEM_READ_WRITE, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER}) {
    void *pointer = clSVMAlloc(cl.context, flags, 64, 0);
    REQUIRE(pointer);
    const Capabilities capabilities = cl.ask<Capabilities>(pointer, kCapabilities);
    CHECK((capabilities & kNamedTypes[3]) == kNamedTypes[3]);
    CHECK(((capabilities & kHostWrite) != 0) == ((flags & CL_MEM_SVM_FINE_GRAIN_BUFFER) != 0));
    CHECK(cl.types[cl.ask<cl_uint>(pointer, kTypeIndex)] == capabilities);
    CHECK(cl.ask<size_t>(pointer, kSize) == 64);
    CHECK(cl.propertiesOf(pointer).empty());
    CHECK(cl.svm.release(cl.context, nullptr, 0, pointer) == CL_SUCCESS);
  }
  CHECK(clSVMAlloc(cl.context, 0, 0, 0) == nullptr);
}

TEST_CASE("pointers outside every allocation have defaults", "[unified_svm]") {
  const SvmSession cl, other;
  Array foreign(other, 1, 16);
  int variable = 0;
  for (const void *pointer : {static_cast<const void *>(nullptr), static_cast<const void *>(&variable),
                              static_cast<const void *>(foreign.data())})
    for (const cl_device_id device : {static_cast<cl_device_id>(nullptr), cl.device}) {
      CHECK(cl.ask<cl_uint>(pointer, kTypeIndex, device) == std::numeric_limits<cl_uint>::max());
      CHECK(cl.ask<Capabilities>(pointer, kCapabilities, device) == 0);
      CHECK(cl.propertiesOf(pointer).empty());
      CHECK(cl.ask<cl_bitfield>(pointer, kFlags, device) == 0);
      CHECK(cl.ask<void *>(pointer, kBase, device) == nullptr);
      CHECK(cl.ask<size_t>(pointer, kSize, device) == 0);
      CHECK(cl.ask<cl_device_id>(pointer, kDevice, device) == nullptr);
    }
  size_t value = 0;
  CHECK(cl.svm.info(nullptr, nullptr, &variable, kSize, sizeof value, &value, nullptr) == CL_INVALID_CONTEXT);
  CHECK(cl.svm.info(cl.context, reinterpret_cast<cl_device_id>(cl.context.get()), &variable, kSize, sizeof value,
                    &value, nullptr) == CL_INVALID_DEVICE);
  CHECK(cl.svm.info(cl.context, nullptr, &variable, CL_MEM_SIZE, sizeof value, &value, nullptr) == CL_INVALID_VALUE);
  CHECK(cl.svm.info(cl.context, nullptr, &variable, kSize, sizeof value - 1, &value, nullptr) == CL_INVALID_VALUE);
  CHECK(cl.svm.info(cl.context, nullptr, &variable, kSize, 0, nullptr, nullptr) == CL_SUCCESS);
}

TEST_CASE("alignments, sizes and properties of allocations", "[unified_svm]") {
  const SvmSession cl;
  cl_int code = 1;
  for (cl_uint type = 0; type < cl.types.size(); ++type) {
    const auto with = [&](Properties properties) {
      const Properties required = cl.required(type);
      if (!required.empty())
        properties.insert(properties.begin(), required.begin(), required.end() - 1);
      return properties;
    };
    for (cl_properties alignment = 1; alignment <= 128; alignment *= 2) {
      const Array array(cl, type, 1, with({kAlignment, alignment, 0}));
      CHECK(reinterpret_cast<uintptr_t>(array.data()) % alignment == 0);
    }
    CHECK(reinterpret_cast<uintptr_t>(Array(cl, type, 1).data()) % 128 == 0);
    for (const cl_bitfield flags : {0x1, 0x2, 0x100, 0x200, 0x303})
      CHECK(cl.codeOf(type, with({kAccessFlags, flags, 0})) == CL_SUCCESS);
    CHECK(cl.codeOf(type, with({kAlignment, 48, 0})) == CL_INVALID_PROPERTY);
    CHECK(cl.codeOf(type, with({kAlignment, 256, 0})) == CL_INVALID_PROPERTY);
    CHECK(cl.codeOf(type, with({kAccessFlags, 4, 0})) == CL_INVALID_PROPERTY);
    CHECK(cl.codeOf(type, with({CL_MEM_SIZE, 4, 0})) == CL_INVALID_PROPERTY);
    CHECK(cl.codeOf(type, with({kAlignment, 4, kAlignment, 4, 0})) == CL_INVALID_PROPERTY);
    CHECK(cl.codeOf(type, {kAssociatedDevice, reinterpret_cast<cl_properties>(cl.context.get()), 0}) ==
          CL_INVALID_PROPERTY);
    const cl_int without = cl.types[type] & kUnassociated ? CL_SUCCESS : CL_INVALID_PROPERTY;
    CHECK(cl.codeOf(type, {}) == without);
    CHECK(cl.codeOf(type, {kAssociatedDevice, 0, 0}) == without);
    CHECK(cl.codeOf(type, with({0}), 0) == CL_SUCCESS); // the result is NULL
    CHECK(cl.codeOf(type, with({0}), size_t(1) << 60) != CL_SUCCESS);
    CHECK(cl.svm.allocate(nullptr, nullptr, type, 64, &code) == nullptr);
    CHECK(code == CL_INVALID_CONTEXT);
    CHECK(cl.svm.allocate(nullptr, nullptr, type, 64, nullptr) == nullptr);
  }
  CHECK(cl.codeOf(cl_uint(cl.types.size()), {}) == CL_INVALID_VALUE);
  CHECK(cl.codeOf(std::numeric_limits<cl_uint>::max(), {}) == CL_INVALID_VALUE);
}

TEST_CASE("freeing with properties", "[unified_svm]") {
  const SvmSession cl;
  const Properties none{0}, unknown{kAlignment, 1, 0};
  int variable = 0;
  for (cl_uint type = 0; type < cl.types.size(); ++type) {
    const Properties required = cl.required(type);
    const auto make = [&] {
      return static_cast<char *>(
          cl.svm.allocate(cl.context, required.empty() ? nullptr : required.data(), type, 64, nullptr));
    };
    char *pointer = make();
    CHECK(cl.svm.release(nullptr, nullptr, 0, pointer) == CL_INVALID_CONTEXT);
    CHECK(cl.svm.release(cl.context, unknown.data(), 0, pointer) == CL_INVALID_PROPERTY);
    CHECK(cl.svm.release(cl.context, nullptr, 1, pointer) == CL_INVALID_VALUE);
    CHECK(cl.svm.release(cl.context, nullptr, 0, pointer + 1) == CL_INVALID_VALUE);
    CHECK(cl.svm.release(cl.context, none.data(), 0, pointer) == CL_SUCCESS);
    CHECK(cl.svm.release(cl.context, nullptr, 0, pointer) == CL_INVALID_VALUE);
    clSVMFree(cl.context, pointer = make());
    CHECK(cl.ask<size_t>(pointer, kSize) == 0);
    void *list[] = {make(), nullptr};
    Event event;
    CHECK(clEnqueueSVMFree(cl.queue, 2, list, nullptr, nullptr, 0, nullptr, event.out()) == CL_SUCCESS);
    check(clFinish(cl.queue), "clFinish");
    CHECK(typeOf(event) == CL_COMMAND_SVM_FREE);
    CHECK(cl.ask<size_t>(list[0], kSize) == 0);
  }
  CHECK(cl.svm.release(cl.context, nullptr, 0, nullptr) == CL_SUCCESS);
  CHECK(cl.svm.release(cl.context, nullptr, 0, &variable) == CL_INVALID_VALUE);
}

TEST_CASE("the suggested type has the required capabilities", "[unified_svm]") {
  const SvmSession cl;
  constexpr cl_uint kNone = std::numeric_limits<cl_uint>::max();
  const Properties of_device{kAssociatedDevice, handleOf(cl.device), kAccessFlags, 1, kAlignment, 64, 0}, empty{0},
      unknown{CL_MEM_SIZE, 1, 0};
  const auto suggest = [&](Capabilities required, Capabilities desired, const cl_properties *properties,
                           size_t size = 4096) {
    cl_uint type = 77;
    CHECK(cl.svm.suggest(cl.context, required, desired, properties, size, &type) == CL_SUCCESS);
    return type;
  };
  for (const cl_properties *properties :
       {static_cast<const cl_properties *>(nullptr), empty.data(), of_device.data()}) {
    for (const Capabilities named : kNamedTypes)
      for (const Capabilities desired : {Capabilities(0), Capabilities(1) << 40, kHostMap}) {
        const cl_uint type = suggest(named, desired, properties);
        REQUIRE(type < cl.types.size());
        CHECK((cl.types[type] & named) == named);
      }
    for (int bit = 0; bit < 64; ++bit) {
      const cl_uint type = suggest(Capabilities(1) << bit, 0, properties);
      CHECK((type != kNone) == (bit < 15));
      CHECK((type == kNone || (cl.types[type] >> bit & 1) != 0));
    }
    CHECK(suggest(kDeviceOwned | kHostOwned, 0, properties) == kNone);
    CHECK((cl.types[suggest(0, kDeviceOwned, properties)] & kDeviceOwned) != 0);
    CHECK((cl.types[suggest(kHostRead, kHostMap, properties)] & kHostMap) != 0);
    CHECK(suggest(kHostRead, 0, properties, 0) != kNone);
    CHECK(suggest(kHostRead, 0, properties, size_t(1) << 60) == kNone);
  }
  cl_uint type = 0;
  CHECK(cl.svm.suggest(nullptr, 0, 0, nullptr, 0, &type) == CL_INVALID_CONTEXT);
  CHECK(cl.svm.suggest(cl.context, 0, 0, unknown.data(), 0, &type) == CL_INVALID_PROPERTY);
  CHECK(cl.svm.suggest(cl.context, 0, 0, nullptr, 0, nullptr) == CL_INVALID_VALUE);
}

TEST_CASE("kernels and commands access memory of every type", "[unified_svm]") {
  const SvmSession cl;
  const Program program =
      cl.build("typedef struct { global int *target; } Link;\n"
               "kernel void twice(global int *p) { p[get_global_id(0)] *= 2; }\n"
               "kernel void count(global int *p) { atomic_inc(p + get_global_id(0) % 4); }\n"
               "kernel void chase(global Link *link, int v) { link->target[get_global_id(0)] += v; }\n");
  const Kernel twice = cl.kernel(program, "twice"), count = cl.kernel(program, "count"),
               chase = cl.kernel(program, "chase");
  const cl_bool yes = CL_TRUE, no = CL_FALSE;
  for (cl_uint type = 0; type < cl.types.size(); ++type) {
    CAPTURE(type);
    Array array(cl, type, 64), copy(cl, type, 64);
    CHECK(array.read() == std::vector<int>(64, 0));
    array.write(std::vector<int>(64, 5));
    check(clSetKernelArgSVMPointer(twice, 0, array.data() + 32), "clSetKernelArgSVMPointer");
    launch(cl, twice, 32);
    std::vector<int> expected(64, 5);
    std::fill_n(expected.begin() + 32, 32, 10);
    CHECK(array.read() == expected);

    Event event;
    CHECK(clEnqueueSVMMemcpy(cl.queue, CL_FALSE, copy.data(), array.data(), 256, 0, nullptr, event.out()) ==
          CL_SUCCESS);
    CHECK(typeOf(event) == CL_COMMAND_SVM_MEMCPY);
    CHECK(copy.read() == expected);
    const int zero = 0;
    CHECK(clEnqueueSVMMemFill(cl.queue, array.data(), &zero, 4, 256, 0, nullptr, nullptr) == CL_SUCCESS);
    check(clSetKernelArgSVMPointer(count, 0, array.data()), "clSetKernelArgSVMPointer");
    launch(cl, count, 4000);
    expected.assign(64, 0);
    std::fill_n(expected.begin(), 4, 1000);
    CHECK(array.read() == expected);

    // The kernel finds the address only in memory.
    int *const target = copy.data();
    const Memory link = cl.buffer(std::vector<int *>{target});
    check(clSetKernelArg(chase, 0, sizeof(cl_mem), link.address()), "clSetKernelArg");
    const int one = 1;
    check(clSetKernelArg(chase, 1, sizeof one, &one), "clSetKernelArg");
    copy.write(std::vector<int>(64, 7));
    CHECK(clSetKernelExecInfo(chase, kIndirectAccess, sizeof yes, &yes) == CL_SUCCESS);
    launch(cl, chase, 64);
    CHECK(clSetKernelExecInfo(chase, kIndirectAccess, sizeof no, &no) == CL_SUCCESS);
    const void *inside = target + 3;
    CHECK(clSetKernelExecInfo(chase, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof inside, &inside) == CL_SUCCESS);
    launch(cl, chase, 64);
    CHECK(copy.read() == std::vector<int>(64, 9));

    const void *migrated[] = {array.data(), copy.data() + 1, nullptr};
    const size_t sizes[] = {0, 252, 0}, too_large[] = {0, 253, 0};
    Event moved;
    CHECK(clEnqueueSVMMigrateMem(cl.queue, 3, migrated, sizes, 0, 0, nullptr, moved.out()) == CL_SUCCESS);
    CHECK(typeOf(moved) == CL_COMMAND_SVM_MIGRATE_MEM);
    CHECK(clEnqueueSVMMigrateMem(cl.queue, 3, migrated, nullptr, CL_MIGRATE_MEM_OBJECT_HOST, 0, nullptr, nullptr) ==
          CL_SUCCESS);
    CHECK(clEnqueueSVMMigrateMem(cl.queue, 3, migrated, too_large, 0, 0, nullptr, nullptr) == CL_INVALID_VALUE);
    check(clFinish(cl.queue), "clFinish");
  }
  CHECK(clSetKernelExecInfo(chase, kIndirectAccess, 1, &yes) == CL_INVALID_VALUE);
}

TEST_CASE("only types with the mapping capability are mapped", "[unified_svm]") {
  const SvmSession cl;
  for (cl_uint type = 0; type < cl.types.size(); ++type) {
    const Array array(cl, type, 64);
    const cl_int expected = cl.types[type] & kHostMap ? CL_SUCCESS : CL_INVALID_VALUE;
    for (const cl_map_flags flags : {CL_MAP_READ, CL_MAP_WRITE, CL_MAP_WRITE_INVALIDATE_REGION}) {
      CHECK(clEnqueueSVMMap(cl.queue, CL_TRUE, flags, array.data() + 8, 64, 0, nullptr, nullptr) == expected);
      CHECK(clEnqueueSVMUnmap(cl.queue, array.data() + 8, 0, nullptr, nullptr) == expected);
    }
  }
}

TEST_CASE("commands that access nothing accept any pointer", "[unified_svm]") {
  const SvmSession cl;
  int value = 3;
  void *const nowhere = reinterpret_cast<void *>(0x12345600);
  for (void *pointer : {static_cast<void *>(nullptr), nowhere, static_cast<void *>(&value)}) {
    int other = 4;
    Event copied, filled;
    CHECK(clEnqueueSVMMemcpy(cl.queue, CL_TRUE, pointer, &other, 0, 0, nullptr, copied.out()) == CL_SUCCESS);
    CHECK(typeOf(copied) == CL_COMMAND_SVM_MEMCPY);
    CHECK(clEnqueueSVMMemcpy(cl.queue, CL_TRUE, &other, pointer, 0, 0, nullptr, nullptr) == CL_SUCCESS);
    CHECK(clEnqueueSVMMemFill(cl.queue, pointer, &other, 4, 0, 0, nullptr, filled.out()) == CL_SUCCESS);
    CHECK(typeOf(filled) == CL_COMMAND_SVM_MEMFILL);
    const void *list[] = {pointer};
    const size_t none = 0;
    CHECK(clEnqueueSVMMigrateMem(cl.queue, 1, list, &none, 0, 0, nullptr, nullptr) == CL_SUCCESS);
    check(clFinish(cl.queue), "clFinish");
    CHECK(value == 3);
    CHECK(other == 4);
  }
  CHECK(clEnqueueSVMMemcpy(cl.queue, CL_TRUE, nullptr, &value, 4, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clEnqueueSVMMemcpy(cl.queue, CL_TRUE, &value, nullptr, 4, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clEnqueueSVMMemFill(cl.queue, nullptr, &value, 4, 4, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  const void *list[] = {nullptr};
  const size_t four = 4;
  CHECK(clEnqueueSVMMigrateMem(cl.queue, 1, list, &four, 0, 0, nullptr, nullptr) == CL_INVALID_VALUE);
}

TEST_CASE("system memory is shared virtual memory", "[unified_svm]") {
  const SvmSession cl;
  const Program program =
      cl.build("kernel void k(global ulong *p) { atomic_inc((global int *)p[0] + get_global_id(0) % 4); }\n");
  const Kernel kernel = cl.kernel(program, "k");
  std::vector<int> values(64);
  int *inner = values.data();
  const void *list[] = {values.data() + 1};
  const size_t bytes = 252;
  CHECK(clEnqueueSVMMap(cl.queue, CL_TRUE, CL_MAP_WRITE, inner, 256, 0, nullptr, nullptr) == CL_SUCCESS);
  CHECK(clEnqueueSVMUnmap(cl.queue, inner, 0, nullptr, nullptr) == CL_SUCCESS);
  CHECK(clEnqueueSVMMigrateMem(cl.queue, 1, list, &bytes, 0, 0, nullptr, nullptr) == CL_SUCCESS);
  check(clSetKernelArgSVMPointer(kernel, 0, &inner), "clSetKernelArgSVMPointer");
  launch(cl, kernel, 400);
  check(clFinish(cl.queue), "clFinish");
  std::vector<int> expected(64, 0);
  std::fill_n(expected.begin(), 4, 100);
  CHECK(values == expected);
}

TEST_CASE("kernels accept any pointer", "[unified_svm]") {
  const SvmSession cl;
  const Kernel kernel =
      cl.kernel(cl.build("kernel void k(global const int *p, global ulong *out) { *out = (ulong)p; }\n"), "k");
  const Memory out = cl.buffer(std::vector<cl_ulong>(1));
  check(clSetKernelArg(kernel, 1, sizeof(cl_mem), out.address()), "clSetKernelArg");
  for (const void *pointer : {static_cast<const void *>(nullptr), reinterpret_cast<const void *>(0xDEADBEEF0)}) {
    CHECK(clSetKernelArgSVMPointer(kernel, 0, pointer) == CL_SUCCESS);
    CHECK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof pointer, &pointer) == CL_SUCCESS);
    launch(cl, kernel, 1);
    CHECK(cl.read<cl_ulong>(out) == std::vector<cl_ulong>{reinterpret_cast<uintptr_t>(pointer)});
  }
  CHECK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, nullptr) == CL_SUCCESS);
}

TEST_CASE("host and kernel access concurrent types at the same time", "[unified_svm]") {
  const SvmSession cl;
  // Waits for the host's flag and then answers.
  const Kernel kernel = cl.kernel(
      cl.build("kernel void k(global atomic_int *flags, global int *values) {\n"
               "  while (atomic_load_explicit(flags, memory_order_acquire, memory_scope_all_svm_devices) == 0);\n"
               "  values[1] = values[0] + 1;\n"
               "  atomic_store_explicit(flags + 1, 1, memory_order_release, memory_scope_all_svm_devices);\n"
               "}\n",
               "-cl-std=CL3.0"),
      "k");
  for (cl_uint type = 0; type < cl.types.size(); ++type) {
    constexpr Capabilities kNeeded = kConcurrent | kConcurrentAtomics | kHostRead | kHostWrite;
    if ((cl.types[type] & kNeeded) != kNeeded)
      continue;
    const Array flags(cl, type, 2), values(cl, type, 2);
    check(clSetKernelArgSVMPointer(kernel, 0, flags.data()), "clSetKernelArgSVMPointer");
    check(clSetKernelArgSVMPointer(kernel, 1, values.data()), "clSetKernelArgSVMPointer");
    launch(cl, kernel, 1);
    check(clFlush(cl.queue), "clFlush");
    values.data()[0] = 41;
    std::atomic_ref(flags.data()[0]).store(1, std::memory_order_release);
    while (std::atomic_ref(flags.data()[1]).load(std::memory_order_acquire) == 0)
      std::this_thread::yield();
    CHECK(values.data()[1] == 42);
    check(clFinish(cl.queue), "clFinish");
  }
}
