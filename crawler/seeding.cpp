#include "crawler/seeding.h"

#include "base/hash.h"
#include "crawler/keys.h"

#include <boost/asio/post.hpp>

namespace crawler {
namespace {

/// Seeds that are handed on at a time, so that no shard is busy with them for long.
constexpr std::size_t kSeedsAtATime = 1'000;

/// In which order and with which weight: other seeds are offered, the same ones are not offered again.
std::string digest_of(const std::vector<config::Seed>& seeds) {
  base::Hash128 digest;
  for (const config::Seed& seed : seeds) {
    const base::Hash128 next = base::keyed_hash(seed.url.text(), digest.low ^ seed.weight);
    digest = {digest.high ^ next.high, next.low};
  }
  return std::to_string(digest.high) + "/" + std::to_string(digest.low);
}

}  // namespace

config::Config Seeding::with_added(config::Config config) const {
  store_.scan(Table::meta, kAddedPrefix, {}, [&config](std::string_view key, std::string_view weight) {
    auto url = base::Url::parse(key.substr(kAddedPrefix.size()));
    if (url && weight.size() == 1) {
      config.seeds.push_back({std::move(*url), "added", static_cast<std::uint8_t>(weight.front())});
    }
    return true;
  });
  return config;
}

void Seeding::offer(const std::shared_ptr<const config::Config>& config) {
  const auto known = store_.get(Table::meta, kSeedsKey);
  offer_from(config, known && *known == digest_of(config->seeds) ? config->seeds.size() : 0);
}

void Seeding::offer_from(const std::shared_ptr<const config::Config>& config, std::size_t next) {
  const std::vector<config::Seed>& seeds = config->seeds;
  if (next >= seeds.size()) {
    finish(*config);
    return;
  }
  std::vector<Offer> offers;
  const std::size_t end = std::min(seeds.size(), next + kSeedsAtATime);
  for (std::size_t i = next; i < end; ++i) {
    offers.push_back({seeds[i].url, {0, 0, seeds[i].weight, How::seed, true}});
  }
  mail_.send_offers(std::move(offers), [this, config, end] {
    boost::asio::post(main_, [this, config, end] { offer_from(config, end); });
  });
}

void Seeding::finish(const config::Config& config) {
  Store::Batch batch(store_);
  batch.put(Table::meta, kSeedsKey, digest_of(config.seeds));
  store_.write(batch);
  mail_.owe(-1);
}

}  // namespace crawler
