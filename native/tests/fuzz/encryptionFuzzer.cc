#include "core/containers/encryption/encryptedStore.h"
#include "fuzzing.h"

using namespace stowage::fuzzing;

/** An encrypted image: its header, and, when the password fits, reading and writing below it. */
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t length) {
    try {
        auto store = std::make_unique<MemoryStore>(bytes, length);
        EncryptionHeader header = readEncryptionHeader(*store);
        // Deriving a key takes as long as the header asks for; here only few rounds are of
        // interest.
        std::erase_if(header.items, [](const PassphraseItem& item) { return item.rounds > 4; });
        static const SecretBytes password(reinterpret_cast<const uint8_t*>("secret"), 6);
        EncryptedStore plain(std::move(store),
                             std::make_shared<BlockCipher>(unlock(header, password), header.blockBytes),
                             header);
        std::vector<uint8_t> some(static_cast<size_t>(std::min<uint64_t>(plain.bytes(), 9000)));
        plain.read(plain.bytes() - some.size(), some.data(), some.size());
        plain.write(plain.bytes() / 2, some.data(), some.size());
        std::vector<uint8_t> got(some.size());
        plain.read(plain.bytes() >= some.size() * 2 ? plain.bytes() / 2 : 0, got.data(), got.size());
        plain.resize(plain.bytes() / 3);
        plain.flush();
    } catch (const ContainerError&) { // what every wrong image ends in
    }
    return 0;
}
