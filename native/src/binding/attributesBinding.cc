#include "binding/attributesBinding.h"

#include "binding/arguments.h"
#include "binding/workObject.h"
#include "platform/attributes.h"

#include <atomic>
#include <cmath>

namespace stowage::binding {

namespace {

/** Looks at files one after the other. */
class AttributeReading {
  public:
    explicit AttributeReading(std::vector<std::string> paths)
        : paths_(std::move(paths)), found_(paths_.size()), errors_(paths_.size()) {}

    void run() {
        for (size_t i = 0; i < paths_.size() && !cancelled_; ++i) {
            errors_[i] = platform::readAttributes(paths_[i], found_[i]);
        }
    }
    void cancel() { cancelled_ = true; }
    [[nodiscard]] bool cancelled() const { return cancelled_; }
    [[nodiscard]] const std::vector<platform::FileAttributes>& found() const { return found_; }
    [[nodiscard]] const std::vector<int32_t>& errors() const { return errors_; }

  private:
    std::vector<std::string> paths_;
    std::vector<platform::FileAttributes> found_;
    std::vector<int32_t> errors_;
    std::atomic<bool> cancelled_ = false;
};

Napi::Value textBytes(Napi::Env env, const std::string& text) {
    return copiedBytes(env, text.data(), text.size());
}

Napi::Value readingResult(Napi::Env env, AttributeReading& reading) {
    std::vector<uint32_t> owners;
    std::vector<double> createdSeconds;
    std::vector<uint32_t> createdNanoseconds;
    Napi::Array kept = Napi::Array::New(env);
    Napi::Array left = Napi::Array::New(env);
    for (uint32_t i = 0; i < reading.found().size(); ++i) {
        const platform::FileAttributes& found = reading.found()[i];
        owners.push_back(found.user);
        owners.push_back(found.group);
        createdSeconds.push_back(found.created ? static_cast<double>(found.created->seconds) : NAN);
        createdNanoseconds.push_back(found.created ? found.created->nanoseconds : 0);
        for (const auto& [name, value] : found.kept) {
            Napi::Object one = Napi::Object::New(env);
            one["index"] = i;
            one["name"] = textBytes(env, name);
            one["value"] = textBytes(env, value);
            kept[kept.Length()] = one;
        }
        for (const std::string& name : found.left) {
            Napi::Object one = Napi::Object::New(env);
            one["index"] = i;
            one["name"] = textBytes(env, name);
            left[left.Length()] = one;
        }
    }
    Napi::Object value = Napi::Object::New(env);
    value["cancelled"] = reading.cancelled();
    value["owners"] = copied(env, owners.data(), owners.size(), napi_uint32_array);
    value["createdSeconds"] = copied(env, createdSeconds.data(), createdSeconds.size(), napi_float64_array);
    value["createdNanoseconds"] =
        copied(env, createdNanoseconds.data(), createdNanoseconds.size(), napi_uint32_array);
    value["errors"] = copied(env, reading.errors().data(), reading.errors().size(), napi_int32_array);
    value["kept"] = kept;
    value["left"] = left;
    return value;
}

platform::AccountKind accountKindArgument(const Napi::Value& isGroup) {
    return flagArgument(isGroup) ? platform::AccountKind::group : platform::AccountKind::user;
}

std::string bytesArgument(const Napi::Value& value) {
    if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != napi_uint8_array) {
        throw Napi::TypeError::New(value.Env(), "a value must be given as bytes");
    }
    const auto bytes = value.As<Napi::Uint8Array>();
    return {reinterpret_cast<const char*>(bytes.Data()), bytes.ByteLength()};
}

} // namespace

Napi::Value readAttributes(const Napi::CallbackInfo& info) {
    const Napi::Env env = info.Env();
    if (!info[0].IsArray()) throw Napi::TypeError::New(env, "paths must be an array");
    const auto given = info[0].As<Napi::Array>();
    std::vector<std::string> paths(given.Length());
    for (uint32_t i = 0; i < paths.size(); ++i)
        paths[i] = pathArgument(given.Get(i));
    const auto reading = std::make_shared<AttributeReading>(std::move(paths));
    return startWork(env, "stowage attributes", reading, readingResult);
}

Napi::Value setAttribute(const Napi::CallbackInfo& info) {
    const platform::Attribute attribute = {pathArgument(info[1]), bytesArgument(info[2])};
    return Napi::Number::New(info.Env(), platform::setAttribute(pathArgument(info[0]), attribute));
}

Napi::Value accountName(const Napi::CallbackInfo& info) {
    const auto id = static_cast<uint32_t>(countArgument(info[1]));
    const auto name = platform::accountName(accountKindArgument(info[0]), id);
    return name ? textBytes(info.Env(), *name) : info.Env().Null();
}

Napi::Value accountId(const Napi::CallbackInfo& info) {
    const auto id = platform::accountId(accountKindArgument(info[0]), pathArgument(info[1]));
    return id ? Napi::Number::New(info.Env(), *id) : info.Env().Null();
}

} // namespace stowage::binding
