import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeTorrentZip } from '../../../src/engine/options/builders/torrentZip/torrentZipFile'
import { requireTool } from '../../../src/engine/tools/externalTool'
import { sevenZip } from '../../../src/engine/tools/sevenZip'
import byIgir from '../../fixtures/torrentZips.json' with { type: 'json' }
import { type BuildPlace, buildPlace, bytesBelow, makeTitles } from '../../support/builtOption'
import { TORRENT_ZIP_CASES, type TorrentZipCase } from '../../support/torrentZipCases'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-zips-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function written({ files }: Pick<TorrentZipCase, 'files'>, signal = new AbortController().signal) {
  const members = files.map(({ name, content }, at) => {
    const source = join(folder, `source ${at}`)
    writeFileSync(source, content)
    return { name, file: { source, bytes: content.length, digest: null } }
  })
  const path = join(folder, 'made.zip')
  let packed = 0
  await writeTorrentZip(path, members, { signal, onBytes: (bytes) => (packed += bytes) })
  expect(packed).toBe(files.reduce((sum, { content }) => sum + content.length, 0))
  return path
}

describe('a TorrentZip', () => {
  it.each(TORRENT_ZIP_CASES)('is what igir writes: $title', async (one) => {
    const bytes = readFileSync(await written(one))
    const made = { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
    expect(made).toEqual((byIgir as Record<string, unknown>)[one.title])
  })

  it.each(TORRENT_ZIP_CASES.filter(({ files }) => files.length > 0))(
    'is read by 7-Zip and by Python: $title',
    async (one) => {
      const path = await written(one)
      const { path: program } = await requireTool(sevenZip)
      expect(execFileSync(program, ['t', path], { encoding: 'utf8' })).toContain('Everything is Ok')
      const list =
        'import sys, zipfile, hashlib, json\nz = zipfile.ZipFile(sys.argv[1])\n' +
        'print(json.dumps({n: hashlib.sha256(z.read(n)).hexdigest() for n in z.namelist()}))'
      const read = JSON.parse(execFileSync('python3', ['-c', list, path], { encoding: 'utf8' })) as object
      const wanted = one.files.map(({ name, content }) => [
        name,
        createHash('sha256').update(content).digest('hex'),
      ])
      expect(read).toEqual(Object.fromEntries(wanted))
    },
  )

  it('is not made of a name that programs read in several ways, nor of a file that changes', async () => {
    const content = Buffer.from('content')
    await expect(written({ files: [{ name: 'a\\b', content }] })).rejects.toMatchObject({
      code: 'name-unsupported',
      message: expect.stringContaining('a\\b') as string,
    })
    const source = join(folder, 'changing')
    writeFileSync(source, content)
    const members = [{ name: 'one', file: { source, bytes: 3, digest: null } }]
    const to = { signal: new AbortController().signal, onBytes: () => undefined }
    await expect(writeTorrentZip(join(folder, 'two.zip'), members, to)).rejects.toMatchObject({
      code: 'changed',
    })
  })

  it('stops when it is cancelled', async () => {
    const files = [{ name: 'one', content: new Uint8Array(100) }]
    await expect(written({ files }, AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' })
  })
})

describe('torrentzip-titles and torrentzip-dat', () => {
  let place: BuildPlace
  beforeEach(() => {
    place = buildPlace()
  })
  afterEach(() => place.dispose())

  it('make the same archives of the same files in another place', async () => {
    makeTitles(place.source)
    const { built, path } = await place.build('torrentzip-titles')
    const names = [...bytesBelow(path).keys()].toSorted()
    expect(names).toContain('/good/Title 0.zip')
    expect(built).toMatchObject({ tool: 'Stowage', repeatable: true })
    expect(built.bytes).toBe([...bytesBelow(path).values()].reduce((sum, { length }) => sum + length, 0))
    const elsewhere = buildPlace()
    try {
      makeTitles(elsewhere.source)
      const again = await elsewhere.build('torrentzip-titles')
      expect(bytesBelow(again.path)).toEqual(bytesBelow(path))
    } finally {
      elsewhere.dispose()
    }
  })

  it('begin names at the folder of the ROM set', async () => {
    const files = ['NES/Game/a.rom', 'NES/Game/disc/b.rom', 'NES/Other.rom'].map((path) => {
      const source = join(place.source, path)
      mkdirSync(dirname(source), { recursive: true })
      writeFileSync(source, path)
      return { source, path, bytes: path.length, digest: null }
    })
    const groups = [
      { place: 'NES/Game/Game', files: files.slice(0, 2) },
      { place: null, files: files.slice(2) },
    ]
    const { built, path } = await place.build('torrentzip-dat', { groups: () => Promise.resolve(groups) })
    expect([...bytesBelow(path).keys()].toSorted()).toEqual(['/NES/Game/Game.zip', '/NES/Other.rom.zip'])
    expect(built.archives?.map(({ files: inside }) => inside.map(({ name }) => name))).toEqual([
      ['a.rom', 'disc/b.rom'],
      ['Other.rom'],
    ])
  })

  it('refuse a name before anything is written', async () => {
    writeFileSync(join(place.source, 'fine.rom'), 'one')
    writeFileSync(join(place.source, 'a\\b.rom'), 'two')
    await expect(place.build('torrentzip-titles')).rejects.toMatchObject({ code: 'name-unsupported' })
  })
})
