#include "core/containers/blockCipher.h"

#include "core/containers/bigEndian.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <thread>

namespace stowage::containers {

namespace {

/** The IVs of 16 MiB of blocks of 512 bytes: half a mebibyte of secret memory. */
constexpr uint64_t keptIvs = 32768;
/** Less than this is faster on one thread: starting one costs what some 16 KiB take. */
constexpr size_t leastForThreads = size_t{256} << 10U;
constexpr unsigned mostLanes = 4;

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

void BlockCipher::runLane(Lane& lane, bool encrypts, uint64_t firstBlock, const uint8_t* from, uint8_t* into,
                          size_t bytes) {
    CbcCipher& cipher = encrypts ? lane.encryption : lane.decryption;
    for (size_t at = 0; at < bytes; at += blockBytes_) {
        const uint64_t block = firstBlock + at / blockBytes_;
        if (block < ivsReady_) {
            cipher.run(ivs_.data() + block * aesBlockBytes, from + at, into + at, blockBytes_);
        } else {
            cipher.run(ivOf(lane, block).data(), from + at, into + at, blockBytes_);
        }
    }
}

void BlockCipher::run(bool encrypts, uint64_t firstBlock, const uint8_t* from, uint8_t* into, size_t bytes) {
    const uint64_t blocks = bytes / blockBytes_;
    if (firstBlock < keptIvs) prepareIvs(firstBlock + blocks);
    const size_t lanes = bytes < leastForThreads ? 1 : lanes_.size();
    const size_t share = static_cast<size_t>((blocks + lanes - 1) / lanes) * blockBytes_;
    std::vector<std::exception_ptr> failures(lanes);
    const auto work = [&](size_t lane) {
        const size_t start = std::min(bytes, lane * share);
        try {
            runLane(*lanes_[lane], encrypts, firstBlock + start / blockBytes_, from + start, into + start,
                    std::min(share, bytes - start));
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
