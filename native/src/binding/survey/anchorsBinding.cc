#include "binding/survey/anchorsBinding.h"

#include "binding/arguments.h"
#include "binding/workObject.h"

#include <algorithm>

namespace stowage::binding {

namespace {

using HeldIndex = std::shared_ptr<const AnchorIndex>;

/**
 * Let go of when it is closed, for V8, which frees JavaScript's functions, does not see what they
 * hold.
 */
HeldIndex openIndex(const Napi::CallbackInfo& call, const HeldIndex& held) {
    if (!held) throw Napi::Error::New(call.Env(), "the anchors are closed");
    return held;
}

template <typename Array>
Array arrayArgument(const Napi::Value& value, napi_typedarray_type type, const char* problem) {
    if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != type) {
        throw Napi::TypeError::New(value.Env(), problem);
    }
    return value.As<Array>();
}

std::vector<uint32_t> orderFrom(const Napi::Value& value) {
    const auto numbers =
        arrayArgument<Napi::Uint32Array>(value, napi_uint32_array, "an order must be a Uint32Array");
    return {numbers.Data(), numbers.Data() + numbers.ElementLength()};
}

std::vector<uint64_t> sizesFrom(const Napi::Value& value) {
    const auto numbers =
        arrayArgument<Napi::Float64Array>(value, napi_float64_array, "sizes must be a Float64Array");
    std::vector<uint64_t> sizes;
    for (size_t i = 0; i < numbers.ElementLength(); ++i) {
        if (!(numbers[i] >= 0 && numbers[i] < 0x1p62))
            throw Napi::TypeError::New(value.Env(), "a size is out of range");
        sizes.push_back(static_cast<uint64_t>(numbers[i]));
    }
    return sizes;
}

std::vector<uint64_t> ascendingFrom(const Napi::Value& value) {
    std::vector<uint64_t> sizes = sizesFrom(value);
    if (!std::is_sorted(sizes.begin(), sizes.end()))
        throw Napi::TypeError::New(value.Env(), "sizes must be in ascending order");
    return sizes;
}

/** Each of so many files has its own. */
std::vector<uint32_t> groupsFrom(const Napi::Value& value, size_t files, size_t groupCount) {
    const auto numbers =
        arrayArgument<Napi::Uint32Array>(value, napi_uint32_array, "groups must be a Uint32Array");
    std::vector<uint32_t> groups(numbers.Data(), numbers.Data() + numbers.ElementLength());
    const auto tooGreat = [groupCount](uint32_t group) { return group >= groupCount; };
    if (groups.size() != files || std::any_of(groups.begin(), groups.end(), tooGreat))
        throw Napi::TypeError::New(value.Env(), "each file must have a group");
    return groups;
}

size_t groupCountFrom(const Napi::Value& value) {
    return std::clamp<size_t>(countArgument(value), 1, UINT32_MAX);
}

Napi::Array columnsValue(Napi::Env env, const std::vector<std::vector<double>>& columns) {
    Napi::Array value = Napi::Array::New(env, columns.size());
    for (uint32_t i = 0; i < columns.size(); ++i)
        value[i] = copied(env, columns[i].data(), columns[i].size(), napi_float64_array);
    return value;
}

Napi::Value reuseValue(Napi::Env env, const Reuse& reuse) {
    Napi::Object value = Napi::Object::New(env);
    value["bytes"] = copied(env, reuse.bytes.data(), reuse.bytes.size(), napi_float64_array);
    value["quietBytes"] = copied(env, reuse.quietBytes.data(), reuse.quietBytes.size(), napi_float64_array);
    value["runs"] = columnsValue(env, reuse.runs);
    value["novelBytes"] = columnsValue(env, reuse.novelBytes);
    return value;
}

struct IndexWork {
    explicit IndexWork(std::shared_ptr<Survey> of) : survey(std::move(of)) {}
    void run() { index = std::make_shared<const AnchorIndex>(survey->takeAnchors()); }
    void cancel() {}
    std::shared_ptr<Survey> survey;
    HeldIndex index;
};

/** A question: how long it takes depends on the anchors, so it can be given up. */
template <typename Answer> struct Question {
    using Ask = std::function<Answer(const std::atomic<bool>&)>;
    explicit Question(Ask how) : ask(std::move(how)) {}
    void run() { answer = ask(cancelled); }
    void cancel() { cancelled = true; }
    Ask ask;
    Answer answer{};
    std::atomic<bool> cancelled{false};
};

template <typename Answer, typename Tell>
Napi::Value started(Napi::Env env, const char* name, typename Question<Answer>::Ask ask, Tell tell) {
    const auto question = std::make_shared<Question<Answer>>(std::move(ask));
    return startWork<Question<Answer>>(env, name, question,
                                       [tell](Napi::Env at, Question<Answer>& done) -> Napi::Value {
                                           return done.cancelled ? at.Null() : tell(at, done.answer);
                                       });
}

Napi::Value reuse(const Napi::CallbackInfo& info, const HeldIndex& index) {
    ReuseRequest request;
    request.order = orderFrom(info[0]);
    request.groupCount = groupCountFrom(info[2]);
    request.groups = groupsFrom(info[1], request.order.size(), request.groupCount);
    request.dictionaries = ascendingFrom(info[3]);
    request.thinner = static_cast<unsigned>(std::min<uint64_t>(countArgument(info[4]), 32));
    if (!info[5].IsNull()) request.archives = groupsFrom(info[5], request.order.size(), UINT32_MAX);
    return started<Reuse>(
        info.Env(), "stowage reuse",
        [index, request = std::move(request)](const std::atomic<bool>& cancelled) {
            return index->reuse(request, cancelled);
        },
        reuseValue);
}

Napi::Value stretchesValue(Napi::Env env, const std::vector<Stretch>& stretches) {
    std::vector<uint32_t> files;
    std::vector<double> offsets;
    std::vector<double> lengths;
    for (const Stretch& stretch : stretches) {
        files.push_back(stretch.fileNumber);
        offsets.push_back(static_cast<double>(stretch.offset));
        lengths.push_back(static_cast<double>(stretch.length));
    }
    Napi::Object value = Napi::Object::New(env);
    value["fileNumbers"] = copied(env, files.data(), files.size(), napi_uint32_array);
    value["offsets"] = copied(env, offsets.data(), offsets.size(), napi_float64_array);
    value["lengths"] = copied(env, lengths.data(), lengths.size(), napi_float64_array);
    return value;
}

Napi::Value stretches(const Napi::CallbackInfo& info, const HeldIndex& index) {
    StretchRequest request;
    request.order = orderFrom(info[0]);
    request.novelOnly = flagArgument(info[1]);
    request.places = ascendingFrom(info[2]);
    request.pieceBytes = std::max<uint64_t>(countArgument(info[3]), 1);
    return started<std::vector<Stretch>>(
        info.Env(), "stowage stretches",
        [index, request = std::move(request)](const std::atomic<bool>& cancelled) {
            return index->stretches(request, cancelled);
        },
        stretchesValue);
}

Napi::Value numbersValue(Napi::Env env, const std::vector<uint32_t>& numbers) {
    return copied(env, numbers.data(), numbers.size(), napi_uint32_array);
}

Napi::Value contentOrder(const Napi::CallbackInfo& info, const HeldIndex& index) {
    return started<std::vector<uint32_t>>(
        info.Env(), "stowage order",
        [index, order = orderFrom(info[0])](const std::atomic<bool>& cancelled) {
            return index->contentOrder(order, cancelled);
        },
        numbersValue);
}

Napi::Value contentGroups(const Napi::CallbackInfo& info, const HeldIndex& index) {
    GroupRequest request;
    request.order = orderFrom(info[0]);
    request.bytes = sizesFrom(info[1]);
    if (request.bytes.size() != request.order.size())
        throw Napi::TypeError::New(info.Env(), "each file must have its bytes");
    request.mostBytes = countArgument(info[2]);
    request.leastShare = info[3].ToNumber().DoubleValue();
    return started<std::vector<uint32_t>>(
        info.Env(), "stowage groups",
        [index, request = std::move(request)](const std::atomic<bool>& cancelled) {
            return index->contentGroups(request, cancelled);
        },
        numbersValue);
}

} // namespace

Napi::Value takeAnchors(Napi::Env env, std::shared_ptr<Survey> survey) {
    return AsyncJob<IndexWork>::start(
        env, "stowage anchors", std::make_shared<IndexWork>(std::move(survey)),
        [](Napi::Env at, IndexWork& work) -> Napi::Value {
            const HeldIndex index = std::move(work.index);
            const auto held = std::make_shared<HeldIndex>(index);
            Napi::Object object = Napi::Object::New(at);
            object["anchors"] = static_cast<double>(index->anchors());
            object["shift"] = index->shift();
            using Ask = Napi::Value (*)(const Napi::CallbackInfo&, const HeldIndex&);
            constexpr std::pair<const char*, Ask> questions[] = {{"reuse", reuse},
                                                                 {"stretches", stretches},
                                                                 {"contentOrder", contentOrder},
                                                                 {"contentGroups", contentGroups}};
            for (const auto& [name, ask] : questions) {
                method(object, name, held, [ask = ask](const Napi::CallbackInfo& call, HeldIndex& open) {
                    return ask(call, openIndex(call, open));
                });
            }
            method(object, "close", held, [](const Napi::CallbackInfo&, HeldIndex& open) { open.reset(); });
            return object;
        });
}

Napi::Value reuseWithinBuffer(const Napi::CallbackInfo& info) {
    const auto bytes =
        arrayArgument<Napi::Uint8Array>(info[0], napi_uint8_array, "the bytes must be a Uint8Array");
    const std::vector<uint64_t> fileBytes = sizesFrom(info[1]);
    const size_t groupCount = groupCountFrom(info[3]);
    const std::vector<uint32_t> groups = groupsFrom(info[2], fileBytes.size(), groupCount);
    return reuseValue(info.Env(), reuseWithin(bytes.Data(), bytes.ElementLength(), fileBytes, groups,
                                              groupCount, ascendingFrom(info[4])));
}

} // namespace stowage::binding
