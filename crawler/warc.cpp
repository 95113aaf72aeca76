#include "crawler/warc.h"

#include "base/time_text.h"
#include "crawler/gzip_member.h"
#include "crawler/html_text.h"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <cassert>
#include <memory>
#include <new>

namespace crawler {
namespace {

constexpr int kZstdLevel = 3;
constexpr int kZstdQuick = -5;  // finds out quickly that there is nothing to be had

[[maybe_unused]] bool is_token(std::string_view name) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  const auto fits = [&](char c) {
    return is_letter(c) || is_decimal(c) || kMarks.find(c) != std::string_view::npos;
  };
  return !name.empty() && std::all_of(name.begin(), name.end(), fits);
}

void put_value(std::string_view value, std::string& out) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  const auto is_plain = [](char c) { return c >= ' ' && c < '\x7f'; };
  std::size_t left = kWarcValueMax;
  while (!value.empty()) {
    const auto strange = std::find_if_not(value.begin(), value.end(), is_plain);
    const std::size_t plain = std::min(left, static_cast<std::size_t>(strange - value.begin()));
    out += value.substr(0, plain);
    value.remove_prefix(plain);
    left -= plain;
    constexpr std::size_t kEncoded = 3;
    if (value.empty() || left < kEncoded) return;
    const auto octet = static_cast<unsigned char>(value.front());
    (out += '%') += kDigits[octet >> 4U];
    out += kDigits[octet & 15U];
    value.remove_prefix(1);
    left -= kEncoded;
  }
}

void put(std::string_view name, std::string_view value, std::string& out) {
  assert(is_token(name));
  out += name;
  out += ": ";
  put_value(value, out);
  out += "\r\n";
}

/// The record as it is before it is packed.
std::string written(const WarcRecord& record, Digest kind) {
  constexpr std::size_t kHeaderUsual = 1024;
  Hash block(kind);
  block.add(record.head);
  block.add(record.body);
  std::string out;
  out.reserve(kHeaderUsual + record.head.size() + record.body.size());
  out += "WARC/1.1\r\n";
  put("WARC-Type", record.type, out);
  out += "WARC-Record-ID: <";
  put_value(record.id, out);
  out += ">\r\n";
  put("WARC-Date", base::rfc3339(record.date), out);
  if (!record.target.empty()) put("WARC-Target-URI", record.target, out);
  for (const auto& [name, value] : record.fields) put(name, value, out);
  put("WARC-Block-Digest", block.end_text(), out);
  if (!record.payload_digest.empty()) put("WARC-Payload-Digest", record.payload_digest, out);
  if (!record.content_type.empty()) put("Content-Type", record.content_type, out);
  put("Content-Length", std::to_string(record.head.size() + record.body.size()), out);
  out += "\r\n";
  out += record.head;
  out += record.body;
  out += "\r\n\r\n";
  return out;
}

std::string zstd_frame(std::string_view octets, bool packed) {
  struct Free {
    void operator()(ZSTD_CCtx* state) const { ZSTD_freeCCtx(state); }
  };
  thread_local std::unique_ptr<ZSTD_CCtx, Free> own(ZSTD_createCCtx());
  if (!own) own.reset(ZSTD_createCCtx());
  if (!own) throw std::bad_alloc();
  ZSTD_CCtx_setParameter(own.get(), ZSTD_c_compressionLevel, packed ? kZstdQuick : kZstdLevel);
  ZSTD_CCtx_setParameter(own.get(), ZSTD_c_contentSizeFlag, 1);
  ZSTD_CCtx_setParameter(own.get(), ZSTD_c_checksumFlag, 1);
  std::string out(ZSTD_compressBound(octets.size()), '\0');
  const std::size_t size = ZSTD_compress2(own.get(), out.data(), out.size(), octets.data(), octets.size());
  if (ZSTD_isError(size) != 0) throw std::bad_alloc();  // with room enough nothing else can go wrong
  out.resize(size);
  return out;
}

}  // namespace

std::string pack(const WarcRecord& record, Digest kind, Packing packing) {
  const std::string octets = written(record, kind);
  return packing == Packing::gzip ? gzip_member(octets, record.packed) : zstd_frame(octets, record.packed);
}

std::string warc_id(std::uint64_t high, std::uint64_t low) {
  high = (high & ~std::uint64_t{0xf000}) | 0x4000U;                    // version 4
  low = (low & ~(std::uint64_t{3} << 62U)) | std::uint64_t{2} << 62U;  // the variant of RFC 9562
  return fmt::format("urn:uuid:{:08x}-{:04x}-{:04x}-{:04x}-{:012x}", high >> 32U, high >> 16U & 0xffffU,
                     high & 0xffffU, low >> 48U, low & 0xffffffffffffU);
}

}  // namespace crawler
