import {
  type Call,
  channelsOf,
  type Emit,
  type Event,
  type Handlers,
  type Schema,
} from '../../contract/defineSchema'
import { AppError } from '../../primitives/appError'
import { fail, type Result } from '../../primitives/result'
import { saidIn } from '../../primitives/said'

/**
 * The answering side of a schema: takes channel names and untrusted parameters, always gives a
 * Result.
 */
export interface Service {
  answer(channel: string, params: unknown): Promise<Result<unknown>>
}

/**
 * Serves a schema's calls by handlers. Parameters are validated (and their defaults filled in)
 * before a handler sees them; a handler's expected failures and its bugs both come back as a
 * Result. Never rejects.
 */
export function serve<S extends Schema>(schema: S, handlers: Handlers<S>): Service {
  const calls = new Map<string, { call: Call; handler: (params: unknown) => unknown }>()
  for (const { channel, group, name, entry } of channelsOf(schema)) {
    if (entry.kind !== 'call') continue
    const members = handlers[group] as Record<string, (params: unknown) => unknown> | undefined
    const handler = members?.[name]
    if (!handler) throw new AppError('internal', `no handler for ${channel}`)
    calls.set(channel, { call: entry, handler: handler.bind(members) })
  }
  return {
    async answer(channel, params) {
      const served = calls.get(channel)
      if (!served) return fail(new AppError('refused', `the engine has no call named ${channel}`))
      const parsed = served.call.params.safeParse(params)
      if (!parsed.success) return fail(badInput(channel, parsed.error.issues))
      try {
        const value = await served.handler(parsed.data)
        return { ok: true, value, said: saidIn(value) }
      } catch (error) {
        return fail(error)
      }
    },
  }
}

/**
 * An emitter of a schema's events over any sender. Never throws: events are sent from timers and
 * listeners, where an exception would end the process. An event that does not fit its declaration
 * is a bug; it is dropped and logged, once for each event and field.
 */
export function emitterOf<S extends Schema>(
  schema: S,
  send: (channel: string, payload: unknown) => void,
  log: (line: string) => void,
): Emit<S> {
  const logged = new Set<string>()
  const events = new Map<string, Event>()
  for (const { channel, entry } of channelsOf(schema)) {
    if (entry.kind === 'event') events.set(channel, entry)
  }
  return (group, name, payload) => {
    const channel = `${group}.${name}`
    const parsed = events.get(channel)?.payload.safeParse(payload)
    if (parsed?.success) return send(channel, parsed.data)
    const issue = parsed?.error.issues[0]
    const field = `${channel} ${issue?.path.map(String).join('.')}`
    if (logged.has(field)) return
    logged.add(field)
    const where = issue ? `${issue.path.map(String).join('.')}: ${issue.message}` : `it is not declared`
    log(`dropped an event ${channel} that does not fit its declaration: ${where}`)
  }
}

function badInput(
  channel: string,
  issues: readonly { path: readonly PropertyKey[]; message: string }[],
): AppError {
  const first = issues[0]
  const where = first && first.path.length > 0 ? ` at ${first.path.map(String).join('.')}` : ''
  return new AppError('bad-input', `${channel}: bad parameters${where}: ${first?.message ?? 'unknown'}`)
}
