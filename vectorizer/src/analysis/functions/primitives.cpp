// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/functions/primitives.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace lanecl::vectorizer {

StringRef baseName(StringRef function_name) {
  if (unsigned length = 0; function_name.consume_front("_Z") && !function_name.consumeInteger(10, length))
    function_name = function_name.take_front(length);
  return function_name.consume_front("__lanecl_") ? function_name : StringRef();
}

std::optional<Primitive> primitiveOf(StringRef function_name) {
  if (function_name == "__translate_sampler_initializer") // Clang's lowering of sampler_t s = CLK_…
    return Primitive::SamplerLiteral;
  const StringRef name = baseName(function_name);
  if (name.empty())
    return std::nullopt;
  return StringSwitch<std::optional<Primitive>>(name)
#define PRIMITIVE(Enumerator, name, Result, Class, Reveals) .Case(name, Primitive::Enumerator)
#include "vectorizer/contract/lane_primitives.def"
      // These names end in types: block_read_ui8, matrix_mad_u8_i8.
      .StartsWith("block_read_", Primitive::BlockRead)
      .StartsWith("block_write_", Primitive::BlockWrite)
      .StartsWith("row_read_", Primitive::RowRead)
      .StartsWith("row_write_", Primitive::RowWrite)
      .StartsWith("matrix_mad_", Primitive::MatrixMad)
      .StartsWith("pipe_", Primitive::Pipe)
      .Default(std::nullopt);
}

std::optional<Primitive> primitiveOf(const Function &function) {
  return primitiveOf(function.getName());
}

std::optional<Primitive> primitiveOf(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  return callee ? primitiveOf(*callee) : std::nullopt;
}

std::optional<Primitive> primitiveOf(const Value &value) {
  const auto *call = dyn_cast<CallBase>(&value);
  return call ? primitiveOf(*call) : std::nullopt;
}

StringRef typesInName(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  const std::optional<Primitive> primitive = callee ? primitiveOf(*callee) : std::nullopt;
  return primitive ? baseName(callee->getName()).drop_front(nameOf(*primitive).size()).ltrim('_') : StringRef();
}

StringRef nameOf(Primitive primitive) {
  switch (primitive) {
#define PRIMITIVE(Enumerator, name, Result, Class, Reveals)                                                            \
  case Primitive::Enumerator: return name;
#include "vectorizer/contract/lane_primitives.def"
  }
  llvm_unreachable("every primitive is listed");
}

bool hasUniformResult(Primitive primitive) {
  enum class Result { Uniform, Varying };
  switch (primitive) {
#define PRIMITIVE(Enumerator, name, Kind, Class, Reveals)                                                              \
  case Primitive::Enumerator: return Result::Kind == Result::Uniform;
#include "vectorizer/contract/lane_primitives.def"
  }
  llvm_unreachable("every primitive is listed");
}

namespace {

enum class Class { Launch, Dimension, Lanes, Item, Other };

Class classOf(Primitive primitive) {
  switch (primitive) {
#define PRIMITIVE(Enumerator, name, Result, Kind, Reveals)                                                             \
  case Primitive::Enumerator: return Class::Kind;
#include "vectorizer/contract/lane_primitives.def"
  }
  llvm_unreachable("every primitive is listed");
}

} // namespace

bool queriesLaunch(Primitive primitive) {
  return classOf(primitive) == Class::Launch || classOf(primitive) == Class::Dimension;
}

bool takesDimension(Primitive primitive) {
  return classOf(primitive) == Class::Dimension;
}

bool exchangesLanes(Primitive primitive) {
  return classOf(primitive) == Class::Lanes;
}

bool isOfOneItem(Primitive primitive) {
  return queriesLaunch(primitive) || classOf(primitive) == Class::Item;
}

std::optional<unsigned> dimensionOf(const CallBase &call) {
  if (call.arg_size() != 1)
    return std::nullopt;
  const auto *dimension = dyn_cast<ConstantInt>(call.getArgOperand(0));
  if (!dimension || dimension->getValue().ugt(2))
    return std::nullopt;
  return static_cast<unsigned>(dimension->getZExtValue());
}

} // namespace lanecl::vectorizer
