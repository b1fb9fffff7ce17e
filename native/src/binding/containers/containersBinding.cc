#include "binding/containers/containersBinding.h"

#include "binding/containers/containerWork.h"
#include "binding/containers/openedContainer.h"
#include "core/containers/cachedPages.h"
#include "core/containers/conversion.h"
#include "core/containers/encryption/crypto.h"

#include <limits>

namespace stowage::binding {

using namespace containers;

namespace {

using Password = std::shared_ptr<SecretBytes>;

uint32_t smallArgument(const Napi::Value& value) {
    return static_cast<uint32_t>(
        std::min<uint64_t>(countArgument(value), std::numeric_limits<uint32_t>::max()));
}

ContainerKind kindArgument(const Napi::Value& value) {
    const std::string name = value.ToString();
    for (const ContainerKind kind : {ContainerKind::readWriteImage, ContainerKind::sparseImage,
                                     ContainerKind::sparseBundle, ContainerKind::compressedImage}) {
        if (name == kindName(kind)) return kind;
    }
    throw Napi::TypeError::New(value.Env(), "a kind must be UDRW, UDSP, UDSB or UDIF");
}

/** A requested container, and the password that the request points to. */
struct Wish {
    NewContainer container;
    Password password;
};

Wish wishArgument(const Napi::Value& value) {
    if (!value.IsObject()) throw Napi::TypeError::New(value.Env(), "a wish must be an object");
    const auto object = value.As<Napi::Object>();
    Wish wish;
    wish.container.kind = kindArgument(object.Get("kind"));
    wish.container.bytes = countArgument(object.Get("bytes"));
    wish.container.bandBytes = countArgument(object.Get("bandBytes"));
    wish.password = passwordArgument(object.Get("password"));
    if (wish.password) {
        wish.container.encryption = EncryptionWish{smallArgument(object.Get("keyBits")),
                                                   smallArgument(object.Get("rounds")), wish.password.get()};
    }
    return wish;
}

} // namespace

Napi::Value createContainer(const Napi::CallbackInfo& info) {
    return startWork(
        info.Env(),
        [path = pathArgument(info[0]), wish = wishArgument(info[1])](Task& task) {
            containers::createContainer(path, wish.container, task);
        },
        nothing);
}

Napi::Value openContainer(const Napi::CallbackInfo& info) {
    const auto opened = std::make_shared<std::unique_ptr<Container>>();
    return startWork(
        info.Env(),
        [opened, path = pathArgument(info[0]), writable = flagArgument(info[1]),
         password = passwordArgument(info[2])](Task&) {
            *opened = containers::openContainer(path, {writable, password.get()});
        },
        [opened](Napi::Env env) { return containerObject(env, std::move(*opened)); });
}

Napi::Value containerEncryption(const Napi::CallbackInfo& info) {
    const auto facts = std::make_shared<std::optional<EncryptionFacts>>();
    return startWork(
        info.Env(), [facts, path = pathArgument(info[0])](Task&) { *facts = encryptionOf(path); },
        [facts](Napi::Env env) { return encryptionObject(env, *facts); });
}

Napi::Value changeContainerPassword(const Napi::CallbackInfo& info) {
    const Password before = passwordArgument(info[1]);
    const Password after = passwordArgument(info[2]);
    if (!before || !after) throw Napi::TypeError::New(info.Env(), "both passwords must be given as bytes");
    return startWork(
        info.Env(),
        [path = pathArgument(info[0]), before, after, rounds = smallArgument(info[3])](Task&) {
            containers::changeContainerPassword(path, *before, *after, rounds);
        },
        nothing);
}

Napi::Value convertContainer(const Napi::CallbackInfo& info) {
    return startWork(
        info.Env(),
        [source = pathArgument(info[0]), password = passwordArgument(info[1]), target = pathArgument(info[2]),
         wish = wishArgument(info[3]), level = static_cast<int>(smallArgument(info[4]) & 0xFFU)](Task& task) {
            containers::convertContainer({source, password.get(), target, wish.container, level}, task);
        },
        nothing);
}

Napi::Value rebandBundle(const Napi::CallbackInfo& info) {
    return startWork(
        info.Env(),
        [path = pathArgument(info[0]), beside = pathArgument(info[1]), password = passwordArgument(info[2]),
         bandBytes = countArgument(info[3])](Task& task) {
            containers::rebandBundle(path, beside, password.get(), bandBytes, task);
        },
        nothing);
}

Napi::Value dropCachedPages(const Napi::CallbackInfo& info) {
    const auto pages = std::make_shared<CachedPages>();
    return startWork(
        info.Env(),
        [pages, path = pathArgument(info[0])](Task& task) {
            *pages = containers::dropCachedPages(path, task);
        },
        [pages](Napi::Env env) -> Napi::Value {
            Napi::Object object = Napi::Object::New(env);
            object["checkedBytes"] = static_cast<double>(pages->checkedBytes);
            object["residentBytes"] =
                pages->known ? Napi::Value(Napi::Number::New(env, static_cast<double>(pages->residentBytes)))
                             : env.Null();
            return object;
        });
}

} // namespace stowage::binding
