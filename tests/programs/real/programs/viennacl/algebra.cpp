// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ViennaCL's linear algebra on the only OpenCL device, compared with plain loops on the host in double precision.
// Prints a line for each: passed, failed or wrong, its name and the error.
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>
#include <viennacl/compressed_matrix.hpp>
#include <viennacl/coordinate_matrix.hpp>
#include <viennacl/ell_matrix.hpp>
#include <viennacl/hyb_matrix.hpp>
#include <viennacl/linalg/bicgstab.hpp>
#include <viennacl/linalg/cg.hpp>
#include <viennacl/linalg/direct_solve.hpp>
#include <viennacl/linalg/gmres.hpp>
#include <viennacl/linalg/inner_prod.hpp>
#include <viennacl/linalg/jacobi_precond.hpp>
#include <viennacl/linalg/lu.hpp>
#include <viennacl/linalg/norm_1.hpp>
#include <viennacl/linalg/norm_2.hpp>
#include <viennacl/linalg/norm_inf.hpp>
#include <viennacl/linalg/prod.hpp>
#include <viennacl/matrix.hpp>
#include <viennacl/vector.hpp>

namespace {

using Values = std::vector<double>;

// A matrix of the host, row after row.
struct Matrix {
  size_t rows, columns;
  Values values;
  double at(size_t row, size_t column) const { return values[row * columns + column]; }
};

std::minstd_rand random_engine(5);

template <typename T> Values random_values(size_t count) {
  std::uniform_real_distribution<double> values(-1, 1);
  Values result(count);
  for (double &value : result)
    value = static_cast<T>(values(random_engine));
  return result;
}

Matrix product(const Matrix &a, const Matrix &b) {
  Matrix result{a.rows, b.columns, Values(a.rows * b.columns)};
  for (size_t i = 0; i < a.rows; ++i)
    for (size_t k = 0; k < a.columns; ++k)
      for (size_t j = 0; j < b.columns; ++j)
        result.values[i * b.columns + j] += a.at(i, k) * b.at(k, j);
  return result;
}

Matrix transposed(const Matrix &a) {
  Matrix result{a.columns, a.rows, Values(a.values.size())};
  for (size_t i = 0; i < a.rows; ++i)
    for (size_t j = 0; j < a.columns; ++j)
      result.values[j * a.rows + i] = a.at(i, j);
  return result;
}

template <typename T> class Checks {
public:
  explicit Checks(const char *type) : type_(type) {}

  void all() {
    for (size_t size : {1, 33, 1000, 100003})
      vectors(size);
    for (size_t size : {1, 17, 64, 130})
      dense<viennacl::row_major>(size, size + 5, size + 11, "row-major");
    for (size_t size : {17, 128})
      dense<viennacl::column_major>(size, size + 5, size + 11, "column-major");
    for (size_t size : {5, 60, 130})
      direct(size);
    sparse();
  }

private:
  using Vector = viennacl::vector<T>;

  void report(const std::string &name, double error, double bound) {
    bool good = error <= bound; // false for NaN
    printf("%s %s-%s error %.1e, at most %.1e\n", good ? "passed" : "wrong", type_, name.c_str(), error, bound);
    fflush(stdout);
  }

  static double epsilon(double factor) { return factor * std::numeric_limits<T>::epsilon(); }

  static Vector to_device(const Values &values) {
    std::vector<T> narrow(values.begin(), values.end());
    Vector result(values.size());
    viennacl::copy(narrow, result);
    return result;
  }
  template <typename Device> static Values fetch(const Device &vector) {
    std::vector<T> narrow(vector.size());
    viennacl::copy(vector, narrow);
    return {narrow.begin(), narrow.end()};
  }

  template <typename Layout> static viennacl::matrix<T, Layout> to_device(const Matrix &matrix) {
    std::vector<std::vector<T>> rows(matrix.rows, std::vector<T>(matrix.columns));
    for (size_t i = 0; i < matrix.rows; ++i)
      for (size_t j = 0; j < matrix.columns; ++j)
        rows[i][j] = static_cast<T>(matrix.at(i, j));
    viennacl::matrix<T, Layout> result(matrix.rows, matrix.columns);
    viennacl::copy(rows, result);
    return result;
  }
  template <typename Layout> static Values fetch_matrix(const viennacl::matrix<T, Layout> &matrix) {
    std::vector<std::vector<T>> rows(matrix.size1(), std::vector<T>(matrix.size2()));
    viennacl::copy(matrix, rows);
    Values result;
    for (const std::vector<T> &row : rows)
      result.insert(result.end(), row.begin(), row.end());
    return result;
  }

  // The norm of the difference, relative to that of what is expected.
  static double difference(const Values &got, const Values &expected) {
    double squares = 0, all = 0;
    for (size_t i = 0; i < expected.size(); ++i) {
      squares += (got[i] - expected[i]) * (got[i] - expected[i]);
      all += expected[i] * expected[i];
    }
    return got.size() == expected.size() ? std::sqrt(squares / std::max(all, 1e-30)) : HUGE_VAL;
  }

  void vectors(size_t size) {
    std::string suffix = "-" + std::to_string(size);
    Values a = random_values<T>(size), b = random_values<T>(size), sum(size);
    Vector x = to_device(a), y = to_device(b), z(size);
    double dot = 0, one = 0, two = 0, most = 0;
    for (size_t i = 0; i < size; ++i) {
      sum[i] = 2 * a[i] - 3 * b[i];
      dot += a[i] * b[i];
      one += std::abs(a[i]);
      two += a[i] * a[i];
      most = std::max(most, std::abs(a[i]));
    }
    z = T(2) * x - T(3) * y;
    report("axpy" + suffix, difference(fetch(z), sum), epsilon(4));
    double bound = epsilon(4 * std::sqrt(double(size)));
    report("inner_prod" + suffix, std::abs(T(viennacl::linalg::inner_prod(x, y)) - dot) / two, bound);
    report("norm_1" + suffix, std::abs(T(viennacl::linalg::norm_1(x)) - one) / one, bound);
    report("norm_2" + suffix, std::abs(T(viennacl::linalg::norm_2(x)) - std::sqrt(two)) / std::sqrt(two), bound);
    report("norm_inf" + suffix, std::abs(T(viennacl::linalg::norm_inf(x)) - most), 0);
    z = viennacl::linalg::element_prod(x, y);
    for (size_t i = 0; i < size; ++i)
      sum[i] = a[i] * b[i];
    report("element_prod" + suffix, difference(fetch(z), sum), epsilon(4));
    x.swap(y);
    report("swap" + suffix, difference(fetch(x), b) + difference(fetch(y), a), 0);
  }

  template <typename Layout> void dense(size_t m, size_t n, size_t k, const std::string &layout) {
    std::string suffix = "-" + layout + "-" + std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k);
    Matrix a{m, k, random_values<T>(m * k)}, b{k, n, random_values<T>(k * n)}, v{k, 1, random_values<T>(k)};
    viennacl::matrix<T, Layout> x = to_device<Layout>(a), y = to_device<Layout>(b), result(m, n);
    viennacl::matrix<T, Layout> xt = to_device<Layout>(transposed(a)), yt = to_device<Layout>(transposed(b));
    Values expected = product(a, b).values;
    double bound = epsilon(4 + std::sqrt(double(k)));
    result = viennacl::linalg::prod(x, y);
    report("gemm" + suffix, difference(fetch_matrix(result), expected), bound);
    result = viennacl::linalg::prod(trans(xt), y);
    report("gemm-tn" + suffix, difference(fetch_matrix(result), expected), bound);
    result = viennacl::linalg::prod(x, trans(yt));
    report("gemm-nt" + suffix, difference(fetch_matrix(result), expected), bound);
    result = viennacl::linalg::prod(trans(xt), trans(yt));
    report("gemm-tt" + suffix, difference(fetch_matrix(result), expected), bound);
    Vector in = to_device(v.values), out(m);
    out = viennacl::linalg::prod(x, in);
    report("gemv" + suffix, difference(fetch(out), product(a, v).values), bound);
    out = viennacl::linalg::prod(trans(xt), in);
    report("gemv-t" + suffix, difference(fetch(out), product(a, v).values), bound);
  }

  // The solution is known; the matrix is dominated by its diagonal.
  void direct(size_t size) {
    std::string suffix = "-" + std::to_string(size);
    Matrix a{size, size, random_values<T>(size * size)}, solution{size, 1, random_values<T>(size)};
    for (size_t i = 0; i < size; ++i)
      a.values[i * size + i] += double(size);
    Vector right = to_device(product(a, solution).values);
    auto matrix = to_device<viennacl::row_major>(a);
    viennacl::linalg::lu_factorize(matrix);
    viennacl::linalg::lu_substitute(matrix, right);
    report("lu" + suffix, difference(fetch(right), solution.values), epsilon(100));
    triangular(a, solution, true, "solve-lower" + suffix);
    triangular(a, solution, false, "solve-upper" + suffix);
  }

  void triangular(Matrix a, const Matrix &solution, bool lower, const std::string &name) {
    auto matrix = to_device<viennacl::row_major>(a);
    for (size_t i = 0; i < a.rows; ++i)
      for (size_t j = 0; j < a.columns; ++j)
        if (lower ? j > i : j < i)
          a.values[i * a.columns + j] = 0;
    Vector right = to_device(product(a, solution).values);
    if (lower)
      viennacl::linalg::inplace_solve(matrix, right, viennacl::linalg::lower_tag());
    else
      viennacl::linalg::inplace_solve(matrix, right, viennacl::linalg::upper_tag());
    report(name, difference(fetch(right), solution.values), epsilon(100));
  }

  // The five-point operator of a grid, with some entries more; symmetric and positive.
  void sparse() {
    const size_t width = 40, size = width * width;
    std::vector<std::map<unsigned, T>> rows(size);
    for (size_t i = 0; i < size; ++i) {
      rows[i][i] = T(4.5);
      for (size_t j : {i + 1, i + width})
        if (j < size && (j != i + 1 || j % width != 0))
          rows[i][j] = rows[j][i] = T(-1);
    }
    for (unsigned j = 0; j < 200; j += 3)
      rows[7][j] = rows[j][7] = T(j == 7 ? 4.5 : -0.001);
    Values solution = random_values<T>(size), product(size);
    for (size_t i = 0; i < size; ++i)
      for (auto [column, value] : rows[i])
        product[i] += double(value) * solution[column];
    formats(rows, solution, product);
    solvers(rows, solution, product);
  }

  template <typename Format>
  void format(const char *name, const std::vector<std::map<unsigned, T>> &rows, const Values &x,
              const Values &expected) {
    Format matrix;
    viennacl::copy(rows, matrix);
    Vector in = to_device(x), out(rows.size());
    out = viennacl::linalg::prod(matrix, in);
    report(std::string("product-") + name, difference(fetch(out), expected), epsilon(8));
  }

  void formats(const std::vector<std::map<unsigned, T>> &rows, const Values &x, const Values &expected) {
    format<viennacl::compressed_matrix<T>>("compressed", rows, x, expected);
    format<viennacl::coordinate_matrix<T>>("coordinate", rows, x, expected);
    format<viennacl::ell_matrix<T>>("ell", rows, x, expected);
    format<viennacl::hyb_matrix<T>>("hyb", rows, x, expected);
  }

  void solvers(const std::vector<std::map<unsigned, T>> &rows, const Values &solution, const Values &right_values) {
    viennacl::compressed_matrix<T> matrix(rows.size(), rows.size());
    viennacl::copy(rows, matrix);
    Vector right = to_device(right_values);
    const double wanted = epsilon(40), bound = epsilon(2000);
    Vector x = viennacl::linalg::solve(matrix, right, viennacl::linalg::cg_tag(wanted, 500));
    report("cg", difference(fetch(x), solution), bound);
    x = viennacl::linalg::solve(matrix, right, viennacl::linalg::bicgstab_tag(wanted, 500));
    report("bicgstab", difference(fetch(x), solution), bound);
    x = viennacl::linalg::solve(matrix, right, viennacl::linalg::gmres_tag(wanted, 500, 30));
    report("gmres", difference(fetch(x), solution), bound);
    viennacl::linalg::jacobi_precond<viennacl::compressed_matrix<T>> jacobi(matrix, viennacl::linalg::jacobi_tag());
    x = viennacl::linalg::solve(matrix, right, viennacl::linalg::cg_tag(wanted, 500), jacobi);
    report("cg-jacobi", difference(fetch(x), solution), bound);
  }

  const char *type_;
};

} // namespace

int main() {
  // ViennaCL looks for a GPU first, and for a CPU then.
  viennacl::ocl::set_context_device_type(0, CL_DEVICE_TYPE_ALL);
  Checks<float>("float").all();
  if (viennacl::ocl::current_device().double_support())
    Checks<double>("double").all();
}
