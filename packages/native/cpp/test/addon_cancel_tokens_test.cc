#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "addon/cancel_link.h"
#include "wire/frames.h"

namespace trtscope::test {
namespace {

Frame frameFrom(int fd) {
  char bytes[4096];
  const ssize_t count = recv(fd, bytes, sizeof(bytes), MSG_DONTWAIT);
  FrameReader reader;
  Frame frame;
  if (count > 0) reader.feed({bytes, static_cast<std::size_t>(count)});
  reader.next(frame);
  return frame;
}

TEST(CancelTokens, KnowNobodyElse) { EXPECT_FALSE(CancelTokens::all().request("nobody", {"call", "why", ""})); }

TEST(CancelLink, TellsABuilderWhyAndWhen) {
  CancelLink link("t");
  EXPECT_TRUE(CancelTokens::all().request("t", {"call", "why", "what"}));
  const Frame frame = frameFrom(link.farEnd());
  ASSERT_EQ(frame.size(), 5U);
  EXPECT_EQ(Frame(frame.begin(), frame.end() - 1), (Frame{"cancel", "call", "why", "what"}));
  EXPECT_GT(std::stoull(frame[4]), 0U);
}

TEST(CancelLink, AnswersNoWhenTheBuilderIsGone) {
  CancelLink link("t");
  link.closeFarEnd();
  EXPECT_FALSE(CancelTokens::all().request("t", {"call", "why", ""}));
}

TEST(CancelLink, DoesNotWaitForABuilderThatDoesNotRead) {
  CancelLink link("t");
  const std::string words(4096, 'w');
  for (int i = 0; i < 1000; ++i) EXPECT_TRUE(CancelTokens::all().request("t", {"call", words, ""}));
  EXPECT_EQ(frameFrom(link.farEnd()).size(), 0U) << "the first frame is longer than this reads";
}

TEST(CancelLink, IsForgottenWithItsBuild) {
  int far = -1;
  {
    CancelLink link("t");
    far = dup(link.farEnd());
  }
  EXPECT_FALSE(CancelTokens::all().request("t", {"call", "why", ""}));
  char byte = 0;
  EXPECT_EQ(read(far, &byte, 1), 0) << "no end of it is left open";
  close(far);
}

}  // namespace
}  // namespace trtscope::test
