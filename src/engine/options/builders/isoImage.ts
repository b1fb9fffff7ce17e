import { createHash } from 'node:crypto'
import { closeSync, lstatSync, openSync } from 'node:fs'
import { APP_VERSION } from '../../../contract/version'
import { AppError } from '../../../primitives/appError'
import { pathToBytes } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import { EntryColumns } from '../../discImages/imageEntries'
import { attemptAtOnce, cannot, fsPath } from '../../files/fileSystem'
import { entryTime, readFailure } from '../../files/sourceCheck'
import { pausing } from '../../jobs/slowly'
import { throwIfAborted } from '../../jobs/throwIfAborted'
import {
  layOutImage,
  type RawContentSource,
  type RawImageEntries,
  writeDiscImage,
} from '../../native/discImage'
import { ownMeter } from '../../tools/toolMeter'
import { entriesOf, type SourceEntry, sourceBytes } from './buildSource'
import { measuredBuild } from './measuredBuild'
import type { BuildRequest, OptionBuilder } from './optionBuilder'
import { OWN_TOOL } from './ownTool'

/**
 * The same for every image, so that a second one is equal to the first: 1 January 2000. Files keep
 * their own times.
 */
const IMAGE_DATE_MS = Date.UTC(2000, 0, 1)

/** An image of ISO 9660 with Rock Ridge, and of UDF over the same bytes. */
export const isoImage: OptionBuilder<'iso'> = {
  tool: null,
  async build(request) {
    const { made, figures } = await measuredBuild(request, ownMeter(), () =>
      writeIso(request, request.path, { hasUdf: true }),
    )
    return {
      ...OWN_TOOL,
      command: 'an image of ISO 9660 with Rock Ridge, and of UDF',
      ...figures,
      repeatable: true,
      ...made,
    }
  },
}

/**
 * Writes a source as an image; contents must have the digests of the survey where it has them.
 * @param setting.hasUdf false: ISO 9660 alone
 * @throws AppError `no-space`, `changed`, `vanished`, `cancelled`, …
 */
export async function writeIso(
  request: BuildRequest,
  path: string,
  setting: { readonly hasUdf: boolean },
): Promise<{ notes: string[] }> {
  const { entries, contents, leftOut } = await listed(request)
  const layout = await layOutImage(entries, {
    label: 'STOWAGE',
    uniqueId: uniqueId(entries),
    application: `STOWAGE ${APP_VERSION}`,
    madeSeconds: Math.floor(IMAGE_DATE_MS / 1000),
    ...setting,
  })
  const sources = Array.from(contents, ([entry, { source, sha256 }]): RawContentSource => {
    const digest = sha256 === undefined ? null : Buffer.from(sha256, 'hex')
    return { entry, path: pathToBytes(source), offset: 0, sha256: digest }
  })
  const total = sourceBytes(request.files)
  const onBytes = (done: number): void => request.onProgress(Math.min(done, total))
  const output = attemptAtOnce('write', path, () => openSync(fsPath(path), 'wx'))
  try {
    const failure = await writeDiscImage(layout, output, sources, { signal: request.signal, onBytes })
    if (failure) {
      const source = contents.get(failure.entry ?? -1)?.source
      if (source === undefined)
        throw new AppError(failure.code, said`cannot write the image: ${failure.cause}`, { path })
      throw cannot(failure.code, failure.code === 'changed' ? 'use' : 'read', source, failure.cause)
    }
  } finally {
    closeSync(output)
  }
  return { notes: leftOut === 0 ? [] : [leftOutNote(leftOut)] }
}

function leftOutNote(links: number): string {
  return links === 1
    ? said`1 symbolic link is left out: its target is too long for an image`
    : said`${links} symbolic links are left out: their targets are too long for an image`
}

type SourceFile = Extract<SourceEntry, { kind: 'file' }>

/** The source as an image lists it: hard links are names of one file. */
async function listed(request: BuildRequest): Promise<{
  entries: RawImageEntries
  /** Files with content, by the numbers of their entries. */
  contents: ReadonlyMap<number, SourceFile>
  /** Symbolic links with targets that no image holds. */
  leftOut: number
}> {
  const columns = new EntryColumns(IMAGE_DATE_MS)
  const contents = new Map<number, SourceFile>()
  const names = new Map<string, string>()
  let leftOut = 0
  const pause = pausing(() => throwIfAborted(request.signal))
  for (const entry of entriesOf(request)) {
    await pause()
    if (entry.path === '') continue
    const now = factsOf(entry.source)
    const facts = { mtimeNs: String(entryTime(now.mtimeNs)), mode: Number(now.mode & 0o7777n) }
    if (entry.kind !== 'file') {
      if (columns.add({ ...entry, ...facts }, new Map()) === null) leftOut += 1
      continue
    }
    const file = `${now.dev}:${now.ino}`
    const linkOf = now.nlink > 1n ? names.get(file) : undefined
    if (now.nlink > 1n && linkOf === undefined) names.set(file, entry.path)
    const number = columns.add({ ...entry, ...facts, linkOf }, new Map())
    if (number !== null && linkOf === undefined && entry.bytes > 0) contents.set(number, entry)
  }
  return { entries: columns.finished(), contents, leftOut }
}

function factsOf(source: string) {
  try {
    return lstatSync(fsPath(source), { bigint: true })
  } catch (thrown) {
    throw readFailure(thrown, source)
  }
}

/** Sixteen hexadecimal digits, the same for the same names, lengths and times. */
function uniqueId({ names, bytes, seconds }: RawImageEntries): string {
  const hash = createHash('sha256').update(names)
  for (const { buffer, byteOffset, byteLength } of [bytes, seconds])
    hash.update(new Uint8Array(buffer, byteOffset, byteLength))
  return hash.digest('hex').slice(0, 16)
}
