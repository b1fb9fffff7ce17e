import { copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { CheckDocument } from '../../../src/contract/dto/check.ts'
import type { RepairDocument } from '../../../src/contract/dto/repair.ts'
import type { SeededRandom } from '../../../src/primitives/seededRandom.ts'
import { SECTOR_BYTES } from './extents.ts'
import { type CommandEnd, type Place, plain } from './faultedCommand.ts'
import { bytesOf, fileReading, nameReading, namesBelow } from './readings.ts'
import type { Built } from './setForms.ts'
import { imagesOf, type SetImage } from './setImages.ts'

/** A form with fresh copies of its images, in the order of its volumes. */
export interface Trial {
  readonly built: Built
  readonly copies: string[]
  readonly random: SeededRandom
  /** It has the catalog in which the set was made, or none. */
  readonly reader: Pick<Place, 'home' | 'tmp'>
  readonly isKnown: boolean
  readonly env: NodeJS.ProcessEnv
  /** Makes sectors of a file unreadable, as the environment of a command. */
  readonly unreadable: (file: string, ranges: readonly (readonly [number, number])[]) => NodeJS.ProcessEnv
  readonly found: string[]
}

export const labelOf = ({ built }: Trial, at: number): string => built.images[at]?.label ?? ''

/** The volumes that hold files. */
export const indexesOf = ({ built }: Trial): number[] =>
  built.images.flatMap(({ isParity }, at) => (isParity ? [] : [at]))

/** Runs a command; with STOWAGE_SHOW it and its output are shown. */
async function runIn({ reader, env }: Trial, ...args: string[]): Promise<CommandEnd> {
  const end = await plain(reader, args, env)
  if (process.env['STOWAGE_SHOW'] !== undefined)
    console.log(`$ stowage ${args.join(' ')}\n${end.stdout}${end.stderr}exit ${end.code}`)
  return end
}

/** Of several copies in the catalog these are the second. */
export function runVerify(trial: Trial, ...paths: readonly string[]): Promise<CommandEnd> {
  return runIn(trial, 'verify', ...paths, '--json', ...(trial.isKnown ? ['--copy', '2'] : []))
}

/** What no command may do, whatever is given. */
export function judgeEnd({ found }: Trial, name: string, { hung, code, stderr }: CommandEnd): void {
  const last = stderr.trim().split('\n').at(-1)
  if (hung) found.push(`${name} does not end`)
  if (code === 1 || code === null) found.push(`${name} ended with ${code}: ${last}`)
  if (/internal error|\n {4}at /i.test(stderr)) found.push(`${name} shows its insides: ${last}`)
}

/**
 * Verifies and restores from these images.
 * @param mustBeWhole all that is needed is given
 * @param stranger the place among the images of one that is right in itself although it is none of the set
 */
export async function tryGiven(
  trial: Trial,
  paths: readonly string[],
  mustBeWhole = false,
  stranger: number | null = null,
): Promise<void> {
  const { built, reader, found } = trial
  // Discs of older plans alone give the files as those plans knew them.
  const expected = hasNewest(trial, paths) ? built.expected : built.earlier
  const target = join(reader.tmp, 'target')
  const isComplete = indexesOf(trial).every((at) => paths.includes(trial.copies[at] as string))
  const verify = await runVerify(trial, ...paths)
  const restore = await runIn(trial, 'restore', ...paths, '--to', target)
  judgeEnd(trial, 'verify', verify)
  judgeEnd(trial, 'restore', restore)
  const there = new Set(namesBelow(target))
  const isRight = (name: string): boolean => nameReading(bytesOf(join(target, name))) === expected.get(name)
  const missing = [...expected.keys()].filter((name) => !there.has(name) || !isRight(name))
  for (const name of there) {
    // Where the newest generation cannot be read, the one before comes back.
    if (restore.code !== 0 && isEarlier(trial, target, name)) continue
    const reading = expected.get(name)
    const mayWait = name.endsWith('.joining') && restore.code === 3
    if (reading === undefined && !mayWait)
      found.push(`${name} is left in the target (restore ${restore.code})`)
    // Folders are made before what is in them; only a whole restore puts their times back.
    else if (reading !== undefined && !reading.startsWith('folder') && !isRight(name))
      found.push(`${name} is not what it was (restore ${restore.code})`)
  }
  const isWhole = missing.length === 0
  if (restore.code === 0 && !isWhole)
    found.push(`restore ended with 0 without ${missing.slice(0, 3).join(', ')}`)
  if (verify.code === 0 && isComplete && !isWhole && stranger === null)
    found.push('verify ended with 0, and not everything can be restored')
  if (mustBeWhole && !isWhole)
    found.push(
      `not restored: ${missing.slice(0, 3).join(', ')} (restore ${restore.code}: ${lastLine(restore)})`,
    )
  for (const { path, state } of volumesIn(verify.stdout)) {
    const at = trial.copies.indexOf(path)
    if (state !== 'good' || at < 0 || at === stranger) continue
    const original = originalOf(trial, path)
    if (original === null) found.push(`${labelOf(trial, at)} is called good and is no image of the set`)
    else
      for (const name of damagedIn(trial, original, path))
        found.push(`${labelOf(trial, at)} is called good with another ${name}`)
  }
  rmSync(target, { recursive: true, force: true })
}

function hasNewest({ built, copies }: Trial, paths: readonly string[]): boolean {
  const [first = 0, second = 0] = built.plans.map((plan) => imagesOf(plan).length)
  const newest = second === 0 ? copies : copies.slice(first)
  return paths.some((path) => newest.includes(path) || !copies.includes(path))
}

/** True for a file of an earlier generation. */
function isEarlier({ built }: Trial, target: string, name: string): boolean {
  const reading = built.earlier.get(name)
  return reading !== undefined && reading === nameReading(bytesOf(join(target, name)))
}

const lastLine = ({ stderr }: CommandEnd): string => stderr.trim().split('\n').at(-1) ?? ''

function volumesIn(stdout: string): { path: string; state: string }[] {
  try {
    return (JSON.parse(stdout) as CheckDocument).volumes.map(({ path, state }) => ({ path, state }))
  } catch {
    return []
  }
}

/** The volume of which most is in an image: images may be exchanged. */
function originalOf({ built }: Trial, path: string): number | null {
  const bytes = readFileSync(path)
  const shares = built.images.map((image) => {
    const original = readFileSync(image.path)
    let equal = 0
    for (let at = 0; at < original.length; at += SECTOR_BYTES)
      if (original.subarray(at, at + SECTOR_BYTES).equals(bytes.subarray(at, at + SECTOR_BYTES))) equal += 1
    return equal / (original.length / SECTOR_BYTES)
  })
  const most = Math.max(...shares)
  return most > 0.5 ? shares.indexOf(most) : null
}

/** The files of an image, Stowage's own among them, that are not as they were built. */
function damagedIn({ built }: Trial, original: number, path: string): string[] {
  const [before, now] = [built.images[original]?.path as string, path].map((one) => readFileSync(one)) as [
    Buffer,
    Buffer,
  ]
  return (built.files[original] ?? [])
    .filter(
      ({ from, bytes }) => !before.subarray(from, from + bytes).equals(now.subarray(from, from + bytes)),
    )
    .map((file) => file.path)
}

/**
 * @param isCovered recovery data covers the damage
 * @param isOwn its lists are its own: they prove what is on it
 * @returns the repaired image, null for none
 */
export async function tryRepair(
  trial: Trial,
  at: number,
  isCovered: boolean,
  isOwn = true,
): Promise<string | null> {
  const { built, copies, found, reader } = trial
  const original = built.images[at] as SetImage
  const out = join(reader.tmp, 'repaired.iso')
  rmSync(out, { force: true })
  const parity = built.images.findIndex(({ isParity }) => isParity)
  const more =
    parity >= 0 && parity !== at && trial.random.below(2) === 0 ? ['--parity', copies[parity] as string] : []
  const end = await runIn(trial, 'repair', copies[at] as string, '--out', out, '--json', ...more)
  judgeEnd(trial, 'repair', end)
  if (end.code !== 0) {
    if (existsSync(out)) found.push(`repair ended with ${end.code} and left an image`)
    // Nothing is damaged where only bytes of no file were hit.
    if (isCovered && end.code !== 7) found.push(`not repaired (${end.code}): ${lastLine(end).slice(0, 300)}`)
    if (end.code === 7 && Object.keys(trial.env).length === 0)
      for (const name of damagedIn(trial, at, copies[at] as string))
        if (/nothing|not damaged|no file/i.test(end.stdout + end.stderr))
          found.push(`repair finds nothing damaged, and ${name} is`)
    return null
  }
  const { isAsMade } = JSON.parse(end.stdout) as RepairDocument
  const isIdentical = fileReading(out) === fileReading(original.path)
  if (isAsMade && !isIdentical) found.push('repair says that it has the bytes of the original, and has not')
  const wrong = damagedIn(trial, at, out).filter((path) => !path.includes('STOWAGE/'))
  if (isOwn && wrong.length > 0) found.push(`the repaired image has another ${wrong[0]}`)
  return isAsMade ? out : null
}

/** Makes lost volumes again, one after another; with too little parity it must be refused. */
export async function tryRebuildOf(trial: Trial, lost: readonly number[]): Promise<void> {
  const { built, copies } = trial
  if (built.form.parity === 0) return
  const volumes = lost.filter((at) => built.images[at]?.isParity === false)
  for (const at of volumes) {
    const others = copies.filter((_, index) => !lost.includes(index))
    await tryRebuild(trial, others, at, volumes.length === lost.length && lost.length <= built.form.parity)
  }
}

export async function tryRebuild(
  trial: Trial,
  paths: readonly string[],
  lost: number,
  mustBeMade: boolean,
): Promise<void> {
  const { built, reader, found } = trial
  const out = join(reader.tmp, 'rebuilt.iso')
  rmSync(out, { force: true })
  const { index, path } = built.images[lost] as SetImage
  const end = await runIn(trial, 'rebuild', ...paths, '--volume', String(index), '--out', out)
  judgeEnd(trial, 'rebuild', end)
  if (end.code === 0 && fileReading(out) !== fileReading(path))
    found.push('the rebuilt image is not the lost one')
  if (end.code !== 0 && existsSync(out)) found.push(`rebuild ended with ${end.code} and left an image`)
  if (mustBeMade && end.code !== 0) found.push(`not rebuilt (${end.code}): ${lastLine(end).slice(0, 300)}`)
}

/** Changes images of the plan folders, and puts them back. */
export async function inPlanFolder(
  { built, reader }: Trial,
  changed: readonly number[],
  attempt: () => Promise<void>,
): Promise<void> {
  const kept = changed.map(
    (at) => [built.images[at]?.path as string, join(reader.tmp, `kept ${at}`)] as const,
  )
  for (const [path, away] of kept) copyFileSync(path, away)
  try {
    await attempt()
  } finally {
    for (const [path, away] of kept) copyFileSync(away, path)
  }
}

/** A plan folder whose images are not all its own. */
export async function tryPlanFolder(trial: Trial): Promise<void> {
  const { built, reader, found } = trial
  const ends: CommandEnd[] = []
  for (const plan of built.plans) ends.push(await runIn(trial, 'verify', plan))
  for (const end of ends) judgeEnd(trial, 'verify of the plan', end)
  if (ends.every(({ code }) => code === 0))
    found.push('verify of the plan ended with 0 with a disc that is not its own')
  const target = join(reader.tmp, 'target')
  const restore = await runIn(trial, 'restore', ...built.plans, '--to', target)
  judgeEnd(trial, 'restore of the plan', restore)
  for (const name of namesBelow(target)) {
    if (restore.code !== 0 && isEarlier(trial, target, name)) continue
    const [reading, now] = [built.expected.get(name), nameReading(bytesOf(join(target, name)))]
    if (reading === undefined ? !name.endsWith('.joining') : !reading.startsWith('folder') && reading !== now)
      found.push(`${name} of the plan is not what it was (restore ${restore.code})`)
  }
  rmSync(target, { recursive: true, force: true })
}
