// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "run/worker.h"

#include "run/pipe.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <signal.h>
#include <sstream>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace lanecl::fuzz {

namespace {

std::string textOf(const std::vector<Finding> &findings) {
  std::ostringstream out;
  for (const Finding &finding : findings)
    out << unsigned(finding.verdict) << ' ' << finding.text.size() << ' ' << finding.kernel << '\n' << finding.text;
  return out.str();
}

std::vector<Finding> findingsIn(const std::string &reply) {
  std::vector<Finding> findings;
  std::istringstream in(reply);
  unsigned verdict = 0;
  size_t size = 0;
  while (in >> verdict >> size) {
    Finding finding{.verdict = Verdict(verdict)};
    in.get(); // skips the space
    std::getline(in, finding.kernel);
    finding.text.resize(size);
    in.read(finding.text.data(), std::streamsize(size));
    findings.push_back(std::move(finding));
  }
  return findings;
}

void enter(const Surroundings &surroundings) {
  for (const auto &[variable, value] : surroundings.environment)
    setenv(variable.c_str(), value.c_str(), 1);
  if (!surroundings.errors.empty() && !std::freopen(surroundings.errors.c_str(), "w", stderr))
    throw std::runtime_error("cannot write " + surroundings.errors.string());
}

// The main function of the worker process.
[[noreturn]] void serve(const std::string &platform, const Surroundings &surroundings, int requests, int replies) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  try {
    enter(surroundings);
    const Device device(platform);
    for (std::string text; receiveText(requests, text, std::nullopt) == Received::Text;) {
      std::istringstream in(text);
      sendText(replies, textOf(device.run(readCase(in))));
    }
  } catch (const std::exception &failure) {
    sendText(replies, textOf({{Verdict::LaunchFailed, "", std::string(failure.what()) + "\n"}}));
    _exit(1);
  }
  _exit(0);
}

} // namespace

// Forks a process that serves cases from one pipe and answers through another.
void Worker::start() {
  int down[2], up[2];
  if (pipe(down) != 0 || pipe(up) != 0)
    throw std::runtime_error(std::string("pipe: ") + std::strerror(errno));
  process = fork();
  if (process < 0)
    throw std::runtime_error(std::string("fork: ") + std::strerror(errno));
  if (process == 0) {
    close(down[1]);
    close(up[0]);
    serve(platform, surroundings, down[0], up[1]);
  }
  close(down[0]);
  close(up[1]);
  requests = down[1];
  replies = up[0];
}

// Kills the process.
void Worker::stop() {
  running = false;
  if (process < 0)
    return;
  close(requests);
  close(replies);
  kill(process, SIGKILL);
  waitpid(process, nullptr, 0);
  process = -1;
}

void Worker::begin(const Case &test, std::chrono::seconds patience) {
  if (process < 0)
    start();
  std::ostringstream text;
  write(text, test);
  running = true;
  until = std::chrono::steady_clock::now() + patience;
  sendText(requests, text.str()); // if the worker has died, its closed pipe tells so
}

std::vector<Finding> Worker::finish() {
  std::string reply;
  const Received got = receiveText(replies, reply, until);
  running = false;
  if (got == Received::TooLate) {
    stop();
    return {{Verdict::Hung, "", "no answer in time\n"}};
  }
  if (got == Received::Text)
    return findingsIn(reply);
  int status = 0;
  waitpid(process, &status, 0);
  close(requests);
  close(replies);
  process = -1;
  return {{Verdict::Crashed, "",
           WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status)) + "\n"
                               : "exit status " + std::to_string(WEXITSTATUS(status)) + "\n"}};
}

} // namespace lanecl::fuzz
