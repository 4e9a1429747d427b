// Nodes of a DAG, and those that the queue lets go.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "sim/engine/job_queue.hpp"

namespace gridcast::test {

inline scenario::Submission node(std::string const& name, std::vector<std::string> after = {}) {
  scenario::Submission submission;
  submission.jobs = 1;
  submission.name = name;
  submission.after = std::move(after);
  return submission;
}

inline std::vector<std::size_t> numbers(std::vector<engine::DagQueue::Node> const& nodes) {
  std::vector<std::size_t> numbers;
  for (engine::DagQueue::Node const& each : nodes) numbers.push_back(each.number);
  return numbers;
}

using Numbers = std::vector<std::size_t>;

}  // namespace gridcast::test
