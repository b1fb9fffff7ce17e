#include "binding/sectorReadingBinding.h"

#include "binding/arguments.h"
#include "binding/asyncJob.h"
#include "binding/rangesBinding.h"
#include "core/reading/sectorReading.h"
#include "core/timing/timedRun.h"

namespace stowage::binding {

namespace {

Napi::Value unreadableValue(Napi::Env env, const Unreadable& part) {
    Napi::Object value = Napi::Object::New(env);
    value["index"] = part.range;
    value["offset"] = static_cast<double>(part.offset);
    value["length"] = static_cast<double>(part.length);
    value["cause"] =
        part.error == 0 ? env.Null() : Napi::Value(Napi::String::New(env, timedErrorCause(part.error)));
    return value;
}

Napi::Value waysValue(Napi::Env env, const ReadingWays& ways) {
    Napi::Object value = Napi::Object::New(env);
    value["uncachedBytes"] = static_cast<double>(ways.uncachedBytes);
    value["droppedBytes"] = static_cast<double>(ways.droppedBytes);
    value["cachedBytes"] = static_cast<double>(ways.cachedBytes);
    value["refusal"] =
        ways.refusal == 0 ? env.Null() : Napi::Value(Napi::String::New(env, timedErrorCause(ways.refusal)));
    return value;
}

Napi::Value sectorReadingResult(Napi::Env env, SectorReading& reading) {
    Napi::Object value = Napi::Object::New(env);
    value["cancelled"] = reading.cancelled();
    value["sha256"] =
        copiedBytes(env, reading.digests().data(), reading.digests().size() * sizeof(Sha256Digest));
    Napi::Array unreadable = Napi::Array::New(env, reading.unreadable().size());
    for (uint32_t i = 0; i < reading.unreadable().size(); ++i)
        unreadable[i] = unreadableValue(env, reading.unreadable()[i]);
    value["unreadable"] = unreadable;
    Napi::Array errors = Napi::Array::New(env, reading.errors().size());
    for (uint32_t i = 0; i < reading.errors().size(); ++i) {
        Napi::Object error = Napi::Object::New(env);
        error["index"] = reading.errors()[i].first;
        error["code"] = timedErrorCode(reading.errors()[i].second);
        error["cause"] = timedErrorCause(reading.errors()[i].second);
        errors[i] = error;
    }
    value["errors"] = errors;
    value["ways"] = waysValue(env, reading.ways());
    return value;
}

} // namespace

Napi::Value readSectors(const Napi::CallbackInfo& info) {
    const Napi::Env env = info.Env();
    const auto reading = std::make_shared<SectorReading>(rangesFrom(info));
    Napi::Object object = Napi::Object::New(env);
    object["bytesDone"] = Napi::Function::New(env, [reading](const Napi::CallbackInfo& call) -> Napi::Value {
        return Napi::Number::New(call.Env(), static_cast<double>(reading->bytesDone()));
    });
    object["cancel"] = Napi::Function::New(env, [reading](const Napi::CallbackInfo&) { reading->cancel(); });
    object["finished"] =
        AsyncJob<SectorReading>::start(env, "stowage reading back", reading, sectorReadingResult);
    return object;
}

} // namespace stowage::binding
