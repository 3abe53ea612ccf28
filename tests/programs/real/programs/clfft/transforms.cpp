// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transforms of clFFT on the only OpenCL device, compared with FFTW in double precision. Prints a line for each:
// passed, failed or wrong, its name and the error.
#include <CL/cl.h>
#include <clFFT.h>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <fftw3.h>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace {

enum class Kind { interleaved, planar, real };

struct Transform {
  std::vector<size_t> lengths; // the first is that of consecutive elements
  Kind kind;
  bool forward;
  bool in_place;
  size_t batch;
};

using Complex = std::complex<double>;

struct Device {
  cl_context context;
  cl_command_queue queue;
};

size_t product(const std::vector<size_t> &lengths) {
  size_t all = 1;
  for (size_t length : lengths)
    all *= length;
  return all;
}

// Elements of the half that a transform of real values has.
std::vector<size_t> half_of(std::vector<size_t> lengths) {
  lengths[0] = lengths[0] / 2 + 1;
  return lengths;
}

std::string name_of(const Transform &transform, const char *precision) {
  std::string name = precision;
  name += transform.kind == Kind::interleaved ? "-complex" : transform.kind == Kind::planar ? "-planar" : "-real";
  name += transform.forward ? "-forward" : "-backward";
  name += transform.in_place ? "-in-place" : "";
  for (size_t i = 0; i < transform.lengths.size(); ++i)
    name += (i == 0 ? "-" : "x") + std::to_string(transform.lengths[i]);
  return transform.batch == 1 ? name : name + "-batch-" + std::to_string(transform.batch);
}

std::vector<int> slowest_first(const std::vector<size_t> &lengths) {
  return {lengths.rbegin(), lengths.rend()};
}

fftw_complex *of_fftw(std::vector<Complex> &values) {
  return reinterpret_cast<fftw_complex *>(values.data());
}

// What FFTW makes of one batch. A backward transform is scaled as clFFT does.
std::vector<Complex> reference_complex(const Transform &transform, std::vector<Complex> values) {
  std::vector<int> lengths = slowest_first(transform.lengths);
  fftw_plan plan = fftw_plan_dft(static_cast<int>(lengths.size()), lengths.data(), of_fftw(values), of_fftw(values),
                                 transform.forward ? FFTW_FORWARD : FFTW_BACKWARD, FFTW_ESTIMATE);
  fftw_execute(plan);
  fftw_destroy_plan(plan);
  if (!transform.forward)
    for (Complex &value : values)
      value /= static_cast<double>(product(transform.lengths));
  return values;
}

std::vector<Complex> reference_of_real(const Transform &transform, std::vector<double> values) {
  std::vector<int> lengths = slowest_first(transform.lengths);
  std::vector<Complex> result(product(half_of(transform.lengths)));
  fftw_plan plan = fftw_plan_dft_r2c(static_cast<int>(lengths.size()), lengths.data(), values.data(), of_fftw(result),
                                     FFTW_ESTIMATE);
  fftw_execute(plan);
  fftw_destroy_plan(plan);
  return result;
}

// The transform on the device. Precision is float or double.
template <typename Precision> class OnDevice {
public:
  OnDevice(const Device &device, const Transform &transform) : device_(device), transform_(transform) {}
  ~OnDevice() {
    clfftDestroyPlan(&plan_);
    for (cl_mem buffer : buffers_)
      clReleaseMemObject(buffer);
  }
  OnDevice(const OnDevice &) = delete;
  OnDevice &operator=(const OnDevice &) = delete;

  // Fills in the plan: layouts, places, and the distances of rows in the real array.
  int prepare() {
    int status = clfftCreateDefaultPlan(&plan_, device_.context, static_cast<clfftDim>(transform_.lengths.size()),
                                        transform_.lengths.data());
    auto then = [&](int next) { status = status == CL_SUCCESS ? next : status; };
    then(clfftSetPlanPrecision(plan_, sizeof(Precision) == 8 ? CLFFT_DOUBLE : CLFFT_SINGLE));
    then(clfftSetPlanBatchSize(plan_, transform_.batch));
    then(clfftSetResultLocation(plan_, transform_.in_place ? CLFFT_INPLACE : CLFFT_OUTOFPLACE));
    then(clfftSetLayout(plan_, layout(transform_.forward), layout(!transform_.forward)));
    if (transform_.kind == Kind::real) {
      then(set_strides(transform_.forward, clfftSetPlanInStride));
      then(set_strides(!transform_.forward, clfftSetPlanOutStride));
      then(clfftSetPlanDistance(plan_, distance(transform_.forward), distance(!transform_.forward)));
    }
    then(clfftBakePlan(plan_, 1, &device_.queue, nullptr, nullptr));
    return status;
  }

  // Elements from one line of real (or complex) values to the next.
  size_t row(bool reals) const {
    if (transform_.kind != Kind::real)
      return transform_.lengths[0];
    size_t half = transform_.lengths[0] / 2 + 1;
    return !reals ? half : transform_.in_place ? 2 * half : transform_.lengths[0];
  }
  size_t distance(bool reals) const { return row(reals) * (product(transform_.lengths) / transform_.lengths[0]); }

  int run(const std::vector<std::vector<Precision>> &inputs, std::vector<std::vector<Precision>> &outputs) {
    std::vector<cl_mem> in = buffers(inputs), out = transform_.in_place ? in : buffers(outputs);
    int status =
        clfftEnqueueTransform(plan_, transform_.forward ? CLFFT_FORWARD : CLFFT_BACKWARD, 1, &device_.queue, 0, nullptr,
                              nullptr, in.data(), transform_.in_place ? nullptr : out.data(), nullptr);
    for (size_t i = 0; i < outputs.size() && status == CL_SUCCESS; ++i)
      status = clEnqueueReadBuffer(device_.queue, out[i], CL_TRUE, 0, outputs[i].size() * sizeof(Precision),
                                   outputs[i].data(), 0, nullptr, nullptr);
    return status;
  }

private:
  clfftLayout layout(bool reals) const {
    switch (transform_.kind) {
    case Kind::interleaved: return CLFFT_COMPLEX_INTERLEAVED;
    case Kind::planar: return CLFFT_COMPLEX_PLANAR;
    case Kind::real: return reals ? CLFFT_REAL : CLFFT_HERMITIAN_INTERLEAVED;
    }
    return CLFFT_REAL;
  }

  template <typename Set> int set_strides(bool reals, Set set) {
    std::vector<size_t> strides{1, row(reals), 0};
    strides[2] = transform_.lengths.size() > 1 ? strides[1] * transform_.lengths[1] : 0;
    return set(plan_, static_cast<clfftDim>(transform_.lengths.size()), strides.data());
  }

  std::vector<cl_mem> buffers(std::vector<std::vector<Precision>> arrays) {
    std::vector<cl_mem> made;
    for (std::vector<Precision> &array : arrays)
      made.push_back(clCreateBuffer(device_.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                    array.size() * sizeof(Precision), array.data(), nullptr));
    buffers_.insert(buffers_.end(), made.begin(), made.end());
    return made;
  }

  Device device_;
  Transform transform_;
  clfftPlanHandle plan_ = 0;
  std::vector<cl_mem> buffers_;
};

// Sums of squares: of what differs, and of what is expected.
struct Difference {
  double squares = 0, expected = 0;
  void add(Complex value, Complex reference) {
    squares += std::norm(value - reference);
    expected += std::norm(reference);
  }
};

template <typename Precision> struct Arrays {
  std::vector<std::vector<Precision>> inputs, outputs;
};

// The complex value at an index, as both layouts store it.
template <typename Precision> Complex complex_at(const std::vector<std::vector<Precision>> &arrays, size_t index) {
  if (arrays.size() == 2)
    return {arrays[0][index], arrays[1][index]};
  return {arrays[0][2 * index], arrays[0][2 * index + 1]};
}

template <typename Precision> Arrays<Precision> random_complex(const Transform &transform) {
  std::minstd_rand random(7);
  std::uniform_real_distribution<double> values(-1, 1);
  size_t all = product(transform.lengths) * transform.batch;
  bool planar = transform.kind == Kind::planar;
  std::vector<Precision> one(planar ? all : 2 * all);
  Arrays<Precision> arrays{std::vector(planar ? 2 : 1, one), std::vector(planar ? 2 : 1, one)};
  for (std::vector<Precision> &input : arrays.inputs)
    for (Precision &value : input)
      value = static_cast<Precision>(values(random));
  return arrays;
}

template <typename Precision>
int check_complex(const Device &device, const Transform &transform, Difference &difference) {
  OnDevice<Precision> on_device(device, transform);
  if (int status = on_device.prepare())
    return status;
  Arrays<Precision> arrays = random_complex<Precision>(transform);
  if (int status = on_device.run(arrays.inputs, arrays.outputs))
    return status;
  size_t count = product(transform.lengths);
  for (size_t batch = 0; batch < transform.batch; ++batch) {
    std::vector<Complex> input(count);
    for (size_t i = 0; i < count; ++i)
      input[i] = complex_at(arrays.inputs, batch * count + i);
    std::vector<Complex> expected = reference_complex(transform, input);
    for (size_t i = 0; i < count; ++i)
      difference.add(complex_at(arrays.outputs, batch * count + i), expected[i]);
  }
  return CL_SUCCESS;
}

// A transform of real values forward gives the half that FFTW gives. Backward, that half gives the values again.
template <typename Precision> int check_real(const Device &device, const Transform &transform, Difference &difference) {
  OnDevice<Precision> on_device(device, transform);
  if (int status = on_device.prepare())
    return status;
  size_t length = transform.lengths[0], half = length / 2 + 1, rows = product(transform.lengths) / length;
  size_t row = on_device.row(true);
  std::vector<Precision> reals(on_device.distance(true) * transform.batch);
  std::vector<Precision> halves(2 * on_device.distance(false) * transform.batch);
  std::minstd_rand random(7);
  std::uniform_real_distribution<double> values(-1, 1);
  std::vector<std::vector<Complex>> expected;
  for (size_t batch = 0; batch < transform.batch; ++batch) {
    std::vector<double> input(length * rows);
    for (size_t i = 0; i < input.size(); ++i)
      input[i] = reals[(batch * rows + i / length) * row + i % length] = static_cast<Precision>(values(random));
    expected.push_back(reference_of_real(transform, input));
    for (size_t i = 0; i < half * rows; ++i) {
      halves[2 * (batch * half * rows + i)] = static_cast<Precision>(expected.back()[i].real());
      halves[2 * (batch * half * rows + i) + 1] = static_cast<Precision>(expected.back()[i].imag());
    }
  }
  Arrays<Precision> arrays{{transform.forward ? reals : halves},
                           {std::vector<Precision>(transform.forward ? halves.size() : reals.size())}};
  if (int status = on_device.run(arrays.inputs, arrays.outputs))
    return status;
  for (size_t batch = 0; batch < transform.batch; ++batch)
    if (transform.forward)
      for (size_t i = 0; i < half * rows; ++i)
        difference.add(complex_at(arrays.outputs, batch * half * rows + i), expected[batch][i]);
    else
      for (size_t i = 0; i < length * rows; ++i) {
        size_t at = (batch * rows + i / length) * row + i % length;
        difference.add(arrays.outputs[0][at], reals[at]);
      }
  return CL_SUCCESS;
}

template <typename Precision> void check(const Device &device, const Transform &transform, const char *precision) {
  Difference difference;
  int status = transform.kind == Kind::real ? check_real<Precision>(device, transform, difference)
                                            : check_complex<Precision>(device, transform, difference);
  std::string name = name_of(transform, precision);
  if (status != CL_SUCCESS) {
    printf("failed %s clFFT returned %d\n", name.c_str(), status);
    return;
  }
  double error = std::sqrt(difference.squares / difference.expected);
  double bound = std::numeric_limits<Precision>::epsilon() * (2 + std::log2(double(product(transform.lengths))));
  printf("%s %s error %.1e, at most %.1e\n", error <= bound ? "passed" : "wrong", name.c_str(), error, bound);
  fflush(stdout);
}

std::vector<std::vector<size_t>> all_lengths() {
  std::vector<std::vector<size_t>> lengths;
  for (size_t radix : {2, 3, 5, 7, 11, 13})
    for (size_t length = radix; length <= (radix == 2 ? size_t(1) << 20 : 200000); length *= radix)
      lengths.push_back({length});
  for (size_t length :
       {6,    10,   12,   14,   15,   21,   22,   26,   35,   60,    100,   105,   120,   210,   360,   630,   1000,
        1001, 1155, 1260, 1920, 2310, 3072, 5000, 6000, 7875, 10000, 12288, 30030, 44100, 48000, 99225, 100000})
    lengths.push_back({length});
  std::vector<std::vector<size_t>> more{{8, 8},       {64, 32},   {27, 81},     {125, 25},    {49, 343},    {6, 10},
                                        {512, 512},   {1024, 16}, {16, 1024},   {243, 9},     {100, 30},    {210, 35},
                                        {1920, 108},  {121, 13},  {2048, 64},   {8, 8, 8},    {64, 64, 64}, {9, 27, 3},
                                        {5, 25, 5},   {7, 49, 7}, {16, 12, 10}, {32, 4, 128}, {11, 13, 4},  {15, 14, 6},
                                        {128, 32, 8}, {3, 5, 7}};
  lengths.insert(lengths.end(), more.begin(), more.end());
  return lengths;
}

Device open_device(bool &has_double) {
  cl_platform_id platform = nullptr;
  cl_device_id id = nullptr;
  if (clGetPlatformIDs(1, &platform, nullptr) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &id, nullptr)) {
    fprintf(stderr, "no OpenCL device\n");
    exit(1);
  }
  cl_device_fp_config doubles = 0;
  clGetDeviceInfo(id, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof doubles, &doubles, nullptr);
  has_double = doubles != 0;
  cl_context context = clCreateContext(nullptr, 1, &id, nullptr, nullptr, nullptr);
  return {context, clCreateCommandQueueWithProperties(context, id, nullptr, nullptr)};
}

} // namespace

// Every second way to do each transform is taken, so that any two choices are met in each combination.
int main() {
  bool has_double = false;
  Device device = open_device(has_double);
  clfftSetupData setup;
  clfftInitSetupData(&setup);
  clfftSetup(&setup);
  for (const std::vector<size_t> &lengths : all_lengths())
    for (Kind kind : {Kind::interleaved, Kind::planar, Kind::real})
      for (bool forward : {true, false})
        for (bool in_place : {false, true}) {
          Transform transform{lengths, kind, forward, in_place, product(lengths) < 2000 ? size_t(5) : size_t(1)};
          if ((int(kind) + forward + in_place) % 2 == 0)
            check<float>(device, transform, "single");
          else if (has_double)
            check<double>(device, transform, "double");
        }
  clfftTeardown();
}
