#include "addon/cancel_link.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "monitor/kernel_facts.h"
#include "wire/frames.h"

namespace trtscope {

CancelLink::CancelLink(std::string token) : token_(std::move(token)) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) {
    throw std::system_error(errno, std::generic_category(), "socketpair");
  }
  near_ = ends[0];
  far_ = ends[1];
  CancelTokens::all().add(token_, *this);
}

CancelLink::~CancelLink() {
  CancelTokens::all().remove(token_);
  close(near_);
  closeFarEnd();
}

void CancelLink::closeFarEnd() noexcept {
  if (far_ >= 0) close(std::exchange(far_, -1));
}

bool CancelLink::request(const CancelReason& reason) noexcept {
  try {
    const std::string now = std::to_string(nowNs());
    const std::string frame = encodeFrame({"cancel", reason.source, reason.message, reason.detail, now});
    // Whole or not at all, being so small; a builder that has not read that many before is being cancelled already.
    return send(near_, frame.data(), frame.size(), MSG_DONTWAIT | MSG_NOSIGNAL) >= 0 || errno == EAGAIN;
  } catch (...) {
    return false;
  }
}

}  // namespace trtscope
