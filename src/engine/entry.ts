import process from 'node:process'
import { AppError } from '../primitives/appError'
import { converse } from './channel/converse'
import { parentPort } from './channel/port'
import { createEngine } from './engine'

const port = parentPort()
if (port) {
  // A bug must end the process: main then reports what was running as interrupted and starts a fresh engine.
  process.on('uncaughtException', (error) => {
    process.stderr.write(`engine: ${AppError.from(error).stack ?? String(error)}\n`)
    process.exit(1)
  })
  const runtime = `Node ${process.versions.node}, Node-API ${process.versions['napi']}`
  converse(port, createEngine, runtime, (code) => process.exit(code))
} else {
  process.stderr.write('this is the engine of Stowage: it is started by the window, not by hand\n')
  process.exitCode = 2
}
