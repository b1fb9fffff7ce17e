import { type FromEngine, fromEngineSchema } from '../../contract/engineChannel'
import { ENGINE_PROTOCOL } from '../../contract/engineSchema'
import { APP_VERSION } from '../../contract/version'
import { AppError, type WireError } from '../../primitives/appError'
import { fail, type Result } from '../../primitives/result'
import { describeExit, type EngineHost } from './engineHost'

/** How a link ended. A `refusal` is the engine's own word that starting it again would not help. */
export interface LinkEnd {
  readonly reason: string
  readonly refusal: WireError | null
}

interface LinkEvents {
  /** The handshake is done; `runtime` is what the engine runs on. */
  onReady(runtime: string): void
  onEvent(channel: string, payload: unknown): void
  onErrorLine(line: string): void
  /**
   * Called once, after which nothing else is. Requests still open have been answered `engine-lost`
   * before.
   */
  onEnd(end: LinkEnd): void
}

/** The conversation with one engine process from its start to its end. */
export interface EngineLink {
  readonly pid: number | undefined
  /**
   * Answers in whatever order the engine does; never rejects. Before `onReady` it must not be
   * called.
   */
  request(channel: string, params: unknown): Promise<Result<unknown>>
  /**
   * Asks the engine to finish and leave, kills it after `CLOSE_LIMIT_MS`, resolves when it is gone.
   */
  close(): Promise<void>
}

/** A cold start on a busy machine takes seconds. */
export const HANDSHAKE_LIMIT_MS = 20_000
export const HEARTBEAT_MS = 5000
/** Heartbeats counted, not time: after the machine slept one is late, never six. */
export const MISSED_HEARTBEATS_LIMIT = 6
/**
 * An engine that does not answer is at work while it uses this much CPU time between two looks: on
 * a busy machine it gets little.
 */
export const WORKING_MS = 10
/** No piece of its work takes this much CPU time without answering: it is in an endless loop. */
export const SILENT_WORK_LIMIT_MS = 120_000
const CLOSE_LIMIT_MS = 4000

/** Starts an engine process in the host and begins the conversation. */
export function openLink(host: EngineHost, dataDir: string, events: LinkEvents): EngineLink {
  const open = new Map<number, (result: Result<unknown>) => void>()
  let nextId = 1
  let verdict: LinkEnd | null = null
  let isReady = false
  let isEnded = false
  let missed = 0
  let answeredAtMs = 0
  let seenMs = 0

  const child = host.start()
  const gone = new Promise<void>((resolve) => child.onExit(() => resolve()))
  let handshake = setTimeout(shakeHands, HANDSHAKE_LIMIT_MS)
  const heartbeat = setInterval(() => {
    if (!isReady) return
    const isWorking = isAtWork()
    if (missed >= MISSED_HEARTBEATS_LIMIT && !isWorking) {
      return abandon(`the engine stopped answering for ${(missed * HEARTBEAT_MS) / 1000} s`)
    }
    missed += 1
    child.send({ type: 'ping', id: nextId++ })
  }, HEARTBEAT_MS)

  /**
   * True while the process works although it does not answer; where the system does not tell its
   * CPU time, waiting by the clock has to do.
   */
  function isAtWork(): boolean {
    const nowMs = child.processorMs()
    if (nowMs === null) return false
    const isWorking = nowMs - seenMs >= WORKING_MS && nowMs - answeredAtMs < SILENT_WORK_LIMIT_MS
    seenMs = nowMs
    return isWorking
  }

  function shakeHands(): void {
    if (isAtWork()) handshake = setTimeout(shakeHands, HANDSHAKE_LIMIT_MS)
    else abandon(`the engine did not answer within ${HANDSHAKE_LIMIT_MS / 1000} s`)
  }

  /** Kills the process with our reason, which is reported when its exit arrives. */
  function abandon(reason: string, refusal: WireError | null = null): void {
    verdict ??= { reason, refusal }
    child.kill()
  }

  function end(reason: string): void {
    if (isEnded) return
    isEnded = true
    clearTimeout(handshake)
    clearInterval(heartbeat)
    const ending = verdict ?? { reason, refusal: null }
    for (const settle of open.values()) settle(fail(new AppError('engine-lost', ending.reason)))
    open.clear()
    events.onEnd(ending)
  }

  function receive(message: FromEngine): void {
    if (message.type === 'hello') return welcome(message)
    if (message.type === 'refused') {
      verdict ??= { reason: message.error.message, refusal: message.error }
      return void shut()
    }
    if (message.type === 'pong') {
      missed = 0
      answeredAtMs = child.processorMs() ?? 0
      return
    }
    if (message.type === 'event') return events.onEvent(message.channel, message.payload)
    const settle = open.get(message.id)
    open.delete(message.id)
    settle?.(message.result)
  }

  function welcome(hello: { protocol: number; version: string; runtime: string }): void {
    clearTimeout(handshake)
    if (hello.protocol !== ENGINE_PROTOCOL || hello.version !== APP_VERSION) {
      const reason =
        `engine and window have different versions: engine is version ${hello.version} (protocol ${hello.protocol}), ` +
        `window ${APP_VERSION} (protocol ${ENGINE_PROTOCOL})`
      return abandon(reason, new AppError('refused', reason).toWire())
    }
    if (isReady || isEnded) return
    isReady = true
    events.onReady(hello.runtime)
  }

  async function shut(): Promise<void> {
    child.send({ type: 'close' })
    const limit = setTimeout(() => child.kill(), CLOSE_LIMIT_MS)
    await gone
    clearTimeout(limit)
  }

  child.onErrorLine((line) => events.onErrorLine(line))
  child.onExit((exit) => end(describeExit(exit)))
  child.onMessage((raw) => {
    if (isEnded) return
    const parsed = fromEngineSchema.safeParse(raw)
    if (parsed.success) receive(parsed.data)
    else abandon('the engine sent a message that the window does not know')
  })
  child.send({ type: 'hello', protocol: ENGINE_PROTOCOL, version: APP_VERSION, dataDir })

  return {
    get pid() {
      return child.pid
    },
    request(channel, params) {
      if (isEnded) return Promise.resolve(fail(new AppError('engine-lost', 'the engine is not running')))
      const id = nextId++
      return new Promise((resolve) => {
        open.set(id, resolve)
        child.send({ type: 'request', id, channel, params })
      })
    },
    async close() {
      verdict ??= { reason: 'the application is closing', refusal: null }
      if (!isEnded) await shut()
    },
  }
}
