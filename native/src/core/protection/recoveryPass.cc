#include "core/protection/recoveryPass.h"

#include "core/protection/field16.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace stowage {

namespace {

constexpr size_t md5Group = 64;

uint32_t withZeros(uLong crc, size_t zeros) {
    static constexpr std::array<uint8_t, 4096> empty{};
    while (zeros > 0) {
        const size_t part = std::min(zeros, empty.size());
        crc = crc32_z(crc, empty.data(), part);
        zeros -= part;
    }
    return static_cast<uint32_t>(crc);
}

uint32_t crcOf(const uint8_t* bytes, size_t length, size_t zeros) {
    return withZeros(crc32_z(0, bytes, length), zeros);
}

} // namespace

BlockChecks checksOf(const uint8_t* block, size_t length) {
    return {md5(block, length), crcOf(block, length, 0)};
}

RecoveryPass::RecoveryPass(size_t blockBytes, std::vector<uint16_t> exponents, unsigned threads,
                           size_t partBytes)
    : blockBytes_(blockBytes), exponents_(std::move(exponents)), threads_(threads), partBytes_(partBytes),
      factors_(exponents_.size()) {
    sums_.emplace(partBytes, exponents_.size(), threads);
    if (partBytes < blockBytes) whole_.resize(blockBytes);
    start_.reserve(identityBytes);
}

void RecoveryPass::begin(size_t firstBlock) {
    input_ = firstBlock;
    start_.clear();
    checks_ = {};
}

void RecoveryPass::data(const uint8_t* bytes, size_t length) {
    const size_t ofStart = std::min(length, identityBytes - start_.size());
    start_.insert(start_.end(), bytes, bytes + ofStart);
    while (length > 0) {
        const size_t part = std::min(length, blockBytes_ - filled_);
        std::memcpy(block() + filled_, bytes, part);
        filled_ += part;
        bytes += part;
        length -= part;
        hashFilled(filled_ / md5Group * md5Group);
        if (filled_ == blockBytes_) endBlock();
    }
}

FileChecks RecoveryPass::end() {
    if (filled_ > 0) endBlock();
    checks_.md5 = hashes_.finishFile();
    checks_.md5OfStart = md5(start_.data(), start_.size());
    return std::exchange(checks_, {});
}

void RecoveryPass::hashFilled(size_t until) {
    hashes_.data(block() + hashed_, until - hashed_);
    hashed_ = until;
}

BlockChecks RecoveryPass::checksOfBlock(size_t zeros) {
    uint8_t* const bytes = block();
    if (blockBytes_ % md5Group == 0) return {hashes_.finishBlock(zeros), crcOf(bytes, filled_, zeros)};
    std::memset(bytes + filled_, 0, zeros);
    return checksOf(bytes, blockBytes_);
}

void RecoveryPass::endBlock() {
    hashFilled(filled_);
    checks_.blocks.push_back(checksOfBlock(blockBytes_ - filled_));
    if (whole_.empty())
        addToSums(input_, filled_);
    else
        addPart(input_, whole_.data(), std::min(filled_, partBytes_));
    ++input_;
    filled_ = 0;
    hashed_ = 0;
}

void RecoveryPass::addPart(size_t input, const uint8_t* bytes, size_t length) {
    if (input >= crcs_.size()) crcs_.resize(input + 1);
    crcs_[input] = static_cast<uint32_t>(crc32_z(crcs_[input], bytes, length));
    std::memcpy(sums_->next(), bytes, length);
    addToSums(input, length);
}

void RecoveryPass::addToSums(size_t input, size_t length) {
    std::transform(exponents_.begin(), exponents_.end(), factors_.begin(),
                   [input](uint16_t exponent) { return recoveryFactor(input, exponent); });
    sums_->add(length, factors_);
}

bool RecoveryPass::nextPart() {
    if (partOffset_ + partBytes_ >= blockBytes_) return false;
    partOffset_ += partBytes_;
    sums_.reset();
    sums_.emplace(partLength(), exponents_.size(), threads_);
    return true;
}

uint32_t RecoveryPass::crcOfParts(size_t input, size_t zeros) const {
    return withZeros(crcs_.at(input), zeros);
}

} // namespace stowage
