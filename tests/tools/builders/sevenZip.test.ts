import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { requireTool } from '../../../src/engine/tools/externalTool'
import { sevenZip } from '../../../src/engine/tools/sevenZip'
import { makeHostileTree } from '../../fixtures/hostileTree'
import { contentOf } from '../../support/buildSource'
import { type BuildPlace, buildPlace, wordsOf } from '../../support/builtOption'
import { mostlyLong } from '../../support/mostlyLong'

let place: BuildPlace
beforeEach(() => {
  place = buildPlace()
})
afterEach(() => place.dispose())

const FILES_ONLY = { folders: false, links: false }
const EMPTY_DIGEST = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

async function unpack(archive: string, to: string): Promise<string> {
  const { path } = await requireTool(sevenZip)
  execFileSync(path, ['x', '-y', `-o${to}`, archive], { stdio: 'pipe' })
  return to
}

async function listed(archive: string): Promise<string> {
  const { path } = await requireTool(sevenZip)
  return execFileSync(path, ['l', '-slt', archive], { encoding: 'utf8', stdio: 'pipe' })
}

describe('whole archives', () => {
  mostlyLong(
    it,
    ['7z-files', '7z-solid-1m-path', '7z-solid-4m-type', '7z-t7z'],
    (variant) => variant === '7z-solid-1m-path',
  )('%s hold every file and empty folder, whatever its name, and are the same again', async (variant) => {
    makeHostileTree(place.source, { seed: 3 })
    const { built, path } = await place.build(variant)
    expect(built).toMatchObject({
      tool: '7-Zip',
      repeatable: true,
      notes: ['7 symbolic links are left out'],
    })
    expect(built.bytes).toBe(statSync(path).size)
    expect(contentOf(await unpack(path, join(place.folder, 'out')), FILES_ONLY)).toEqual(
      contentOf(place.source, FILES_ONLY),
    )
    execFileSync('chmod', ['-R', 'u+x', place.source])
    const again = await place.build(variant)
    expect(readFileSync(again.path).equals(readFileSync(path))).toBe(true)
  })

  it('in content order are a tar file in an archive, in that order', { tags: 'long' }, async () => {
    makeHostileTree(place.source, { seed: 4 })
    const { built, path } = await place.build('7z-solid-1m-content')
    const tar = join(await unpack(path, join(place.folder, 'out')), 'all.tar')
    const to = join(place.folder, 'untarred')
    mkdirSync(to)
    execFileSync('tar', ['-xf', tar, '-C', to])
    const everything = { folders: true, links: true }
    expect(contentOf(to, everything)).toEqual(contentOf(place.source, everything))
    const names = execFileSync('tar', ['-tf', tar, '--quoting-style=escape'], { encoding: 'utf8' }).split(
      '\n',
    )
    const plain = names.filter(
      (name) => /^[\w.-]+$/.test(name) && !name.includes('link') && name !== 'dangling',
    )
    expect(plain).toEqual(plain.toSorted().toReversed())
    expect(built.notes).toEqual([])
    const again = await place.build('7z-solid-1m-content')
    expect(readFileSync(again.path).equals(readFileSync(path))).toBe(true)
  })

  it('use the compression method of their names', { tags: 'long' }, async () => {
    for (let file = 0; file < 4; file++)
      writeFileSync(join(place.source, `${file}.txt`), wordsOf(file, 270_000))
    const solid = await place.build('7z-solid-1m-path')
    expect(await listed(solid.path)).toMatch(/^Solid = \+\nBlocks = 1$/m)
    expect(await listed(solid.path)).toMatch(/^Method = LZMA2:20$/m)
    const files = await place.build('7z-files')
    expect(await listed(files.path)).toMatch(/^Solid = -\nBlocks = 4$/m)
    const t7z = await place.build('7z-t7z')
    // 1.1 MB in four files of one size ask for the least dictionary, which 7-Zip cuts to what it needs.
    expect(await listed(t7z.path)).toMatch(/^Method = LZMA:\S+$/m)
    // What the system had to give it for a dictionary of 1 MiB is some ten times that.
    expect(solid.built.ramBytes).toBeGreaterThan(4e6)
    expect(solid.built.ramBytes).toBeLessThan(100e6)
    expect(solid.built.cpuSeconds).toBeGreaterThan(0)
  })

  it('begin with the names of several roots', { tags: 'long' }, async () => {
    const roots = ['one', 'two'].map((name) => join(place.source, name))
    for (const root of roots) {
      mkdirSync(root)
      makeHostileTree(root, { seed: 5 })
    }
    const { path } = await place.build('7z-solid-1m-path', {}, roots)
    expect(contentOf(await unpack(path, join(place.folder, 'out')), FILES_ONLY)).toEqual(
      contentOf(place.source, FILES_ONLY),
    )
    const apart = ['here/three', 'there/four'].map((name) => join(place.source, name))
    for (const root of apart) {
      mkdirSync(join(root, 'sub'), { recursive: true })
      writeFileSync(join(root, 'sub', 'line\nend'), root)
    }
    const far = await place.build('7z-files', {}, apart)
    const found = contentOf(await unpack(far.path, join(place.folder, 'far')), FILES_ONLY)
    expect([...found.keys()]).toEqual(['four/sub/line\nend', 'three/sub/line\nend'])
  })

  it('can be of nothing, and of empty files', { tags: 'long' }, async () => {
    const nothing = await place.build('7z-files')
    expect(await listed(nothing.path)).toMatch(/^Headers Size = 0$|Physical Size/m)
    writeFileSync(join(place.source, 'empty'), '')
    const { path } = await place.build('7z-solid-1m-type')
    expect(contentOf(await unpack(path, join(place.folder, 'out')), FILES_ONLY)).toEqual(
      new Map([['empty', EMPTY_DIGEST]]),
    )
  })
})
