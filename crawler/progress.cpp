#include "crawler/progress.h"

#include "crawler/live_screen.h"
#include "crawler/live_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace crawler {

bool Progress::possible(int descriptor) {
  return live::is_terminal(descriptor);
}

Progress::~Progress() {
  live::write_all(descriptor_, erased(live::place_of(descriptor_).columns));
}

void Progress::show(const live::Json& status) {
  const std::lock_guard lock(mutex_);
  status_ = status;
  const live::Place place = live::place_of(descriptor_);
  const std::string gone = erased(place.columns);
  live::write_all(descriptor_, gone + drawn(place));
}

void Progress::line(std::string_view text) {
  const std::lock_guard lock(mutex_);
  const live::Place place = live::place_of(descriptor_);
  std::string out = erased(place.columns);
  out.append(text).append("\n");
  if (!status_.is_null()) out += drawn(place);
  live::write_all(descriptor_, out);
}

/// The cursor stands at the end of the last line. A terminal that has become narrower has broken the lines
/// anew.
std::string Progress::erased(std::size_t columns) {
  if (widths_.empty()) return {};
  std::size_t rows = 0;
  for (const std::size_t width : widths_) rows += std::max<std::size_t>(1, (width + columns - 1) / columns);
  widths_.clear();
  return (rows > 1 ? fmt::format("\r\x1b[{}A", rows - 1) : "\r") + "\x1b[J";
}

std::string Progress::drawn(const live::Place& place) {
  // The last column stays free: a character there leaves the cursor on this row or on the next one.
  const live::Place within{std::min(kProgressRows, place.rows - 1), place.columns - 1, false};
  std::string out;
  for (const std::string& line : live::status_lines(status_, within)) {
    widths_.push_back(live::width_of(line));
    if (!out.empty()) out += "\n";
    out += line;
  }
  return out;
}

}  // namespace crawler
