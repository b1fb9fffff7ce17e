#include "containerFixture.h"
#include "core/containers/bigEndian.h"
#include "core/containers/encryption/blockCipher.h"
#include "core/containers/encryption/encryptedStore.h"
#include "core/containers/encryption/encryptionHeader.h"

#include <openssl/crypto.h>
#include <openssl/opensslv.h>
#include <openssl/sha.h>

#include <charconv>

using namespace stowage::testing;
namespace platform = stowage::platform;

namespace {

std::vector<uint8_t> fromHex(std::string_view text) {
    std::vector<uint8_t> bytes(text.size() / 2);
    for (size_t i = 0; i < bytes.size(); ++i)
        std::from_chars(text.data() + 2 * i, text.data() + 2 * i + 2, bytes[i], 16);
    return bytes;
}

std::string toHex(const uint8_t* bytes, size_t length) {
    std::string text;
    for (size_t i = 0; i < length; ++i) {
        text += "0123456789abcdef"[bytes[i] >> 4U];
        text += "0123456789abcdef"[bytes[i] & 15U];
    }
    return text;
}

std::vector<uint8_t> counting(size_t bytes, uint8_t first) {
    std::vector<uint8_t> content(bytes);
    for (size_t i = 0; i < bytes; ++i)
        content[i] = static_cast<uint8_t>(first + i);
    return content;
}

ImageKeys countingKeys(size_t aesBytes) {
    const std::vector<uint8_t> aes = counting(aesBytes, 0);
    const std::vector<uint8_t> hmac = counting(20, 0x28);
    return {SecretBytes(aes.data(), aes.size()), SecretBytes(hmac.data(), hmac.size())};
}

/** A header as another writer would make it, from the layout. */
std::vector<uint8_t> headerBy(unsigned keyBits, bool tripleDes, const std::vector<uint8_t>& wrapped,
                              uint32_t blockBytes, uint64_t plainBytes, uint64_t dataOffset) {
    std::vector<uint8_t> bytes(dataOffset);
    std::copy_n("encrcdsa", 8, bytes.begin());
    const std::pair<size_t, uint32_t> words[] = {{0x08, 2},
                                                 {0x0C, 16},
                                                 {0x10, 5},
                                                 {0x14, 0x80000001},
                                                 {0x18, keyBits},
                                                 {0x1C, 0x5B},
                                                 {0x20, 160},
                                                 {0x34, blockBytes},
                                                 {0x48, 1},
                                                 {0x4C, 1},
                                                 {0x60, 103},
                                                 {0x68, 1000},
                                                 {0x6C, 20},
                                                 {0x90, 8},
                                                 {0xB4, 192},
                                                 {0xB8, tripleDes ? 17 : 0x80000001},
                                                 {0xBC, 7},
                                                 {0xC0, 6},
                                                 {0xC4, static_cast<uint32_t>(wrapped.size())}};
    for (const auto& [at, value] : words)
        store32(&bytes[at], value);
    store64(&bytes[0x38], plainBytes);
    store64(&bytes[0x40], dataOffset);
    store64(&bytes[0x50], 0x60);
    store64(&bytes[0x58], 0x268);
    const std::vector<uint8_t> salt = counting(20, 0);
    std::copy(salt.begin(), salt.end(), &bytes[0x70]);
    std::copy_n("IVIVIVIV", 8, &bytes[0x94]);
    std::copy(wrapped.begin(), wrapped.end(), &bytes[0xC8]);
    return bytes;
}

constexpr const char* wrapped256Aes = "8f820b133f2c098c784ef0ef85610128ec8e79be1af6270559091f776026e2f5"
                                      "a3738a512f708e61c4ca708cb3e2df4c75f0c108e7bfc6fac49514880720e515";
constexpr const char* wrapped256Des = "afea4dc40fc703da8540940e12ba6b48a248dec7e484e50a03e0fead37538e3d"
                                      "8f46e096adb0bd25a89fefe56273525c41b155616255fdb85d6086bbd607dbe2";
constexpr const char* wrapped128Aes = "8f820b133f2c098c784ef0ef8561012893af1f6daf986548269d96092f7f35b6"
                                      "f3036707b14e3b80494ec2a256ce7d7f";

class EncryptedImages : public ContainerFixture {};

} // namespace

TEST(Crypto, IsTheVersionThatWasLinkedIn) {
    EXPECT_STREQ(OpenSSL_version(OPENSSL_VERSION_STRING), OPENSSL_FULL_VERSION_STR);
}

TEST(Crypto, KeepsKeysInLockedMemory) {
    const SecretBytes large(size_t{1} << 20U);
    EXPECT_TRUE(secretsAreLocked()) << "RLIMIT_MEMLOCK may be below 2 MiB here";
}

TEST(Crypto, ForgetsWhatWasFreed) {
    const uint8_t* place = nullptr;
    {
        SecretBytes bytes(64);
        std::fill_n(bytes.data(), 64, uint8_t{0xAA});
        place = bytes.data();
    }
    const SecretBytes again(64);
    ASSERT_EQ(again.data(), place);
    EXPECT_EQ(std::count(again.data(), again.data() + 64, 0xAA), 0);
}

// Published with John's support for images of current macOS: password, salt, rounds and wrapped key
// of a genuine one.
TEST(Crypto, UnwrapsTheKeyOfAGenuineImage) {
    const std::vector<uint8_t> salt = fromHex("20a528dfdc3dc653d5da26923cd7b07d03eda76e");
    const SecretBytes key = pbkdf2Sha1(secret("po99oo"), salt.data(), salt.size(), 384615, 24);
    EXPECT_EQ(toHex(key.data(), key.size()), "00a3f97141fdcf55e4874a80856c9fb4a2151e26a764b836");
    const std::vector<uint8_t> blob =
        fromHex("17b5d1683f6cd8b076943f1397d96f2d7a966596bd4c816334f444b26c33b6dd"
                "1a2f309a375ed9c3a612b5877c75ea6c2f3053fdb4c2b9a477d6291573fcb7cd");
    std::vector<uint8_t> plain(16);
    CbcCipher(CipherName::aes192, key.data(), false).run(&blob[32], &blob[48], plain.data(), 16);
    EXPECT_EQ(toHex(plain.data(), 16), "dc1b8c50434b49450007070707070707");
}

TEST(BlockCipher, GivesKnownAnswers) {
    const std::vector<uint8_t> zeros(1024);
    const struct {
        size_t keyBytes;
        const char* start;
        const char* sha1;
    } answers[] = {{32, "a7ffc43829f553f2d31db2d3e6a03232", "90788de36590ca66dacfa2aa9f877ea2a44a038a"},
                   {16, "b602f4fb7dc201fee1404e07d947bc1b", "76f6191e9152e6fc01c6f1506aaef5daf2658da1"}};
    for (const auto& answer : answers) {
        BlockCipher cipher(countingKeys(answer.keyBytes), 512);
        std::vector<uint8_t> got(512);
        cipher.encrypt(0, zeros.data(), got.data(), got.size());
        EXPECT_EQ(toHex(got.data(), 16), answer.start);
        uint8_t digest[20];
        SHA1(got.data(), got.size(), static_cast<uint8_t*>(digest));
        EXPECT_EQ(toHex(static_cast<uint8_t*>(digest), 20), answer.sha1);
    }
    const ImageKeys keys = countingKeys(32);
    HmacSha1 hmac(keys.hmac.data(), keys.hmac.size());
    const uint8_t one[] = {0, 0, 0, 1};
    EXPECT_EQ(toHex(hmac.of(static_cast<const uint8_t*>(one), 4).data(), 16),
              "e89c02999cd2a6a294152460fe53cefb");
}

TEST(BlockCipher, IsTheSameInOneRequestAndInMany) {
    for (const uint32_t blockBytes : {512U, 4096U}) {
        BlockCipher cipher(countingKeys(32), blockBytes);
        const std::vector<uint8_t> plain = noiseBytes(size_t{1} << 20U, 5);
        // Around the end of the IVs that are kept.
        const uint64_t first = 32768 - 20;
        std::vector<uint8_t> together(plain.size());
        cipher.encrypt(first, plain.data(), together.data(), plain.size());
        std::vector<uint8_t> apart = plain;
        for (size_t at = 0; at < apart.size(); at += blockBytes)
            cipher.encrypt(first + at / blockBytes, &apart[at], &apart[at], blockBytes);
        EXPECT_EQ(together, apart);
        cipher.decrypt(first, together.data(), together.data(), together.size());
        EXPECT_EQ(together, plain);
    }
}

TEST_F(EncryptedImages, OfBothGenerationsOpen) {
    const struct {
        unsigned keyBits;
        bool tripleDes;
        const char* wrapped;
        uint32_t blockBytes;
        uint64_t dataOffset;
    } images[] = {{256, false, wrapped256Aes, 512, 0x1DE00},
                  {256, true, wrapped256Des, 4096, 0x1E000},
                  {128, false, wrapped128Aes, 512, 0x1DE00}};
    const SecretBytes hunter = secret("hunter2");
    const std::vector<uint8_t> content = noiseBytes(9 * 4096 + 512, 11);
    for (const auto& image : images) {
        const uint64_t stored = (content.size() + image.blockBytes - 1) / image.blockBytes * image.blockBytes;
        std::vector<uint8_t> data(content);
        data.resize(stored);
        BlockCipher(countingKeys(image.keyBits / 8), image.blockBytes)
            .encrypt(0, data.data(), data.data(), stored);
        std::vector<uint8_t> file = headerBy(image.keyBits, image.tripleDes, fromHex(image.wrapped),
                                             image.blockBytes, content.size(), image.dataOffset);
        file.insert(file.end(), data.begin(), data.end());
        writeBytes(path(), file);
        {
            const auto disk = openContainer(path(), {true, &hunter});
            EXPECT_EQ(disk->info().encryption->current, !image.tripleDes);
            EXPECT_EQ(all(*disk), content);
            disk->resize(content.size() + 5120, task);
            const uint8_t one = 1;
            disk->write(content.size() + 5000, &one, 1);
            // A sector of a block of 4,096 bytes: the rest of the block stays.
            disk->write(2 * size_t{4096}, std::vector<uint8_t>(512, 1).data(), 512);
            disk->flush();
        }
        std::vector<uint8_t> expected = content;
        expected.resize(content.size() + 5120);
        expected[content.size() + 5000] = 1;
        std::fill_n(expected.begin() + 2 * 4096, 512, uint8_t{1});
        EXPECT_EQ(all(*openContainer(path(), {false, &hunter})), expected);
        const SecretBytes changed = secret("changed");
        changeContainerPassword(path(), hunter, changed, 1000);
        EXPECT_EQ(all(*openContainer(path(), {false, &changed})), expected);
        EXPECT_FALSE(encryptionOf(path())->current) << "a new wrap is by 3DES";
    }
}

TEST_F(EncryptedImages, KeepOpeningWhereverAChangeOfPasswordStops) {
    create({ContainerKind::sparseBundle, 256}, 1 << 20U);
    const std::string token = path() + "/token";
    const std::vector<uint8_t> before = bytesOf(token);
    /** Stops before its n-th write. */
    class Stopping : public FileStore {
      public:
        Stopping(platform::Handle file, unsigned writes)
            : FileStore(std::move(file), "token"), left_(writes) {}
        void write(uint64_t offset, const uint8_t* from, size_t length) override {
            if (left_-- == 0) fail(Fault::io, "stopped");
            FileStore::write(offset, from, length);
        }

      private:
        unsigned left_;
    };
    const SecretBytes changed = secret("changed");
    bool finished = false;
    for (unsigned writes = 0; !finished; ++writes) {
        writeBytes(token, before);
        platform::Handle folder;
        platform::Handle file;
        ASSERT_EQ(platform::openFolder(path(), folder), 0);
        ASSERT_EQ(platform::openStorage(folder, "token", platform::Opening::toChange, file), 0);
        {
            Stopping store(std::move(file), writes);
            finished = failureOf([&] { changePassword(store, password, changed, 1000); }).empty();
        }
        const bool opensByOld = failureOf([&] { openContainer(path(), {false, &password}); }).empty();
        const bool opensByNew = failureOf([&] { openContainer(path(), {false, &changed}); }).empty();
        EXPECT_NE(opensByOld, opensByNew) << writes;
        // Whatever it is, the change can be made again.
        const SecretBytes& valid = opensByOld ? password : changed;
        const SecretBytes third = secret("third");
        EXPECT_EQ(failureOf([&] { changeContainerPassword(path(), valid, third, 1000); }), "") << writes;
        EXPECT_EQ(failureOf([&] { openContainer(path(), {false, &third}); }), "") << writes;
        ASSERT_LT(writes, 20U);
    }
    EXPECT_EQ(bytesOf(token).size(), before.size());
}
