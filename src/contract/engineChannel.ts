import { z } from 'zod'
import { saidSchema, wireErrorSchema } from '../domain/scalars'

/**
 * The envelopes that travel between main and the engine process, whichever host carries them. What
 * they hold is declared in `engineSchema`; here is only how a conversation begins, goes on and
 * ends.
 */
export const toEngineSchema = z.discriminatedUnion('type', [
  /** The first message. The engine answers with its own hello, or refuses and leaves. */
  z.object({
    type: z.literal('hello'),
    protocol: z.number().int(),
    version: z.string(),
    dataDir: z.string().min(1),
  }),
  z.object({ type: z.literal('request'), id: z.number().int(), channel: z.string(), params: z.unknown() }),
  z.object({ type: z.literal('ping'), id: z.number().int() }),
  /** Finish what is being written and leave. */
  z.object({ type: z.literal('close') }),
])
export type ToEngine = z.infer<typeof toEngineSchema>

export const fromEngineSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('hello'),
    protocol: z.number().int(),
    version: z.string(),
    runtime: z.string(),
  }),
  /**
   * The engine cannot work at all (wrong partner, catalog of a newer version): starting it again
   * would not help.
   */
  z.object({ type: z.literal('refused'), error: wireErrorSchema }),
  z.object({
    type: z.literal('answer'),
    id: z.number().int(),
    result: z.union([
      z.object({
        ok: z.literal(true),
        value: z.unknown(),
        said: z.record(z.string(), saidSchema).optional(),
      }),
      z.object({ ok: z.literal(false), error: wireErrorSchema }),
    ]),
  }),
  z.object({ type: z.literal('event'), channel: z.string(), payload: z.unknown() }),
  z.object({ type: z.literal('pong'), id: z.number().int() }),
])
export type FromEngine = z.infer<typeof fromEngineSchema>
