import { isUtf8 } from 'node:buffer'
import { AppError } from '../../primitives/appError'
import { said } from '../../primitives/said'

const LINE_FEED = 10
/** Bytes that end a line or a text for one program or another. */
const ENDS: ReadonlySet<number> = new Set([0, LINE_FEED, 13])

/**
 * Calls `use` with a password as programs read it from standard input: a line of UTF-8. The line is
 * overwritten afterwards. Passwords go to programs in no other way: arguments and environments can
 * be listed by others, and files stay.
 * @param times how often the program asks for it
 * @throws AppError `usage` for what a program would read as another password
 */
export async function withPasswordLine<T>(
  password: Uint8Array,
  use: (lines: Uint8Array) => Promise<T>,
  times = 1,
): Promise<T> {
  if (password.some((byte) => ENDS.has(byte)))
    throw new AppError('usage', said`the password has a line end or a zero byte, which programs do not take`)
  if (!isUtf8(password)) throw new AppError('usage', said`the password is not UTF-8, which programs need`)
  const length = password.length + 1
  const lines = new Uint8Array(times * length).fill(LINE_FEED)
  for (let time = 0; time < times; time++) lines.set(password, time * length)
  try {
    return await use(lines)
  } finally {
    lines.fill(0)
  }
}
