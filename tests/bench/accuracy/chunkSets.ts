import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type SeededRandom, seededRandom } from '../../../src/primitives/seededRandom'
import { filesOf } from '../../support/referenceSampler'
import { npmTarball, unpack, wheel } from './fetchPackages'
import { withUnpacked } from './heldOutSets'

const MIB = 1024 * 1024

type Maker = (folder: string, store: string) => void

/** Sources in which parts repeat, as backup tools meet them; made as `setFolder` makes the others. */
export const CHUNK_SETS: Readonly<Record<string, Maker>> = {
  'releases-loose': (folder, store) => {
    for (const release of SYMPY) unpack(wheel(store, `sympy==${release}`), join(folder, release))
  },
  'releases-tar': (folder, store) => {
    for (const release of SYMPY)
      tarOf(wheel(store, `sympy==${release}`), join(folder, `sympy-${release}.tar`))
  },
  'django-tar': (folder, store) => {
    for (const release of DJANGO)
      tarOf(wheel(store, `django==${release}`), join(folder, `django-${release}.tar`))
  },
  'packages-source': (folder, store) => {
    for (const spec of [
      'three@0.159.0',
      'three@0.160.0',
      '@babylonjs/core@6.40.0',
      '@babylonjs/core@6.41.0',
      '@babylonjs/core@7.0.0',
    ])
      unpack(npmTarball(store, spec), join(folder, spec.replaceAll('/', '+')))
  },
  'disk-images': makeImages,
  'edited-copies': makeEdited,
}

const SYMPY = ['1.7', '1.7.1', '1.8', '1.9', '1.10', '1.10.1', '1.11', '1.11.1', '1.12', '1.13.0']
const DJANGO = [
  '4.2',
  '4.2.1',
  '4.2.2',
  '4.2.3',
  '4.2.4',
  '4.2.5',
  '4.2.6',
  '4.2.7',
  '4.2.8',
  '4.2.9',
  '4.2.10',
  '4.2.11',
  '4.2.13',
  '4.2.14',
]

/** Makes a set once; `make` fills an empty folder. */
export function madeOnce(root: string, name: string, make: Maker): string {
  const folder = join(root, name)
  const mark = `${folder}.complete`
  if (!existsSync(mark)) {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    make(folder, join(root, 'fetched'))
    writeFileSync(mark, '')
  }
  return folder
}

/** One tar archive of what a wheel holds, names in order and times the same. */
function tarOf(archive: string, target: string): void {
  withUnpacked(archive, (from) =>
    execFileSync('tar', [
      '--sort=name',
      '--mtime=@0',
      '--owner=0',
      '--group=0',
      '-cf',
      target,
      '-C',
      from,
      '.',
    ]),
  )
}

/** Four images of 88 MiB: the same files at other places, some of them only in one, runs of zeros between. */
function makeImages(folder: string, store: string): void {
  const pieces: Buffer[] = []
  for (const spec of ['scipy==1.13.1', 'numpy==1.26.4'])
    withUnpacked(wheel(store, spec), (from) => {
      for (const { path } of filesOf(from)) pieces.push(sectors(readFileSync(path)))
    })
  for (let image = 0; image < 4; image++) {
    const random = seededRandom(400 + image)
    const parts: Buffer[] = []
    let length = 0
    while (length < 88 * MIB) {
      // A stretch of files in the order of a copy; now and then a hole or bytes that no other image has.
      const start = random.below(pieces.length)
      const some = pieces.slice(start, start + 1 + random.below(120))
      const kind = random.unit()
      if (kind < 0.15) some.push(Buffer.alloc(4096 * (1 + random.below(800))))
      else if (kind < 0.25) some.push(noise(random, 4096 * (1 + random.below(600))))
      parts.push(...some)
      length += some.reduce((sum, part) => sum + part.length, 0)
    }
    writeFileSync(join(folder, `disk-${image}.img`), Buffer.concat(parts).subarray(0, 88 * MIB))
  }
}

/** Large files and copies of them with insertions, deletions and overwritten places, ten to a hundred in each. */
function makeEdited(folder: string): void {
  const random = seededRandom(77)
  for (let original = 0; original < 5; original++) {
    const data = noise(random, (8 + random.below(24)) * MIB)
    writeFileSync(join(folder, `take-${original}.raw`), data)
    for (let copy = 0; copy < 3; copy++)
      writeFileSync(
        join(folder, `take-${original}-edit-${copy}.raw`),
        edited(data, 2 + random.below(10), random),
      )
  }
}

function edited(data: Buffer, edits: number, random: SeededRandom): Buffer {
  const places = Array.from({ length: edits }, () => random.below(data.length)).toSorted((a, b) => a - b)
  const parts: Buffer[] = []
  let at = 0
  for (const place of places) {
    if (place < at) continue
    parts.push(data.subarray(at, place), noise(random, random.below(3000)))
    at = place + (random.unit() < 0.5 ? random.below(3000) : 0)
  }
  return Buffer.concat([...parts, data.subarray(Math.min(at, data.length))])
}

function sectors(data: Buffer): Buffer {
  return Buffer.concat([data, Buffer.alloc((4096 - (data.length % 4096)) % 4096)])
}

function noise(random: SeededRandom, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  random.fillBytes(bytes)
  return bytes
}
