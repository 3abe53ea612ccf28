// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The cache keeps linked programs together with their descriptions.
#include "support.hpp"

#include "program/link_cache.h"
#include "program/stored_info.h"

using namespace test;

namespace {

LanguageTraits cachedTraits(const fs::path &folder) {
  LanguageTraits with_cache = traits();
  with_cache.cache = std::make_shared<DiskCache>(DiskCache::Settings{.directory = folder.string()});
  return with_cache;
}

// Returns a description as bytes, so that descriptions can be compared.
std::string bytesOf(const ProgramInfo &info) {
  ByteWriter writer;
  writeInfo(info, writer);
  return writer.take();
}

// A program whose description uses many of the fields that a description has.
const std::string kManyThings = R"(
typedef struct { int a; float4 b; } S;
global int counter = 3;
global int *place = &counter;
kernel __attribute__((reqd_work_group_size(8, 4, 2))) __attribute__((vec_type_hint(uint3)))
void first(global const float *restrict in, local int *scratch, constant short *c, S value) {
  local float more[100];
  more[get_sub_group_id()] = *in + value.a;
  scratch[0] = more[1] + *c + *place;
}
kernel __attribute__((intel_reqd_sub_group_size(16))) __attribute__((work_group_size_hint(64, 1, 1)))
void second(read_only image2d_t from, write_only image1d_array_t to, sampler_t how, volatile global int *n) {
  private int array[7];
  array[*n] = 1;
  *n = array[*n + 1];
}
)";

} // namespace

TEST_CASE("A program from the cache is described as when it was linked", "[link_cache]") {
  TemporaryDirectory directory;
  const LanguageTraits with_cache = cachedTraits(directory.path());
  const CompileOutput linked = Frontend(with_cache).build(kManyThings, "-cl-std=CL3.0 -g");
  const CompileOutput loaded = Frontend(with_cache).build(kManyThings, "-cl-std=CL3.0 -g");
  INFO(linked.log);
  REQUIRE(linked.status == Status::Success);
  REQUIRE(loaded.status == Status::Success);
  CHECK(*loaded.module.bitcode == *linked.module.bitcode);
  CHECK(loaded.module.kind == ModuleKind::Executable);
  CHECK(loaded.module.debug);
  CHECK(loaded.module.non_uniform_work_groups == linked.module.non_uniform_work_groups);
  std::string error;
  Module unknown = loaded.module;
  unknown.info = nullptr;
  const auto described = Frontend::describe(unknown, error); // from the IR and without a cache
  REQUIRE(described);
  CHECK(bytesOf(*loaded.module.info) == bytesOf(*described));
  CHECK(bytesOf(*linked.module.info) == bytesOf(*described));
  REQUIRE(loaded.module.info->kernels.size() == 2);
  const KernelInfo &first = loaded.module.info->kernels[0], &second = loaded.module.info->kernels[1];
  CHECK(first.required_work_group_size == std::array<uint64_t, 3>{8, 4, 2});
  CHECK(first.vec_type_hint == "uint3");
  CHECK(first.queries_sub_groups);
  CHECK(first.local_bytes == 400);
  CHECK(second.required_sub_group_size == 16);
  CHECK(second.arguments.at(1).image == ImageShape::Image1DArray);
  CHECK(second.arguments.at(1).access == AccessQualifier::WriteOnly);
  CHECK(second.arguments.at(3).is_volatile);
  CHECK(loaded.module.info->variables.addresses.size() == 1);
}

TEST_CASE("What is cut off or has an unknown number is no description", "[link_cache]") {
  const CompileOutput output = device().build(kManyThings, "-cl-std=CL3.0");
  INFO(output.log);
  REQUIRE(output.status == Status::Success);
  const std::string whole = bytesOf(*output.module.info);
  const auto isRead = [](std::string_view bytes) {
    ByteReader reader(bytes);
    ProgramInfo info;
    return readInfo(reader, info) && reader.atEnd();
  };
  CHECK(isRead(whole));
  for (size_t size = 0; size < whole.size(); ++size)
    if (isRead(std::string_view(whole).substr(0, size)))
      FAIL("the first " << size << " of " << whole.size() << " bytes are read");
  ProgramInfo wrong = *output.module.info;
  wrong.kernels[1].arguments[0].image = ImageShape(99);
  CHECK_FALSE(isRead(bytesOf(wrong)));
}

TEST_CASE("Another library of built-ins makes a new link", "[link_cache]") {
  TemporaryDirectory directory;
  Module object;
  object.bitcode = std::make_shared<const std::string>("an object");
  DiskCache cache({.directory = directory.path().string()});
  LinkedProgram program;
  program.success = true;
  program.bitcode = "linked";
  CachedLink({object}, {}, "one", &cache).store(program);
  CHECK(CachedLink({object}, {}, "one", &cache).load()->bitcode == "linked");
  CHECK_FALSE(CachedLink({object}, {}, "two", &cache).load());
  CHECK_FALSE(CachedLink({object, object}, {}, "one", &cache).load());
  CHECK_FALSE(CachedLink({object}, {.create_library = true}, "one", &cache).load());
  CHECK_FALSE(CachedLink({Module()}, {}, "one", &cache).load());
  program.success = false;
  CachedLink({object}, {}, "two", &cache).store(program);
  CHECK_FALSE(CachedLink({object}, {}, "two", &cache).load());
}

TEST_CASE("Linking objects again finds the program, and errors are not kept", "[link_cache]") {
  TemporaryDirectory directory;
  const LanguageTraits with_cache = cachedTraits(directory.path());
  Frontend frontend(with_cache);
  const Module one = frontend.compile("int f(void); kernel void k(global int *p) { *p = f(); }", "", {}).module;
  const Module two = frontend.compile("int f(void) { return 1; }", "", {}).module;
  for (int round = 0; round < 2; ++round) {
    CHECK(frontend.link({one, two}, "").status == Status::Success);
    const CompileOutput incomplete = Frontend(with_cache).link({one}, "");
    CHECK(incomplete.status == Status::Failure);
    CHECK(contains(incomplete.log, "undefined symbol 'f'"));
  }
}
