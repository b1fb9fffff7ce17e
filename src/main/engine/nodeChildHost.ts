import { spawn } from 'node:child_process'
import process from 'node:process'
import { createInterface } from 'node:readline'
import type { EngineExit, EngineHost } from './engineHost'
import { ENGINE_V8_OPTIONS } from './engineStart'
import { processorMsOf } from './processorTime'

/**
 * Runs the engine's bundle in a plain Node: for runtimes of Electron older than the catalog's
 * database needs, and for debugging. The child ends when the channel to its parent closes, hence
 * dies with it.
 * @param node path of a Node 24 executable
 */
export function nodeChildHost(node: string, bundle: string): EngineHost {
  return {
    name: 'node child',
    start() {
      const child = spawn(node, [...ENGINE_V8_OPTIONS, bundle], {
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
        serialization: 'advanced',
        env: childEnvironment(process.env),
        windowsHide: true,
      })
      const exited = new Promise<EngineExit>((resolve) => {
        child.once('error', (error) => resolve({ code: null, signal: null, startError: error.message }))
        // `close` follows `exit` once the last message and the last line have been read.
        child.once('close', (code, signal) => resolve({ code, signal, startError: null }))
      })
      return {
        pid: child.pid,
        processorMs: () => processorMsOf(child.pid),
        send(message) {
          // A failure to send means that the child is gone; its exit is reported by its own event.
          if (child.connected) child.send(message, () => {})
        },
        onMessage: (listener) => void child.on('message', listener),
        onErrorLine(listener) {
          if (child.stderr) createInterface(child.stderr).on('line', listener)
        },
        onExit: (listener) => void exited.then(listener),
        kill: () => void child.kill('SIGKILL'),
      }
    },
  }
}

/**
 * Electron's own variables would turn a child that happens to be Electron into something else, or
 * open a debugger.
 */
function childEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { ELECTRON_RUN_AS_NODE: _asNode, NODE_OPTIONS: _options, ...rest } = env
  return rest
}
