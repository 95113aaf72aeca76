#pragma once
// One response, from the first octet of its head to the last of its body, decoded. Pure: no sockets, no time.
#include "fetch/decode.h"
#include "fetch/framing.h"
#include "fetch/head.h"
#include "fetch/step.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace fetch {

/// Interim responses (1xx) before the real one.
inline constexpr int kInterimMax = 8;
/// Octets that a body may take on the wire: this, and twice what it may be in the end. Chunks of one octet
/// and trailing garbage cost that much; nobody else does.
inline constexpr std::uint64_t kWireFree = 1024 * 1024;
inline constexpr std::uint64_t kWireFactor = 2;
/// Octets of the body that memory is taken for when Content-Length promises so many; beyond that it grows
/// with what comes.
inline constexpr std::uint64_t kReservedMax = 64 * 1024;

class Response {
 public:
  /// `head_max` octets for all heads and trailers together, `body_max` decoded octets of the body.
  /// `keep_coded`: the body is also kept as it was before decoding, see take_coded().
  Response(std::uint64_t head_max, std::size_t body_max, bool keep_coded = false);

  enum class State {
    head,    ///< waiting for the end of the head
    body,    ///< the head is there
    done,    ///< all there, or as much of it as was wanted
    failed,  ///< see failure()
  };

  /// The next octets of the connection. Octets after the end are noted: such a connection is not used again.
  State feed(std::string_view octets);
  /// The connection ended; `orderly` when the peer said so (FIN, and close_notify under TLS). Done or failed:
  /// truncated when the body was not all there, and then the part that came is kept.
  State end(bool orderly);

  State state() const { return state_; }
  /// Only when failed: protocol, head_limit, truncated, decode, bomb; reset when nothing came at all. Details
  /// are stable phrases of ours.
  const Step& failure() const { return failure_; }
  /// Octets were fed.
  bool started() const { return octets_ > 0; }
  std::uint64_t octets() const { return octets_; }
  /// The connection may carry another exchange: the end is certain, nothing was odd, and the server agrees.
  bool reusable() const;

  /// As soon as the head is there, also after a failure in the body.
  int status() const { return head_.status; }
  Headers& headers() { return head_.headers; }
  /// Once: all of the body when done, what came of it when failed as truncated, else nothing.
  std::string take_body();
  bool cut() const { return cut_; }

  /// The final head as received. As soon as it is there.
  const std::string& raw_head() const { return raw_head_; }
  bool chunked() const { return head_.chunked; }
  /// The body has a content coding; and, once, that body, as far as take_body() has it decoded.
  bool has_coding() const { return has_coding_; }
  std::string take_coded() { return std::exchange(coded_, {}); }

  /// Octets of memory that the body takes right now: decoded, held back, and what its decoders need. Grows in
  /// feed() and end(); take_body() and most failures end it.
  std::size_t held() const;

 private:
  State fail(Step failure);
  State fail(Error error, std::string_view detail);
  State feed_head(std::string_view& octets);
  State begin_body();
  State feed_body(std::string_view& octets);
  State finish_body();

  const std::uint64_t head_max_;
  const std::size_t body_max_;
  const bool keep_coded_;
  State state_ = State::head;
  Step failure_;
  HeadReader reader_;
  std::uint64_t head_octets_ = 0;
  int interim_ = 0;
  Head head_;
  std::string raw_head_;
  std::string coded_;
  bool has_coding_ = false;
  Framing framing_ = Framing::none();
  std::optional<Decoder> decoder_;
  std::uint64_t octets_ = 0;
  std::uint64_t body_octets_ = 0;
  bool odd_ = false;
  bool closing_ = false;  // the end of the connection is the end of the body
  bool cut_ = false;
};

}  // namespace fetch
