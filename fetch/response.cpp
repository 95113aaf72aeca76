#include "fetch/response.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace fetch {
namespace {

constexpr int kSwitchingProtocols = 101;
constexpr int kNoContent = 204;
constexpr int kNotModified = 304;

bool has_no_body(int status) {
  return status == kNoContent || status == kNotModified;
}

std::uint64_t wire_max(std::size_t body_max) {
  constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
  return body_max > (kMax - kWireFree) / kWireFactor ? kMax : body_max * kWireFactor + kWireFree;
}

}  // namespace

Response::Response(std::uint64_t head_max, std::size_t body_max, bool keep_coded)
    : head_max_(head_max), body_max_(body_max), keep_coded_(keep_coded), reader_(head_max) {}

Response::State Response::fail(Step failure) {
  failure_ = std::move(failure);
  if (failure_.error != Error::truncated) {
    decoder_.reset();  // and with it the body
    coded_ = {};
  }
  return state_ = State::failed;
}

Response::State Response::fail(Error error, std::string_view detail) {
  Step failure;
  failure.error = error;
  failure.detail = detail;
  return fail(std::move(failure));
}

Response::State Response::feed(std::string_view octets) {
  octets_ += octets.size();
  while (!octets.empty()) {
    switch (state_) {
      case State::head: feed_head(octets); break;
      case State::body: feed_body(octets); break;
      case State::done: odd_ = true; return state_;
      case State::failed: return state_;
    }
  }
  return state_;
}

Response::State Response::feed_head(std::string_view& octets) {
  const HeadReader::State read = reader_.feed(octets);
  if (read == HeadReader::State::failed) return fail(reader_.failure());
  if (read == HeadReader::State::more) return state_;
  head_octets_ += reader_.octets();
  odd_ = odd_ || reader_.odd();
  const int status = reader_.head().status;
  if (status >= 200) {
    head_ = std::move(reader_.head());
    raw_head_ = reader_.take_raw();
    return begin_body();
  }
  if (status == kSwitchingProtocols) return fail(Error::protocol, "switches protocols unasked");
  if (++interim_ > kInterimMax) return fail(Error::protocol, "too many interim responses");
  reader_ = HeadReader(head_max_ - head_octets_);
  return state_;
}

Response::State Response::begin_body() {
  state_ = State::body;
  if (has_no_body(head_.status)) return finish_body();
  if (head_.coded_transfer) return fail(Error::protocol, "a transfer coding other than chunked");
  const auto codings = parse_codings(head_.headers.joined("Content-Encoding"));
  if (!codings) return fail(Error::decode, "unknown or too many content codings");
  has_coding_ = !codings->empty();
  decoder_.emplace(*codings, body_max_);
  if (head_.chunked) {
    framing_ = Framing::chunked(head_max_ - head_octets_);
  } else if (head_.length) {
    framing_ = Framing::length(*head_.length);
    decoder_->body().reserve(std::min({*head_.length, std::uint64_t{body_max_}, kReservedMax}));
  } else {
    framing_ = Framing::until_close();
    closing_ = true;
  }
  return framing_.state() == Framing::State::done ? finish_body() : state_;
}

Response::State Response::feed_body(std::string_view& octets) {
  const std::size_t before = octets.size();
  const std::string_view content = framing_.next(octets);
  body_octets_ += before - octets.size();
  switch (framing_.state()) {
    case Framing::State::malformed: return fail(Error::protocol, "a malformed chunk");
    case Framing::State::trailer_limit: return fail(Error::head_limit, "the trailer is too long");
    case Framing::State::more:
    case Framing::State::done: break;
  }
  if (keep_coded_ && has_coding_) coded_ += content;
  const Decoder::State decoded = decoder_->feed(content);
  if (decoded == Decoder::State::failed) return fail(decoder_->failure());
  if (decoded == Decoder::State::cut) {
    cut_ = true;
    return state_ = State::done;
  }
  if (framing_.state() == Framing::State::done) return finish_body();
  if (body_octets_ > wire_max(body_max_))
    return fail(Error::protocol, "far more on the wire than in the body");
  return state_;
}

Response::State Response::finish_body() {
  if (decoder_) {
    const Decoder::State decoded = decoder_->finish();
    if (decoded == Decoder::State::failed) return fail(decoder_->failure());
    cut_ = decoded == Decoder::State::cut;
  }
  odd_ = odd_ || framing_.odd();
  return state_ = State::done;
}

Response::State Response::end(bool orderly) {
  if (state_ == State::done || state_ == State::failed) return state_;
  if (state_ == State::body && framing_.ends_here() && orderly) return finish_body();
  if (octets_ == 0) return fail(Error::reset, "closed without an answer");
  if (decoder_) {
    const Decoder::State decoded = decoder_->break_off();
    if (decoded == Decoder::State::failed) return fail(decoder_->failure());
    if (decoded == Decoder::State::cut) {
      cut_ = true;
      return state_ = State::done;
    }
  }
  return fail(Error::truncated, "the connection ended too early");
}

bool Response::reusable() const {
  return state_ == State::done && !odd_ && !closing_ && !cut_ && head_.keep_alive;
}

std::string Response::take_body() {
  const bool over = state_ == State::done || state_ == State::failed;
  return over && decoder_ ? std::exchange(decoder_->body(), {}) : std::string();
}

std::size_t Response::held() const {
  return decoder_ ? decoder_->held() + coded_.capacity() : 0;
}

}  // namespace fetch
