#include "core/containers/encryption/encryptionHeader.h"

#include "core/containers/bigEndian.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace stowage::containers {

namespace {

constexpr std::string_view encryptedSignature = "encrcdsa";
constexpr std::string_view keyMark{"CKIE\0", 5};
constexpr uint32_t aes = 0x80000001;
constexpr uint32_t tripleDes = 17;
constexpr size_t itemTable = 0x4C;
constexpr size_t itemEntry = 20;
constexpr size_t firstItem = 0x60;
/** Where a second item is while a password is changed: a sector of its own. */
constexpr size_t spareItem = 0x1000;
constexpr size_t itemBytes = 0x268;
constexpr size_t blobAt = 0x68;
constexpr uint32_t passphraseItem = 1;
constexpr size_t hmacBytes = 20;
constexpr size_t wrapKeyBytes = 24;
constexpr size_t saltBytes = 20;
constexpr uint64_t currentDataOffset = 0x1DE00;
constexpr uint32_t mostItems = 64;
constexpr uint64_t mostHeaderBytes = uint64_t{1} << 20U;
/** Ten times what is seen; more would only keep the machine busy. */
constexpr uint32_t mostRounds = 10'000'000;

PassphraseItem parseItem(const std::vector<uint8_t>& item) {
    const uint8_t* const at = item.data();
    PassphraseItem parsed;
    if (load32(at) != 103 || load32(at + 4) != 0)
        fail(Fault::refused, "its password is derived in a way that is not supported");
    parsed.rounds = load32(at + 8);
    const uint32_t salt = load32(at + 0x0C);
    const uint32_t wrapAlgorithm = load32(at + 0x58);
    const uint32_t blob = load32(at + 0x64);
    if (parsed.rounds == 0 || parsed.rounds > mostRounds || salt > 32 || load32(at + 0x30) != 8) {
        damaged("the encryption header's key item is invalid");
    }
    if (wrapAlgorithm != aes && wrapAlgorithm != tripleDes)
        fail(Fault::refused, "its key is wrapped by a cipher that is not supported");
    if (load32(at + 0x54) != wrapKeyBytes * 8 || blob == 0 || blob % aesBlockBytes != 0 || blob > 512) {
        damaged("the encryption header's key item is invalid");
    }
    parsed.isTripleDes = wrapAlgorithm == tripleDes;
    parsed.salt.assign(at + 0x10, at + 0x10 + salt);
    std::copy_n(at + 0x34, parsed.iv.size(), parsed.iv.begin());
    parsed.wrapped.assign(at + blobAt, at + blobAt + blob);
    return parsed;
}

/** Runs the key wrap's cipher over a blob, either way. */
void wrapOrUnwrap(const PassphraseItem& item, const SecretBytes& password, bool wraps, const uint8_t* from,
                  uint8_t* into, size_t bytes) {
    const SecretBytes key =
        pbkdf2Sha1(password, item.salt.data(), item.salt.size(), item.rounds, wrapKeyBytes);
    std::array<uint8_t, aesBlockBytes> iv{};
    std::copy(item.iv.begin(), item.iv.end(), iv.begin());
    CbcCipher cipher(item.isTripleDes ? CipherName::tripleDes : CipherName::aes192, key.data(), wraps);
    cipher.run(iv.data(), from, into, bytes);
}

bool opens(const PassphraseItem& item, const SecretBytes& password, size_t keyBytes, SecretBytes& plain) {
    wrapOrUnwrap(item, password, false, item.wrapped.data(), plain.data(), item.wrapped.size());
    const size_t length = keyBytes + hmacBytes + keyMark.size();
    const size_t padding = item.wrapped.size() > length ? item.wrapped.size() - length : 0;
    if (padding == 0 || padding > aesBlockBytes) return false;
    const uint8_t* const mark = plain.data() + keyBytes + hmacBytes;
    const uint8_t* const end = plain.data() + item.wrapped.size();
    return std::memcmp(mark, keyMark.data(), keyMark.size()) == 0 &&
           std::all_of(mark + keyMark.size(), end, [padding](uint8_t byte) { return byte == padding; });
}

/** A key item around the keys, wrapped by 3DES: every system that opens such images reads that. */
std::vector<uint8_t> makeItem(const ImageKeys& keys, const SecretBytes& password, uint32_t rounds) {
    PassphraseItem item;
    item.isTripleDes = true;
    item.rounds = std::clamp(rounds, 1U, mostRounds);
    item.salt.resize(saltBytes);
    randomBytes(item.salt.data(), item.salt.size());
    randomBytes(item.iv.data(), item.iv.size());
    const size_t length = keys.aes.size() + hmacBytes + keyMark.size();
    const size_t whole = (length / aesBlockBytes + 1) * aesBlockBytes;
    SecretBytes plain(whole);
    std::memcpy(plain.data(), keys.aes.data(), keys.aes.size());
    std::memcpy(plain.data() + keys.aes.size(), keys.hmac.data(), hmacBytes);
    std::memcpy(plain.data() + keys.aes.size() + hmacBytes, keyMark.data(), keyMark.size());
    std::memset(plain.data() + length, static_cast<int>(whole - length), whole - length);

    std::vector<uint8_t> bytes(itemBytes);
    store32(bytes.data(), 103);
    store32(&bytes[0x08], item.rounds);
    store32(&bytes[0x0C], saltBytes);
    std::copy(item.salt.begin(), item.salt.end(), &bytes[0x10]);
    store32(&bytes[0x30], static_cast<uint32_t>(item.iv.size()));
    std::copy(item.iv.begin(), item.iv.end(), &bytes[0x34]);
    store32(&bytes[0x54], wrapKeyBytes * 8);
    store32(&bytes[0x58], tripleDes);
    store32(&bytes[0x5C], 7);
    store32(&bytes[0x60], 6);
    store32(&bytes[0x64], static_cast<uint32_t>(whole));
    wrapOrUnwrap(item, password, true, plain.data(), &bytes[blobAt], whole);
    return bytes;
}

void storeEntry(uint8_t* entry, uint64_t offset) {
    store32(entry, passphraseItem);
    store64(entry + 4, offset);
    store64(entry + 12, itemBytes);
}

} // namespace

EncryptionFacts EncryptionHeader::facts() const {
    EncryptionFacts facts;
    facts.keyBits = keyBits;
    facts.blockBytes = blockBytes;
    facts.rounds = items.front().rounds;
    facts.current = !items.front().isTripleDes;
    return facts;
}

bool isEncrypted(ByteStore& file) {
    std::array<uint8_t, encryptionSignatureBytes> head{};
    if (file.bytes() < head.size()) return false;
    file.read(0, head.data(), head.size());
    return std::memcmp(head.data(), encryptedSignature.data(), encryptedSignature.size()) == 0;
}

EncryptionHeader readEncryptionHeader(ByteStore& file) {
    std::array<uint8_t, itemTable> head{};
    if (!isEncrypted(file)) damaged("it is not an encrypted image of version 2");
    file.read(0, head.data(), head.size());
    EncryptionHeader header;
    header.keyBits = load32(&head[0x18]);
    header.blockBytes = load32(&head[0x34]);
    header.plainBytes = load64(&head[0x38]);
    header.dataOffset = load64(&head[0x40]);
    const uint32_t items = load32(&head[0x48]);
    if (load32(&head[0x08]) != 2) fail(Fault::refused, "its version of encryption is not supported");
    if (load32(&head[0x10]) != 5 || load32(&head[0x14]) != aes || load32(&head[0x1C]) != 0x5B ||
        load32(&head[0x20]) != hmacBytes * 8 || load32(&head[0x0C]) != aesBlockBytes) {
        fail(Fault::refused, "it is encrypted by a cipher that is not supported");
    }
    if (header.keyBits != 128 && header.keyBits != 256)
        damaged("the encryption header's key length is invalid");
    if (header.blockBytes != 512 && header.blockBytes != 4096)
        damaged("the encryption header's block length is invalid");
    if (header.dataOffset > mostHeaderBytes || header.dataOffset % sectorBytes != 0 ||
        header.plainBytes > static_cast<uint64_t>(INT64_MAX) || header.dataOffset < itemTable) {
        damaged("the encryption header's lengths make no sense");
    }
    if (items == 0 || items > mostItems) damaged("the encryption header's number of keys is invalid");
    bool hasOther = false;
    for (uint32_t i = 0; i < items; ++i) {
        std::array<uint8_t, itemEntry> entry{};
        file.read(itemTable + i * itemEntry, entry.data(), entry.size());
        const uint64_t offset = load64(&entry[4]);
        const uint64_t length = load64(&entry[12]);
        if (offset > mostHeaderBytes || length > mostHeaderBytes || offset + length > file.bytes()) {
            damaged("the encryption header points outside of the image");
        }
        if (load32(entry.data()) != passphraseItem) {
            hasOther = true;
            continue;
        }
        std::vector<uint8_t> item(itemBytes);
        if (length < item.size()) damaged("the encryption header's key item is too short");
        file.read(offset, item.data(), item.size());
        header.items.push_back(parseItem(item));
        header.items.back().offset = offset;
    }
    if (header.items.empty()) {
        if (hasOther) fail(Fault::refused, "only a certificate opens it, which is not supported");
        damaged("the encryption header has no key");
    }
    return header;
}

ImageKeys unlock(const EncryptionHeader& header, const SecretBytes& password) {
    const size_t keyBytes = header.keyBits / 8;
    for (const PassphraseItem& item : header.items) {
        SecretBytes plain(512);
        if (item.wrapped.size() < keyBytes + hmacBytes + keyMark.size() ||
            !opens(item, password, keyBytes, plain))
            continue;
        return {SecretBytes(plain.data(), keyBytes), SecretBytes(plain.data() + keyBytes, hmacBytes)};
    }
    fail(Fault::wrongPassword, "the password is wrong");
}

NewEncryption makeEncryption(unsigned keyBits, const SecretBytes& password, uint32_t rounds) {
    if (keyBits != 128 && keyBits != 256) fail(Fault::usage, "AES keys have 128 or 256 bits");
    NewEncryption made{std::vector<uint8_t>(currentDataOffset),
                       {SecretBytes(keyBits / 8), SecretBytes(hmacBytes)}};
    randomBytes(made.keys.aes.data(), made.keys.aes.size());
    randomBytes(made.keys.hmac.data(), made.keys.hmac.size());
    uint8_t* const head = made.header.data();
    std::memcpy(head, encryptedSignature.data(), encryptedSignature.size());
    store32(head + 0x08, 2);
    store32(head + 0x0C, aesBlockBytes);
    store32(head + 0x10, 5);
    store32(head + 0x14, aes);
    store32(head + 0x18, keyBits);
    store32(head + 0x1C, 0x5B);
    store32(head + 0x20, hmacBytes * 8);
    randomBytes(head + 0x24, 16);
    head[0x2A] = static_cast<uint8_t>((head[0x2A] & 0x0FU) | 0x40U); // a UUID of version 4 (RFC 9562)
    head[0x2C] = static_cast<uint8_t>((head[0x2C] & 0x3FU) | 0x80U);
    store32(head + 0x34, sectorBytes);
    store64(head + 0x40, currentDataOffset);
    store32(head + 0x48, 1);
    storeEntry(head + itemTable, firstItem);
    const std::vector<uint8_t> item = makeItem(made.keys, password, rounds);
    std::copy(item.begin(), item.end(), made.header.begin() + firstItem);
    return made;
}

void changePassword(ByteStore& file, const SecretBytes& oldPassword, const SecretBytes& newPassword,
                    uint32_t rounds) {
    const EncryptionHeader header = readEncryptionHeader(file);
    const ImageKeys keys = unlock(header, oldPassword);
    const uint64_t current = header.items.front().offset;
    const bool isUsual = current == firstItem || current == spareItem;
    if (header.items.size() != 1 || !isUsual || header.dataOffset < 2 * spareItem) {
        fail(Fault::refused, "its header has several keys or is not laid out as usual");
    }
    std::array<uint8_t, 4> count{};
    file.read(0x48, count.data(), count.size());
    if (load32(count.data()) != 1)
        fail(Fault::refused, "its header has a certificate's key in addition to the password's");
    // A stop in the middle of overwriting the only key would lose the image. The new key is first
    // written elsewhere, then the entry of 20 bytes, which lies in one sector, is turned to it; and
    // back once the usual place holds it too.
    const std::vector<uint8_t> item = makeItem(keys, newPassword, rounds);
    std::array<uint8_t, itemEntry> entry{};
    for (const uint64_t place : {uint64_t{spareItem}, uint64_t{firstItem}}) {
        if (place == current && place == spareItem) continue; // a change was stopped here
        file.write(place, item.data(), item.size());
        file.flush();
        storeEntry(entry.data(), place);
        file.write(itemTable, entry.data(), entry.size());
        file.flush();
    }
    const std::vector<uint8_t> none(itemBytes);
    file.write(spareItem, none.data(), none.size());
    file.flush();
}

} // namespace stowage::containers
