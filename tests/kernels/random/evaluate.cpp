// The kernel on the host: each work-item alone, statement after statement. Only statements that hold a work-group
// barrier or a sub-group function run in step, for the work-items of the work-group or of one sub-group.
#include "values.h"

#include <algorithm>
#include <stdexcept>

namespace lanecl::test::random_kernels {

namespace {

struct TooLong {};

enum class Flow { Next, Break, Continue, Return };

struct Item {
  std::array<size_t, 3> local{}, group{};
  size_t linear = 0;        // in the work-group
  size_t global_linear = 0; // in the NDRange
  std::vector<Value> stack; // variables of the called functions; a pointer is an index into it
  size_t base = 0;
  Flow flow = Flow::Next;
  Value result{};
};
using Items = std::vector<Item *>;

struct Frame {
  std::vector<size_t> offsets;
  size_t size = 0;
};

class WorkGroup {
public:
  WorkGroup(const Kernel &kernel_, Memory &memory_, std::array<size_t, 3> group, uint64_t &budget_)
      : kernel(kernel_), memory(memory_), budget(budget_) {
    for (const Function &f : kernel.functions) {
      Frame frame;
      for (const Variable &v : f.variables) {
        frame.offsets.push_back(frame.size);
        frame.size += v.array ? v.count : 1;
      }
      frames.push_back(frame);
    }
    makeItems(group);
  }

  void run() {
    Items all;
    for (Item &item : items)
      all.push_back(&item);
    for (auto &array : locals)
      array.assign(items.size(), 0);
    enter(kernel.functions.size() - 1, all);
    inStep(kernel.functions.back().body, all);
  }

private:
  const Kernel &kernel;
  Memory &memory;
  uint64_t &budget;
  std::vector<Frame> frames;
  std::vector<Item> items;
  std::array<std::vector<int32_t>, 2> locals;
  unsigned function = 0;

  size_t size(unsigned dim) const { return dim < kernel.local.size() ? kernel.local[dim] : 1; }
  size_t groups(unsigned dim) const { return dim < kernel.groups.size() ? kernel.groups[dim] : 1; }

  void makeItems(std::array<size_t, 3> group) {
    for (size_t z = 0; z < size(2); ++z)
      for (size_t y = 0; y < size(1); ++y)
        for (size_t x = 0; x < size(0); ++x) {
          Item item;
          item.local = {x, y, z};
          item.group = group;
          item.linear = items.size();
          const size_t row = (group[2] * size(2) + z) * groups(1) * size(1) + group[1] * size(1) + y;
          item.global_linear = row * groups(0) * size(0) + group[0] * size(0) + x;
          items.push_back(std::move(item));
        }
  }

  void enter(size_t callee, const Items &active) {
    function = unsigned(callee);
    for (Item *item : active) {
      item->base = item->stack.size();
      item->stack.resize(item->base + frames[callee].size);
    }
  }

  void spend() {
    if (budget-- == 0)
      throw TooLong{};
  }

  // ---- expressions ----

  size_t place(const Item &item, unsigned variable) const { return item.base + frames[function].offsets[variable]; }
  const Variable &variable(unsigned index) const { return kernel.functions[function].variables[index]; }

  size_t element(Item &item, unsigned index, const ExprPtr &subscript) {
    const size_t start = variable(index).pointer ? item.stack[place(item, index)][0] : place(item, index);
    return start + (integer(subscript, item) & (variable(index).count - 1));
  }

  uint64_t integer(const ExprPtr &e, Item &item) { return value(e, item)[0]; }

  // The work-items of a sub-group that exist.
  size_t subGroupSize(const Item &item) const {
    return std::min<size_t>(kernel.width, items.size() - item.linear / kernel.width * kernel.width);
  }

  uint64_t query(const Expr &e, const Item &item) const {
    const unsigned d = unsigned(e.number);
    switch (e.query) {
    case Query::GlobalId: return item.group[d] * size(d) + item.local[d];
    case Query::LocalId: return item.local[d];
    case Query::GroupId: return item.group[d];
    case Query::LocalSize: return size(d);
    case Query::NumGroups: return groups(d);
    case Query::GlobalLinearId: return item.global_linear;
    case Query::LocalLinearId: return item.linear;
    case Query::LaneId: return item.linear % kernel.width;
    case Query::SubGroupId: return item.linear / kernel.width;
    case Query::SubGroupSize: return subGroupSize(item);
    case Query::MaxSubGroupSize: return kernel.width;
    case Query::NumSubGroups: return (items.size() + kernel.width - 1) / kernel.width;
    }
    return 0;
  }

  template <class F> Value byComponent(Type type, F &&f) {
    Value result{};
    for (unsigned i = 0; i < type.lanes; ++i)
      result[i] = f(i);
    return result;
  }

  Value value(const ExprPtr &pointer, Item &item) {
    spend();
    const Expr &e = *pointer;
    using Kind = Expr::Kind;
    switch (e.kind) {
    case Kind::Constant:
      return {e.type.base == Base::Float  ? fromFloat(float(e.number) * 0.25f)
              : e.type.base == Base::Long ? uint64_t(e.number)
                                          : uint32_t(e.number)};
    case Kind::Variable: return item.stack[place(item, e.variable)];
    case Kind::Element: return item.stack[element(item, e.variable, e.args[0])];
    case Kind::Input: return {uint32_t(memory.in[integer(e.args[0], item) % kInputs])};
    case Kind::Table: return {uint32_t(table[integer(e.args[0], item) % kTable])};
    case Kind::OwnLocal: return {uint32_t(locals[e.number][item.linear])};
    case Kind::AnyLocal: return {uint32_t(locals[e.number][integer(e.args[0], item) % items.size()])};
    case Kind::Argument: return {uint32_t(kernel.arguments[e.number])};
    case Kind::Query: return {query(e, item)};
    case Kind::Disguise: return value(e.args[0], item);
    default: return compound(e, item);
    }
  }

  Value compound(const Expr &e, Item &item) {
    using Kind = Expr::Kind;
    if (e.kind == Kind::Select)
      return value(e.args[integer(e.args[0], item) != 0 ? 1 : 2], item);
    std::vector<Value> args;
    for (const ExprPtr &arg : e.args)
      args.push_back(value(arg, item));
    const Base base = e.args[0]->type.base;
    switch (e.kind) {
    case Kind::Binary:
      return byComponent(e.type, [&](unsigned i) { return binary(e.op, base, args[0][i], args[1][i]); });
    case Kind::Divide:
    case Kind::Remainder: return {divide(e.kind == Kind::Remainder, base, args[0][0], args[1][0])};
    case Kind::Not:
      return byComponent(e.type,
                         [&](unsigned i) { return binary(Op::Xor, base, args[0][i], binary(Op::Sub, base, 0, 1)); });
    case Kind::VectorSelect:
      return byComponent(
          e.type, [&](unsigned i) { return binary(Op::Less, base, args[0][i], args[1][i]) ? args[2][i] : args[3][i]; });
    case Kind::Convert: return {convert(e.type.base, base, args[0][0])};
    case Kind::Component: return {args[0][e.number]};
    default: // Construct
      return byComponent(e.type, [&](unsigned i) { return args[i][0]; });
    }
  }

  // ---- statements of one work-item ----

  void assign(const Target &t, const Value &v, Item &item) {
    Value &where = item.stack[t.index ? element(item, t.variable, t.index) : place(item, t.variable)];
    if (t.component < 0)
      where = v;
    else
      where[t.component] = v[0];
  }

  Value stored(const ExprPtr &e, Item &item) { return tamed(e->type, value(e, item)); }

  void block(const Block &statements, Item &item) {
    for (const Stmt &s : statements) {
      statement(s, item);
      if (item.flow != Flow::Next)
        return;
    }
  }

  // True when the loop goes on after its body.
  static bool afterBody(Item &item) {
    if (item.flow == Flow::Continue)
      item.flow = Flow::Next;
    if (item.flow == Flow::Break) {
      item.flow = Flow::Next;
      return false;
    }
    return item.flow == Flow::Next;
  }

  bool again(const Stmt &s, Item &item) {
    Value &counter = item.stack[place(item, s.target.variable)];
    if (s.kind == Stmt::Kind::For)
      return int32_t(counter[0]) < int32_t(integer(s.values[0], item));
    return counter[0] < uint64_t(s.number) && integer(s.values[0], item) != 0;
  }
  void count(const Stmt &s, Item &item) {
    uint64_t &counter = item.stack[place(item, s.target.variable)][0];
    counter = uint32_t(counter + 1);
  }

  void loop(const Stmt &s, Item &item) {
    item.stack[place(item, s.target.variable)] = {};
    const bool is_for = s.kind == Stmt::Kind::For;
    for (bool go = s.kind == Stmt::Kind::DoWhile || again(s, item); go; go = again(s, item)) {
      if (!is_for)
        count(s, item);
      block(s.blocks[0], item);
      if (!afterBody(item))
        return;
      if (is_for)
        count(s, item);
    }
  }

  static size_t chosenCase(const Stmt &s, uint64_t selector) {
    return std::min<size_t>(selector & 7, s.blocks.size() - 1);
  }

  void switchStatement(const Stmt &s, Item &item) {
    for (size_t i = chosenCase(s, integer(s.values[0], item)); i < s.blocks.size(); ++i) {
      block(s.blocks[i], item);
      if (item.flow != Flow::Next || !s.falls_through[i])
        break;
    }
    if (item.flow == Flow::Break)
      item.flow = Flow::Next;
  }

  void declare(const Stmt &s, Item &item) {
    const size_t where = place(item, s.target.variable), count = variable(s.target.variable).count;
    if (variable(s.target.variable).array)
      std::fill_n(item.stack.begin() + where, count, Value{});
    for (size_t i = 0; i < s.values.size(); ++i)
      item.stack[where + i] = stored(s.values[i], item);
  }

  void localStore(const Stmt &s, Item &item) {
    locals[s.number][(item.linear + s.rotate) % items.size()] = int32_t(integer(s.values[0], item));
  }

  void atomic(const Stmt &s, Item &item) {
    uint32_t &slot = memory.counters[unsigned(s.atomic) * kAtomicSlots + integer(s.values[0], item) % kAtomicSlots];
    constexpr Op kOps[] = {Op::Add, Op::Min, Op::Max, Op::And, Op::Or, Op::Xor};
    slot = uint32_t(binary(kOps[unsigned(s.atomic)], Base::UInt, slot, integer(s.values[1], item)));
  }

  void statement(const Stmt &s, Item &item) {
    spend();
    using Kind = Stmt::Kind;
    switch (s.kind) {
    case Kind::Declare: return declare(s, item);
    case Kind::Assign: return assign(s.target, stored(s.values[0], item), item);
    case Kind::Store:
      memory.out[item.global_linear * kOutputs + integer(s.values[0], item) % kOutputs] =
          int32_t(integer(s.values[1], item));
      return;
    case Kind::LocalStore: return localStore(s, item);
    case Kind::Atomic: return atomic(s, item);
    case Kind::If: return block(s.blocks[integer(s.values[0], item) != 0 ? 0 : 1], item);
    case Kind::For:
    case Kind::While:
    case Kind::DoWhile: return loop(s, item);
    case Kind::Switch: return switchStatement(s, item);
    case Kind::Break: item.flow = Flow::Break; return;
    case Kind::Continue: item.flow = Flow::Continue; return;
    case Kind::Return:
      if (!s.values.empty())
        item.result = stored(s.values[0], item);
      item.flow = Flow::Return;
      return;
    case Kind::Call: {
      Items one{&item};
      return call(s, one);
    }
    case Kind::Barrier:
    case Kind::LaneOp: throw std::logic_error("a random kernel synchronizes in divergent flow");
    }
  }

  // ---- statements in step ----

  static Items running(const Items &active) {
    Items result;
    std::copy_if(active.begin(), active.end(), std::back_inserter(result),
                 [](Item *i) { return i->flow == Flow::Next; });
    return result;
  }

  void inStep(const Block &statements, const Items &active) {
    for (const Stmt &s : statements) {
      const Items now = running(active);
      if (now.empty())
        return;
      inStep(s, now);
    }
  }

  void inStep(const Stmt &s, const Items &active) {
    if (s.needs == Level::Lane) {
      for (Item *item : active)
        statement(s, *item);
      return;
    }
    if (s.needs == Level::Group) {
      require(active.size() == items.size());
      return together(s, active);
    }
    for (size_t begin = 0; begin < active.size();) {
      size_t end = begin;
      while (end < active.size() && active[end]->linear / kernel.width == active[begin]->linear / kernel.width)
        ++end;
      require(end - begin == subGroupSize(*active[begin]));
      together(s, Items(active.begin() + begin, active.begin() + end));
      begin = end;
    }
  }

  static void require(bool condition) {
    if (!condition)
      throw std::logic_error("a random kernel synchronizes some work-items only");
  }

  // A value on which all agree.
  template <class F> uint64_t agreed(const Items &active, F &&f) {
    const uint64_t first = f(*active[0]);
    for (size_t i = 1; i < active.size(); ++i)
      require(f(*active[i]) == first);
    return first;
  }

  void together(const Stmt &s, const Items &active) {
    spend();
    using Kind = Stmt::Kind;
    switch (s.kind) {
    case Kind::Barrier: return;
    case Kind::LaneOp: return laneOp(s, active);
    case Kind::Call: return call(s, active);
    case Kind::If: {
      const bool taken = agreed(active, [&](Item &i) { return integer(s.values[0], i) != 0; });
      return inStep(s.blocks[taken ? 0 : 1], active);
    }
    case Kind::Switch: return switchTogether(s, active);
    default: return loopTogether(s, active);
    }
  }

  void switchTogether(const Stmt &s, const Items &active) {
    for (size_t i = agreed(active, [&](Item &item) { return chosenCase(s, integer(s.values[0], item)); });
         i < s.blocks.size(); ++i) {
      inStep(s.blocks[i], active);
      if (running(active).empty() || !s.falls_through[i])
        break;
    }
    for (Item *item : active)
      if (item->flow == Flow::Break)
        item->flow = Flow::Next;
  }

  void loopTogether(const Stmt &s, const Items &active) {
    for (Item *item : active)
      item->stack[place(*item, s.target.variable)] = {};
    const bool is_for = s.kind == Stmt::Kind::For;
    const auto all = [&](auto &&f) { return agreed(active, f) != 0; };
    const auto more = [&] { return all([&](Item &i) { return again(s, i); }); };
    for (bool go = s.kind == Stmt::Kind::DoWhile || more(); go; go = more()) {
      for (Item *item : active)
        if (!is_for)
          count(s, *item);
      inStep(s.blocks[0], active);
      if (!all([](Item &i) { return afterBody(i); }))
        return;
      for (Item *item : active)
        if (is_for)
          count(s, *item);
    }
  }

  void call(const Stmt &s, const Items &active) {
    const unsigned caller = function;
    const Function &callee = kernel.functions[s.callee];
    std::vector<std::vector<Value>> arguments;
    for (Item *item : active)
      arguments.push_back(callArguments(s, *item));
    std::vector<size_t> bases;
    for (Item *item : active)
      bases.push_back(item->base);
    enter(s.callee, active);
    for (size_t i = 0; i < active.size(); ++i)
      std::copy(arguments[i].begin(), arguments[i].end(), active[i]->stack.begin() + active[i]->base);
    inStep(callee.body, active);
    function = caller;
    for (size_t i = 0; i < active.size(); ++i) {
      active[i]->stack.resize(active[i]->base);
      active[i]->base = bases[i];
      active[i]->flow = Flow::Next;
      assign(s.target, active[i]->result, *active[i]);
    }
  }

  // As they lie in the callee's frame, whose first variables are the parameters.
  std::vector<Value> callArguments(const Stmt &s, Item &item) {
    std::vector<Value> result;
    size_t next = 0;
    for (int pointer : s.pointers) {
      if (pointer < 0)
        result.push_back(stored(s.values[next++], item));
      else if (variable(pointer).pointer)
        result.push_back(item.stack[place(item, pointer)]);
      else
        result.push_back({place(item, pointer)});
    }
    return result;
  }

  void laneOp(const Stmt &s, const Items &active) {
    std::vector<std::vector<Value>> values;
    for (const ExprPtr &e : s.values) {
      values.emplace_back();
      for (Item *item : active)
        values.back().push_back(stored(e, *item));
    }
    for (size_t lane = 0; lane < active.size(); ++lane)
      assign(s.target, laneResult(s, values, lane), *active[lane]);
  }

  Value laneResult(const Stmt &s, const std::vector<std::vector<Value>> &values, size_t lane) {
    const std::vector<Value> &x = values[0];
    const Base base = s.values[0]->type.base;
    const auto fold = [&](Op op, size_t end, uint64_t start) {
      for (size_t i = 0; i < end; ++i)
        start = binary(op, base, start, x[i][0]);
      return Value{start};
    };
    using enum LaneOp;
    switch (s.lane_op) {
    case ReduceAdd: return fold(Op::Add, x.size(), 0);
    case ReduceMin: return fold(Op::Min, x.size(), x[0][0]);
    case ReduceMax: return fold(Op::Max, x.size(), x[0][0]);
    case InclusiveAdd: return fold(Op::Add, lane + 1, 0);
    case InclusiveMin: return fold(Op::Min, lane + 1, x[0][0]);
    case InclusiveMax: return fold(Op::Max, lane + 1, x[0][0]);
    case ExclusiveAdd: return fold(Op::Add, lane, 0);
    case All: return {std::all_of(x.begin(), x.end(), [](const Value &v) { return v[0] != 0; })};
    case Any: return {std::any_of(x.begin(), x.end(), [](const Value &v) { return v[0] != 0; })};
    case Broadcast:
    case Shuffle: return x[values[1][lane][0]];
    case ShuffleXor: return x[lane ^ values[1][lane][0]];
    case ShuffleDown: {
      const size_t from = lane + values[2][lane][0];
      return from < x.size() ? x[from] : values[1][from - x.size()];
    }
    case ShuffleUp: {
      const size_t delta = values[2][lane][0];
      return lane >= delta ? values[1][lane - delta] : x[lane + x.size() - delta];
    }
    }
    return {};
  }
};

} // namespace

Memory initialMemory(const Kernel &kernel) {
  Memory memory;
  uint64_t state = kernel.seed * 2 + 1;
  const auto next = [&] { return uint32_t((state = state * 6364136223846793005u + 1442695040888963407u) >> 33); };
  for (unsigned i = 0; i < kInputs; ++i)
    memory.in.push_back(i % 3 == 0 ? int32_t(next() * 2) : int32_t(next() % 64) - 16);
  memory.in.resize(2 * size_t(kInputs));
  size_t items = kernel.groupSize();
  for (size_t n : kernel.groups)
    items *= n;
  memory.out.assign(items * kOutputs, -77);
  for (uint32_t start : {0u, ~0u, 0u, ~0u, 0u, 0u}) // neutral for the operation, AtomicOp's order
    memory.counters.insert(memory.counters.end(), kAtomicSlots, start);
  return memory;
}

bool evaluate(const Kernel &kernel, Memory &memory) {
  uint64_t budget = 3'000'000;
  const auto groups = [&](size_t dim) { return dim < kernel.groups.size() ? kernel.groups[dim] : 1; };
  try {
    for (size_t z = 0; z < groups(2); ++z)
      for (size_t y = 0; y < groups(1); ++y)
        for (size_t x = 0; x < groups(0); ++x)
          WorkGroup(kernel, memory, {x, y, z}, budget).run();
  } catch (const TooLong &) {
    return false;
  }
  return true;
}

} // namespace lanecl::test::random_kernels
