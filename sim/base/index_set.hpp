// A set of small whole numbers in their order, as one bit each: for sets of jobs that hold most of
// a campaign at one time and hardly any of it at another.
//
// Above the bits stand bits that show which words below are not empty, level upon level: the next
// member costs a look at one word a level, at any distance (a van Emde Boas tree of fan-out 64).
// Its words are those of std::set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

namespace gridcast::inline base {

class IndexSet {
 public:
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = std::uint32_t;
    using difference_type = std::ptrdiff_t;
    using pointer = std::uint32_t const*;
    using reference = std::uint32_t;

    Iterator(IndexSet const& set, std::size_t at) : set_(&set), at_(at) {}
    std::uint32_t operator*() const { return static_cast<std::uint32_t>(at_); }
    Iterator& operator++() {
      at_ = set_->from(at_ + 1);
      return *this;
    }
    Iterator operator++(int) {
      Iterator const before = *this;
      ++*this;
      return before;
    }
    bool operator==(Iterator const& other) const { return at_ == other.at_; }

   private:
    IndexSet const* set_;
    std::size_t at_;
  };

  Iterator begin() const { return {*this, from(0)}; }
  Iterator end() const { return {*this, none}; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  bool contains(std::uint32_t member) const;

  void insert(std::uint32_t member);
  std::size_t erase(std::uint32_t member);

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  std::size_t from(std::size_t least) const;  // the first member that is not less, or none
  void grow(std::size_t member);

  std::vector<std::vector<std::uint64_t>> levels_ = {{0}};  // the members, then the upper levels
  std::size_t size_ = 0;
};

}  // namespace gridcast::inline base
