#include <gtest/gtest.h>

#include <stdexcept>

#include "wire/frames.h"

namespace trtscope::test {
namespace {

std::string header(std::size_t length) {
  std::string bytes;
  for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(length >> shift & 0xFF);
  return bytes;
}

TEST(FrameReader, GivesFramesWholeHoweverTheyArrive) {
  const std::string bytes = encodeFrame({"build", "model", "a b\n", "flag", ""}) + encodeFrame({"cancel"});
  FrameReader reader;
  std::vector<Frame> frames;
  for (const char byte : bytes) {
    reader.feed(std::string_view(&byte, 1));
    for (Frame frame; reader.next(frame);) frames.push_back(frame);
  }
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_EQ(frames[0], (Frame{"build", "model", "a b\n", "flag", ""}));
  EXPECT_EQ(frames[1], Frame{"cancel"});
}

TEST(FrameReader, KeepsSeveralFramesOfOneRead) {
  FrameReader reader;
  reader.feed(encodeFrame({"one"}) + encodeFrame({}) + encodeFrame({"two"}) + "\x09");
  Frame frame;
  EXPECT_TRUE(reader.next(frame));
  EXPECT_EQ(frame, Frame{"one"});
  EXPECT_TRUE(reader.next(frame));
  EXPECT_TRUE(frame.empty());
  EXPECT_TRUE(reader.next(frame));
  EXPECT_EQ(frame, Frame{"two"});
  EXPECT_FALSE(reader.next(frame));
}

TEST(EncodeFrame, BeginsWithItsLengthAndEndsEachWord) {
  EXPECT_EQ(encodeFrame({}), header(0));
  EXPECT_EQ(encodeFrame({"cancel", "", std::string(300, 'x')}),
            header(309) + "cancel" + std::string(2, '\0') + std::string(300, 'x') + '\0');
}

TEST(FrameReader, RefusesAFrameOverTheLimitBeforeItHasArrived) {
  FrameReader reader;
  EXPECT_THROW(reader.feed(header(FrameReader::kMaxFrameBytes + 1)), std::length_error);
}

TEST(FrameReader, RefusesAFrameWhoseLastWordIsNotEnded) {
  FrameReader reader;
  EXPECT_THROW(reader.feed(header(3) + "abc"), std::invalid_argument);
}

}  // namespace
}  // namespace trtscope::test
