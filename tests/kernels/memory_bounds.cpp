// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Loads and stores touch nothing beside what the active lanes access. The memory that they are given starts or ends at
// a page that must not be accessed.
#include "each_item.hpp"

#include <sys/mman.h>
#include <unistd.h>

using namespace lanecl::test;

namespace {

// Memory of `bytes` bytes between two pages that must not be accessed, as close to one of them as possible.
class GuardedMemory {
public:
  enum class Place { AfterGuard, BeforeGuard };

  GuardedMemory(size_t bytes_, Place place) : bytes(bytes_) {
    const auto page = size_t(sysconf(_SC_PAGESIZE));
    const size_t usable = (bytes + page - 1) / page * page;
    mapped = usable + 2 * page;
    mapping = static_cast<uint8_t *>(mmap(nullptr, mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (mapping == MAP_FAILED || mprotect(mapping + page, usable, PROT_READ | PROT_WRITE) != 0)
      throw std::runtime_error("no guarded memory");
    start = mapping + page + (place == Place::BeforeGuard ? usable - bytes : 0);
  }
  ~GuardedMemory() { munmap(mapping, mapped); }
  GuardedMemory(const GuardedMemory &) = delete;
  GuardedMemory &operator=(const GuardedMemory &) = delete;

  uint8_t *start;
  size_t bytes;

private:
  uint8_t *mapping;
  size_t mapped;
};

using Place = GuardedMemory::Place;

// How the work-items' vectors lie in memory. Each vector has `components` elements, and the vectors' starts are
// `stride` elements apart.
struct Layout {
  const char *type;
  size_t bytes; // size of an element
  int components, stride;
  std::string load, store; // access the vector at `place`; `v` is what to store
};

// Which vector a work-item accesses: the one with its own number, the last ones first, only those of a range, those
// that a list names, any, or the same for all.
const char *const kKernels[] = {"up", "down", "up_range", "down_range", "up_listed", "down_listed", "anywhere", "same"};

std::string numberIn(const std::string &kernel) {
  if (kernel == "same")
    return "first";
  if (kernel == "anywhere")
    return "numbers[i]";
  return kernel.starts_with("down") ? "last - i" : "i";
}

std::string conditionIn(const std::string &kernel) {
  if (kernel.ends_with("listed"))
    return "if (numbers[i] >= first && numbers[i] < end) ";
  return kernel.ends_with("range") || kernel == "anywhere" ? "if (number >= first && number < end) " : "";
}

// The vectors from `first` to `end` are in memory. Each work-item has a place of its own in `other`.
std::string sourceOf(const Layout &layout) {
  std::string source = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
                       "#define KERNEL __attribute__((intel_reqd_sub_group_size(WIDTH))) kernel\ntypedef " +
                       std::string(layout.type) + " T;\n";
  for (const bool stores : {false, true})
    for (const std::string kernel : kKernels)
      source += "KERNEL void " + kernel + (stores ? "_store" : "_load") +
                "(global T *p, global T *other, global const int *numbers, long first, long end, long last) {\n"
                "  long i = get_global_id(0), number = " +
                numberIn(kernel) + ";\n  " + conditionIn(kernel) + "{\n    global T *place = p + number * " +
                std::to_string(layout.stride) + ", *own = other + " + (stores && kernel == "same" ? "0" : "i") + " * " +
                std::to_string(layout.components) + ";\n    " + (stores ? layout.store : layout.load) + "\n  }\n}\n";
  return source;
}

std::string unpackedVector(const Layout &layout, bool stores) {
  std::string text;
  for (int k = 0; k < layout.components; ++k) {
    const std::string at = "[" + std::to_string(k) + "]";
    text += stores ? "place" + at + " = own" + at + "; " : "own" + at + " = place" + at + "; ";
  }
  return text;
}

Layout vectors(const char *type, size_t bytes, int components, int stride) {
  Layout layout{type, bytes, components, stride, "", ""};
  const std::string n = std::to_string(components);
  if (components == 1) {
    layout.load = unpackedVector(layout, false);
    layout.store = unpackedVector(layout, true);
  } else {
    layout.load = "vstore" + n + "(vload" + n + "(0, place), 0, own);";
    layout.store = "vstore" + n + "(vload" + n + "(0, own), 0, place);";
  }
  return layout;
}

// Returns bytes without infinities and NaNs, so that conversions to another type and back change nothing.
std::vector<uint8_t> numbered(size_t bytes) {
  std::vector<uint8_t> content(bytes);
  for (size_t i = 0; i < bytes; ++i)
    content[i] = uint8_t(i * 7 + i / 256 * 3 + 1) & 0xbf;
  return content;
}

// Halves that are floats between their loads and stores. If `aligned`, each vector has the room of a whole vector.
Layout halves(int components, bool aligned) {
  const std::string n = components == 1 ? "" : std::to_string(components), form = aligned ? "a_half" : "_half";
  Layout layout{"half", 2, components, aligned && components == 3 ? 4 : components, "", ""};
  layout.load = "vstore_half" + n + "(vload" + form + n + "(0, place), 0, own);";
  layout.store = "vstore" + form + n + "(vload_half" + n + "(0, own), 0, place);";
  return layout;
}

// A launch. numberOf() returns the number of a work-item's vector, or -1 if it has none.
struct Launch {
  std::string kernel;
  long items, first, end;
  std::vector<int> numbers;

  long numberOf(long item) const {
    if (kernel == "same")
      return first;
    const long listed = numbers[size_t(item)], in_row = kernel.starts_with("down") ? items - 1 - item : item;
    const long number = kernel == "anywhere" ? listed : in_row, tested = kernel.ends_with("listed") ? listed : number;
    const bool tests = kernel != "up" && kernel != "down";
    return tests && (tested < first || tested >= end) ? -1 : number;
  }
};

// The vectors from `first` to `end` are in memory, the last one without the padding after its components.
Launch launchOf(const std::string &kernel, long items) {
  Launch launch{kernel, items, 0, items, {}};
  if (kernel.ends_with("range")) {
    launch.first = 3;
    launch.end = items - 2;
  }
  for (long i = 0; i < items; ++i)
    launch.numbers.push_back(int(kernel == "anywhere" ? i * 7 % items : i));
  if (kernel == "anywhere")
    launch.end = items - 2; // the others would be far outside
  if (kernel == "same")
    launch.end = 1;
  if (kernel.ends_with("listed")) { // some in the middle, except the first and last ones of the outer sub-groups
    launch.first = 4;
    launch.end = items - 3;
    for (long i = 0; i < items; ++i) {
      const long number = kernel == "down_listed" ? items - 1 - i : i;
      launch.numbers[size_t(i)] = int(number >= 4 && number < items - 3 && number % 3 != 2 ? number : -1);
    }
  }
  return launch;
}

void checkLaunch(const Session &cl, const Program &program, const Layout &layout, const Launch &launch, Place place,
                 bool stores, size_t local) {
  const size_t item_bytes = layout.bytes * size_t(layout.components), step = layout.bytes * size_t(layout.stride);
  GuardedMemory memory(size_t(launch.end - launch.first - 1) * step + item_bytes, place);
  const std::vector<uint8_t> content = numbered(memory.bytes);
  std::copy(content.begin(), content.end(), memory.start);
  std::vector<uint8_t> want_memory = content, other(item_bytes * size_t(launch.items), 0xa5), want_other;
  if (stores)
    other = numbered(other.size());
  want_other = other;
  for (long item = 0; item < launch.items; ++item) {
    const long number = launch.numberOf(item);
    if (number < 0)
      continue;
    const auto inside = std::ptrdiff_t(size_t(number - launch.first) * step);
    const auto own = std::ptrdiff_t(stores && launch.kernel == "same" ? 0 : size_t(item) * item_bytes);
    if (stores)
      std::copy_n(other.begin() + own, item_bytes, want_memory.begin() + inside);
    else
      std::copy_n(content.begin() + inside, item_bytes, want_other.begin() + own);
  }
  const std::string name = launch.kernel + (stores ? "_store" : "_load");
  INFO(name << " of " << layout.type << layout.components << " every " << layout.stride << " elements, local size "
            << local << (place == Place::BeforeGuard ? ", before a guard" : ", behind a guard"));
  Kernel kernel = cl.kernel(program, name);
  Memory other_memory = cl.buffer(other), numbers = cl.buffer(launch.numbers);
  const auto address = reinterpret_cast<uintptr_t>(memory.start) - size_t(launch.first) * step;
  check(clSetKernelArgSVMPointer(kernel, 0, reinterpret_cast<void *>(address)), "clSetKernelArgSVMPointer");
  cl_uint index = 1;
  for (const Memory *argument : {&other_memory, &numbers})
    check(clSetKernelArg(kernel, index++, sizeof(cl_mem), argument->address()), "clSetKernelArg");
  for (const cl_long argument : {launch.first, launch.end, launch.items - 1})
    check(clSetKernelArg(kernel, index++, sizeof argument, &argument), "clSetKernelArg");
  const size_t global = size_t(launch.items);
  check(clEnqueueNDRangeKernel(cl.queue, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr), name.c_str());
  check(clFinish(cl.queue), "clFinish");
  CHECK(std::vector<uint8_t>(memory.start, memory.start + memory.bytes) == want_memory);
  CHECK(cl.read<uint8_t>(other_memory) == want_other);
}

void checkLayout(const Session &cl, const Layout &layout, size_t width) {
  const Program program = cl.build(sourceOf(layout), "-cl-std=CL3.0 -DWIDTH=" + std::to_string(width));
  INFO("sub-groups of " << width);
  static size_t number = 0;
  const size_t one_in = isRepeated() ? 16 : 2;
  size_t turn = number++;
  for (const size_t local : {width, width + 5})
    for (const char *kernel : kKernels)
      for (const bool stores : {false, true})
        if (isInTurn(turn++, one_in))
          for (const Place place : {Place::BeforeGuard, Place::AfterGuard})
            checkLaunch(cl, program, layout, launchOf(kernel, long(2 * local)), place, stores, local);
}

// Every layout at every width would be thousands of kernels; LANECL_TEST_COMPLETE=1 runs them all. Otherwise each
// layout gets either its loads or its stores, and the next layout the others, so that each type, each shape and each
// width meets each kernel. In repeated runs it is an eighth of them, so that each type meets each kernel.
void checkType(const char *type, size_t bytes) {
  const Session cl;
  const std::pair<int, int> shapes[] = {{1, 1}, {3, 3}, {3, 4}, {1, 2}, {1, 3}, {1, 8},  {2, 2},
                                        {2, 3}, {3, 5}, {4, 4}, {4, 5}, {8, 8}, {16, 16}};
  size_t number = bytes;
  for (const auto &[components, stride] : shapes)
    for (const size_t width : oneWidthInTurn(number++))
      checkLayout(cl, vectors(type, bytes, components, stride), width);
}

} // namespace

TEST_CASE("bytes touch nothing beside them", "[memory_bounds]") {
  checkType("uchar", 1);
}

TEST_CASE("shorts touch nothing beside them", "[memory_bounds]") {
  checkType("ushort", 2);
}

TEST_CASE("floats touch nothing beside them", "[memory_bounds]") {
  checkType("float", 4);
}

TEST_CASE("longs touch nothing beside them", "[memory_bounds]") {
  checkType("ulong", 8);
}

TEST_CASE("halves that are loaded and stored as floats touch nothing beside them", "[memory_bounds]") {
  const Session cl;
  size_t number = 0;
  for (const int components : {1, 2, 3, 4, 8, 16})
    for (const bool aligned : {false, true})
      if (components > 1 || !aligned)
        for (const size_t width : oneWidthInTurn(number++))
          checkLayout(cl, halves(components, aligned), width);
}
