#include "crawler/warc_index.h"

#include "crawler/cdxj.h"
#include "crawler/http_block.h"

namespace crawler {

void index_records(WarcReader& reader, std::string_view filename,
                   const std::function<void(std::string)>& take) {
  while (const WarcEntry* entry = reader.next()) {
    const std::string type(entry->field("Content-Type"));
    HttpBlock http;
    while (is_http(type) && !http.parted() && !http.too_long()) {
      const std::string_view octets = reader.read();
      if (octets.empty()) break;
      http.payload(octets);
    }
    const WarcEntry& record = reader.finish();
    if (!record.whole || record.length == 0) continue;
    std::string_view target = record.field("WARC-Target-URI");
    if (target.starts_with('<') && target.ends_with('>')) target = target.substr(1, target.size() - 2);
    const Capture capture{record.field("WARC-Type"),
                          target,
                          record.field("WARC-Date"),
                          is_http(type) ? http.field("Content-Type") : std::string_view(type),
                          http.status(),
                          record.field("WARC-Payload-Digest"),
                          record.length,
                          record.offset,
                          filename};
    if (auto line = cdxj_line(capture)) take(std::move(*line));
  }
}

}  // namespace crawler
