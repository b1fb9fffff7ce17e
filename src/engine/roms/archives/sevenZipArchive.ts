import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import { cannot } from '../../files/fileSystem'
import { lineSplitter } from '../../files/read'
import { withToolFile } from '../../files/scratch'
import { throwIfAborted } from '../../jobs/throwIfAborted'
import { type ExternalTool, type FoundTool, requireTool } from '../../tools/externalTool'
import { runTool, type ToolResult } from '../../tools/runTool'
import { isWrongPassword, listingReader, sevenZip } from '../../tools/sevenZip'
import { type ArchiveMember, type MemberSink, type MemberSinks, MOST_MEMBERS } from './archiveMember'

/** A member, or what comes between members in the stream of contents. */
interface Listed extends ArchiveMember {
  readonly isLink: boolean
}

/** One process lists so many archives; starting one takes longer than reading a list. */
const LISTED_AT_ONCE = 64
/** The shortest of the systems' bounds of a command line, Windows', less what is not a path. */
const LONGEST_COMMAND = 24_000
/** Lists of more members are not kept until their archive's turn comes. */
const MOST_KEPT = 100_000
/**
 * Names are no patterns, and a password that nobody has: without one 7-Zip asks, and gives up all
 * archives.
 */
const SWITCHES: readonly string[] = ['-t7z', '-spd', '-p-']

/** The 7z archives among files: what they hold, as 7-Zip lists it and unpacks it to a pipe. */
export class SevenZipArchives {
  readonly #paths: readonly string[]
  readonly #places: ReadonlyMap<string, number>
  readonly #tool: ExternalTool
  readonly #signal: AbortSignal
  readonly #lists = new Map<string, Listed[]>()
  /** Archives that were listed with others; without a list something is wrong with them. */
  readonly #tried = new Set<string>()
  #found: Promise<FoundTool> | null = null

  /** @param paths the archives in the order in which they are read: several are listed at once */
  constructor(paths: readonly string[], signal: AbortSignal, tool: ExternalTool = sevenZip) {
    this.#paths = [...new Set(paths)]
    this.#places = new Map(this.#paths.map((path, at) => [path, at]))
    this.#signal = signal
    this.#tool = tool
  }

  /**
   * Hands over the members of an archive, and in one stream the contents that are asked for.
   * @throws AppError `bad-input` for an archive that is damaged, or whose list is encrypted,
   *   `tool-missing`, `cancelled`
   */
  async read(path: string, sinks: MemberSinks): Promise<void> {
    const members = await this.#membersOf(path)
    const opened = members.map((member) => (member.isLink ? null : sinks.begin(member)))
    const contents = new Contents(members, opened)
    if (!contents.isDone) await this.#stream(path, contents)
  }

  /**
   * The decompressed content of a file of one stream.
   * @param type the format by 7-Zip's name
   * @param take awaited before more is read
   * @throws AppError `bad-input` for a damaged file, `tool-missing`, `cancelled`
   */
  async decompress(
    path: string,
    type: string,
    take: (chunk: Uint8Array) => void | Promise<void>,
  ): Promise<void> {
    const { errorLines, exitCode } = await withToolFile(path, (file) =>
      this.#run(['x', '-so', '-bd', `-t${type}`, '-spd', '--', file], take),
    )
    if (exitCode === 0) return
    throw damaged(path, reasonIn(errorLines) ?? said`7-Zip ends with code ${exitCode}`)
  }

  async #membersOf(path: string): Promise<Listed[]> {
    if (!this.#lists.has(path) && !this.#tried.has(path)) await this.#listSeveral(path)
    const listed = this.#lists.get(path)
    this.#lists.delete(path)
    return listed ?? this.#listOne(path)
  }

  /** Lists an archive and those after it; those with which something is wrong are not noted. */
  async #listSeveral(path: string): Promise<void> {
    const first = this.#places.get(path) ?? this.#paths.length
    const several = this.#paths.slice(first, first + LISTED_AT_ONCE).filter(canBeListed)
    let length = 0
    const fitting = several.filter((one) => (length += one.length + 8) <= LONGEST_COMMAND)
    if (fitting.length < 2 || fitting[0] !== path) return
    for (const one of fitting) this.#tried.add(one)
    const lists = new Lists(path)
    try {
      const given = fitting.map((one) => `-ai!${one}`)
      await this.#run(['l', '-an', '-slt', '-sccUTF-8', ...SWITCHES, ...given], (chunk) => lists.push(chunk))
      let kept = 0
      for (const { shown, members } of lists.end()) {
        kept += members?.length ?? 0
        if (members && (shown === path || kept <= MOST_KEPT)) this.#lists.set(shown, members)
        else if (members) this.#tried.delete(shown)
      }
    } catch (thrown) {
      const { code } = AppError.from(thrown)
      if (code !== 'bad-input' && code !== 'tool-failed') throw thrown
    }
  }

  async #listOne(path: string): Promise<Listed[]> {
    const lists = new Lists(path)
    const { errorLines, exitCode } = await withToolFile(path, (file) =>
      this.#run(['l', '-slt', '-sccUTF-8', ...SWITCHES, '--', file], (chunk) => lists.push(chunk)),
    )
    const [list] = lists.end()
    if (exitCode === 0 && list?.members) return list.members
    if (isWrongPassword(errorLines))
      throw cannot('bad-input', 'read', path, said`its list of files is encrypted`)
    const because = list?.errors[0] ?? reasonIn(errorLines)
    throw damaged(path, because ?? said`7-Zip does not list it, and ends with code ${exitCode}`)
  }

  /** Hands over the contents, and ends the stream of all when no more is needed. */
  async #stream(path: string, contents: Contents): Promise<void> {
    const enough = new AbortController()
    const signal = AbortSignal.any([this.#signal, enough.signal])
    const take = (chunk: Uint8Array): void => {
      contents.push(chunk)
      if (contents.isDone) enough.abort()
    }
    try {
      const { errorLines, exitCode } = await withToolFile(path, (file) =>
        this.#run(['x', '-so', '-bd', ...SWITCHES, '--', file], take, signal),
      )
      if (contents.isDone) return
      const because = reasonIn(errorLines)
      throw damaged(path, because ?? said`7-Zip unpacks less than it lists, and ends with code ${exitCode}`)
    } catch (thrown) {
      throwIfAborted(this.#signal)
      if (!(enough.signal.aborted && AppError.from(thrown).code === 'cancelled')) throw thrown
    }
  }

  async #run(
    args: readonly string[],
    onOutput: (chunk: Uint8Array) => void | Promise<void>,
    signal = this.#signal,
  ): Promise<ToolResult> {
    this.#found ??= requireTool(this.#tool, this.#signal)
    const { path } = await this.#found
    return runTool(path, args, { signal, onOutput })
  }
}

/** Cuts the stream of all contents of an archive by the sizes listed. */
class Contents {
  readonly #members: readonly Listed[]
  readonly #sinks: readonly (MemberSink | null)[]
  /** The last member whose content is needed. */
  readonly #last: number
  #at = -1
  #left = 0

  constructor(members: readonly Listed[], sinks: readonly (MemberSink | null)[]) {
    this.#members = members
    this.#sinks = sinks
    this.#last = sinks.findLastIndex((sink) => sink !== null)
    this.#next()
  }

  /** True when no more is needed. */
  get isDone(): boolean {
    return this.#at > this.#last
  }

  /** @throws as the sinks do */
  push(chunk: Uint8Array): void {
    for (let from = 0; from < chunk.length && !this.isDone; ) {
      const piece = chunk.subarray(from, from + this.#left)
      this.#sinks[this.#at]?.update(piece)
      this.#left -= piece.length
      from += piece.length
      this.#next()
    }
  }

  #next(): void {
    while (this.#left === 0 && !this.isDone) {
      this.#sinks[this.#at]?.end()
      this.#at += 1
      this.#left = this.#members[this.#at]?.bytes ?? 0
    }
  }
}

/** Understands what 7-Zip lists of several archives. */
class Lists {
  readonly #path: string
  readonly #archives: { readonly shown: string; readonly reader: ReturnType<typeof listingReader> }[] = []
  readonly #whole = new Set<number>()
  readonly #lines = lineSplitter((line) => this.#line(line))
  #count = 0

  /** @param path is named where there are too many members */
  constructor(path: string) {
    this.#path = path
  }

  push(chunk: Uint8Array): void {
    this.#lines.push(chunk)
  }

  /** The members of each archive; null where it could not be listed whole. */
  end(): { shown: string; members: Listed[] | null; errors: readonly string[] }[] {
    this.#lines.end()
    return this.#archives.map(({ shown, reader }, at) => {
      const { items, errors } = reader.end()
      const isWhole = this.#whole.has(at) && errors.length === 0
      const files = items.filter(({ isFolder }) => !isFolder)
      const members = files.map(({ shownPath, bytes, crc, isEncrypted, isLink }) => ({
        name: slashed(shownPath),
        bytes,
        crc,
        hidden: isEncrypted ? ('encrypted' as const) : null,
        isLink,
      }))
      return { shown, members: isWhole ? members : null, errors }
    })
  }

  #line(line: string): void {
    const shown = /^Listing archive: (.*)$/.exec(line)?.[1]
    if (shown !== undefined) this.#archives.push({ shown: slashed(shown), reader: listingReader() })
    if (line === '----------') this.#whole.add(this.#archives.length - 1)
    if (line.startsWith('Path = ') && ++this.#count > MOST_MEMBERS)
      throw cannot('bad-input', 'read', this.#path, said`it has more than ${MOST_MEMBERS} files`)
    this.#archives.at(-1)?.reader.line(line)
  }
}

function slashed(shown: string): string {
  return process.platform === 'win32' ? shown.replaceAll('\\', '/') : shown
}

/** False for names that 7-Zip shows in another way than they are, or that Node cannot hand over. */
function canBeListed(path: string): boolean {
  return path.isWellFormed() && !/\p{Cc}/u.test(path)
}

/** The cause among the lines of 7-Zip's standard error; null where it names none. */
function reasonIn(errorLines: readonly string[]): string | null {
  const summary = errorLines.findLastIndex((line) => line.startsWith('ERRORS:'))
  const summed = summary < 0 ? undefined : errorLines.slice(summary + 1).find((line) => line.trim() !== '')
  const opening = errorLines.find((line) => line.startsWith('Open ERROR: '))
  const line = summed ?? opening ?? errorLines.find((each) => each.startsWith('ERROR: '))
  return line?.replace(/^(?:Open )?ERROR: /, '') ?? null
}

function damaged(path: string, because: string): AppError {
  return cannot('bad-input', 'read', path, said`the archive is damaged (${because})`)
}
