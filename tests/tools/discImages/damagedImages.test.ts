import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CheckDocument } from '../../../src/contract/dto/check'
import type { PlanVolume } from '../../../src/contract/dto/plan'
import type { RestoreDocument } from '../../../src/contract/dto/restore'
import type { RunDocument } from '../../../src/contract/dto/run'
import { openBuilt } from '../../../src/engine/sets/verify/openBuilt'
import { locatedText } from '../../../src/engine/sets/volume/open/difference'
import { openPlanFolder } from '../../../src/engine/sets/volume/planned/planFolder'
import { pathToBytes } from '../../../src/primitives/pathText'
import { seededRandom } from '../../../src/primitives/seededRandom'
import { type CommandEnd, stowage } from '../../fixtures/stowageCommand'
import { badSectors } from '../../support/badSectors'
import { closeTag, damagedCopy, extentsAt, type ImageParts, partsOf } from '../../support/damagedImage'
import { missingReader } from '../../support/discReaders'
import { mostlyLong } from '../../support/mostlyLong'
import { runRestore } from '../../support/restoreRun'
import { treeFacts } from '../../support/treeFacts'

const SECTOR = 2048
let folder: string
let home: string
let plan: string
let to: string
/** Whole images, and where their parts are. */
let images: string[]
let parts: ImageParts[]
let wanted: ReturnType<typeof treeFacts>
const damaged = (at: number): string => join(folder, `damaged-${at}.iso`)

/** Files on several volumes: folders, long and foreign names, links, identical and split files. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-damaged-'))
  home = join(folder, 'home')
  plan = join(folder, 'plan')
  to = join(folder, 'restored')
  const source = join(folder, 'source')
  const random = seededRandom(11)
  const noise = (length: number): Uint8Array => {
    const bytes = new Uint8Array(length)
    random.fillBytes(bytes)
    return bytes
  }
  for (const name of ['Größe 日本', 'b/c/d', 'many']) mkdirSync(join(source, name), { recursive: true })
  for (let file = 0; file < 30; file++)
    writeFileSync(join(source, 'Größe 日本', `Bild ${file} 漢字.jpg`), noise(60_000 + file * 777))
  for (let file = 0; file < 60; file++)
    writeFileSync(join(source, 'many', `file ${file}`), noise(1 + file * 50))
  writeFileSync(join(source, 'large.bin'), noise(5_000_000))
  writeFileSync(join(source, 'b', `${'漢'.repeat(80)}.txt`), 'longer than UDF holds')
  writeFileSync(join(source, 'b', `${'long-'.repeat(45)}name.txt`), 'long')
  writeFileSync(
    Buffer.concat([Buffer.from(pathToBytes(join(source, 'b/'))), Buffer.from([0xe4, 0xff])]),
    'foreign',
  )
  writeFileSync(join(source, 'b/c/d/empty'), '')
  writeFileSync(join(source, 'b/c/copy'), readFileSync(join(source, 'many/file 40')))
  linkSync(join(source, 'many/file 50'), join(source, 'b/c/same'))
  symlinkSync('../many', join(source, 'b/link'))
  wanted = treeFacts(source)
  await done('plan', source, '--medium', 'custom:4MB', '--out', plan)
  await done('build', plan)
  images = readdirSync(join(plan, 'images')).map((name) => join(plan, 'images', name))
  expect(images.length).toBeGreaterThan(1)
  parts = images.map(partsOf)
})
beforeEach(() => rmSync(to, { recursive: true, force: true }))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function done(...args: string[]): Promise<CommandEnd> {
  const end = await stowage(args, { home })
  expect(end.code, end.stderr).toBe(0)
  return end
}

/** Damages a copy of every image, by the parts of each. */
function damageAll(
  sectors: (parts: ImageParts) => readonly number[],
  flips: number | null = null,
  seed = 1,
): string[] {
  const random = seededRandom(seed)
  return images.map((image, at) => {
    damagedCopy(image, damaged(at), sectors(parts[at] as ImageParts), random, flips)
    return damaged(at)
  })
}

async function restored(volumes: readonly string[]): Promise<RestoreDocument> {
  const { document, error } = await runRestore({ volumes: [...volumes], to })
  expect(error?.message).toBeUndefined()
  expect(treeFacts(to)).toEqual(wanted)
  return document
}

async function checked(
  volumes: readonly string[],
  env: Record<string, string> = {},
): Promise<CommandEnd & { document: CheckDocument }> {
  const end = await stowage(['verify', ...volumes, '--json'], { home, env })
  return { ...end, document: JSON.parse(end.stdout) as CheckDocument }
}

const noFiles = (document: CheckDocument): string[] =>
  document.volumes.flatMap(({ label, damaged: files }) => files.map(({ path }) => `${label} ${path}`))

const ISO: [string, (parts: ImageParts) => readonly number[]][] = [
  ['its descriptor', ({ isoDescriptors }) => isoDescriptors],
  ['the root folder', ({ isoFolders }) => isoFolders.slice(0, 1)],
  ['all folders', ({ isoFolders }) => isoFolders],
  ['one folder', ({ isoFolders }) => isoFolders.slice(-1)],
]
const UDF: [string, (parts: ImageParts) => readonly number[]][] = [
  ['its anchors', ({ anchors }) => anchors],
  ['its volume descriptors', ({ volumeSequences }) => volumeSequences],
  ['the file set', ({ fileSet }) => fileSet],
  ['the root folder', ({ fileEntries }) => fileEntries.slice(0, 1)],
  ['all file entries', ({ fileEntries }) => fileEntries],
  ['all lists of names', ({ udfFolders }) => udfFolders],
]

describe('ISO 9660 folders that are damaged', () => {
  mostlyLong(
    it,
    ISO,
    ([part]) => part === 'all folders',
  )('in %s: files come back by the UDF folders', async (_, sectors) => {
    const document = await restored(damageAll(sectors))
    expect(document.damagedFolders?.map(({ damaged: trees }) => trees)).toEqual(images.map(() => ['iso9660']))
    for (const { files } of document.damagedFolders ?? []) expect(files.udf).toBeGreaterThan(0)
  })

  it('are named in one line for each volume, and the restore is complete', { tags: 'long' }, async () => {
    const volumes = damageAll(({ isoDescriptors }) => isoDescriptors)
    const end = await stowage(['restore', ...volumes, '--to', to], { home })
    expect(end.code, end.stderr).toBe(0)
    for (const at of images.keys())
      expect(end.stderr.replaceAll(/\s+/g, ' ')).toMatch(
        new RegExp(`0${at + 1}: the ISO 9660 folders are damaged; `),
      )
  })

  it('fail a check that finds every file right', async () => {
    const [volume = ''] = damageAll(({ isoFolders }) => isoFolders)
    const { code, document } = await checked([volume])
    expect(code).toBe(6)
    expect(noFiles(document)).toEqual([])
    expect(document.volumes).toMatchObject([
      { state: 'damaged', index: 1, damagedFolders: { damaged: ['iso9660'] } },
    ])
  })
})

describe('UDF folders that are damaged', () => {
  mostlyLong(
    it,
    UDF,
    ([part]) => part === 'all file entries',
  )('in %s: files come back as from whole images, and a check names them', async (_, sectors) => {
    const volumes = damageAll(sectors)
    expect((await restored(volumes)).damagedFolders).toBeUndefined()
    const { code, document } = await checked(volumes)
    expect(code).toBe(6)
    expect(noFiles(document)).toEqual([])
    for (const { damagedFolders } of document.volumes) expect(damagedFolders?.damaged).toEqual(['udf'])
  })

  it('are named where only one of two anchors or one of two volume sequences is lost', {
    tags: 'long',
  }, async () => {
    for (const sectors of [[256], [32, 33, 34, 35, 36, 37]]) {
      const volumes = damageAll(() => sectors)
      expect((await restored(volumes)).damagedFolders).toBeUndefined()
      const { code, document } = await checked(volumes)
      expect(code).toBe(6)
      expect(noFiles(document)).toEqual([])
      for (const { damagedFolders } of document.volumes) expect(damagedFolders?.damaged).toEqual(['udf'])
    }
  })
})

describe('both trees damaged', () => {
  const pairs = ISO.flatMap(([iso, isoSectors]) =>
    UDF.map(([udf, udfSectors]) => [`${iso} and ${udf}`, isoSectors, udfSectors] as const),
  )
  mostlyLong(
    it,
    pairs,
    ([part]) => part === 'all folders and all file entries',
  )('in %s: every file comes back', async (_, isoSectors, udfSectors) => {
    const volumes = damageAll((of) => [...isoSectors(of), ...udfSectors(of)])
    await restored(volumes)
  })
})

/** The sectors of a volume's own files, by the place of its checksums in the image. */
function sectorsOf(image: string, name: string): number[] {
  const content = readFileSync(join(image, '../../volumes', image.slice(-6, -4), 'payload/STOWAGE', name))
  const at = readFileSync(image).indexOf(content)
  expect(at % SECTOR).toBe(0)
  return Array.from({ length: Math.ceil(content.length / SECTOR) }, (_, sector) => at / SECTOR + sector)
}

const bothTrees = (of: ImageParts): number[] => [...of.isoDescriptors, ...of.isoFolders, ...of.fileEntries]

describe('images without folders', () => {
  it('of which one lost its lists too come back by the index of another', { tags: 'long' }, async () => {
    const [first = '', ...others] = damageAll(bothTrees)
    const lists = ['INDEX.tsv', 'SHA256SUMS', 'README.txt'].flatMap((name) =>
      sectorsOf(images[0] ?? '', name),
    )
    damagedCopy(first, first, lists, seededRandom(3))
    const { document, error } = await runRestore({ volumes: [first, ...others], to })
    expect(treeFacts(to)).toEqual(wanted)
    // The damaged index is named, as always.
    expect(error?.code).toBe('verification-failed')
    expect(document.damagedLists.map(({ path }) => path)).toEqual([first])
    expect(document.damagedFolders).toHaveLength(images.length)
    const { document: check } = await checked([first, ...others])
    const lost = check.volumes.find(({ path }) => path === first)
    expect(lost).toMatchObject({
      index: 1,
      state: 'damaged',
      damagedFolders: { damaged: ['iso9660', 'udf'] },
    })
    for (const { path } of lost?.damaged ?? []) expect(path).toMatch(/^STOWAGE\//)
  })

  it('whose checksums do not prove the index give contents alone', { tags: 'long' }, async () => {
    const volumes = damageAll(bothTrees)
    for (const [at, image] of images.entries())
      damagedCopy(damaged(at), damaged(at), sectorsOf(image, 'SHA256SUMS'), seededRandom(4))
    const { document, error } = await runRestore({ volumes, to })
    expect(error?.code).toBe('verification-failed')
    expect(document.damagedLists[0]?.error.message).toMatch(/does not match the checksums/)
    expect(document.damaged).toEqual([])
    const back = treeFacts(to)
    for (const [path, { content }] of Object.entries(back)) expect(content).toBe(wanted[path]?.content)
    expect(Object.keys(back)).toContain('large.bin')
  })

  it('are no volumes where nothing of them is left', { tags: 'long' }, async () => {
    const volumes = damageAll((of) => [...bothTrees(of), ...of.content, ...of.anchors])
    const end = await stowage(['restore', ...volumes, '--to', to], { home })
    expect(end.code).toBe(2)
    expect(end.stderr).toMatch(/neither a plan folder nor a volume/)
  })

  it('name the files whose content is damaged, and give back all others', { tags: 'long' }, async () => {
    const random = seededRandom(8)
    const hit = new Map<number, number[]>()
    const volumes = damageAll((of) => {
      const content = of.content.slice(0, -60)
      const chosen = Array.from({ length: 6 }, () => content[random.below(content.length)] as number)
      hit.set(hit.size, chosen)
      return [...bothTrees(of), ...chosen]
    })
    const { document, error } = await runRestore({ volumes, to })
    expect(error?.code).toBe('verification-failed')
    const lost = new Set(
      document.damaged.map(({ path }) => Buffer.from(pathToBytes(path)).toString('latin1')),
    )
    expect(lost.size).toBeGreaterThan(1)
    const back = treeFacts(to)
    for (const [path, facts] of Object.entries(wanted))
      if (!lost.has(path)) expect(back[path], path).toMatchObject({ content: facts.content })
    for (const path of lost) expect(back[path]).toBeUndefined()
  })
})

describe('random damage in both trees', () => {
  mostlyLong(
    it,
    Array.from({ length: 40 }, (_, at) => at + 100),
    (seed) => seed === 100,
  )('seed %i: no wrong byte, nothing lost', async (seed) => {
    const random = seededRandom(seed)
    const flips = random.below(2) === 0 ? null : 1 + random.below(4)
    const volumes = damageAll(
      (of) => {
        const metadata = Object.values(of)
          .flat()
          .filter((sector) => !of.content.includes(sector))
        return Array.from(
          { length: 1 + random.below(30) },
          () => metadata[random.below(metadata.length)] as number,
        )
      },
      flips,
      seed,
    )
    await restored(volumes)
  })
})

describe('sectors that cannot be read', () => {
  it('in both trees do not keep any file from coming back', async () => {
    const { env } = badSectors(folder)
    const [image = ''] = images
    copyFileSync(image, damaged(0))
    const [of] = parts as [ImageParts]
    const bad = [...of.isoDescriptors, of.isoFolders[0] as number, ...of.fileEntries.slice(0, 3), 256]
    const ranges = bad.map((sector) => [sector * SECTOR, SECTOR] as const)
    const end = await stowage(['restore', damaged(0), ...images.slice(1), '--to', to], {
      home,
      env: env(damaged(0), ranges),
    })
    expect(end.code, end.stderr).toBe(0)
    expect(end.stderr).toContain('the ISO 9660 and UDF folders are damaged')
    expect(treeFacts(to)).toEqual(wanted)
  })
})

describe('verification of a plan', { tags: 'long' }, () => {
  const verify = async (): Promise<CommandEnd & { run: RunDocument }> => {
    const end = await stowage(['verify', plan, '--json'], { home })
    return { ...end, run: JSON.parse(end.stdout) as RunDocument }
  }
  const failures = ({ run }: { run: RunDocument }): string[] =>
    run.volumes.flatMap(({ errors }) => errors.map(({ message }) => message))

  it('reads every image with Stowage and with 7-Zip by UDF, and says so', { tags: 'long' }, async () => {
    const end = await verify()
    expect(end.code, end.stderr).toBe(0)
    expect(end.run.readers).toEqual(['Stowage', expect.stringMatching(/^7-Zip \d/)])
    expect((await done('verify', plan)).stdout).toMatch(/read back\s+by\s+Stowage\s+and\s+7-Zip\s+\d/)
  })

  mostlyLong(
    it,
    [
      ['ISO 9660', ({ isoFolders }: ImageParts) => isoFolders, 'its files were read by the UDF folders'],
      ['UDF', ({ fileEntries }: ImageParts) => fileEntries, 'its files were read by the ISO 9660 folders'],
      ['ISO 9660 and UDF', bothTrees, 'its files were read by their sectors from the index'],
    ],
    ([trees]) => trees === 'UDF',
  )('fails one line for %s folders that are damaged, and reads every file', async (trees, sectors, by) => {
    const [image = ''] = images
    const whole = readFileSync(image)
    damagedCopy(image, image, sectors(parts[0] as ImageParts), seededRandom(6))
    try {
      const end = await verify()
      expect(end.code).toBe(6)
      const [message = '', ...others] = failures(end)
      expect(others).toEqual([])
      expect(message).toContain(`the ${trees} folders are damaged; `)
      if (trees !== 'ISO 9660') expect(message).toContain(by)
      expect(end.run.volumes[0]?.damagedFolders?.damaged).toHaveLength(trees.includes('and') ? 2 : 1)
    } finally {
      writeFileSync(image, whole)
    }
  })

  it('names a file whose bytes differ', async () => {
    const [image = ''] = images
    const whole = readFileSync(image)
    damagedCopy(image, image, [(parts[0] as ImageParts).content[20] as number], seededRandom(6), 1)
    try {
      expect(failures(await verify()).join()).toMatch(/its content differs \(SHA-256\)/)
    } finally {
      writeFileSync(image, whole)
    }
  })

  const alone = async (): Promise<string[]> => {
    const opened = await openPlanFolder(plan)
    const { signal } = new AbortController()
    const image = await openBuilt(opened, opened.plan.volumes[0] as PlanVolume, null, signal)
    const { differences: found, places } = await image.read({ signal, onBytes: () => undefined })
    const files = image.expected.length
    expect(places.size).toBe(files - found.filter((difference) => 'path' in difference).length)
    return found.map((difference) => locatedText(difference))
  }

  it('needs no 7-Zip', { tags: 'long' }, async () => {
    const [image = ''] = images
    const whole = readFileSync(image)
    expect(await alone()).toEqual([])
    damagedCopy(image, image, [(parts[0] as ImageParts).content[20] as number], seededRandom(6), 1)
    try {
      expect(await alone()).toEqual([expect.stringMatching(/its content differs \(SHA-256\)/)])
    } finally {
      writeFileSync(image, whole)
    }
  })

  it('notices a UDF folder that leads to another file, though its checksums are right', async () => {
    const [image = ''] = images
    const whole = readFileSync(image)
    const bytes = Buffer.from(whole)
    const [first = 0, second = 0] = (parts[0] as ImageParts).fileEntries.filter(
      (sector) => bytes[sector * SECTOR + 27] === 5 && bytes.readUInt32LE(sector * SECTOR + 172) > 0,
    )
    const from = extentsAt(bytes, second)
    bytes.copyWithin(extentsAt(bytes, first), from, from + 8)
    bytes.copyWithin(first * SECTOR + 56, second * SECTOR + 56, second * SECTOR + 72)
    closeTag(bytes.subarray(first * SECTOR, (first + 1) * SECTOR))
    writeFileSync(image, bytes)
    try {
      const end = await verify()
      expect(end.code).toBe(6)
      expect(failures(end).join('\n')).toMatch(/it is in the UDF folders alone/)
      expect(failures(end).join('\n')).toMatch(/the UDF folders lack 1 of its files/)
    } finally {
      writeFileSync(image, whole)
    }
  })
})

it('archives of a packed set come back from images without folders', { tags: 'long' }, async () => {
  const packed = join(folder, 'packed')
  const source = join(folder, 'source', 'many')
  await done('plan', source, '--medium', 'custom:4MB', '--option', 'files-zstd-3', '--out', packed)
  await done('build', packed)
  const image = join(packed, 'images/01.iso')
  damagedCopy(image, image, bothTrees(partsOf(image)), seededRandom(5))
  const { error, document } = await runRestore({ volumes: [image], to })
  expect(error?.message).toBeUndefined()
  expect(document.damagedFolders).toMatchObject([{ damaged: ['iso9660', 'udf'] }])
  // Its hard link is outside of this folder.
  const { 'file 50': _, ...others } = treeFacts(source)
  expect(treeFacts(to)).toMatchObject(others)
  expect(readFileSync(join(to, 'file 50'))).toEqual(readFileSync(join(source, 'file 50')))
})

it('a volume that another program put on an image with UDF is read by its folders, and good', async (context) => {
  const missing = missingReader('genisoimage', 'bsdtar')
  if (missing !== null) return context.skip(missing)
  const [unpacked, remade] = [join(folder, 'unpacked'), join(folder, 'remade.iso')]
  mkdirSync(unpacked)
  execFileSync('bsdtar', ['-xf', images.at(-1) ?? '', '-C', unpacked], {
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  })
  const options = ['-quiet', '-udf', '-r', '-V', 'OTHER', '-iso-level', '3', '-o', remade]
  execFileSync('genisoimage', [...options, unpacked], { stdio: 'pipe' })
  const { code, document } = await checked([remade])
  expect(noFiles(document)).toEqual([])
  expect(code).toBe(0)
  const { document: restore } = await runRestore({ volumes: [remade], to })
  expect(restore.damagedFolders).toBeUndefined()
  expect(restore.damaged).toEqual([])
  expect(restore.missing).toEqual([])
})
