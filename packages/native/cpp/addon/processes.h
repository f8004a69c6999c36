#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>

namespace trtscope {

// From now on what a descendant leaves behind becomes a child of this process, and is found below it.
bool becomeSubreaper() noexcept;

// Sends a signal to all processes below `root`, and to itself unless it is this process; answers to how many. One by
// one and by handle, so that nothing else is met that has got a number meanwhile.
// The signal 0 only counts them. Where `started` is told, nothing is sent unless `root` still is that process.
std::size_t signalTree(pid_t root, int signal, const std::string& started = {});

// When a process began, in clock ticks: with its number that names one process for good. "" when it cannot be told.
std::string startOf(pid_t pid);

// Takes note of the ends of children that this process did not start itself: without it they stay as zombies.
void reapAdopted(pid_t started) noexcept;

// Who is at the other end of a socket. Answers false when that cannot be told.
bool peerOf(int fd, uid_t& user, pid_t& process) noexcept;

// Notes from now on where a signal comes from that has a handler already.
void noteSenders(int signal) noexcept;
// Whether the last such signal came from the terminal, and so went to every process that it has in front.
bool cameFromTerminal(int signal) noexcept;

}  // namespace trtscope
