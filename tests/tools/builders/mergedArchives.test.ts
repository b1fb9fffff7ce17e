import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { requireTool } from '../../../src/engine/tools/externalTool'
import { sevenZip } from '../../../src/engine/tools/sevenZip'
import { makeHostileTree } from '../../fixtures/hostileTree'
import { contentOf, requestFor } from '../../support/buildSource'
import { type BuildPlace, buildPlace, bytesBelow, makeTitles } from '../../support/builtOption'

let place: BuildPlace
beforeEach(() => {
  place = buildPlace()
})
afterEach(() => place.dispose())

const FILES_ONLY = { folders: false, links: false }
async function unpack(archive: string, to: string): Promise<string> {
  const { path } = await requireTool(sevenZip)
  execFileSync(path, ['x', '-y', `-o${to}`, archive], { stdio: 'pipe' })
  return to
}

describe('merged archives', () => {
  it('are one for each title and folder, with bare names, and are the same again', async () => {
    makeTitles(place.source)
    // A folder stands where an archive would, and a name has no room for an ending.
    mkdirSync(join(place.source, 'good', 'Title 0.7z'))
    const long = 'l'.repeat(255)
    writeFileSync(join(place.source, long), 'long')
    const { built, path } = await place.build('7z-titles')
    expect(readdirSync(join(path, 'good')).toSorted()).toEqual(['Title 0 2.7z', 'Title 1.7z', 'Title 2.7z'])
    expect(readdirSync(path).toSorted()).toEqual(['good', `${long.slice(3)}.7z`, 'other'].toSorted())
    const out = await unpack(join(path, 'good', 'Title 1.7z'), join(place.folder, 'out'))
    for (const name of ['Title 1 (E).rom', 'Title 1 (U) [!].rom'])
      expect(readFileSync(join(out, name))).toEqual(readFileSync(join(place.source, 'good', name)))
    expect(built.command).toContain('7 archives')
    const again = await place.build('7z-titles')
    expect(bytesBelow(again.path)).toEqual(bytesBelow(path))
    expect(built.bytes).toBe([...bytesBelow(path).values()].reduce((sum, bytes) => sum + bytes.length, 0))
  })

  it('take any name', { tags: 'long' }, async () => {
    makeHostileTree(place.source, { seed: 6 })
    const { path } = await place.build('7z-titles')
    expect(readFileSync(join(path, 'new\nline.7z')).length).toBeGreaterThan(100)
    const out = join(place.folder, 'out')
    for (const at of contentOf(path, FILES_ONLY).keys())
      if (!at.includes('/') && /^[\w-]+[.]7z$/.test(at)) await unpack(join(path, at), out)
    const made = contentOf(path, FILES_ONLY).size
    expect(made).toBeGreaterThan(70)
    expect(contentOf(out, FILES_ONLY).size).toBeGreaterThan(5)
    for (const [name, content] of contentOf(out, FILES_ONLY))
      expect(contentOf(place.source, FILES_ONLY).get(name)).toBe(content)
  })

  it('are one for each group of files that share data, and are the same again; groups of nothing make none', {
    tags: 'long',
  }, async () => {
    makeTitles(place.source)
    const { files } = requestFor([place.source], place.folder, '7z-groups')
    const of = (title: number) => files.filter(({ path }) => path.includes(`Title ${title}`))
    const groups = [of(0), [], [...of(1), ...of(2)]].map((group) => ({ place: null, files: group }))
    const { path } = await place.build('7z-groups', { groups: () => Promise.resolve(groups) })
    expect(readdirSync(path).toSorted()).toEqual(['group-000001.7z', 'group-000002.7z'])
    const out = join(place.folder, 'out')
    for (const name of readdirSync(path)) await unpack(join(path, name), out)
    expect(contentOf(out, FILES_ONLY)).toEqual(contentOf(place.source, FILES_ONLY))
    const again = await place.build('7z-groups', { groups: () => Promise.resolve(groups) })
    expect(bytesBelow(again.path)).toEqual(bytesBelow(path))
    await expect(place.build('7z-groups')).rejects.toMatchObject({ code: 'refused' })
  })

  it('store equal archives once', { tags: 'long' }, async () => {
    makeTitles(place.source)
    const merged = await place.build('7z-titles')
    const { built, path } = await place.build('7z-titles+files')
    expect(bytesBelow(path)).toEqual(bytesBelow(merged.path))
    const of = (name: string) => statSync(join(path, name))
    expect(of('good/Title 0.7z').ino).toBe(of('other/Title 0.7z').ino)
    expect(of('good/Title 2.7z').ino).not.toBe(of('other/Title 2.7z').ino)
    const saved = of('good/Title 0.7z').size + of('good/Title 1.7z').size
    expect(built.bytes).toBe(merged.built.bytes - saved)
    expect(built.command).toContain('2 duplicates as hard links')
  })
})
