import type { FromEngine, ToEngine } from '../../src/contract/engineChannel'
import { ENGINE_PROTOCOL } from '../../src/contract/engineSchema'
import { APP_VERSION } from '../../src/contract/version'
import type { EngineExit, EngineHost } from '../../src/main/engine/engineHost'

/** An engine process that does only what a test says, for what no real one does on command. */
export class FakeEngineProcess {
  readonly pid = 1
  /** CPU time that it has used. */
  usedMs: number | null = null
  readonly received: ToEngine[] = []
  isKilled = false
  #messages: ((message: unknown) => void)[] = []
  #exits: ((exit: EngineExit) => void)[] = []

  processorMs(): number | null {
    return this.usedMs
  }
  send(message: ToEngine): void {
    this.received.push(message)
    if (message.type === 'close') this.exit({ code: 0, signal: null, startError: null })
  }
  onMessage(listener: (message: unknown) => void): void {
    this.#messages.push(listener)
  }
  onErrorLine(): void {}
  onExit(listener: (exit: EngineExit) => void): void {
    this.#exits.push(listener)
  }
  kill(): void {
    this.isKilled = true
    this.exit({ code: null, signal: 'SIGKILL', startError: null })
  }

  say(message: FromEngine | { type: 'nonsense' }): void {
    for (const listener of this.#messages) listener(message)
  }
  greet(): void {
    this.say({ type: 'hello', protocol: ENGINE_PROTOCOL, version: APP_VERSION, runtime: 'a test' })
  }
  /** Answers the latest request on this channel. */
  answer(channel: string, value: unknown): void {
    const request = this.received.findLast((each) => each.type === 'request' && each.channel === channel)
    if (request?.type !== 'request') throw new Error(`nobody asked ${channel}`)
    this.say({ type: 'answer', id: request.id, result: { ok: true, value } })
  }
  exit(exit: EngineExit): void {
    const exits = this.#exits
    this.#exits = []
    for (const listener of exits) listener(exit)
  }
}

/** A host that gives out fake processes, the latest last. */
export function fakeEngineHost(): EngineHost & { readonly started: FakeEngineProcess[] } {
  const started: FakeEngineProcess[] = []
  return {
    name: 'fake',
    started,
    start() {
      const child = new FakeEngineProcess()
      started.push(child)
      return child
    },
  }
}
