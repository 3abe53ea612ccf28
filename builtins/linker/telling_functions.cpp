// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "telling_functions.h"

#include "library.h"

#include <cassert>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>
#include <map>
#include <optional>

namespace lanecl::builtins {
namespace {

// In this order: what tells of sub-groups tells of work-groups, too.
enum class Tells { Nothing, WorkGroups, SubGroups };

struct Entry {
  llvm::StringLiteral name;
  Tells tells;
};

constexpr Entry kPrimitives[] = {
#define PRIMITIVE(Enumerator, name, Result, Class, Kind) {name, Tells::Kind},
#include "vectorizer/contract/lane_primitives.def"
};

// Functions that tell something else than the primitives that they are made of. A name that ends in an underscore
// stands for all functions whose names begin with it.
// - The linear ids are the same at every sub-group size, and the sub-groups of a work-group only share the work of the
//   other functions. (The sums of floating-point numbers are rounded in another order at each size, which OpenCL
//   allows.)
// - Prefetches and the arrival at a barrier do nothing here, but check mode checks their rules, which are those of
//   sub-groups and work-groups.
constexpr Entry kExceptions[] = {
    {"get_global_linear_id", Tells::Nothing},
    {"__read_pipe_2", Tells::Nothing},
    {"__write_pipe_2", Tells::Nothing},
    {"get_local_linear_id", Tells::WorkGroups},
    {"async_work_group_", Tells::WorkGroups},
    {"work_group_all", Tells::WorkGroups},
    {"work_group_any", Tells::WorkGroups},
    {"work_group_reduce_", Tells::WorkGroups},
    {"work_group_scan_", Tells::WorkGroups},
    {"intel_sub_group_block_prefetch_", Tells::SubGroups},
    {"intel_work_group_barrier_arrive", Tells::WorkGroups},
};

const Entry *exceptionOf(llvm::StringRef name) {
  const Entry *const found = llvm::find_if(kExceptions, [&](const Entry &entry) {
    return entry.name.ends_with("_") ? name.starts_with(entry.name) : name == entry.name;
  });
  return found == std::end(kExceptions) ? nullptr : found;
}

// Returns what a primitive tells, or nothing for an unknown one. Some names end in types: block_read_ui8.
std::optional<Tells> ofPrimitive(llvm::StringRef name) {
  for (llvm::StringRef part = name; !part.empty(); part = part.rsplit('_').first) {
    for (const Entry &entry : kPrimitives)
      if (entry.name == part)
        return entry.tells;
    if (!part.contains('_'))
      break;
  }
  return std::nullopt;
}

// Returns the name in OpenCL C: "sub_group_any" for "_Z13sub_group_anyi".
llvm::StringRef plainName(llvm::StringRef name) {
  size_t length = 0;
  llvm::StringRef mangled = name;
  return mangled.consume_front("_Z") && !mangled.consumeInteger(10, length) ? mangled.take_front(length) : name;
}

class Finder {
public:
  // Returns false with a reason if a primitive is unknown.
  bool run(const llvm::Module &library, std::string &error) {
    for (const llvm::Function &function : library) {
      note(function, Tells::Nothing);
      if (const llvm::StringRef primitive = primitiveName(function); function.isDeclaration() && !primitive.empty()) {
        const std::optional<Tells> tells = ofPrimitive(primitive);
        if (!tells) {
          error = "no primitive: " + primitive.str();
          return false;
        }
        note(function, *tells);
      }
    }
    while (!work.empty())
      spread(*work.pop_back_val());
    return true;
  }

  Tells of(const llvm::Function &function) const { return told.lookup(&function); }

private:
  void note(const llvm::Function &function, Tells tells) {
    if (const Entry *exception = exceptionOf(plainName(function.getName())))
      tells = exception->tells;
    Tells &known = told[&function];
    if (tells <= known)
      return;
    known = tells;
    work.push_back(&function);
  }

  // What a function tells, its callers tell.
  void spread(const llvm::Function &function) {
    assert(of(function) != Tells::Nothing && "a function that tells nothing is not spread");
    for (const llvm::User *user : function.users())
      if (const auto *instruction = llvm::dyn_cast<llvm::Instruction>(user))
        note(*instruction->getFunction(), of(function));
  }

  llvm::DenseMap<const llvm::Function *, Tells> told;
  llvm::SmallVector<const llvm::Function *> work;
};

} // namespace

std::string tellingFunctions(const llvm::Module &library, std::string &error) {
  Finder finder;
  if (!finder.run(library, error))
    return {};
  std::map<std::string, Tells> names;
  for (const llvm::Function &function : library)
    if (!function.isDeclaration() && !function.hasLocalLinkage() && finder.of(function) != Tells::Nothing) {
      Tells &most = names[plainName(function.getName()).str()];
      most = std::max(most, finder.of(function));
    }
  std::string lines;
  for (const auto &[name, tells] : names)
    lines += "TELLING_FUNCTION(\"" + name + "\", " + (tells == Tells::SubGroups ? "SubGroups" : "WorkGroups") + ")\n";
  return lines;
}

} // namespace lanecl::builtins
