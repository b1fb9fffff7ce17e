import type { z } from 'zod'
import type { Result } from '../primitives/result'
import type { CallRule, RuleOf } from './callRule'

/** One request across a process boundary: what it takes, what it answers and what it may touch. */
export interface Call<P extends z.ZodType = z.ZodType, R extends z.ZodType = z.ZodType> {
  readonly kind: 'call'
  readonly params: P
  readonly result: R
  readonly rule: CallRule
}

/** One message that a process sends unasked. */
export interface Event<P extends z.ZodType = z.ZodType> {
  readonly kind: 'event'
  readonly payload: P
}

export type Group = Readonly<Record<string, Call | Event>>
/**
 * A process boundary: groups of calls and events, each declared once. Names, types and validation
 * derive from it.
 */
export type Schema = Readonly<Record<string, Group>>

export function call<P extends z.ZodType, R extends z.ZodType>(
  params: P,
  result: R,
  rule: RuleOf<P, R>,
): Call<P, R> {
  return { kind: 'call', params, result, rule }
}

export function event<P extends z.ZodType>(payload: P): Event<P> {
  return { kind: 'event', payload }
}

/**
 * The asking side: a function per call that never rejects, a subscription per event that returns
 * its end.
 */
export type Client<S extends Schema> = {
  readonly [G in keyof S]: {
    readonly [M in keyof S[G]]: S[G][M] extends Call<infer P, infer R>
      ? (params: z.input<P>) => Promise<Result<z.output<R>>>
      : S[G][M] extends Event<infer P>
        ? (listener: (payload: z.output<P>) => void) => () => void
        : never
  }
}

/** The answering side: a handler for each call. A handler throws AppError for expected failures. */
export type Handlers<S extends Schema> = {
  readonly [G in keyof S]: {
    readonly [M in keyof S[G] as S[G][M] extends Call ? M : never]: S[G][M] extends Call<infer P, infer R>
      ? (params: z.output<P>) => z.input<R> | Promise<z.input<R>>
      : never
  }
}

/** Sends one of the schema's events to the other side. */
export type Emit<S extends Schema> = <G extends keyof S & string, M extends EventNames<S[G]>>(
  group: G,
  name: M,
  payload: S[G][M] extends Event<infer P> ? z.input<P> : never,
) => void

export type EventNames<G extends Group> = { [M in keyof G]: G[M] extends Event ? M : never }[keyof G] & string

/** The channel a call or event travels on: `group.name`. */
export function channelOf(group: string, name: string): string {
  return `${group}.${name}`
}

/** Every channel of a schema with its declaration, in order of declaration. */
export function channelsOf(
  schema: Schema,
): { channel: string; group: string; name: string; entry: Call | Event }[] {
  return Object.entries(schema).flatMap(([group, members]) =>
    Object.entries(members).map(([name, entry]) => ({ channel: channelOf(group, name), group, name, entry })),
  )
}

/**
 * Builds the asking side from a schema and a transport. Used by the preload page (over
 * ipcRenderer), by main (over the engine's message channel) and by tests, so that nobody can call
 * what is not declared.
 */
export function createClient<S extends Schema>(
  names: ChannelNames,
  transport: {
    request(channel: string, params: unknown): Promise<Result<unknown>>
    subscribe(channel: string, listener: (payload: unknown) => void): () => void
  },
): Client<S> {
  const client: Record<string, Record<string, unknown>> = {}
  for (const [group, members] of Object.entries(names)) {
    const built: Record<string, unknown> = {}
    for (const [name, kind] of Object.entries(members)) {
      const channel = channelOf(group, name)
      built[name] =
        kind === 'call'
          ? (params: unknown) => transport.request(channel, params)
          : (listener: (payload: unknown) => void) => transport.subscribe(channel, listener)
    }
    client[group] = built
  }
  return client as Client<S>
}

/**
 * The names and kinds of a schema alone: all that a preload page needs, so that it need not carry
 * the validators.
 */
export type ChannelNames = Readonly<Record<string, Readonly<Record<string, 'call' | 'event'>>>>

export function channelNamesOf(schema: Schema): ChannelNames {
  return Object.fromEntries(
    Object.entries(schema).map(([group, members]) => [
      group,
      Object.fromEntries(Object.entries(members).map(([name, entry]) => [name, entry.kind])),
    ]),
  )
}
