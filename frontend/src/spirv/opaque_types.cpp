#include "spirv/opaque_types.h"

#include "program/finish_module.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace lanecl::frontend::spirv {
namespace {

using namespace llvm;

// Of "image2d_array_depth" and an access of SPIR-V's numbering; null when there is no such image.
Type *imageType(LLVMContext &context, StringRef name, unsigned access) {
  if (!name.consume_front("image"))
    return nullptr;
  unsigned dimension = name.starts_with("1d") ? 0 : name.starts_with("2d") ? 1 : 2;
  if (name.contains("_buffer"))
    dimension = 5;
  return TargetExtType::get(context, "spirv.Image", {Type::getVoidTy(context)},
                            {dimension, name.contains("_depth"), name.contains("_array"), 0, 0, 0, access});
}

unsigned accessNumber(StringRef access) {
  return access.starts_with("w") ? 1 : access == "rw" || access == "read_write" ? 2 : 0;
}

Type *pipeType(LLVMContext &context, bool written) {
  return TargetExtType::get(context, "spirv.Pipe", {}, {written});
}

// Of "ocl_image2d_ro", "ocl_sampler", "ocl_event" or "ocl_reserveid"; null for all else.
Type *typeOfMangled(LLVMContext &context, StringRef name) {
  if (!name.consume_front("ocl_"))
    return nullptr;
  if (name == "sampler")
    return TargetExtType::get(context, "spirv.Sampler");
  if (name == "event")
    return TargetExtType::get(context, "spirv.Event");
  if (name == "reserveid")
    return TargetExtType::get(context, "spirv.ReserveId");
  const auto [image, access] = name.rsplit('_');
  return imageType(context, image, accessNumber(access));
}

// Of an argument as the kernel's metadata names it.
Type *typeOfArgument(LLVMContext &context, StringRef name, StringRef access) {
  if (name == "sampler_t")
    return TargetExtType::get(context, "spirv.Sampler");
  if (name == "pipe")
    return pipeType(context, accessNumber(access) == 1);
  return name.consume_back("_t") ? imageType(context, name, accessNumber(access)) : nullptr;
}

// The parameters in a mangled name, one after the other.
class MangledParameters {
public:
  explicit MangledParameters(StringRef name) : rest(name) {
    if (!rest.consume_front("_Z") || !takeName())
      rest = {};
  }

  bool atEnd() const { return rest.empty(); }

  // The name of the next one when it is passed by value and has one, else an empty string.
  StringRef next() {
    bool is_pointer = false;
    while (!rest.empty()) {
      if (rest.consume_front("U")) {
        takeName();
      } else if (rest.consume_front("Dv")) {
        rest = rest.drop_while(isDigit);
        rest.consume_front("_");
      } else if (rest.consume_front("S")) {
        rest = rest.drop_until([](char c) { return c == '_'; }).drop_front();
        return {};
      } else if (rest.consume_front("Dh")) {
        return {};
      } else if (isDigit(rest.front())) {
        const std::optional<StringRef> name = takeName();
        return name && !is_pointer ? *name : StringRef();
      } else {
        const char c = rest.front();
        rest = rest.drop_front();
        is_pointer |= c == 'P';
        if (!StringRef("PKVr").contains(c))
          return {};
      }
    }
    return {};
  }

private:
  std::optional<StringRef> takeName() {
    size_t length = 0;
    if (rest.consumeInteger(10, length) || length > rest.size()) {
      rest = {};
      return std::nullopt;
    }
    const StringRef name = rest.take_front(length);
    rest = rest.drop_front(length);
    return name;
  }

  StringRef rest;
};

class Restorer {
public:
  explicit Restorer(Module &module) : module(module), context(module.getContext()) {}

  void run() {
    for (Function &function : module) {
      dropIdleCasts(function);
      seed(function);
    }
    do {
      changed = false;
      for (Function &function : module)
        for (Instruction &instruction : instructions(function))
          propagate(instruction);
    } while (changed);
    if (!types.empty())
      rewrite();
  }

private:
  // Casts between pointer types, of which there is one now.
  static void dropIdleCasts(Function &function) {
    for (Instruction &instruction : make_early_inc_range(instructions(function)))
      if (isa<BitCastInst>(instruction) && instruction.getType() == instruction.getOperand(0)->getType()) {
        instruction.replaceAllUsesWith(instruction.getOperand(0));
        instruction.eraseFromParent();
      }
  }

  Type *of(const Value *value) const { return types.lookup(value); }

  void note(const Value *value, Type *type) {
    if (!type || isa<Constant>(value) || !value->getType()->isPointerTy())
      return;
    changed |= types.try_emplace(value, type).second;
  }
  void noteResult(const Function *function, Type *type) {
    if (type)
      changed |= results.try_emplace(function, type).second;
  }

  void seed(Function &function) {
    if (isKernel(function))
      return seedKernel(function);
    if (!function.isDeclaration())
      return;
    MangledParameters parameters(function.getName());
    for (Argument &argument : function.args())
      if (!parameters.atEnd())
        note(&argument, typeOfMangled(context, parameters.next()));
    if (function.getName().contains("async_work_group_"))
      noteResult(&function, TargetExtType::get(context, "spirv.Event"));
    if (function.getName() == "__translate_sampler_initializer")
      noteResult(&function, TargetExtType::get(context, "spirv.Sampler"));
    seedPipeFunction(function);
  }

  // The names of these are not mangled, but each says what its parameters are.
  void seedPipeFunction(Function &function) {
    const StringRef name = function.getName();
    if (!name.starts_with("__") || !name.contains("_pipe") || asksPipe(function) || function.arg_size() < 3)
      return;
    Type *id = TargetExtType::get(context, "spirv.ReserveId");
    note(function.getArg(0), pipeType(context, name.contains("write")));
    if (name.contains("reserve_"))
      noteResult(&function, id);
    else if (name.contains("commit_") || name.ends_with("_4"))
      note(function.getArg(1), id);
  }

  // The translator gives one name to the functions for pipes that are read and those that are written.
  static bool asksPipe(const Function &function) { return function.getName().starts_with("__get_pipe_"); }

  void seedKernel(Function &kernel) {
    const MDNode *names = kernel.getMetadata("kernel_arg_base_type");
    const MDNode *accesses = kernel.getMetadata("kernel_arg_access_qual");
    const auto text = [](const MDNode *node, unsigned index) {
      const auto *string =
          node && index < node->getNumOperands() ? dyn_cast<MDString>(node->getOperand(index)) : nullptr;
      return string ? string->getString() : StringRef();
    };
    for (Argument &argument : kernel.args())
      note(&argument, typeOfArgument(context, text(names, argument.getArgNo()), text(accesses, argument.getArgNo())));
  }

  // What one value says about those that it is made of, and they about it.
  void propagate(Instruction &instruction) {
    if (auto *phi = dyn_cast<PHINode>(&instruction)) {
      for (Value *value : phi->incoming_values())
        unify(phi, value);
    } else if (auto *select = dyn_cast<SelectInst>(&instruction)) {
      unify(select, select->getTrueValue());
      unify(select, select->getFalseValue());
    } else if (auto *load = dyn_cast<LoadInst>(&instruction)) {
      unifyMemory(load->getPointerOperand(), load);
    } else if (auto *store = dyn_cast<StoreInst>(&instruction)) {
      unifyMemory(store->getPointerOperand(), store->getValueOperand());
    } else if (auto *call = dyn_cast<CallInst>(&instruction)) {
      propagateCall(*call);
    } else if (auto *end = dyn_cast<ReturnInst>(&instruction); end && end->getReturnValue()) {
      noteResult(end->getFunction(), of(end->getReturnValue()));
      note(end->getReturnValue(), results.lookup(end->getFunction()));
    }
  }

  void unify(Value *a, Value *b) {
    note(a, of(b));
    note(b, of(a));
  }

  // A private variable, and what is read from it and written to it.
  void unifyMemory(Value *pointer, Value *value) {
    auto *variable = dyn_cast<AllocaInst>(pointer->stripInBoundsOffsets());
    if (!variable || !value->getType()->isPointerTy())
      return;
    if (Type *type = of(value))
      changed |= contents.try_emplace(variable, type).second;
    note(value, contents.lookup(variable));
  }

  void propagateCall(CallInst &call) {
    Function *callee = call.getCalledFunction();
    if (!callee || callee->isIntrinsic())
      return;
    if (asksPipe(*callee))
      return;
    for (Argument &parameter : callee->args())
      if (parameter.getArgNo() < call.arg_size())
        unify(&parameter, call.getArgOperand(parameter.getArgNo()));
    note(&call, results.lookup(callee));
    if (!callee->isDeclaration())
      noteResult(callee, of(&call));
  }

  void rewrite() {
    SmallVector<Function *> functions;
    for (Function &function : module)
      functions.push_back(&function);
    for (Function *function : functions)
      if (!function->isIntrinsic())
        changeSignature(*function);
    for (Function &function : module)
      for (Instruction &instruction : instructions(function))
        rewrite(instruction);
    for (Function *function : old)
      function->eraseFromParent();
  }

  // The body moves to a function of the new type; calls follow when their operands have been changed.
  void changeSignature(Function &function) {
    SmallVector<Type *> parameters;
    for (Argument &argument : function.args())
      parameters.push_back(of(&argument) ? of(&argument) : argument.getType());
    Type *result = results.lookup(&function);
    auto *type = FunctionType::get(result ? result : function.getReturnType(), parameters, function.isVarArg());
    if (type == function.getFunctionType())
      return;
    Function *made = Function::Create(type, function.getLinkage(), function.getAddressSpace());
    module.getFunctionList().insert(function.getIterator(), made);
    made->takeName(&function);
    made->copyAttributesFrom(&function);
    made->copyMetadata(&function, 0);
    function.setSubprogram(nullptr);
    made->splice(made->begin(), &function);
    for (unsigned i = 0; i < function.arg_size(); ++i) {
      Argument *from = function.getArg(i), *to = made->getArg(i);
      to->takeName(from);
      if (from->getType() != to->getType()) {
        made->removeParamAttrs(i, AttributeFuncs::typeIncompatible(to->getType(), AttributeSet()));
        from->mutateType(to->getType()); // for the replacement, which wants equal types
      }
      from->replaceAllUsesWith(to);
    }
    replaced[&function] = made;
    old.push_back(&function);
  }

  void rewrite(Instruction &instruction) {
    if (auto *variable = dyn_cast<AllocaInst>(&instruction)) {
      if (Type *type = contents.lookup(variable))
        variable->setAllocatedType(withElements(variable->getAllocatedType(), type));
      return;
    }
    if (Type *type = of(&instruction))
      instruction.mutateType(type);
    if (isa<PHINode, SelectInst>(instruction) && of(&instruction))
      for (Use &operand : instruction.operands())
        retypeConstant(operand, of(&instruction));
    if (auto *store = dyn_cast<StoreInst>(&instruction))
      if (auto *variable = dyn_cast<AllocaInst>(store->getPointerOperand()->stripInBoundsOffsets()))
        if (Type *type = contents.lookup(variable))
          retypeConstant(store->getOperandUse(0), type);
    if (auto *end = dyn_cast<ReturnInst>(&instruction); end && end->getReturnValue())
      retypeConstant(end->getOperandUse(0), end->getFunction()->getReturnType());
    if (auto *call = dyn_cast<CallInst>(&instruction))
      rewriteCall(*call);
  }

  // Gives the question its own name for the pipe that is asked.
  void rewriteQuestion(CallInst &call) {
    const auto *pipe = dyn_cast<TargetExtType>(call.getArgOperand(0)->getType());
    if (!pipe)
      return;
    constexpr StringLiteral kUntyped = ".untyped";
    Function *old = call.getCalledFunction();
    if (!old->getName().ends_with(kUntyped))
      old->setName(old->getName() + kUntyped);
    const StringRef base = old->getName().drop_back(strlen("_wo") + kUntyped.size());
    SmallVector<Type *> parameters(old->getFunctionType()->params());
    parameters.front() = call.getArgOperand(0)->getType();
    auto *type = FunctionType::get(old->getReturnType(), parameters, false);
    const char *access = pipe->getIntParameter(0) == 1 ? "_wo" : "_ro";
    auto *asked = cast<Function>(module.getOrInsertFunction((base + access).str(), type).getCallee());
    asked->setCallingConv(old->getCallingConv());
    call.setCalledFunction(asked);
    if (old->use_empty() && !is_contained(this->old, old))
      this->old.push_back(old);
  }

  void rewriteCall(CallInst &call) {
    if (Function *asked = call.getCalledFunction(); asked && asksPipe(*asked))
      return rewriteQuestion(call);
    Function *callee = replaced.lookup(call.getCalledFunction());
    if (!callee)
      return;
    for (unsigned i = 0; i < callee->arg_size() && i < call.arg_size(); ++i)
      if (isa<TargetExtType>(callee->getArg(i)->getType())) {
        retypeConstant(call.getArgOperandUse(i), callee->getArg(i)->getType());
        call.removeParamAttrs(i, AttributeFuncs::typeIncompatible(callee->getArg(i)->getType(), AttributeSet()));
      }
    call.setCalledFunction(callee);
  }

  // The null event and values that do not matter; all other constants are left for the verifier to reject.
  static void retypeConstant(Use &use, Type *type) {
    if (use->getType() == type || !isa<TargetExtType>(type))
      return;
    if (isa<UndefValue>(use))
      use.set(PoisonValue::get(type));
    else if (isa<ConstantPointerNull>(use))
      use.set(Constant::getNullValue(type));
  }

  static Type *withElements(Type *container, Type *element) {
    if (auto *array = dyn_cast<ArrayType>(container))
      return ArrayType::get(withElements(array->getElementType(), element), array->getNumElements());
    return container->isPointerTy() ? element : container;
  }

  Module &module;
  LLVMContext &context;
  bool changed = false;
  DenseMap<const Value *, Type *> types, contents; // contents: of private variables
  DenseMap<const Function *, Type *> results;
  DenseMap<const Function *, Function *> replaced;
  SmallVector<Function *> old;
};

} // namespace

void restoreOpaqueTypes(Module &module) {
  Restorer(module).run();
}

} // namespace lanecl::frontend::spirv
