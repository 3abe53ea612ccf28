// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Functions whose code is generated apart from the kernel's, once for all kernels.
#include "codegen/function_objects.h"
#include "codegen/jit.h"
#include "codegen/target_machine.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"

#include <catch2/catch.hpp>
#include <set>

using namespace lanecl::vectorizer;

namespace {

// A kernel that calls three kept functions. `large` looks up its argument in a table and calls `inner`; `counts` has a
// variable that exists once, which the kernel's result contains too. Each of these two has at least 20 instructions.
struct Text {
  std::string table = "i32 2, i32 3, i32 5, i32 7";
  std::string name = "x";             // of a value of `large`
  std::string step = "add i32 %a, 1"; // the last instruction of `large` before it returns
  std::string declarations = "declare i32 @llvm.abs.i32(i32, i1)\ndeclare i32 @llvm.bitreverse.i32(i32)\n";
  std::string kernel = "%s = add i32 %p, %q";
  bool is_named = false; // whether the table's address matters

  std::string ir() const {
    std::string filling;
    for (int i = 0; i < 20; ++i)
      filling += "  %f" + std::to_string(i) + " = add i32 %" + (i == 0 ? "own" : "f" + std::to_string(i - 1)) + ", 3\n";
    return "@table = internal " + std::string(is_named ? "" : "unnamed_addr ") + "constant [4 x i32] [" + table +
           "]\n@once = internal global i32 5\n" + declarations + R"(
define internal i32 @inner(i32 %x) "lanecl-kept" {
  %r = call i32 @llvm.abs.i32(i32 %x, i1 false)
  ret i32 %r
}
define internal i32 @large(i32 %)" +
           name + R"() "lanecl-kept" {
  %low = and i32 %)" +
           name + R"(, 3
  %at = getelementptr i32, ptr @table, i32 %low
  %entry = load i32, ptr %at
  %own = call i32 @inner(i32 %entry)
)" + filling +
           R"(  %b = call i32 @llvm.bitreverse.i32(i32 %f19)
  %a = call i32 @llvm.bitreverse.i32(i32 %b)
  %last = )" +
           step + R"(
  ret i32 %last
}
define internal i32 @counts(i32 %own) "lanecl-kept" {
)" + filling +
           R"(  %old = load i32, ptr @once
  %new = add i32 %old, %f19
  store i32 %new, ptr @once
  ret i32 %new
}
define i32 @k(i32 %x) {
  %p = call i32 @large(i32 %x)
  %q = call i32 @counts(i32 %x)
  )" + kernel +
           R"(
  %counted = load i32, ptr @once
  %thousands = mul i32 %counted, 1000
  %r = add i32 %s, %thousands
  ret i32 %r
}
)";
  }
};

std::unique_ptr<llvm::Module> parse(const Text &text, llvm::LLVMContext &context) {
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssemblyString(text.ir(), diagnostic, context);
  INFO(diagnostic.getMessage().str());
  REQUIRE(module);
  return module;
}

// Returns the key of `large`.
std::string keyOfLarge(const Text &text) {
  llvm::LLVMContext context;
  const auto module = parse(text, context);
  const auto parts = moveFunctionsOut(*module, 20);
  REQUIRE(parts.size() == 2);
  return keyOf(*parts[0]);
}

FunctionObject objectOf(const std::string &name, size_t bytes, const std::string &error = {}) {
  FunctionObject object;
  object.name = name;
  object.code.bytes.assign(bytes, 'x');
  object.code.error = error;
  return object;
}

} // namespace

TEST_CASE("a function with its own object is called, and calls back", "[functions]") {
  const bool is_named = GENERATE(false, true); // a copied table, and one that the kernel's object publishes
  std::string error;
  const auto target = createTargetMachine(chooseProcessor({}), /*optimize=*/true, error);
  REQUIRE(target);
  llvm::LLVMContext context;
  const auto module = parse({.is_named = is_named}, context);
  module->setDataLayout(target->createDataLayout());
  module->setTargetTriple(target->getTargetTriple());
  const auto parts = moveFunctionsOut(*module, 20);
  REQUIRE(parts.size() == 2); // not `inner`, which is small
  CHECK(parts[0]->getModuleIdentifier() == "large");
  CHECK(parts[1]->getModuleIdentifier() == "counts");
  CHECK(parts[0]->getNamedGlobal("table")->isDeclaration() == is_named);
  CHECK(parts[1]->getNamedGlobal("once")->isDeclaration());
  CHECK(module->getFunction("large")->isDeclaration());
  CHECK_FALSE(llvm::verifyModule(*module));
  std::vector<CodeObject> objects;
  const auto add = [&](llvm::Module &part, const char *symbol) {
    CHECK_FALSE(llvm::verifyModule(part));
    const Emitted code = emit(part, *target, llvm::CodeGenFileType::ObjectFile);
    REQUIRE(code.error.empty());
    objects.push_back({llvm::MemoryBuffer::getMemBufferCopy(code.bytes), symbol});
  };
  add(*module, "k");
  add(*parts[0], "large");
  add(*parts[1], "counts");
  const auto jit = llvm::cantFail(Jit::create(Profiler::None));
  const auto code = llvm::cantFail(jit->load(std::move(objects), false));
  auto *kernel = reinterpret_cast<int (*)(int)>(code->address());
  CHECK(kernel(1) == (3 + 60 + 1) + 66 + 66'000); // `once` was 5, and is 5 + 1 + 60
  CHECK(kernel(6) == (5 + 60 + 1) + 132 + 132'000);
  CHECK(reinterpret_cast<int (*)(int)>(code->address(1))(3) == 7 + 60 + 1);
}

TEST_CASE("small functions stay where they are", "[functions]") {
  llvm::LLVMContext context;
  const auto module = parse({}, context);
  CHECK(moveFunctionsOut(*module, 1000).empty());
  CHECK(module->getFunction("large")->hasLocalLinkage());
}

TEST_CASE("the key of a function says all that its code depends on, and nothing else", "[functions]") {
  const std::string key = keyOfLarge({});
  CHECK(keyOfLarge({.name = "y"}) == key);
  CHECK(keyOfLarge({.declarations = "declare i32 @llvm.bitreverse.i32(i32)\ndeclare i32 @llvm.abs.i32(i32, i1)\n"}) ==
        key);
  CHECK(keyOfLarge({.kernel = "%s = mul i32 %p, %q"}) == key);
  const std::set<std::string> keys{key, keyOfLarge({.table = "i32 2, i32 3, i32 5, i32 8"}),
                                   keyOfLarge({.step = "add i32 %a, 2"}), keyOfLarge({.step = "add nsw i32 %a, 1"}),
                                   keyOfLarge({.step = "sub i32 %a, 1"})};
  CHECK(keys.size() == 5);
}

TEST_CASE("kernels with other tables share the code that finds them by name", "[functions]") {
  CHECK(keyOfLarge({.table = "i32 2, i32 3, i32 5, i32 8", .is_named = true}) == keyOfLarge({.is_named = true}));
  CHECK(keyOfLarge({.is_named = true}) != keyOfLarge({}));
}

TEST_CASE("an object is made once, and the oldest ones go when there is no room", "[functions]") {
  FunctionObjects objects(100);
  unsigned made = 0;
  const auto get = [&](const std::string &key, size_t bytes) {
    return objects.get(key, [&] {
      ++made;
      return objectOf("object " + key, bytes);
    });
  };
  const auto first = get("a", 40);
  CHECK(get("a", 40) == first);
  CHECK(made == 1);
  CHECK(get("b", 40)->name == "object b");
  CHECK(objects.count() == 2);
  CHECK(get("c", 40)->name == "object c"); // the first one goes
  CHECK(objects.count() == 2);
  CHECK(first->code.bytes.size() == 40); // who has it keeps it
  CHECK(get("b", 40)->name == "object b");
  CHECK(made == 3);
  CHECK(get("a", 40) != first);
  CHECK(made == 4);
  CHECK(get("large", 101)->code.bytes.size() == 101); // has room nowhere
  CHECK(objects.count() == 0);
}

TEST_CASE("an object with an error is not kept", "[functions]") {
  FunctionObjects objects(100);
  const auto fail = [] { return objectOf("f", 1, "error: no"); };
  CHECK(objects.get("f", fail)->code.error == "error: no");
  CHECK(objects.count() == 0);
  CHECK(objects.get("f", [] { return objectOf("f", 1); })->code.error.empty());
  CHECK(objects.count() == 1);
}
