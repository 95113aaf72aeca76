#include "crawler/counters.h"

namespace crawler {

std::string_view to_string(Asked asked) {
  switch (asked) {
    case Asked::page: return "page";
    case Asked::robots: return "robots";
    case Asked::sitemap: return "sitemap";
  }
  return "?";
}

std::string_view to_string(Answered answered) {
  switch (answered) {
    case Answered::http_1xx: return "http_1xx";
    case Answered::http_2xx: return "http_2xx";
    case Answered::http_3xx: return "http_3xx";
    case Answered::http_4xx: return "http_4xx";
    case Answered::http_5xx: return "http_5xx";
    case Answered::not_modified: return "not_modified";
  }
  return "?";
}

Answered answered(int status) {
  if (status == 304) return Answered::not_modified;
  if (status < 200) return Answered::http_1xx;
  if (status < 300) return Answered::http_2xx;
  if (status < 400) return Answered::http_3xx;
  return status < 500 ? Answered::http_4xx : Answered::http_5xx;
}

Counters& Counters::operator+=(const Counters& other) {
  requests += other.requests;
  robots_requests += other.robots_requests;
  octets += other.octets;
  decoded += other.decoded;
  cut += other.cut;
  queued += other.queued;
  seen += other.seen;
  out_of_scope += other.out_of_scope;
  over_budget += other.over_budget;
  traps += other.traps;
  bugs += other.bugs;
  violations += other.violations;
  robots_known += other.robots_known;
  robots_recalled += other.robots_recalled;
  for (std::size_t i = 0; i < kFates; ++i) fates[i] += other.fates[i];
  for (std::size_t i = 0; i < fetch::kErrors; ++i) errors[i] += other.errors[i];
  for (std::size_t asked = 0; asked < kAsked; ++asked) {
    for (std::size_t i = 0; i < kAnswered; ++i) answers[asked][i] += other.answers[asked][i];
  }
  for (std::size_t i = 0; i < kAddressClasses; ++i) blocked[i] += other.blocked[i];
  gaps += other.gaps;
  lag += other.lag;
  dns += other.dns;
  connect += other.connect;
  tls += other.tls;
  first_octet += other.first_octet;
  body += other.body;
  return *this;
}

}  // namespace crawler
