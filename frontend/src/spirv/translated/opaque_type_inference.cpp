// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The inference is a fixed point: facts are only added, never changed, so the order of the visits does not matter as
// long as all facts about a value agree. Queries of pipes are seeded last, as they are the weakest facts.
#include "spirv/translated/opaque_type_inference.h"

#include "program/finish_module.h"
#include "spirv/translated/opaque_type_names.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace lanecl::frontend::spirv {

// Pipe queries are seeded after everything else has been propagated, so that they decide only about unknown pipes.
OpaqueTypeInference::OpaqueTypeInference(Module &module) : context(module.getContext()) {
  for (Function &function : module)
    seed(function);
  propagate(module);
  for (Function &function : module)
    seedPipeQueries(function);
  propagate(module);
}

// Visits all instructions again and again until nothing new is learned.
void OpaqueTypeInference::propagate(Module &module) {
  do {
    changed = false;
    for (Function &function : module)
      for (Instruction &instruction : instructions(function))
        propagate(instruction);
  } while (changed);
}

Type *OpaqueTypeInference::ofContents(const AllocaInst *variable) const {
  return contents.lookup(variable);
}

// Records the type of a pointer that is not a constant, unless one is known.
void OpaqueTypeInference::note(const Value *value, Type *type) {
  if (!type || isa<Constant>(value) || !value->getType()->isPointerTy())
    return;
  changed |= types.try_emplace(value, type).second;
}

// Records the type of a function's result, unless one is known.
void OpaqueTypeInference::noteResult(const Function *function, Type *type) {
  if (type)
    changed |= results.try_emplace(function, type).second;
}

// Records what the declaration of a function says: a kernel's metadata, or the mangled name of a built-in function.
void OpaqueTypeInference::seed(Function &function) {
  if (isKernel(function))
    return seedKernel(function);
  if (!function.isDeclaration())
    return;
  MangledParameters parameters(function.getName());
  for (Argument &argument : function.args())
    if (!parameters.atEnd())
      note(&argument, typeOfMangled(context, parameters.next()));
  if (function.getName().contains("async_work_group_"))
    noteResult(&function, eventType(context));
  if (function.getName() == "__translate_sampler_initializer")
    noteResult(&function, samplerType(context));
  seedPipeFunction(function);
}

// Records the types of a pipe function's parameters. Its name is not mangled, but implies them.
void OpaqueTypeInference::seedPipeFunction(Function &function) {
  const StringRef name = function.getName();
  if (!name.starts_with("__") || !name.contains("_pipe") || isPipeQuery(function) || function.arg_size() < 3)
    return;
  Type *id = reserveIdType(context);
  note(function.getArg(0), pipeType(context, name.contains("write")));
  if (name.contains("reserve_"))
    noteResult(&function, id);
  else if (name.contains("commit_") || name.ends_with("_4"))
    note(function.getArg(1), id);
}

// A pipe that is only queried is taken for one to write to, which answers queries as well.
void OpaqueTypeInference::seedPipeQueries(Function &function) {
  if (isPipeQuery(function))
    for (User *user : function.users())
      if (auto *call = dyn_cast<CallInst>(user); call && call->getCalledFunction() == &function)
        note(call->getArgOperand(0), pipeType(context, /*is_written=*/true));
}

// Records the types that a kernel's metadata names for its arguments.
void OpaqueTypeInference::seedKernel(Function &kernel) {
  const MDNode *names = kernel.getMetadata("kernel_arg_base_type");
  const MDNode *accesses = kernel.getMetadata("kernel_arg_access_qual");
  const auto text = [](const MDNode *node, unsigned index) {
    const auto *string = node && index < node->getNumOperands() ? dyn_cast<MDString>(node->getOperand(index)) : nullptr;
    return string ? string->getString() : StringRef();
  };
  for (Argument &argument : kernel.args())
    note(&argument, typeOfArgument(context, text(names, argument.getArgNo()), text(accesses, argument.getArgNo())));
}

// Propagates types between the result and the operands of an instruction, in both directions.
void OpaqueTypeInference::propagate(Instruction &instruction) {
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

// Records that both values have the same type.
void OpaqueTypeInference::unify(Value *a, Value *b) {
  note(a, of(b));
  note(b, of(a));
}

// Propagates types between a private variable's contents and the values that are loaded from it and stored to it.
void OpaqueTypeInference::unifyMemory(Value *pointer, Value *value) {
  auto *variable = dyn_cast<AllocaInst>(pointer->stripInBoundsOffsets());
  if (!variable || !value->getType()->isPointerTy())
    return;
  if (Type *type = of(value))
    changed |= contents.try_emplace(variable, type).second;
  note(value, contents.lookup(variable));
}

// Parameters and results have the same types inside a function and at every call of it.
void OpaqueTypeInference::propagateCall(CallInst &call) {
  Function *callee = call.getCalledFunction();
  if (!callee || callee->isIntrinsic())
    return;
  // Pipes of both access qualifiers are queried by the same function, so its parameter has no type of its own.
  if (isPipeQuery(*callee))
    return;
  for (Argument &parameter : callee->args())
    if (parameter.getArgNo() < call.arg_size())
      unify(&parameter, call.getArgOperand(parameter.getArgNo()));
  note(&call, results.lookup(callee));
  if (!callee->isDeclaration())
    noteResult(callee, of(&call));
}

bool isPipeQuery(const Function &function) {
  return function.getName().starts_with("__get_pipe_");
}

} // namespace lanecl::frontend::spirv
