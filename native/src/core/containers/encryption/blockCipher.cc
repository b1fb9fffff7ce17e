#include "core/containers/encryption/blockCipher.h"

#include "core/containers/bigEndian.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <thread>

namespace stowage::containers {

namespace {

/** The IVs of 16 MiB of blocks of 512 bytes: half a mebibyte of secret memory. */
constexpr uint64_t keptIvs = 32768;
/**
 * Less than this is encrypted faster on one thread. Decrypting stays on one: it keeps up with the
 * disk, and waiting for a second thread costs more than it gives (measured with the machine busy).
 */
constexpr size_t leastForThreads = size_t{256} << 10U;
constexpr unsigned mostLanes = 4;
constexpr size_t chains = 32;
constexpr size_t largestBlock = 4096;

/** Exclusive or of one cipher block. */
void mixIn(uint8_t* into, const uint8_t* from) {
    std::array<uint64_t, 2> a{};
    std::array<uint64_t, 2> b{};
    std::memcpy(a.data(), into, sizeof a);
    std::memcpy(b.data(), from, sizeof b);
    a[0] ^= b[0];
    a[1] ^= b[1];
    std::memcpy(into, a.data(), sizeof a);
}

} // namespace

BlockCipher::BlockCipher(const ImageKeys& keys, uint32_t blockBytes)
    : blockBytes_(blockBytes), scratch_(scratchBytes), ivs_(keptIvs * aesBlockBytes) {
    const CipherName name = keys.aes.size() == 16 ? CipherName::aes128 : CipherName::aes256;
    const unsigned lanes = std::clamp(std::thread::hardware_concurrency(), 1U, mostLanes);
    for (unsigned i = 0; i < lanes; ++i)
        lanes_.push_back(std::make_unique<Lane>(keys, name));
}

std::array<uint8_t, aesBlockBytes> BlockCipher::ivOf(Lane& lane, uint64_t block) {
    if (block > UINT32_MAX) fail(Fault::cannotFit, "an encrypted image ends at 4294967296 blocks");
    std::array<uint8_t, 4> number{};
    store32(number.data(), static_cast<uint32_t>(block));
    const Sha1Digest digest = lane.hmac.of(number.data(), number.size());
    std::array<uint8_t, aesBlockBytes> iv{};
    std::copy_n(digest.begin(), iv.size(), iv.begin());
    return iv;
}

void BlockCipher::prepareIvs(uint64_t blocks) {
    for (; ivsReady_ < std::min(blocks, keptIvs); ++ivsReady_) {
        const auto iv = ivOf(*lanes_.front(), ivsReady_);
        std::memcpy(ivs_.data() + ivsReady_ * aesBlockBytes, iv.data(), iv.size());
    }
}

void BlockCipher::encrypt(uint64_t firstBlock, const uint8_t* from, uint8_t* into, size_t bytes) {
    run(true, firstBlock, from, into, bytes);
}

void BlockCipher::decrypt(uint64_t firstBlock, const uint8_t* from, uint8_t* into, size_t bytes) {
    run(false, firstBlock, from, into, bytes);
}

void BlockCipher::takeIv(Lane& lane, uint64_t block, uint8_t* into) const {
    if (block < ivsReady_) {
        std::memcpy(into, ivs_.data() + block * aesBlockBytes, aesBlockBytes);
    } else {
        const auto iv = ivOf(lane, block);
        std::memcpy(into, iv.data(), iv.size());
    }
}

void BlockCipher::encryptLane(Lane& lane, uint64_t firstBlock, const uint8_t* from, uint8_t* into,
                              size_t bytes) {
    // A CBC chain is one AES after the other, of which the processor can have several under way.
    // The chains of many blocks go side by side: 4.0 GB/s a core instead of 0.9 (AES-256 on a
    // processor with VAES).
    std::array<uint8_t, chains * aesBlockBytes> chain{};
    for (size_t group = 0; group < bytes; group += chains * blockBytes_) {
        const size_t count = std::min(chains, (bytes - group) / blockBytes_);
        for (size_t i = 0; i < count; ++i)
            takeIv(lane, firstBlock + group / blockBytes_ + i, &chain[i * aesBlockBytes]);
        for (size_t step = 0; step < blockBytes_; step += aesBlockBytes) {
            for (size_t i = 0; i < count; ++i)
                mixIn(&chain[i * aesBlockBytes], from + group + i * blockBytes_ + step);
            lane.encryption.run(chain.data(), chain.data(), count * aesBlockBytes);
            for (size_t i = 0; i < count; ++i)
                std::memcpy(into + group + i * blockBytes_ + step, &chain[i * aesBlockBytes], aesBlockBytes);
        }
    }
}

void BlockCipher::decryptLane(Lane& lane, uint64_t firstBlock, const uint8_t* from, uint8_t* into,
                              size_t bytes) {
    // Decrypting has no chain: one call for many blocks, then each cipher block takes in the one
    // before it.
    std::array<uint8_t, largestBlock> plain{};
    std::array<uint8_t, aesBlockBytes> iv{};
    for (size_t at = 0; at < bytes; at += plain.size()) {
        const size_t length = std::min(plain.size(), bytes - at);
        lane.decryption.run(from + at, plain.data(), length);
        for (size_t start = 0; start < length; start += blockBytes_) {
            takeIv(lane, firstBlock + (at + start) / blockBytes_, iv.data());
            mixIn(&plain[start], iv.data());
            for (size_t place = start + aesBlockBytes; place < start + blockBytes_; place += aesBlockBytes)
                mixIn(&plain[place], from + at + place - aesBlockBytes);
        }
        std::memcpy(into + at, plain.data(), length);
    }
}

void BlockCipher::run(bool encrypts, uint64_t firstBlock, const uint8_t* from, uint8_t* into, size_t bytes) {
    const uint64_t blocks = bytes / blockBytes_;
    if (firstBlock < keptIvs) prepareIvs(firstBlock + blocks);
    const size_t lanes = !encrypts || bytes < leastForThreads ? 1 : lanes_.size();
    const size_t share = static_cast<size_t>((blocks + lanes - 1) / lanes) * blockBytes_;
    std::vector<std::exception_ptr> failures(lanes);
    const auto work = [&](size_t lane) {
        const size_t start = std::min(bytes, lane * share);
        try {
            const size_t length = std::min(share, bytes - start);
            if (encrypts) {
                encryptLane(*lanes_[lane], firstBlock + start / blockBytes_, from + start, into + start,
                            length);
            } else {
                decryptLane(*lanes_[lane], firstBlock + start / blockBytes_, from + start, into + start,
                            length);
            }
        } catch (...) {
            failures[lane] = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> threads;
        for (size_t lane = 1; lane < lanes; ++lane)
            threads.emplace_back(work, lane);
        work(0);
    }
    for (const std::exception_ptr& failure : failures) {
        if (failure) std::rethrow_exception(failure);
    }
}

} // namespace stowage::containers
