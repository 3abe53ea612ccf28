// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Makes the kernel that destroys objects. Each registration of a destructor, a call of __cxa_atexit(), has a number:
//
//   __cxa_atexit(&~T, &object, handle)   becomes   order[atomic_inc(&count)] = number
//
// and the kernel calls the destructors in the reverse of that order:
//
//   while (count != 0)
//     switch (order[--count]) { case number: object.~T(); … }
#include "program/destructors.h"

#include "frontend/frontend.h"
#include "program/constructors.h"
#include "program/generated_kernel.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <vector>

namespace lanecl::frontend {
namespace {

constexpr const char *kRegister = "__cxa_atexit";
constexpr const char *kLibraryHandle = "__dso_handle"; // the last argument of __cxa_atexit(), not used here
constexpr unsigned kGlobalAddressSpace = 1;

// Returns the calls of __cxa_atexit(). Each runs at most once, as the object that it belongs to is constructed once.
std::vector<llvm::CallInst *> registrations(llvm::Module &program) {
  std::vector<llvm::CallInst *> calls;
  if (const llvm::Function *function = program.getFunction(kRegister))
    for (llvm::User *user : const_cast<llvm::Function *>(function)->users())
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(user);
          call && call->arg_size() == 3 && llvm::isa<llvm::Function>(call->getArgOperand(0)))
        calls.push_back(call);
  return calls;
}

// Removes the declarations that no registration refers to any more.
void eraseUnused(llvm::Module &program) {
  if (llvm::Function *function = program.getFunction(kRegister); function && function->use_empty())
    function->eraseFromParent();
  if (llvm::GlobalVariable *handle = program.getNamedGlobal(kLibraryHandle); handle && handle->use_empty())
    handle->eraseFromParent();
}

// Two variables of the program: how many objects have been constructed, and the numbers of their registrations in the
// order of construction.
class Order {
public:
  Order(llvm::Module &program, size_t most)
      : number(llvm::Type::getInt32Ty(program.getContext())), numbers(llvm::ArrayType::get(number, most)) {
    count = makeVariable(program, number, "__lanecl_constructed");
    order = makeVariable(program, numbers, "__lanecl_construction_order");
  }

  // Notes a registration. The count is incremented atomically, because work-items construct different objects at the
  // same time.
  void push(llvm::IRBuilder<> &builder, llvm::Value *registration) const {
    llvm::Value *place = builder.CreateAtomicRMW(llvm::AtomicRMWInst::Add, count, builder.getInt32(1), llvm::Align(4),
                                                 llvm::AtomicOrdering::Monotonic);
    builder.CreateStore(registration, address(builder, place));
  }

  // Reads how many objects are left.
  llvm::Value *size(llvm::IRBuilder<> &builder) const { return builder.CreateLoad(number, count); }

  // Removes the last of `size` registrations and returns its number.
  llvm::Value *pop(llvm::IRBuilder<> &builder, llvm::Value *size) const {
    llvm::Value *last = builder.CreateSub(size, builder.getInt32(1));
    builder.CreateStore(last, count);
    return builder.CreateLoad(number, address(builder, last));
  }

private:
  static llvm::GlobalVariable *makeVariable(llvm::Module &program, llvm::Type *type, const char *name) {
    auto *variable = new llvm::GlobalVariable(program, type, /*isConstant=*/false, llvm::GlobalValue::InternalLinkage,
                                              llvm::Constant::getNullValue(type), name, nullptr,
                                              llvm::GlobalValue::NotThreadLocal, kGlobalAddressSpace);
    variable->setAlignment(llvm::Align(4));
    return variable;
  }

  llvm::Value *address(llvm::IRBuilder<> &builder, llvm::Value *place) const {
    return builder.CreateInBoundsGEP(numbers, order, {builder.getInt32(0), place});
  }

  llvm::Type *number, *numbers;
  llvm::GlobalVariable *count = nullptr, *order = nullptr;
};

llvm::Function *destructorOf(const llvm::CallInst &registration) {
  return llvm::cast<llvm::Function>(registration.getArgOperand(0));
}

// Calls the destructor that was registered, with its object as the argument if it takes one.
void callDestructor(llvm::IRBuilder<> &builder, const llvm::CallInst &registration) {
  llvm::Function *function = destructorOf(registration);
  std::vector<llvm::Value *> arguments;
  for (const llvm::Argument &argument : function->args())
    arguments.push_back(builder.CreateAddrSpaceCast(registration.getArgOperand(1), argument.getType()));
  builder.CreateCall(function, arguments)->setCallingConv(function->getCallingConv());
}

// Makes the kernel. It reads `count` anew for each object, because destructors may construct static variables, whose
// registrations then are the last ones.
void makeDestructor(llvm::Module &program, const Order &order, const std::vector<llvm::CallInst *> &calls,
                    const std::vector<llvm::Function *> &finalizers) {
  llvm::LLVMContext &context = program.getContext();
  std::vector<llvm::Function *> callees = finalizers;
  for (const llvm::CallInst *call : calls)
    callees.push_back(destructorOf(*call));
  llvm::Function *kernel = makeKernel(program, kDestructor, callees);
  auto *entry = llvm::BasicBlock::Create(context, "entry", kernel);
  auto *next = llvm::BasicBlock::Create(context, "next", kernel);
  auto *destroy = llvm::BasicBlock::Create(context, "destroy", kernel);
  auto *done = llvm::BasicBlock::Create(context, "done", kernel);
  llvm::IRBuilder<> builder(entry);
  builder.SetCurrentDebugLocation(placeOf(*kernel));
  builder.CreateBr(next);
  builder.SetInsertPoint(next);
  llvm::Value *size = order.size(builder);
  builder.CreateCondBr(builder.CreateICmpEQ(size, builder.getInt32(0)), done, destroy);
  builder.SetInsertPoint(done);
  for (llvm::Function *finalizer : finalizers)
    builder.CreateCall(finalizer)->setCallingConv(finalizer->getCallingConv());
  builder.CreateRetVoid();
  builder.SetInsertPoint(destroy);
  llvm::SwitchInst *choice = builder.CreateSwitch(order.pop(builder, size), next);
  for (size_t i = 0; i < calls.size(); ++i) {
    auto *object = llvm::BasicBlock::Create(context, "object", kernel);
    choice->addCase(builder.getInt32(uint32_t(i)), object);
    builder.SetInsertPoint(object);
    callDestructor(builder, *calls[i]);
    builder.CreateBr(next);
  }
}

} // namespace

void lowerDestructors(llvm::Module &program) {
  const std::vector<llvm::CallInst *> calls = registrations(program);
  const std::vector<llvm::Function *> finalizers = takeList(program, "llvm.global_dtors");
  if (calls.empty() && finalizers.empty())
    return;
  const Order order(program, calls.size());
  makeDestructor(program, order, calls, finalizers);
  for (size_t i = 0; i < calls.size(); ++i) {
    llvm::IRBuilder<> builder(calls[i]);
    order.push(builder, builder.getInt32(uint32_t(i)));
    calls[i]->replaceAllUsesWith(llvm::ConstantInt::get(calls[i]->getType(), 0));
    calls[i]->eraseFromParent();
  }
  eraseUnused(program);
}

bool hasDestructor(const llvm::Module &program) {
  return program.getFunction(kDestructor) != nullptr;
}

} // namespace lanecl::frontend
