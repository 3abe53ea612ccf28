// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "revealing_functions.h"

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
enum class Reveals { Nothing, WorkGroups, SubGroups };

struct Entry {
  llvm::StringLiteral name;
  Reveals tells;
};

constexpr Entry kPrimitives[] = {
#define PRIMITIVE(Enumerator, name, Result, Class, Kind) {name, Reveals::Kind},
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
    {"get_global_linear_id", Reveals::Nothing},
    {"__read_pipe_2", Reveals::Nothing},
    {"__write_pipe_2", Reveals::Nothing},
    {"get_local_linear_id", Reveals::WorkGroups},
    {"async_work_group_", Reveals::WorkGroups},
    {"work_group_all", Reveals::WorkGroups},
    {"work_group_any", Reveals::WorkGroups},
    {"work_group_reduce_", Reveals::WorkGroups},
    {"work_group_scan_", Reveals::WorkGroups},
    {"intel_sub_group_block_prefetch_", Reveals::SubGroups},
    {"intel_work_group_barrier_arrive", Reveals::WorkGroups},
};

const Entry *exceptionOf(llvm::StringRef name) {
  const Entry *const found = llvm::find_if(kExceptions, [&](const Entry &entry) {
    return entry.name.ends_with("_") ? name.starts_with(entry.name) : name == entry.name;
  });
  return found == std::end(kExceptions) ? nullptr : found;
}

// Returns what a primitive tells, or nothing for an unknown one. Some names end in types: block_read_ui8.
std::optional<Reveals> ofPrimitive(llvm::StringRef name) {
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
      note(function, Reveals::Nothing);
      if (const llvm::StringRef primitive = primitiveName(function); function.isDeclaration() && !primitive.empty()) {
        const std::optional<Reveals> tells = ofPrimitive(primitive);
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

  Reveals of(const llvm::Function &function) const { return told.lookup(&function); }

private:
  void note(const llvm::Function &function, Reveals tells) {
    if (const Entry *exception = exceptionOf(plainName(function.getName())))
      tells = exception->tells;
    Reveals &known = told[&function];
    if (tells <= known)
      return;
    known = tells;
    work.push_back(&function);
  }

  // What a function tells, its callers tell.
  void spread(const llvm::Function &function) {
    assert(of(function) != Reveals::Nothing && "a function that tells nothing is not spread");
    for (const llvm::User *user : function.users())
      if (const auto *instruction = llvm::dyn_cast<llvm::Instruction>(user))
        note(*instruction->getFunction(), of(function));
  }

  llvm::DenseMap<const llvm::Function *, Reveals> told;
  llvm::SmallVector<const llvm::Function *> work;
};

} // namespace

std::string revealingFunctions(const llvm::Module &library, std::string &error) {
  Finder finder;
  if (!finder.run(library, error))
    return {};
  std::map<std::string, Reveals> names;
  for (const llvm::Function &function : library)
    if (!function.isDeclaration() && !function.hasLocalLinkage() && finder.of(function) != Reveals::Nothing) {
      Reveals &most = names[plainName(function.getName()).str()];
      most = std::max(most, finder.of(function));
    }
  std::string lines;
  for (const auto &[name, tells] : names)
    lines += "TELLING_FUNCTION(\"" + name + "\", " + (tells == Reveals::SubGroups ? "SubGroups" : "WorkGroups") + ")\n";
  return lines;
}

} // namespace lanecl::builtins
