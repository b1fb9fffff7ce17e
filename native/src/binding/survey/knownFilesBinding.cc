#include "binding/survey/knownFilesBinding.h"

#include "binding/arguments.h"

namespace stowage::binding {

namespace {

/** Null once a survey has taken them over. */
using Held = std::shared_ptr<std::shared_ptr<KnownFiles>>;

constexpr napi_type_tag knownFilesTag{0x73746f776b6e6f77ULL, 0x6e66696c65732e31ULL};

template <typename Column>
Column columnOf(const Napi::Object& columns, const char* name, napi_typedarray_type type) {
    const Napi::Value value = columns.Get(name);
    if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != type) {
        throw Napi::TypeError::New(columns.Env(), std::string("known files lack the column ") + name);
    }
    return value.As<Column>();
}

void add(KnownFiles& known, const Napi::Value& value) {
    if (!value.IsObject()) throw Napi::TypeError::New(value.Env(), "known files must be columns");
    const auto columns = value.As<Napi::Object>();
    const auto device = columnOf<Napi::BigUint64Array>(columns, "device", napi_biguint64_array);
    const auto inode = columnOf<Napi::BigUint64Array>(columns, "inode", napi_biguint64_array);
    const auto bytes = columnOf<Napi::Float64Array>(columns, "bytes", napi_float64_array);
    const auto mtimeNs = columnOf<Napi::BigInt64Array>(columns, "mtimeNs", napi_bigint64_array);
    const auto ctimeNs = columnOf<Napi::BigInt64Array>(columns, "ctimeNs", napi_bigint64_array);
    const auto roots = columnOf<Napi::Uint32Array>(columns, "rootIndex", napi_uint32_array);
    const auto numbers = columnOf<Napi::Uint32Array>(columns, "fileNumbers", napi_uint32_array);
    if (!columns.Get("paths").IsArray())
        throw Napi::TypeError::New(value.Env(), "known files lack the column paths");
    const auto paths = columns.Get("paths").As<Napi::Array>();
    const size_t count = numbers.ElementLength();
    for (const size_t length :
         {device.ElementLength(), inode.ElementLength(), bytes.ElementLength(), mtimeNs.ElementLength(),
          ctimeNs.ElementLength(), roots.ElementLength(), size_t{paths.Length()}}) {
        if (length != count) {
            throw Napi::TypeError::New(value.Env(), "the columns of known files differ in length");
        }
    }
    platform::FileFacts facts;
    for (size_t i = 0; i < count; ++i) {
        if (!(bytes[i] >= 0 && bytes[i] <= 9007199254740992.0)) {
            throw Napi::TypeError::New(value.Env(), "a size must be a whole number that is not negative");
        }
        facts.device = device[i];
        facts.inode = inode[i];
        facts.bytes = static_cast<uint64_t>(bytes[i]);
        facts.mtimeNs = mtimeNs[i];
        facts.ctimeNs = ctimeNs[i];
        const Napi::Value path = paths.Get(static_cast<uint32_t>(i));
        if (!path.IsTypedArray()) throw Napi::TypeError::New(value.Env(), "a path must be given as bytes");
        const auto below = path.As<Napi::Uint8Array>();
        const std::string_view text(reinterpret_cast<const char*>(below.Data()), below.ByteLength());
        known.add(facts, {roots[i], text, {}}, numbers[i]);
    }
}

} // namespace

Napi::Value createKnownFiles(const Napi::CallbackInfo& info) {
    const Napi::Env env = info.Env();
    const Held known =
        std::make_shared<std::shared_ptr<KnownFiles>>(std::make_shared<KnownFiles>(flagArgument(info[0])));
    auto held = std::make_unique<Held>(known);
    Napi::Object object = Napi::Object::New(env);
    object["add"] = Napi::Function::New(env, [known](const Napi::CallbackInfo& call) {
        if (!*known) throw Napi::Error::New(call.Env(), "the known files belong to a survey");
        add(**known, call[0]);
    });
    object["held"] = Napi::External<Held>::New(env, held.get(), [](Napi::Env /*env*/, Held* pointer) {
        const std::unique_ptr<Held> freed(pointer);
    });
    static_cast<void>(held.release()); // the finalizer's from here on
    object.TypeTag(&knownFilesTag);
    object.Freeze();
    return object;
}

std::shared_ptr<const KnownFiles> knownFilesArgument(const Napi::Value& value) {
    if (value.IsNull()) return nullptr;
    if (!value.IsObject() || !value.As<Napi::Object>().CheckTypeTag(&knownFilesTag)) {
        throw Napi::TypeError::New(value.Env(), "known files must come from createKnownFiles");
    }
    Held& held = *value.As<Napi::Object>().Get("held").As<Napi::External<Held>>().Data();
    if (!*held) throw Napi::Error::New(value.Env(), "the known files belong to another survey");
    return std::move(*held);
}

} // namespace stowage::binding
