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
  unsigned version; // as __OPENCL_C_VERSION__; for C++ for OpenCL, that of the OpenCL C it extends
  bool plus_plus;
};

LanguageName describe(Language language) {
  switch (language) {
  case Language::CL10: return {"CL1.0", 100, false};
  case Language::CL11: return {"CL1.1", 110, false};
  case Language::CL12: return {"CL1.2", 120, false};
  case Language::CL20: return {"CL2.0", 200, false};
  case Language::CL30:
  case Language::CL31: return {"CL3.0", 300, false}; // see compiledAs()
  case Language::ClcPlusPlus10: return {"CLC++1.0", 200, true};
  case Language::ClcPlusPlus2021: return {"CLC++2021", 300, true};
  }
  return {"CL1.2", 120, false};
}

// Returns the extensions that Clang knows, each with the first language version in which Clang itself defines its
// macro.
const llvm::StringMap<unsigned> &clangExtensions() {
  static const llvm::StringMap<unsigned> *const known = [] {
    // Never destroyed, because compiles may still run when the process exits.
    auto *map = new llvm::StringMap<unsigned>;
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

// Adds the missing one of each pair. Clang rejects a device that has an extension without the feature of the same
// meaning, or the feature without the extension.
void pairUp(std::vector<std::string> &names) {
  for (auto [extension, feature] : {std::pair{"cl_khr_fp64", "__opencl_c_fp64"},
                                    std::pair{"cl_khr_3d_image_writes", "__opencl_c_3d_image_writes"}}) {
    if (contains(names, extension))
      addUnique(names, feature);
    if (contains(names, feature))
      addUnique(names, extension);
  }
}

// Collects the arguments that a language version has on this device.
class SetupBuilder {
public:
  SetupBuilder(const LanguageTraits &traits, const LanguageName &language) : traits(traits), language(language) {}

  // Makes the setup. The arguments do not depend on any program.
  LanguageSetup build() {
    setup.name = language.standard;
    auto &arguments = setup.arguments;
    arguments = {"-triple", "spir64-unknown-unknown", "-x", language.plus_plus ? "clcpp" : "cl"};
    arguments.push_back(std::string("-cl-std=") + language.standard);
    // The IR has the shape that optimizations expect (lifetime markers, no optnone), but no pass is run: the
    // vectorizer's pipeline does that when the sub-group size is known. -O1 alone would mark loops as not to be
    // unrolled; -funroll-loops prevents that.
    arguments.insert(arguments.end(), {"-O1", "-funroll-loops", "-disable-llvm-passes"});
    addDefinedBehavior();
    addExtensions();
    addMacros();
    for (const std::string &directory : headerDirectories(traits))
      arguments.insert(arguments.end(), {"-internal-isystem", directory});
    setup.prefix = "#include <opencl-c.h>\n" + includeOurs();
    return std::move(setup);
  }

private:
  // Keeps Clang from exploiting undefined behavior that existing programs have. It would
  // - make poison of a floating-point constant that is out of the range of an integer type;
  // - assume that accesses of different types never alias, though programs write a buffer as `float` and read `int`s;
  // - in C++, remove code after an endless loop, or after the end of a function that should return a value.
  void addDefinedBehavior() {
    setup.arguments.insert(setup.arguments.end(), {"-fno-strict-float-cast-overflow", "-relaxed-aliasing"});
    if (language.plus_plus)
      setup.arguments.insert(setup.arguments.end(), {"-fno-finite-loops", "-fno-strict-return"});
  }

  // Enables the device's extensions and features and no others.
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

  // Enables a name with -cl-ext= if Clang knows it, and defines its macro if Clang does not do so in this version.
  void addExtension(const std::string &name, std::string &list) {
    const auto known = clangExtensions().find(name);
    const bool is_known = known != clangExtensions().end();
    if (is_known)
      list += ",+" + name;
    if (is_known && known->second <= language.version)
      return;
    // Macros of features belong to OpenCL C 3.0: older headers would conclude that the language itself has the feature.
    // The macros of cl_khr_integer_dot_product are an exception, because they belong to the extension, which is for
    // every version.
    if (name.starts_with("__opencl_c_") && !name.starts_with("__opencl_c_integer_dot_product_") &&
        language.version < 300)
      return;
    define(name, "1");
  }

  // Defines the macros of the device, and __OPENCL_VERSION__ unless it is one of them.
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

  // The includes of LaneCL's own declarations, if they are installed.
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

// LaneCL's own copies come first, so that Clang need not be installed where LaneCL runs.
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

// Each macro is redefined only if it has the value of OpenCL C 3.0, since a program may define it otherwise by its
// options.
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
