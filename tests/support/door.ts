import type { Schema } from '../../src/contract/defineSchema'
import { rendererSchema } from '../../src/contract/rendererSchema'
import { Grants } from '../../src/main/ipc/grants'
import { openGateway } from '../../src/main/ipc/ipcGateway'
import { ok, type Result } from '../../src/primitives/result'

type Listener = (sender: string, ...args: unknown[]) => Promise<unknown>

export const OUR_PAGE = 'our page'

/** Main's real door with what is behind it replaced: nothing but the answers is made up. */
export interface TestDoor {
  readonly channels: readonly string[]
  readonly grants: Grants
  /** What got past the door: channel and parameters. */
  readonly reached: [string, unknown][]
  readonly dropped: (readonly string[])[]
  readonly bugs: string[]
  knock(sender: string, channel: string, ...args: unknown[]): Promise<Result<unknown>>
  /** The code of the failure that our page gets, or `ok`. */
  ask(channel: string, ...args: unknown[]): Promise<string>
}

/** @param answerOf how the server behind the door answers; by default nothing */
export function openDoor(
  answerOf: (channel: string, params: unknown) => unknown = () => undefined,
  schema: Schema = rendererSchema,
): TestDoor {
  const listeners = new Map<string, Listener>()
  const grants = new Grants()
  const reached: [string, unknown][] = []
  const dropped: (readonly string[])[] = []
  const bugs: string[] = []
  openGateway<string>({
    door: { handle: (channel, listener) => void listeners.set(channel, listener) },
    schema,
    isTrusted: (sender) => sender === OUR_PAGE,
    grants,
    async answer(channel, params) {
      reached.push([channel, params])
      return ok(answerOf(channel, params))
    },
    takeDropped: async (paths) => void dropped.push(paths),
    onBug: (where) => void bugs.push(where),
  })
  const knock = async (sender: string, channel: string, ...args: unknown[]): Promise<Result<unknown>> => {
    const listener = listeners.get(channel)
    if (!listener) throw new Error(`the door has no channel ${channel}`)
    return (await listener(sender, ...args)) as Result<unknown>
  }
  return {
    channels: [...listeners.keys()],
    grants,
    reached,
    dropped,
    bugs,
    knock,
    async ask(channel, ...args) {
      const result = await knock(OUR_PAGE, channel, ...args)
      return result.ok ? 'ok' : result.error.code
    },
  }
}
