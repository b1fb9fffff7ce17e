import { lstat, readFile, rename, rm } from 'node:fs/promises'
import { z } from 'zod'
import { planEntrySchema } from '../../../contract/dto/plan'
import { attempt, fileFailure, fsPath, joinPath } from '../../files/fileSystem'
import { writeNewFile } from '../../files/write'
import { throwIfAborted } from '../../jobs/throwIfAborted'
import { parsedJson } from '../volume/planned/planFolder'
import type { FileEntry, Made } from './container'

const headSchema = z.object({
  files: z.array(
    z.object({
      path: z.string(),
      bytes: z.number(),
      sha256: z.string(),
      identity: z.string(),
      method: z.string().optional(),
    }),
  ),
  folders: z.array(z.string()),
})

/**
 * Records what was packed for a volume: a line for the files made, then one for every file of the
 * source in them.
 */
export async function writeMade(
  work: string,
  index: number,
  { files, folders, members }: Made,
): Promise<void> {
  const path = joinPath(work, `${index}.jsonl`)
  const lines = [{ files, folders }, ...members].map((line) => `${JSON.stringify(line)}\n`)
  const partial = `${path}.partial`
  try {
    await writeNewFile(partial, lines)
    await rename(fsPath(partial), fsPath(path))
  } catch (thrown) {
    await rm(fsPath(partial), { force: true }).catch(() => undefined)
    throw thrown
  }
}

/**
 * The files that were packed for a volume; null when it was not packed, or when one of its files is
 * missing or has changed.
 * @throws AppError `bad-input`, `cancelled`, `io`
 */
export async function readMade(work: string, index: number, signal: AbortSignal): Promise<Made | null> {
  const path = joinPath(work, `${index}.jsonl`)
  let text: string
  try {
    text = await readFile(fsPath(path), 'utf8')
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw fileFailure(thrown, 'read', path)
  }
  const [head = '', ...lines] = text.trimEnd().split('\n')
  const { files, folders } = parsedJson(headSchema, head, path)
  for (const { path: name, bytes } of files) {
    throwIfAborted(signal)
    const there = await lstat(fsPath(joinPath(work, String(index), name))).catch(() => null)
    if (there?.size !== bytes) return null
  }
  const members = lines.map((line) => parsedJson(planEntrySchema, line, path))
  return { files, folders, members: members.filter((entry): entry is FileEntry => entry.kind === 'file') }
}

/**
 * Removes what was packed for a volume, its record first.
 * @throws AppError `permission-denied`, `io`
 */
export async function removeMade(work: string, index: number): Promise<void> {
  await attempt('write to', work, async () => {
    await rm(fsPath(joinPath(work, `${index}.jsonl`)), { force: true })
    await rm(fsPath(joinPath(work, String(index))), { recursive: true, force: true })
  })
}
