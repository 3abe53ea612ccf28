// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tests the vectorizer through its public header: it takes bitcode and returns a work-group function. Cached objects
// and errors are tested here as well.
#include "pipeline/pass_registry.h"
#include "vectorizer/content_hash.h"
#include "vectorizer/internal_errors.h"
#include "vectorizer/vectorizer.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>

using namespace lanecl::vectorizer;

namespace {

// Reverses each work-group through local memory: out[global id] is what the work-item at the other end has stored.
const char *const kReverse = R"(
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"
@k.t = internal addrspace(3) global [256 x i32] undef, align 4
declare spir_func i64 @_Z17__lanecl_local_idj(i32) convergent nounwind memory(none)
declare spir_func i64 @_Z18__lanecl_global_idj(i32) convergent nounwind memory(none)
declare spir_func i64 @_Z19__lanecl_local_sizej(i32) convergent nounwind memory(none)
declare spir_func void @_Z27__lanecl_work_group_barrierj(i32) convergent nounwind
define spir_kernel void @k(ptr addrspace(1) noundef align 4 %out) convergent {
  %l = call spir_func i64 @_Z17__lanecl_local_idj(i32 0) convergent
  %g = call spir_func i64 @_Z18__lanecl_global_idj(i32 0) convergent
  %n = call spir_func i64 @_Z19__lanecl_local_sizej(i32 0) convergent
  %value = trunc i64 %g to i32
  %mine = getelementptr [256 x i32], ptr addrspace(3) @k.t, i64 0, i64 %l
  store i32 %value, ptr addrspace(3) %mine
  call spir_func void @_Z27__lanecl_work_group_barrierj(i32 1) convergent
  %last = sub i64 %n, 1
  %other = sub i64 %last, %l
  %theirs = getelementptr [256 x i32], ptr addrspace(3) @k.t, i64 0, i64 %other
  %result = load i32, ptr addrspace(3) %theirs
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %g
  store i32 %result, ptr addrspace(1) %p
  ret void
}
)";

// Returns the bitcode of a module given as text.
std::string bitcodeOf(const char *ir) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssemblyString(ir, diagnostic, context);
  INFO(diagnostic.getMessage().str());
  REQUIRE(module);
  std::string bytes;
  llvm::raw_string_ostream out(bytes);
  llvm::WriteBitcodeToFile(*module, out);
  return bytes;
}

// Stores six values of each work-item at its place in the row of work-groups that are run: its ids, the number of
// work-groups, and whether comparisons of these come out as they would under a wrong limit of their range.
const char *const kWideIds = R"(
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z17__lanecl_local_idj(i32) convergent nounwind memory(none)
declare spir_func i64 @_Z17__lanecl_group_idj(i32) convergent nounwind memory(none)
declare spir_func i64 @_Z18__lanecl_global_idj(i32) convergent nounwind memory(none)
declare spir_func i64 @_Z19__lanecl_num_groupsj(i32) convergent nounwind memory(none)
define spir_kernel void @k(ptr addrspace(1) noundef align 8 %out, i64 noundef %first_group, i64 noundef %items) {
  %l = call spir_func i64 @_Z17__lanecl_local_idj(i32 0) convergent
  %group = call spir_func i64 @_Z17__lanecl_group_idj(i32 0) convergent
  %g = call spir_func i64 @_Z18__lanecl_global_idj(i32 0) convergent
  %groups = call spir_func i64 @_Z19__lanecl_num_groupsj(i32 0) convergent
  %group.low = icmp ult i64 %group, 2147483648
  %groups.low = icmp ult i64 %groups, 2147483648
  %g.negative = icmp slt i64 %g, 0
  %a = zext i1 %group.low to i64
  %b = zext i1 %groups.low to i64
  %c = zext i1 %g.negative to i64
  %row = sub i64 %group, %first_group
  %before = mul i64 %row, %items
  %item = add i64 %before, %l
  %at = getelementptr [6 x i64], ptr addrspace(1) %out, i64 %item
  store i64 %group, ptr addrspace(1) %at
  %p1 = getelementptr i64, ptr addrspace(1) %at, i64 1
  store i64 %g, ptr addrspace(1) %p1
  %p2 = getelementptr i64, ptr addrspace(1) %at, i64 2
  store i64 %groups, ptr addrspace(1) %p2
  %p3 = getelementptr i64, ptr addrspace(1) %at, i64 3
  store i64 %a, ptr addrspace(1) %p3
  %p4 = getelementptr i64, ptr addrspace(1) %at, i64 4
  store i64 %b, ptr addrspace(1) %p4
  %p5 = getelementptr i64, ptr addrspace(1) %at, i64 5
  store i64 %c, ptr addrspace(1) %p5
  ret void
}
)";

// A cache that keeps its entries in memory and counts its hits and stores.
struct MemoryCache final : ObjectCache {
  std::map<std::string, std::string> entries;
  unsigned hits = 0, stores = 0;

  std::optional<std::string> load(const std::string &key) override {
    const auto at = entries.find(key);
    if (at == entries.end())
      return std::nullopt;
    ++hits;
    return at->second;
  }
  void store(const std::string &key, std::string_view object) override {
    ++stores;
    entries[key] = object;
  }
};

// Returns a one-dimensional launch. `arguments` is the block that the kernel reads its arguments from.
lanecl::abi::LaunchInfo launchOf(uint64_t items, uint64_t groups, const void *arguments) {
  lanecl::abi::LaunchInfo launch{};
  for (unsigned dim = 0; dim < 3; ++dim) {
    launch.enqueued_local_size[dim] = dim ? 1 : items;
    launch.num_groups[dim] = dim ? 1 : groups;
    launch.global_size[dim] = launch.enqueued_local_size[dim] * launch.num_groups[dim];
  }
  launch.work_dim = 1;
  launch.arguments = static_cast<const std::byte *>(arguments);
  return launch;
}

// Runs kReverse in three work-groups and checks that it wrote their results and nothing past them.
void checkReverse(const CompiledKernel &kernel, unsigned items) {
  constexpr unsigned kGroups = 3;
  std::vector<int> out(items * kGroups + 64, -1);
  void *argument = out.data();
  const lanecl::abi::LaunchInfo launch = launchOf(items, kGroups, &argument);
  const uint64_t scratch_bytes = kernel.scratch_bytes + items * kernel.scratch_per_sub_group;
  const auto allocate = [](uint64_t bytes) {
    return static_cast<std::byte *>(std::aligned_alloc(128, (bytes + 128) / 128 * 128));
  };
  std::byte *local = allocate(kernel.local_bytes), *scratch = allocate(scratch_bytes);
  const lanecl::abi::WorkerMemory worker{local, scratch, kernel.local_bytes, scratch_bytes};
  kernel.entry(&launch, &worker, launch.enqueued_local_size, 0, kGroups, 0, 0);
  std::free(local);
  std::free(scratch);
  for (unsigned id = 0; id < out.size(); ++id) {
    const unsigned group = id / items;
    INFO("work-item " << id);
    REQUIRE(out[id] == (group < kGroups ? int(group * items + items - 1 - id % items) : -1));
  }
}

constexpr uint64_t kWideGroups = 4;

// Runs the last work-groups of a range, those from `first_group` on, and checks what they store.
void checkWideIds(const CompiledKernel &kernel, uint64_t items, uint64_t first_group) {
  using Values = std::array<uint64_t, 6>;
  std::vector<Values> out(kWideGroups * items);
  struct {
    void *out;
    uint64_t first_group, items;
  } const arguments{out.data(), first_group, items};
  const uint64_t groups = first_group + kWideGroups;
  const lanecl::abi::LaunchInfo launch = launchOf(items, groups, &arguments);
  REQUIRE(kernel.local_bytes + kernel.scratch_bytes + kernel.scratch_per_sub_group == 0);
  alignas(128) std::byte nothing[128];
  const lanecl::abi::WorkerMemory worker{nothing, nothing, 0, 0};
  kernel.entry(&launch, &worker, launch.enqueued_local_size, first_group, groups, 0, 0);
  for (uint64_t item = 0; item < out.size(); ++item) {
    const uint64_t group = first_group + item / items, id = first_group * items + item;
    INFO("work-item " << item);
    REQUIRE(out[item] == Values{group, id, groups, group < 1u << 31, groups < 1u << 31, int64_t(id) < 0});
  }
}

} // namespace

TEST_CASE("more work-groups and work-items than an int counts", "[vectorizer]") {
  const Isa isa = GENERATE(Isa::Host, Isa::Avx2);
  const bool known = GENERATE(true, false);
  const bool optimize = GENERATE(true, false);
  constexpr uint32_t kItems = 20;
  // Below, across and above the limits of int and unsigned, and where global ids have their highest bit set.
  const uint64_t first_group = GENERATE(5ull, (1ull << 31) - 2, (1ull << 32) - 2, 1ull << 40, (1ull << 63) / kItems - 1,
                                        ~0ull / kItems - kWideGroups);
  const std::string bitcode = bitcodeOf(kWideIds);
  Settings config;
  config.target.isa = isa;
  Vectorizer vectorizer(config);
  const LaunchClass launch{16, {known ? kItems : 0, known, known}, false};
  const CompileOutput output = vectorizer.compile({bitcode, "k", false, optimize}, launch);
  INFO(output.error);
  REQUIRE(output.kernel);
  checkWideIds(*output.kernel, kItems, first_group);
}

TEST_CASE("bitcode to running code", "[vectorizer]") {
  const Isa isa = GENERATE(Isa::Host, Isa::Avx2, Isa::Sse42);
  const unsigned width = GENERATE(8u, 16u, 32u);
  const unsigned items = GENERATE(5u, 64u, 100u);
  const bool known = GENERATE(true, false);
  const std::string bitcode = bitcodeOf(kReverse);
  Settings config;
  config.target.isa = isa;
  Vectorizer vectorizer(config);
  LaunchClass launch{width, {items, 1, 1}, true};
  if (!known)
    launch.local_size = {0, 0, 0};
  const CompileOutput output = vectorizer.compile({bitcode, "k", false, true}, launch);
  INFO(output.error);
  REQUIRE(output.kernel);
  CHECK(output.kernel->width == width);
  CHECK(output.kernel->local_bytes == 1024);
  checkReverse(*output.kernel, items);
}

TEST_CASE("without optimization", "[vectorizer]") {
  const std::string bitcode = bitcodeOf(kReverse);
  Vectorizer vectorizer({});
  const CompileOutput output = vectorizer.compile({bitcode, "k", false, false}, {16, {100, 1, 1}, true});
  INFO(output.error);
  REQUIRE(output.kernel);
  checkReverse(*output.kernel, 100);
}

TEST_CASE("objects come from the cache, broken ones are compiled again", "[vectorizer]") {
  const std::string bitcode = bitcodeOf(kReverse);
  const LaunchClass launch{16, {64, 1, 1}, true};
  MemoryCache cache;
  Settings config;
  config.cache = &cache;
  for (unsigned round = 0; round < 2; ++round) {
    Vectorizer vectorizer(config);
    const CompileOutput output = vectorizer.compile({bitcode, "k", false, true}, launch);
    REQUIRE(output.kernel);
    CHECK(output.kernel->local_bytes == 1024);
    CHECK(output.kernel->scratch_bytes > 0);
    checkReverse(*output.kernel, 64);
  }
  CHECK(cache.hits == 1);
  CHECK(cache.stores == 1);

  std::string &entry = cache.entries.begin()->second;
  const std::string whole = entry;
  for (const std::string &broken : {std::string(), whole.substr(0, 100), std::string(whole.size(), '\xff'),
                                    whole.substr(0, 64) + std::string(whole.size() - 64, '\0')}) {
    entry = broken;
    Vectorizer vectorizer(config);
    const CompileOutput output = vectorizer.compile({bitcode, "k", false, true}, launch);
    REQUIRE(output.kernel);
    checkReverse(*output.kernel, 64);
    CHECK(entry == whole);
  }
}

TEST_CASE("what is in the cache needs no built-in library, and a changed library nothing old", "[vectorizer]") {
  const std::string bitcode = bitcodeOf(kReverse);
  const LaunchClass launch{16, {64, 1, 1}, true};
  std::string folder = (std::filesystem::temp_directory_path() / "lanecl-library-XXXXXX").string();
  REQUIRE(mkdtemp(folder.data()));
  MemoryCache cache;
  Settings config;
  config.cache = &cache;
  config.builtins_path = folder + "/library.bc";
  const auto writeLibrary = [&](const char *ir) {
    const std::string library = bitcodeOf(ir);
    std::ofstream(config.builtins_path, std::ios::binary) << library;
    return lanecl::hashOf(library);
  };
  const auto runs = [&] {
    Vectorizer vectorizer(config);
    const CompileOutput output = vectorizer.compile({bitcode, "k", false, true}, launch);
    return output.kernel && vectorizer.check(bitcode, {{"k", 16}}).empty();
  };

  const std::string first = writeLibrary("define void @first() { ret void }");
  CHECK(runs()); // reads the library, because the configuration has no hash of it
  CHECK(cache.stores == 2);
  config.builtins_hash = first;
  std::filesystem::remove(config.builtins_path);
  CHECK(runs());
  CHECK(cache.hits == 2);

  // The configuration has the hash of an older library. Objects that it finds were made with that one; those that it
  // makes are stored under the hash of the new one.
  const std::string second = writeLibrary("define void @second() { ret void }");
  config.builtins_hash = "of a library that was never used";
  CHECK(runs());
  CHECK(cache.hits == 2);
  CHECK(cache.stores == 4);
  CHECK(runs());
  CHECK(cache.hits == 2);
  config.builtins_hash = second;
  CHECK(runs());
  CHECK(cache.hits == 4);
  std::filesystem::remove_all(folder);
}

TEST_CASE("built-in functions come from the cache, and from the library when the entry is damaged", "[vectorizer]") {
  const std::string head = R"(
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"
)";
  const auto kernelStoring = [&](const std::string &value) { // the kernel stores value + four()
    return bitcodeOf((head + R"(
declare spir_func i32 @_Z4fourv()
define spir_kernel void @k(ptr addrspace(1) noundef align 4 %out) {
  %four = call spir_func i32 @_Z4fourv()
  %sum = add i32 %four, )" +
                      value +
                      R"(
  store i32 %sum, ptr addrspace(1) %out
  ret void
})")
                         .c_str());
  };
  std::string folder = (std::filesystem::temp_directory_path() / "lanecl-library-XXXXXX").string();
  REQUIRE(mkdtemp(folder.data()));
  MemoryCache cache;
  Settings config;
  config.cache = &cache;
  config.builtins_path = folder + "/library.bc";
  const auto writeLibrary = [&](const char *result) {
    std::ofstream(config.builtins_path, std::ios::binary)
        << bitcodeOf((head + std::string("define spir_func i32 @_Z4fourv() { ret i32 ") + result + " }").c_str());
  };
  const auto run = [&](const char *value) {
    Vectorizer vectorizer(config);
    const CompileOutput output = vectorizer.compile({kernelStoring(value), "k", false, true}, {16, {1, 1, 1}, true});
    INFO(output.error);
    REQUIRE(output.kernel);
    int stored = 0;
    int *const out = &stored;
    const lanecl::abi::LaunchInfo launch = launchOf(1, 1, &out);
    REQUIRE(output.kernel->scratch_bytes == 0);
    alignas(128) std::byte nothing[128];
    const lanecl::abi::WorkerMemory worker{nothing, nothing, 0, 0};
    output.kernel->entry(&launch, &worker, launch.enqueued_local_size, 0, 1, 0, 0);
    return stored;
  };
  const auto entry = [&] {
    for (auto &[key, value] : cache.entries)
      if (key.starts_with("builtins:"))
        return &value;
    return static_cast<std::string *>(nullptr);
  };

  writeLibrary("4");
  CHECK(run("100") == 104);
  REQUIRE(entry());
  CHECK(cache.hits == 0);
  CHECK(run("200") == 204);
  CHECK(cache.hits == 1);
  *entry() = "";
  CHECK(run("300") == 304);
  CHECK(*entry() != "");
  *entry() = "broken";
  CHECK(run("400") == 404);
  writeLibrary("5"); // entries made with the old library must not be found
  CHECK(run("500") == 505);
  std::filesystem::remove_all(folder);
}

TEST_CASE("passes are dumped although the cache has the object", "[vectorizer]") {
  const std::string bitcode = bitcodeOf(kReverse);
  MemoryCache cache;
  // Compiles with a dump and returns the number of files that were dumped.
  const auto dump = [&](ObjectCache *used) {
    std::string folder = (std::filesystem::temp_directory_path() / "lanecl-dump-XXXXXX").string();
    REQUIRE(mkdtemp(folder.data()));
    Settings config;
    config.cache = used;
    config.dump_directory = folder;
    Vectorizer vectorizer(config);
    CHECK(vectorizer.check(bitcode, {{"k", 16}}) == "");
    CHECK(vectorizer.compile({bitcode, "k", false, true}, {16, {64, 1, 1}, true}).kernel);
    const std::filesystem::recursive_directory_iterator files(folder);
    const auto count = std::distance(begin(files), end(files));
    std::filesystem::remove_all(folder);
    return count;
  };
  const auto all = dump(nullptr);
  CHECK(all > 10);
  CHECK(dump(&cache) == all);
  CHECK(dump(&cache) == all); // the dump is complete although the cache has the object
  CHECK(cache.hits == 0);
  CHECK(cache.stores == 4); // the object is stored for later runs without a dump
}

TEST_CASE("code for a processor that is not here is compiled and found again", "[vectorizer]") {
  const std::string bitcode = bitcodeOf(kReverse);
  const KernelSource source{bitcode, "k", false, true};
  const LaunchClass launch{16, {64, 1, 1}, true};
  MemoryCache cache;
  Settings config;
  config.cache = &cache;
  for (const char *cpu : {"x86-64-v4", "x86-64-v3", "bdver4"})
    for (unsigned round = 0; round < 2; ++round) {
      config.target.cpu = cpu;
      Vectorizer vectorizer(config);
      CHECK(vectorizer.target().cpu == cpu);
      const CompileOutput output = vectorizer.compile(source, launch);
      INFO(output.error);
      REQUIRE(output.kernel);
      std::string error;
      const bool wide =
          vectorizer.print(source, launch, Vectorizer::Text::Assembly, error).find("%zmm") != std::string::npos;
      CHECK(wide == (vectorizer.target().vector_bits == 512));
      if (vectorizer.target().missing.empty())
        checkReverse(*output.kernel, 64);
    }
  CHECK(cache.stores == 3);
  CHECK(cache.hits == 3);
}

TEST_CASE("what cannot be compiled is said", "[vectorizer]") {
  const std::string bitcode = bitcodeOf(kReverse);
  const LaunchClass launch{16, {64, 1, 1}, true};
  Settings without_library;
  without_library.builtins_path = "/nonexistent/lanecl-builtins.bc";
  CHECK_THAT(Vectorizer(without_library).compile({bitcode, "k", false, true}, launch).error,
             Catch::Contains("cannot read the built-in library '/nonexistent/lanecl-builtins.bc'"));
  Vectorizer vectorizer({});
  CHECK_THAT(vectorizer.compile({bitcode, "k", false, true}, {7, {64, 1, 1}, true}).error,
             Catch::Contains("8, 16 and 32"));
  CHECK_THAT(vectorizer.compile({bitcode, "other", false, true}, launch).error, Catch::Contains("no kernel 'other'"));
  CHECK_THAT(vectorizer.compile({"no bitcode", "k", false, true}, launch).error,
             Catch::Contains("cannot read the program"));
}

TEST_CASE("a check finds what is wrong without making code, and remembers what is right", "[vectorizer]") {
  const std::string bitcode = bitcodeOf(kReverse);
  MemoryCache cache;
  Settings config;
  config.cache = &cache;
  for (unsigned round = 0; round < 2; ++round) {
    Vectorizer vectorizer(config);
    CHECK(vectorizer.check(bitcode, {{"k", 16}}) == "");
    const std::string wrong = vectorizer.check(bitcode, {{"other", 16}, {"k", 16}, {"k", 7}});
    CHECK_THAT(wrong, Catch::Contains("no kernel 'other'") && Catch::Contains("8, 16 and 32") && Catch::EndsWith("\n"));
  }
  CHECK(cache.stores == 1);
  CHECK(cache.hits == 1);
  Vectorizer(config).check(bitcode, {{"k", 8}}); // the width is part of the question
  CHECK(cache.hits == 1);
  CHECK(cache.stores == 2);
}

TEST_CASE("kernels are checked on several threads, and errors are in the order of the kernels", "[vectorizer]") {
  const std::string bitcode = bitcodeOf(kReverse);
  std::vector<KernelCheck> kernels;
  for (int i = 0; i < 20; ++i)
    kernels.push_back({i % 3 == 0 ? "k" : "other" + std::to_string(i), 16});
  const auto errorsWith = [&](unsigned threads) {
    Settings config;
    config.threads = threads;
    return Vectorizer(config).check(bitcode, kernels);
  };
  const std::string errors = errorsWith(1);
  CHECK_THAT(errors, Catch::Contains("no kernel 'other1'") && Catch::Contains("no kernel 'other19'"));
  CHECK(errorsWith(8) == errors);
}

TEST_CASE("a compilation that takes long is reported once", "[vectorizer]") {
  const std::string bitcode = bitcodeOf(kReverse);
  std::mutex mutex;
  std::vector<std::string> reported;
  const ReportLong report = [&](const LongCompilation &compilation) {
    const std::lock_guard lock(mutex);
    reported.push_back(compilation.kernel);
  };
  Settings config;
  config.threads = 2;
  // every compile is long, unless it ends before a thread waits for it
  config.long_after = std::chrono::milliseconds(0);
  Vectorizer vectorizer(config);
  LaunchClass launch{8, {0, 1, 1}, true};
  launch.free_width = true; // makes the compiler try several numbers of lanes
  while (reported.empty())
    CHECK(vectorizer.compile({bitcode, "k", false, true}, launch, false, report).kernel != nullptr);
  CHECK(reported == std::vector<std::string>{"k"});
  reported.clear();
  while (reported.empty())
    CHECK(vectorizer.check(bitcode, {{"k", 16}, {"k", 8}}, nullptr, report) == "");
  CHECK(reported.size() <= 2);
  reported.clear();
  config.long_after = std::chrono::hours(1);
  CHECK(Vectorizer(config).compile({bitcode, "k", false, true}, launch, false, report).kernel != nullptr);
  CHECK(reported.empty());
}

TEST_CASE("a check says which kernels wait for others in loops, and remembers it", "[vectorizer]") {
  const std::string bitcode = bitcodeOf(R"(
target triple = "spir64-unknown-unknown"
define spir_kernel void @waits(ptr addrspace(1) %flag) {
entry:
  br label %loop
loop:
  %x = load volatile i32, ptr addrspace(1) %flag, align 4
  %zero = icmp eq i32 %x, 0
  br i1 %zero, label %loop, label %end
end:
  ret void
}
define spir_kernel void @stores(ptr addrspace(1) %flag) {
  store volatile i32 1, ptr addrspace(1) %flag, align 4
  ret void
}
)");
  MemoryCache cache;
  Settings config;
  config.cache = &cache;
  for (unsigned round = 0; round < 2; ++round) {
    std::vector<KernelTraits> outlooks;
    CHECK(Vectorizer(config).check(bitcode, {{"stores", 16}, {"waits", 16}}, &outlooks) == "");
    CHECK(outlooks == std::vector<KernelTraits>{{.waits = false}, {.waits = true}});
  }
  CHECK(cache.hits == 1);
}

TEST_CASE("a check tells which kernels compile long, with what they call, and the cache keeps it",
          "[vectorizer][check]") {
  std::string text = "target triple = \"spir64-unknown-unknown\"\n";
  for (const bool squares : {false, true}) {
    text += std::string("define internal i32 @") + (squares ? "squares" : "powers") + "(i32 %x0) {\n";
    for (unsigned i = 0; i < 30000; ++i) {
      const std::string last = "%x" + std::to_string(i);
      text += "  %x" + std::to_string(i + 1) + " = mul i32 " + last + ", " + (squares ? last : "%x0") + "\n";
    }
    text += "  ret i32 %x30000\n}\n";
  }
  text += R"(
define spir_kernel void @both(ptr addrspace(1) noundef align 4 %out) {
  %x = load i32, ptr addrspace(1) %out
  %y = call i32 @powers(i32 %x)
  %z = call i32 @squares(i32 %y)
  store i32 %z, ptr addrspace(1) %out
  ret void
}
define spir_kernel void @once(ptr addrspace(1) noundef align 4 %out) {
  %x = load i32, ptr addrspace(1) %out
  %y = call i32 @powers(i32 %x)
  store i32 %y, ptr addrspace(1) %out
  ret void
}
)";
  const std::string bitcode = bitcodeOf(text.c_str());
  MemoryCache cache;
  Settings config;
  config.cache = &cache;
  for (unsigned round = 0; round < 2; ++round) {
    std::vector<KernelTraits> outlooks;
    CHECK(Vectorizer(config).check(bitcode, {{"both", 16}, {"once", 16}}, &outlooks) == "");
    CHECK(outlooks == std::vector<KernelTraits>{{.is_long = true}, {.is_long = false}});
  }
  CHECK(cache.hits == 1);
}

TEST_CASE("LLVM still has the options that limit how long its register allocator takes", "[vectorizer]") {
  const auto &options = llvm::cl::getRegisteredOptions();
  CHECK(options.contains("grow-region-complexity-budget"));
  CHECK(options.contains("large-interval-freq-threshold"));
}

TEST_CASE("a fatal error of LLVM is an error, and the next kernel compiles", "[vectorizer][crash]") {
  const std::string broken = bitcodeOf(R"(
target triple = "spir64-unknown-unknown"
define spir_kernel void @k(ptr addrspace(1) noundef align 4 %out) gc "nonsense" {
  store i32 0, ptr addrspace(1) %out
  ret void
}
)");
  const std::string bitcode = bitcodeOf(kReverse);
  const LaunchClass launch{16, {64, 1, 1}, true};
  Vectorizer vectorizer({});
  CHECK_THAT(vectorizer.compile({broken, "k", false, true}, launch).error,
             Catch::StartsWith("error: internal compiler error: unsupported GC: nonsense"));
  const CompileOutput output = vectorizer.compile({bitcode, "k", false, true}, launch);
  REQUIRE(output.kernel);
  checkReverse(*output.kernel, 64);
}

namespace {

// Makes the compiler fail inside a pass while the object lives. `strict` says whether such a failure is an error.
struct Failing {
  Failing(const char *pass, bool strict) {
    failInStep(pass);
    makeInternalErrorsFatal(strict);
  }
  ~Failing() {
    failInStep(nullptr);
    makeInternalErrorsFatal(false);
  }
};

} // namespace

TEST_CASE("a failure inside the compiler is counted, named, and made good where that is possible",
          "[vectorizer][crash]") {
  MemoryCache cache;
  Settings config;
  config.cache = &cache;
  const std::string bitcode = bitcodeOf(kReverse);
  const KernelSource source{bitcode, "k", false, true};
  const LaunchClass launch{16, {64, 1, 1}, true};
  const uint64_t before = internalErrors();
  std::string warning;
  {
    const Failing optimizing("join-accesses", /*strict=*/false);
    const CompileOutput made = Vectorizer(config).compile(source, launch);
    REQUIRE(made.kernel);
    checkReverse(*made.kernel, 64);
    warning = made.warning;
  }
  CHECK(warning ==
        "internal compiler error: made to fail, in pass 'join-accesses' of kernel 'k'; it is compiled without "
        "optimization. Please report this with the kernel's source");
  CHECK(internalErrors() == before + 1);
  // The cache keeps the warning with the code. Where failures are errors, that code is not used.
  CHECK(Vectorizer(config).compile(source, launch).warning == warning);
  CHECK(internalErrors() == before + 2);
  const Failing strictly("join-accesses", /*strict=*/true);
  const CompileOutput refused = Vectorizer(config).compile(source, launch);
  CHECK_FALSE(refused.kernel);
  CHECK(refused.error == "error: internal compiler error: made to fail, in pass 'join-accesses' of kernel 'k'; please "
                         "report it with the kernel's source");
  CHECK(internalErrors() == before + 3);
}

TEST_CASE("a failure inside the compiler at another number of lanes is not hidden", "[vectorizer][crash]") {
  const std::string bitcode = bitcodeOf(kReverse);
  const LaunchClass wide{.width = 16, .local_size = {0, 1, 1}, .free_width = true};
  const Failing always("widen", /*strict=*/true);
  const CompileOutput refused = Vectorizer({}).compile({bitcode, "k", false, true}, wide);
  CHECK_FALSE(refused.kernel);
  CHECK_THAT(refused.error, Catch::Contains("in pass 'widen' of kernel 'k'"));
}

TEST_CASE("the build's check fails where the compiler fails inside", "[vectorizer][crash]") {
  const std::string bitcode = bitcodeOf(kReverse);
  const Failing strictly("inline-calls", /*strict=*/true);
  CHECK_THAT(Vectorizer({}).check(bitcode, {{"k", 16}}),
             Catch::StartsWith("error: internal compiler error: made to fail, in pass 'inline-calls' of kernel 'k'"));
}

// The head of modules whose kernels ask for their global ids.
const std::string kGlobalIds = R"(
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z18__lanecl_global_idj(i32) convergent nounwind memory(none)
)";

// Returns a kernel with `values` numbers that are live at the same time. If `are_chain`, out[global id] is computed
// from them one after the other. Otherwise pairs of them are stored, which do not depend on each other.
static std::string manyValues(unsigned values, bool are_chain) {
  std::string ir =
      kGlobalIds +
      R"(define spir_kernel void @k(ptr addrspace(1) noundef align 4 %in, ptr addrspace(1) noundef align 4 %out) {
  %i = call spir_func i64 @_Z18__lanecl_global_idj(i32 0) convergent
)";
  const auto line = [&](const std::string &text) { ir += "  " + text + "\n"; };
  for (unsigned v = 0; v < values; ++v) {
    const std::string n = std::to_string(v);
    line("%i" + n + " = add i64 %i, " + n);
    line("%p" + n + " = getelementptr i32, ptr addrspace(1) %in, i64 %i" + n);
    line("%a" + n + " = load volatile i32, ptr addrspace(1) %p" + n);
  }
  line("%s0 = add i32 0, 0");
  for (unsigned v = 0; v < values; ++v) { // uses them in reverse order, so that all are live in the middle
    const std::string n = std::to_string(v), last = std::to_string(values - 1 - v), next = std::to_string(v + 1);
    line("%m" + n + " = mul i32 " + (are_chain ? "%s" : "%a") + n + ", 3");
    line("%s" + next + " = xor i32 %m" + n + ", %a" + last);
    if (!are_chain)
      line("store volatile i32 %s" + next + ", ptr addrspace(1) %p" + n);
  }
  line("%o = getelementptr i32, ptr addrspace(1) %out, i64 %i");
  line("store i32 %s" + std::to_string(values) + ", ptr addrspace(1) %o");
  return ir + "  ret void\n}\n";
}

TEST_CASE("a free width is doubled where the registers suffice", "[vectorizer]") {
  const auto widthOf = [](unsigned values, const LaunchClass &launch, Isa isa, bool are_chain = false) {
    Settings config;
    config.target = {isa, "x86-64-v4"};
    Vectorizer vectorizer(config);
    const std::string bitcode = bitcodeOf(manyValues(values, are_chain).c_str());
    const CompileOutput output = vectorizer.compile({bitcode, "k"}, launch);
    INFO(output.error);
    REQUIRE(output.kernel);
    return output.kernel->width;
  };
  const LaunchClass row{16, {0, 1, 1}, true, true};
  CHECK(widthOf(4, row, Isa::Avx512) == 32);
  CHECK(widthOf(4, {16, {64, 1, 1}, true, true}, Isa::Avx512) == 32);
  CHECK(widthOf(60, row, Isa::Avx512) == 16); // wider lanes would spill
  // wider lanes spill, but fewer lanes would wait for the dependency chain
  CHECK(widthOf(60, row, Isa::Avx512, /*are_chain=*/true) == 32);
  CHECK(widthOf(4, {16, {48, 1, 1}, true, true}, Isa::Avx512) == 16); // wider lanes would split rows
  CHECK(widthOf(4, {16, {0, 1, 1}, true, false}, Isa::Avx512) == 16); // the kernel can tell how many lanes there are
  CHECK(widthOf(4, {32, {0, 1, 1}, true, true}, Isa::Avx512) == 32);
  CHECK(widthOf(2, row, Isa::Avx2) == 32); // at 32 lanes a value takes four registers
  CHECK(widthOf(12, row, Isa::Avx2) == 16);
  CHECK(widthOf(12, row, Isa::Avx2, /*are_chain=*/true) == 32);
  CHECK(widthOf(2, row, Isa::Sse42) == 16);
}

// Returns a kernel that multiplies in[global id] `steps` times, in one dependency chain, and stores the product.
static std::string longChain(unsigned steps, const std::string &type) {
  std::string ir =
      kGlobalIds +
      R"(define spir_kernel void @k(ptr addrspace(1) noundef align 8 %in, ptr addrspace(1) noundef align 8 %out) {
  %i = call spir_func i64 @_Z18__lanecl_global_idj(i32 0) convergent
  %from = getelementptr T, ptr addrspace(1) %in, i64 %i
  %to = getelementptr T, ptr addrspace(1) %out, i64 %i
  %v0 = load T, ptr addrspace(1) %from
)";
  for (unsigned step = 0; step < steps; ++step)
    ir += "  %v" + std::to_string(step + 1) + " = fmul T %v" + std::to_string(step) + ", %v0\n";
  ir += "  store T %v" + std::to_string(steps) + ", ptr addrspace(1) %to\n  ret void\n}\n";
  for (size_t at = ir.find(" T"); at != std::string::npos; at = ir.find(" T", at))
    ir.replace(at + 1, 1, type);
  return ir;
}

TEST_CASE("a free width is doubled for short kernels", "[vectorizer]") {
  const auto widthOf = [](unsigned steps, const std::string &type, Isa isa) {
    Settings config;
    config.target = {isa, "x86-64-v4"};
    Vectorizer vectorizer(config);
    const std::string bitcode = bitcodeOf(longChain(steps, type).c_str());
    const CompileOutput output = vectorizer.compile({bitcode, "k"}, {16, {0, 1, 1}, true, true});
    INFO(output.error);
    REQUIRE(output.kernel);
    return output.kernel->width;
  };
  for (const Isa isa : {Isa::Avx2, Isa::Avx512}) {
    CHECK(widthOf(10, "float", isa) == 32);
    CHECK(widthOf(2000, "float", isa) == 16);
  }
  CHECK(widthOf(10, "double", Isa::Avx2) == 16); // at 32 lanes a value takes eight registers
  CHECK(widthOf(10, "double", Isa::Avx512) == 32);
}

// For kernels of medium length, narrow and wide code is compiled at the same time with AVX2.
TEST_CASE("the code does not depend on the number of threads", "[vectorizer]") {
  const LaunchClass row{16, {0, 1, 1}, true, true};
  for (const char *type : {"float", "double"})
    for (const unsigned steps : {10u, 200u, 400u, 600u}) {
      const std::string bitcode = bitcodeOf(longChain(steps, type).c_str());
      std::map<std::string, std::string> objects;
      for (const unsigned threads : {1u, 4u}) {
        MemoryCache cache;
        Settings config;
        config.target = {Isa::Avx2, "x86-64-v4"};
        config.cache = &cache;
        config.threads = threads;
        CHECK(Vectorizer(config).compile({bitcode, "k"}, row).error == "");
        if (threads == 1)
          objects = cache.entries;
        CHECK(cache.entries == objects);
      }
    }
}

TEST_CASE("a work-group of 64 with barriers is one sub-group where nobody can tell", "[vectorizer]") {
  const std::string bitcode = bitcodeOf(R"(
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z18__lanecl_global_idj(i32) convergent nounwind memory(none)
declare spir_func void @_Z27__lanecl_work_group_barrierj(i32) convergent nounwind
define spir_kernel void @k(ptr addrspace(1) noundef align 4 %p) {
  %i = call spir_func i64 @_Z18__lanecl_global_idj(i32 0) convergent
  %a = getelementptr i32, ptr addrspace(1) %p, i64 %i
  %v = load i32, ptr addrspace(1) %a
  call spir_func void @_Z27__lanecl_work_group_barrierj(i32 1) convergent
  %w = add i32 %v, 1
  store i32 %w, ptr addrspace(1) %a
  ret void
}
)");
  const auto widthOf = [&](const LaunchClass &launch, Isa isa) {
    Settings config;
    config.target = {isa, "x86-64-v4"};
    Vectorizer vectorizer(config);
    const CompileOutput output = vectorizer.compile({bitcode, "k"}, launch);
    INFO(output.error);
    REQUIRE(output.kernel);
    // one sub-group for the whole work-group needs no frames
    CHECK((output.kernel->width == 64) == (output.kernel->scratch_bytes == 0));
    return output.kernel->width;
  };
  CHECK(widthOf({16, {64, 1, 1}, true, true}, Isa::Avx512) == 64);
  CHECK(widthOf({16, {8, 8, 1}, true, true}, Isa::Avx512) == 64);
  CHECK(widthOf({16, {64, 1, 1}, true, false}, Isa::Avx512) == 16); // the kernel can tell how many lanes there are
  CHECK(widthOf({16, {128, 1, 1}, true, true}, Isa::Avx512) == 32);
  CHECK(widthOf({16, {64, 1, 1}, true, true}, Isa::Avx2) == 64);
  CHECK(widthOf({16, {64, 1, 1}, true, true}, Isa::Sse42) == 16);
}

// Returns a kernel that moves an element down its row until it meets one that is not positive. Each step does
// `operations` multiplications.
static std::string movingElements(unsigned operations) {
  std::string ir = kGlobalIds + R"(define spir_kernel void @k(ptr addrspace(1) noundef align 4 %p, i64 %row) {
  %i = call spir_func i64 @_Z18__lanecl_global_idj(i32 0) convergent
  %start = mul i64 %i, %row
  br label %loop
loop:
  %at = phi i64 [ %start, %0 ], [ %next, %loop ]
  %next = add i64 %at, 1
  %from = getelementptr i32, ptr addrspace(1) %p, i64 %next
  %to = getelementptr i32, ptr addrspace(1) %p, i64 %at
  %v0 = load i32, ptr addrspace(1) %from
)";
  const auto n = [](unsigned number) { return std::to_string(number); };
  for (unsigned step = 0; step < operations; ++step) {
    ir += "  %m" + n(step) + " = mul i32 %v" + n(step) + ", %v0\n";
    ir += "  %v" + n(step + 1) + " = xor i32 %m" + n(step) + ", 12345\n";
  }
  return ir + "  store i32 %v" + n(operations) + ", ptr addrspace(1) %to\n" + R"(
  %more = icmp sgt i32 %v0, 0
  br i1 %more, label %loop, label %end
end:
  ret void
}
)";
}

TEST_CASE("work-items that move elements run one after the other where nobody can tell", "[vectorizer]") {
  const auto widthOf = [](unsigned operations, const LaunchClass &launch) {
    Settings config;
    config.target = {Isa::Avx2, "x86-64-v4"};
    Vectorizer vectorizer(config);
    const std::string bitcode = bitcodeOf(movingElements(operations).c_str());
    const CompileOutput output = vectorizer.compile({bitcode, "k"}, launch);
    INFO(output.error);
    REQUIRE(output.kernel);
    return output.kernel->width;
  };
  CHECK(widthOf(0, {16, {0, 1, 1}, true, true}) == 1);
  // arithmetic gains from wider lanes, and this is a dependency chain
  CHECK(widthOf(20, {16, {0, 1, 1}, true, true}) == 32);
  CHECK(widthOf(0, {16, {0, 1, 1}, true, false}) == 16); // the kernel can tell how many lanes there are
  // the kernel can tell its work-groups, and so it may wait in barriers
  CHECK(widthOf(0, {16, {64, 1, 1}, true, true}) == 16);
}
