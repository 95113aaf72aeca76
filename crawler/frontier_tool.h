#pragma once
// `crawld frontier …`: looks at what a crawl has written down, carries it to another machine, and takes URLs
// out of it. Every tool works in pieces, so that a large store takes no more memory than a small one, and
// returns an exit code of sysexits.h: 65 when the store or the question is wrong, 74 when it cannot be read
// or written.
#include "base/clock.h"
#include "base/url.h"
#include "config/config.h"
#include "crawler/store.h"

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>

namespace crawler {

/// The store to look at, also while a daemon writes it: it stays as it was at the call. Throws StartError (66
/// when there is none yet).
Store open_to_read(const config::Storage& storage);
/// The store to change. Throws StartError (66 when there is none yet, 75 while a daemon has it open).
Store open_to_change(const config::Storage& storage);

/// The present of this machine on the axis of `store`.
base::Now present_in(const Store& store, const base::Machine& machine);

/// How much there is, from counts alone, and how the last run ended. `owner`: the process that has the store
/// open for writing.
int show_stats(const Store& store, const std::string& directory, std::optional<int> owner, base::Now now,
               bool json, std::ostream& out, std::ostream& talk);

struct ListQuestion {
  std::optional<base::Origin> origin{};  ///< its URLs; none: the origins
  bool owed = false;                     ///< only URLs, or origins with URLs, that are owed
  bool done = false;                     ///< only URLs that were visited, or origins that owe nothing
  std::uint64_t limit = 0;               ///< lines of URLs or origins; 0: all
  bool json = false;                     ///< an object a line
};

/// Origins, or one origin and its URLs in the order in which they will be visited: those to be tried again,
/// those never tried, those to be visited again, then the rest. A page that is owed once more after a visit
/// that was worth keeping stands in both parts.
int list_frontier(const Store& store, const ListQuestion& question, base::Now now, std::ostream& out,
                  std::ostream& talk);

/// Compares everything with everything: 0, or 65 when there are problems. `live`: does another process write
/// the store at this moment? It may take away files that were read, so their octets are then only checked
/// where a row is read.
int verify_frontier(const Store& store, const std::function<bool()>& live, bool json, std::ostream& out);

/// Findings that are printed; the others are counted.
inline constexpr std::uint64_t kFindingsShown = 100;

/// What an export or an import held.
struct Carried {
  std::uint64_t origins = 0;
  std::uint64_t urls = 0;   ///< seen
  std::uint64_t lines = 0;  ///< without the last one
};

/// Everything as JSON lines, the same for the same store whenever it is asked; the last line says that it is
/// the last. What cannot be read is named on `talk` and left out.
int export_frontier(const Store& store, std::ostream& out, std::ostream& talk, Carried& carried);

/// Longest line of an export that is read, in octets: a robots.txt with every octet escaped.
inline constexpr std::size_t kImportLineMax = std::size_t{4} * 1024 * 1024;

/// Reads an export into `store`, which is empty. Nobody can use it before the last line has been read.
/// `name`: of the input, for messages.
int import_lines(Store& store, std::istream& in, const std::string& name, std::ostream& talk,
                 Carried& carried);
/// The same into a new store at storage.directory, which appears there as a whole or not at all. 73 when
/// there is a store already.
int import_frontier(const config::Storage& storage, std::istream& in, const std::string& name,
                    std::ostream& talk, Carried& carried);

/// All URLs of `origin` are as if they had never been found, and the seeds are offered again at the next
/// start. What is known of the origin itself, its clocks and its robots.txt, stays.
int forget_origin(Store& store, const base::Origin& origin, bool json, std::ostream& out, std::ostream& talk);
/// The same for one URL.
int forget_url(Store& store, const base::Url& url, bool json, std::ostream& out, std::ostream& talk);

}  // namespace crawler
