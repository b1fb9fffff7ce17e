#include "binding/combiningBinding.h"

#include "binding/arguments.h"
#include "binding/errorValue.h"
#include "binding/rangesBinding.h"
#include "binding/workObject.h"
#include "core/protection/combining.h"

namespace stowage::binding {

namespace {

Combining::Output outputFrom(const Napi::Value& value, size_t inputs) {
    if (!value.IsObject()) throw Napi::TypeError::New(value.Env(), "an output must be an object");
    const auto given = value.As<Napi::Object>();
    Combining::Output output;
    const Napi::Value file = given.Get("file");
    if (!file.IsNull()) output.file = static_cast<int>(countArgument(file));
    output.bytes = countArgument(given.Get("bytes"));
    const Napi::Value factors = given.Get("factors");
    if (!factors.IsTypedArray() || factors.As<Napi::TypedArray>().TypedArrayType() != napi_uint8_array ||
        factors.As<Napi::Uint8Array>().ElementLength() != inputs)
        throw Napi::TypeError::New(value.Env(), "an output needs a factor for each input");
    const auto bytes = factors.As<Napi::Uint8Array>();
    output.factors.assign(bytes.Data(), bytes.Data() + bytes.ElementLength());
    return output;
}

Napi::Value combiningResult(Napi::Env env, Combining& work) {
    Napi::Object value = Napi::Object::New(env);
    value["cancelled"] = work.cancelled();
    value["failure"] = env.Null();
    if (work.failure()) {
        Napi::Object failure = Napi::Object::New(env);
        failure["index"] = static_cast<double>(work.failure()->first);
        failure["code"] = skipCodeName(work.failure()->second.code);
        failure["cause"] = work.failure()->second.cause;
        value["failure"] = failure;
    }
    value["outputFailure"] = env.Null();
    if (work.outputFailure()) {
        Napi::Object failure = errorValue(env, work.outputFailure()->second);
        failure["index"] = static_cast<double>(work.outputFailure()->first);
        value["outputFailure"] = failure;
    }
    value["sha256"] = copiedBytes(env, work.digests().data(), work.digests().size() * sizeof(Sha256Digest));
    return value;
}

} // namespace

Napi::Value combineFiles(const Napi::CallbackInfo& info) {
    std::vector<FileRange> inputs = rangesFrom(info);
    if (!info[3].IsArray()) throw Napi::TypeError::New(info.Env(), "outputs must be an array");
    const auto given = info[3].As<Napi::Array>();
    std::vector<Combining::Output> outputs;
    for (uint32_t i = 0; i < given.Length(); ++i)
        outputs.push_back(outputFrom(given.Get(i), inputs.size()));
    const auto work = std::make_shared<Combining>(std::move(inputs), std::move(outputs));
    return startCountedWork<Combining>(info.Env(), "stowage combining", work, combiningResult);
}

} // namespace stowage::binding
