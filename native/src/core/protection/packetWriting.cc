#include "core/protection/packetWriting.h"

#include <algorithm>

namespace stowage {

namespace {

/** Where the digest of a packet is, and where that begins which it is of. */
constexpr size_t digestAt = 16;
constexpr size_t digestOf = 32;

} // namespace

void makePacket(const PacketHead& head, size_t blockBytes, const std::function<void(uint8_t*)>& fill,
                std::vector<uint8_t>& packet) {
    packet.resize(head.size() + blockBytes);
    std::copy(head.begin(), head.end(), packet.begin());
    fill(packet.data() + head.size());
    const Md5Digest digest = md5(packet.data() + digestOf, packet.size() - digestOf);
    std::copy(digest.begin(), digest.end(), packet.begin() + digestAt);
}

void PacketWriting::run() {
    const platform::StreamInUse stream(output_);
    if (!write(stream, frame_)) return;
    std::vector<uint8_t> packet;
    for (size_t at = 0; at < heads_.size(); ++at) {
        const size_t blockBytes = set_->blockBytes();
        makePacket(
            heads_[at], blockBytes, [&](uint8_t* into) { set_->recovery().copy(at, 0, blockBytes, into); },
            packet);
        if (!write(stream, packet)) return;
    }
    write(stream, frame_);
}

bool PacketWriting::write(const platform::StreamInUse& stream, const std::vector<uint8_t>& bytes) {
    for (size_t done = 0; done < bytes.size();) {
        if (cancelled()) return false;
        size_t put = 0;
        error_ = stream.write(bytes.data() + done, bytes.size() - done, put);
        if (error_ != 0) return false;
        done += put;
        bytesDone_.fetch_add(put, std::memory_order_relaxed);
    }
    return true;
}

} // namespace stowage
