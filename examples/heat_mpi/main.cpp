// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Solves the heat equation on a grid that MPI divides among processes, on one machine or on several. Each rank computes
// a band of rows on a device of its own, and exchanges rows with the ranks above and below after every step.
//
//   mpirun -n 4 --bind-to none example_heat_mpi --width 2048 --height 2048 --steps 100
#include "common/example.hpp"

#include <mpi.h>

#include <cstring>

namespace {

constexpr size_t kWidth = 16; // the sub-group size that the kernel requires
constexpr size_t kRows = 16;  // rows that a sub-group takes
constexpr float kRate = 0.2f; // must be below 1/4, or the steps are not stable

// The grid, which has a border of constant temperature, and which `size` ranks divide among them by rows.
struct Grid {
  size_t width, height, steps;
  // Returns the first row of a rank.
  size_t begin(int rank, int size) const { return height * size_t(rank) / size_t(size); }
};

// Returns the temperature at the start. Points of the border have the coordinate -1, or the width or height.
float temperature(const Grid &grid, ptrdiff_t x, ptrdiff_t y) {
  if (y < 0)
    return 100;
  if (x < 0 || x == ptrdiff_t(grid.width) || y == ptrdiff_t(grid.height))
    return 20;
  return 20 + float((x * 7 + y * 13) % 32);
}

// Computes the whole grid without its border, with one thread and without OpenCL.
std::vector<float> plainResult(const Grid &grid) {
  const size_t pitch = grid.width + 2;
  std::vector<float> now(pitch * (grid.height + 2));
  for (size_t y = 0; y < grid.height + 2; ++y)
    for (size_t x = 0; x < pitch; ++x)
      now[y * pitch + x] = temperature(grid, ptrdiff_t(x) - 1, ptrdiff_t(y) - 1);
  std::vector<float> next = now;
  for (size_t step = 0; step < grid.steps; ++step, now.swap(next))
    for (size_t y = 1; y <= grid.height; ++y)
      for (size_t i = y * pitch + 1; i <= y * pitch + grid.width; ++i)
        next[i] = now[i] + kRate * ((now[i - pitch] + now[i + pitch]) + (now[i - 1] + now[i + 1]) - 4 * now[i]);
  std::vector<float> points;
  for (size_t y = 1; y <= grid.height; ++y)
    points.insert(points.end(), &now[y * pitch + 1], &now[y * pitch + 1 + grid.width]);
  return points;
}

// The rank of this process and its neighbors.
struct Ranks {
  int rank = 0, size = 1;             // among all processes
  int local_rank = 0, local_size = 1; // among the processes on this machine

  Ranks() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm machine;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &machine);
    MPI_Comm_rank(machine, &local_rank);
    MPI_Comm_size(machine, &local_size);
    MPI_Comm_free(&machine);
  }
  int above() const { return rank == 0 ? MPI_PROC_NULL : rank - 1; }
  int below() const { return rank + 1 == size ? MPI_PROC_NULL : rank + 1; }
};

// A device, and what to call it in the output.
struct Part {
  cl::Device device;
  std::string name;
};

// Divides a device by this scheme, and returns the part with this number, counted modulo the number of parts.
Part partOf(cl::Device whole, const std::vector<cl_device_partition_property> &scheme, const char *name, int number) {
  std::vector<cl::Device> parts;
  whole.createSubDevices(scheme.data(), &parts);
  const size_t index = size_t(number) % parts.size();
  return {parts[index], std::string(name) + " " + std::to_string(index + 1) + " of " + std::to_string(parts.size())};
}

bool hasScheme(const cl::Device &device, cl_device_partition_property scheme) {
  const auto schemes = device.getInfo<CL_DEVICE_PARTITION_PROPERTIES>();
  return std::find(schemes.begin(), schemes.end(), scheme) != schemes.end();
}

// Returns the part of the machine's device that this rank computes on. By default it is a NUMA node if there are
// several and enough for all ranks. Otherwise every rank on this machine gets the same number of compute units.
Part chooseDevice(const example::Options &options, const Ranks &ranks) {
  const std::string &divide = options.text("divide");
  if (divide != "auto" && divide != "numa" && divide != "equally" && divide != "none")
    throw std::runtime_error("--divide " + divide + ": needs auto, numa, equally or none");
  const cl::Device whole =
      example::chooseDevice(options.text("platform"), {"cl_intel_subgroups", "cl_intel_required_subgroup_size"});
  const bool by_node = hasScheme(whole, CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN) &&
                       (whole.getInfo<CL_DEVICE_PARTITION_AFFINITY_DOMAIN>() & CL_DEVICE_AFFINITY_DOMAIN_NUMA) != 0;
  if (divide == "numa" && !by_node)
    throw std::runtime_error("--divide numa: this machine has one NUMA node");
  if (by_node && (divide == "numa" || divide == "auto")) {
    const cl_device_partition_property nodes[] = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
                                                  CL_DEVICE_AFFINITY_DOMAIN_NUMA, 0};
    cl_uint count = 0;
    if (clCreateSubDevices(whole(), nodes, 0, nullptr, &count) == CL_SUCCESS &&
        (divide == "numa" || int(count) >= ranks.local_size))
      return partOf(whole, {nodes, nodes + 3}, "NUMA node", ranks.local_rank);
  }
  const size_t units = whole.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>();
  if (divide == "none" || ranks.local_size == 1 || !hasScheme(whole, CL_DEVICE_PARTITION_EQUALLY))
    return {whole, "the whole device"};
  const size_t each = std::max<size_t>(units / size_t(ranks.local_size), 1);
  return partOf(whole, {CL_DEVICE_PARTITION_EQUALLY, cl_device_partition_property(each), 0}, "part", ranks.local_rank);
}

// The rows of a rank on its device. A row above and a row below belong to the border or to a neighbor.
class Band {
public:
  // Fills both buffers with the temperatures at the start. Only the rows between the borders are ever computed.
  Band(const Grid &grid, const Ranks &ranks, const cl::Device &device)
      : ranks(ranks), rows(grid.begin(ranks.rank + 1, ranks.size) - grid.begin(ranks.rank, ranks.size)),
        width(grid.width), pitch(width + 2 * kWidth), context(device), queue(context, device),
        kernel(example::buildProgram(context, device, EXAMPLE_DIRECTORY, "heat.cl", ""), "step") {
    const auto first = ptrdiff_t(grid.begin(ranks.rank, ranks.size));
    std::vector<float> start((rows + 2) * pitch);
    for (size_t y = 0; y < rows + 2; ++y)
      for (size_t x = 0; x < width + 2; ++x)
        start[y * pitch + kWidth - 1 + x] = temperature(grid, ptrdiff_t(x) - 1, first + ptrdiff_t(y) - 1);
    for (cl::Buffer &buffer : {std::ref(now), std::ref(next)})
      buffer =
          cl::Buffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, start.size() * sizeof(float), start.data());
    for (std::vector<float> *row : {&first_row, &last_row, &row_above, &row_below})
      row->resize(width);
  }

  // Computes one step. The rows that the neighbors need come first, so that they travel while the others are computed.
  void step() {
    launch(1, 2);
    if (rows > 1)
      launch(rows, rows + 1);
    cl::Event read;
    queue.enqueueReadBuffer(next, CL_FALSE, offset(1), bytes(), first_row.data());
    queue.enqueueReadBuffer(next, CL_FALSE, offset(rows), bytes(), last_row.data(), nullptr, &read);
    if (rows > 2)
      launch(2, rows);
    queue.flush();
    // The queue is in order: the writes of the last step, from row_above and row_below, are done as well.
    read.wait();
    exchange();
    if (ranks.above() != MPI_PROC_NULL)
      queue.enqueueWriteBuffer(next, CL_FALSE, offset(0), bytes(), row_above.data());
    if (ranks.below() != MPI_PROC_NULL)
      queue.enqueueWriteBuffer(next, CL_FALSE, offset(rows + 1), bytes(), row_below.data());
    std::swap(now, next);
  }

  void finish() { queue.finish(); }

  // Returns the points without the borders.
  std::vector<float> points() {
    std::vector<float> result(rows * width);
    queue.enqueueReadBufferRect(now, CL_TRUE, {kWidth * sizeof(float), 1, 0}, {0, 0, 0}, {bytes(), rows, 1},
                                pitch * sizeof(float), 0, bytes(), 0, result.data());
    return result;
  }

private:
  size_t bytes() const { return width * sizeof(float); }
  size_t offset(size_t row) const { return (row * pitch + kWidth) * sizeof(float); }

  // Enqueues the computation of the rows from `begin` to `end`, without `end`.
  void launch(size_t begin, size_t end) {
    kernel.setArg(0, now);
    kernel.setArg(1, next);
    kernel.setArg(2, cl_uint(pitch));
    kernel.setArg(3, cl_uint(begin));
    kernel.setArg(4, cl_uint(end));
    kernel.setArg(5, kRate);
    queue.enqueueNDRangeKernel(kernel, cl::NullRange, {width, (end - begin + kRows - 1) / kRows}, {kWidth, 1});
  }

  // Sends the first and last row to the ranks above and below, and receives theirs. At the border the rank is
  // MPI_PROC_NULL, for which MPI does nothing.
  void exchange() {
    const int count = int(width);
    MPI_Sendrecv(first_row.data(), count, MPI_FLOAT, ranks.above(), 0, row_below.data(), count, MPI_FLOAT,
                 ranks.below(), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(last_row.data(), count, MPI_FLOAT, ranks.below(), 1, row_above.data(), count, MPI_FLOAT, ranks.above(),
                 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }

  const Ranks &ranks;
  const size_t rows, width, pitch;
  cl::Context context;
  cl::CommandQueue queue;
  cl::Kernel kernel;
  cl::Buffer now, next;
  std::vector<float> first_row, last_row, row_above, row_below;
};

// Prints the texts of all ranks, on rank 0 and in the order of the ranks.
void printInOrder(const Ranks &ranks, const std::string &text) {
  char line[160] = {};
  std::strncpy(line, text.c_str(), sizeof line - 1);
  std::vector<char> lines(ranks.rank == 0 ? sizeof line * size_t(ranks.size) : 0);
  MPI_Gather(line, sizeof line, MPI_CHAR, lines.data(), sizeof line, MPI_CHAR, 0, MPI_COMM_WORLD);
  for (size_t i = 0; i < lines.size(); i += sizeof line)
    std::printf("%s\n", &lines[i]);
}

// Collects the whole grid on rank 0.
std::vector<float> gather(const Grid &grid, const Ranks &ranks, const std::vector<float> &own) {
  std::vector<int> counts, begins;
  for (int rank = 0; rank < ranks.size; ++rank) {
    begins.push_back(int(grid.begin(rank, ranks.size) * grid.width));
    counts.push_back(int(grid.begin(rank + 1, ranks.size) * grid.width) - begins.back());
  }
  std::vector<float> all(ranks.rank == 0 ? grid.width * grid.height : 0);
  MPI_Gatherv(own.data(), int(own.size()), MPI_FLOAT, all.data(), counts.data(), begins.data(), MPI_FLOAT, 0,
              MPI_COMM_WORLD);
  return all;
}

bool verify(const Grid &grid, const std::vector<float> &all) {
  const std::vector<float> expected = plainResult(grid);
  for (size_t i = 0; i < expected.size(); ++i)
    if (all[i] != expected[i]) {
      std::printf("MISMATCH at (%zu, %zu): %.9g, expected %.9g\n", i % grid.width, i / grid.width, all[i], expected[i]);
      return false;
    }
  return true;
}

bool run(int argc, char **argv) {
  const example::Options options(argc, argv,
                                 {{"width", "1024"}, {"height", "1024"}, {"steps", "100"}, {"divide", "auto"}});
  const Grid grid{options.number("width", 1, 16384), options.number("height", 1, 16384), options.number("steps", 2)};
  const Ranks ranks;
  if (grid.width % kWidth != 0)
    throw std::runtime_error("--width needs a multiple of " + std::to_string(kWidth));
  if (grid.height < size_t(ranks.size))
    throw std::runtime_error("--height needs a row for each rank");

  const Part part = chooseDevice(options, ranks);
  if (ranks.rank == 0)
    example::printDevice(part.device);
  printInOrder(ranks, "Rank " + std::to_string(ranks.rank) + "    rows from " +
                          std::to_string(grid.begin(ranks.rank, ranks.size)) + " on " + part.name +
                          ", compute units: " + std::to_string(part.device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>()));
  Band band(grid, ranks, part.device);

  const auto steps = [&](size_t count) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (size_t step = 0; step < count; ++step)
      band.step();
    band.finish();
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Wtime() - start;
  };
  steps(1); // compiles the kernel
  const double seconds = steps(grid.steps - 1);

  const std::vector<float> all = gather(grid, ranks, band.points());
  if (ranks.rank != 0)
    return true;
  std::printf("Steps     %zu, %.3f ms each, %.0f million points per second\n", grid.steps,
              1e3 * seconds / double(grid.steps - 1),
              1e-6 * double(grid.width * grid.height * (grid.steps - 1)) / seconds);
  const bool right = verify(grid, all);
  std::printf("%s\n", right ? "Verified: every point is equal to a plain computation's" : "FAILED");
  return right;
}

} // namespace

// MPI_Abort ends the other ranks, which would otherwise wait for this one.
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int status = example::guarded([&] { return run(argc, argv); });
  std::fflush(stdout);
  if (status != 0)
    MPI_Abort(MPI_COMM_WORLD, status);
  MPI_Finalize();
  return status;
}
