// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Implements what all memory objects share: storage, mappings, reference counts, queries.
#include "memory/memory_object.h"

#include "api/entry.h"
#include "api/info.h"
#include "api/memory_watch.h"
#include "api/recent_names.h"
#include "api/shadow.h"
#include "device/device_limits.h"
#include "device/memory_limits.h"
#include "icd/capabilities.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <new>

namespace lanecl::icd {

// Returns true if the application has given the memory that these flags need.
[[maybe_unused]] static bool hasContent(cl_mem_flags flags, const void *host_pointer) {
  return (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) == 0 || host_pointer != nullptr;
}

// Finds or allocates the memory of the object. An object with CL_MEM_USE_HOST_PTR lies in the application's memory.
cl_int Memory::allocate() {
  assert(!data_ && !parent_ && "the object has memory already");
  if (host_pointer_) {
    data_ = static_cast<std::byte *>(host_pointer_);
    return CL_SUCCESS;
  }
  if (external_) {
    data_ = external_->data();
    external_->takeDescriptor();
    noteMemoryMade(data_, size_, "external memory");
    return CL_SUCCESS;
  }
  owned_ = MemoryBlock(size_, kBaseAlignment,
                       flags_ & CL_MEM_COPY_HOST_PTR ? MemoryBlock::Content::Undefined : MemoryBlock::Content::Zeros);
  data_ = owned_.data();
  // CL_MEM_OBJECT_ALLOCATION_FAILURE if there is a failure to allocate memory for the object.
  if (!data_)
    return CL_MEM_OBJECT_ALLOCATION_FAILURE;
  noteMemoryMade(data_, size_, "a memory object");
  return CL_SUCCESS;
}

Result<Ref<Memory>> Memory::createBuffer(Context &context, cl_mem_flags flags, size_t size, void *host_pointer,
                                         std::vector<cl_mem_properties> properties,
                                         std::unique_ptr<ExternalMemory> external) {
  assert(size != 0 && hasContent(flags, host_pointer) && "a buffer that the entry point should have refused");
  auto memory = Ref<Memory>::adopt(new Memory(context, flags, size, std::move(properties)));
  memory->external_ = std::move(external);
  if (flags & CL_MEM_USE_HOST_PTR)
    memory->host_pointer_ = host_pointer;
  if (cl_int code = memory->allocate())
    return Error{code};
  if (flags & CL_MEM_COPY_HOST_PTR)
    std::memcpy(memory->data_, host_pointer, size);
  if (!memory->mayHostWrite() && (flags & CL_MEM_COPY_HOST_PTR) == 0)
    markUnwritten(memory->data_, size);
  return memory;
}

// The ring has a power of two of slots, so that a mask gives the slot of a packet.
Result<Ref<Memory>> Memory::createPipe(Context &context, cl_mem_flags flags, cl_uint packet_bytes,
                                       cl_uint max_packets) {
  assert(packet_bytes != 0 && max_packets != 0 && "a pipe that the entry point should have refused");
  const uint64_t slots = std::bit_ceil(uint64_t(max_packets));
  const uint64_t bytes = sizeof(abi::Pipe) + slots * packet_bytes;
  // CL_MEM_OBJECT_ALLOCATION_FAILURE if there is a failure to allocate memory for the pipe object.
  if (bytes > maxAllocationBytes())
    return Error{CL_MEM_OBJECT_ALLOCATION_FAILURE};
  auto memory = Ref<Memory>::adopt(new Memory(context, flags, bytes, {}));
  if (cl_int code = memory->allocate())
    return Error{code};
  memory->pipe_ = new (memory->data_) abi::Pipe{.writers = {},
                                                .readers = {},
                                                .packet_bytes = packet_bytes,
                                                .max_packets = max_packets,
                                                .slot_mask = slots - 1,
                                                .unused = {}};
  return memory;
}

cl_mem_object_type Memory::type() const {
  if (pipe_)
    return CL_MEM_OBJECT_PIPE;
  return image_ ? image_->description.image_type : CL_MEM_OBJECT_BUFFER;
}

void Memory::adopt(std::unique_ptr<Image> image) {
  assert(data_ && !image_ && "an image is adopted once, when its memory is known");
  setImageData(*image, data_);
  image->descriptor.is_of_buffer = parent_ && (!parent_->image_ || parent_->image_->descriptor.is_of_buffer != 0);
  image_ = std::move(image);
}

Result<Ref<Memory>> Memory::createImage(Context &context, cl_mem_flags flags, std::unique_ptr<Image> image,
                                        void *host_pointer, std::vector<cl_mem_properties> properties,
                                        std::unique_ptr<ExternalMemory> external) {
  assert(hasContent(flags, host_pointer) && "an image that the entry point should have refused");
  auto memory = Ref<Memory>::adopt(new Memory(context, flags, image->bytes(), std::move(properties)));
  memory->external_ = std::move(external);
  if (flags & CL_MEM_USE_HOST_PTR)
    memory->host_pointer_ = host_pointer;
  if (cl_int code = memory->allocate())
    return Error{code};
  // The image has the pitches of the application's memory, so both sides have the same position.
  if (flags & CL_MEM_COPY_HOST_PTR)
    for (const Image::Part &part : image->partsOf({{}, image->extent}))
      copyRect(memory->data_, part.rect, static_cast<const std::byte *>(host_pointer), part.rect, part.bytes);
  memory->adopt(std::move(image));
  return memory;
}

Memory::Memory(Memory &parent, cl_mem_flags flags, std::unique_ptr<Image> image,
               std::vector<cl_mem_properties> properties)
    : context_(parent.context()), parent_(parent), flags_(flags), size_(image->bytes()),
      data_(parent.data() + image->offset), host_pointer_(parent.host_pointer_), properties_(std::move(properties)),
      live_id_(context_->liveMemory().add(*this)) {
  assert(parent.contains(image->offset, size_) && "the elements of the image are not all in its parent");
  adopt(std::move(image));
}

Memory::Memory(Memory &parent, cl_mem_flags flags, size_t origin, size_t size)
    : context_(parent.context()), parent_(parent), flags_(flags), origin_(origin), size_(size),
      data_(parent.data() + origin), live_id_(context_->liveMemory().add(*this)) {
  assert(!parent.parent() && parent.contains(origin, size) && size != 0 && "the parent has no such part");
  assert(origin % kBaseAlignment == 0 && "kernels rely on the alignment of sub-buffers");
  if (parent.host_pointer_)
    host_pointer_ = static_cast<std::byte *>(parent.host_pointer_) + origin;
}

// The memory is unregistered before the callbacks run: from the first callback on, the application may use its memory
// for another object.
void Memory::callDestructorCallbacks() {
  noteMemoryObjectGone(this);
  if (hasStorage())
    noteMemoryGone(data_, size_);
  context_->liveMemory().remove(*this);
  destructor_callbacks_.runAll();
}

// Check mode forgets which bytes were uninitialized, because other memory may get these addresses.
Memory::~Memory() {
  if (hasStorage())
    markWritten(data_, size_);
}

cl_int Memory::map(const std::byte *pointer, const ElementBox &box, cl_map_flags flags) {
  assert(pointer >= data_ && pointer < data_ + size_ && "the region is not in the object");
  const bool writes = (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0;
  const std::lock_guard lock(mappings_mutex_);
  // CL_INVALID_OPERATION if mapping would lead to overlapping regions being mapped for writing.
  for (const Mapping &other : mappings_)
    if ((writes || other.writes) && overlap(box, other.box))
      return CL_INVALID_OPERATION;
  mappings_.push_back({pointer, box, writes});
  return CL_SUCCESS;
}

bool Memory::unmap(const void *pointer) {
  const std::lock_guard lock(mappings_mutex_);
  const auto found = std::find_if(mappings_.begin(), mappings_.end(),
                                  [&](const Mapping &mapping) { return mapping.pointer == pointer; });
  if (found == mappings_.end())
    return false;
  mappings_.erase(found);
  return true;
}

cl_uint Memory::mapCount() const {
  const std::lock_guard lock(mappings_mutex_);
  return cl_uint(mappings_.size());
}

namespace {

// Returns true for a buffer or sub-buffer in an allocation of clSVMAlloc.
bool usesSvmPointer(const Memory &memory) {
  return !memory.image() && memory.hostPointer() && memory.context().svm().bytesFrom(memory.hostPointer()) != 0;
}

// Answers with the address of the buffer for each device, which is the same because all devices share the memory.
// CL_INVALID_OPERATION if the buffer was not allocated with CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT.
cl_int deviceAddresses(const Memory &memory, const InfoWriter &info) {
  if (!hasExtension("cl_ext_buffer_device_address"))
    return CL_INVALID_VALUE;
  const std::vector<cl_mem_properties> &properties = memory.properties();
  for (size_t i = 0; i + 1 < properties.size(); i += 2)
    if (properties[i] == CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT && properties[i + 1] == CL_TRUE)
      return info.list<cl_mem_device_address_ext>(std::vector<cl_mem_device_address_ext>(
          memory.context().devices().size(), reinterpret_cast<uintptr_t>(memory.data())));
  return CL_INVALID_OPERATION;
}

cl_int memoryInfo(cl_mem handle, cl_mem_info name, const InfoWriter &info) {
  if (cl_int code = validate(handle))
    return code;
  const Memory &memory = objectOf(handle);
  switch (name) {
  case CL_MEM_TYPE: return info.value<cl_mem_object_type>(memory.type());
  case CL_MEM_FLAGS: return info.value<cl_mem_flags>(memory.flags());
  case CL_MEM_SIZE: return info.value<size_t>(memory.size());
  case CL_MEM_HOST_PTR: return info.value<void *>(memory.hostPointer());
  case CL_MEM_MAP_COUNT: return info.value<cl_uint>(memory.mapCount());
  case CL_MEM_REFERENCE_COUNT: return info.value<cl_uint>(memory.applicationReferences());
  case CL_MEM_CONTEXT: return info.value<cl_context>(memory.context().handle());
  case CL_MEM_ASSOCIATED_MEMOBJECT: return info.value<cl_mem>(memory.parent() ? memory.parent()->handle() : nullptr);
  case CL_MEM_OFFSET: return info.value<size_t>(memory.origin());
  case CL_MEM_USES_SVM_POINTER: return info.value<cl_bool>(usesSvmPointer(memory));
  case CL_MEM_DEVICE_ADDRESS_EXT: return deviceAddresses(memory, info);
  case CL_MEM_PROPERTIES: return info.list<cl_mem_properties>(memory.properties());
  default: return CL_INVALID_VALUE;
  }
}

} // namespace
} // namespace lanecl::icd

using namespace lanecl::icd;

CL_API_ENTRY cl_int CL_API_CALL clRetainMemObject(cl_mem memory) {
  return entry([&] { return retain(memory); });
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseMemObject(cl_mem memory) {
  return entry([&] { return release(memory); });
}

CL_API_ENTRY cl_int CL_API_CALL clGetMemObjectInfo(cl_mem memory, cl_mem_info param_name, size_t size, void *value,
                                                   size_t *size_ret) {
  return entry([&] { return memoryInfo(memory, param_name, InfoWriter(size, value, size_ret)); }, param_name);
}

CL_API_ENTRY cl_int CL_API_CALL clSetMemObjectDestructorCallback(cl_mem memory,
                                                                 void(CL_CALLBACK *notify)(cl_mem, void *),
                                                                 void *user_data) {
  return entry([&] {
    if (cl_int code = validate(memory))
      return code;
    // CL_INVALID_VALUE if pfn_notify is NULL.
    if (!notify)
      return cl_int(CL_INVALID_VALUE);
    objectOf(memory).destructorCallbacks().push([=] { notify(memory, user_data); });
    return cl_int(CL_SUCCESS);
  });
}
