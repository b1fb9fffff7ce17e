#include "core/protection/recoveryPass.h"

#include "core/protection/field16.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace stowage {

namespace {

constexpr size_t md5Group = 64;

uint32_t crcOf(const uint8_t* bytes, size_t length, size_t zeros) {
    static constexpr std::array<uint8_t, 4096> empty{};
    uLong crc = crc32_z(0, bytes, length);
    while (zeros > 0) {
        const size_t part = std::min(zeros, empty.size());
        crc = crc32_z(crc, empty.data(), part);
        zeros -= part;
    }
    return static_cast<uint32_t>(crc);
}

} // namespace

BlockChecks checksOf(const uint8_t* block, size_t length) {
    return {md5(block, length), crcOf(block, length, 0)};
}

RecoveryPass::RecoveryPass(size_t blockBytes, std::vector<uint16_t> exponents, unsigned threads)
    : blockBytes_(blockBytes), exponents_(std::move(exponents)),
      sums_(blockBytes, exponents_.size(), threads), factors_(exponents_.size()) {
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
        std::memcpy(sums_.next() + filled_, bytes, part);
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
    hashes_.data(sums_.next() + hashed_, until - hashed_);
    hashed_ = until;
}

BlockChecks RecoveryPass::checksOfBlock(size_t zeros) {
    uint8_t* const block = sums_.next();
    if (blockBytes_ % md5Group == 0) return {hashes_.finishBlock(zeros), crcOf(block, filled_, zeros)};
    std::memset(block + filled_, 0, zeros);
    return checksOf(block, blockBytes_);
}

void RecoveryPass::endBlock() {
    hashFilled(filled_);
    checks_.blocks.push_back(checksOfBlock(blockBytes_ - filled_));
    std::transform(exponents_.begin(), exponents_.end(), factors_.begin(),
                   [this](uint16_t exponent) { return recoveryFactor(input_, exponent); });
    sums_.add(filled_, factors_);
    ++input_;
    filled_ = 0;
    hashed_ = 0;
}

} // namespace stowage
