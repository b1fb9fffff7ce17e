#pragma once

#include "core/containers/encryption/secretBytes.h"

#include <array>
#include <memory>
#include <string>

/**
 * The few primitives that encrypted images need. They come from OpenSSL's libcrypto, which uses the
 * processor's AES instructions; it is linked in statically, so its version is ours whatever the
 * process around has.
 */
namespace stowage::containers {

constexpr size_t aesBlockBytes = 16;

enum class CipherName : uint8_t { aes128, aes192, aes256, tripleDes };

/**
 * One direction of a cipher in CBC mode without padding, with its key schedule in secret memory.
 */
class CbcCipher {
  public:
    /** The key's length follows from the cipher. */
    CbcCipher(CipherName name, const uint8_t* key, bool encrypts);
    CbcCipher(const CbcCipher&) = delete;
    CbcCipher& operator=(const CbcCipher&) = delete;
    CbcCipher(CbcCipher&&) = delete;
    CbcCipher& operator=(CbcCipher&&) = delete;
    ~CbcCipher();
    /** One message: whole cipher blocks. `from` and `into` may be the same. */
    void run(const uint8_t* iv, const uint8_t* from, uint8_t* into, size_t bytes);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/**
 * AES on many cipher blocks at once, each by itself: what several CBC chains side by side are made
 * of.
 */
class AesBlocks {
  public:
    /** The name is one of AES. */
    AesBlocks(CipherName name, const uint8_t* key, bool encrypts);
    AesBlocks(const AesBlocks&) = delete;
    AesBlocks& operator=(const AesBlocks&) = delete;
    AesBlocks(AesBlocks&&) = delete;
    AesBlocks& operator=(AesBlocks&&) = delete;
    ~AesBlocks();
    /** `from` and `into` may be the same. */
    void run(const uint8_t* from, uint8_t* into, size_t bytes);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

using Sha1Digest = std::array<uint8_t, 20>;

/** HMAC-SHA1 under one key. */
class HmacSha1 {
  public:
    HmacSha1(const uint8_t* key, size_t bytes);
    HmacSha1(const HmacSha1&) = delete;
    HmacSha1& operator=(const HmacSha1&) = delete;
    HmacSha1(HmacSha1&&) = delete;
    HmacSha1& operator=(HmacSha1&&) = delete;
    ~HmacSha1();
    Sha1Digest of(const uint8_t* message, size_t bytes);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/** PBKDF2 with HMAC-SHA1 (RFC 8018). */
SecretBytes pbkdf2Sha1(const SecretBytes& password, const uint8_t* salt, size_t saltBytes, uint32_t rounds,
                       size_t keyBytes);

void randomBytes(uint8_t* into, size_t bytes);

} // namespace stowage::containers
