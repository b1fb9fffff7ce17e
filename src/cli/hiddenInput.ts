import { MOST_PASSWORD_BYTES } from '../contract/dto/password'
import { AppError } from '../primitives/appError'
import { wipe } from '../primitives/secretBytes'

/** The part of a terminal's input that asking takes, and where the question goes. */
export interface HiddenInput {
  readonly isTTY: boolean
  setRawMode(on: boolean): void
  onBytes(listener: (bytes: Uint8Array) => void): () => void
  /** Everything there is, where it is not a terminal. */
  readAll(): Promise<Uint8Array>
  write(text: string): void
}

/** The parts of the process that `hiddenInput` uses. */
export function hiddenInput(stdin: NodeJS.ReadStream, stderr: NodeJS.WriteStream): HiddenInput {
  return {
    // Where it is none, both are undefined, whatever their types say.
    isTTY: stdin.isTTY && stderr.isTTY,
    setRawMode: (on) => void stdin.setRawMode(on),
    onBytes(listener) {
      stdin.on('data', listener)
      stdin.resume()
      return () => {
        stdin.off('data', listener)
        stdin.pause()
      }
    },
    async readAll() {
      const pieces: Buffer[] = []
      for await (const piece of stdin) pieces.push(piece as Buffer)
      const all = Buffer.concat(pieces)
      wipe(pieces)
      return all
    },
    write: (text) => void stderr.write(text),
  }
}

/** The bounds of a password, as an error. */
export const PASSWORD_LENGTH = `a password has 1 to ${MOST_PASSWORD_BYTES} bytes`

const CTRL_C = 3
const CTRL_D = 4
const BACKSPACE = 8
const LINE_FEED = 10
const RETURN = 13
const CTRL_U = 21
const DELETE = 127

/**
 * Asks a question and takes the line typed without showing it. Backspace takes a character, Ctrl-U
 * all.
 * @throws AppError `cancelled` after Ctrl-C, or Ctrl-D on an empty line; `usage` for a line that
 *   is too long
 */
export async function askHidden(input: HiddenInput, question: string): Promise<Uint8Array> {
  const typed = new Uint8Array(MOST_PASSWORD_BYTES)
  let length = 0
  let isTooLong = false
  // Before it asks: what is typed at once would be shown.
  input.setRawMode(true)
  input.write(question)
  let stop = () => {}
  try {
    await new Promise<void>((resolve, reject) => {
      const take = (byte: number): boolean => {
        if (byte === RETURN || byte === LINE_FEED || byte === CTRL_D) {
          if (isTooLong) reject(new AppError('usage', PASSWORD_LENGTH))
          else if (length > 0) resolve()
          else if (byte === CTRL_D) reject(new AppError('cancelled', 'no password was entered'))
          else return false
          return true
        }
        if (byte === CTRL_C) {
          reject(new AppError('cancelled', 'no password was entered'))
          return true
        }
        if (byte === BACKSPACE || byte === DELETE) length = characterBefore(typed, length)
        else if (byte === CTRL_U) {
          length = 0
          isTooLong = false
        } else if (length < typed.length) typed[length++] = byte
        else isTooLong = true
        return false
      }
      stop = input.onBytes((bytes) => {
        // What is typed after the line's end belongs to nobody.
        for (const byte of bytes) if (take(byte)) break
        bytes.fill(0)
      })
    })
    return typed.slice(0, length)
  } finally {
    stop()
    input.setRawMode(false)
    input.write('\n')
    typed.fill(0)
  }
}

/** Where the last character before `length` begins: its further bytes in UTF-8 are 10xxxxxx. */
function characterBefore(bytes: Uint8Array, length: number): number {
  let at = Math.max(0, length - 1)
  while (at > 0 && ((bytes[at] as number) & 0xc0) === 0x80) at -= 1
  return at
}
