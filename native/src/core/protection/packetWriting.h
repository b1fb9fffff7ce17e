#pragma once

#include "core/protection/protecting.h"
#include "platform/streams.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace stowage {

/**
 * The start of a PAR2 packet with a recovery block: magic bytes, length, digest of the rest, the
 * set's identity, the type and the exponent.
 */
using PacketHead = std::array<uint8_t, 68>;

/**
 * Makes the packet of a recovery block, with its digest.
 * @param fill puts the block of `blockBytes` there
 */
void makePacket(const PacketHead& head, size_t blockBytes, const std::function<void(uint8_t*)>& fill,
                std::vector<uint8_t>& packet);

/**
 * Writes the recovery blocks of a set as packets of PAR2, one after another, with other bytes
 * before and after them. Methods other than `run` may be called from any thread.
 */
class PacketWriting {
  public:
    /**
     * @param output an open file, which stays open
     * @param heads one for each recovery block, without their digests
     */
    PacketWriting(std::shared_ptr<const Protecting> set, int output, std::vector<PacketHead> heads,
                  std::vector<uint8_t> frame)
        : set_(std::move(set)), output_(output), heads_(std::move(heads)), frame_(std::move(frame)) {}

    /** Returns when all are written or why not. Call it once. */
    void run();
    void cancel() { cancelled_.store(true); }
    [[nodiscard]] bool cancelled() const { return cancelled_.load(); }
    [[nodiscard]] uint64_t bytesDone() const { return bytesDone_.load(std::memory_order_relaxed); }
    /** After `run`: 0 or an errno value. */
    [[nodiscard]] int error() const { return error_; }

  private:
    bool write(const platform::StreamInUse& stream, const std::vector<uint8_t>& bytes);

    std::shared_ptr<const Protecting> set_;
    int output_;
    std::vector<PacketHead> heads_;
    std::vector<uint8_t> frame_;
    std::atomic<bool> cancelled_{false};
    std::atomic<uint64_t> bytesDone_{0};
    int error_ = 0;
};

} // namespace stowage
