#include "binding/pipeBinding.h"

#include "binding/arguments.h"
#include "binding/errorValue.h"
#include "binding/workObject.h"
#include "core/pipe/ringPipe.h"

namespace stowage::binding {

namespace {

Pace paceFrom(const Napi::Object& object) {
    const Napi::Value rate = object.Get("bytesPerSecond");
    const double bytesPerSecond = rate.IsNumber() ? rate.As<Napi::Number>().DoubleValue() : 0;
    if (!(bytesPerSecond >= 1)) throw Napi::TypeError::New(object.Env(), "a rate must be at least 1 byte/s");
    return {countArgument(object.Get("fromByte")), bytesPerSecond};
}

RingPipeOptions pipeOptions(const Napi::Value& value) {
    if (!value.IsObject()) throw Napi::TypeError::New(value.Env(), "options must be an object");
    const auto object = value.As<Napi::Object>();
    RingPipeOptions options;
    options.input = static_cast<int>(countArgument(object.Get("input")));
    options.output = static_cast<int>(countArgument(object.Get("output")));
    options.ringBytes = countArgument(object.Get("bufferBytes"));
    options.startBytes = countArgument(object.Get("startBytes"));
    options.lowBytes = countArgument(object.Get("lowBytes"));
    options.lockMemory = true;
    options.hash = flagArgument(object.Get("hash"));
    const Napi::Value paces = object.Get("paces");
    if (!paces.IsArray()) throw Napi::TypeError::New(value.Env(), "paces must be a list");
    const auto list = paces.As<Napi::Array>();
    for (uint32_t i = 0; i < list.Length(); ++i) {
        const Napi::Value pace = list.Get(i);
        if (!pace.IsObject()) throw Napi::TypeError::New(value.Env(), "a pace must be an object");
        options.paces.push_back(paceFrom(pace.As<Napi::Object>()));
    }
    return options;
}

Napi::Value waitingValue(Napi::Env env, const PipeWaiting& waiting) {
    Napi::Object value = Napi::Object::New(env);
    value["ns"] = static_cast<double>(waiting.ns);
    value["stalls"] = static_cast<double>(waiting.stalls);
    return value;
}

Napi::Value progressValue(Napi::Env env, const PipeProgress& progress) {
    Napi::Object value = Napi::Object::New(env);
    value["bytesIn"] = static_cast<double>(progress.bytesIn);
    value["bytesOut"] = static_cast<double>(progress.bytesOut);
    value["filled"] = static_cast<double>(progress.filled);
    value["leastFilled"] = static_cast<double>(progress.leastFilled);
    value["mostFilled"] = static_cast<double>(progress.mostFilled);
    value["ns"] = static_cast<double>(progress.ns);
    value["full"] = waitingValue(env, progress.full);
    value["empty"] = waitingValue(env, progress.empty);
    value["inputEnded"] = progress.inputEnded;
    value["locked"] = progress.locked;
    return value;
}

Napi::Value outcomeValue(Napi::Env env, RingPipe& pipe) {
    constexpr const char* sides[] = {"none", "memory", "input", "output"};
    const RingPipe::Outcome& outcome = pipe.outcome();
    Napi::Object value = Napi::Object::New(env);
    value["cancelled"] = outcome.cancelled;
    value["failed"] = sides[static_cast<size_t>(outcome.failed)];
    value["readerGone"] = outcome.failed == RingPipe::Side::output && outcome.error == EPIPE;
    value["code"] = codeValue(env, outcome.error);
    value["cause"] = causeValue(env, outcome.error);
    const auto& digest = pipe.digest();
    value["sha256"] = digest ? copiedBytes(env, digest->data(), digest->size()) : env.Null();
    return value;
}

} // namespace

Napi::Value openPipe(const Napi::CallbackInfo& info) {
    int readEnd = -1;
    int writeEnd = -1;
    if (const int error = platform::openPipe(readEnd, writeEnd); error != 0)
        throw Napi::Error::New(info.Env(), "cannot open a pipe: " + timedErrorCause(error));
    Napi::Object ends = Napi::Object::New(info.Env());
    ends["read"] = readEnd;
    ends["write"] = writeEnd;
    return ends;
}

Napi::Value startPipe(const Napi::CallbackInfo& info) {
    const auto pipe = std::make_shared<RingPipe>(pipeOptions(info[0]));
    Napi::Object object = startWork(info.Env(), "stowage pipe", pipe, outcomeValue);
    method(object, "progress", pipe, [](const Napi::CallbackInfo& call, RingPipe& running) {
        return progressValue(call.Env(), running.progress());
    });
    method(object, "pause", pipe,
           [](const Napi::CallbackInfo& call, RingPipe& running) { running.pause(flagArgument(call[0])); });
    return object;
}

} // namespace stowage::binding
