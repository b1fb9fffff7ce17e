import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import { joinPath } from '../../files/fileSystem'
import { type ContentPlace, lineSplitter } from '../../files/read'
import { withToolDirectory } from '../../files/scratch'
import { growingFile, writeNewFile } from '../../files/write'
import { WorkSteps } from '../../jobs/workSteps'
import { requireTool } from '../../tools/externalTool'
import { runTool, type ToolResult, type ToolRun, toolFailure } from '../../tools/runTool'
import { listingReader, sevenZip, shownShare } from '../../tools/sevenZip'
import { COPY_SHARE, noteUnpacked, wholeFile } from './byProgram'
import { unpackToolTar } from './tar'
import type { Unpack, Unpacking } from './unpacker'

const ARCHIVE = 'archive'
const LIST = 'names.list'
const MEMBERS = 'members'
/** Names that 7-Zip's list files cannot hold: lines are trimmed, and all must be UTF-8. */
const UNLISTABLE = /[\p{Cc}\ud800-\udfff]/u
/** Options of 7-Zip that send its progress, or the content of members, to its standard output. */
const SHARES = '-bsp1'
const CONTENT: readonly string[] = ['-so', '-bsp0']
/** -snl-: links are left out, which could lead out of the folder. -aoa: it never asks. */
const SWITCHES: readonly string[] = '-snl- -aoa -spd -scsUTF-8 -bso0'.split(' ')

/**
 * Unpacks members of an archive of any kind that 7-Zip reads; all of it where a name cannot be in a
 * list.
 * @throws as `Unpack`
 */
export async function unpackSevenZip(
  container: ContentPlace,
  members: ReadonlySet<string>,
  work: Unpacking,
): Promise<void> {
  const isListable = ![...members].some((name) => UNLISTABLE.test(name))
  // In quotes, of which 7-Zip takes one pair away, so that blanks at the ends stay.
  const lines = [...members].map((name) => `"${name}"\n`)
  if (isListable) await writeNewFile(joinPath(work.scratch(), LIST), lines, { flush: false })
  const result = await inArchive(container, work, async (program, archive, run, onShare) => {
    const opened = { program, archive, run, onShare }
    if (process.platform === 'win32' && (await unpackInOneFile(opened, members, work, isListable)))
      return null
    return runTool(
      program,
      ['x', ...SWITCHES, SHARES, `-o${MEMBERS}`, ...(isListable ? [`-i@${LIST}`] : []), '--', archive],
      { ...run, onOutput: (chunk) => onShare(shownShare(chunk) ?? 0) },
    )
  })
  if (result === null) return
  await noteUnpacked(joinPath(work.scratch(), MEMBERS), members, work).catch((thrown: unknown) => {
    if (result.exitCode === 0) throw thrown
  })
  if (result.exitCode !== 0) throw failureOf(result, work)
}

const CONTENTS = 'contents'

/** An archive as `inArchive` hands it over. */
interface OpenedArchive {
  readonly program: string
  readonly archive: string
  readonly run: ToolRun
  readonly onShare: Unpacking['onShare']
}

/**
 * On Windows 7-Zip gives files other names than the archive where Windows has uses for a name
 * (`CON`), or takes two for one. So the contents are taken one after another from its standard
 * output, and the list of the archive tells which is which.
 * @returns false where the archive is damaged, and nothing is found
 * @throws as `Unpack`
 */
async function unpackInOneFile(
  { program, archive, run, onShare }: OpenedArchive,
  members: ReadonlySet<string>,
  work: Unpacking,
  isListable: boolean,
): Promise<boolean> {
  const shown = new Map([...members].map((member) => [shownName(member), member]))
  const reader = listingReader()
  const lines = lineSplitter((line) => reader.line(line))
  const list = await runTool(program, ['l', '-slt', '-sccUTF-8', '--', archive], {
    ...run,
    onOutput: (chunk) => lines.push(chunk),
  })
  lines.end()
  if (list.exitCode !== 0) return false
  // A backslash in a list is taken for the end of a folder's name.
  const isChosen = isListable && ![...members].some((member) => member.includes('\\'))
  const items = reader.end().items.filter(({ shownPath }) => !isChosen || shown.has(shownPath))
  const times = Map.groupBy(items, ({ shownPath }) => shownPath)
  const file = joinPath(work.scratch(), CONTENTS)
  const places: [member: string, offset: number, bytes: number][] = []
  let total = 0
  for (const { shownPath, bytes } of items) {
    const member = shown.get(shownPath)
    // Names that are listed alike are left out: which is which cannot be known.
    if (member !== undefined && times.get(shownPath)?.length === 1) places.push([member, total, bytes])
    total += bytes
  }
  let written = 0
  const contents = await growingFile(file, 0o600)
  try {
    const chosen = isChosen ? ['-ssc', `-i@${LIST}`] : []
    const { exitCode } = await runTool(program, ['x', ...CONTENT, ...SWITCHES, ...chosen, '--', archive], {
      ...run,
      async onOutput(chunk) {
        await contents.add(chunk)
        onShare((written += chunk.length) / Math.max(total, 1))
      },
    })
    if (exitCode !== 0 || written !== total) return false
  } finally {
    await contents.close()
  }
  for (const [member, offset, bytes] of places)
    work.found(member, { bytes, content: { file, offset, bytes }, sha256: null })
  return true
}

/**
 * The name of a member as 7-Zip for Windows lists it: it has letters of its own for a backslash and
 * for bytes that are not UTF-8, which a name from Linux can hold.
 */
function shownName(member: string): string {
  return member
    .replaceAll('\\', '\uf05c')
    .replaceAll('/', '\\')
    .replace(/[\n\r]/g, '_')
    .replace(/[\udc80-\udcff]/g, (byte) => String.fromCharCode(byte.charCodeAt(0) - 0xdc00 + 0xef00))
}

/** Archives in the order of their content hold one tar file; others are archives of the files. */
export const unpackOrdered: Unpack<'seven-zip-solid'> = async (container, members, work, recipe) => {
  if (recipe.order !== 'content') return unpackSevenZip(container, members, work)
  const { result } = await inArchive(container, work, (program, archive, run, onShare) =>
    unpackToolTar(program, ['x', ...CONTENT, ...SWITCHES, '--', archive], run, members, { ...work, onShare }),
  )
  if (result && result.exitCode !== 0) throw failureOf(result, work)
}

/**
 * The content of the only file of an archive, in memory: for what must not be in a file.
 * @throws as `Unpack`
 */
export async function onlyMember(
  container: ContentPlace,
  work: Pick<Unpacking, 'scratch' | 'password' | 'signal'>,
): Promise<Buffer> {
  const pieces: Buffer[] = []
  const result = await inArchive(container, { ...work, onShare: () => undefined }, (program, archive, run) =>
    runTool(program, ['x', ...CONTENT, ...SWITCHES, '--', archive], {
      ...run,
      onOutput: (chunk) => void pieces.push(Buffer.from(chunk)),
    }),
  )
  if (result.exitCode !== 0) throw failureOf(result, work)
  return Buffer.concat(pieces)
}

async function inArchive<T>(
  container: ContentPlace,
  work: Pick<Unpacking, 'scratch' | 'password' | 'signal' | 'onShare'>,
  use: (program: string, archive: string, run: ToolRun, onShare: Unpacking['onShare']) => Promise<T>,
): Promise<T> {
  const tool = await requireTool(sevenZip, work.signal)
  const steps = new WorkSteps(work.onShare)
  const archive = await wholeFile(container, ARCHIVE, work, steps.until(COPY_SHARE))
  // Without a terminal 7-Zip reads the password from its standard input.
  const input = work.password && Buffer.concat([work.password, Buffer.from('\n')])
  try {
    return await withToolDirectory(work.scratch(), (cwd) =>
      use(tool.path, archive, { cwd, signal: work.signal, ...(input ? { input } : {}) }, steps.until(1)),
    )
  } finally {
    input?.fill(0)
  }
}

function failureOf(result: ToolResult, { password }: Pick<Unpacking, 'password'>): AppError {
  const errors = result.errorLines.join('\n')
  if (/errno=28|No space left on device|errno=122|Disk quota exceeded/.test(errors))
    return new AppError('no-space', said`cannot unpack the archive: no space left on the device`)
  if (!password && errors.includes('Break signaled'))
    return new AppError(
      'wrong-password',
      said`cannot unpack the archive: it is encrypted, and no password is given`,
    )
  if (errors.includes('Cannot open encrypted archive'))
    return new AppError('wrong-password', said`cannot unpack the archive: the password is wrong`)
  const because = result.errorLines.find((line) => !/^(ERROR|WARNING|System ERROR)S?:?\s*$|^$/.test(line))
  const reason = because?.replace(/^ERROR: /, '')
  return toolFailure('7-Zip', 'unpack the archive', { ...result, errorLines: reason ? [reason] : [] })
}
