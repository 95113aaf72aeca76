#include "fetch/decode.h"

#include "fetch/fields.h"

#include <algorithm>
#include <array>

namespace fetch {
namespace {

std::optional<Coding> coding_of(std::string_view name) {
  if (same_word(name, "gzip") || same_word(name, "x-gzip")) return Coding::gzip;
  if (same_word(name, "deflate")) return Coding::deflate;
  if (same_word(name, "br")) return Coding::brotli;
  if (same_word(name, "zstd")) return Coding::zstd;
  return std::nullopt;
}

std::unique_ptr<CodingStream> make(Coding coding) {
  switch (coding) {
    case Coding::gzip: return make_gzip();
    case Coding::deflate: return make_deflate();
    case Coding::brotli: return make_brotli();
    case Coding::zstd: break;
  }
  return make_zstd();
}

constexpr std::size_t kPiece = 32 * 1024;

}  // namespace

std::optional<std::vector<Coding>> parse_codings(std::string_view content_encoding) {
  std::vector<Coding> codings;
  for (std::string_view rest = content_encoding; !rest.empty();) {
    const std::string_view name = next_element(rest);
    if (name.empty() || same_word(name, "identity")) continue;
    const auto coding = coding_of(name);
    if (!coding || codings.size() == kCodingsMax) return std::nullopt;
    codings.push_back(*coding);
  }
  return codings;
}

/// Streams in the order of decoding (the coding applied last comes first), each with a piece of output that
/// goes on to the next one at once; the last piece goes into the body.
struct Decoder::Chain {
  Chain(std::vector<Coding> applied, std::size_t limit) : codings(std::move(applied)), max(limit) {
    std::reverse(codings.begin(), codings.end());
    holding = codings.size() == 1 && (codings[0] == Coding::gzip || codings[0] == Coding::deflate);
    if (!holding) start();
  }

  void start() {
    holding = false;
    for (const Coding coding : codings) streams.push_back(make(coding));
    pieces.resize(streams.size());
  }

  void fail(Error error, std::string_view why) {
    state = State::failed;
    failure.error = error;
    failure.detail = why;
    std::string().swap(body);
  }

  /// Nothing more will be decoded: only the body is kept.
  State end() {
    ended = true;
    streams.clear();
    pieces.clear();
    std::string().swap(held);
    return state;
  }

  bool too_much(std::size_t unfolded) const {
    return unfolded > kRatioFree && unfolded > kRatioMax * in_total;
  }
  bool too_much_between() const {
    return too_much(between) || (between > kRatioFree && (between - kRatioFree) / kBetweenFactor > max);
  }

  void keep(std::string_view octets) {
    const std::size_t room = max - body.size();
    body.append(octets.substr(0, room));
    if (!codings.empty() && too_much(body.size())) return fail(Error::bomb, "the body unfolds too far");
    if (octets.size() > room) state = State::cut;
  }

  /// Gives `in` to stream `i`, and what comes out to the next: never deeper than kCodingsMax.
  void push(std::size_t i, std::string_view in) {
    if (i == streams.size()) return keep(in);
    std::string& piece = pieces[i];
    piece.resize(kPiece);
    while (state == State::more) {
      std::span<char> room(piece);
      const auto step = streams[i]->step(in, room);
      const std::string_view out(piece.data(), piece.size() - room.size());
      if (i + 1 < streams.size()) {
        between += out.size();
        if (too_much_between()) return fail(Error::bomb, "a coding unfolds too far");
      }
      if (!out.empty()) push(i + 1, out);
      if (state != State::more) return;
      if (step == CodingStream::Step::bad) return fail(Error::decode, "the coded body is corrupt");
      if (step == CodingStream::Step::large) return fail(Error::bomb, "a coding wants too much memory");
      if (step == CodingStream::Step::hungry) return;
    }
  }

  /// Everything that was held back, at once when that works.
  void decode_held() {
    const std::size_t limit = std::min(max, std::max(kRatioFree, kRatioMax * in_total));
    if (decode_whole(codings[0], held, limit, body)) return;
    start();
    push(0, held);
  }

  bool complete() const {
    return std::all_of(streams.begin(), streams.end(), [](const auto& stream) { return stream->complete(); });
  }

  std::vector<Coding> codings;
  const std::size_t max;
  bool holding = false;
  bool ended = false;
  std::string held;
  std::vector<std::unique_ptr<CodingStream>> streams;
  std::vector<std::string> pieces;
  std::size_t in_total = 0;
  std::size_t between = 0;
  State state = State::more;
  std::string body;
  Step failure;
};

Decoder::Decoder(std::vector<Coding> codings, std::size_t max)
    : chain_(std::make_unique<Chain>(std::move(codings), max)) {}
Decoder::~Decoder() = default;
Decoder::Decoder(Decoder&&) noexcept = default;
Decoder& Decoder::operator=(Decoder&&) noexcept = default;

Decoder::State Decoder::feed(std::string_view octets) {
  Chain& chain = *chain_;
  if (chain.ended || octets.empty()) return chain.state;
  chain.in_total += octets.size();
  if (chain.holding) {
    chain.held += octets;
    if (chain.held.size() <= kHeldMax) return chain.state;
    chain.start();
    chain.push(0, chain.held);
    std::string().swap(chain.held);
  } else {
    chain.push(0, octets);
  }
  return chain.state == State::more ? State::more : chain.end();
}

Decoder::State Decoder::finish() {
  Chain& chain = *chain_;
  if (chain.ended || chain.in_total == 0) return chain.end();
  if (chain.holding) chain.decode_held();
  if (chain.state == State::more && !chain.holding && !chain.complete()) {
    chain.fail(Error::decode, "the coded body ends too early");
  }
  return chain.end();
}

Decoder::State Decoder::break_off() {
  Chain& chain = *chain_;
  if (!chain.ended && chain.holding) {
    chain.start();
    chain.push(0, chain.held);
  }
  return chain.end();
}

std::string& Decoder::body() {
  return chain_->body;
}
const Step& Decoder::failure() const {
  return chain_->failure;
}

std::size_t Decoder::held() const {
  std::size_t octets = chain_->body.capacity() + chain_->held.capacity();
  for (const std::string& piece : chain_->pieces) octets += piece.capacity();
  for (const auto& stream : chain_->streams) octets += stream->memory();
  return octets;
}

}  // namespace fetch
