#pragma once

#include "core/containers/byteStore.h"
#include "core/containers/container.h"
#include "core/containers/encryption/crypto.h"

#include <array>
#include <vector>

namespace stowage::containers {

/** The keys of an encrypted image: what the password unlocks. */
struct ImageKeys {
    SecretBytes aes;  // 16 or 32 bytes
    SecretBytes hmac; // 20 bytes
};

/** A key item: the keys, wrapped by what a password gives. */
struct PassphraseItem {
    uint64_t offset = 0;
    uint32_t rounds = 0;
    std::vector<uint8_t> salt;
    std::array<uint8_t, 8> iv{};
    bool isTripleDes = false;
    std::vector<uint8_t> wrapped;
};

/**
 * The header `encrcdsa`, version 2. Layout after the readers of nlitsme (encrypteddmg) and
 * hashcat's and John's plug-ins; images differ in the cipher that wraps the key, 3DES or AES.
 */
struct EncryptionHeader {
    unsigned keyBits = 256;
    uint32_t blockBytes = 512;
    /** The bytes of the plain image; 0 in a bundle's token. */
    uint64_t plainBytes = 0;
    uint64_t dataOffset = 0;
    std::vector<PassphraseItem> items;

    [[nodiscard]] EncryptionFacts facts() const;
};

constexpr size_t encryptionSignatureBytes = 8;

/** True when the file begins as an encrypted image of version 2. */
bool isEncrypted(ByteStore& file);

/** @throws ContainerError `bad-input`, or `refused` for what is valid and not supported. */
EncryptionHeader readEncryptionHeader(ByteStore& file);

/** Tries the password on every item. @throws `wrong-password` */
ImageKeys unlock(const EncryptionHeader& header, const SecretBytes& password);

/** New random keys under a password, as a whole header. */
struct NewEncryption {
    std::vector<uint8_t> header;
    ImageKeys keys;
};
NewEncryption makeEncryption(unsigned keyBits, const SecretBytes& password, uint32_t rounds);

/**
 * Puts a new password in place of the one given. The data stays as it is, and so do the keys; at
 * every moment one of the two passwords opens the image. @throws `wrong-password`, `refused`
 */
void changePassword(ByteStore& file, const SecretBytes& oldPassword, const SecretBytes& newPassword,
                    uint32_t rounds);

/** The length of the plain image in the header's place for it. */
constexpr uint64_t plainLengthOffset = 0x38;

} // namespace stowage::containers
