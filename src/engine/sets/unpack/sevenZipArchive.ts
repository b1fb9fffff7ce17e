import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import { joinPath } from '../../files/fileSystem'
import type { ContentPlace } from '../../files/read'
import { withToolDirectory } from '../../files/scratch'
import { writeNewFile } from '../../files/write'
import { WorkSteps } from '../../jobs/workSteps'
import { requireTool } from '../../tools/externalTool'
import { runTool, type ToolResult, type ToolRun, toolFailure } from '../../tools/runTool'
import { sevenZip, shownShare } from '../../tools/sevenZip'
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
  const result = await inArchive(container, work, (program, archive, run, onShare) =>
    runTool(
      program,
      ['x', ...SWITCHES, SHARES, `-o${MEMBERS}`, ...(isListable ? [`-i@${LIST}`] : []), '--', archive],
      { ...run, onOutput: (chunk) => onShare(shownShare(chunk) ?? 0) },
    ),
  )
  await noteUnpacked(joinPath(work.scratch(), MEMBERS), members, work).catch((thrown: unknown) => {
    if (result.exitCode === 0) throw thrown
  })
  if (result.exitCode !== 0) throw failureOf(result, work)
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
  const told = result.errorLines.join('\n')
  if (/errno=28|No space left on device|errno=122|Disk quota exceeded/.test(told))
    return new AppError('no-space', said`cannot unpack the archive: no space left on the device`)
  if (!password && told.includes('Break signaled'))
    return new AppError(
      'wrong-password',
      said`cannot unpack the archive: it is encrypted, and no password is given`,
    )
  if (told.includes('Cannot open encrypted archive'))
    return new AppError('wrong-password', said`cannot unpack the archive: the password is wrong`)
  const because = result.errorLines.find((line) => !/^(ERROR|WARNING|System ERROR)S?:?\s*$|^$/.test(line))
  const reason = because?.replace(/^ERROR: /, '')
  return toolFailure('7-Zip', 'unpack the archive', { ...result, errorLines: reason ? [reason] : [] })
}
