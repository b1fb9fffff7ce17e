import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openCatalog } from '../../../../src/engine/catalog/openCatalog'
import type { NotedBuildFolder } from '../../../../src/engine/catalog/optionStore'
import { inBuildFolder, removeBuildLeftOvers } from '../../../../src/engine/options/buildFolders'

let folder: string
let catalog: ReturnType<typeof openCatalog>
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-folders-'))
  catalog = openCatalog(join(folder, 'home'))
})
afterEach(() => {
  catalog.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The journal with the notes of a process that has ended: no process has this number. */
function ofTheDead(notes: () => NotedBuildFolder[]): Parameters<typeof removeBuildLeftOvers>[0] {
  return {
    buildFolders: () => notes().map(({ number, path }) => ({ number, path, ownerPid: 2 ** 22 + 1 })),
    buildFolderGone: (noted) => catalog.buildFolderGone(noted),
  }
}

describe('a build folder', () => {
  it('is noted before it is made, and is gone in the end whatever happens', async () => {
    const lent = await inBuildFolder(catalog, join(folder, 'it.7z'), async (place) => {
      expect(catalog.buildFolders().map(({ path }) => path)).toEqual([place])
      writeFileSync(join(place, 'made'), 'much')
      return place
    })
    expect(existsSync(lent)).toBe(false)
    await expect(
      inBuildFolder(catalog, join(folder, 'it.7z'), async (place) => {
        mkdirSync(join(place, 'deep'))
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    expect(readdirSync(folder)).toEqual(['home'])
    expect(catalog.buildFolders()).toEqual([])
  })

  it('cannot be made where the folder is not there, and leaves no note', async () => {
    await expect(inBuildFolder(catalog, join(folder, 'none/it.7z'), async () => {})).rejects.toMatchObject({
      code: 'not-found',
    })
    expect(catalog.buildFolders()).toEqual([])
  })

  it('of a dead process is removed, that of a living one and anything foreign stays', () => {
    const left = join(folder, '.stowage-option-0123456789ab')
    const foreign = join(folder, 'photos')
    for (const path of [left, foreign]) {
      mkdirSync(path)
      writeFileSync(join(path, 'file'), 'x')
      catalog.noteBuildFolder(path)
    }
    catalog.noteBuildFolder(join(folder, 'not-mounted/.stowage-option-0123456789ab'))
    expect(removeBuildLeftOvers(catalog)).toEqual({ removed: [], problems: [] })
    expect(existsSync(left)).toBe(true)
    const dead = ofTheDead(() => catalog.buildFolders())
    expect(removeBuildLeftOvers(dead)).toEqual({ removed: [left], problems: [] })
    expect(existsSync(foreign)).toBe(true)
    // What cannot be looked at now is looked at the next time.
    expect(catalog.buildFolders()).toHaveLength(2)
  })
})
