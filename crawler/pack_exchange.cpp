#include "crawler/pack_exchange.h"

#include "base/time_text.h"
#include "crawler/media_type.h"
#include "crawler/warc.h"

#include <fmt/format.h>

#include <algorithm>

namespace crawler {
namespace {

constexpr std::string_view kSameContent = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest";
constexpr std::string_view kNotModified = "http://netpreserve.org/warc/1.1/revisit/server-not-modified";

std::string draw_id(base::Random& random) {
  const std::uint64_t high = random.next();
  return warc_id(high, random.next());
}

std::string in_brackets(std::string_view id) {
  return fmt::format("<{}>", id);
}

/// The head without the name of a transfer coding that is no longer there.
std::string head_of(const fetch::Wire& wire) {
  constexpr std::string_view kName = "transfer-encoding";
  if (!wire.chunked) return wire.head;
  std::string out;
  std::string_view rest = wire.head;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, std::min(rest.find('\n'), rest.size() - 1) + 1);
    rest.remove_prefix(line.size());
    const bool names_it = line.size() > kName.size() &&
                          std::ranges::equal(line.substr(0, kName.size()), kName,
                                             [](char a, char b) { return (a | 0x20) == b || a == b; });
    if (names_it) out += "X-Crawl-";
    out += line;
  }
  return out;
}

std::string fields_text(const std::vector<std::pair<std::string, std::string>>& fields) {
  constexpr std::size_t kMarks = 4;
  std::size_t size = 0;
  for (const auto& [name, value] : fields) size += name.size() + value.size() + kMarks;
  std::string text;
  text.reserve(size);
  for (const auto& [name, value] : fields) {
    text.append(name).append(": ");
    const std::size_t begin = text.size();
    text += value;
    // Stored whether it changes or not, so that the compiler does many at once.
    const auto in_line = [](char c) { return c == '\r' || c == '\n' || c == '\0' ? ' ' : c; };
    const auto from = text.begin() + static_cast<std::ptrdiff_t>(begin);
    std::transform(from, text.end(), from, in_line);
    text += "\r\n";
  }
  return text;
}

/// Everything that the records of one exchange share.
class Packer {
 public:
  Packer(const config::Archive& config, const Exchange& exchange, base::Random& random)
      : config_(config), exchange_(exchange), random_(random), id_(draw_id(random)) {}

  void add_response(Parcel& parcel) {
    const fetch::Outcome& outcome = exchange_.outcome;
    const bool not_modified = exchange_.not_modified;
    const bool revisit = exchange_.twin.has_value() || not_modified;
    const std::string head = head_of(outcome.wire);
    WarcRecord record = begin(revisit ? "revisit" : "response", id_);
    record.content_type = "application/http;msgtype=response";
    if (exchange_.address_known) record.fields.emplace_back("WARC-IP-Address", outcome.peer.text());
    if (revisit) {
      record.fields.emplace_back("WARC-Profile", not_modified ? kNotModified : kSameContent);
    }
    if (exchange_.twin) {
      record.fields.emplace_back("WARC-Refers-To-Target-URI", exchange_.twin->target);
      record.fields.emplace_back("WARC-Refers-To-Date", base::rfc3339(exchange_.twin->date));
    }
    if (!revisit && outcome.error == fetch::Error::truncated) {
      record.fields.emplace_back("WARC-Truncated", "disconnect");
    } else if (!revisit && outcome.cut) {
      record.fields.emplace_back("WARC-Truncated", "length");
    }
    record.head = head;
    if (!revisit) record.body = payload_of(outcome);
    record.packed = outcome.wire.has_coding;
    if (!not_modified) {
      record.payload_digest =
          exchange_.payload_digest.empty() ? payload_digest_of(config_, outcome) : exchange_.payload_digest;
    }
    Indexed index{std::string(record.type),
                  record.target,
                  base::rfc3339(record.date),
                  std::string(outcome.headers.get("Content-Type")),  // the index takes what it needs of it
                  outcome.status,
                  record.payload_digest};
    parcel.members.push_back({pack(record, config_.digest, config_.packing), std::move(index)});
  }

  void add_request(Parcel& parcel) {
    WarcRecord record = begin("request", draw_id(random_));
    record.content_type = "application/http;msgtype=request";
    record.fields.emplace_back("WARC-Concurrent-To", in_brackets(id_));
    record.head = exchange_.outcome.wire.request;
    parcel.members.push_back({pack(record, config_.digest, config_.packing), std::nullopt});
  }

  void add_metadata(Parcel& parcel) {
    const std::string text = fields_text(exchange_.metadata);
    WarcRecord record = begin("metadata", draw_id(random_));
    record.content_type = "application/warc-fields";
    if (!exchange_.metadata_alone) record.fields.emplace_back("WARC-Concurrent-To", in_brackets(id_));
    record.body = text;
    parcel.members.push_back({pack(record, config_.digest, config_.packing), std::nullopt});
  }

 private:
  WarcRecord begin(std::string_view type, std::string id) const {
    WarcRecord record;
    record.type = type;
    record.id = std::move(id);
    record.date = exchange_.begun;
    record.target = exchange_.url.text();
    return record;
  }

  const config::Archive& config_;
  const Exchange& exchange_;
  base::Random& random_;
  const std::string id_;
};

}  // namespace

std::string_view payload_of(const fetch::Outcome& outcome) {
  return outcome.wire.has_coding ? outcome.wire.coded : outcome.body;
}

std::string payload_digest_of(const config::Archive& config, const fetch::Outcome& outcome) {
  return digest_text(config.digest, payload_of(outcome));
}

bool is_kept(const config::Archive& config, const fetch::Outcome& outcome) {
  if (config.max_size > 0 && outcome.body.size() > config.max_size) return false;
  if (!config.types.empty()) {
    const std::string type = media_type(outcome.headers.get("Content-Type"));
    const auto fits = [&type](std::string_view wanted) {
      if (!wanted.ends_with("/*")) return type == wanted;
      wanted.remove_suffix(1);
      return type.starts_with(wanted);
    };
    if (!std::ranges::any_of(config.types, fits)) return false;
  }
  if (config.statuses.empty()) return true;
  const std::string status = std::to_string(outcome.status);
  return std::ranges::any_of(config.statuses, [&status](std::string_view wanted) {
    return wanted.ends_with("xx") ? wanted[0] == status[0] : wanted == status;
  });
}

Parcel pack_exchange(const config::Archive& config, const Exchange& exchange, base::Random& random) {
  Parcel parcel;
  Packer packer(config, exchange, random);
  if (!exchange.metadata_alone) {
    packer.add_response(parcel);
    packer.add_request(parcel);
  }
  if (!exchange.metadata.empty()) packer.add_metadata(parcel);
  return parcel;
}

Parcel::Member pack_warcinfo(const config::Config& config, const std::string& hostname,
                             const std::string& file_name, base::WallTime at, base::Random& random) {
  const std::string text = fields_text({{"software", "crawld/" CRAWLD_VERSION},
                                        {"format", "WARC File Format 1.1"},
                                        {"conformsTo",
                                         "http://iipc.github.io/warc-specifications/"
                                         "specifications/warc-format/warc-1.1/"},
                                        {"operator", config.agent.contact},
                                        {"hostname", hostname},
                                        {"http-header-user-agent", config.user_agent()},
                                        {"http-header-from", config.from()},
                                        {"robots", "obeyed (RFC 9309, Request-rate, Crawl-delay)"}});
  WarcRecord record;
  record.type = "warcinfo";
  record.id = draw_id(random);
  record.date = at;
  record.content_type = "application/warc-fields";
  record.fields.emplace_back("WARC-Filename", file_name);
  record.body = text;
  return {pack(record, config.archive.digest, config.archive.packing), std::nullopt};
}

}  // namespace crawler
