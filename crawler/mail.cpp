#include "crawler/mail.h"

#include "base/site.h"
#include "crawler/shard.h"

#include <boost/asio/post.hpp>

#include <memory>

namespace crawler {

PartitionRange partitions_of(std::size_t shard, std::size_t shards) {
  // Partition p is of shard p * shards / kPartitions: the least p of a shard is the rounded up quotient.
  const auto first = [shards](std::size_t s) {
    return static_cast<std::uint32_t>((s * base::kPartitions + shards - 1) / shards);
  };
  return {first(shard), first(shard + 1)};
}

std::size_t Mail::owner_number(std::string_view host) const {
  const std::uint32_t partition = base::partition_of(base::site_of(host));
  return std::size_t{partition} * shards_.size() / base::kPartitions;
}

Shard& Mail::owner(std::string_view host) const {
  return *shards_[owner_number(host)];
}

std::vector<std::vector<Offer>> Mail::by_owner(std::vector<Offer> offers) const {
  std::vector<std::vector<Offer>> batches(shards_.size());
  if (shards_.size() == 1) {
    batches.front() = std::move(offers);
    return batches;
  }
  for (Offer& offer : offers) batches[owner_number(offer.url.host())].push_back(std::move(offer));
  return batches;
}

/// `then` runs on the shard's thread.
void Mail::send(Shard& shard, std::vector<Offer> offers, std::function<void()> then) {
  const auto count = static_cast<std::int64_t>(offers.size());
  owe(count);
  boost::asio::post(shard.executor(),
                    [this, &shard, count, offers = std::move(offers), then = std::move(then)]() mutable {
                      shard.offer(std::move(offers));
                      owe(-count);
                      if (then) then();
                    });
}

void Mail::send_offers(std::vector<Offer> offers, std::function<void()> then) {
  std::vector<std::vector<Offer>> batches = by_owner(std::move(offers));
  const auto left = std::make_shared<std::atomic<std::size_t>>(batches.size());
  const std::function<void()> one_less = [left, then = std::move(then)] {
    if (--*left == 0 && then) then();
  };
  for (std::size_t number = 0; number < batches.size(); ++number) {
    send(*shards_[number], std::move(batches[number]), one_less);
  }
}

base::Async<std::vector<Offer>> Mail::deliver(const Shard& from, std::vector<Offer> offers) {
  struct Delivery {
    std::size_t under_way = 0;
    std::unique_ptr<base::Alarm> done;
  };
  const auto delivery = std::make_shared<Delivery>();
  delivery->done = from.alarm();
  std::vector<Offer> own;
  std::vector<std::vector<Offer>> batches = by_owner(std::move(offers));
  for (std::size_t number = 0; number < batches.size(); ++number) {
    if (batches[number].empty()) continue;
    if (shards_[number] == &from) {
      own = std::move(batches[number]);
      continue;
    }
    ++delivery->under_way;
    // The alarm dies on the thread that waits for it, wherever the others drop what they hold.
    std::function<void()> then = [delivery, executor = from.executor()]() mutable {
      boost::asio::post(executor, [delivery = std::move(delivery)] {
        if (--delivery->under_way == 0) delivery->done->ring();
      });
    };
    send(*shards_[number], std::move(batches[number]), std::move(then));
  }
  if (delivery->under_way > 0) co_await delivery->done->wait();
  co_return own;
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
  if (owed_.fetch_add(change) + change == 0 && change != 0) on_idle_();
}

}  // namespace crawler
