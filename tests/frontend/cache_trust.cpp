// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tests whose files the cache accepts, and who may read the files that it writes.
#include "support.hpp"
#include "users.hpp"

#include "program/source_file.h"

#include <cstdlib>
#include <sys/stat.h>

using namespace test;

namespace {

mode_t modeOf(const fs::path &path) {
  struct stat status;
  return lstat(path.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
}

std::vector<fs::path> everythingIn(const fs::path &folder, bool folders) {
  std::vector<fs::path> found;
  for (const auto &entry : fs::recursive_directory_iterator(folder))
    if (entry.is_directory() == folders)
      found.push_back(entry.path());
  return found;
}

// Returns the cache's only entry, and fails when there is not exactly one.
fs::path onlyEntry(const fs::path &folder) {
  const auto files = everythingIn(folder, false);
  REQUIRE(files.size() == 1);
  return files[0];
}

// A cache that keeps its messages, one line each.
struct Watched {
  explicit Watched(const fs::path &directory, const fs::path &shared = {})
      : cache({.directory = directory.string(),
               .shared = shared.string(),
               .report = [this](const std::string &message) { messages += message + "\n"; }}) {}
  std::string messages;
  DiskCache cache;
};

// Returns whether the cache has reported this text once and nothing else.
bool reportsOnce(const Watched &watched, const std::string &text) {
  return std::count(watched.messages.begin(), watched.messages.end(), '\n') == 1 && contains(watched.messages, text);
}

// A folder that all users can reach.
struct OpenDirectory : TemporaryDirectory {
  OpenDirectory() { fs::permissions(path(), fs::perms(0755)); }
  fs::path folderOf(uid_t user, const std::string &name, mode_t mode = 0700) const {
    fs::create_directory(path() / name);
    REQUIRE(chown((path() / name).c_str(), user, user) == 0);
    fs::permissions(path() / name, fs::perms(mode));
    return path() / name;
  }
};

} // namespace

TEST_CASE("What the cache makes is its user's alone, whatever the umask", "[trust]") {
  TemporaryDirectory directory;
  const mode_t before = umask(0);
  DiskCache cache({.directory = (directory.path() / "made" / "cache").string()});
  cache.store("key", "value");
  cache.keepSource("text.cl", "kernel");
  umask(before);
  for (const fs::path &folder : everythingIn(directory.path(), true))
    CHECK(modeOf(folder) == 0700);
  for (const fs::path &file : everythingIn(directory.path(), false))
    CHECK(modeOf(file) == 0600);
  CHECK(cache.load("key") == "value");
}

TEST_CASE("A folder that others may write to is not used, and said once", "[trust]") {
  TemporaryDirectory directory;
  Watched(directory.path()).cache.store("key", "value");
  const fs::path entry = onlyEntry(directory.path());
  for (const fs::path &folder : {directory.path(), directory.path() / "entries", entry.parent_path()})
    for (const mode_t mode : {0720, 0702, 01777}) {
      INFO(folder << " " << std::oct << mode);
      fs::permissions(folder, fs::perms(mode));
      Watched watched(directory.path());
      CHECK_FALSE(watched.cache.load("key"));
      watched.cache.store("key", "other");
      CHECK_FALSE(watched.cache.load("key"));
      CHECK(reportsOnce(watched, folder.string() + ": users other than its owner may write to it (chmod go-w"));
      CHECK(contains(watched.messages, "LANECL_CACHE_DIR"));
      fs::permissions(folder, fs::perms(0700));
      CHECK(Watched(directory.path()).cache.load("key") == "value");
    }
}

TEST_CASE("An entry that others may write to is not used, and made again", "[trust]") {
  TemporaryDirectory directory;
  Watched watched(directory.path());
  watched.cache.store("key", "value");
  const fs::path entry = onlyEntry(directory.path());
  fs::permissions(entry, fs::perms(0620));
  CHECK_FALSE(watched.cache.load("key"));
  CHECK(reportsOnce(watched, entry.string() + ": users other"));
  watched.cache.store("key", "value");
  CHECK(watched.cache.load("key") == "value");
  CHECK(modeOf(entry) == 0600);
}

TEST_CASE("Neither links nor pipes are followed", "[trust]") {
  TemporaryDirectory directory;
  const fs::path folder = directory.path() / "cache", elsewhere = directory.path() / "elsewhere";
  Watched(folder).cache.store("key", "value");
  const fs::path entry = onlyEntry(folder);

  fs::rename(entry, elsewhere);
  fs::create_symlink(elsewhere, entry);
  CHECK_FALSE(Watched(folder).cache.load("key"));
  fs::remove(entry);
  REQUIRE(mkfifo(entry.c_str(), 0600) == 0);
  Watched watched(folder);
  CHECK_FALSE(watched.cache.load("key")); // and the load does not wait for the pipe
  CHECK(reportsOnce(watched, entry.string() + ": it is not a regular file"));
  fs::remove(entry);
  fs::rename(elsewhere, entry);
  REQUIRE(Watched(folder).cache.load("key") == "value");

  for (const fs::path &step : {entry.parent_path(), folder / "entries", folder}) {
    fs::rename(step, elsewhere);
    fs::create_directory_symlink(elsewhere, step);
    Watched linked(folder);
    CHECK_FALSE(linked.cache.load("key"));
    CHECK(reportsOnce(linked, step.string() + ": it is a symbolic link"));
    linked.cache.prune();
    fs::remove(step);
    fs::rename(elsewhere, step);
  }
  CHECK(Watched(folder).cache.load("key") == "value");
}

TEST_CASE("Another user's folder is not used, for root neither", "[users]") {
  if (!canBeOthers())
    return;
  OpenDirectory directory;
  const fs::path folder = directory.folderOf(kAnna, "annas", 0755);
  REQUIRE(asUser(kAnna, [&] {
    DiskCache({.directory = folder.string()}).store("key", "annas");
    return DiskCache({.directory = folder.string()}).load("key") == "annas";
  }));
  const std::string reason = folder.string() + ": it belongs to user 61001, but this process runs as user ";
  Watched root(folder);
  CHECK_FALSE(root.cache.load("key"));
  root.cache.store("key", "roots");
  root.cache.keepSource("text.cl", "kernel");
  CHECK(reportsOnce(root, reason + "0"));
  CHECK(asUser(kBert, [&] {
    Watched berts(folder);
    return !berts.cache.load("key") && reportsOnce(berts, reason + "61002");
  }));
  CHECK(asUser(kAnna, [&] { return DiskCache({.directory = folder.string()}).load("key") == "annas"; }));
  CHECK(everythingIn(folder, false).size() == 1);
}

TEST_CASE("Another user's entry in one's own folder is not used", "[users]") {
  if (!canBeOthers())
    return;
  TemporaryDirectory directory;
  Watched watched(directory.path());
  watched.cache.store("key", "value");
  const fs::path entry = onlyEntry(directory.path());
  for (const fs::path &changed : {entry, entry.parent_path(), directory.path() / "entries"}) {
    REQUIRE(chown(changed.c_str(), kAnna, kAnna) == 0);
    Watched again(directory.path());
    CHECK_FALSE(again.cache.load("key"));
    CHECK(reportsOnce(again, changed.string() + ": it belongs to user 61001"));
    REQUIRE(chown(changed.c_str(), 0, 0) == 0);
  }
  CHECK(watched.cache.load("key") == "value");
}

TEST_CASE("Root makes no cache in the folder of a user", "[users]") {
  if (!canBeOthers())
    return;
  OpenDirectory directory;
  const fs::path home = directory.folderOf(kAnna, "home");
  Watched watched(home / ".cache" / "lanecl");
  watched.cache.store("key", "value");
  CHECK(reportsOnce(watched, "it would be created in " + home.string() + ", which belongs to user 61001"));
  CHECK(fs::is_empty(home));
}

TEST_CASE("A shared cache is filled by its owner and read by everybody", "[users]") {
  if (!canBeOthers())
    return;
  OpenDirectory directory;
  const fs::path shared = directory.folderOf(0, "shared", 0755);
  const mode_t before = umask(077);
  {
    Watched root(directory.path() / "roots", shared);
    root.cache.store("key", "value");
    CHECK(root.cache.load("key") == "value");
    CHECK(root.messages.empty());
  }
  umask(before);
  CHECK_FALSE(fs::exists(directory.path() / "roots"));
  for (const fs::path &folder : everythingIn(shared, true))
    CHECK(modeOf(folder) == 0755);
  CHECK(modeOf(onlyEntry(shared)) == 0644);

  for (const uid_t user : {kAnna, kBert}) {
    const fs::path own = directory.folderOf(user, std::to_string(user));
    CHECK(asUser(user, [&] {
      Watched watched(own / "cache", shared);
      const bool found = watched.cache.load("key") == "value" && !fs::exists(own / "cache");
      watched.cache.store("more", "mine"); // stored in the user's own cache
      watched.cache.remove("key");         // has no effect, because the entry is not the user's
      return found && watched.cache.load("more") == "mine" && watched.cache.load("key") == "value" &&
             watched.messages.empty() && Watched(own / "cache").cache.load("more") == "mine";
    }));
    CHECK(asUser(user, [&] { return Watched({}, shared).cache.load("key") == "value"; }));
  }
  CHECK(onlyEntry(shared) != fs::path());
  // The users' entries did not go to the shared cache.
  CHECK_FALSE(Watched({}, shared).cache.load("more"));
}

TEST_CASE("A damaged entry of a shared cache is absent and stays", "[users]") {
  if (!canBeOthers())
    return;
  OpenDirectory directory;
  const fs::path shared = directory.folderOf(0, "shared", 0755), own = directory.folderOf(kAnna, "own");
  Watched({}, shared).cache.store("key", "value");
  const fs::path entry = onlyEntry(shared);
  fs::resize_file(entry, fs::file_size(entry) - 1);
  CHECK(asUser(kAnna, [&] {
    Watched watched(own, shared);
    if (watched.cache.load("key"))
      return false;
    watched.cache.store("key", "mine");
    return watched.cache.load("key") == "mine";
  }));
  CHECK(fs::exists(entry));
}

TEST_CASE("A shared cache that cannot be trusted or read is said, and the own one goes on", "[users]") {
  if (!canBeOthers())
    return;
  OpenDirectory directory;
  const fs::path shared = directory.folderOf(0, "shared", 0755), own = directory.folderOf(kAnna, "own");
  Watched({}, shared).cache.store("key", "value");
  const auto annaHears = [&](const fs::path &folder, const std::string &reason) {
    return asUser(kAnna, [&] {
      Watched watched(own, folder);
      const bool found = bool(watched.cache.load("key"));
      watched.cache.load("key");
      watched.cache.store("other", "mine");
      return !found && watched.cache.load("other") == "mine" && reportsOnce(watched, reason);
    });
  };
  fs::permissions(shared, fs::perms(01777));
  CHECK(annaHears(shared, ": users other than its owner may write to it"));
  fs::permissions(shared, fs::perms(0700));
  CHECK(annaHears(shared, ": Permission denied"));
  fs::permissions(shared, fs::perms(0755));
  CHECK(annaHears(directory.path() / "none", ": No such file or directory"));
  REQUIRE(chown(shared.c_str(), kBert, kBert) == 0);
  CHECK(annaHears(shared, ": it belongs to user 61002"));
  REQUIRE(chown(shared.c_str(), 0, 0) == 0);
  CHECK(asUser(kAnna, [&] { return Watched(own, shared).cache.load("key") == "value"; }));
}

TEST_CASE("A text goes to a file of one's own when there is no cache", "[users]") {
  if (!canBeOthers())
    return;
  OpenDirectory directory;
  fs::permissions(directory.path(), fs::perms(01777));
  // the name of the folder that Anna's files would get
  const fs::path taken = directory.folderOf(kBert, "lanecl-61001", 0777);
  CHECK(asUser(kAnna, [&] {
    setenv("TMPDIR", directory.path().c_str(), 1);
    return writeSourceFile(nullptr, "kernel", ".cl").empty();
  }));
  CHECK(fs::is_empty(taken));
  CHECK(asUser(kBert, [&] {
    setenv("TMPDIR", directory.path().c_str(), 1);
    const std::string path = writeSourceFile(nullptr, "kernel", ".cl");
    return path.starts_with((directory.path() / "lanecl-61002").string()) && modeOf(path) == 0600;
  }));
}
