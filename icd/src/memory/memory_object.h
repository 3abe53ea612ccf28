// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cl_mem: buffers, sub-buffers, images and pipes. Device memory is the host's memory, so data() is what kernels access.
#pragma once

#include "api/result.h"
#include "context/context.h"
#include "memory/external_memory.h"
#include "memory/image.h"

#include "vectorizer/contract/pipe.h"

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace lanecl::icd {

class Memory final : public Object<Memory, cl_mem, Tag::Memory> {
public:
  // Creates a buffer with storage of its own, in the application's memory for CL_MEM_USE_HOST_PTR, or in external
  // memory. CL_MEM_OBJECT_ALLOCATION_FAILURE if there is no memory for it.
  static Result<Ref<Memory>> createBuffer(Context &context, cl_mem_flags flags, size_t size, void *host_pointer,
                                          std::vector<cl_mem_properties> properties,
                                          std::unique_ptr<ExternalMemory> external = nullptr);
  // Creates an image with storage of its own, in the application's memory, or in external memory.
  static Result<Ref<Memory>> createImage(Context &context, cl_mem_flags flags, std::unique_ptr<Image> image,
                                         void *host_pointer, std::vector<cl_mem_properties> properties,
                                         std::unique_ptr<ExternalMemory> external = nullptr);
  // Creates a pipe: an abi::Pipe and after it a ring of packets.
  static Result<Ref<Memory>> createPipe(Context &context, cl_mem_flags flags, cl_uint packet_bytes,
                                        cl_uint max_packets);
  // Makes an image in the memory of a buffer or of another image. `flags` is complete, including the inherited flags.
  Memory(Memory &parent, cl_mem_flags flags, std::unique_ptr<Image> image, std::vector<cl_mem_properties> properties);
  // Makes a sub-buffer: a part of a buffer. `flags` is complete, including the inherited flags.
  Memory(Memory &parent, cl_mem_flags flags, size_t origin, size_t size);
  ~Memory();

  Context &context() const { return *context_; }
  cl_mem_object_type type() const;
  const Image *image() const { return image_.get(); } // null: the object is not an image
  const abi::Pipe *pipe() const { return pipe_; }     // null: the object is not a pipe
  Memory *parent() const { return parent_.get(); }
  // Returns the object that has the storage: the parent of a sub-buffer or of a view, or the object itself.
  const Memory &root() const { return parent_ ? parent_->root() : *this; }
  cl_mem_flags flags() const { return flags_; }
  size_t size() const { return size_; }
  size_t origin() const { return origin_; }
  std::byte *data() const { return data_; }
  const ExternalMemory *external() const { return external_.get(); } // null: the object was not made from a handle
  // Returns true if the host may write the memory without a command. That is memory of the application or of others,
  // and memory that the application may keep mapped.
  bool mayHostWrite() const { return external_ || (flags_ & (CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR)) != 0; }
  void *hostPointer() const { return host_pointer_; }
  const std::vector<cl_mem_properties> &properties() const { return properties_; }
  CallbackStack &destructorCallbacks() { return destructor_callbacks_; }
  void callDestructorCallbacks();              // called once, before the object is destroyed
  uint64_t liveId() const { return live_id_; } // its number among the LiveObjects of the context

  // Returns true if the byte range lies within the object.
  bool contains(size_t offset, size_t bytes) const { return offset <= size_ && bytes <= size_ - offset; }

  // Register mapped regions. The box is in bytes for a buffer and in elements for an image. map() returns
  // CL_INVALID_OPERATION if a region that is mapped for writing would overlap another mapping. unmap() returns false if
  // no region is mapped at that pointer.
  cl_int map(const std::byte *pointer, const ElementBox &box, cl_map_flags flags);
  bool unmap(const void *pointer);
  cl_uint mapCount() const;

private:
  struct Mapping {
    const std::byte *pointer;
    ElementBox box;
    bool writes;
  };

  // Sets data_ and, unless the memory exists already, allocates the storage.
  cl_int allocate();
  // Returns false if the memory is the application's or the parent's.
  bool hasStorage() const { return owned_.data() || external_; }
  // Completes an image whose memory is known.
  void adopt(std::unique_ptr<Image> image);

  Memory(Context &context, cl_mem_flags flags, size_t size, std::vector<cl_mem_properties> properties)
      : context_(context), flags_(flags), size_(size), properties_(std::move(properties)),
        live_id_(context.liveMemory().add(*this)) {}

  Ref<Context> context_;
  Ref<Memory> parent_;
  std::unique_ptr<const Image> image_;
  const abi::Pipe *pipe_ = nullptr; // at the start of the object's memory; null: the object is not a pipe
  cl_mem_flags flags_;
  size_t origin_ = 0;
  size_t size_;
  std::byte *data_ = nullptr;
  MemoryBlock owned_;
  std::unique_ptr<ExternalMemory> external_;
  void *host_pointer_ = nullptr;
  std::vector<cl_mem_properties> properties_;
  uint64_t live_id_;
  CallbackStack destructor_callbacks_;
  mutable std::mutex mappings_mutex_;
  std::vector<Mapping> mappings_;
};

} // namespace lanecl::icd

LANECL_HANDLE(cl_mem, Memory, CL_INVALID_MEM_OBJECT)
