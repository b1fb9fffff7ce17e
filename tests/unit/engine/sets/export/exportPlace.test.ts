import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { PlaceNotes } from '../../../../../src/engine/files/scratch'
import { checkExportPlace } from '../../../../../src/engine/sets/export/exportPlan'
import { noNotes } from '../../../../support/noNotes'
import { temporaryFolder } from '../../../../support/temporaryFolder'

let folder: string
let noted: string[]
let notes: PlaceNotes
beforeEach(async () => {
  folder = await temporaryFolder()
  noted = []
  notes = {
    notePlace(note) {
      noted.push(note.path)
      expect(existsSync(note.path)).toBe(false)
      return noNotes.notePlace(note)
    },
    placeGone: () => undefined,
  }
})

describe('a place for a plan', () => {
  it.each(['plan', 'a/b/plan', 'x'.repeat(250)])(
    'is tried only by what the next start removes after a kill: %s',
    async (name) => {
      await checkExportPlace(notes, join(folder, name), false)
      expect(noted.map(dirname)).toEqual([folder])
      expect(noted.map((path) => basename(path))).toEqual([
        expect.stringMatching(/^\.stowage-place-[0-9a-f]{12}$/),
      ])
      expect(readdirSync(folder)).toEqual([])
    },
  )

  it('is named when it cannot be made', async () => {
    await expect(checkExportPlace(notes, '/proc/x/y', false)).rejects.toMatchObject({
      message: 'cannot make the folder /proc/x: no such file or folder',
    })
    writeFileSync(join(folder, 'file'), '')
    await expect(checkExportPlace(notes, join(folder, 'file', 'plan'), false)).rejects.toMatchObject({
      code: 'not-a-folder',
    })
  })

  it('may be an empty folder, and no other without force', async () => {
    mkdirSync(join(folder, 'empty'))
    await checkExportPlace(notes, join(folder, 'empty'), false)
    writeFileSync(join(folder, 'empty', 'mine'), '')
    await expect(checkExportPlace(notes, join(folder, 'empty'), false)).rejects.toMatchObject({
      code: 'exists',
    })
    expect([noted, readdirSync(folder)]).toEqual([[], ['empty']])
  })
})
