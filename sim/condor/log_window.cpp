#include "sim/condor/log_window.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace gridcast::condor {

LogWindow::LogWindow(Source source, std::size_t width)
    : source_(std::move(source)), buffer_(width) {}

bool LogWindow::more() {
  if (ended_) return false;
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == buffer_.size()) {
    if (buffer_.size() >= widest) return false;
    buffer_.resize(std::min(2 * buffer_.size(), widest));
  }
  std::size_t const got = source_(buffer_.data() + end_, buffer_.size() - end_);
  ended_ = got == 0;
  end_ += got;
  bytes_read_ += got;
  return !ended_;
}

}  // namespace gridcast::condor
