import { open } from 'node:fs/promises'
import { MOST_PASSWORD_BYTES } from '../contract/dto/password'
import { fileFailure, fsPath } from '../engine/files/fileSystem'
import { AppError } from '../primitives/appError'
import { pathForDisplay } from '../primitives/pathText'
import { wipe } from '../primitives/secretBytes'
import { askHidden, type HiddenInput, hiddenInput, PASSWORD_LENGTH } from './hiddenInput'

/**
 * Where passwords may come from: never the arguments themselves, which every user of the machine
 * can list.
 */
export interface PasswordOptions {
  readonly 'password-file'?: string | undefined
  readonly 'password-stdin'?: boolean | undefined
  readonly 'new-password-file'?: string | undefined
}

/** Asks for passwords as the options say. Whoever is handed the bytes overwrites them. */
export interface Passwords {
  /**
   * The password of an existing image.
   * @throws AppError `wrong-password` when nobody can be asked
   */
  current(path: string): Promise<Uint8Array>
  /** For what is being made; typed twice where it is typed. */
  fresh(path: string): Promise<Uint8Array>
  readonly isGiven: boolean
}

/**
 * Hands over the password that the options give. Where none is given and one turns out to be
 * needed, it is asked for and all is tried once more.
 * @param path what the password is of, as the question names it
 */
export async function withPassword<T>(
  options: PasswordOptions,
  path: string,
  use: (password: Uint8Array | null) => Promise<T>,
): Promise<T> {
  const passwords = passwordsOf(options)
  let password = passwords.isGiven ? await passwords.current(path) : null
  try {
    return await use(password)
  } catch (thrown) {
    if (password !== null || AppError.from(thrown).code !== 'wrong-password') throw thrown
    password = await passwords.current(path)
    return await use(password)
  } finally {
    wipe(password)
  }
}

export function passwordsOf(
  options: PasswordOptions,
  input: HiddenInput = hiddenInput(process.stdin, process.stderr),
): Passwords {
  const { 'password-file': file, 'password-stdin': fromStdin = false, 'new-password-file': newFile } = options
  if (file !== undefined && fromStdin)
    throw new AppError('usage', 'only one of --password-file and --password-stdin can be given')
  let lines: Promise<Uint8Array[]> | null = null
  let taken = 0
  let isFileTaken = false
  const nextLine = async (): Promise<Uint8Array> => {
    lines ??= input.readAll().then((all) => passwordLines(withoutEndingNul(all), 'stdin'))
    const line = (await lines)[taken]
    taken += 1
    if (line === undefined) throw new AppError('usage', 'a password is missing on stdin: one per line')
    return line
  }
  /**
   * A file holds one password: who asks for the old one and a new one does not get the same twice.
   */
  const given = (): Promise<Uint8Array> | null => {
    if (fromStdin) return nextLine()
    if (file === undefined || isFileTaken) return null
    isFileTaken = true
    return firstLine(file)
  }
  const ask = (question: string): Promise<Uint8Array> => {
    if (input.isTTY) return askHidden(input, question)
    const hint = 'give it by --password-file FILE or --password-stdin'
    throw new AppError('wrong-password', `a password is needed and there is no terminal to ask on: ${hint}`)
  }
  return {
    isGiven: file !== undefined || fromStdin,
    async current(path) {
      return (await given()) ?? (await ask(`Password of ${pathForDisplay(path)}: `))
    },
    async fresh(path) {
      const found = newFile === undefined ? given() : firstLine(newFile)
      if (found !== null) return found
      const first = await ask(`New password of ${pathForDisplay(path)}: `)
      const second = await ask('Repeat password: ')
      const isSame = Buffer.from(first).equals(second)
      second.fill(0)
      if (isSame) return first
      first.fill(0)
      throw new AppError('usage', 'the passwords differ')
    },
  }
}

/**
 * The first line of a file, without its end. @throws AppError `usage` when it is empty or no
 * password
 */
async function firstLine(file: string): Promise<Uint8Array> {
  const most = MOST_PASSWORD_BYTES + 2
  const bytes = Buffer.alloc(most)
  try {
    await using handle = await open(fsPath(file), 'r')
    let length = 0
    // A pipe gives what was written so far: only nothing means its end.
    for (let bytesRead = -1; length < most && bytesRead !== 0; length += bytesRead)
      bytesRead = (await handle.read(bytes, length, most - length, null)).bytesRead
    const [line] = passwordLines(bytes.subarray(0, length), pathForDisplay(file))
    if (line !== undefined) return line
  } catch (thrown) {
    throw fileFailure(thrown, 'read', file)
  }
  throw new AppError('usage', `${pathForDisplay(file)} has no password in its first line`)
}

const BYTE_ORDER_MARK = Buffer.from('\ufeff')
const NUL = 0
const LINE_FEED = 10
const CARRIAGE_RETURN = 13

/** `hdiutil -stdinpass` takes a password that ends with a NUL, and so do we. */
function withoutEndingNul(all: Uint8Array): Uint8Array {
  return all.indexOf(NUL) === all.length - 1 ? all.subarray(0, -1) : all
}

/**
 * The passwords in some bytes, each on a line of its own, without the byte order mark that some
 * editors put first. The bytes given are overwritten.
 * @param from names their origin in errors
 * @throws AppError `usage` for one that is empty or too long, and for a NUL anywhere: what came
 *   behind it would be lost
 */
export function passwordLines(all: Uint8Array, from: string): Uint8Array[] {
  const hasNul = all.includes(NUL)
  const lines: Uint8Array[] = []
  const hasMark = BYTE_ORDER_MARK.equals(all.subarray(0, BYTE_ORDER_MARK.length))
  let start = hasMark ? BYTE_ORDER_MARK.length : 0
  for (let at = start; at <= all.length; at++) {
    if (at < all.length && all[at] !== LINE_FEED) continue
    if (at === all.length && at === start) break
    const end = all[at] === LINE_FEED && at > start && all[at - 1] === CARRIAGE_RETURN ? at - 1 : at
    lines.push(Uint8Array.from(all.subarray(start, end)))
    start = at + 1
  }
  all.fill(0)
  if (hasNul) {
    for (const line of lines) line.fill(0)
    throw new AppError(
      'usage',
      `cannot use ${from} as a password: it holds a NUL byte, so it is binary or UTF-16; save the password as UTF-8 text`,
    )
  }
  if (lines.some(({ length }) => length === 0 || length > MOST_PASSWORD_BYTES))
    throw new AppError('usage', PASSWORD_LENGTH)
  return lines
}
