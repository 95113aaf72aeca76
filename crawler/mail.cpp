#include "crawler/mail.h"

#include "base/site.h"
#include "crawler/shard.h"

#include <boost/asio/post.hpp>

namespace crawler {

std::size_t Mail::owner_number(std::string_view host) const {
  const std::uint32_t partition = base::partition_of(base::site_of(host));
  return std::size_t{partition} * shards_.size() / base::kPartitions;
}

Shard& Mail::owner(std::string_view host) const {
  return *shards_[owner_number(host)];
}

void Mail::send_offers(Shard* from, std::vector<Offer> offers) {
  std::vector<std::vector<Offer>> batches(shards_.size());
  for (Offer& offer : offers) batches[owner_number(offer.url.host())].push_back(std::move(offer));
  for (std::size_t number = 0; number < batches.size(); ++number) {
    if (batches[number].empty()) continue;
    Shard* const shard = shards_[number];
    if (shard == from) {
      shard->offer(std::move(batches[number]));
      continue;
    }
    const auto count = static_cast<std::int64_t>(batches[number].size());
    owe(count);
    boost::asio::post(shard->executor(), [this, shard, count, batch = std::move(batches[number])]() mutable {
      shard->offer(std::move(batch));
      owe(-count);
    });
  }
}

void Mail::send_errand(Errand errand) {
  Shard& shard = owner(errand.want.url.host());
  boost::asio::post(shard.executor(),
                    [&shard, errand = std::move(errand)]() mutable { shard.accept(std::move(errand)); });
}

void Mail::send_answer(const base::Origin& behalf, robots::Answer answer) {
  Shard& shard = owner(behalf.host());
  boost::asio::post(shard.executor(), [&shard, behalf, answer = std::move(answer)]() mutable {
    shard.answer(behalf, std::move(answer));
  });
}

void Mail::owe(std::int64_t change) {
  if (owed_.fetch_add(change) + change == 0) on_idle_();
}

}  // namespace crawler
