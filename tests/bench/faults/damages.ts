/**
 * Damages the images of sets at seeded places and looks at what is said and restored. Linux, with xorriso. Run with Node 24 after
 * building (node scripts/bootstrap.mjs test):
 *   node tests/bench/faults/damages.ts [--damages 300] [--seed 1] [--only FORM]… [--jobs 2] [--place DIR]
 * Ends with 1 if anything was violated. What has to hold after each damage:
 *   verify    ends with 0 only where everything can be restored
 *   restore   no file of the set has wrong content, times or permissions; exit code 0 only where all are there; files that the
 *             damage does not touch are there; nothing else is left in the target
 */
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type SeededRandom, seededRandom } from '../../../src/primitives/seededRandom.ts'
import { type Extent, extentsOf, type FileExtent, filesOf, SECTOR_BYTES } from './extents.ts'
import { type Place, plain } from './faultedCommand.ts'
import { byteAt, overwrite } from './imageBytes.ts'
import { bytesOf, nameReading, namesBelow } from './readings.ts'
import { makeSource } from './scenarios.ts'
import { plainOrThrow } from './workplace.ts'

interface Form {
  readonly name: string
  readonly plan: readonly string[]
  readonly encrypted?: boolean
}

const FORMS: readonly Form[] = [
  { name: 'plain', plan: ['--medium', 'custom:1130kB'] },
  { name: '7z', plan: ['--option', '7z-solid-1m-path', '--medium', 'custom:1130kB'] },
  { name: '7z joined', plan: ['--option', '7z-solid-1m-path', '--medium', 'custom:1130kB', '--joined'] },
  { name: '7z-files', plan: ['--option', '7z-files', '--medium', 'custom:1130kB'] },
  { name: 'tar.zst', plan: ['--option', 'tar-zst-19-1m-path', '--medium', 'custom:1130kB'] },
  { name: 'squashfs', plan: ['--option', 'squashfs-zstd-3-1m', '--medium', 'custom:1130kB'] },
  {
    name: 'encrypted',
    plan: ['--option', '7z-files', '--encrypt', '256', '--medium', 'custom:1130kB'],
    encrypted: true,
  },
]

/** Kinds of damage, in turn. */
const KINDS = ['bit', 'zeros', 'noise', 'many zeros', 'cut', 'list bit', 'list line', 'catalog'] as const

const SCANS = Array.from({ length: 6 }, (_, at) => [`scan ${at}.tif`, 300_000] as const)

const { values: given } = parseArgs({
  options: {
    damages: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', multiple: true },
    jobs: { type: 'string', default: '2' },
    place: { type: 'string', default: tmpdir() },
  },
})

/** Bytes of one volume's image that are not as they were. */
interface Damage {
  readonly text: string
  readonly volume: number
  readonly from: number
  readonly to: number
}

interface Built {
  readonly form: Form
  readonly place: Place
  readonly password: readonly string[]
  readonly images: readonly string[]
  /** By the names of the source's files: what a restored one must be, and where its content lies. */
  readonly expected: ReadonlyMap<string, string>
  readonly extents: ReadonlyMap<string, readonly Extent[]> | null
  /** Index and checksums, by volume. */
  readonly lists: readonly (readonly FileExtent[])[]
}

const folder = mkdtempSync(join(resolve(given.place), 'stowage-damages-'))
const startedMs = performance.now()
let violations = 0
const rows: string[] = []
try {
  const forms = FORMS.filter(({ name }) => given.only === undefined || given.only.includes(name))
  const each = Math.ceil(Number(given.damages) / forms.length)
  const waiting = forms.map((form, index) => ({ form, index }))
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      await tryForm(next.form, next.index, each)
  }
  await Promise.all(Array.from({ length: Number(given.jobs) }, work))
  console.log(`\n${'set'.padEnd(12)}damages  whole  partly  nothing  refused by verify`)
  for (const row of rows) console.log(row)
  const minutes = ((performance.now() - startedMs) / 60_000).toFixed(1)
  console.log(`${each * forms.length} damages, ${violations} violations; ${minutes} min`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = violations === 0 ? 0 : 1

async function tryForm(form: Form, index: number, damages: number): Promise<void> {
  const random = seededRandom(Number(given.seed) * 1000 + index)
  const built = await buildForm(form, index)
  const counts = { whole: 0, partly: 0, nothing: 0, refused: 0 }
  for (let turn = 0; turn < damages; turn++) {
    const copy = join(built.place.folder, 'copy')
    mkdirSync(copy)
    const images = built.images.map((image, at) => {
      const path = join(copy, `${at + 1}.iso`)
      copyFileSync(image, path)
      return path
    })
    const catalog = join(built.place.home, 'catalog.db')
    copyFileSync(catalog, join(copy, 'catalog.db'))
    const damage = doDamage(built, images, random, turn)
    for (const line of await tryDamage(built, images, damage, counts)) {
      violations += 1
      console.log(`${form.name}, ${damage.text}: ${line}`)
    }
    for (const name of ['catalog.db-wal', 'catalog.db-shm'])
      rmSync(join(built.place.home, name), { force: true })
    copyFileSync(join(copy, 'catalog.db'), catalog)
    rmSync(copy, { recursive: true })
  }
  const cells = [counts.whole, counts.partly, counts.nothing, counts.refused]
  rows.push(
    `${form.name.padEnd(12)}${[damages, ...cells].map((count) => String(count).padStart(7)).join(' ')}`,
  )
}

async function buildForm(form: Form, index: number): Promise<Built> {
  const own = join(folder, String(index))
  const place = { folder: own, source: join(own, 'source'), out: own, home: join(own, 'home'), tmp: own }
  mkdirSync(place.source, { recursive: true })
  const random = seededRandom(Number(given.seed))
  makeSource(place.source, random)
  // Enough for several volumes; only plain files are split over them.
  for (const [name, bytes] of form.name === 'plain' ? [['film.bin', 1_500_000] as const] : SCANS) {
    const content = new Uint8Array(bytes)
    random.fillBytes(content)
    writeFileSync(join(place.source, name), content)
  }
  const passwordFile = join(own, 'password')
  writeFileSync(passwordFile, 'correct horse\n')
  const password = form.encrypted ? ['--password-file', passwordFile] : []
  const plan = join(own, 'plan')
  await plainOrThrow(place, ['plan', place.source, ...form.plan, '--out', plan])
  await plainOrThrow(place, ['build', plan, ...password])
  const folderOfImages = join(plan, 'images')
  const images = readdirSync(folderOfImages)
    .filter((name) => name.endsWith('.iso'))
    .toSorted()
    .map((name) => join(folderOfImages, name))
  const names = namesBelow(place.source)
  const expected = new Map(names.map((name) => [name, nameReading(bytesOf(join(place.source, name)))]))
  const files = images.map(filesOf)
  const extents = form.name === 'plain' ? extentsOf(files) : null
  const lists = files.map((each) =>
    each.filter(({ path }) => /(^|\/)(INDEX\.(tsv|7z)|SHA256SUMS)$/.test(path)),
  )
  return { form, place, password, images, expected, extents, lists }
}

function doDamage(built: Built, images: readonly string[], random: SeededRandom, turn: number): Damage {
  const kind = KINDS[turn % KINDS.length] as (typeof KINDS)[number]
  const volume = random.below(images.length)
  const path = images[volume] as string
  const size = statSync(path).size
  const changed = (text: string, from: number, bytes: Uint8Array): Damage => {
    overwrite(path, from, bytes)
    return { text: `volume ${volume + 1}, ${text}`, volume, from, to: from + bytes.length }
  }
  const flipped = (at: number) => Buffer.of(byteAt(path, at) ^ (1 << random.below(8)))
  if (kind === 'catalog') {
    const catalog = join(built.place.home, 'catalog.db')
    const noise = Buffer.alloc(4096)
    random.fillBytes(noise)
    overwrite(catalog, Math.max(0, random.below(statSync(catalog).size) - noise.length), noise)
    return { text: 'noise in the catalog', volume: -1, from: 0, to: 0 }
  }
  if (kind === 'cut') {
    const at = random.below(size)
    truncateSync(path, at)
    return { text: `volume ${volume + 1} cut off at ${at}`, volume, from: at, to: size }
  }
  if (kind === 'list bit' || kind === 'list line') {
    const lists = built.lists[volume] ?? []
    const list = lists[random.below(lists.length)]
    if (list === undefined) throw new Error(`volume ${volume + 1} has no lists`)
    const at = list.from + random.below(list.bytes)
    if (kind === 'list bit') return changed(`a bit of ${list.path} at ${at - list.from}`, at, flipped(at))
    const text = `spaces in ${list.path} from ${at - list.from}`
    return changed(text, at, Buffer.alloc(Math.min(80, list.from + list.bytes - at), ' '))
  }
  if (kind === 'bit') {
    const at = random.below(size)
    return changed(`a bit of byte ${at}`, at, flipped(at))
  }
  const sectors = Math.floor(size / SECTOR_BYTES)
  const sector = random.below(sectors)
  const bytes = Buffer.alloc(Math.min(kind === 'many zeros' ? 16 : 1, sectors - sector) * SECTOR_BYTES)
  if (kind === 'noise') random.fillBytes(bytes)
  return changed(`${kind} in sector ${sector}`, sector * SECTOR_BYTES, bytes)
}

async function tryDamage(
  built: Built,
  images: readonly string[],
  damage: Damage,
  counts: { whole: number; partly: number; nothing: number; refused: number },
): Promise<string[]> {
  const { place, password, expected, extents } = built
  const target = join(place.folder, 'target')
  const found: string[] = []
  const verify = await plain(place, ['verify', ...images, ...password])
  const restore = await plain(place, ['restore', ...images, '--to', target, ...password])
  for (const [name, { hung, code, stderr }] of Object.entries({ verify, restore })) {
    if (hung) found.push(`${name} does not end`)
    if (code === 1 || code === null)
      found.push(`${name} ended with ${code}: ${stderr.trim().split('\n').at(-1)}`)
  }
  const there = new Set(namesBelow(target))
  const right = [...expected].filter(
    ([name, reading]) => there.has(name) && nameReading(bytesOf(join(target, name))) === reading,
  )
  const isWhole = right.length === expected.size
  for (const name of there) {
    // What is joined so far waits for a volume that is asked for.
    const mayWait = name.endsWith('.joining') && / is needed for /.test(restore.stdout)
    if (!expected.has(name) && !mayWait) found.push(`${name} is left in the target`)
    const reading = expected.get(name)
    // Folders are made before what is in them; only a whole restore puts their times back.
    if (reading === undefined || reading.startsWith('folder')) continue
    if (nameReading(bytesOf(join(target, name))) !== reading) found.push(`${name} is not what it was`)
  }
  if (restore.code === 0 && !isWhole)
    found.push(`restore ended with 0, ${right.length} of ${expected.size} are right`)
  if (verify.code === 0 && !isWhole) found.push('verify ended with 0, and not everything can be restored')
  const lost = [...(extents ?? [])].filter(
    ([name, parts]) => expected.has(name) && !there.has(name) && !parts.some((part) => isHit(part, damage)),
  )
  if (lost.length > 0)
    found.push(
      `${lost.length} undamaged files are not restored, such as ${lost[0]?.[0]} (${restore.stderr.trim().split('\n').at(-1)})`,
    )
  if (damage.volume < 0 && (restore.code !== 0 || verify.code !== 0))
    found.push(`volumes need no catalog: verify ${verify.code}, restore ${restore.code}`)
  counts.refused += verify.code === 0 ? 0 : 1
  if (isWhole) counts.whole += 1
  else if (right.some(([, reading]) => !reading.startsWith('folder'))) counts.partly += 1
  else counts.nothing += 1
  rmSync(target, { recursive: true, force: true })
  return found
}

function isHit(part: { volume: number; from: number; to: number }, damage: Damage): boolean {
  return part.volume === damage.volume && part.from < damage.to && damage.from < part.to
}
