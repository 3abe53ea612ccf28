// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reductions and scans give, bit by bit, what the documented order gives on the host.
#include "harness.h"

#include "lanes/cross_lane/reduce.h"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <limits>

using namespace lanecl::vectorizer::lanes;
using namespace lanecl::vectorizer::lanes::test;

namespace {

struct Op {
  const char *name;
  ReduceOp op;
};
const Op kIntegerOps[] = {{"add", ReduceOp::Add},   {"mul", ReduceOp::Mul},   {"smin", ReduceOp::SMin},
                          {"smax", ReduceOp::SMax}, {"umin", ReduceOp::UMin}, {"umax", ReduceOp::UMax},
                          {"and", ReduceOp::And},   {"or", ReduceOp::Or},     {"xor", ReduceOp::Xor}};
const Op kFloatOps[] = {
    {"add", ReduceOp::Add}, {"mul", ReduceOp::Mul}, {"fmin", ReduceOp::FMin}, {"fmax", ReduceOp::FMax}};

template <typename T> T step(ReduceOp op, T x, T y) {
  if constexpr (std::is_integral_v<T>) {
    using S = std::make_signed_t<T>;
    switch (op) {
    case ReduceOp::Add: return T(x + y);
    case ReduceOp::Mul: return T(uint64_t(x) * uint64_t(y));
    case ReduceOp::SMin: return S(x) < S(y) ? x : y;
    case ReduceOp::SMax: return S(x) > S(y) ? x : y;
    case ReduceOp::UMin: return x < y ? x : y;
    case ReduceOp::UMax: return x > y ? x : y;
    case ReduceOp::And: return x & y;
    case ReduceOp::Or: return x | y;
    default: return x ^ y;
    }
  } else {
    switch (op) {
    case ReduceOp::Add: return x + y;
    case ReduceOp::Mul: return x * y;
    case ReduceOp::FMin: return x != x ? y : y != y ? x : x < y ? x : y;
    default: return x != x ? y : y != y ? x : x > y ? x : y;
    }
  }
}

template <typename T> T identity(ReduceOp op) {
  if constexpr (std::is_integral_v<T>) {
    using S = std::make_signed_t<T>;
    switch (op) {
    case ReduceOp::Mul: return 1;
    case ReduceOp::SMin: return T(std::numeric_limits<S>::max());
    case ReduceOp::SMax: return T(std::numeric_limits<S>::min());
    case ReduceOp::UMin:
    case ReduceOp::And: return T(~T(0));
    default: return 0;
    }
  } else {
    switch (op) {
    case ReduceOp::Add: return T(-0.0f);
    case ReduceOp::Mul: return T(1.0f);
    case ReduceOp::FMin: return T(__builtin_inff());
    default: return T(-__builtin_inff());
    }
  }
}

template <typename T> using Lanes = std::array<T, 64>;

template <typename T> T reduceOnHost(ReduceOp op, Lanes<T> v, uint64_t mask, unsigned width) {
  for (unsigned i = 0; i < width; ++i)
    v[i] = mask >> i & 1 ? v[i] : identity<T>(op);
  for (unsigned half = width / 2; half >= 1; half /= 2)
    for (unsigned i = 0; i < half; ++i)
      v[i] = step(op, v[i], v[i + half]);
  return v[0];
}

template <typename T> Lanes<T> clustersOnHost(ReduceOp op, Lanes<T> v, uint64_t mask, unsigned width, unsigned size) {
  for (unsigned i = 0; i < width; ++i)
    v[i] = mask >> i & 1 ? v[i] : identity<T>(op);
  for (unsigned distance = 1; distance < size; distance *= 2) {
    const Lanes<T> before = v;
    for (unsigned i = 0; i < width; ++i)
      v[i] = step(op, before[i], before[i ^ distance]);
  }
  return v;
}

template <typename T> Lanes<T> scanOnHost(ReduceOp op, Lanes<T> v, uint64_t mask, unsigned width, bool exclusive) {
  for (unsigned i = 0; i < width; ++i)
    v[i] = mask >> i & 1 ? v[i] : identity<T>(op);
  if (exclusive) {
    for (unsigned i = width - 1; i > 0; --i)
      v[i] = v[i - 1];
    v[0] = op == ReduceOp::Add ? T(0) : identity<T>(op);
  }
  for (unsigned distance = 1; distance < width; distance *= 2) {
    const Lanes<T> before = v;
    for (unsigned i = 0; i < width; ++i)
      if (distance < 4)
        v[i] = step(op, i % 4 >= distance ? before[i - distance] : identity<T>(op), before[i]);
      else
        v[i] = step(op, (i & distance) != 0 ? before[i - i % distance - 1] : identity<T>(op), before[i]);
  }
  return v;
}

// The same bits; any two NaNs; zeros that tie in fmin and fmax.
template <typename T> bool same(ReduceOp op, T x, T y) {
  if (x != x && y != y)
    return true;
  const bool tie = op == ReduceOp::FMin || op == ReduceOp::FMax;
  return tie ? x == y : std::memcmp(&x, &y, sizeof x) == 0;
}

template <typename T> T randomValue(std::mt19937_64 &random) {
  if constexpr (std::is_integral_v<T>) {
    return T(random());
  } else {
    switch (random() % 24) {
    case 0: return T(__builtin_nanf(""));
    case 1: return T(-0.0f);
    case 2: return T(0.0f);
    case 3: return T(__builtin_inff());
    default: return T((float(random() % 4096) - 2048.0f) / 173.0f);
    }
  }
}

// Sizes known when the code is made; any other size comes at run time.
bool isFixed(unsigned size) {
  return size == 1 || size == 4;
}
std::string clustersName(unsigned size) {
  return "clusters" + (isFixed(size) ? std::to_string(size) : std::string()) + ".";
}

void addFunctions(LaneModule &module, const Op &op, llvm::Type *(*type)(llvm::LLVMContext &)) {
  for (bool full : {false, true}) {
    const std::string name = std::string(op.name) + (full ? ".full" : "");
    module.add("reduce." + name, [&](const LaneContext &c, const Parameters &p) {
      llvm::Value *v = loadLanes(c, type(c.b.getContext()), p.a);
      storeLanes(c, emitReduce(c, op.op, v, full ? nullptr : p.mask), p.out);
    });
    module.add("to_all." + name, [&](const LaneContext &c, const Parameters &p) {
      llvm::Value *v = loadLanes(c, type(c.b.getContext()), p.a), *mask = full ? nullptr : p.mask;
      llvm::Value *all = emitReduceToAll(c, op.op, v, mask);
      storeLanes(c, all != nullptr ? all : c.b.CreateVectorSplat(c.width, emitReduce(c, op.op, v, mask)), p.out);
    });
    for (unsigned size : {1, 2, 4})
      module.add(clustersName(size) + name, [&](const LaneContext &c, const Parameters &p) {
        llvm::Value *v = loadLanes(c, type(c.b.getContext()), p.a);
        llvm::Value *clusters = isFixed(size) ? c.b.getInt32(size) : c.b.CreateTrunc(p.scalar, c.b.getInt32Ty());
        storeLanes(c, emitClusteredReduce(c, op.op, v, full ? nullptr : p.mask, clusters), p.out);
      });
    for (ScanKind kind : {ScanKind::Inclusive, ScanKind::Exclusive})
      module.add((kind == ScanKind::Inclusive ? "inclusive." : "exclusive.") + name,
                 [&](const LaneContext &c, const Parameters &p) {
                   llvm::Value *v = loadLanes(c, type(c.b.getContext()), p.a);
                   storeLanes(c, emitScan(c, op.op, v, full ? nullptr : p.mask, kind), p.out);
                 });
  }
}

template <typename T> void checkOp(LaneModule &module, const Op &op, unsigned width, std::mt19937_64 &random) {
  const uint64_t all = width == 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
  for (uint64_t mask : interestingMasks(width, random))
    for (bool full : {false, true}) {
      INFO(op.name << (full ? " full" : "") << " mask " << mask);
      const std::string name = std::string(op.name) + (full ? ".full" : "");
      const uint64_t active = full ? all : mask;
      Lanes<T> v{}, out{};
      for (unsigned i = 0; i < width; ++i)
        v[i] = randomValue<T>(random);
      module.find("reduce." + name)(v.data(), nullptr, out.data(), mask, 0);
      CHECK(same(op.op, out[0], reduceOnHost(op.op, v, active, width)));
      const auto agrees = [&](const Lanes<T> &expected) {
        bool all_lanes = true;
        for (unsigned i = 0; i < width; ++i)
          all_lanes &= !(active >> i & 1) || same(op.op, out[i], expected[i]);
        return all_lanes;
      };
      module.find("to_all." + name)(v.data(), nullptr, out.data(), mask, 0);
      for (unsigned i = 0; i < width; ++i)
        CHECK(same(op.op, out[i], reduceOnHost(op.op, v, active, width)));
      for (unsigned size = 1; size <= width; size *= 2) {
        INFO("clusters of " << size);
        module.find(clustersName(size) + name)(v.data(), nullptr, out.data(), mask, size);
        CHECK(agrees(clustersOnHost(op.op, v, active, width, size)));
      }
      for (bool exclusive : {false, true}) {
        module.find((exclusive ? "exclusive." : "inclusive.") + name)(v.data(), nullptr, out.data(), mask, 0);
        CHECK(agrees(scanOnHost(op.op, v, active, width, exclusive)));
      }
      countCase();
    }
}

template <typename T, size_t N>
void checkType(const char *type_name, const Op (&ops)[N], llvm::Type *(*type)(llvm::LLVMContext &)) {
  std::mt19937_64 random(4);
  for (const TestIsa &isa : hostIsas())
    for (unsigned width : kWidths) {
      INFO(isa.name << " W=" << width << " " << type_name);
      LaneModule module(isa, width);
      for (const Op &op : ops)
        addFunctions(module, op, type);
      module.compile();
      for (const Op &op : ops)
        checkOp<T>(module, op, width, random);
    }
}

} // namespace

TEST_CASE("reductions and scans of integers agree with the host", "[reduce]") {
  checkType<uint8_t>("i8", kIntegerOps, [](llvm::LLVMContext &c) -> llvm::Type * { return llvm::Type::getInt8Ty(c); });
  checkType<uint16_t>("i16", kIntegerOps,
                      [](llvm::LLVMContext &c) -> llvm::Type * { return llvm::Type::getInt16Ty(c); });
  checkType<uint32_t>("i32", kIntegerOps,
                      [](llvm::LLVMContext &c) -> llvm::Type * { return llvm::Type::getInt32Ty(c); });
  checkType<uint64_t>("i64", kIntegerOps,
                      [](llvm::LLVMContext &c) -> llvm::Type * { return llvm::Type::getInt64Ty(c); });
}

TEST_CASE("reductions and scans of floating point agree with the host", "[reduce]") {
  checkType<_Float16>("half", kFloatOps, [](llvm::LLVMContext &c) -> llvm::Type * { return llvm::Type::getHalfTy(c); });
  checkType<float>("float", kFloatOps, [](llvm::LLVMContext &c) -> llvm::Type * { return llvm::Type::getFloatTy(c); });
  checkType<double>("double", kFloatOps,
                    [](llvm::LLVMContext &c) -> llvm::Type * { return llvm::Type::getDoubleTy(c); });
}
