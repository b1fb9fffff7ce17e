#include "binding/survey/rulesBinding.h"

#include "binding/arguments.h"
#include "core/rules/rules.h"

#include <algorithm>

namespace stowage::binding {

namespace {

std::string bytesArgument(const Napi::Value& value) {
    if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != napi_uint8_array) {
        throw Napi::TypeError::New(value.Env(), "a text must be given as bytes");
    }
    const auto bytes = value.As<Napi::Uint8Array>();
    return {reinterpret_cast<const char*>(bytes.Data()), bytes.ByteLength()};
}

Napi::Object faultValue(Napi::Env env, const RuleFault& fault) {
    Napi::Object value = Napi::Object::New(env);
    value["column"] = fault.column;
    value["cause"] = fault.cause;
    return value;
}

} // namespace

std::vector<std::string> textsArgument(const Napi::Value& value) {
    if (!value.IsArray()) throw Napi::TypeError::New(value.Env(), "texts must be an array");
    const auto list = value.As<Napi::Array>();
    std::vector<std::string> texts;
    for (uint32_t i = 0; i < list.Length(); ++i)
        texts.push_back(bytesArgument(list.Get(i)));
    return texts;
}

Napi::Value rulesOfFile(const Napi::CallbackInfo& info) {
    const Napi::Env env = info.Env();
    const std::string content = bytesArgument(info[0]);
    const RuleList list = RuleList::ofFile(content);
    Napi::Array rules = Napi::Array::New(env, list.rules.size());
    for (uint32_t i = 0; i < list.rules.size(); ++i) {
        Napi::Object rule = Napi::Object::New(env);
        rule["line"] = list.rules[i].line;
        rule["text"] = copiedBytes(env, list.rules[i].text.data(), list.rules[i].text.size());
        rules[i] = rule;
    }
    Napi::Array faults = Napi::Array::New(env, list.faults.size());
    for (uint32_t i = 0; i < list.faults.size(); ++i) {
        Napi::Object fault = faultValue(env, list.faults[i]);
        fault["line"] = list.faults[i].line;
        faults[i] = fault;
    }
    Napi::Object value = Napi::Object::New(env);
    value["rules"] = rules;
    value["faults"] = faults;
    value["isUtf8"] = isUtf8(content);
    return value;
}

Napi::Value checkRules(const Napi::CallbackInfo& info) {
    const Napi::Env env = info.Env();
    RuleList list;
    Napi::Array faults = Napi::Array::New(env);
    uint32_t index = 0;
    for (const std::string& text : textsArgument(info[0])) {
        const size_t before = list.rules.size();
        list.faults.clear();
        list.add(text);
        if (list.rules.size() == before) {
            const RuleFault fault = list.faults.empty() ? RuleFault{0, 1, "it is empty"} : list.faults[0];
            Napi::Object value = faultValue(env, fault);
            value["index"] = index;
            faults[faults.Length()] = value;
        }
        ++index;
    }
    Napi::Array ineffective = Napi::Array::New(env);
    // With a fault, the indices of the others would not be those of the caller.
    if (faults.Length() == 0) {
        for (const IneffectiveRule& each : ineffectiveRules(list)) {
            Napi::Object value = Napi::Object::New(env);
            value["rule"] = each.rule;
            value["by"] = each.by;
            value["folder"] = copiedBytes(env, each.folder.data(), each.folder.size());
            ineffective[ineffective.Length()] = value;
        }
    }
    Napi::Object value = Napi::Object::New(env);
    value["faults"] = faults;
    value["ineffective"] = ineffective;
    return value;
}

Napi::Value firstRules(const Napi::CallbackInfo& info) {
    const Napi::Env env = info.Env();
    RuleList list;
    for (const std::string& text : textsArgument(info[0])) {
        const size_t before = list.rules.size();
        list.add(text);
        if (list.rules.size() == before) throw Napi::TypeError::New(env, "a rule is none");
    }
    const std::string files = bytesArgument(info[1]);
    const auto count = static_cast<size_t>(std::count(files.begin(), files.end(), '\0'));
    Napi::Int32Array first = Napi::Int32Array::New(env, count);
    size_t begin = 0;
    for (size_t file = 0; file < count; ++file) {
        const size_t end = files.find('\0', begin);
        const auto found = list.firstMatch(std::string_view(files).substr(begin, end - begin));
        first[file] = found ? static_cast<int32_t>(*found) : -1;
        begin = end + 1;
    }
    return first;
}

} // namespace stowage::binding
