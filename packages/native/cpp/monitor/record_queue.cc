#include "monitor/record_queue.h"

#include <utility>

namespace trtscope {

RecordQueue::RecordQueue(std::size_t maxSteps) : maxSteps_(maxSteps) {
  static_assert(kBlockNodes * sizeof(Node) < 128 * 1024);
  reserve();
  keepSpare(makeBlock());
}

void RecordQueue::push(const Record& record, std::unique_ptr<Words> words) {
  reserve();
  append(record)->words = std::move(words);
  logs_ += record.kind == RecordKind::kLog;
}

void RecordQueue::pushStep(const Record& record, Place& last) {
  // Numbers rise along the list, so whatever is past the last one drained still waits.
  if (steps_ < maxSteps_ || last.number_ <= drained_) {
    reserve();
    last.node_ = append(record);
    ++steps_;
  } else {
    unlink(last.node_);
    Record& kept = last.node_->record;
    const Record folded = kept;
    kept = record;
    kept.merged = folded.merged + 1;
    if (folded.longestNs > kept.longestNs) {
      kept.longestNs = folded.longestNs;
      kept.longestStep = folded.longestStep;
    }
    link(last.node_);
  }
  last.number_ = pushed_;
}

void RecordQueue::reserve() {
  if (free_ != nullptr && free_->newer != nullptr) return;
  blocks_.push_back(spare_ == nullptr ? makeBlock() : std::exchange(spare_, nullptr));
  for (std::size_t i = kBlockNodes; i-- > 0;) {
    blocks_.back()[i].newer = free_;
    free_ = &blocks_.back()[i];
  }
}

void RecordQueue::drain(std::vector<Record>& out, std::vector<std::unique_ptr<Words>>& words, std::size_t limit) {
  while (oldest_ != nullptr && out.size() < limit) {
    Node* node = oldest_;
    out.push_back(node->record);
    if (node->words != nullptr) {
      words.push_back(std::move(node->words));
      out.back().text = static_cast<std::uint32_t>(words.size() - 1);
    }
    steps_ -= node->record.kind == RecordKind::kStepCompleted;
    logs_ -= node->record.kind == RecordKind::kLog;
    drained_ = node->number;
    unlink(node);
    node->newer = free_;
    free_ = node;
  }
}

RecordQueue::Node* RecordQueue::append(const Record& record) noexcept {
  Node* node = free_;
  free_ = node->newer;
  node->record = record;
  link(node);
  return node;
}

void RecordQueue::link(Node* node) noexcept {
  node->number = ++pushed_;
  node->older = newest_;
  node->newer = nullptr;
  (newest_ == nullptr ? oldest_ : newest_->newer) = node;
  newest_ = node;
}

void RecordQueue::unlink(Node* node) noexcept {
  (node->older == nullptr ? oldest_ : node->older->newer) = node->newer;
  (node->newer == nullptr ? newest_ : node->newer->older) = node->older;
}

}  // namespace trtscope
