// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The algorithms of Boost.Compute on the only OpenCL device, compared with those of the C++ library. Prints a line for
// each: passed, failed or wrong, its name, the type and the number of elements.
#include <algorithm>
#include <boost/compute.hpp>
#include <cstdio>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace compute = boost::compute;

namespace {

template <typename T> const char *type_name = "";
template <> const char *type_name<int> = "int";
template <> const char *type_name<unsigned> = "uint";
template <> const char *type_name<float> = "float";
template <> const char *type_name<double> = "double";
template <> const char *type_name<long> = "long";

// Values in a small range, so that some are equal; whole numbers, so that sums do not depend on their order.
template <typename T> std::vector<T> random_values(size_t count, int below, unsigned seed) {
  std::minstd_rand random(seed);
  std::uniform_int_distribution<int> values(0, below);
  std::vector<T> result(count);
  for (T &value : result)
    value = static_cast<T>(values(random));
  return result;
}

template <typename T> class Checks {
public:
  Checks(compute::command_queue &queue, size_t count)
      : queue_(queue), count_(count), host_(random_values<T>(count, 100, 1)), other_(random_values<T>(count, 100, 2)),
        device_(host_.begin(), host_.end(), queue), other_device_(other_.begin(), other_.end(), queue) {}

  void all() {
    sorting();
    scans();
    reductions();
    keys();
    searches();
    moves();
    merges();
    elements();
  }

private:
  using Vector = compute::vector<T>;

  // Runs an algorithm that gives what it computed and what is expected.
  template <typename Algorithm> void check(const char *name, Algorithm algorithm) {
    try {
      report(algorithm() ? "passed" : "wrong", name, "");
    } catch (const std::exception &error) {
      report("failed", name, error.what());
    }
  }

  void report(const char *kind, const char *name, const std::string &detail) {
    printf("%s %s-%s-%zu %s\n", kind, name, type_name<T>, count_, detail.c_str());
    fflush(stdout);
  }

  std::vector<T> fetch(const Vector &vector) const { return fetch(vector, vector.size()); }
  std::vector<T> fetch(const Vector &vector, size_t count) const {
    std::vector<T> result(count);
    compute::copy(vector.begin(), vector.begin() + count, result.begin(), queue_);
    return result;
  }
  Vector copy() const { return Vector(host_.begin(), host_.end(), queue_); }

  std::vector<T> sorted(std::vector<T> values) const {
    std::sort(values.begin(), values.end());
    return values;
  }

  void sorting() {
    check("sort", [&] {
      Vector vector = copy();
      compute::sort(vector.begin(), vector.end(), queue_);
      return fetch(vector) == sorted(host_);
    });
    check("sort-greater", [&] {
      Vector vector = copy();
      compute::sort(vector.begin(), vector.end(), compute::greater<T>(), queue_);
      std::vector<T> expected = sorted(host_);
      std::reverse(expected.begin(), expected.end());
      return fetch(vector) == expected;
    });
    check("stable_sort", [&] {
      Vector vector = copy();
      compute::stable_sort(vector.begin(), vector.end(), queue_);
      return fetch(vector) == sorted(host_);
    });
    check("is_sorted", [&] {
      std::vector<T> values = sorted(host_);
      Vector vector(values.begin(), values.end(), queue_);
      return compute::is_sorted(vector.begin(), vector.end(), queue_) &&
             compute::is_sorted(device_.begin(), device_.end(), queue_) == std::is_sorted(host_.begin(), host_.end());
    });
    check("sort_by_key", [&] { return sorts_by_key(false); });
    check("stable_sort_by_key", [&] { return sorts_by_key(true); });
  }

  // Equal keys keep the order of their values when the sort is stable; else the pairs are the same.
  bool sorts_by_key(bool stable) {
    std::vector<int> positions(count_);
    std::iota(positions.begin(), positions.end(), 0);
    Vector keys = copy();
    compute::vector<int> values(positions.begin(), positions.end(), queue_);
    if (stable)
      compute::stable_sort_by_key(keys.begin(), keys.end(), values.begin(), queue_);
    else
      compute::sort_by_key(keys.begin(), keys.end(), values.begin(), queue_);
    std::vector<int> got(count_);
    compute::copy(values.begin(), values.end(), got.begin(), queue_);
    std::stable_sort(positions.begin(), positions.end(), [&](int a, int b) { return host_[a] < host_[b]; });
    if (stable && got != positions)
      return false;
    std::vector<T> by_value;
    for (int position : got)
      by_value.push_back(host_[position]);
    return by_value == sorted(host_) && fetch(keys) == by_value &&
           std::is_permutation(got.begin(), got.end(), positions.begin());
  }

  void scans() {
    check("inclusive_scan", [&] {
      Vector result(count_, queue_.get_context());
      compute::inclusive_scan(device_.begin(), device_.end(), result.begin(), queue_);
      std::vector<T> expected(count_);
      std::partial_sum(host_.begin(), host_.end(), expected.begin(), sum());
      return fetch(result) == expected;
    });
    check("exclusive_scan", [&] {
      Vector result(count_, queue_.get_context());
      compute::exclusive_scan(device_.begin(), device_.end(), result.begin(), queue_);
      std::vector<T> expected(count_);
      T before = 0;
      for (size_t i = 0; i < count_; ++i) {
        expected[i] = before;
        before = static_cast<T>(before + host_[i]);
      }
      return fetch(result) == expected;
    });
    check("inclusive_scan-max", [&] {
      Vector result(count_, queue_.get_context());
      compute::inclusive_scan(device_.begin(), device_.end(), result.begin(), compute::max<T>(), queue_);
      std::vector<T> expected(count_);
      std::partial_sum(host_.begin(), host_.end(), expected.begin(), [](T a, T b) { return std::max(a, b); });
      return fetch(result) == expected;
    });
    check("partial_sum", [&] {
      Vector result(count_, queue_.get_context());
      compute::partial_sum(device_.begin(), device_.end(), result.begin(), queue_);
      std::vector<T> expected(count_);
      std::partial_sum(host_.begin(), host_.end(), expected.begin(), sum());
      return fetch(result) == expected;
    });
    check("adjacent_difference", [&] {
      Vector result(count_, queue_.get_context());
      compute::adjacent_difference(device_.begin(), device_.end(), result.begin(), queue_);
      std::vector<T> expected(count_);
      std::adjacent_difference(host_.begin(), host_.end(), expected.begin(), [](T a, T b) { return T(a - b); });
      return fetch(result) == expected;
    });
  }

  static auto sum() {
    return [](T a, T b) { return static_cast<T>(a + b); };
  }

  void reductions() {
    check("reduce", [&] {
      T result = 0;
      compute::reduce(device_.begin(), device_.end(), &result, compute::plus<T>(), queue_);
      return result == std::accumulate(host_.begin(), host_.end(), T(0), sum());
    });
    check("reduce-max", [&] {
      T result = 0;
      compute::reduce(device_.begin(), device_.end(), &result, compute::max<T>(), queue_);
      return result == *std::max_element(host_.begin(), host_.end());
    });
    check("accumulate", [&] {
      return compute::accumulate(device_.begin(), device_.end(), T(0), queue_) ==
             std::accumulate(host_.begin(), host_.end(), T(0), sum());
    });
    check("accumulate-minus", [&] {
      return compute::accumulate(device_.begin(), device_.end(), T(0), compute::minus<T>(), queue_) ==
             std::accumulate(host_.begin(), host_.end(), T(0), [](T a, T b) { return T(a - b); });
    });
    check("inner_product", [&] {
      auto small = random_values<T>(count_, 3, 5);
      Vector vector(small.begin(), small.end(), queue_);
      return compute::inner_product(vector.begin(), vector.end(), vector.begin(), T(0), queue_) ==
             std::inner_product(small.begin(), small.end(), small.begin(), T(0), sum(),
                                [](T a, T b) { return T(a * b); });
    });
    check("transform_reduce", [&] {
      auto small = random_values<T>(count_, 3, 5);
      Vector vector(small.begin(), small.end(), queue_);
      T result = 0, expected = 0;
      compute::transform_reduce(vector.begin(), vector.end(), &result, square(), compute::plus<T>(), queue_);
      for (T value : small)
        expected = static_cast<T>(expected + value * value);
      return result == expected;
    });
    check("min_element", [&] {
      return compute::min_element(device_.begin(), device_.end(), queue_) - device_.begin() ==
             std::min_element(host_.begin(), host_.end()) - host_.begin();
    });
    check("max_element", [&] {
      return compute::max_element(device_.begin(), device_.end(), queue_) - device_.begin() ==
             std::max_element(host_.begin(), host_.end()) - host_.begin();
    });
    check("count", [&] {
      return long(compute::count(device_.begin(), device_.end(), T(17), queue_)) ==
             std::count(host_.begin(), host_.end(), T(17));
    });
  }

  static compute::function<T(T)> square() {
    return compute::make_function_from_source<T(T)>("square", std::string(compute::type_name<T>()) + " square(" +
                                                                  compute::type_name<T>() + " x) { return x * x; }");
  }

  // Runs of equal keys become one, with the sum, the maximum of their values.
  void keys() {
    std::vector<int> keys = random_values<int>(count_, int(count_) / 10, 3);
    std::sort(keys.begin(), keys.end());
    compute::vector<int> device_keys(keys.begin(), keys.end(), queue_);
    check("reduce_by_key", [&] { return reduces(keys, device_keys, compute::plus<T>(), sum()); });
    check("reduce_by_key-max",
          [&] { return reduces(keys, device_keys, compute::max<T>(), [](T a, T b) { return std::max(a, b); }); });
  }

  template <typename Device, typename Host>
  bool reduces(const std::vector<int> &keys, compute::vector<int> &device_keys, Device device_function, Host function) {
    compute::vector<int> key_results(count_, queue_.get_context());
    Vector results(count_, queue_.get_context());
    auto ends = compute::reduce_by_key(device_keys.begin(), device_keys.end(), device_.begin(), key_results.begin(),
                                       results.begin(), device_function, queue_);
    std::map<int, T> expected;
    for (size_t i = 0; i < count_; ++i) {
      auto [at, is_new] = expected.emplace(keys[i], host_[i]);
      if (!is_new)
        at->second = function(at->second, host_[i]);
    }
    size_t found = ends.first - key_results.begin();
    if (found != expected.size() || size_t(ends.second - results.begin()) != found)
      return false;
    std::vector<int> got_keys(found);
    compute::copy(key_results.begin(), ends.first, got_keys.begin(), queue_);
    std::vector<T> got = fetch(results, found);
    size_t i = 0;
    for (auto [key, value] : expected) {
      if (got_keys[i] != key || got[i] != value)
        return false;
      ++i;
    }
    return true;
  }

  void searches() {
    std::vector<T> in_order = sorted(host_);
    Vector vector(in_order.begin(), in_order.end(), queue_);
    check("find", [&] {
      return compute::find(device_.begin(), device_.end(), T(99), queue_) - device_.begin() ==
             std::find(host_.begin(), host_.end(), T(99)) - host_.begin();
    });
    check("lower_bound", [&] {
      return compute::lower_bound(vector.begin(), vector.end(), T(40), queue_) - vector.begin() ==
             std::lower_bound(in_order.begin(), in_order.end(), T(40)) - in_order.begin();
    });
    check("upper_bound", [&] {
      return compute::upper_bound(vector.begin(), vector.end(), T(40), queue_) - vector.begin() ==
             std::upper_bound(in_order.begin(), in_order.end(), T(40)) - in_order.begin();
    });
    check("binary_search", [&] {
      return compute::binary_search(vector.begin(), vector.end(), T(40), queue_) ==
             std::binary_search(in_order.begin(), in_order.end(), T(40));
    });
    check("equal", [&] {
      return compute::equal(device_.begin(), device_.end(), device_.begin(), queue_) &&
             !compute::equal(device_.begin(), device_.end(), other_device_.begin(), queue_);
    });
    check("mismatch", [&] {
      return compute::mismatch(device_.begin(), device_.end(), other_device_.begin(), queue_).first - device_.begin() ==
             std::mismatch(host_.begin(), host_.end(), other_.begin()).first - host_.begin();
    });
    check("search", [&] {
      size_t at = count_ / 2, length = 5;
      return compute::search(device_.begin(), device_.end(), device_.begin() + at, device_.begin() + at + length,
                             queue_) -
                 device_.begin() ==
             std::search(host_.begin(), host_.end(), host_.begin() + at, host_.begin() + at + length) - host_.begin();
    });
    check("adjacent_find", [&] {
      return compute::adjacent_find(device_.begin(), device_.end(), queue_) - device_.begin() ==
             std::adjacent_find(host_.begin(), host_.end()) - host_.begin();
    });
    check("is_permutation", [&] {
      return compute::is_permutation(vector.begin(), vector.end(), device_.begin(), device_.end(), queue_) &&
             !compute::is_permutation(vector.begin(), vector.end(), other_device_.begin(), other_device_.end(), queue_);
    });
    check("lexicographical_compare", [&] {
      return compute::lexicographical_compare(device_.begin(), device_.end(), other_device_.begin(),
                                              other_device_.end(), queue_) ==
             std::lexicographical_compare(host_.begin(), host_.end(), other_.begin(), other_.end());
    });
  }

  // Compares what an algorithm leaves in a vector with what one of the C++ library leaves.
  template <typename Device, typename Host> void in_place(const char *name, Device on_device, Host on_host) {
    check(name, [&] {
      Vector vector = copy();
      std::vector<T> expected = host_;
      size_t length = on_device(vector), expected_length = on_host(expected);
      expected.resize(expected_length);
      return length == expected_length && fetch(vector, length) == expected;
    });
  }

  void moves() {
    using compute::lambda::_1;
    in_place(
        "reverse", [&](Vector &v) { return compute::reverse(v.begin(), v.end(), queue_), v.size(); },
        [](auto &v) { return std::reverse(v.begin(), v.end()), v.size(); });
    in_place(
        "rotate", [&](Vector &v) { return compute::rotate(v.begin(), v.begin() + 7, v.end(), queue_), v.size(); },
        [](auto &v) { return std::rotate(v.begin(), v.begin() + 7, v.end()), v.size(); });
    in_place(
        "unique", [&](Vector &v) { return compute::unique(v.begin(), v.end(), queue_) - v.begin(); },
        [](auto &v) { return std::unique(v.begin(), v.end()) - v.begin(); });
    in_place(
        "remove", [&](Vector &v) { return compute::remove(v.begin(), v.end(), T(3), queue_) - v.begin(); },
        [](auto &v) { return std::remove(v.begin(), v.end(), T(3)) - v.begin(); });
    in_place(
        "replace", [&](Vector &v) { return compute::replace(v.begin(), v.end(), T(3), T(5), queue_), v.size(); },
        [](auto &v) { return std::replace(v.begin(), v.end(), T(3), T(5)), v.size(); });
    in_place(
        "stable_partition",
        [&](Vector &v) { return compute::stable_partition(v.begin(), v.end(), _1 > T(50), queue_), v.size(); },
        [](auto &v) { return std::stable_partition(v.begin(), v.end(), [](T x) { return x > T(50); }), v.size(); });
    in_place(
        "copy_if",
        [&](Vector &v) {
          return compute::copy_if(device_.begin(), device_.end(), v.begin(), _1 > T(50), queue_) - v.begin();
        },
        [&](auto &v) {
          return std::copy_if(host_.begin(), host_.end(), v.begin(), [](T x) { return x > T(50); }) - v.begin();
        });
    in_place(
        "fill", [&](Vector &v) { return compute::fill(v.begin() + 3, v.end(), T(9), queue_), v.size(); },
        [](auto &v) { return std::fill(v.begin() + 3, v.end(), T(9)), v.size(); });
    in_place(
        "iota", [&](Vector &v) { return compute::iota(v.begin(), v.end(), T(4), queue_), v.size(); },
        [](auto &v) { return std::iota(v.begin(), v.end(), T(4)), v.size(); });
    check("gather", [&] { return moves_by_index(true); });
    check("scatter", [&] { return moves_by_index(false); });
  }

  bool moves_by_index(bool gathers) {
    std::vector<int> map(count_);
    std::iota(map.begin(), map.end(), 0);
    std::shuffle(map.begin(), map.end(), std::minstd_rand(4));
    compute::vector<int> device_map(map.begin(), map.end(), queue_);
    Vector result(count_, queue_.get_context());
    if (gathers)
      compute::gather(device_map.begin(), device_map.end(), device_.begin(), result.begin(), queue_);
    else
      compute::scatter(device_.begin(), device_.end(), device_map.begin(), result.begin(), queue_);
    std::vector<T> expected(count_);
    for (size_t i = 0; i < count_; ++i)
      (gathers ? expected[i] : expected[map[i]]) = gathers ? host_[map[i]] : host_[i];
    return fetch(result) == expected;
  }

  // An algorithm on two sorted ranges.
  template <typename Device, typename Host> void on_sorted(const char *name, Device on_device, Host on_host) {
    check(name, [&] {
      std::vector<T> first = sorted(host_), second = sorted(other_), expected;
      Vector a(first.begin(), first.end(), queue_), b(second.begin(), second.end(), queue_);
      Vector result(2 * count_, queue_.get_context());
      on_host(first, second, std::back_inserter(expected));
      size_t length = on_device(a, b, result) - result.begin();
      return length == expected.size() && fetch(result, length) == expected;
    });
  }

  void merges() {
    on_sorted(
        "merge",
        [&](auto &a, auto &b, auto &r) {
          return compute::merge(a.begin(), a.end(), b.begin(), b.end(), r.begin(), queue_);
        },
        [](auto &a, auto &b, auto to) { std::merge(a.begin(), a.end(), b.begin(), b.end(), to); });
    on_sorted(
        "set_union",
        [&](auto &a, auto &b, auto &r) {
          return compute::set_union(a.begin(), a.end(), b.begin(), b.end(), r.begin(), queue_);
        },
        [](auto &a, auto &b, auto to) { std::set_union(a.begin(), a.end(), b.begin(), b.end(), to); });
    on_sorted(
        "set_intersection",
        [&](auto &a, auto &b, auto &r) {
          return compute::set_intersection(a.begin(), a.end(), b.begin(), b.end(), r.begin(), queue_);
        },
        [](auto &a, auto &b, auto to) { std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), to); });
    on_sorted(
        "set_difference",
        [&](auto &a, auto &b, auto &r) {
          return compute::set_difference(a.begin(), a.end(), b.begin(), b.end(), r.begin(), queue_);
        },
        [](auto &a, auto &b, auto to) { std::set_difference(a.begin(), a.end(), b.begin(), b.end(), to); });
  }

  void elements() {
    check("transform", [&] {
      Vector result(count_, queue_.get_context());
      compute::transform(device_.begin(), device_.end(), other_device_.begin(), result.begin(), compute::plus<T>(),
                         queue_);
      std::vector<T> expected(count_);
      std::transform(host_.begin(), host_.end(), other_.begin(), expected.begin(), sum());
      return fetch(result) == expected;
    });
    check("transform-lambda", [&] {
      using compute::lambda::_1;
      Vector result(count_, queue_.get_context());
      compute::transform(device_.begin(), device_.end(), result.begin(), _1 * T(2) + T(1), queue_);
      std::vector<T> expected(count_);
      std::transform(host_.begin(), host_.end(), expected.begin(), [](T x) { return T(x * 2 + 1); });
      return fetch(result) == expected;
    });
    check("transform_if", [&] {
      using compute::lambda::_1;
      Vector result(count_, queue_.get_context());
      size_t length =
          compute::transform_if(device_.begin(), device_.end(), result.begin(), _1 + T(1), _1 > T(50), queue_) -
          result.begin();
      std::vector<T> expected;
      for (T value : host_)
        if (value > T(50))
          expected.push_back(T(value + 1));
      return length == expected.size() && fetch(result, length) == expected;
    });
    check("all_of-any_of-none_of", [&] {
      using compute::lambda::_1;
      return compute::all_of(device_.begin(), device_.end(), _1 < T(101), queue_) &&
             !compute::any_of(device_.begin(), device_.end(), _1 > T(100), queue_) &&
             compute::none_of(device_.begin(), device_.end(), _1 > T(100), queue_);
    });
  }

  compute::command_queue &queue_;
  size_t count_;
  std::vector<T> host_, other_;
  Vector device_, other_device_;
};

// What depends on no type: random numbers, strings, hash.
void check_random(compute::context &context, compute::command_queue &queue) {
  size_t count = 100000;
  compute::vector<unsigned> numbers(count, context);
  compute::mersenne_twister_engine<unsigned> engine(queue, 5489);
  engine.generate(numbers.begin(), numbers.end(), queue);
  std::vector<unsigned> got(count), expected(count);
  compute::copy(numbers.begin(), numbers.end(), got.begin(), queue);
  std::mt19937 reference(5489);
  std::generate(expected.begin(), expected.end(), std::ref(reference));
  printf("%s mersenne_twister_engine-uint-%zu \n", got == expected ? "passed" : "wrong", count);
}

} // namespace

int main() {
  compute::device device = compute::system::default_device();
  compute::context context(device);
  compute::command_queue queue(context, device);
  for (size_t count : {100, 4097, 300000}) {
    Checks<int>(queue, count).all();
    Checks<unsigned>(queue, count).all();
    Checks<float>(queue, count).all();
    Checks<long>(queue, count).all();
    if (device.supports_extension("cl_khr_fp64"))
      Checks<double>(queue, count).all();
  }
  check_random(context, queue);
}
