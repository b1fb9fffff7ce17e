import { EventEmitter } from 'node:events'
import process from 'node:process'
import type { FromEngine } from '../../contract/engineChannel'

/**
 * The engine's end of the message channel to main, the same for every host. Messages arrive in the
 * order of sending.
 */
export interface Port {
  send(message: FromEngine): void
  onMessage(listener: (message: unknown) => void): void
  /** Main is gone or has let go of the channel: nothing will come any more. */
  onClosed(listener: () => void): void
}

/**
 * The part of `process` that Electron adds in a utility process; declared here because the engine
 * does not know Electron.
 */
interface ParentPort extends EventEmitter {
  postMessage(message: unknown): void
  start?(): void
}

/**
 * The port of the process we were started as: Electron's utility process, or a Node child with an
 * IPC channel.
 * @returns null when the process was started by hand and has nobody to talk to
 */
export function parentPort(): Port | null {
  const utility = (process as unknown as { parentPort?: ParentPort | null }).parentPort
  if (utility) return utilityPort(utility)
  return process.send ? nodeChildPort() : null
}

function utilityPort(utility: ParentPort): Port {
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- not a window: a port has no origin
    send: (message) => utility.postMessage(message),
    onMessage(listener) {
      utility.on('message', (event: { data: unknown }) => listener(event.data))
      utility.start?.()
    },
    onClosed: (listener) => void utility.once('close', listener),
  }
}

function nodeChildPort(): Port {
  return {
    send(message) {
      // The callback takes the error of a channel that has closed meanwhile; `disconnect` follows and ends us.
      if (process.connected) process.send?.(message, undefined, {}, () => {})
    },
    onMessage: (listener) => void process.on('message', listener),
    onClosed: (listener) => void process.once('disconnect', listener),
  }
}
