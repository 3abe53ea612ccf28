// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "blocks.hpp"

#include "runner.hpp"

#include <cstdio>
#include <random>

namespace lanecl::test::table {
namespace {

// Elements in front of what is read: block reads need the alignment of four bytes only, writes that of sixteen.
size_t readOffset(const Type &type) {
  return type.scalar_bytes < 4 ? 4 / type.scalar_bytes : 1;
}

std::string nameOf(const BlockFunctions &f, const char *operation) {
  return std::string("intel_sub_group_block_") + operation + f.suffix + (f.count == 1 ? "" : std::to_string(f.count));
}

bool isLocal(const BlockFunctions &f) {
  return f.address_space == std::string("local");
}

std::string kernelName(const BlockFunctions &f) {
  return std::string(f.address_space) + f.suffix + std::to_string(f.count);
}

// Reads from `memory` what lands in `read` lane by lane, and writes to `written` what lies lane by lane in `source`.
std::string kernelText(const BlockFunctions &f) {
  const std::string n = std::to_string(f.count), t = f.type.scalar, vector = f.type.vector(f.count).name();
  const std::string store = f.count == 1 ? "read[place] = v" : "vstore" + n + "(v, 0, read + place)";
  const std::string load = f.count == 1 ? "source[place]" : "vload" + n + "(0, source + place)";
  std::string text = "KERNEL " + kernelName(f) + "(global const " + t + " *memory, global " + t +
                     " *read, global const " + t + " *source, global " + t + " *written, local " + t +
                     " *to_read, local " + t + " *to_write, uint offset, uint skip) {\n" +
                     "  const uint elements = WIDTH * " + n + ", lane = get_sub_group_local_id();\n" +
                     "  size_t first = FIRST_SUB_GROUP * elements, place = first + lane * " + n + ";\n" +
                     "  if (get_sub_group_id() & skip) return;\n";
  const std::string body = "  " + vector + " v = " + nameOf(f, "read") + "(FROM);\n  " + store + ";\n  " +
                           nameOf(f, "write") + "(TO, " + load + ");\n";
  if (!isLocal(f)) {
    const std::string prefetch =
        *f.suffix ? "  " + nameOf(f, "prefetch") + "(memory + offset + first);\n" : std::string();
    return text + "#define FROM (memory + offset + first)\n#define TO (written + first)\n" + prefetch + body +
           "#undef FROM\n#undef TO\n}\n";
  }
  return text + R"(
  to_read += get_sub_group_id() * elements + offset;
  to_write += get_sub_group_id() * elements;
  for (uint e = lane; e < elements; e += get_sub_group_size()) {
    to_read[e] = memory[offset + first + e];
    to_write[e] = written[first + e];
  }
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
#define FROM to_read
#define TO to_write
)" + body +
         R"(
#undef FROM
#undef TO
  sub_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_sub_group);
  for (uint e = lane; e < elements; e += get_sub_group_size()) written[first + e] = to_write[e];
}
)";
}

constexpr const char *kDefinitions = R"(
#define KERNEL __attribute__((intel_reqd_sub_group_size(WIDTH), work_group_size_hint(2 * WIDTH, 1, 1))) kernel void
#define GROUP ((get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0))
#define FIRST_SUB_GROUP (GROUP * get_enqueued_num_sub_groups() + get_sub_group_id())
)";

} // namespace

std::vector<BlockFunctions> blockFunctions() {
  std::vector<BlockFunctions> functions;
  const std::pair<Type, const char *> types[] = {
      {{"uint", 4}, ""}, {{"uchar", 1}, "_uc"}, {{"ushort", 2}, "_us"}, {{"uint", 4}, "_ui"}, {{"ulong", 8}, "_ul"}};
  for (const char *space : {"global", "local"})
    for (const auto &[type, suffix] : types)
      for (unsigned count : {1, 2, 4, 8, 16})
        if (count < 16 || type.scalar_bytes < 4)
          functions.push_back({type, suffix, space, count});
  return functions;
}

std::vector<std::string> BlockFunctions::signatures() const {
  const std::string pointer = std::string("(") + address_space + " " + type.scalar + "*)";
  std::vector<std::string> result{nameOf(*this, "read") + pointer, nameOf(*this, "write") + pointer,
                                  "sub_group_barrier(cl_mem_fence_flags)"};
  if (!isLocal(*this) && *suffix)
    result.push_back(nameOf(*this, "prefetch") + pointer);
  return result;
}

BlockRunner::~BlockRunner() {
  std::printf("block reads and writes: %zu cases compared\n", cases);
}

void BlockRunner::run(unsigned width) {
  std::string source = kDefinitions;
  for (const BlockFunctions &f : blockFunctions())
    source += kernelText(f);
  const Program program = cl.build(source, "-cl-std=CL3.0 -DWIDTH=" + std::to_string(width));
  const std::vector<Shape> all = shapes(width);
  size_t number = width / 8;
  for (const BlockFunctions &f : blockFunctions()) {
    const Kernel kernel = cl.kernel(program, kernelName(f));
    const size_t other = 1 + number++ % (all.size() - 1);
    for (size_t s = 0; s < all.size(); ++s)
      if (s == 0 || s == other || runsComplete())
        launch(f, kernel, all[s], width);
  }
}

// Elements are compared as bytes; component k of lane l is element l + k * width.
void BlockRunner::launch(const BlockFunctions &f, const Kernel &kernel, const Shape &shape, unsigned width) {
  const size_t offset = readOffset(f.type), element = f.type.scalar_bytes;
  const Inputs nothing{f.type, {}, {}, {}, 0};
  const std::vector<SubGroup> sub_groups = subGroupsOf(shape, width, nothing);
  size_t work_groups = 0;
  for (const SubGroup &s : sub_groups)
    work_groups += s.id == 0;
  const size_t per_group = size_t(sub_groups[0].enqueued_count) * width * f.count, elements = work_groups * per_group;

  std::mt19937_64 random(width + elements);
  std::vector<uint8_t> memory((elements + offset) * element), source(elements * element);
  for (auto *bytes : {&memory, &source})
    for (uint8_t &byte : *bytes)
      byte = uint8_t(random());
  const Memory in = cl.buffer(memory), from = cl.buffer(source);
  for (uint32_t skip : {0u, 1u}) {
    const std::vector<uint8_t> untouched(elements * element, 0xa5);
    std::vector<uint8_t> want_read = untouched, want_written = untouched;
    const Memory read = cl.buffer(untouched), written = cl.buffer(untouched);
    cl.run(kernel, shape.global, shape.local, in, read, from, written, Local{(per_group + offset) * element},
           Local{per_group * element}, cl_uint(offset), cl_uint(skip));
    size_t group = size_t(-1);
    for (const SubGroup &s : sub_groups) {
      group += s.id == 0;
      const size_t first = group * per_group + size_t(s.id) * width * f.count;
      for (size_t lane = 0; lane < s.items.size() && (s.id & skip) == 0; ++lane)
        for (size_t k = 0; k < f.count; ++k) {
          const size_t place = first + lane * f.count + k, strided = first + lane + k * width;
          std::memcpy(&want_read[place * element], &memory[(offset + strided) * element], element);
          std::memcpy(&want_written[strided * element], &source[place * element], element);
        }
    }
    cases += 2;
    const std::string where = kernelName(f) + ", width " + std::to_string(width) + ", " + shape.name + "\n";
    if (cl.read<uint8_t>(read) != want_read)
      messages += "block read " + where;
    if (cl.read<uint8_t>(written) != want_written)
      messages += "block write " + where;
  }
}

} // namespace lanecl::test::table
