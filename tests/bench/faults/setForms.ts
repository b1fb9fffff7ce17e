import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { seededRandom } from '../../../src/primitives/seededRandom.ts'
import { type FileExtent, filesOf } from './extents.ts'
import type { Place } from './faultedCommand.ts'
import { noise } from './imageBytes.ts'
import { bytesOf, nameReading, namesBelow } from './readings.ts'
import { makeSource } from './scenarios.ts'
import { imagesOf, type SetImage } from './setImages.ts'
import { plainOrThrow } from './workplace.ts'

export interface Form {
  readonly name: string
  readonly plan: readonly string[]
  /** Also a plan that adds to the first one. */
  readonly grows?: true
  /** So many lost discs come back. */
  readonly parity: 0 | 1 | 2
}

const MEDIUM = ['--medium', 'custom:2500kB', '--label', 'SET']
export const FORMS: readonly Form[] = [
  { name: 'protected', plan: [...MEDIUM, '--protect', '8%'], parity: 0 },
  { name: 'filled', plan: MEDIUM, parity: 0 },
  { name: 'parity', plan: [...MEDIUM, '--protect', '8%', '--protect-set', '1'], parity: 1 },
  { name: 'two parities', plan: [...MEDIUM, '--protect', '4%', '--protect-set', '2'], parity: 2 },
  { name: 'packed', plan: [...MEDIUM, '--option', '7z-files', '--protect', '8%'], parity: 0 },
  { name: 'grown', plan: [...MEDIUM, '--protect', '8%'], grows: true, parity: 0 },
  { name: 'grown packed', plan: [...MEDIUM, '--option', '7z-files'], grows: true, parity: 0 },
]

/** A form as it was built, in a folder of its own. */
export interface Built {
  readonly form: Form
  readonly place: Place
  readonly plans: readonly string[]
  readonly images: readonly SetImage[]
  /** Images of another archive with the same labels and names, in the same order. */
  readonly foreign: readonly string[]
  /** By the names of the source's files: what a restored one must be. */
  readonly expected: ReadonlyMap<string, string>
  /** The same for the first generation. */
  readonly earlier: ReadonlyMap<string, string>
  readonly files: readonly (readonly FileExtent[])[]
  /** The folders of two copies; the first is on another disk. */
  readonly shelves: readonly [string, string]
}

export interface Setting {
  readonly folder: string
  /** On another disk. */
  readonly otherDisk: string
  readonly seed: number
}

/** Builds a form with two copies, and a foreign archive of the same form. */
export async function buildForm(
  form: Form,
  index: number,
  { folder, otherDisk, seed }: Setting,
): Promise<Built> {
  const own = join(folder, String(index))
  const place = { folder: own, source: join(own, 'source'), out: own, home: join(own, 'home'), tmp: own }
  const { plans, earlier } = await makePlans(form, place, place.source, join(own, 'plans'), seed)
  // The same names and sizes with other contents.
  const stranger = { ...place, home: join(own, 'other home') }
  const { plans: others } = await makePlans(
    form,
    stranger,
    join(own, 'other', 'source'),
    join(own, 'other plans'),
    seed + 1,
  )
  const images = plans.flatMap(imagesOf)
  const expected = readingsBelow(place.source)
  const shelves = [join(otherDisk, String(index)), join(own, 'shelf')] as const
  for (const [at, shelf] of shelves.entries())
    for (const plan of plans) {
      mkdirSync(shelf, { recursive: true })
      const copy = ['--copy', String(at + 1), '--place', at === 0 ? 'home' : 'cabin']
      await plainOrThrow(place, ['write', plan, '--to', shelf, ...copy])
    }
  cpSync(shelves[1], join(own, 'whole shelf'), { recursive: true })
  cpSync(place.home, join(own, 'whole home'), { recursive: true })
  const foreign = others.flatMap(imagesOf).map(({ path }) => path)
  return {
    form,
    place,
    plans,
    images,
    foreign,
    expected,
    earlier,
    files: images.map(({ path }) => filesOf(path)),
    shelves,
  }
}

async function makePlans(
  { plan, grows }: Form,
  place: Place,
  source: string,
  out: string,
  seed: number,
): Promise<{ plans: string[]; earlier: ReadonlyMap<string, string> }> {
  mkdirSync(source, { recursive: true })
  const random = seededRandom(seed)
  makeSource(source, random)
  for (let at = 0; at < 5; at++) writeFileSync(join(source, `scan ${at}.tif`), noise(random, 600_000))
  const make = async (number: number, more: readonly string[] = []): Promise<string> => {
    const path = join(out, String(number))
    mkdirSync(out, { recursive: true })
    await plainOrThrow(place, ['plan', source, ...plan, ...more, '--out', path])
    await plainOrThrow(place, ['build', path])
    return path
  }
  const first = await make(1)
  const earlier = readingsBelow(source)
  if (!grows) return { plans: [first], earlier }
  writeFileSync(join(source, 'added.tif'), noise(random, 500_000))
  renameSync(join(source, 'photos/1.jpg'), join(source, 'moved.jpg'))
  rmSync(join(source, 'letters/2.txt'))
  return { plans: [first, await make(2, ['--add-to', first])], earlier }
}

function readingsBelow(folder: string): Map<string, string> {
  return new Map(namesBelow(folder).map((name) => [name, nameReading(bytesOf(join(folder, name)))]))
}
