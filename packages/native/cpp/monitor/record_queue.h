#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "monitor/record.h"

namespace trtscope {

// What a rare record says in words: name and parent name; message; edition, version and path; a budget's name; a
// cancel's source, message and detail.
struct Words {
  std::string first;
  std::string second;
  std::string third;
};

// Records on their way to the consumer, in order of arrival. Holds no lock: whoever owns it guards every call.
//
// A linked list over a pool, so that folding takes a step out of the middle and puts it at the end: merged or not,
// times never fall. Blocks of the pool stay under 128 KiB.
class RecordQueue {
  struct Node {
    Record record;
    std::unique_ptr<Words> words;
    std::uint64_t number = 0;
    Node* older = nullptr;
    Node* newer = nullptr;
  };

 public:
  // Where the last step of a phase waits, if it still does.
  class Place {
    friend class RecordQueue;
    Node* node_ = nullptr;
    std::uint64_t number_ = 0;
  };

  explicit RecordQueue(std::size_t maxSteps);

  bool empty() const noexcept { return oldest_ == nullptr; }
  // Both throw std::bad_alloc and have then changed nothing. Past maxSteps waiting steps the one at `last` is folded
  // into the new one.
  void push(const Record& record, std::unique_ptr<Words> words = nullptr);
  void pushStep(const Record& record, Place& last);
  // Makes sure that the next push cannot fail.
  void reserve();
  // Room for when the pool is full. In a heap like TensorRT's so large a piece takes up to a millisecond to find:
  // whoever can wait finds it, without the lock, and gives it.
  using Block = std::unique_ptr<Node[]>;
  static Block makeBlock() { return std::make_unique<Node[]>(kBlockNodes); }
  bool lacksSpare() const noexcept { return spare_ == nullptr; }
  void keepSpare(Block block) noexcept { spare_ = std::move(block); }
  // Once, and nothing after it: uses the room that every other push leaves.
  void pushLast(const Record& record) noexcept { append(record); }
  std::size_t waitingLogs() const noexcept { return logs_; }

  // Moves at most `limit` records and their words out; a record's `text` becomes an index of `words`.
  void drain(std::vector<Record>& out, std::vector<std::unique_ptr<Words>>& words, std::size_t limit);

 private:
  static constexpr std::size_t kBlockNodes = 1024;

  Node* append(const Record& record) noexcept;
  void link(Node* node) noexcept;
  void unlink(Node* node) noexcept;

  const std::size_t maxSteps_;
  std::vector<Block> blocks_;
  Block spare_;
  Node* free_ = nullptr;
  Node* oldest_ = nullptr;
  Node* newest_ = nullptr;
  std::uint64_t pushed_ = 0;
  std::uint64_t drained_ = 0;
  std::size_t steps_ = 0;
  std::size_t logs_ = 0;
};

}  // namespace trtscope
