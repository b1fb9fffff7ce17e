#include "core/containers/openContainer.h"

#include "core/containers/compressed/compressedImage.h"
#include "core/containers/encryption/encryptedStore.h"
#include "core/containers/rawImage.h"
#include "core/containers/sparse/sparseBundle.h"
#include "core/containers/sparse/sparseImage.h"

#include <array>
#include <cerrno>
#include <cstring>

namespace stowage::containers {

namespace {

constexpr uint64_t usualImageBand = uint64_t{1} << 20U;
constexpr uint64_t usualBundleBand = uint64_t{8} << 20U;
constexpr uint64_t growPiece = uint64_t{16} << 20U;

struct Unlocked {
    std::shared_ptr<BlockCipher> cipher;
    EncryptionHeader header;
};

std::unique_ptr<FileStore> openFileStore(const platform::Handle& folder, const std::string& name,
                                         platform::Opening how, const std::string& what) {
    platform::Handle file;
    checkSystem(platform::openStorage(folder, name.c_str(), how, file), what);
    checkSystem(platform::lockFile(file, how != platform::Opening::toRead), what);
    return std::make_unique<FileStore>(std::move(file), what);
}

Unlocked unlockFile(ByteStore& file, const SecretBytes* password) {
    Unlocked unlocked{nullptr, readEncryptionHeader(file)};
    if (password == nullptr) fail(Fault::wrongPassword, "it is encrypted and needs a password");
    unlocked.cipher =
        std::make_shared<BlockCipher>(unlock(unlocked.header, *password), unlocked.header.blockBytes);
    return unlocked;
}

std::unique_ptr<Container> openBundle(platform::Handle folder, const OpenOptions& options) {
    const auto how = options.writable ? platform::Opening::toChange : platform::Opening::toRead;
    bool copyUsed = false;
    SparseBundle::readInfo(folder, copyUsed); // says first when it is no bundle at all
    platform::Handle lock;
    std::shared_ptr<BlockCipher> cipher;
    std::optional<EncryptionFacts> encryption;
    platform::Handle file;
    const int error = platform::openStorage(folder, "token", how, file);
    if (error != ENOENT) {
        checkSystem(error, "the token");
        checkSystem(platform::lockFile(file, options.writable), "the token");
        platform::Handle own;
        checkSystem(platform::openStorage(folder, "token", platform::Opening::toRead, own), "the token");
        FileStore token(std::move(own), "the token");
        if (token.bytes() > 0) {
            Unlocked unlocked = unlockFile(token, options.password);
            cipher = std::move(unlocked.cipher);
            encryption = unlocked.header.facts();
        }
        lock = std::move(file);
    }
    return std::make_unique<SparseBundle>(std::move(folder), std::move(lock), options.writable,
                                          std::move(cipher), encryption);
}

bool startsWith(ByteStore& store, std::string_view wanted) {
    std::array<char, 16> head{};
    if (store.bytes() < wanted.size()) return false;
    store.read(0, reinterpret_cast<uint8_t*>(head.data()), wanted.size());
    return std::string_view(head.data(), wanted.size()) == wanted;
}

std::unique_ptr<Container> openImage(std::unique_ptr<ByteStore> store, const OpenOptions& options) {
    std::optional<EncryptionFacts> encryption;
    if (isEncrypted(*store)) {
        Unlocked unlocked = unlockFile(*store, options.password);
        encryption = unlocked.header.facts();
        store =
            std::make_unique<EncryptedStore>(std::move(store), std::move(unlocked.cipher), unlocked.header);
    }
    if (isUdif(*store)) {
        if (options.writable) fail(Fault::refused, "a read-only image cannot be changed; convert it");
        return std::make_unique<CompressedImage>(std::move(store), encryption);
    }
    if (startsWith(*store, "sprs"))
        return std::make_unique<SparseImage>(std::move(store), options.writable, encryption);
    return std::make_unique<RawImage>(std::move(store), options.writable, encryption);
}

void fillBundle(const platform::Handle& parent, const std::string& name, const NewContainer& wish,
                uint64_t bandBytes, const std::vector<uint8_t>& token) {
    platform::Handle folder;
    checkSystem(platform::makeFolder(parent, name.c_str()), name);
    checkSystem(platform::openFolderIn(parent, name.c_str(), folder), name);
    SparseBundle::format(folder, {wish.bytes, bandBytes}, token);
}

std::optional<NewEncryption> newEncryption(const std::optional<EncryptionWish>& wish) {
    if (!wish) return std::nullopt;
    if (wish->password == nullptr || wish->password->size() == 0) {
        fail(Fault::usage, "an encrypted container needs a password");
    }
    return makeEncryption(wish->keyBits, *wish->password, wish->rounds);
}

void fillImage(const platform::Handle& parent, const std::string& name, const NewContainer& wish,
               uint64_t bandBytes, Task& task) {
    const std::unique_ptr<ByteStore> store = makeStore(parent, name, wish.encryption);
    if (wish.kind == ContainerKind::sparseImage) {
        SparseImage::format(*store, wish.bytes, bandBytes);
        return;
    }
    // The zeros of an encrypted image must be written: that can take long.
    if (wish.encryption) task.expect(wish.bytes);
    while (wish.encryption && store->bytes() < wish.bytes) {
        const uint64_t before = store->bytes();
        store->resize(std::min(wish.bytes, before + growPiece));
        task.advance(store->bytes() - before);
    }
    store->resize(wish.bytes);
    store->flush();
}

} // namespace

std::unique_ptr<ByteStore> makeStore(const platform::Handle& parent, const std::string& name,
                                     const std::optional<EncryptionWish>& wish) {
    const std::optional<NewEncryption> encryption = newEncryption(wish);
    std::unique_ptr<ByteStore> store =
        openFileStore(parent, name, platform::Opening::toCreate, "the new image");
    if (!encryption) return store;
    store->write(0, encryption->header.data(), encryption->header.size());
    const EncryptionHeader header = readEncryptionHeader(*store);
    auto cipher = std::make_shared<BlockCipher>(encryption->keys, header.blockBytes);
    return std::make_unique<EncryptedStore>(std::move(store), std::move(cipher), header);
}

void makeContainer(const platform::Handle& parent, const std::string& name, const NewContainer& wish,
                   Task& task) {
    checkDiskSize(wish.bytes);
    if (wish.kind == ContainerKind::sparseBundle) {
        const std::optional<NewEncryption> encryption = newEncryption(wish.encryption);
        const uint64_t bandBytes = wish.bandBytes == 0 ? usualBundleBand : wish.bandBytes;
        fillBundle(parent, name, wish, bandBytes, encryption ? encryption->header : std::vector<uint8_t>());
    } else if (wish.kind == ContainerKind::compressedImage) {
        fail(Fault::usage, "a compressed image is made by converting");
    } else {
        fillImage(parent, name, wish, wish.bandBytes == 0 ? usualImageBand : wish.bandBytes, task);
    }
}

void createContainer(const std::string& path, const NewContainer& wish, Task& task) {
    const Place place = placeOf(path);
    Unfinished made(place);
    makeContainer(place.parent, place.name, wish, task);
    made.keep();
}

std::unique_ptr<Container> openContainer(const std::string& path, const OpenOptions& options) {
    const Place place = placeOf(path);
    return openContainerIn(place.parent, place.name, options);
}

std::unique_ptr<Container> openContainerIn(const platform::Handle& parent, const std::string& name,
                                           const OpenOptions& options) {
    platform::FileFacts facts;
    checkSystem(platform::factsAt(parent, name.c_str(), facts), "");
    if (facts.kind == platform::FileKind::folder) {
        platform::Handle folder;
        checkSystem(platform::openFolderIn(parent, name.c_str(), folder), "");
        return openBundle(std::move(folder), options);
    }
    const auto how = options.writable ? platform::Opening::toChange : platform::Opening::toRead;
    return openImage(openFileStore(parent, name, how, "the image"), options);
}

std::optional<EncryptionFacts> encryptionOf(const std::string& path) {
    const Place place = placeOf(path);
    platform::Handle folder;
    const bool isBundle = platform::openFolderIn(place.parent, place.name.c_str(), folder) == 0;
    platform::Handle file;
    const int error =
        isBundle ? platform::openStorage(folder, "token", platform::Opening::toRead, file)
                 : platform::openStorage(place.parent, place.name.c_str(), platform::Opening::toRead, file);
    if (isBundle && error == ENOENT) return std::nullopt;
    checkSystem(error, isBundle ? "the token" : "");
    FileStore store(std::move(file), isBundle ? "the token" : "the image");
    if (!isEncrypted(store)) return std::nullopt;
    return readEncryptionHeader(store).facts();
}

void changeContainerPassword(const std::string& path, const SecretBytes& oldPassword,
                             const SecretBytes& newPassword, uint32_t rounds) {
    if (newPassword.size() == 0) fail(Fault::usage, "the new password is empty");
    const Place place = placeOf(path);
    platform::Handle folder;
    const bool isBundle = platform::openFolderIn(place.parent, place.name.c_str(), folder) == 0;
    const auto file = openFileStore(isBundle ? folder : place.parent, isBundle ? "token" : place.name,
                                    platform::Opening::toChange, isBundle ? "the token" : "the image");
    if (!isEncrypted(*file)) fail(Fault::usage, "it is not encrypted");
    changePassword(*file, oldPassword, newPassword, rounds);
}

} // namespace stowage::containers
