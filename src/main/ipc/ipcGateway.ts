/**
 * The room `ipc` is the one door from the window into main.
 * How: only our own page is answered; arguments are weighed, checked against the schema, and their
 * paths against what a person has handed over (`grants`).
 * Not here: answering the calls (`appHandlers`, the engine).
 */

import { pathsUsed } from '../../contract/callRule'
import { type Call, channelsOf, type Schema } from '../../contract/defineSchema'
import { MOST_SOURCES } from '../../contract/dto/survey'
import { DROP_CHANNEL } from '../../contract/preloadPage'
import { AppError } from '../../primitives/appError'
import { fail, ok, type Result } from '../../primitives/result'
import { wipe } from '../../primitives/secretBytes'
import type { Grants } from './grants'
import { weigh } from './weigh'

/**
 * The part of Electron's `ipcMain` that the gateway uses: it is the only file that may register a
 * listener there.
 */
interface IpcDoor<E> {
  handle(channel: string, listener: (event: E, ...args: unknown[]) => Promise<unknown>): void
}

/**
 * Arguments heavier than this are refused before anything looks at them, unless the call's rule
 * says otherwise.
 */
export const ARGUMENT_LIMIT_BYTES = 8 * 1024 * 1024

/**
 * The one door from the window into main. Registers exactly the schema's calls; each is answered
 * with a Result after the sender is known to be our window's own page, the parameters have been
 * weighed and validated, and every path in them is known to have been handed over by the person for
 * what the call's rule says it does there. A call without a rule is refused. Never rejects: a bug
 * behind the door comes back as `internal` and is logged. Passwords among the arguments are
 * overwritten afterwards.
 */
export function openGateway<E>(options: {
  door: IpcDoor<E>
  schema: Schema
  isTrusted: (event: E) => boolean
  grants: Grants
  /** Answers a call that has been checked; what it throws becomes a failed Result. */
  answer: (channel: string, params: unknown) => Promise<Result<unknown>>
  takeDropped: (paths: readonly string[]) => Promise<void>
  onBug: (where: string, thrown: unknown) => void
}): void {
  const { door, schema, isTrusted, grants, answer, takeDropped, onBug } = options

  const guarded = async (
    event: E,
    channel: string,
    args: readonly unknown[],
    limit: number,
    work: () => Promise<Result<unknown>>,
  ): Promise<Result<unknown>> => {
    try {
      if (!isTrusted(event)) throw new AppError('refused', `${channel}: asked from a page that is not ours`)
      if (args.length > 1 || weigh(args, limit) > limit) {
        throw new AppError('refused', `${channel}: the arguments are more than the ${limit} bytes allowed`)
      }
      const result = await work()
      if (!result.ok && result.error.code === 'internal') onBug(channel, AppError.fromWire(result.error))
      return result
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'internal') onBug(channel, error)
      return fail(error)
    } finally {
      wipe(args)
    }
  }

  for (const { channel, entry } of channelsOf(schema)) {
    if (entry.kind !== 'call') continue
    const limit = entry.rule?.mostArgumentBytes ?? ARGUMENT_LIMIT_BYTES
    door.handle(channel, (event, ...args) =>
      guarded(event, channel, args, limit, () => answerChecked(channel, entry, args[0])),
    )
  }

  door.handle(DROP_CHANNEL, (event, ...args) =>
    guarded(event, DROP_CHANNEL, args, ARGUMENT_LIMIT_BYTES, async () => {
      const [paths] = args
      if (!isListOfText(paths) || paths.length > MOST_SOURCES) {
        throw new AppError('bad-input', `${DROP_CHANNEL}: not a list of at most ${MOST_SOURCES} paths`)
      }
      return ok(await takeDropped(paths))
    }),
  )

  async function answerChecked(channel: string, call: Call, params: unknown): Promise<Result<unknown>> {
    const parsed = call.params.safeParse(params)
    if (!parsed.success) throw badParameters(channel, parsed.error.issues[0])
    const { rule } = call
    for (const { use, path } of pathsUsed(rule, parsed.data)) await grants.require(use, path)
    const result = await answer(channel, parsed.data)
    if (result.ok && rule.allows) grants.allowAll(rule.allows(result.value as never))
    return result
  }
}

function badParameters(
  channel: string,
  issue: { path: readonly PropertyKey[]; message: string } | undefined,
): AppError {
  const where = issue && issue.path.length > 0 ? ` at ${issue.path.map(String).join('.')}` : ''
  return new AppError('bad-input', `${channel}: bad parameters${where}: ${issue?.message ?? 'unknown'}`)
}

function isListOfText(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
