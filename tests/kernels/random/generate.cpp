// Makes a kernel that is valid for every work-item: no data race, no undefined operation, synchronization in uniform
// flow only, and every loop ends. Levels (see Level) are kept by construction: what stands in a place of some level
// depends on values of that level or below.
#include "ast.h"

#include <algorithm>
#include <random>

namespace lanecl::test::random_kernels {

namespace {

Level needsOf(const Block &block);

Level needsOf(Stmt &s, const std::vector<Function> &functions) {
  Level needs = Level::Lane;
  if (s.kind == Stmt::Kind::Barrier)
    needs = Level::Group;
  else if (s.kind == Stmt::Kind::LaneOp)
    needs = Level::SubGroup;
  else if (s.kind == Stmt::Kind::Call)
    needs = functions[s.callee].needs;
  for (Block &block : s.blocks)
    needs = std::min(needs, needsOf(block));
  return needs;
}

Level needsOf(const Block &block) {
  Level needs = Level::Lane;
  for (const Stmt &s : block)
    needs = std::min(needs, s.needs);
  return needs;
}

// Where a statement stands.
struct Place {
  Level level = Level::Group;
  Level breaks = Level::Group, continues = Level::Group; // of the statements they leave
  bool in_loop = false, in_breakable = false;
  unsigned depth = 0, loops = 0;
};

class Generator {
public:
  explicit Generator(uint64_t seed) : random(seed) { kernel.seed = seed; }

  Kernel run() {
    chooseSizes();
    const unsigned helpers = below(4);
    for (unsigned i = 0; i < helpers; ++i)
      makeHelper(i);
    makeKernel();
    kernel.width_required = uses_sub_groups || chance(50);
    return std::move(kernel);
  }

private:
  std::mt19937_64 random;
  Kernel kernel;
  Function function;
  std::vector<unsigned> visible;
  Level returns = Level::Group; // places up to this level may return
  bool reading = false;         // others' slots of local memory may be read, and none be written
  bool uses_sub_groups = false;
  unsigned statements_left = 0;

  unsigned below(unsigned n) { return unsigned(random() % n); }
  bool chance(unsigned percent) { return below(100) < percent; }
  Level atLeast(Level level) { return Level(unsigned(level) + below(3 - unsigned(level))); }

  void chooseSizes() {
    constexpr unsigned kWidths[] = {8, 16, 32};
    const size_t w = kernel.width = kWidths[below(3)];
    const std::vector<std::vector<size_t>> sizes{{w},     {2 * w},    {3 * w},   {w + 3}, {5},        {1},
                                                 {37},    {70},       {12, 3},   {8, 4},  {16, 3},    {5, 3, 2},
                                                 {20, 2}, {16, 2, 2}, {3, 3, 3}, {w, 2},  {w - 1, 3}, {2 * w + 1}};
    kernel.local = sizes[below(sizes.size())];
    for (size_t i = 0; i < kernel.local.size(); ++i)
      kernel.groups.push_back(1 + below(2));
    kernel.arguments = {int32_t(below(40)) - 8, int32_t(random())};
  }

  // ---- expressions ----

  ExprPtr make(Expr e) { return std::make_shared<const Expr>(std::move(e)); }
  ExprPtr constant(Type type, int64_t number) {
    return make({.kind = Expr::Kind::Constant, .type = type, .number = number});
  }
  ExprPtr binary(Op op, Type type, ExprPtr left, ExprPtr right) {
    return make({.kind = Expr::Kind::Binary, .type = type, .args = {left, right}, .op = op});
  }

  ExprPtr anyConstant(Type type) {
    if (type.base == Base::Float)
      return constant(type, int64_t(below(64)) - 32);
    constexpr int64_t kNumbers[] = {
        0, 1, -1, 2, 3, 5, 7, 15, 16, 31, 32, 33, 255, -2, -100, 0x7fffffff, -0x7fffffff - 1};
    return constant(type, chance(15) ? int64_t(random()) : kNumbers[below(std::size(kNumbers))]);
  }

  template <class F> std::vector<unsigned> variablesWhere(F &&accept) {
    std::vector<unsigned> result;
    std::copy_if(visible.begin(), visible.end(), std::back_inserter(result),
                 [&](unsigned i) { return accept(function.variables[i]); });
    return result;
  }

  ExprPtr variableLeaf(Type type, Level level) {
    const auto candidates =
        variablesWhere([&](const Variable &v) { return v.type == type && !v.array && !v.pointer && v.level <= level; });
    if (candidates.empty())
      return nullptr;
    return make({.kind = Expr::Kind::Variable, .type = type, .variable = candidates[below(candidates.size())]});
  }

  ExprPtr elementLeaf(Type type, Level level, unsigned depth) {
    const auto candidates = variablesWhere([&](const Variable &v) { return v.type == type && (v.array || v.pointer); });
    if (candidates.empty() || level != Level::Lane)
      return nullptr;
    const unsigned chosen = candidates[below(candidates.size())];
    return make({.kind = Expr::Kind::Element, .type = type, .args = {index(level, depth)}, .variable = chosen});
  }

  // Small uniform subscripts as often as varying ones.
  ExprPtr index(Level level, unsigned depth) {
    return chance(40) ? constant(kInt, below(8)) : expr(kInt, level, depth > 2 ? 2 : depth);
  }

  ExprPtr componentLeaf(Type type, Level level) {
    const auto candidates = variablesWhere([&](const Variable &v) {
      return v.type.base == type.base && v.type.lanes > 1 && !v.array && !v.pointer && v.level <= level;
    });
    if (candidates.empty())
      return nullptr;
    const unsigned chosen = candidates[below(candidates.size())];
    const Type vector = function.variables[chosen].type;
    ExprPtr whole = make({.kind = Expr::Kind::Variable, .type = vector, .variable = chosen});
    return make({.kind = Expr::Kind::Component, .type = type, .args = {whole}, .number = below(vector.lanes)});
  }

  ExprPtr query(Level level) {
    using enum Query;
    constexpr Query kGroup[] = {GroupId, LocalSize, NumGroups, MaxSubGroupSize, NumSubGroups};
    constexpr Query kSubGroup[] = {SubGroupId, SubGroupSize};
    constexpr Query kLane[] = {GlobalId, LocalId, GlobalId, LocalId, GlobalLinearId, LocalLinearId, LaneId};
    Query chosen = kGroup[below(std::size(kGroup))];
    if (level >= Level::SubGroup && chance(40))
      chosen = kSubGroup[below(std::size(kSubGroup))];
    if (level == Level::Lane && chance(75))
      chosen = kLane[below(std::size(kLane))];
    uses_sub_groups |= chosen >= LaneId;
    return make({.kind = Expr::Kind::Query, .type = kInt, .number = below(3), .query = chosen});
  }

  ExprPtr localLeaf(Level level, unsigned depth) {
    const int64_t array = below(2);
    if (reading)
      return make({.kind = Expr::Kind::AnyLocal, .type = kInt, .args = {index(level, depth)}, .number = array});
    if (level != Level::Lane)
      return nullptr;
    return make({.kind = Expr::Kind::OwnLocal, .type = kInt, .number = array});
  }

  ExprPtr intLeaf(Level level, unsigned depth) {
    switch (below(8)) {
    case 0: return make({.kind = Expr::Kind::Input, .type = kInt, .args = {index(level, depth)}});
    case 1: return make({.kind = Expr::Kind::Table, .type = kInt, .args = {index(level, depth)}});
    case 2: return make({.kind = Expr::Kind::Argument, .type = kInt, .number = below(2)});
    case 3: return localLeaf(level, depth);
    default: return query(level);
    }
  }

  ExprPtr leaf(Type type, Level level, unsigned depth) {
    ExprPtr result;
    if (chance(55))
      result = variableLeaf(type, level);
    if (!result && depth > 0 && chance(35))
      result = elementLeaf(type, level, depth - 1);
    if (!result && type.lanes == 1 && chance(25))
      result = componentLeaf(type, level);
    if (!result && type == kInt && chance(75))
      result = depth > 0 ? intLeaf(level, depth - 1) : query(level);
    if (!result && chance(60))
      result = variableLeaf(type, level);
    if (!result && type.lanes > 1)
      return construct(type, level, depth);
    if (!result && type != kInt && chance(70))
      result = make({.kind = Expr::Kind::Convert, .type = type, .args = {leaf(kInt, level, depth)}});
    return result ? result : anyConstant(type);
  }

  ExprPtr construct(Type type, Level level, unsigned depth) {
    Expr e{.kind = Expr::Kind::Construct, .type = type};
    for (unsigned i = 0; i < type.lanes; ++i)
      e.args.push_back(depth > 0 ? expr({type.base, 1}, level, depth - 1) : leaf({type.base, 1}, level, 0));
    return make(std::move(e));
  }

  ExprPtr condition(Level level, unsigned depth) {
    if (depth > 1 && chance(20))
      return binary(chance(50) ? Op::LogicalAnd : Op::LogicalOr, kInt, condition(level, depth - 1),
                    condition(level, depth - 1));
    constexpr Op kCompare[] = {Op::Less, Op::LessEqual, Op::Equal, Op::NotEqual};
    constexpr Base kBases[] = {Base::Int, Base::Int, Base::UInt, Base::Float, Base::Long};
    const Type type{kBases[below(5)], 1};
    if (type == kInt && chance(50)) // about half of the work-items
      return binary(Op::And, kInt, expr(kInt, level, depth), constant(kInt, 1 + below(3)));
    return binary(kCompare[below(4)], kInt, expr(type, level, depth), expr(type, level, depth));
  }

  // Sometimes a condition on which work-items agree looks as if they did not.
  ExprPtr steering(Level level, ExprPtr value) {
    if (level == Level::Lane || !chance(40))
      return value;
    return make({.kind = Expr::Kind::Disguise, .type = kInt, .args = {value}});
  }

  ExprPtr arithmetic(Type type, Level level, unsigned depth) {
    constexpr Op kOps[] = {Op::Add, Op::Sub, Op::Mul, Op::Min, Op::Max, Op::And, Op::Or, Op::Xor, Op::Shl, Op::Shr};
    const Op op = kOps[below(type.base == Base::Float ? 5 : 10)];
    return binary(op, type, expr(type, level, depth), expr(type, level, depth));
  }

  ExprPtr conversion(Type type, Level level, unsigned depth) {
    constexpr Base kBases[] = {Base::Int, Base::UInt, Base::Long, Base::Float};
    Base from = kBases[below(4)];
    if (from == Base::Float && type.base == Base::UInt)
      from = Base::Int; // a negative float has no uint
    return make({.kind = Expr::Kind::Convert, .type = type, .args = {expr({from, 1}, level, depth)}});
  }

  ExprPtr expr(Type type, Level level, unsigned depth) {
    if (depth == 0 || chance(20))
      return leaf(type, level, depth);
    --depth;
    const bool scalar = type.lanes == 1, integer = type.base != Base::Float;
    switch (below(10)) {
    case 0:
      return make({.kind = Expr::Kind::Select,
                   .type = type,
                   .args = {condition(level, depth), expr(type, level, depth), expr(type, level, depth)}});
    case 1:
      if (scalar && integer)
        return make({.kind = chance(50) ? Expr::Kind::Divide : Expr::Kind::Remainder,
                     .type = type,
                     .args = {expr(type, level, depth), expr(type, level, depth)},
                     .number = below(2)});
      return arithmetic(type, level, depth);
    case 2:
    case 3:
      if (scalar)
        return conversion(type, level, depth);
      return construct(type, level, depth);
    case 4:
      if (!scalar)
        return make({.kind = Expr::Kind::VectorSelect,
                     .type = type,
                     .args = {expr(type, level, depth), expr(type, level, depth), expr(type, level, depth),
                              expr(type, level, depth)}});
      return type == kInt ? condition(level, depth) : arithmetic(type, level, depth);
    case 5:
      if (integer)
        return make({.kind = Expr::Kind::Not, .type = type, .args = {expr(type, level, depth)}});
      return arithmetic(type, level, depth);
    case 6: return leaf(type, level, depth);
    default: return arithmetic(type, level, depth);
    }
  }

  // ---- variables ----

  Type anyType() {
    constexpr Type kTypes[] = {kInt,
                               kInt,
                               kInt,
                               {Base::UInt, 1},
                               {Base::UInt, 1},
                               {Base::Float, 1},
                               {Base::Long, 1},
                               {Base::Int, 2},
                               {Base::UInt, 4},
                               {Base::Float, 4}};
    return kTypes[below(std::size(kTypes))];
  }

  unsigned addVariable(Variable v) {
    v.name = "v" + std::to_string(function.variables.size());
    function.variables.push_back(v);
    return unsigned(function.variables.size() - 1);
  }

  void declare(Block &out, Type type, Level place, Level level) {
    Stmt s{.kind = Stmt::Kind::Declare};
    s.values.push_back(expr(type, level, 2));
    s.target.variable = addVariable({.type = type, .level = std::max(place, level)});
    visible.push_back(s.target.variable);
    out.push_back(s);
  }

  void declareArray(Block &out, Type type) {
    Stmt s{.kind = Stmt::Kind::Declare};
    const unsigned count = chance(50) ? 4 : 8, given = chance(50) ? count : 1;
    for (unsigned i = 0; i < given; ++i)
      s.values.push_back(expr(type, Level::Lane, 1));
    s.target.variable = addVariable({.type = type, .count = count, .array = true});
    visible.push_back(s.target.variable);
    out.push_back(s);
  }

  // A variable, an element or a component that may take a value of that level; its type goes to `type`.
  bool chooseTarget(Level level, Target &target, Type &type) {
    const auto candidates = variablesWhere([&](const Variable &v) { return !v.fixed && v.level >= level; });
    if (candidates.empty())
      return false;
    target.variable = candidates[below(candidates.size())];
    const Variable v = function.variables[target.variable];
    type = v.type;
    if (v.array || v.pointer)
      target.index = index(Level::Lane, 2);
    if (type.lanes > 1 && chance(40)) {
      target.component = int(below(type.lanes));
      type.lanes = 1;
    }
    return true;
  }

  // As above, without a subscript or a component, so that nothing is evaluated beside the value.
  bool chooseVariable(Level level, Target &target, Type type) {
    const auto candidates = variablesWhere(
        [&](const Variable &v) { return !v.fixed && !v.array && !v.pointer && v.type == type && v.level >= level; });
    if (candidates.empty())
      return false;
    target.variable = candidates[below(candidates.size())];
    return true;
  }

  // ---- statements ----

  Block block(Place place, unsigned count) {
    Block result;
    const size_t outer = visible.size();
    ++place.depth;
    if (chance(25))
      declare(result, anyType(), place.level, atLeast(place.level));
    if (chance(8))
      declareArray(result, anyType());
    for (unsigned i = 0; i < count && statements_left > 0; ++i)
      statement(result, place);
    visible.resize(outer);
    return result;
  }

  void assign(Block &out, const Place &place) {
    Stmt s{.kind = Stmt::Kind::Assign};
    Type type;
    if (!chooseTarget(place.level, s.target, type))
      return;
    s.values.push_back(expr(type, function.variables[s.target.variable].level, 3));
    out.push_back(s);
  }

  void store(Block &out) {
    Stmt s{.kind = Stmt::Kind::Store};
    s.values = {index(Level::Lane, 2), expr(kInt, Level::Lane, 2)};
    out.push_back(s);
  }

  void atomic(Block &out) {
    Stmt s{.kind = Stmt::Kind::Atomic, .atomic = AtomicOp(below(6))};
    s.values = {index(Level::Lane, 1), expr({Base::UInt, 1}, Level::Lane, 2)};
    out.push_back(s);
  }

  void localStore(Block &out, unsigned rotate) {
    Stmt s{.kind = Stmt::Kind::LocalStore, .number = below(2), .rotate = rotate};
    s.values = {expr(kInt, Level::Lane, 2)};
    function.stores_local = true;
    out.push_back(s);
  }

  void branch(Block &out, Place place) {
    Stmt s{.kind = Stmt::Kind::If};
    place.level = atLeast(place.level);
    s.values = {steering(place.level, condition(place.level, 2))};
    s.blocks.push_back(block(place, 1 + below(3)));
    s.blocks.push_back(chance(50) ? block(place, 1 + below(3)) : Block{});
    out.push_back(s);
  }

  void loop(Block &out, Place place) {
    constexpr Stmt::Kind kKinds[] = {Stmt::Kind::For, Stmt::Kind::For, Stmt::Kind::While, Stmt::Kind::DoWhile};
    Stmt s{.kind = kKinds[below(4)]};
    place.level = atLeast(place.level);
    const bool is_for = s.kind == Stmt::Kind::For;
    const size_t outer = visible.size();
    s.number = 1 + below(6);
    if (is_for) {
      ExprPtr turns = chance(40)
                          ? constant(kInt, 1 + below(5))
                          : binary(Op::And, kInt, expr(kInt, place.level, 2), constant(kInt, chance(50) ? 3 : 7));
      s.values = {steering(place.level, turns)};
    } else {
      s.values = {steering(place.level, condition(place.level, 2))};
    }
    s.target.variable = addVariable({.type = kInt, .fixed = true, .level = place.level});
    visible.push_back(s.target.variable);
    place.breaks = place.continues = place.level;
    place.in_loop = place.in_breakable = true;
    ++place.loops;
    s.blocks.push_back(block(place, 1 + below(4)));
    visible.resize(outer);
    out.push_back(s);
  }

  void switchStatement(Block &out, Place place) {
    Stmt s{.kind = Stmt::Kind::Switch};
    place.level = place.breaks = atLeast(place.level);
    place.in_breakable = true;
    s.values = {steering(place.level, expr(kInt, place.level, 2))};
    const unsigned cases = 2 + below(4);
    for (unsigned i = 0; i < cases; ++i) {
      s.blocks.push_back(block(place, 1 + below(2)));
      s.falls_through.push_back(i + 1 < cases && chance(25));
    }
    out.push_back(s);
  }

  // Leaves under a condition: what follows must not be dead.
  void leave(Block &out, Place place) {
    place.level = atLeast(place.level);
    std::vector<Stmt> choices;
    if (place.in_breakable && place.level <= place.breaks)
      choices.push_back({.kind = Stmt::Kind::Break});
    if (place.in_loop && place.level <= place.continues)
      choices.push_back({.kind = Stmt::Kind::Continue});
    if (place.level <= returns && chance(40)) {
      choices.push_back({.kind = Stmt::Kind::Return});
      if (in_helper)
        choices.back().values = {expr(function.result, Level::Lane, 2)};
    }
    if (choices.empty())
      return;
    Stmt s{.kind = Stmt::Kind::If};
    s.values = {steering(place.level, condition(place.level, 2))};
    s.blocks = {{choices[below(choices.size())]}, {}};
    if (chance(40))
      s.blocks[0].insert(s.blocks[0].begin(), sideEffect());
    out.push_back(s);
  }

  Stmt sideEffect() {
    Block one;
    store(one);
    return one[0];
  }

  void barrier(Block &out) { out.push_back({.kind = Stmt::Kind::Barrier, .needs = Level::Group}); }

  // Everybody writes a slot, then reads what others wrote.
  void exchange(Block &out, const Place &place) {
    if (chance(50)) {
      barrier(out); // a slot that is not one's own may still be read
      localStore(out, below(5));
    }
    if (chance(30)) {
      barrier(out);
      localStore(out, 0);
    }
    barrier(out);
    reading = true;
    for (Stmt &s : block(place, 2 + below(3)))
      out.push_back(std::move(s));
    reading = false;
    barrier(out);
  }

  void laneOp(Block &out, const Place &place) {
    Stmt s{.kind = Stmt::Kind::LaneOp, .needs = Level::SubGroup};
    using enum LaneOp;
    const unsigned last = kernel.partial() ? unsigned(Shuffle) : unsigned(Any);
    s.lane_op = chance(15) ? (chance(50) ? All : Any) : random_kernels::LaneOp(below(last + 1));
    const bool vote = s.lane_op == All || s.lane_op == Any;
    const bool same = s.lane_op <= ReduceMax || s.lane_op == Broadcast || vote;
    Type type = vote ? kInt : anyType();
    if (s.lane_op <= Broadcast)
      type.lanes = 1; // reductions, scans and broadcast have scalar overloads only
    if (type.lanes > 1 && type.base == Base::Long)
      type = kInt;
    if (!chooseVariable(same ? std::max(place.level, Level::SubGroup) : Level::Lane, s.target, type))
      return;
    s.values.push_back(vote ? condition(Level::Lane, 2) : expr(type, Level::Lane, 2));
    laneOperands(s, type);
    uses_sub_groups = true;
    out.push_back(s);
  }

  void laneOperands(Stmt &s, Type type) {
    using enum LaneOp;
    const Type uint{Base::UInt, 1};
    const auto limited = [&](ExprPtr e) { // to the lanes that exist
      uses_sub_groups = true;
      ExprPtr size = make({.kind = Expr::Kind::Query, .type = uint, .query = Query::SubGroupSize});
      return make({.kind = Expr::Kind::Remainder, .type = uint, .args = {e, size}, .number = 2});
    };
    switch (s.lane_op) {
    case Broadcast: s.values.push_back(limited(expr(uint, Level::SubGroup, 1))); break;
    case Shuffle: s.values.push_back(limited(expr(uint, Level::Lane, 2))); break;
    case ShuffleXor: s.values.push_back(constant(uint, below(kernel.width))); break;
    case ShuffleDown:
    case ShuffleUp:
      s.values.push_back(expr(type, Level::Lane, 2));
      s.values.push_back(constant(uint, below(kernel.width)));
      break;
    default: break;
    }
  }

  void call(Block &out, const Place &place) {
    if (kernel.functions.empty())
      return;
    Stmt s{.kind = Stmt::Kind::Call, .callee = below(unsigned(kernel.functions.size()))};
    const Function callee = kernel.functions[s.callee];
    if (place.level > callee.needs || (reading && (callee.stores_local || callee.needs == Level::Group)) ||
        place.loops > 1 || !chooseVariable(Level::Lane, s.target, callee.result))
      return;
    for (unsigned i = 0; i < callee.parameters; ++i) {
      const Variable &p = callee.variables[i];
      s.pointers.push_back(-1);
      if (!p.pointer) {
        s.values.push_back(expr(p.type, p.level, 2));
        continue;
      }
      const auto candidates = variablesWhere([&](const Variable &v) {
        return v.type == p.type && !v.fixed && v.level == Level::Lane && v.count >= p.count;
      });
      if (candidates.empty())
        return;
      s.pointers.back() = int(candidates[below(candidates.size())]);
    }
    function.stores_local |= callee.stores_local;
    out.push_back(s);
  }

  void statement(Block &out, const Place &place) {
    --statements_left;
    const bool deep = place.depth > 4;
    const size_t first = out.size();
    const unsigned choice = below(100);
    if (choice < 24)
      assign(out, place);
    else if (choice < 30)
      store(out);
    else if (choice < 34)
      atomic(out);
    else if (choice < 50)
      deep ? assign(out, place) : branch(out, place);
    else if (choice < 62)
      deep || place.loops > 2 ? store(out) : loop(out, place);
    else if (choice < 67)
      deep ? assign(out, place) : switchStatement(out, place);
    else if (choice < 76)
      leave(out, place);
    else if (choice < 82)
      call(out, place);
    else if (choice < 92 && place.level <= Level::SubGroup)
      laneOp(out, place);
    else if (choice < 94 && !reading)
      localStore(out, 0);
    else if (choice >= 94 && place.level == Level::Group && !reading)
      exchange(out, place);
    else
      assign(out, place);
    for (size_t i = first; i < out.size(); ++i)
      out[i].needs = needsOf(out[i], kernel.functions);
  }

  // ---- functions ----

  bool in_helper = false;

  void start(const std::string &name, Level level, unsigned statements) {
    function = {};
    function.name = name;
    visible.clear();
    returns = level;
    statements_left = statements;
  }

  void finish() {
    for (Stmt &s : function.body)
      s.needs = needsOf(s, kernel.functions);
    function.needs = needsOf(function.body);
    kernel.functions.push_back(function);
  }

  void add(Block statements) { std::move(statements.begin(), statements.end(), std::back_inserter(function.body)); }

  void parameter(Variable v) {
    visible.push_back(addVariable(v));
    ++function.parameters;
  }

  void makeHelper(unsigned number) {
    in_helper = true;
    const Level level = Level(below(3));
    start("helper" + std::to_string(number), level, 8);
    function.result = chance(60) ? kInt : anyType();
    parameter({.type = kInt, .level = atLeast(level)});
    if (chance(60))
      parameter({.type = anyType(), .level = atLeast(level)});
    if (chance(60))
      parameter({.type = kInt, .count = chance(70) ? 4u : 1u, .pointer = true});
    declare(function.body, kInt, level, Level::Lane);
    add(open({.level = level, .depth = 1}, 4));
    if (chance(60)) { // a tail that some work-items leave early
      returns = Level::Lane;
      add(open({.level = Level::Lane, .depth = 1}, 3));
    }
    function.body.push_back({.kind = Stmt::Kind::Return, .values = {expr(function.result, Level::Lane, 3)}});
    finish();
    in_helper = false;
  }

  // A block whose declarations stay visible.
  Block open(Place place, unsigned count) {
    Block result;
    for (unsigned i = 0; i < count && statements_left > 0; ++i)
      statement(result, place);
    return result;
  }

  void makeKernel() {
    start("kernel", Level::Group, 30);
    for (unsigned array : {0u, 1u}) {
      Stmt s{.kind = Stmt::Kind::LocalStore, .number = array};
      s.values = {make({.kind = Expr::Kind::Input,
                        .type = kInt,
                        .args = {make({.kind = Expr::Kind::Query, .type = kInt, .query = Query::GlobalLinearId})}})};
      function.body.push_back(s);
    }
    for (Type type : {kInt, kInt, Type{Base::UInt, 1}, Type{Base::Float, 1}, Type{Base::Long, 1}, Type{Base::UInt, 4}})
      declare(function.body, type, Level::Group, Level::Lane);
    declare(function.body, kInt, Level::Group, Level::Group);
    declare(function.body, kInt, Level::Group, Level::SubGroup);
    declareArray(function.body, kInt);
    if (chance(50))
      declare(function.body, {Base::Int, 2}, Level::Group, Level::Lane);
    if (chance(30))
      declareArray(function.body, anyType());
    add(open({}, 8));
    keepVariables();
    if (chance(50)) {
      returns = Level::Lane;
      statements_left = 8;
      add(open({.level = Level::Lane, .depth = 1}, 4));
      keepVariables();
    }
    finish();
  }

  // Every variable goes to an output.
  void keepVariables() {
    unsigned slot = 0;
    for (unsigned i : visible) {
      const Variable v = function.variables[i];
      ExprPtr value = make({.kind = Expr::Kind::Variable, .type = v.type, .variable = i});
      if (v.array)
        value = make({.kind = Expr::Kind::Element, .type = v.type, .args = {index(Level::Lane, 1)}, .variable = i});
      if (v.type.lanes > 1)
        value = make(
            {.kind = Expr::Kind::Component, .type = {v.type.base, 1}, .args = {value}, .number = below(v.type.lanes)});
      if (value->type != kInt)
        value = make({.kind = Expr::Kind::Convert, .type = kInt, .args = {value}});
      Stmt s{.kind = Stmt::Kind::Store};
      s.values = {constant(kInt, slot++ % kOutputs), value};
      function.body.push_back(s);
    }
  }
};

} // namespace

Kernel generate(uint64_t seed) {
  return Generator(seed).run();
}

} // namespace lanecl::test::random_kernels
