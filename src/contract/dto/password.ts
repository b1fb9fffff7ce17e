import { z } from 'zod'

/** Above this it is a file that was meant to be something else. */
export const MOST_PASSWORD_BYTES = 4096

/**
 * Programs that take a password on their input read it up to one of these: NUL, line feed, carriage
 * return.
 */
const ENDS = [0, 10, 13]

/**
 * A password's bytes, as typed, in UTF-8. Never text, which nobody could overwrite: every process
 * that is handed one fills it with zeros once it has served (`src/primitives/secretBytes.ts`). It
 * is in no answer, event or document.
 */
export const passwordSchema = z.custom<Uint8Array>(
  (value) =>
    value instanceof Uint8Array &&
    value.length > 0 &&
    value.length <= MOST_PASSWORD_BYTES &&
    !ENDS.some((end) => value.includes(end)),
  { message: 'not the bytes of a password' },
)

/** The password of a request that may go without. */
export const optionalPasswordSchema = passwordSchema.nullable().default(null)
