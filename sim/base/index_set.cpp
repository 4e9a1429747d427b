#include "sim/base/index_set.hpp"

#include <bit>

namespace gridcast::inline base {
namespace {

constexpr std::size_t word_bits = 64;

std::uint64_t bit_of(std::size_t index) { return std::uint64_t{1} << (index % word_bits); }

}  // namespace

bool IndexSet::contains(std::uint32_t member) const {
  std::size_t const word = member / word_bits;
  return word < levels_[0].size() && (levels_[0][word] & bit_of(member)) != 0;
}

void IndexSet::insert(std::uint32_t member) {
  if (contains(member)) return;
  if (member / word_bits >= levels_[0].size()) grow(member);
  ++size_;
  std::size_t index = member;
  for (auto& level : levels_) {
    level[index / word_bits] |= bit_of(index);
    index /= word_bits;
  }
}

std::size_t IndexSet::erase(std::uint32_t member) {
  if (!contains(member)) return 0;
  --size_;
  std::size_t index = member;
  for (auto& level : levels_) {
    level[index / word_bits] &= ~bit_of(index);
    if (level[index / word_bits] != 0) break;
    index /= word_bits;
  }
  return 1;
}

std::size_t IndexSet::from(std::size_t least) const {
  std::size_t index = least;
  for (std::size_t level = 0; level < levels_.size(); ++level) {
    std::size_t const word = index / word_bits;
    if (word >= levels_[level].size()) return none;
    std::uint64_t const rest = levels_[level][word] & (~std::uint64_t{0} << (index % word_bits));
    if (rest == 0) {
      index = word + 1;
      continue;
    }
    index = word * word_bits + static_cast<std::size_t>(std::countr_zero(rest));
    while (level-- > 0) {
      index = index * word_bits + static_cast<std::size_t>(std::countr_zero(levels_[level][index]));
    }
    return index;
  }
  return none;
}

// At least twice as many: growing costs little; the top level is a single word.
void IndexSet::grow(std::size_t member) {
  std::size_t words = levels_[0].size();
  while (member / word_bits >= words) words *= 2;
  levels_[0].resize(words);
  levels_.resize(1);
  while (levels_.back().size() > 1) {
    auto const& below = levels_.back();
    std::vector<std::uint64_t> above((below.size() + word_bits - 1) / word_bits);
    for (std::size_t i = 0; i < below.size(); ++i) {
      if (below[i] != 0) above[i / word_bits] |= bit_of(i);
    }
    levels_.push_back(std::move(above));
  }
}

}  // namespace gridcast::inline base
