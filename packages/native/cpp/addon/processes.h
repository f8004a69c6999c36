#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>

namespace trtscope {

// From now on what a descendant leaves behind becomes a child of this process, and is found below it.
bool becomeSubreaper() noexcept;

// Ends for good what has become a child of this process in that way and has exited. `own` is the one child that
// somebody else waits for.
void reapAdopted(pid_t own) noexcept;

// How many files this process may open, and its children from now on; answers how many it could before.
std::size_t limitFiles(std::size_t count) noexcept;

// Sends a signal to all processes below `root`, and to itself unless it is this process; answers to how many. One by
// one and by handle, so that nothing else is met that has got a number meanwhile.
// The signal 0 only counts them. Where `started` is told, nothing is sent unless `root` still is that process.
std::size_t signalTree(pid_t root, int signal, const std::string& started = {});

// When a process began, in clock ticks: with its number that names one process for good. "" when it cannot be told.
std::string startOf(pid_t pid);

// Who is at the other end of a socket. Answers false when that cannot be told.
bool peerOf(int fd, uid_t& user, pid_t& process) noexcept;

// Notes from now on where a signal comes from that has a handler already.
void noteSenders(int signal) noexcept;
// Whether the last such signal came from the terminal, and so went to every process that it has in front.
bool cameFromTerminal(int signal) noexcept;

}  // namespace trtscope
