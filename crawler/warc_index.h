#pragma once
// The index lines of a WARC file that is read.
#include "crawler/warc_reader.h"

#include <functional>
#include <string>
#include <string_view>

namespace crawler {

/// Reads to the end of the file and gives the cdxj_line() of each whole capture. `filename` without folders.
void index_records(WarcReader& reader, std::string_view filename,
                   const std::function<void(std::string)>& take);

}  // namespace crawler
