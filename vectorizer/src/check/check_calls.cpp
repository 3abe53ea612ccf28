// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A report is first a call of kReport, whose metadata names the function and the memory. Passes in between can move and
// copy it. After inlining placeReports() replaces it by the call of CheckRuntime, with a site that knows the source
// location.

#include "check/check_calls.h"

#include "analysis/functions/kept_functions.h"
#include "analysis/lane_target.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

constexpr StringLiteral kReport = "lanecl.check.report"; // a report that has no site yet
// A report that has no site yet, and that also passes the address of an abi::CheckObject.
constexpr StringLiteral kReportOfArgument = "lanecl.check.report.argument";
// A call of recordArrival() that has no site yet.
constexpr StringLiteral kArrival = "lanecl.check.arrival";
// The copies of pointers that createMark() and createArgumentMark() make.
constexpr StringLiteral kMark = "lanecl.check.object", kArgumentMark = "lanecl.check.argument";

Module &moduleOf(const IRBuilderBase &b) {
  return *b.GetInsertBlock()->getModule();
}

// Calls a primitive. Its result depends on which lanes are active at the call, so it is convergent.
CallInst *callPrimitive(IRBuilderBase &b, StringRef name, Type *result, ArrayRef<Value *> arguments = {}) {
  SmallVector<Type *, 2> types;
  for (Value *argument : arguments)
    types.push_back(argument->getType());
  FunctionCallee callee = moduleOf(b).getOrInsertFunction(name, FunctionType::get(result, types, false));
  auto *function = cast<Function>(callee.getCallee());
  function->setConvergent();
  function->setDoesNotThrow();
  return b.CreateCall(callee, arguments);
}

// Lets optimizations move, merge and hoist calls of this function like arithmetic.
void describePure(Function &function) {
  function.setDoesNotAccessMemory();
  function.setDoesNotThrow();
  function.setWillReturn();
  function.addFnAttr(Attribute::Speculatable);
}

CallInst *callPure(IRBuilderBase &b, StringRef name, Value *pointer) {
  Value *plain = b.CreateAddrSpaceCast(pointer, b.getPtrTy());
  FunctionCallee callee =
      moduleOf(b).getOrInsertFunction(name, FunctionType::get(b.getInt64Ty(), {b.getPtrTy()}, false));
  describePure(*cast<Function>(callee.getCallee()));
  return b.CreateCall(callee, {plain});
}

// Returns a function of the run time. It neither reads nor writes memory of the kernel, so checks do not keep the
// kernel's loads and stores from being optimized.
Function *reportFunction(Module &module, StringRef name, FunctionType *type) {
  auto *function = cast<Function>(module.getOrInsertFunction(name, type).getCallee());
  function->setDoesNotThrow();
  function->setWillReturn();
  function->setOnlyAccessesInaccessibleMemory();
  function->addFnAttr(Attribute::Cold); // spills then go to the cold path instead of surrounding it
  return function;
}

GlobalVariable *makeConstant(Module &module, Constant *value, const Twine &name) {
  auto *variable = new GlobalVariable(module, value->getType(), true, GlobalValue::PrivateLinkage, value, name);
  variable->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  return variable;
}

// Returns a constant with this text, which all uses of the same text share.
Constant *text(Module &module, StringRef value) {
  Constant *data = ConstantDataArray::getString(module.getContext(), value);
  const std::string name = "check.text." + utohexstr(xxh3_64bits(value));
  const GlobalVariable *known = module.getNamedGlobal(name);
  return known && known->getInitializer() == data ? module.getNamedGlobal(name) : makeConstant(module, data, name);
}

// Returns the path of the location's file. Clang splits the path of a file that has a folder in common with the current
// one: for ~/.cache/lanecl/sources/p.cl in ~/project, the directory is ~ and the rest is the name. Such a path is put
// together again. `program.cl`, which names no file, stays as it is.
std::string pathOf(const DILocation &location) {
  const StringRef name = location.getFilename(), folder = location.getDirectory();
  const DISubprogram *function = location.getScope()->getSubprogram();
  if (sys::path::is_absolute(name) || !function || !function->getUnit() ||
      folder == function->getUnit()->getDirectory())
    return name.str();
  SmallString<256> path(folder);
  sys::path::append(path, name);
  return path.str().str();
}

// Returns the text of CheckSite::calls for a location: one line for the function of the location, and one for each
// function that it was inlined into.
std::string callChain(const DILocation &location) {
  std::string chain;
  for (const DILocation *at = &location; at; at = at->getInlinedAt()) {
    const DISubprogram &function = *at->getScope()->getSubprogram();
    chain +=
        (function.getName() + " " + Twine(function.getLine()) + " " + pathOf(*at) + ":" + Twine(at->getLine()) + "\n")
            .str();
  }
  return chain;
}

std::string typeName(const Type &type) {
  std::string name;
  raw_string_ostream(name) << type;
  return name;
}

bool isCallOf(const Value &value, StringRef prefix) {
  const auto *call = dyn_cast<CallInst>(&value);
  return call && call->getCalledFunction() && call->getCalledFunction()->getName().starts_with(prefix);
}

// The contents of a report's metadata: the function whose rule is broken, and the memory.
struct Subject {
  std::string function;
  NamedMemory memory;
};

MDNode *asMetadata(LLVMContext &context, const Subject &subject) {
  const auto number = [&](uint64_t value) {
    return ConstantAsMetadata::get(ConstantInt::get(Type::getInt64Ty(context), value));
  };
  return MDNode::get(context, {MDString::get(context, subject.function), MDString::get(context, subject.memory.name),
                               number(uint64_t(subject.memory.kind)), number(subject.memory.bytes)});
}

Subject subjectOf(const CallInst &report) {
  const MDNode *node = report.getMetadata(kReport);
  if (!node)
    return {};
  const auto string = [&](unsigned i) { return cast<MDString>(node->getOperand(i))->getString().str(); };
  const auto number = [&](unsigned i) { return mdconst::extract<ConstantInt>(node->getOperand(i))->getZExtValue(); };
  return {string(0), {abi::CheckMemory(number(2)), string(1), number(3)}};
}

// Returns a constant variable with this value, which all uses of the same value share.
GlobalVariable *shared(Module &module, Constant *value, const Twine &name) {
  for (User *user : value->users())
    if (auto *known = dyn_cast<GlobalVariable>(user); known && known->getParent() == &module)
      return known;
  return makeConstant(module, value, name);
}

// Returns the address of an abi::CheckSite. Equal sites are shared: the accesses of an unrolled loop's iterations have
// one site.
Constant *makeSite(Module &module, uint32_t rule, const Subject &subject, const DILocation *location) {
  LLVMContext &context = module.getContext();
  Type *i32 = Type::getInt32Ty(context), *ptr = PointerType::get(context, 0), *i64 = Type::getInt64Ty(context);
  auto *type = StructType::get(context, {i32, i32, i32, i32, ptr, ptr, ptr, ptr, i64});
  const auto number = [&](uint32_t value) { return ConstantInt::get(i32, value); };
  Constant *value = ConstantStruct::get(
      type, {number(rule), number(location ? location->getLine() : 0), number(location ? location->getColumn() : 0),
             number(uint32_t(subject.memory.kind)), text(module, location ? pathOf(*location) : ""),
             text(module, subject.function), text(module, location ? callChain(*location) : ""),
             text(module, subject.memory.name), ConstantInt::get(i64, subject.memory.bytes)});
  static_assert(offsetof(abi::CheckSite, file) == 16 && sizeof(abi::CheckSite) == 56);
  return shared(module, value, "check.site");
}

// Replaces a report by the call of CheckRuntime::found or found_in_call.
void place(CallInst &report, Value *own_call) {
  assert((report.arg_size() == 3 || (report.arg_size() == 4 && own_call)) && "a passed object belongs to a call");
  Module &module = *report.getModule();
  IRBuilder<> b(&report);
  Constant *site = makeSite(module, uint32_t(cast<ConstantInt>(report.getArgOperand(0))->getZExtValue()),
                            subjectOf(report), report.getDebugLoc().get());
  Type *i64 = b.getInt64Ty(), *i32 = b.getInt32Ty();
  Value *sub_group = callPrimitive(b, "__lanecl_sub_group_id", i32);
  Value *group = callPrimitive(b, "__lanecl_group_id", i64, {b.getInt32(0)});
  SmallVector<Type *> types{b.getPtrTy(), i64, i32, i32, i64, i64, i64};
  if (own_call)
    types.append({own_call->getType(), i64});
  Function *callee = reportFunction(module, own_call ? kCheckFoundInCall : kCheckFound,
                                    FunctionType::get(b.getVoidTy(), types, false));
  SmallVector<Value *> arguments{site,  createActiveMask(b),     createLaneId(b),        sub_group,
                                 group, report.getArgOperand(1), report.getArgOperand(2)};
  if (own_call)
    arguments.append({own_call, report.arg_size() > 3 ? report.getArgOperand(3) : b.getInt64(0)});
  CallInst *found = b.CreateCall(callee, arguments);
  found->setDebugLoc(report.getDebugLoc());
  report.eraseFromParent();
}

// Replaces an arrival by the call of CheckRuntime::reached. Only one lane gets here, see recordArrival().
void placeArrival(CallInst &arrival) {
  Module &module = *arrival.getModule();
  IRBuilder<> b(&arrival);
  Constant *site =
      makeSite(module, uint32_t(abi::CheckRule::WholeWorkGroup), subjectOf(arrival), arrival.getDebugLoc().get());
  Type *i64 = b.getInt64Ty(), *i32 = b.getInt32Ty();
  Value *sub_group = callPrimitive(b, "__lanecl_sub_group_id", i32);
  Value *sub_groups = callPrimitive(b, "__lanecl_num_sub_groups", i32);
  Value *group = callPrimitive(b, "__lanecl_group_id", i64, {b.getInt32(0)});
  auto *type = FunctionType::get(b.getVoidTy(), {b.getPtrTy(), i64, i32, i32, i64, i64}, false);
  CallInst *reached =
      b.CreateCall(reportFunction(module, kCheckReached, type),
                   {site, arrival.getArgOperand(0), sub_group, sub_groups, group, arrival.getArgOperand(1)});
  reached->setDebugLoc(arrival.getDebugLoc());
  arrival.eraseFromParent();
}

// Returns the function's name in OpenCL C, "sub_group_reduce_add" for "_Z20sub_group_reduce_addi"; empty if the
// callee's name is not mangled.
StringRef functionName(const CallBase &call) {
  StringRef name = call.getCalledFunction() ? call.getCalledFunction()->getName() : "";
  uint64_t length = 0;
  if (!name.consume_front("_Z") || name.consumeInteger(10, length))
    return "";
  return name.take_front(length);
}

} // namespace

SmallVector<std::pair<CallBase *, StringRef>> findCalls(Function &function, function_ref<bool(StringRef)> is_wanted) {
  SmallVector<std::pair<CallBase *, StringRef>> calls;
  for (Instruction &instruction : instructions(function)) {
    auto *call = dyn_cast<CallBase>(&instruction);
    const StringRef name = call && call->getDebugLoc() ? functionName(*call) : "";
    if (!name.empty() && is_wanted(name))
      calls.emplace_back(call, name);
  }
  return calls;
}

bool beginsWithAny(StringRef name, std::initializer_list<StringRef> prefixes) {
  return any_of(prefixes, [&](StringRef prefix) { return name.starts_with(prefix); });
}

bool isCheckCall(const Function &callee) {
  return callee.getName().starts_with("lanecl.check.");
}

Value *createExistingMask(IRBuilderBase &b) {
  Value *count = b.CreateZExt(createSubGroupSize(b), b.getInt64Ty());
  return b.CreateLShr(b.getInt64(~uint64_t(0)), b.CreateSub(b.getInt64(64), count));
}

Value *createLaneId(IRBuilderBase &b) {
  return callPrimitive(b, "__lanecl_lane_id", b.getInt32Ty());
}

Value *createActiveMask(IRBuilderBase &b) {
  return callPrimitive(b, "__lanecl_active_mask", b.getInt64Ty());
}

Value *createSubGroupSize(IRBuilderBase &b) {
  return callPrimitive(b, "__lanecl_sub_group_size", b.getInt32Ty());
}

Value *createWidth(IRBuilderBase &b) {
  return callPrimitive(b, "__lanecl_width", b.getInt32Ty());
}

Value *createFirstLanes(IRBuilderBase &b, Value *value) {
  const bool is_long = value->getType()->isIntegerTy(64);
  assert((is_long || value->getType()->isIntegerTy(32)) && "the built-in library has the function for these types");
  return callPrimitive(b, is_long ? "_Z24__lanecl_broadcast_firstm" : "_Z24__lanecl_broadcast_firstj", value->getType(),
                       {value});
}

Value *createMemoryBegin(IRBuilderBase &b, Value *pointer) {
  return callPure(b, kCheckBegin, pointer);
}

Value *createMemoryEnd(IRBuilderBase &b, Value *pointer, bool of_writes) {
  return callPure(b, of_writes ? kCheckWriteEnd : kCheckReadEnd, pointer);
}

void reportIf(Value *broken, Instruction &at, abi::CheckRule rule, StringRef function, Value *value, Value *other,
              const NamedMemory &memory, const DebugLoc &place, Value *object) {
  assert(broken->getType()->isIntegerTy(1) && !isa<PHINode>(at) && "a condition, and a place to branch");
  Instruction *then = SplitBlockAndInsertIfThen(broken, at.getIterator(), /*Unreachable=*/false);
  IRBuilder<> b(then);
  b.SetCurrentDebugLocation(place ? place : at.getDebugLoc());
  Type *i64 = b.getInt64Ty();
  SmallVector<Type *, 4> types{b.getInt32Ty(), i64, i64};
  SmallVector<Value *, 4> arguments{b.getInt32(static_cast<uint32_t>(rule)), b.CreateZExtOrTrunc(value, i64),
                                    b.CreateZExtOrTrunc(other, i64)};
  if (object) {
    types.push_back(i64);
    arguments.push_back(object);
  }
  CallInst *report = b.CreateCall(reportFunction(*at.getModule(), object ? kReportOfArgument : kReport,
                                                 FunctionType::get(b.getVoidTy(), types, false)),
                                  arguments);
  report->addFnAttr(Attribute::NoMerge); // each report has its own source location
  report->setMetadata(kReport, asMetadata(at.getContext(), {function.str(), memory}));
}

Value *createUnwritten(IRBuilderBase &b, Type *type, uint64_t number, StringRef variable) {
  FunctionCallee callee = moduleOf(b).getOrInsertFunction((kCheckUnwritten + "." + typeName(*type)).str(),
                                                          FunctionType::get(type, {b.getInt64Ty()}, false));
  auto *function = cast<Function>(callee.getCallee());
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  CallInst *value = b.CreateCall(callee, {b.getInt64(number)});
  value->setMetadata(kReport, asMetadata(b.getContext(), {"", {.name = variable.str()}}));
  return value;
}

std::string variableOf(const CallInst &unwritten) {
  return subjectOf(unwritten).memory.name;
}

bool isUnwritten(const Value &value) {
  return isCallOf(value, kCheckUnwritten);
}

void tellDecision(Instruction &at, Value *value, StringRef function) {
  IRBuilder<> b(&at);
  auto *type = FunctionType::get(b.getVoidTy(), {value->getType()}, false);
  CallInst *decision = b.CreateCall(
      reportFunction(*at.getModule(), (kCheckDecides + "." + typeName(*value->getType())).str(), type), {value});
  decision->addFnAttr(Attribute::NoMerge);
  decision->setMetadata(kReport, asMetadata(at.getContext(), {function.str(), {}}));
}

std::optional<std::string> decisionOf(const Instruction &instruction) {
  return isCallOf(instruction, kCheckDecides) ? std::optional(subjectOf(cast<CallInst>(instruction)).function)
                                              : std::nullopt;
}

Value *createShadowBase(IRBuilderBase &b) {
  FunctionCallee callee =
      moduleOf(b).getOrInsertFunction("lanecl.check.shadow", FunctionType::get(b.getInt64Ty(), false));
  describePure(*cast<Function>(callee.getCallee()));
  return b.CreateCall(callee);
}

void recordArrival(Instruction &at, StringRef function, Value *arguments) {
  IRBuilder<> b(&at);
  Type *i64 = b.getInt64Ty();
  Value *lanes = createActiveMask(b);
  // The first active lane records the arrival. It is found by the lowest set bit of the mask, in 64 bits, because a
  // lane's number has only 32 and cannot be compared with the mask.
  Value *own = b.CreateShl(b.getInt64(1), b.CreateZExt(createLaneId(b), i64));
  Value *is_first = b.CreateICmpEQ(b.CreateAnd(lanes, b.CreateNeg(lanes)), own);
  b.SetInsertPoint(SplitBlockAndInsertIfThen(is_first, at.getIterator(), /*Unreachable=*/false));
  b.SetCurrentDebugLocation(at.getDebugLoc());
  auto *type = FunctionType::get(b.getVoidTy(), {i64, i64}, false);
  CallInst *arrival = b.CreateCall(reportFunction(*at.getModule(), kArrival, type), {lanes, arguments});
  arrival->addFnAttr(Attribute::NoMerge);
  arrival->setMetadata(kReport, asMetadata(at.getContext(), {function.str(), {}}));
}

Value *createMark(IRBuilderBase &b, Value *pointer, const NamedMemory &memory) {
  Module &module = moduleOf(b);
  Type *type = pointer->getType(), *ptr = b.getPtrTy(), *i64 = b.getInt64Ty(), *i32 = b.getInt32Ty();
  const std::string name = (kMark + "." + Twine(type->getPointerAddressSpace())).str();
  FunctionCallee callee = module.getOrInsertFunction(name, FunctionType::get(type, {type, ptr, i64, i32}, false));
  describePure(*cast<Function>(callee.getCallee()));
  return b.CreateCall(
      callee, {pointer, text(module, memory.name), b.getInt64(memory.bytes), b.getInt32(uint32_t(memory.kind))});
}

static void tell(Instruction &at, StringRef name, ArrayRef<Value *> arguments) {
  SmallVector<Type *, 8> types;
  for (Value *argument : arguments)
    types.push_back(argument->getType());
  IRBuilder<> b(&at);
  auto *type = FunctionType::get(b.getVoidTy(), types, false);
  b.CreateCall(reportFunction(*at.getModule(), name, type), arguments)->addFnAttr(Attribute::NoMerge);
}

void recordAccess(IRBuilderBase &b, Instruction &access, Value *pointer, Value *bytes, uint32_t kind, Value *value,
                  const NamedMemory &memory, Value *object) {
  Constant *site = makeSite(*access.getModule(), uint32_t(abi::CheckRule::Race),
                            {(kind & abi::kWriteAccess) != 0 ? "write" : "read", memory}, access.getDebugLoc().get());
  Value *sub_group = callPrimitive(b, "__lanecl_sub_group_id", b.getInt32Ty());
  Value *group = callPrimitive(b, "__lanecl_group_id", b.getInt64Ty(), {b.getInt32(0)});
  Value *address = b.CreatePtrToInt(pointer, b.getInt64Ty());
  SmallVector<Value *> arguments{site, address, bytes, value, b.getInt32(kind), sub_group, group};
  const bool is_in_call = isKept(*access.getFunction());
  if (is_in_call) // place-reports fills in the call later
    arguments.append({object ? object : b.getInt64(0), ConstantPointerNull::get(b.getPtrTy(kConstant))});
  tell(*b.GetInsertPoint(), is_in_call ? kLaneAccessInCall : kLaneAccess, arguments);
}

void recordBarrier(Instruction &barrier, bool of_work_group, Value *flags) {
  IRBuilder<> b(&barrier);
  Value *sub_group = callPrimitive(b, "__lanecl_sub_group_id", b.getInt32Ty());
  tell(barrier, kLaneBarrier, {sub_group, b.getInt32(of_work_group), b.CreateZExtOrTrunc(flags, b.getInt32Ty())});
}

void recordFence(Instruction &instruction) {
  tell(instruction, kLaneFence, {});
}

static const CallInst *asMark(const Value &value) {
  const auto *call = dyn_cast<CallInst>(&value);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName().starts_with(kMark) ? call : nullptr;
}

std::optional<NamedMemory> marked(const Value &value) {
  const CallInst *mark = asMark(value);
  if (!mark)
    return std::nullopt;
  const auto number = [&](unsigned i) { return cast<ConstantInt>(mark->getArgOperand(i))->getZExtValue(); };
  // LLVM turns the empty string into zeros that are no array of data.
  const auto *name = dyn_cast<ConstantDataArray>(cast<GlobalVariable>(mark->getArgOperand(1))->getInitializer());
  return NamedMemory{abi::CheckMemory(number(3)), name ? name->getAsCString().str() : "", number(2)};
}

Value *createArgumentMark(IRBuilderBase &b, Value *pointer, const ArgumentMemory &memory) {
  Type *type = pointer->getType(), *i64 = b.getInt64Ty();
  assert(memory.begin->getType()->isIntegerTy(64) && memory.bytes->getType()->isIntegerTy(64) &&
         memory.object->getType()->isIntegerTy(64) && "addresses and sizes as numbers");
  const std::string name = (kArgumentMark + "." + Twine(type->getPointerAddressSpace())).str();
  FunctionCallee callee = moduleOf(b).getOrInsertFunction(name, FunctionType::get(type, {type, i64, i64, i64}, false));
  describePure(*cast<Function>(callee.getCallee()));
  return b.CreateCall(callee, {pointer, memory.begin, memory.bytes, memory.object});
}

std::optional<ArgumentMemory> argumentMemory(const Value &value) {
  if (!isCallOf(value, kArgumentMark))
    return std::nullopt;
  const auto &call = cast<CallInst>(value);
  return ArgumentMemory{call.getArgOperand(1), call.getArgOperand(2), call.getArgOperand(3)};
}

Constant *createObject(Module &module, const NamedMemory &memory) {
  LLVMContext &context = module.getContext();
  Type *i64 = Type::getInt64Ty(context);
  if (memory.kind == abi::CheckMemory::Unknown)
    return ConstantInt::get(i64, 0);
  auto *kind = ConstantInt::get(Type::getInt32Ty(context), uint64_t(memory.kind));
  auto *type = StructType::get(context, {kind->getType(), PointerType::get(context, 0), i64});
  static_assert(offsetof(abi::CheckObject, name) == 8 && offsetof(abi::CheckObject, bytes) == 16);
  Constant *value = ConstantStruct::get(type, {kind, text(module, memory.name), ConstantInt::get(i64, memory.bytes)});
  return ConstantExpr::getPtrToInt(shared(module, value, "check.object"), i64);
}

void removeMarks(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (asMark(instruction) != nullptr || argumentMemory(instruction)) {
      instruction.replaceAllUsesWith(cast<CallInst>(instruction).getArgOperand(0));
      instruction.eraseFromParent();
    }
}

Value *createCheckCall(CallBase &call, Value *own_call) {
  Module &module = *call.getModule();
  IRBuilder<> b(&call);
  Type *ptr = b.getPtrTy(), *fields = b.getPtrTy(kConstant);
  FunctionCallee callee = module.getOrInsertFunction(kCheckCall, FunctionType::get(fields, {ptr, fields}, false));
  describePure(*cast<Function>(callee.getCallee()));
  const DILocation *location = call.getDebugLoc().get();
  return b.CreateCall(callee, {text(module, location ? callChain(*location) : ""),
                               own_call ? own_call : ConstantPointerNull::get(b.getPtrTy(kConstant))});
}

void placeReports(Function &function, Value *own_call) {
  SmallVector<CallInst *> reports, arrivals;
  for (Instruction &instruction : instructions(function)) {
    auto *call = dyn_cast<CallInst>(&instruction);
    const StringRef name = call && call->getCalledFunction() ? call->getCalledFunction()->getName() : "";
    if (name == kReport || name == kReportOfArgument)
      reports.push_back(call);
    else if (name == kLaneAccessInCall) {
      assert(own_call != nullptr && "only kept functions tell accesses in calls");
      call->setArgOperand(call->arg_size() - 1, own_call);
    } else if (name == kArrival)
      arrivals.push_back(call);
  }
  for (CallInst *report : reports)
    place(*report, own_call);
  for (CallInst *arrival : arrivals)
    placeArrival(*arrival);
}

} // namespace lanecl::vectorizer
