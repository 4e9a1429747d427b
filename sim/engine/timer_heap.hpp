// The heap of the timers: boost::heap::fibonacci_heap, in which SimGrid keeps its own, with its nodes
// inside the timers. The order of timers of one moment comes from how trees are merged and where roots
// stand, so each step is Boost's (1.74: a new root in front, the children of what goes behind, every
// removal merges, of two equal ones the later root is the parent); tests/model/clock_test.cpp holds it
// against SimGrid's. Fredman and Tarjan, JACM 34 (1987) 596.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace gridcast::engine {

/// In at most one heap at a time.
class TimerNode {
 public:
  double when = 0;

 private:
  friend class TimerHeap;
  struct List {
    TimerNode *first = nullptr, *last = nullptr;
  };

  TimerNode *before_ = nullptr, *after_ = nullptr, *parent_ = nullptr;
  List children_;
  std::size_t rank_ = 0;  // children
};

class TimerHeap {
 public:
  bool empty() const { return top_ == nullptr; }
  /// Of those of one moment, the one that SimGrid would fire first.
  TimerNode* top() const { return top_; }

  void push(TimerNode& node) {
    push_front(node);
    if (!top_ || top_->when > node.when) top_ = &node;
  }

  void erase(TimerNode& node) {
    if (node.parent_) {
      take(node.parent_->children_, node);
      --node.parent_->rank_;
    } else {
      take(roots_, node);
    }
    for (TimerNode* child = node.children_.first; child; child = child->after_) {
      child->parent_ = nullptr;
    }
    append(node.children_);
    merge();
  }

 private:
  using Node = TimerNode;
  using List = TimerNode::List;

  static void take(List& from, Node& node) {
    (node.before_ ? node.before_->after_ : from.first) = node.after_;
    (node.after_ ? node.after_->before_ : from.last) = node.before_;
  }
  static void add_last(List& to, Node& node) {
    node.before_ = to.last;
    node.after_ = nullptr;
    (to.last ? to.last->after_ : to.first) = &node;
    to.last = &node;
  }
  void push_front(Node& node) {
    node.after_ = roots_.first;
    (roots_.first ? roots_.first->before_ : roots_.last) = &node;
    roots_.first = &node;
  }
  void append(List const& trees) {
    if (!trees.first) return;
    trees.first->before_ = roots_.last;
    (roots_.last ? roots_.last->after_ : roots_.first) = trees.first;
    roots_.last = trees.last;
  }

  /// Until no two roots have as many children.
  void merge() {
    top_ = roots_.first;
    std::array<Node*, 64> of_rank;  // those of `known`
    std::uint64_t known = 0;
    for (Node* next = roots_.first; next;) {
      Node* node = std::exchange(next, next->after_);
      for (; (known >> node->rank_ & 1U) != 0; ++node->rank_) {
        known &= ~(std::uint64_t{1} << node->rank_);
        Node* other = of_rank[node->rank_];
        if (node->when > other->when) std::swap(node, other);
        take(roots_, *other);
        add_last(node->children_, *other);
        other->parent_ = node;
      }
      of_rank[node->rank_] = node;
      known |= std::uint64_t{1} << node->rank_;
      if (node->when <= top_->when) top_ = node;
    }
  }

  List roots_;
  Node* top_ = nullptr;
};

}  // namespace gridcast::engine
