// Threads do not survive a fork; this tells whether one has happened.
#pragma once

#include <cstdint>

namespace lanecl::scheduler {

void watchForks();         // once, before anything depends on forkGeneration()
uint64_t forkGeneration(); // how many forks lie between the process that began to watch and this one
void warnLostByFork();     // once a process: says on stderr what to do

} // namespace lanecl::scheduler
