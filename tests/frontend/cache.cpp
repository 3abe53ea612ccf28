// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The cache on disk: its entries, its limit, and what makes a compile find an entry or not.
#include "support.hpp"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace test;

namespace {

// files that this process has renamed, and how many of them were open then
std::atomic<int> renamed{0}, renamed_while_open{0};

// Returns whether this process has the file open.
bool isOpenHere(const struct stat &file) {
  for (const auto &descriptor : fs::directory_iterator("/proc/self/fd")) {
    struct stat other;
    if (stat(descriptor.path().c_str(), &other) == 0 && other.st_dev == file.st_dev && other.st_ino == file.st_ino)
      return true;
  }
  return false;
}

} // namespace

// Replaces the function of the C library, so that tests see when files get their names.
extern "C" int renameat(int from_folder, const char *from, int to_folder, const char *to) noexcept {
  struct stat file;
  if (fstatat(from_folder, from, &file, AT_SYMLINK_NOFOLLOW) == 0) {
    ++renamed;
    renamed_while_open += isOpenHere(file) ? 1 : 0;
  }
  return int(syscall(SYS_renameat, from_folder, from, to_folder, to));
}

namespace {

std::vector<fs::path> filesIn(const fs::path &folder) {
  std::vector<fs::path> files;
  if (fs::exists(folder))
    for (const auto &entry : fs::recursive_directory_iterator(folder))
      if (entry.is_regular_file())
        files.push_back(entry.path());
  return files;
}

void overwrite(const fs::path &path, const std::string &bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

// Returns a frontend with a cache in the folder, as a new process would have it.
Frontend cachedDevice(const fs::path &folder) {
  LanguageTraits with_cache = traits();
  with_cache.cache = std::make_shared<DiskCache>(DiskCache::Settings{.directory = folder.string()});
  return Frontend(with_cache);
}

} // namespace

TEST_CASE("What is stored is loaded", "[cache]") {
  TemporaryDirectory directory;
  const std::string folder = (directory.path() / "new" / "folder").string();
  DiskCache cache({.directory = folder});
  CHECK_FALSE(cache.load("key"));
  cache.store("key", std::string("a\0b", 3));
  CHECK(cache.load("key").value() == std::string("a\0b", 3));
  CHECK_FALSE(cache.load("kez"));
  cache.store("key", "second");
  CHECK(DiskCache({.directory = folder}).load("key").value() == "second");
  cache.store("empty", "");
  CHECK(cache.load("empty").value() == "");
  cache.remove("key");
  CHECK_FALSE(cache.load("key"));
}

// On a network file system other machines see what was written only after the file has been closed. A machine that
// finds the name before then would take the entry for damaged and remove it.
TEST_CASE("An entry is whole and closed when it gets its name", "[cache]") {
  TemporaryDirectory directory;
  DiskCache cache({.directory = directory.path().string()});
  renamed = renamed_while_open = 0;
  cache.store("key", std::string(100000, 'v'));
  CHECK(renamed == 1);
  CHECK(renamed_while_open == 0);
  CHECK(cache.load("key"));
}

TEST_CASE("Entries of another build are not found", "[cache]") {
  TemporaryDirectory directory;
  DiskCache({.directory = directory.path().string(), .writer = "one"}).store("key", "first");
  DiskCache other({.directory = directory.path().string(), .writer = "two"});
  CHECK_FALSE(other.load("key"));
  other.store("key", "second");
  CHECK(DiskCache({.directory = directory.path().string(), .writer = "one"}).load("key").value() == "first");
}

TEST_CASE("A damaged entry is absent and removed", "[cache]") {
  TemporaryDirectory directory;
  DiskCache cache({.directory = directory.path().string()});
  for (size_t position : {0, 9, 17, 26, 33, 40}) {
    cache.store("key", "the value of the entry");
    const auto files = filesIn(directory.path());
    REQUIRE(files.size() == 1);
    std::ifstream file(files[0], std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(file)), {});
    bytes[position] = static_cast<char>(bytes[position] ^ 1);
    overwrite(files[0], bytes);
    CHECK_FALSE(cache.load("key"));
    CHECK(filesIn(directory.path()).empty());
  }
  cache.store("key", "value");
  overwrite(filesIn(directory.path())[0], "cut");
  CHECK_FALSE(cache.load("key"));
}

TEST_CASE("The cache stays within its limit and keeps what was used last", "[cache]") {
  TemporaryDirectory directory;
  directory.write("mine.txt", "not a cache entry");
  constexpr uint64_t kEntry = 3 * 4096, kLimit = 10 * kEntry; // an entry takes whole blocks of the disk
  DiskCache cache({.directory = directory.path().string(), .limit_bytes = kLimit});
  const std::string value(10000, 'v');
  for (int i = 0; i < 9; ++i) {
    cache.store("old" + std::to_string(i), value);
    std::this_thread::sleep_for(std::chrono::milliseconds(15));
  }
  CHECK(cache.load("old0")); // this use makes it the youngest entry
  for (int i = 0; i < 5; ++i)
    cache.store("new" + std::to_string(i), value);
  cache.prune();
  CHECK(filesIn(directory.path() / "entries").size() * kEntry <= kLimit);
  CHECK(cache.load("old0"));
  CHECK_FALSE(cache.load("old1"));
  CHECK(cache.load("new4"));
  CHECK(fs::exists(directory.path() / "mine.txt"));
}

TEST_CASE("Small entries count as the blocks that they take", "[cache]") {
  TemporaryDirectory directory;
  constexpr size_t kFit = 64;
  DiskCache cache({.directory = directory.path().string(), .limit_bytes = kFit * 4096});
  for (size_t i = 0; i < 2 * kFit; ++i)
    cache.store(std::to_string(i), "small");
  cache.prune();
  const size_t kept = filesIn(directory.path() / "entries").size();
  CHECK(kept <= kFit);
  CHECK(kept >= kFit / 2);
}

TEST_CASE("Storing prunes, however short the processes that store", "[cache]") {
  TemporaryDirectory directory;
  constexpr size_t kFit = 64, kLate = 32; // pruning may be late by so many entries
  for (size_t i = 0; i < 1000; ++i)
    DiskCache({.directory = directory.path().string(), .limit_bytes = kFit * 4096}).store(std::to_string(i), "small");
  CHECK(filesIn(directory.path() / "entries").size() <= kFit + kLate);
}

TEST_CASE("A cache that cannot be written is no error", "[cache]") {
  TemporaryDirectory directory;
  directory.write("file", "in the way");
  for (const std::string &path :
       {(directory.path() / "file" / "cache").string(), std::string(), std::string("/proc/no")}) {
    DiskCache cache({.directory = path});
    cache.store("key", "value");
    CHECK_FALSE(cache.load("key"));
    cache.prune();
  }
}

TEST_CASE("Processes and threads share a folder", "[cache]") {
  TemporaryDirectory directory;
  const auto work = [&](int seed) {
    DiskCache cache({.directory = directory.path().string(), .limit_bytes = 1 << 20});
    for (int i = 0; i < 200; ++i) {
      const std::string key = std::to_string((seed * 7 + i) % 20);
      if (const auto value = cache.load(key); value && *value != std::string(5000, key.back()))
        return false;
      cache.store(key, std::string(5000, key.back()));
    }
    return true;
  };
  std::vector<pid_t> children;
  for (int i = 0; i < 3; ++i) {
    const pid_t child = fork();
    if (child == 0)
      _exit(work(i) ? 0 : 1);
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
  }
}

TEST_CASE("A second device finds the compiled program, log included", "[cache]") {
  TemporaryDirectory directory;
  const std::string source = "int f(void) { }\nkernel void k(global int *p) { *p = f(); }";
  const CompileOutput first = cachedDevice(directory.path()).build(source, "-DA=1");
  const auto files = filesIn(directory.path());
  const CompileOutput second = cachedDevice(directory.path()).build(source, "-DA=1");
  REQUIRE(first.status == Status::Success);
  REQUIRE(second.status == Status::Success);
  CHECK(contains(first.log, "warning"));
  CHECK(second.log == first.log);
  CHECK(*second.module.bitcode == *first.module.bitcode);
  CHECK(filesIn(directory.path()).size() == files.size());
  cachedDevice(directory.path()).build(source, "-DA=2");
  CHECK(filesIn(directory.path()).size() == files.size() + 1);
}

TEST_CASE("Damaged entries, the precompiled header among them, are made again", "[cache]") {
  TemporaryDirectory directory;
  const std::string source = "kernel void k(global float *p) { *p = sin(*p); }";
  REQUIRE(cachedDevice(directory.path()).build(source, "").status == Status::Success);
  const auto files = filesIn(directory.path());
  REQUIRE(files.size() >= 2);
  for (const fs::path &file : files) {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(static_cast<std::streamoff>(fs::file_size(file) / 2));
    stream << "damage";
  }
  CHECK(cachedDevice(directory.path()).build(source, "").status == Status::Success);
  CHECK(cachedDevice(directory.path()).build(source, "-DOTHER").status == Status::Success);
  for (const fs::path &file : files)
    fs::resize_file(file, fs::file_size(file) / 3);
  CHECK(cachedDevice(directory.path()).build(source, "").status == Status::Success);
}

TEST_CASE("A changed include makes a new compile", "[cache]") {
  TemporaryDirectory directory, headers;
  Frontend frontend = cachedDevice(directory.path());
  const std::string options = "-I " + headers.path().string();
  const std::string source = "#include \"n.h\"\nkernel void k(local int *p) { local int a[N]; a[*p] = 1; *p = a[0]; }";
  std::string error;
  for (const char *size : {"4", "8", "8", "4"}) {
    headers.write("n.h", "#include \"m.h\"\n#define N M\n");
    headers.write("m.h", std::string("#define M ") + size + "\n");
    const CompileOutput output = frontend.build(source, options);
    REQUIRE(output.status == Status::Success);
    CHECK(output.module.info->kernels.at(0).local_bytes == 4 * std::stoul(size));
  }
  fs::remove(headers.path() / "m.h");
  CHECK(frontend.build(source, options).status == Status::Failure);
}

namespace {

// Returns the local memory of kernel k in bytes, which a header decides.
uint64_t bytesOf(Frontend &frontend, const std::string &source, const std::string &options) {
  const CompileOutput output = frontend.build(source, options);
  INFO(output.log);
  REQUIRE(output.status == Status::Success);
  return output.module.info->kernels.at(0).local_bytes;
}

const std::string kKernel = "kernel void k(local char *p) { local char a[N]; a[*p] = 1; *p = a[0]; }";

} // namespace

TEST_CASE("A header that appears before the one that was found makes a new compile", "[cache]") {
  TemporaryDirectory directory, headers;
  Frontend frontend = cachedDevice(directory.path());
  const std::string first = (headers.path() / "first").string(), second = (headers.path() / "second").string();
  const std::string options = "-I " + first + " -I " + second + " -s " + (headers.path() / "main.cl").string();
  const bool inner = GENERATE(false, true); // the header is in a folder of its own, which is missing as well
  const std::string name = inner ? "in/n.h" : "n.h";
  const std::string source = "#include \"" + name + "\"\n" + kKernel;
  if (GENERATE(false, true)) // the first folder for headers may be missing when the program is first built
    fs::create_directory(first);
  headers.write("second/" + name, "#define N 2");
  CHECK(bytesOf(frontend, source, options) == 2);
  CHECK(bytesOf(frontend, source, options) == 2);
  headers.write("first/" + name, "#define N 1");
  CHECK(bytesOf(frontend, source, options) == 1);
  headers.write(name, "#define N 4"); // this header is beside the program
  CHECK(bytesOf(frontend, source, options) == 4);
  fs::remove(headers.path() / name);
  CHECK(bytesOf(frontend, source, options) == 1);
  fs::remove(headers.path() / "first" / name);
  CHECK(bytesOf(frontend, source, options) == 2);
}

TEST_CASE("A header that a program asks for and does without makes a new compile when it is there", "[cache]") {
  TemporaryDirectory directory, headers;
  Frontend frontend = cachedDevice(directory.path());
  const std::string options = "-I " + headers.path().string();
  const std::string source = "#if __has_include(\"n.h\")\n#define N 1\n#else\n#define N 2\n#endif\n" + kKernel;
  CHECK(bytesOf(frontend, source, options) == 2);
  headers.write("n.h", "");
  CHECK(bytesOf(frontend, source, options) == 1);
  fs::remove(headers.path() / "n.h");
  CHECK(bytesOf(frontend, source, options) == 2);
}

TEST_CASE("A file that a program embeds is part of what it is made of", "[cache]") {
  TemporaryDirectory directory, files;
  Frontend frontend = cachedDevice(directory.path());
  const std::string source = "enum { N =\n#embed \"" + (files.path() / "size").string() + "\"\n};\n" + kKernel;
  for (const char size : {7, 9, 9}) {
    files.write("size", std::string(1, size));
    CHECK(bytesOf(frontend, source, "") == uint64_t(size));
  }
}

TEST_CASE("A header in a folder whose name begins like the one of ours is a header like any other", "[cache]") {
  TemporaryDirectory directory, headers;
  LanguageTraits with_cache = traits();
  with_cache.cache = std::make_shared<DiskCache>(DiskCache::Settings{.directory = directory.path().string()});
  with_cache.resource_directory = (headers.path() / "lanecl").string();
  fs::create_directory(with_cache.resource_directory);
  Frontend frontend(with_cache);
  for (const char *folder : {"lanecl-more", "lanecl"})
    for (const char *size : {"1", "2", "2"}) {
      headers.write(std::string(folder) + "/n.h", "#define N " + std::string(size));
      CHECK(bytesOf(frontend, "#include \"n.h\"\n" + kKernel, "-I " + (headers.path() / folder).string()) ==
            std::stoul(size));
    }
}

TEST_CASE("Where a program is started matters to what looks for files, and to nothing else", "[cache]") {
  TemporaryDirectory directory, one, two;
  Frontend frontend = cachedDevice(directory.path());
  const fs::path before = fs::current_path();
  one.write("n.h", "#define N 1");
  two.write("n.h", "#define N 2");
  const std::string splice = "#incl\\\nude \"n.h\"\n" + kKernel; // a plain search for "#include" does not find this one
  for (const auto &[folder, size] : {std::pair{&one, 1}, {&two, 2}, {&one, 1}}) {
    fs::current_path(folder->path());
    CHECK(bytesOf(frontend, "#include \"n.h\"\n" + kKernel, "") == uint64_t(size));
    CHECK(bytesOf(frontend, splice, "") == uint64_t(size));
  }
  CHECK(bytesOf(frontend, kKernel, "-DN=3") == 3);
  const size_t entries = filesIn(directory.path()).size();
  fs::current_path(two.path());
  CHECK(bytesOf(frontend, kKernel, "-DN=3") == 3);
  CHECK(filesIn(directory.path()).size() == entries);
  fs::current_path(before);
}

TEST_CASE("A header of the built-ins that appears earlier makes a new precompiled header", "[cache]") {
  TemporaryDirectory directory, resources;
  const auto valueIn = [&] {
    LanguageTraits with_cache = traits();
    with_cache.cache = std::make_shared<DiskCache>(DiskCache::Settings{.directory = directory.path().string()});
    with_cache.resource_directory = resources.path().string();
    Frontend frontend(with_cache);
    return bytesOf(frontend, "#ifndef N\n#define N 1\n#endif\n" + kKernel, "");
  };
  CHECK(valueIn() == 1);
  resources.write("opencl-c.h", "#ifndef N\n#define N 2\n#endif\n#include_next <opencl-c.h>\n");
  CHECK(valueIn() == 2);
  resources.write("include/opencl-c.h", "#define N 3\n#include_next <opencl-c.h>\n");
  CHECK(valueIn() == 3);
  fs::remove(resources.path() / "include" / "opencl-c.h");
  CHECK(valueIn() == 2);
}

TEST_CASE("Given headers are part of the key", "[cache]") {
  TemporaryDirectory directory;
  Frontend frontend = cachedDevice(directory.path());
  const std::string source = "#include \"n.h\"\n_Static_assert(N == 1, \"\");";
  CHECK(frontend.compile(source, "", {{"n.h", "#define N 1"}}).status == Status::Success);
  CHECK(frontend.compile(source, "", {{"n.h", "#define N 2"}}).status == Status::Failure);
  CHECK(frontend.compile(source, "", {{"n.h", "#define N 1"}}).status == Status::Success);
}

TEST_CASE("The source of -g is a real file with the program's text", "[cache]") {
  TemporaryDirectory directory;
  Frontend frontend = cachedDevice(directory.path());
  const std::string source = "kernel void k(global int *p) { *p = x; }";
  const std::string log = frontend.build(source, "-g").log;
  const std::string path = log.substr(0, log.find(".cl:") + 3);
  REQUIRE(fs::exists(path));
  CHECK(path.starts_with(directory.path().string()));
  std::ifstream file(path);
  CHECK(std::string((std::istreambuf_iterator<char>(file)), {}) == source);
}

TEST_CASE("Time to compile a small program", "[cache]") {
  TemporaryDirectory directory;
  const auto seconds = [](Frontend &frontend, const std::string &name) {
    const auto begin = std::chrono::steady_clock::now();
    REQUIRE(frontend.build("kernel void " + name + "(global float *p) { *p = sin(*p); }", "").status ==
            Status::Success);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  Frontend first = cachedDevice(directory.path());
  const double building = seconds(first, "a"), parsing = seconds(first, "b");
  Frontend second = cachedDevice(directory.path());
  const double loading = seconds(second, "c"), cached = seconds(second, "c");
  WARN("seconds: " << building << " with building the precompiled header, " << loading << " with reading it, "
                   << parsing << " with it in memory, " << cached << " from the cache");
  CHECK(parsing < building);
}
