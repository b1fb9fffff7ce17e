import { type Call, channelsOf, type Schema } from '../contract/defineSchema'
import { DROP_CHANNEL } from '../contract/preloadPage'
import { AppError } from '../primitives/appError'
import { fail, ok, type Result } from '../primitives/result'
import { wipe } from '../primitives/secretBytes'
import { weigh } from './weigh'

/** The part of Electron's `ipcMain` that the gateway uses: it is the only file that may register a listener there. */
export interface IpcDoor<E> {
  handle(channel: string, listener: (event: E, ...args: unknown[]) => Promise<unknown>): void
}

/** Arguments heavier than this are refused before anything looks at them; text to be saved may weigh more. */
export const ARGUMENT_LIMIT_BYTES = 8 * 1024 * 1024
const LIMIT_OF_CHANNEL: Readonly<Record<string, number>> = { 'app.saveText': 72 * 1024 * 1024 }

/** More than this at once is no drop of a person's hand. */
const DROP_LIMIT = 1000

/**
 * The one door from the window into main. Registers exactly the schema's calls; each is answered with a Result after
 * the sender is known to be our window's own page and the parameters have been weighed and validated. Never rejects:
 * a bug behind the door comes back as `internal` and is logged. Passwords among the arguments are overwritten afterwards.
 */
export function openGateway<E>(options: {
  door: IpcDoor<E>
  schema: Schema
  isTrusted: (event: E) => boolean
  answer: (channel: string, params: unknown) => Promise<Result<unknown>>
  takeDropped: (paths: readonly string[]) => Promise<void>
  onBug: (where: string, thrown: unknown) => void
}): void {
  const { door, schema, isTrusted, answer, takeDropped, onBug } = options

  const guarded = async (
    event: E,
    channel: string,
    args: readonly unknown[],
    work: () => Promise<Result<unknown>>,
  ): Promise<Result<unknown>> => {
    try {
      if (!isTrusted(event)) throw new AppError('refused', `${channel}: asked from a page that is not ours`)
      const limit = LIMIT_OF_CHANNEL[channel] ?? ARGUMENT_LIMIT_BYTES
      if (args.length > 1 || weigh(args, limit) > limit) {
        throw new AppError('refused', `${channel}: the arguments are more than the ${limit} bytes allowed`)
      }
      const result = await work()
      if (!result.ok && result.error.code === 'internal') onBug(channel, AppError.fromWire(result.error))
      return result
    } catch (error) {
      if (!(error instanceof AppError)) onBug(channel, error)
      return fail(error)
    } finally {
      wipe(args)
    }
  }

  for (const { channel, entry } of channelsOf(schema)) {
    if (entry.kind !== 'call') continue
    door.handle(channel, (event, ...args) =>
      guarded(event, channel, args, () => answerChecked(channel, entry, args[0])),
    )
  }

  door.handle(DROP_CHANNEL, (event, ...args) =>
    guarded(event, DROP_CHANNEL, args, async () => {
      const [paths] = args
      if (!isListOfText(paths) || paths.length > DROP_LIMIT) {
        throw new AppError('bad-input', `${DROP_CHANNEL}: not a list of at most ${DROP_LIMIT} paths`)
      }
      return ok(await takeDropped(paths))
    }),
  )

  async function answerChecked(channel: string, call: Call, params: unknown): Promise<Result<unknown>> {
    const parsed = call.params.safeParse(params)
    if (parsed.success) return answer(channel, parsed.data)
    const [issue] = parsed.error.issues
    const where = issue && issue.path.length > 0 ? ` at ${issue.path.map(String).join('.')}` : ''
    throw new AppError('bad-input', `${channel}: bad parameters${where}: ${issue?.message ?? 'unknown'}`)
  }
}

function isListOfText(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
