// `crawld frontier export`: the tables as lines, each origin with its rows.
#include "base/escape.h"
#include "crawler/codec.h"
#include "crawler/frontier_json.h"
#include "crawler/frontier_rows.h"
#include "crawler/frontier_tool.h"
#include "crawler/opening.h"

#include <sysexits.h>

#include <ostream>

namespace crawler {
namespace {

std::optional<ExportHeader> read_header(const Store& store) {
  const auto secret = read_secret(store);
  const auto axis = store.get(Table::meta, kAxisKey);
  auto mark = axis ? decode_axis(*axis) : std::nullopt;
  if (!secret || !mark) return std::nullopt;
  ExportHeader header;
  header.mark = std::move(*mark);
  header.secret = *secret;
  if (const auto stopped = store.get(Table::meta, kStoppedKey)) header.stopped = Decoder(*stopped).time();
  header.seeds = store.get(Table::meta, kSeedsKey);
  header.suffixes = store.get(Table::meta, kSuffixesKey);
  return header;
}

class Exporter {
 public:
  Exporter(const Store& store, const base::AxisMark& mark, std::ostream& out, std::ostream& talk,
           Carried& carried)
      : store_(store), json_(mark), out_(out), talk_(talk), carried_(carried) {}

  void write(const Json& line) {
    out_ << line.dump() << '\n';
    ++carried_.lines;
  }

  void write_hosts() {
    store_.scan(Table::hosts, {}, {}, [this](std::string_view key, std::string_view value) {
      const std::optional<HostRecord> host = decode_host(value);
      if (!host || key.size() != kOriginKeyOctets) {
        leave_out("an origin");
        return true;
      }
      ++carried_.origins;
      host_ = host->origin;
      write(json_.line(HostRow{partition_of_key(key), *host}));
      write_robots(key);
      write_owed(key);
      write_urls(key);
      return out_.good();
    });
  }

  void write_sites() {
    store_.scan(Table::sites, {}, {}, [this](std::string_view key, std::string_view value) {
      host_ = key.substr(std::min(key.size(), sizeof(std::uint16_t)));
      const std::optional<SiteRecord> site = decode_site(value);
      if (site) {
        write({{"site", fields::text(host_)}, {"accepted", site->accepted}});
      } else {
        leave_out("the record of the domain");
      }
      return out_.good();
    });
  }

  void write_followed() {
    store_.scan(Table::meta, kFollowedPrefix, {}, [this](std::string_view key, std::string_view) {
      write({{"followed", fields::text(key.substr(kFollowedPrefix.size()))}});
      return true;
    });
  }

  void write_end() {
    out_ << Json{{"end", carried_.lines}, {"origins", carried_.origins}, {"urls", carried_.urls}}.dump()
         << '\n';
  }

  std::uint64_t left_out() const { return left_out_; }

 private:
  void write_robots(std::string_view host) {
    const std::string key(host);
    const auto standing = store_.get(Table::robots, key + std::string(kStandingSuffix));
    if (!standing) return;
    if (const auto saved = decode_robots(*standing)) {
      write(json_.line(RobotsRow{*saved, store_.get(Table::robots, key + std::string(kBodySuffix))}));
    } else {
      leave_out("what robots.txt said");
    }
  }

  /// Rows of kAgain are not written: the records of their URLs say all of it.
  void write_owed(std::string_view host) {
    store_.scan(Table::queue, host, {}, [this](std::string_view key, std::string_view value) {
      const std::optional<QueueKey> parsed = parse_queue_key(key);
      if (parsed && parsed->kind == kAgain) return true;
      const std::optional<QueueRecord> record = decode_queue(value);
      if (parsed && record) {
        write(json_.line(OwedRow{parsed->kind, parsed->number, parsed->due, *record}));
      } else {
        leave_out("a URL that is owed");
      }
      return out_.good();
    });
  }

  void write_urls(std::string_view host) {
    store_.scan(Table::urls, host, {}, [this](std::string_view key, std::string_view value) {
      const std::optional<UrlRecord> record = decode_url(value);
      if (record) {
        write(json_.line(*record));
      } else if (value.empty() && key.size() == kOriginKeyOctets + sizeof(base::Hash128)) {
        write({{"seen", fields::fingerprint(Decoder(key.substr(kOriginKeyOctets)).hash())}});
      } else {
        leave_out("a URL that was visited");
        return true;
      }
      ++carried_.urls;
      return out_.good();
    });
  }

  void leave_out(std::string_view what) {
    if (++left_out_ <= kFindingsShown)
      talk_ << base::escaped(host_) << ": " << what << " cannot be read and is left out\n";
  }

  const Store& store_;
  FrontierJson json_;
  std::ostream& out_;
  std::ostream& talk_;
  Carried& carried_;
  std::string host_;  ///< or domain, for messages
  std::uint64_t left_out_ = 0;
};

}  // namespace

int export_frontier(const Store& store, std::ostream& out, std::ostream& talk, Carried& carried) {
  carried = {};
  const std::optional<ExportHeader> header = read_header(store);
  if (!header) {
    if (!store.failed())
      talk << "no crawl has used this store, or it is damaged; see `crawld frontier verify`\n";
    return end_tool(EX_DATAERR, store, out, talk);
  }
  Exporter exporter(store, header->mark, out, talk, carried);
  exporter.write(FrontierJson::line(*header));
  exporter.write_hosts();
  exporter.write_sites();
  exporter.write_followed();
  if (!store.failed()) exporter.write_end();
  if (exporter.left_out() > 0) talk << exporter.left_out() << " records are left out\n";
  return end_tool(exporter.left_out() > 0 ? EX_DATAERR : EX_OK, store, out, talk);
}

}  // namespace crawler
