import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CheckDocument } from '../../src/contract/dto/check'
import { surveyDocumentSchema } from '../../src/contract/dto/survey'
import { seededRandom } from '../../src/primitives/seededRandom'
import { stowage } from '../fixtures/stowageCommand'
import { writeTree } from '../fixtures/treeOfFiles'
import { armNode, stowageOnArm } from '../support/arm'

let folder: string
let source: string
let home: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-arm-'))
  source = join(folder, 'source')
  home = join(folder, 'home')
  mkdirSync(source)
  writeTree(source, { seed: 5, files: 120, totalBytes: 6_000_000, duplicates: 0.1, filesPerFolder: 12 })
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs it and expects that it succeeds. */
async function done(args: readonly string[], code = 0): Promise<string> {
  const end = await stowageOnArm(args, home)
  expect(end.code, `${args.join(' ')}: ${end.stderr}${end.stdout}`).toBe(code)
  return end.stdout
}

const sha256Of = (content: Buffer): string => createHash('sha256').update(content).digest('hex')
const sha256 = (path: string): string => sha256Of(readFileSync(path))

/** The digest of every file below a folder, by its path there. */
function digestsOf(root: string): Record<string, string> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).toSorted()
  return Object.fromEntries(paths.map((path) => [path.slice(root.length + 1), sha256(path)]))
}

describe('the addon for ARM', () => {
  it('loads, and hashes as this machine does', () => {
    const file = join(folder, 'hashed')
    const content = new Uint8Array(3_000_001)
    seededRandom(9).fillBytes(content)
    writeFileSync(file, content)
    const hash = `
      const addon = require(${JSON.stringify(resolve('build/native/linux-arm64/stowage.node'))})
      addon.hashRanges([Buffer.from(${JSON.stringify(file)})], Float64Array.of(0), Float64Array.of(${content.length}), 1)
        .finished.then(({ sha256 }) => console.log(process.arch, Buffer.from(sha256).toString('hex')))`
    const [program = '', ...before] = armNode
    const printed = execFileSync(program, [...before, '-e', hash], { encoding: 'utf8' })
    expect(printed).toBe(`arm64 ${sha256(file)}\n`)
  })
})

describe('the command line on ARM', () => {
  it('shows its version', async () => {
    expect(await done(['--version'])).toBe((await stowage(['--version'], { home })).stdout)
  })

  it('checks its installation and finds no problem', async () => {
    const { code, stdout, stderr } = await stowageOnArm(['doctor', '--json'], home)
    expect([0, 3], stderr).toContain(code)
    expect(JSON.stringify(JSON.parse(stdout))).toContain('arm64')
  })

  it('surveys a folder with the figures of this machine', async () => {
    const args = ['survey', source, '--samples', 'none', '--json']
    const here = await stowage(args, { home: join(folder, 'here') })
    const there = surveyDocumentSchema.parse(JSON.parse(await done(args)))
    const expected = surveyDocumentSchema.parse(JSON.parse(here.stdout))
    const figures = ['totals', 'duplicateFiles', 'types', 'sizeHistogram', 'fixedBlocks', 'chunked'] as const
    for (const name of figures) expect(there[name], name).toEqual(expected[name])
    expect(there.totals.files).toBe(120)
  })

  it('leaves out what rules name, reads nothing twice, and finds a file of a plan', async () => {
    const [file = ''] = Object.keys(digestsOf(source))
    const args = ['survey', source, '--samples', 'none', '--exclude', `/${file}`, '--json']
    const here = await stowage(args, { home: join(folder, 'here') })
    const expected = surveyDocumentSchema.parse(JSON.parse(here.stdout))
    await done(args)
    const there = surveyDocumentSchema.parse(JSON.parse(await done(args)))
    expect(there.totals).toEqual(expected.totals)
    expect(there.totals.files).toBe(119)
    expect(there.trusted).toMatchObject({ files: 119 })
    await done(['plan', source, '--out', join(folder, 'found'), '--medium', 'cd-700'])
    expect(await done(['find', basename(file), '--json'])).toContain(file)
  })

  it('lists the options', async () => {
    const { options } = JSON.parse(await done(['options', source, '--json'])) as { options: unknown[] }
    expect(options.length).toBeGreaterThan(50)
  })

  it('plans, builds, verifies and restores a set of images', async () => {
    const plan = join(folder, 'plan')
    await done(['plan', source, '--out', plan, '--medium', 'custom:4MB'])
    await done(['build', plan])
    await done(['verify', plan])
    const images = readdirSync(join(plan, 'images')).map((name) => join(plan, 'images', name))
    expect(images.length).toBeGreaterThan(1)
    const restored = join(folder, 'restored')
    await done(['restore', ...images, '--to', restored])
    expect(Object.values(digestsOf(restored)).toSorted()).toEqual(
      expect.arrayContaining(Object.values(digestsOf(source)).toSorted()),
    )
  })

  it('repairs a damaged disc by its recovery data, and makes a lost one again', async () => {
    const plan = join(folder, 'protected')
    const protect = ['--protect', '20%', '--protect-set', '1']
    await done(['plan', source, '--out', plan, '--medium', 'custom:4MB', ...protect])
    await done(['build', plan])
    const images = readdirSync(join(plan, 'images')).map((name) => join(plan, 'images', name))
    const first = images.find((path) => path.endsWith('01.iso')) ?? ''
    const whole = readFileSync(first)
    const scratched = Buffer.from(whole)
    scratched.fill(0xa5, 1_000_000, 1_150_000)
    writeFileSync(first, scratched)
    const check = JSON.parse(await done(['verify', first, '--json'], 6)) as CheckDocument
    expect(check.volumes.map(({ verdict }) => verdict)).toEqual(['repairable'])
    const restored = join(folder, 'repaired files')
    await done(['restore', ...images, '--to', restored])
    expect(Object.values(digestsOf(restored)).toSorted()).toEqual(
      expect.arrayContaining(Object.values(digestsOf(source)).toSorted()),
    )
    const repaired = join(folder, 'repaired.iso')
    await done(['repair', first, '--out', repaired])
    expect(sha256(repaired)).toBe(sha256Of(whole))
    const again = join(folder, 'again.iso')
    await done(['rebuild', ...images.filter((path) => path !== first), '--volume', '1', '--out', again])
    expect(sha256(again)).toBe(sha256Of(whole))
  })

  it('creates, converts and verifies an encrypted disk image that opens here', async () => {
    const [image, converted, password] = ['a.img', 'b.sparseimage', 'password'].map((name) =>
      join(folder, name),
    ) as [string, string, string]
    writeFileSync(password, 'correct horse\n')
    await done(['image', 'create', image, '--size', '2MiB', '--kind', 'UDRW'])
    const content = new Uint8Array(300_000)
    seededRandom(3).fillBytes(content)
    const opened = openSync(image, 'r+')
    writeSync(opened, content, 0, content.length, 500_000)
    closeSync(opened)
    const encrypted = ['--encrypt', '256', '--new-password-file', password]
    await done(['image', 'convert', image, converted, '--to', 'UDSP', ...encrypted])
    const verify = ['image', 'verify', converted, '--sha256', '--password-file', password]
    expect(await done(verify)).toContain(sha256(image))
    expect((await stowage(verify, { home })).stdout).toContain(sha256(image))
  })
})
