import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { type FleetCounts, fleetCountsSchema, summedCounts } from '../../domain/fleet/fleetCounts'
import { type FleetReport, reportOf } from '../../domain/fleet/fleetReport'
import { AppError } from '../../primitives/appError'
import { pathForDisplay } from '../../primitives/pathText'
import { said } from '../../primitives/said'
import { fileFailure, fsPath } from '../files/fileSystem'

interface PartFile {
  readonly path: string
  readonly counts: FleetCounts
}

/**
 * The report of all hashes, from files that have the counts of one range each.
 * @throws AppError `bad-input` that names the file that is none, is there twice, or is of other
 *   sources, schemes, keys or numbers of ranges than the first; or the ranges that are missing
 */
export async function summedReport(paths: readonly string[]): Promise<FleetReport> {
  const parts: PartFile[] = []
  for (const path of paths) {
    const one = { path, counts: await readPart(path) }
    const [first] = parts
    if (first) requireAlike(first, one)
    const twin = parts.find(({ counts }) => counts.range.index === one.counts.range.index)
    if (twin) throw bad(path, said`it is range ${rangeText(one)}, as ${pathForDisplay(twin.path)} is`)
    parts.push(one)
  }
  const [first, ...others] = parts.map(({ counts }) => counts)
  if (!first) throw new AppError('usage', said`give the parts of a report`)
  const { count } = first.range
  const there = new Set(parts.map(({ counts }) => counts.range.index))
  const missing = Array.from({ length: count }, (_, at) => at + 1).filter((index) => !there.has(index))
  if (missing.length > 0)
    throw new AppError(
      'bad-input',
      said`cannot add up ${parts.length} of ${count} parts: missing are the ranges ${missing.slice(0, 10).join(', ')}`,
    )
  return reportOf(summedCounts([first, ...others]))
}

function bad(path: string, because: string): AppError {
  return new AppError('bad-input', said`cannot use ${pathForDisplay(path)}: ${because}`, { path })
}

function rangeText({ counts: { range } }: PartFile): string {
  return `${range.index}/${range.count}`
}

async function readPart(path: string): Promise<FleetCounts> {
  let text: string
  try {
    text = await readFile(fsPath(path), 'utf8')
  } catch (thrown) {
    throw fileFailure(thrown, 'read', path)
  }
  let read: unknown = null
  try {
    read = JSON.parse(text)
  } catch {
    // Not a part, like what has another form.
  }
  const part = fleetCountsSchema.safeParse(read)
  if (!part.success || part.data.range.index > part.data.range.count)
    throw bad(path, said`it is damaged, or no part of a fleet report`)
  return part.data
}

function requireAlike(first: PartFile, other: PartFile): void {
  const shown = pathForDisplay(first.path)
  const [one, two] = [first.counts, other.counts]
  if (one.range.count !== two.range.count)
    throw bad(other.path, said`it is range ${rangeText(other)}, ${shown} is ${rangeText(first)}`)
  if (one.key !== two.key) throw bad(other.path, said`it has another key than ${shown}`)
  const inputsOf = ({ sources, groups, by }: FleetCounts): unknown => [
    by,
    groups,
    // The same fingerprints may be in other folders of other machines.
    sources.map(({ survey, name, files, bytes }) => [survey, name, files, bytes]),
  ]
  if (!isDeepStrictEqual(inputsOf(one), inputsOf(two)))
    throw bad(other.path, said`it is of other sources than ${shown}, or in another order`)
  const termsOf = ({ schemes }: FleetCounts): unknown =>
    schemes.map(({ name, shift, missing, pairs }) => [name, shift, missing, pairs === null])
  if (!isDeepStrictEqual(termsOf(one), termsOf(two)))
    throw bad(other.path, said`it has other ways of cutting, shares or tables than ${shown}`)
}
