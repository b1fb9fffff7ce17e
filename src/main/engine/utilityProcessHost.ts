import { createInterface } from 'node:readline'
import { utilityProcess } from 'electron'
import type { EngineHost } from './engineHost'
import { ENGINE_V8_OPTIONS } from './engineStart'
import { processorMsOf } from './processorTime'

/** Runs the engine's bundle in a utility process of Electron, which ends with the application. */
export function utilityProcessHost(bundle: string): EngineHost {
  return {
    name: 'utility process',
    start() {
      const child = utilityProcess.fork(bundle, [], {
        // Chromium takes V8's options as one of its own.
        execArgv: [`--js-flags=${ENGINE_V8_OPTIONS.join(' ')}`],
        stdio: ['ignore', 'ignore', 'pipe'],
        serviceName: 'Stowage engine',
      })
      return {
        get pid() {
          return child.pid
        },
        processorMs: () => processorMsOf(child.pid),
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- not a window: a process has no origin
        send: (message) => child.postMessage(message),
        onMessage: (listener) => void child.on('message', listener),
        onErrorLine(listener) {
          if (child.stderr) createInterface(child.stderr).on('line', listener)
        },
        onExit: (listener) =>
          void child.once('exit', (code) => listener({ ...exitOf(code), startError: null })),
        kill: () => void child.kill(),
      }
    },
  }
}

/**
 * Chromium gives a process that died of a signal that signal's number, which looks like an exit
 * code; distinguished here. When it notices the broken connection before the death (seen now and
 * then in Electron 22) the code is 0 even after a crash.
 */
function exitOf(code: number): { code: number | null; signal: string | null } {
  const signal = FATAL_SIGNALS[code]
  return signal === undefined ? { code, signal: null } : { code: null, signal }
}

/**
 * The signals that a crash or a kill arrives as on POSIX; the engine itself leaves with 0 or 1
 * only.
 */
const FATAL_SIGNALS: Readonly<Record<number, string>> = {
  4: 'SIGILL',
  6: 'SIGABRT',
  7: 'SIGBUS',
  8: 'SIGFPE',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  15: 'SIGTERM',
}
