// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reads, writes, copies and fills images.
#include "api/entry.h"
#include "api/shadow.h"
#include "commands/copy_commands.h"
#include "commands/fill.h"
#include "commands/image_access.h"

namespace lanecl::icd {
namespace {

// The application's memory in a transfer.
struct HostSide {
  void *pointer;
  size_t row_pitch, slice_pitch;
};

// Reveals check mode that the bytes of a box are initialized.
void markWrittenRows(const Memory &memory, const Rect &rect, const Box &bytes) {
  for (size_t slice = 0; shadowsAllMemory() && slice < bytes[2]; ++slice)
    for (size_t row = 0; row < bytes[1]; ++row)
      markWritten(memory.data() + rect.rowOffset(row, slice), bytes[0]);
}

// Copies a box between memory objects. Check mode copies for each byte whether it is initialized, too.
void copyWithMarks(std::byte *target, const Rect &inside, const std::byte *source, const Rect &outside,
                   const Box &bytes) {
  copyRect(target, inside, source, outside, bytes);
  if (shadowsAllMemory())
    copyRect(shadowOf(target), inside, shadowOf(source), outside, bytes);
}

cl_int enqueueTransfer(HostAccess access, cl_command_queue queue, cl_mem handle, cl_bool blocking, const size_t *origin,
                       const size_t *region, const HostSide &host, const WaitArguments &waiting) {
  if (cl_int code = checkQueueAndImage(queue, handle))
    return code;
  Memory &memory = objectOf(handle);
  const Image &image = *memory.image();
  ElementBox box;
  if (cl_int code = readBox(image, origin, region, box))
    return code;
  // CL_INVALID_VALUE if ptr is NULL, or if the pitches do not fit.
  Rect outside;
  if (!host.pointer || image.hostRect(box.region, host.row_pitch, host.slice_pitch, outside) != CL_SUCCESS)
    return CL_INVALID_VALUE;
  if (cl_int code = checkHostAccess(memory, access))
    return code;
  const bool reads = access == HostAccess::Read;
  auto command = Command::prepare(objectOf(queue), reads ? CL_COMMAND_READ_IMAGE : CL_COMMAND_WRITE_IMAGE, waiting);
  if (!command)
    return command.code();
  const Box bytes = image.bytesOf(box.region);
  using Access = MemoryUse::Access;
  command->uses(reads ? Access::Reads : Access::Writes, memory.data(), image.rectOf(box.origin), bytes, "its image");
  command->usesHost(
      {static_cast<const std::byte *>(host.pointer), outside, bytes, reads ? Access::Writes : Access::Reads, {}});
  return command->run(
      [=, memory = Ref<Memory>(memory), inside = image.rectOf(box.origin),
       pointer = static_cast<std::byte *>(host.pointer)] {
        if (reads)
          copyRect(pointer, outside, memory->data(), inside, bytes);
        else
          copyRect(memory->data(), inside, pointer, outside, bytes);
        if (!reads)
          markWrittenRows(*memory, inside, bytes);
        return scheduler::kComplete;
      },
      startOf(blocking, volume(bytes)));
}

// Returns true if a copy within the memory of one buffer would read bytes that it writes.
bool copyOverlaps(const Memory &from, const Rect &source, const Memory &into, const Rect &target, const Box &bytes) {
  return &from.root() == &into.root() && rectsOverlap(from.data(), source, into.data(), target, bytes);
}

enum class Direction { ImageToBuffer, BufferToImage };

// Copies between an image and a buffer, in which the rows of the region are contiguous.
cl_int copyBetween(Direction direction, const Destination &to, cl_mem image_handle, cl_mem buffer_handle,
                   const size_t *origin, const size_t *region, size_t offset) {
  if (cl_int code = checkQueueAndImage(to.queue, image_handle))
    return code;
  if (cl_int code = checkQueueAndBuffer(to.queue, buffer_handle))
    return code;
  Memory &memory = objectOf(image_handle), &buffer = objectOf(buffer_handle);
  const bool to_buffer = direction == Direction::ImageToBuffer;
  if (cl_int code = checkMutable(to_buffer ? buffer : memory))
    return code;
  // CL_INVALID_MEM_OBJECT if the image is a 1D image buffer object created from the buffer.
  if (memory.type() == CL_MEM_OBJECT_IMAGE1D_BUFFER && memory.parent() == &buffer)
    return CL_INVALID_MEM_OBJECT;
  const Image &image = *memory.image();
  // CL_INVALID_OPERATION for an image with several planes, which a buffer does not hold.
  if (image.element.hasPlanes())
    return CL_INVALID_OPERATION;
  ElementBox box;
  if (cl_int code = readBox(image, origin, region, box))
    return code;
  const Box bytes = image.bytesOf(box.region);
  // CL_INVALID_VALUE if the region specified by the offset and its computed size is out of bounds of the buffer.
  if (!buffer.contains(offset, bytes[0] * bytes[1] * bytes[2]))
    return CL_INVALID_VALUE;
  const Rect dense{.offset = offset, .row_pitch = bytes[0], .slice_pitch = bytes[0] * bytes[1]};
  const Rect inside = image.rectOf(box.origin);
  // The result would be undefined if the image was made from the buffer and the regions have bytes in common.
  if (copyOverlaps(memory, inside, buffer, dense, bytes))
    return CL_MEM_COPY_OVERLAP;
  auto command = Command::prepare(to, to_buffer ? CL_COMMAND_COPY_IMAGE_TO_BUFFER : CL_COMMAND_COPY_BUFFER_TO_IMAGE);
  if (!command)
    return command.code();
  using Access = MemoryUse::Access;
  command->uses(to_buffer ? Access::Reads : Access::Writes, memory.data(), inside, bytes, "its image");
  command->uses(to_buffer ? Access::Writes : Access::Reads, buffer.data(), dense, bytes, "its buffer");
  return command->run(
      [=, memory = Ref<Memory>(memory), buffer = Ref<Memory>(buffer)] {
        if (to_buffer)
          copyWithMarks(buffer->data(), dense, memory->data(), inside, bytes);
        else
          copyWithMarks(memory->data(), inside, buffer->data(), dense, bytes);
        return scheduler::kComplete;
      },
      startOf(false, volume(bytes)));
}

// Returns the patterns that fill the parts of the image, in their order. Elements that share chroma in one part are
// filled together.
std::array<FillPattern, 2> patternsOf(const Image &image, const void *color) {
  const PixelBytes pixel = encodeColor(image.format, image.element, color);
  const size_t bytes = image.element.bytes;
  if (image.element.hasPlanes())
    return {FillPattern(pixel.data(), bytes), FillPattern(pixel.data() + bytes, 2 * bytes)};
  const FillPattern pattern(pixel.data(), bytes * image.element.shared[0]);
  return {pattern, pattern};
}

void fillPart(const Memory &memory, const Image::Part &part, const FillPattern &pattern) {
  for (size_t slice = 0; slice < part.bytes[2]; ++slice)
    for (size_t row = 0; row < part.bytes[1]; ++row)
      pattern.fill(memory.data() + part.rect.rowOffset(row, slice), part.bytes[0]);
  markWrittenRows(memory, part.rect, part.bytes);
}

} // namespace

cl_int copyImage(const Destination &to, cl_mem source, cl_mem target, const size_t *source_origin,
                 const size_t *target_origin, const size_t *region) {
  if (cl_int code = checkQueueAndImage(to.queue, source))
    return code;
  if (cl_int code = checkQueueAndImage(to.queue, target))
    return code;
  Memory &from = objectOf(source), &into = objectOf(target);
  if (cl_int code = checkMutable(into))
    return code;
  const cl_image_format &from_format = from.image()->format, &into_format = into.image()->format;
  // CL_IMAGE_FORMAT_MISMATCH if src_image and dst_image do not use the same image format.
  if (from_format.image_channel_order != into_format.image_channel_order ||
      from_format.image_channel_data_type != into_format.image_channel_data_type)
    return CL_IMAGE_FORMAT_MISMATCH;
  ElementBox from_box, into_box;
  if (cl_int code = readBox(*from.image(), source_origin, region, from_box))
    return code;
  if (cl_int code = readBox(*into.image(), target_origin, region, into_box))
    return code;
  // CL_MEM_COPY_OVERLAP if they are the same image object and the source and destination regions overlap.
  if (&from == &into && overlap(from_box, into_box))
    return CL_MEM_COPY_OVERLAP;
  const auto sources = from.image()->partsOf(from_box), targets = into.image()->partsOf(into_box);
  // The same for two images in the memory of one buffer: the result would be undefined.
  for (size_t i = 0; &from != &into && i < sources.size(); ++i)
    if (copyOverlaps(from, sources[i].rect, into, targets[i].rect, sources[i].bytes))
      return CL_MEM_COPY_OVERLAP;
  auto command = Command::prepare(to, CL_COMMAND_COPY_IMAGE);
  if (!command)
    return command.code();
  for (const Image::Part &part : sources)
    command->uses(MemoryUse::Access::Reads, from.data(), part.rect, part.bytes, "its source");
  for (const Image::Part &part : targets)
    command->uses(MemoryUse::Access::Writes, into.data(), part.rect, part.bytes, "its destination");
  const auto start = startOf(false, volume(sources.front().bytes));
  return command->run(
      [=, from = Ref<Memory>(from), into = Ref<Memory>(into)] {
        for (size_t i = 0; i < sources.size(); ++i)
          copyWithMarks(into->data(), targets[i].rect, from->data(), sources[i].rect, sources[i].bytes);
        return scheduler::kComplete;
      },
      start);
}

cl_int copyImageToBuffer(const Destination &to, cl_mem image, cl_mem buffer, const size_t *origin, const size_t *region,
                         size_t offset) {
  return copyBetween(Direction::ImageToBuffer, to, image, buffer, origin, region, offset);
}

cl_int copyBufferToImage(const Destination &to, cl_mem buffer, cl_mem image, size_t offset, const size_t *origin,
                         const size_t *region) {
  return copyBetween(Direction::BufferToImage, to, image, buffer, origin, region, offset);
}

cl_int fillImage(const Destination &to, cl_mem handle, const void *color, const size_t *origin, const size_t *region) {
  if (cl_int code = checkQueueAndImage(to.queue, handle))
    return code;
  // CL_INVALID_VALUE if fill_color is NULL.
  if (!color)
    return CL_INVALID_VALUE;
  Memory &memory = objectOf(handle);
  if (cl_int code = checkMutable(memory))
    return code;
  const Image &image = *memory.image();
  ElementBox box;
  if (cl_int code = readBox(image, origin, region, box))
    return code;
  auto command = Command::prepare(to, CL_COMMAND_FILL_IMAGE);
  if (!command)
    return command.code();
  const auto parts = image.partsOf(box);
  for (const Image::Part &part : parts)
    command->uses(MemoryUse::Access::Writes, memory.data(), part.rect, part.bytes, "its image");
  const auto start = startOf(false, volume(parts.front().bytes));
  return command->run(
      [=, memory = Ref<Memory>(memory), patterns = patternsOf(image, color)] {
        for (size_t i = 0; i < parts.size(); ++i)
          fillPart(*memory, parts[i], patterns[i]);
        return scheduler::kComplete;
      },
      start);
}

} // namespace lanecl::icd

using namespace lanecl::icd;

CL_API_ENTRY cl_int CL_API_CALL clEnqueueReadImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
                                                   const size_t *origin, const size_t *region, size_t row_pitch,
                                                   size_t slice_pitch, void *pointer, cl_uint count,
                                                   const cl_event *events, cl_event *event) {
  return entry([&] {
    return enqueueTransfer(HostAccess::Read, queue, image, blocking, origin, region, {pointer, row_pitch, slice_pitch},
                           {count, events, event});
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueWriteImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
                                                    const size_t *origin, const size_t *region, size_t row_pitch,
                                                    size_t slice_pitch, const void *pointer, cl_uint count,
                                                    const cl_event *events, cl_event *event) {
  return entry([&] {
    return enqueueTransfer(HostAccess::Write, queue, image, blocking, origin, region,
                           {const_cast<void *>(pointer), row_pitch, slice_pitch}, {count, events, event});
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyImage(cl_command_queue queue, cl_mem source, cl_mem target,
                                                   const size_t *source_origin, const size_t *target_origin,
                                                   const size_t *region, cl_uint count, const cl_event *events,
                                                   cl_event *event) {
  return entry(
      [&] { return copyImage({queue, {count, events, event}}, source, target, source_origin, target_origin, region); });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyImageToBuffer(cl_command_queue queue, cl_mem source, cl_mem target,
                                                           const size_t *origin, const size_t *region, size_t offset,
                                                           cl_uint count, const cl_event *events, cl_event *event) {
  return entry(
      [&] { return copyImageToBuffer({queue, {count, events, event}}, source, target, origin, region, offset); });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyBufferToImage(cl_command_queue queue, cl_mem source, cl_mem target,
                                                           size_t offset, const size_t *origin, const size_t *region,
                                                           cl_uint count, const cl_event *events, cl_event *event) {
  return entry(
      [&] { return copyBufferToImage({queue, {count, events, event}}, source, target, offset, origin, region); });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueFillImage(cl_command_queue queue, cl_mem image, const void *color,
                                                   const size_t *origin, const size_t *region, cl_uint count,
                                                   const cl_event *events, cl_event *event) {
  return entry([&] { return fillImage({queue, {count, events, event}}, image, color, origin, region); });
}
