import { createHash } from 'node:crypto'
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
} from 'node:fs'
import { join } from 'node:path'
import type { SeededRandom } from '../../../src/primitives/seededRandom.ts'
import { type FileExtent, SECTOR_BYTES } from './extents.ts'
import { type CommandEnd, plain } from './faultedCommand.ts'
import { byteAt, noise, overwrite, replaceInFile } from './imageBytes.ts'
import { fileReading } from './readings.ts'
import {
  indexesOf,
  inPlanFolder,
  judgeEnd,
  labelOf,
  runVerify,
  type Trial,
  tryGiven,
  tryPlanFolder,
  tryRebuild,
  tryRebuildOf,
  tryRepair,
} from './setChecks.ts'
import type { Built } from './setForms.ts'
import { imagesOf, planDocument } from './setImages.ts'
import { plainOrThrow } from './workplace.ts'

/** What happens to a set, in turn. */
export const KINDS = [
  'scratch',
  'unreadable',
  'beyond',
  'bits',
  'cut',
  'lists',
  'swapped',
  'foreign',
  'edited',
  'copies',
  'lost',
  'lost and scratched',
  'parity',
  'safe',
] as const
export type Kind = (typeof KINDS)[number]

/** Whether something can happen to a set of this form. */
export function isPossible(kind: Kind, { form, images }: Built): boolean {
  if (kind === 'parity') return form.parity > 0
  if (kind === 'lost and scratched') return form.parity > 0
  if (kind === 'scratch' || kind === 'unreadable')
    return images.some(({ promisedBytes }) => promisedBytes > 0)
  return kind !== 'swapped' || images.length > 1
}

/** @returns what was done, and what was violated */
export async function tryOne(
  built: Built,
  kind: Kind,
  random: SeededRandom,
  unreadable: Trial['unreadable'],
): Promise<[string, string[]]> {
  const { place, images } = built
  const copy = join(place.folder, 'copy')
  rmSync(copy, { recursive: true, force: true })
  mkdirSync(join(copy, 'home'), { recursive: true })
  const isKnown = random.below(2) === 0
  if (isKnown) cpSync(join(place.folder, 'whole home'), join(copy, 'home'), { recursive: true })
  const copies = images.map(({ path }, at) => {
    const to = join(copy, `${at + 1}.iso`)
    copyFileSync(path, to)
    return to
  })
  const reader = { home: join(copy, 'home'), tmp: copy }
  const trial: Trial = { built, copies, random, reader, isKnown, env: {}, unreadable, found: [] }
  const text = await ATTEMPTS[kind](trial)
  rmSync(copy, { recursive: true, force: true })
  return [`${text}${isKnown ? '' : ', without the catalog'}`, trial.found]
}

const ATTEMPTS: Readonly<Record<Kind, (trial: Trial) => Promise<string>>> = {
  scratch: (trial) => tryScratch(trial, false),
  unreadable: (trial) => tryScratch(trial, true),
  beyond: async (trial) => {
    const { at, text } = scratchBeyond(trial)
    await tryGiven(trial, trial.copies)
    await tryRepair(trial, at, false)
    await tryRebuildOf(trial, [at])
    return text
  },
  bits: async (trial) => {
    const { random, copies } = trial
    const at = random.below(copies.length)
    const path = copies[at] as string
    const flips = 1 + random.below(30)
    for (let left = flips; left > 0; left--) {
      const byte = random.below(statSync(path).size)
      overwrite(path, byte, Buffer.of(byteAt(path, byte) ^ (1 << random.below(8))))
    }
    await tryGiven(trial, copies)
    await tryRepair(trial, at, false)
    return `${flips} bits of ${labelOf(trial, at)}`
  },
  cut: async (trial) => {
    const { random, copies } = trial
    const at = random.below(copies.length)
    const to = random.below(statSync(copies[at] as string).size)
    truncateSync(copies[at] as string, to)
    await tryGiven(trial, copies)
    await tryRepair(trial, at, false)
    await tryRebuildOf(trial, [at])
    return `${labelOf(trial, at)} cut off at ${to}`
  },
  lists: async (trial) => {
    const { random, copies, built } = trial
    const at = random.below(copies.length)
    const lists = (built.files[at] ?? []).filter(({ path }) =>
      /(^|\/)(INDEX\.(tsv|7z)|SHA256SUMS|RECOVERY\.tsv|PARITY\.tsv|IMAGE\.tsv)$/.test(path),
    )
    const hit = lists.filter(() => random.below(3) > 0)
    for (const { from, bytes } of hit) {
      const start = random.below(bytes)
      overwrite(
        copies[at] as string,
        from + start,
        noise(random, Math.min(bytes - start, 1 + random.below(200))),
      )
    }
    await tryGiven(trial, copies)
    await tryRepair(trial, at, false)
    return `noise in ${hit.map(({ path }) => path).join(', ')} of ${labelOf(trial, at)}`
  },
  swapped: async (trial) => {
    const { random, copies } = trial
    const one = random.below(copies.length)
    const other = (one + 1 + random.below(copies.length - 1)) % copies.length
    exchange(copies[one] as string, copies[other] as string)
    await tryGiven(trial, copies, true)
    await inPlanFolder(trial, [one, other], async () => {
      const [a, b] = [one, other].map((at) => trial.built.images[at]?.path as string) as [string, string]
      exchange(a, b)
      await tryPlanFolder(trial)
    })
    return `${labelOf(trial, one)} and ${labelOf(trial, other)} exchanged`
  },
  foreign: async (trial) => {
    const { random, copies, built } = trial
    const at = random.below(Math.min(copies.length, built.foreign.length))
    const stranger = built.foreign[at] as string
    copyFileSync(stranger, copies[at] as string)
    await tryGiven(trial, copies, false, at)
    if (built.form.parity > 0) {
      const lost = pick(
        random,
        indexesOf(trial).filter((other) => other !== at),
      )
      await tryRebuild(trial, copies.toSpliced(lost, 1), lost, false)
    }
    await inPlanFolder(trial, [at], async () => {
      copyFileSync(stranger, built.images[at]?.path as string)
      await tryPlanFolder(trial)
    })
    return `${labelOf(trial, at)} is that of a foreign archive`
  },
  edited: async (trial) => {
    const { random, copies, built } = trial
    const at = random.below(built.images.filter(({ isParity }) => !isParity).length)
    const text = edit(copies[at] as string, built.files[at] ?? [], random)
    const { code, stdout } = await runVerify(trial, copies[at] as string)
    // A set that was packed elsewhere is not known: what is on it counts as not verified.
    if (trial.isKnown && code !== 6 && !/counts as not verified/.test(stdout))
      trial.found.push(`verify of the edited disc ended with ${code}`)
    // Nothing contradicts the only disc of a plan that no catalog knows.
    const isAlone = built.plans
      .map(imagesOf)
      .some(([one, other]) => other === undefined && one?.path === built.images[at]?.path)
    if (trial.isKnown || !isAlone) await tryGiven(trial, copies, false, at)
    await tryRepair(trial, at, false, trial.isKnown)
    return `${text} on ${labelOf(trial, at)}, with lists edited to fit`
  },
  copies: async (trial) => {
    const { random, built, copies } = trial
    const { at, text } = scratchBeyond(trial)
    const whole = join(trial.reader.tmp, 'whole copy.iso')
    copyFileSync(built.images[at]?.path as string, whole)
    const isFirst = random.below(2) === 0
    await tryGiven(trial, isFirst ? [...copies, whole] : [whole, ...copies], true)
    return `${text}, and a whole copy ${isFirst ? 'after' : 'before'} it`
  },
  lost: async (trial) => {
    const { random, built, copies } = trial
    const count = Math.max(1, Math.min(built.form.parity, 1 + random.below(2)))
    const lost: number[] = []
    while (lost.length < count) {
      const at = pick(random, indexesOf(trial))
      if (!lost.includes(at)) lost.push(at)
    }
    await tryRebuildOf(trial, lost)
    await tryGiven(
      trial,
      copies.filter((_, at) => !lost.includes(at)),
    )
    return `${lost.map((at) => labelOf(trial, at)).join(', ')} lost`
  },
  'lost and scratched': async (trial) => {
    const { random, copies } = trial
    const { at, text } = scratchWithin(trial)
    const lost = pick(
      random,
      indexesOf(trial).filter((other) => other !== at),
    )
    await tryRebuild(trial, copies.toSpliced(lost, 1), lost, false)
    const repaired = await tryRepair(trial, at, true)
    if (repaired !== null) {
      const others = copies.with(at, repaired).toSpliced(lost, 1)
      await tryRebuild(trial, others, lost, true)
    }
    return `${text}, ${labelOf(trial, lost)} lost`
  },
  parity: async (trial) => {
    const { random, built, copies } = trial
    const parity = pick(
      random,
      built.images.flatMap(({ isParity }, at) => (isParity ? [at] : [])),
    )
    const path = copies[parity] as string
    const isForeign = random.below(2) === 0
    if (isForeign) copyFileSync(built.foreign[parity] as string, path)
    else overwrite(path, random.below(statSync(path).size - 40_000), noise(random, 40_000))
    const lost = pick(random, indexesOf(trial))
    // With two parity discs either one alone must do.
    const others = built.images.flatMap(({ isParity }, at) =>
      at === lost || (isParity && at !== parity) ? [] : [copies[at] as string],
    )
    await tryRebuild(trial, others, lost, false)
    await tryGiven(trial, copies, true, isForeign ? parity : null)
    return `${labelOf(trial, parity)} ${isForeign ? 'is that of a foreign archive' : 'damaged'}, ${labelOf(trial, lost)} lost`
  },
  safe: trySafe,
}

async function tryScratch(trial: Trial, isUnreadable: boolean): Promise<string> {
  const { at, from, bytes, text } = scratchWithin(trial, !isUnreadable)
  const env = isUnreadable ? trial.unreadable(trial.copies[at] as string, [[from, bytes]]) : {}
  const these = { ...trial, env }
  await tryGiven(these, trial.copies, true)
  await tryRepair(these, at, true)
  return `${text}${isUnreadable ? ' that cannot be read' : ''}`
}

function pick<T>(random: SeededRandom, items: readonly T[]): T {
  return items[random.below(items.length)] as T
}

function exchange(one: string, other: string): void {
  renameSync(one, `${one}.away`)
  renameSync(other, one)
  renameSync(`${one}.away`, other)
}

interface Scratch {
  readonly at: number
  readonly from: number
  readonly bytes: number
  readonly text: string
}

function scratchOf(trial: Trial, at: number, sectors: number, doIt = true): Scratch {
  const { random, copies } = trial
  const path = copies[at] as string
  const all = Math.floor(statSync(path).size / SECTOR_BYTES)
  const count = Math.min(all, Math.max(1, sectors))
  const from = pick(random, [
    0,
    all - count,
    ...Array.from({ length: 6 }, () => random.below(all - count + 1)),
  ])
  const bytes = count * SECTOR_BYTES
  if (doIt)
    overwrite(path, from * SECTOR_BYTES, random.below(2) === 0 ? Buffer.alloc(bytes) : noise(random, bytes))
  return {
    at,
    from: from * SECTOR_BYTES,
    bytes,
    text: `a scratch of ${count} sectors from ${from} on ${labelOf(trial, at)}`,
  }
}

/** No longer than the plan promises to repair. */
function scratchWithin(trial: Trial, doIt = true): Scratch {
  const { random, built } = trial
  const at = pick(
    random,
    built.images.flatMap(({ promisedBytes }, index) => (promisedBytes >= SECTOR_BYTES ? [index] : [])),
  )
  const most = Math.floor((built.images[at]?.promisedBytes ?? 0) / SECTOR_BYTES)
  return scratchOf(trial, at, random.below(3) === 0 ? 1 + random.below(most) : most, doIt)
}

function scratchBeyond(trial: Trial): Scratch {
  const { random, built } = trial
  const at = pick(random, indexesOf(trial))
  const promised = Math.floor((built.images[at]?.promisedBytes ?? 0) / SECTOR_BYTES)
  return scratchOf(trial, at, Math.ceil((promised + 20) * (1 + 5 * random.unit())))
}

/** Changes a file and every list that has its digest, and those of the lists. @returns its name */
function edit(image: string, files: readonly FileExtent[], random: SeededRandom): string {
  const contents = files.filter(({ path, bytes }) => !path.includes('STOWAGE') && bytes >= 64)
  const { path, from, bytes } = pick(random, contents)
  const digest = (at: number, length: number): string =>
    createHash('sha256')
      .update(readFileSync(image).subarray(at, at + length))
      .digest('hex')
  const lists = files.filter((one) => /(^|\/)(INDEX\.tsv|IMAGE\.tsv|RECOVERY\.tsv)$/.test(one.path))
  const before = new Map(lists.map((list) => [list.path, digest(list.from, list.bytes)]))
  const old = digest(from, bytes)
  const [at, other] = [random.below(bytes - 32), noise(random, 32)]
  for (const same of contents)
    if (same.bytes === bytes && digest(same.from, bytes) === old) overwrite(image, same.from + at, other)
  replaceInFile(image, old, digest(from, bytes))
  for (const list of lists) {
    const was = before.get(list.path) as string
    const is = digest(list.from, list.bytes)
    if (was !== is) replaceInFile(image, was, is)
  }
  return path
}

/** Something happens to the second copy of a volume, and the source is judged by the catalog. */
async function trySafe(trial: Trial): Promise<string> {
  const { built, random, found } = trial
  const { place, shelves, foreign } = built
  for (const [whole, now] of [
    ['whole shelf', shelves[1]],
    ['whole home', place.home],
  ] as const) {
    rmSync(now, { recursive: true, force: true })
    cpSync(join(place.folder, whole), now, { recursive: true })
  }
  const at = pick(random, indexesOf(trial))
  const copy = join(shelves[1], `${labelOf(trial, at)}.iso`)
  const verified = (): Promise<CommandEnd> => plain(place, ['verify', copy])
  const deeds: Readonly<Record<string, () => Promise<unknown> | void>> = {
    removed: () => rmSync(copy),
    cut: () => truncateSync(copy, random.below(statSync(copy).size)),
    'that of a foreign archive': () => copyFileSync(foreign[at] as string, copy),
    'exchanged with another': () => {
      const others = indexesOf(trial).filter((other) => other !== at)
      exchange(copy, join(shelves[1], `${labelOf(trial, pick(random, others))}.iso`))
    },
    'damaged and verified': () => {
      const file = pick(random, built.files[at] ?? [])
      overwrite(copy, file.from + random.below(file.bytes), Buffer.of(random.below(256)))
      return verified()
    },
    'edited to fit and verified': () => {
      edit(copy, built.files[at] ?? [], random)
      return verified()
    },
    lost: () =>
      plainOrThrow(place, [
        'catalog',
        'lost',
        `${planOfVolume(built, at)}:${labelOf(trial, at)}`,
        '--copy',
        '2',
      ]),
    'a link to the first copy': () => {
      const first = join(shelves[0], `${labelOf(trial, at)}.iso`)
      rmSync(copy)
      symlinkSync(first, copy)
    },
  }
  const name = pick(random, Object.keys(deeds))
  const before = fileReading(copy)
  await deeds[name]?.()
  const isGone = name === 'lost' || name.startsWith('a link') || fileReading(copy) !== before
  const end = await plain(place, ['safe', place.source])
  judgeEnd(trial, 'safe', end)
  if (isGone && end.code === 0) found.push('it is called safe')
  if (!isGone && end.code !== 0) found.push(`it is not called safe (${end.code}) although nothing happened`)
  return `the second copy of ${labelOf(trial, at)} is ${name}`
}

const planOfVolume = ({ plans }: Built, at: number): string => {
  const plan = plans.find((_, index) => plans.slice(0, index + 1).flatMap(imagesOf).length > at) as string
  return planDocument(plan).id
}
