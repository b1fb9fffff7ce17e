/**
 * The room `channel` is the engine's end of the messages between it and main.
 * How: after a handshake (`converse`) every parameter is checked against the schema before a
 * handler gets it (`serve`), and every answer is a Result.
 * Not here: main's end (`src/main/engine`), the handlers (`calls`).
 */

import type { Emit, Handlers } from '../../contract/defineSchema'
import { toEngineSchema } from '../../contract/engineChannel'
import { ENGINE_PROTOCOL, type EngineSchema, engineSchema } from '../../contract/engineSchema'
import { APP_VERSION } from '../../contract/version'
import { AppError } from '../../primitives/appError'
import type { Port } from './port'
import { emitterOf, type Service, serve } from './serve'

/**
 * The composed engine that the conversation serves. `close` stops its jobs, their tools and the
 * catalog.
 */
interface ServedEngine {
  readonly handlers: Handlers<EngineSchema>
  close(): Promise<void>
}

type EngineFactory = (options: { dataDir: string; emit: Emit<EngineSchema> }) => ServedEngine

/** An engine that has not ended within this time is left to the operating system. */
const CLOSE_LIMIT_MS = 3000

/**
 * Carries the engine's whole life over one port: waits for main's hello, compares protocol and
 * version, composes the engine, answers requests, and closes when main says so or is gone. The
 * first message decides: anything but a fitting hello ends the conversation.
 * @param leave ends the process with this exit code; called once
 */
export function converse(
  port: Port,
  create: EngineFactory,
  runtime: string,
  leave: (code: number) => void,
): void {
  let engine: ServedEngine | null = null
  let service: Service | null = null
  let isLeaving = false
  let isRefusing = false

  const depart = (code: number): void => {
    if (isLeaving) return
    isLeaving = true
    const limit = setTimeout(() => leave(code), CLOSE_LIMIT_MS)
    void closed(engine).then((isClean) => {
      clearTimeout(limit)
      leave(isClean ? code : 1)
    })
  }

  // Leaving at once could lose the refusal on its way: main answers it with `close`, or is dead and the limit ends us.
  const refuse = (error: unknown): void => {
    isRefusing = true
    port.send({ type: 'refused', error: AppError.from(error).toWire() })
    setTimeout(() => depart(1), CLOSE_LIMIT_MS)
  }

  const greet = (hello: { protocol: number; version: string; dataDir: string }): void => {
    if (hello.protocol !== ENGINE_PROTOCOL || hello.version !== APP_VERSION) {
      const theirs = `version ${hello.version} (protocol ${hello.protocol})`
      const ours = `version ${APP_VERSION} (protocol ${ENGINE_PROTOCOL})`
      return refuse(
        new AppError(
          'refused',
          `engine and window have different versions: window is ${theirs}, engine ${ours}`,
        ),
      )
    }
    try {
      const emit = emitterOf(
        engineSchema,
        (channel, payload) => {
          if (!isLeaving) port.send({ type: 'event', channel, payload })
        },
        (line) => process.stderr.write(`${line}\n`),
      )
      engine = create({ dataDir: hello.dataDir, emit })
      service = serve(engineSchema, engine.handlers)
    } catch (error) {
      return refuse(error)
    }
    port.send({ type: 'hello', protocol: ENGINE_PROTOCOL, version: APP_VERSION, runtime })
  }

  port.onClosed(() => depart(0))
  port.onMessage((raw) => {
    if (isLeaving) return
    const parsed = toEngineSchema.safeParse(raw)
    if (!parsed.success)
      return refuse(new AppError('refused', 'the engine received a message it does not know'))
    const message = parsed.data
    if (message.type === 'close') return depart(isRefusing ? 1 : 0)
    if (isRefusing) return
    if (message.type === 'ping') return port.send({ type: 'pong', id: message.id })
    if (message.type === 'hello') {
      if (service) return refuse(new AppError('refused', 'a second hello'))
      return greet(message)
    }
    if (!service) return refuse(new AppError('refused', 'a request before the hello'))
    void service.answer(message.channel, message.params).then((result) => {
      if (!isLeaving) port.send({ type: 'answer', id: message.id, result })
    })
  })
}

async function closed(engine: ServedEngine | null): Promise<boolean> {
  try {
    await engine?.close()
    return true
  } catch (error) {
    process.stderr.write(`engine: closing failed: ${AppError.from(error).stack ?? String(error)}\n`)
    return false
  }
}
