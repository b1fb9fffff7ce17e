#pragma once

#include "core/protection/packetWriting.h"

#include <napi.h>

#include <algorithm>
#include <vector>

namespace stowage::binding {

/** As PAR2 has them in its packets. */
inline void addChecks(const std::vector<BlockChecks>& checks, std::vector<uint8_t>& to) {
    for (const BlockChecks& block : checks) {
        to.insert(to.end(), block.md5.begin(), block.md5.end());
        for (unsigned byte = 0; byte < 4; ++byte)
            to.push_back(static_cast<uint8_t>(block.crc32 >> (8 * byte) & 0xffU));
    }
}

/** The checks of a file: 32 bytes of it, MD5 and that of its start, and 20 of each block. */
inline void addChecks(const FileChecks& checks, std::vector<uint8_t>& files, std::vector<uint8_t>& blocks) {
    files.insert(files.end(), checks.md5.begin(), checks.md5.end());
    files.insert(files.end(), checks.md5OfStart.begin(), checks.md5OfStart.end());
    addChecks(checks.blocks, blocks);
}

/** Heads of packets, one after another. Throws TypeError, RangeError. */
inline std::vector<PacketHead> headsFrom(const Napi::Value& value) {
    if (!value.IsTypedArray()) throw Napi::TypeError::New(value.Env(), "packets need their heads");
    const auto bytes = value.As<Napi::Uint8Array>();
    std::vector<PacketHead> heads(bytes.ByteLength() / sizeof(PacketHead));
    if (heads.size() * sizeof(PacketHead) != bytes.ByteLength())
        throw Napi::RangeError::New(value.Env(), "a head has another length");
    for (size_t i = 0; i < heads.size(); ++i)
        std::copy_n(bytes.Data() + i * sizeof(PacketHead), sizeof(PacketHead), heads[i].begin());
    return heads;
}

} // namespace stowage::binding
