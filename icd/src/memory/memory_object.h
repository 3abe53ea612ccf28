// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cl_mem: buffers, sub-buffers, images and pipes. Device memory is the host's memory.
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
  // A buffer with storage of its own, with the application's for CL_MEM_USE_HOST_PTR, or in external memory.
  static Result<Ref<Memory>> createBuffer(Context &context, cl_mem_flags flags, size_t size, void *host_pointer,
                                          std::vector<cl_mem_properties> properties,
                                          std::unique_ptr<ExternalMemory> external = nullptr);
  // An image with storage of its own, or with such a one.
  static Result<Ref<Memory>> createImage(Context &context, cl_mem_flags flags, std::unique_ptr<Image> image,
                                         void *host_pointer, std::vector<cl_mem_properties> properties,
                                         std::unique_ptr<ExternalMemory> external = nullptr);
  static Result<Ref<Memory>> createPipe(Context &context, cl_mem_flags flags, cl_uint packet_bytes,
                                        cl_uint max_packets);
  // An image in the memory of a buffer or of another image. `flags` is complete, the inherited ones included.
  Memory(Memory &parent, cl_mem_flags flags, std::unique_ptr<Image> image, std::vector<cl_mem_properties> properties);
  // A part of a buffer. `flags` is complete, the inherited ones included.
  Memory(Memory &parent, cl_mem_flags flags, size_t origin, size_t size);
  ~Memory();

  Context &context() const { return *context_; }
  cl_mem_object_type type() const;
  const Image *image() const { return image_.get(); } // null: no image
  const abi::Pipe *pipe() const { return pipe_; }     // null: no pipe
  Memory *parent() const { return parent_.get(); }
  const Memory &root() const { return parent_ ? parent_->root() : *this; }
  cl_mem_flags flags() const { return flags_; }
  size_t size() const { return size_; }
  size_t origin() const { return origin_; }
  std::byte *data() const { return data_; }
  const ExternalMemory *external() const { return external_.get(); } // null: not made from a handle
  // Without a command: memory of the program's own or of others, or that it may keep mapped.
  bool mayHostWrite() const { return external_ || (flags_ & (CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR)) != 0; }
  void *hostPointer() const { return host_pointer_; }
  const std::vector<cl_mem_properties> &properties() const { return properties_; }
  CallbackStack &destructorCallbacks() { return destructor_callbacks_; }
  void callDestructorCallbacks();              // once, before it is destroyed
  uint64_t liveId() const { return live_id_; } // in the context's LiveObjects

  bool contains(size_t offset, size_t bytes) const { return offset <= size_ && bytes <= size_ - offset; }

  // Mapped regions, of bytes or of elements. map() fails when writing would overlap another mapping.
  cl_int map(const std::byte *pointer, const ElementBox &box, cl_map_flags flags);
  bool unmap(const void *pointer);
  cl_uint mapCount() const;

private:
  struct Mapping {
    const std::byte *pointer;
    ElementBox box;
    bool writes;
  };

  cl_int allocate();
  bool hasStorage() const { return owned_.data() || external_; }
  void adopt(std::unique_ptr<Image> image);

  Memory(Context &context, cl_mem_flags flags, size_t size, std::vector<cl_mem_properties> properties)
      : context_(context), flags_(flags), size_(size), properties_(std::move(properties)),
        live_id_(context.liveMemory().add(*this)) {}

  Ref<Context> context_;
  Ref<Memory> parent_;
  std::unique_ptr<const Image> image_;
  const abi::Pipe *pipe_ = nullptr; // in the object's memory
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
