// A replica's record that many samples can hold at once: a study is split by strategy and by
// explanation without a second copy of its numbers.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "sim/study/replica_process.hpp"

namespace gridcast::study {

class SharedRecord {
 public:
  SharedRecord(Record record = {}) : record_(std::make_shared<Record const>(std::move(record))) {}

  std::size_t size() const { return record_->size(); }
  double operator[](std::size_t column) const { return (*record_)[column]; }
  Record::const_iterator begin() const { return record_->begin(); }
  Record::const_iterator end() const { return record_->end(); }
  bool operator==(SharedRecord const& other) const { return *record_ == *other.record_; }

 private:
  std::shared_ptr<Record const> record_;
};

}  // namespace gridcast::study
