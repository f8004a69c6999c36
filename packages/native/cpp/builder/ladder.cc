#include "builder/ladder.h"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "monitor/kernel_facts.h"

namespace trtscope {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;
// How long telling of the end may take, of an end that is to be bounded and of an engine that is in place.
constexpr std::uint64_t kLastWords = kSecond / 10;
constexpr std::uint64_t kLastWordsInPlace = 2 * kSecond;
constexpr int kTerminated = 128 + SIGTERM;

}  // namespace

Ladder::Ladder(EngineBuild& build, EventWriter& writer, std::uint64_t graceNs)
    : build_(build), writer_(writer), graceNs_(graceNs) {
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGKILL;
  if (timer_create(CLOCK_MONOTONIC, &event, &killer_) < 0) {
    throw std::system_error(errno, std::generic_category(), "timer_create");
  }
}

Ladder::~Ladder() { timer_delete(killer_); }

void Ladder::begin() {
  if (rung_ != Rung::kNone) return;
  rung_ = Rung::kAsked;
  dueNs_ = nowNs() + graceNs_;
  killAt(dueNs_ + graceNs_ + kLastWords);
  if (graceNs_ == 0) depart(Rung::kKilled, build_.stop(Escalation::kKill));
}

void Ladder::climb() {
  switch (rung_) {
    case Rung::kNone: begin(); break;
    case Rung::kAsked:
      killAt(nowNs() + graceNs_ + kLastWords);
      depart(Rung::kTerminated, build_.stop(Escalation::kTerminate));
      break;
    case Rung::kTerminated: depart(Rung::kKilled, build_.stop(Escalation::kKill)); break;
    case Rung::kKilled: break;
  }
}

bool Ladder::abandon() {
  killAt(nowNs() + kLastWordsInPlace + kLastWords);
  const bool inPlace = build_.abandon();
  depart(Rung::kTerminated, inPlace);
  return inPlace;
}

int Ladder::leave() const {
  if (rung_ == Rung::kKilled) kill(getpid(), SIGKILL);
  return kTerminated;
}

void Ladder::depart(Rung rung, bool inPlace) {
  rung_ = rung;
  dueNs_ = nowNs() + (inPlace ? kLastWordsInPlace : kLastWords);
  writer_.hurry();
}

// Whatever our threads are held up by then, and also when the process has been stopped.
void Ladder::killAt(std::uint64_t timeNs) const {
  itimerspec at{};
  at.it_value.tv_sec = static_cast<time_t>(timeNs / kSecond);
  at.it_value.tv_nsec = static_cast<long>(timeNs % kSecond);
  timer_settime(killer_, TIMER_ABSTIME, &at, nullptr);
}

}  // namespace trtscope
