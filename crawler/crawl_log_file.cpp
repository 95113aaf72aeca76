#include "crawler/crawl_log_file.h"

#include "crawler/store.h"

#include <sysexits.h>

#include <system_error>

namespace crawler {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::system_error& failure) {
  throw StartError(EX_CANTCREAT, "crawl_log.file: " + path + ": " + failure.code().message());
}

}  // namespace

std::string crawl_log_path(const config::Config& config) {
  return config.crawl_log.file.empty() ? config.storage.directory + "/crawl.log" : config.crawl_log.file;
}

CrawlLog::CrawlLog(const config::Config& config) try
    : format_(config.crawl_log.format),
      file_(crawl_log_path(config), config.crawl_log.max_file_size, config.crawl_log.max_files) {
} catch (const std::system_error& failure) {
  refuse(crawl_log_path(config), failure);
}

void CrawlLog::write(CrawlEntry entry) {
  const base::WallTime::rep now = entry.logged.time_since_epoch().count();
  base::WallTime::rep begun = 0;
  if (run_.compare_exchange_strong(begun, now)) begun = now;
  entry.run = base::WallTime(base::Duration(begun));
  file_.append(format_ == config::CrawlLogFormat::json ? json_line(entry) : heritrix_line(entry));
  file_.flush();
}

}  // namespace crawler
