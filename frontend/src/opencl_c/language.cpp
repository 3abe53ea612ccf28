// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opencl_c/language.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <algorithm>

#ifndef LANECL_CLANG_HEADERS
#error "the build defines LANECL_CLANG_HEADERS as the folder of Clang's opencl-c.h"
#endif

namespace lanecl::frontend {
namespace {

constexpr const char *kOurHeader = "lanecl-c.h";

struct LanguageName {
  const char *standard;
  unsigned version; // as __OPENCL_C_VERSION__; C++ for OpenCL: that of the OpenCL C it extends
  bool plus_plus;
};

LanguageName describe(Language language) {
  switch (language) {
  case Language::CL10: return {"CL1.0", 100, false};
  case Language::CL11: return {"CL1.1", 110, false};
  case Language::CL12: return {"CL1.2", 120, false};
  case Language::CL20: return {"CL2.0", 200, false};
  case Language::CL30:
  case Language::CL31: return {"CL3.0", 300, false}; // compiledAs()
  case Language::ClcPlusPlus10: return {"CLC++1.0", 200, true};
  case Language::ClcPlusPlus2021: return {"CLC++2021", 300, true};
  }
  return {"CL1.2", 120, false};
}

// The first language version in which Clang itself defines the extension's macro.
const llvm::StringMap<unsigned> &clangExtensions() {
  static const llvm::StringMap<unsigned> *const known = [] {
    auto *map = new llvm::StringMap<unsigned>; // never destroyed: compiles may still run when the process exits
#define OPENCL_GENERIC_EXTENSION(name, pragma, available, core, optional) (*map)[#name] = available;
#include "clang/Basic/OpenCLExtensions.def"
    return map;
  }();
  return *known;
}

void addUnique(std::vector<std::string> &list, const std::string &name) {
  if (std::find(list.begin(), list.end(), name) == list.end())
    list.push_back(name);
}

bool contains(const std::vector<std::string> &list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

// Clang rejects a device that has an extension without the feature of the same meaning, or the other way round.
void pairUp(std::vector<std::string> &names) {
  for (auto [extension, feature] : {std::pair{"cl_khr_fp64", "__opencl_c_fp64"},
                                    std::pair{"cl_khr_3d_image_writes", "__opencl_c_3d_image_writes"}}) {
    if (contains(names, extension))
      addUnique(names, feature);
    if (contains(names, feature))
      addUnique(names, extension);
  }
}

class SetupBuilder {
public:
  SetupBuilder(const LanguageTraits &traits, const LanguageName &language) : traits(traits), language(language) {}

  LanguageSetup build() {
    setup.name = language.standard;
    auto &arguments = setup.arguments;
    arguments = {"-triple", "spir64-unknown-unknown", "-x", language.plus_plus ? "clcpp" : "cl"};
    arguments.push_back(std::string("-cl-std=") + language.standard);
    // The shape of optimized IR (lifetime markers, no optnone) without running a pass: the vectorizer's pipeline
    // does that when the width is known. Without -funroll-loops, -O1 would forbid it to unroll.
    arguments.insert(arguments.end(), {"-O1", "-funroll-loops", "-disable-llvm-passes"});
    addDefinedBehaviour();
    addExtensions();
    addMacros();
    for (const std::string &directory : headerDirectories(traits))
      arguments.insert(arguments.end(), {"-internal-isystem", directory});
    setup.prefix = "#include <opencl-c.h>\n" + includeOurs();
    return std::move(setup);
  }

private:
  // Clang would make poison of a constant that an integer type has no room for. It would promise that accesses of
  // different types are of different memory, though programs write a buffer as `float` and read it as `int`. And in C++
  // it would remove what comes behind a loop that does not end, or behind a call that returns no value.
  void addDefinedBehaviour() {
    setup.arguments.insert(setup.arguments.end(), {"-fno-strict-float-cast-overflow", "-relaxed-aliasing"});
    if (language.plus_plus)
      setup.arguments.insert(setup.arguments.end(), {"-fno-finite-loops", "-fno-strict-return"});
  }

  void addExtensions() {
    std::vector<std::string> names = traits.extensions;
    for (const std::string &feature : traits.features)
      addUnique(names, feature);
    pairUp(names);
    std::string list = "-all";
    for (const std::string &name : names)
      addExtension(name, list);
    setup.arguments.push_back("-cl-ext=" + list);
    if (!contains(names, "__opencl_c_images"))
      setup.arguments.insert(setup.arguments.end(), {"-U", "__IMAGE_SUPPORT__"});
  }

  void addExtension(const std::string &name, std::string &list) {
    const auto known = clangExtensions().find(name);
    const bool is_known = known != clangExtensions().end();
    if (is_known)
      list += ",+" + name;
    if (is_known && known->second <= language.version)
      return;
    // Feature macros belong to OpenCL C 3.0; older headers take them as language features that an older version lacks.
    // Those of cl_khr_integer_dot_product belong to the extension, which is for every version.
    if (name.starts_with("__opencl_c_") && !name.starts_with("__opencl_c_integer_dot_product_") &&
        language.version < 300)
      return;
    define(name, "1");
  }

  void addMacros() {
    if (std::none_of(traits.macros.begin(), traits.macros.end(),
                     [](auto &m) { return m.first == "__OPENCL_VERSION__"; }))
      define("__OPENCL_VERSION__", "300");
    for (const auto &[name, value] : traits.macros)
      define(name, value);
    if (traits.matrix_sub_group != 0)
      define("__lanecl_matrix_sub_group", std::to_string(traits.matrix_sub_group)); // read by lanecl-c.h
  }

  void define(const std::string &name, const std::string &value) {
    setup.arguments.insert(setup.arguments.end(), {"-D", name + "=" + value});
    setup.macro_names.push_back(name);
  }

  std::string includeOurs() const {
    for (const std::string &directory : headerDirectories(traits)) {
      llvm::SmallString<256> path(directory);
      llvm::sys::path::append(path, kOurHeader);
      if (llvm::sys::fs::exists(path))
        return std::string("#include <") + kOurHeader + ">\n";
    }
    return {};
  }

  const LanguageTraits &traits;
  const LanguageName &language;
  LanguageSetup setup;
};

} // namespace

std::vector<std::string> headerDirectories(const LanguageTraits &traits) {
  std::vector<std::string> directories;
  if (!traits.resource_directory.empty()) {
    llvm::SmallString<256> include(traits.resource_directory);
    llvm::sys::path::append(include, "include");
    directories.push_back(std::string(include));
    directories.push_back(traits.resource_directory);
  }
  directories.push_back(LANECL_CLANG_HEADERS);
  return directories;
}

std::vector<std::string> prefixHeaders(const LanguageTraits &traits) {
  std::vector<std::string> paths;
  for (const std::string &directory : headerDirectories(traits))
    for (const char *name : {kOurHeader, "opencl-c.h", "opencl-c-base.h"}) {
      llvm::SmallString<256> path(directory);
      llvm::sys::path::append(path, name);
      paths.emplace_back(path);
    }
  return paths;
}

Language compiledAs(Language language) {
  return language == Language::CL31 ? Language::CL30 : language;
}

// A program may define them otherwise by its options.
std::string_view versionMacros(Language language) {
  if (language != Language::CL31)
    return "";
  return R"(#if __OPENCL_C_VERSION__ == 300
#undef __OPENCL_C_VERSION__
#define __OPENCL_C_VERSION__ 310
#endif
#if __OPENCL_VERSION__ == 300
#undef __OPENCL_VERSION__
#define __OPENCL_VERSION__ 310
#endif
#ifndef CL_VERSION_3_1
#define CL_VERSION_3_1 310
#endif
)";
}

LanguageSetup makeLanguageSetup(const LanguageTraits &traits, Language language) {
  const LanguageName name = describe(language);
  return SetupBuilder(traits, name).build();
}

} // namespace lanecl::frontend
