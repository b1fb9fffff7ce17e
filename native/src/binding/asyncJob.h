/**
 * The room `binding` makes the core's work callable from JavaScript.
 * How: arguments are checked and unpacked, work runs by one template on a thread of its own, and a
 * promise gets the result.
 * Not here: work (`core`), text and errors for people (`src/engine/native`).
 */

#pragma once

#include <napi.h>

#include <exception>
#include <functional>
#include <memory>
#include <thread>

namespace stowage::binding {

/**
 * Runs `Work` on a thread of its own and settles a promise with it. Work offers `run()`, which may
 * throw, and `cancel()`, which makes `run` return soon and may be called from any thread at any
 * time.
 *
 * Who owns what:
 * - The job owns itself from `start` until its thread-safe function is finalized, and is deleted
 *   there, on the thread of its environment. That happens exactly once: after the job's thread has
 *   released the function, or when the environment goes away (the process exits, a worker is
 *   terminated), whichever comes first.
 * - The finalizer cancels the work and joins the thread before it deletes the job; so the thread
 *   never outlives the job, the environment or the loaded library, and may use the job until its
 *   last instruction.
 * - The work is shared with the functions that JavaScript holds, and lives as long as either. It
 *   owns no JavaScript value; neither does `settle`, which is called at most once, on the
 *   environment's thread.
 * - If the environment goes away first, the promise stays unsettled; nobody is left to see it.
 */
template <typename Work> class AsyncJob {
  public:
    using Settle = std::function<Napi::Value(Napi::Env, Work&)>;

    AsyncJob(const AsyncJob&) = delete;
    AsyncJob& operator=(const AsyncJob&) = delete;
    AsyncJob(AsyncJob&&) = delete;
    AsyncJob& operator=(AsyncJob&&) = delete;

    /**
     * The promise of what `settle` makes of the finished work. Keeps the event loop alive
     * meanwhile.
     */
    static Napi::Promise start(Napi::Env env, const char* name, std::shared_ptr<Work> work, Settle settle) {
        std::unique_ptr<AsyncJob> job(new AsyncJob(env, std::move(work), std::move(settle)));
        const Napi::Promise promise = job->deferred_.Promise();
        const napi_status status =
            napi_create_threadsafe_function(env, nullptr, nullptr, Napi::String::New(env, name), 0, 1,
                                            job.get(), finalize, job.get(), finish, &job->function_);
        if (status != napi_ok) throw Napi::Error::New(env, "cannot start a native job");
        AsyncJob* const started = job.release(); // from here on the finalizer's
        try {
            started->thread_ = std::thread([started] { started->work(); });
        } catch (const std::exception& error) {
            napi_release_threadsafe_function(started->function_, napi_tsfn_abort);
            throw Napi::Error::New(env, error.what());
        }
        return promise;
    }

  private:
    AsyncJob(Napi::Env env, std::shared_ptr<Work> work, Settle settle)
        : work_(std::move(work)), settle_(std::move(settle)), deferred_(Napi::Promise::Deferred::New(env)) {}
    ~AsyncJob() = default;
    friend std::default_delete<AsyncJob>;

    void work() {
        try {
            work_->run();
        } catch (...) {
            failure_ = std::current_exception();
        }
        // A closing function has already been released on this thread's behalf.
        if (napi_call_threadsafe_function(function_, nullptr, napi_tsfn_nonblocking) != napi_closing) {
            napi_release_threadsafe_function(function_, napi_tsfn_release);
        }
    }

    static void finish(napi_env env, napi_value /*callback*/, void* context, void* /*data*/) {
        if (env == nullptr) return; // going away
        auto* const job = static_cast<AsyncJob*>(context);
        try {
            if (job->failure_) std::rethrow_exception(job->failure_);
            job->deferred_.Resolve(job->settle_(env, *job->work_));
        } catch (const Napi::Error& error) {
            job->deferred_.Reject(error.Value());
        } catch (const std::exception& error) {
            job->deferred_.Reject(Napi::Error::New(env, error.what()).Value());
        }
    }

    static void finalize(napi_env /*env*/, void* data, void* /*hint*/) {
        const std::unique_ptr<AsyncJob> job(static_cast<AsyncJob*>(data));
        job->work_->cancel();
        if (job->thread_.joinable()) job->thread_.join();
    }

    std::shared_ptr<Work> work_;
    Settle settle_;
    Napi::Promise::Deferred deferred_;
    napi_threadsafe_function function_ = nullptr;
    std::exception_ptr failure_;
    std::thread thread_;
};

} // namespace stowage::binding
