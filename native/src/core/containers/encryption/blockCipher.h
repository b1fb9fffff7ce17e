#pragma once

#include "core/containers/encryption/encryptionHeader.h"

namespace stowage::containers {

/**
 * Encrypts an image's blocks: AES-CBC, each block by itself under the IV that is HMAC-SHA1 of its
 * number, cut to 16 bytes. In a sparse bundle numbers begin anew in every band, so the IVs of the
 * first blocks are kept. Large requests are encrypted by several threads. For one caller at a time.
 */
class BlockCipher {
  public:
    BlockCipher(const ImageKeys& keys, uint32_t blockBytes);
    [[nodiscard]] uint32_t blockBytes() const { return blockBytes_; }
    /** Whole blocks; `from` and `into` may be the same. */
    void encrypt(uint64_t firstBlock, const uint8_t* from, uint8_t* into, size_t bytes);
    void decrypt(uint64_t firstBlock, const uint8_t* from, uint8_t* into, size_t bytes);
    /** Room for the one who is using the cipher. */
    static constexpr size_t scratchBytes = size_t{1} << 20U;
    [[nodiscard]] uint8_t* scratch() { return scratch_.data(); }

  private:
    /** The state of one thread. */
    struct Lane {
        Lane(const ImageKeys& keys, CipherName name)
            : encryption(name, keys.aes.data(), true), decryption(name, keys.aes.data(), false),
              hmac(keys.hmac.data(), keys.hmac.size()) {}
        AesBlocks encryption;
        AesBlocks decryption;
        HmacSha1 hmac;
    };
    void run(bool encrypts, uint64_t firstBlock, const uint8_t* from, uint8_t* into, size_t bytes);
    void encryptLane(Lane& lane, uint64_t firstBlock, const uint8_t* from, uint8_t* into, size_t bytes);
    void decryptLane(Lane& lane, uint64_t firstBlock, const uint8_t* from, uint8_t* into, size_t bytes);
    void takeIv(Lane& lane, uint64_t block, uint8_t* into) const;
    void prepareIvs(uint64_t blocks);
    static std::array<uint8_t, aesBlockBytes> ivOf(Lane& lane, uint64_t block);

    uint32_t blockBytes_;
    std::vector<std::unique_ptr<Lane>> lanes_;
    std::vector<uint8_t> scratch_;
    SecretBytes ivs_;
    uint64_t ivsReady_ = 0;
};

} // namespace stowage::containers
