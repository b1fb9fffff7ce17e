import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { replaceFile, replacePlace, takeFreePlace } from '../../../../src/engine/files/place'
import type { PlaceNotes } from '../../../../src/engine/files/scratch'
import { noNotes } from '../../../support/noNotes'
import { temporaryFolder } from '../../../support/temporaryFolder'

let folder: string
beforeEach(async () => {
  folder = await temporaryFolder()
})
const at = (...names: string[]): string => join(folder, ...names)
const text = (...names: string[]): string => readFileSync(at(...names), 'utf8')

describe('what replaces something', () => {
  it('leaves the old one in its place when it cannot come there', async () => {
    writeFileSync(at('old'), 'old')
    mkdirSync(at('old folder'))
    for (const target of ['old', 'old folder']) {
      await expect(replacePlace(noNotes, at('missing'), at(target))).rejects.toMatchObject({ code: 'ENOENT' })
    }
    expect(readdirSync(folder).toSorted()).toEqual(['old', 'old folder'])
    expect(text('old')).toBe('old')
  })

  it('needs no second step for a file in the place of a file or of a link', async () => {
    const notes: PlaceNotes = {
      notePlace: () => expect.unreachable('the old one was set aside'),
      placeGone: () => undefined,
    }
    writeFileSync(at('other'), 'other')
    symlinkSync(at('other'), at('link'))
    writeFileSync(at('old'), 'old')
    for (const target of ['old', 'link']) {
      writeFileSync(at('made'), 'new')
      await replacePlace(notes, at('made'), at(target))
      expect(text(target)).toBe('new')
    }
    expect(text('other')).toBe('other')
  })

  it('sets a folder aside, under a note, until the new one is in its place', async () => {
    for (const [name, written] of [
      ['old', 'old'],
      ['made', 'new'],
    ] as const) {
      mkdirSync(at(name))
      writeFileSync(at(name, 'file'), written)
    }
    const noted: string[] = []
    let content = 'old'
    const notes: PlaceNotes = {
      notePlace(note) {
        noted.push(note.path)
        expect(text('old', 'file')).toBe(content)
        return noNotes.notePlace(note)
      },
      placeGone: () => noted.pop(),
    }
    expect(await replacePlace(notes, at('made'), at('old'))).toBe(false)
    expect([noted, readdirSync(folder), text('old', 'file')]).toEqual([[], ['old'], 'new'])

    mkdirSync(at('made'))
    const path = at('old.replaced-2026-11-25')
    const onKept = (aside: string): void => {
      expect([aside, existsSync(at('old', 'file')), noted]).toEqual([path, false, [path]])
      expect(readFileSync(join(aside, 'file'), 'utf8')).toBe('new')
    }
    content = 'new'
    expect(await replacePlace(notes, at('made'), at('old'), { path, onKept })).toBe(true)
    expect([noted, readdirSync(folder).toSorted()]).toEqual([[], ['old', 'old.replaced-2026-11-25']])
    expect(text('old.replaced-2026-11-25', 'file')).toBe('new')
  })
})

describe('a place that must be free', () => {
  it('is not taken from what is there', async () => {
    writeFileSync(at('file'), 'old')
    mkdirSync(at('folder'))
    writeFileSync(at('made file'), 'new')
    mkdirSync(at('made folder'))
    for (const made of ['made file', 'made folder']) {
      for (const target of ['file', 'folder']) {
        await expect(takeFreePlace(at(made), at(target))).rejects.toMatchObject({ code: 'EEXIST' })
      }
      await takeFreePlace(at(made), at(`new ${made}`))
    }
    expect(text('file')).toBe('old')
    expect(text('new made file')).toBe('new')
  })
})

describe("a file of the person's choice", () => {
  it('is replaced only by force, and by nothing when its writer fails', async () => {
    await replaceFile(noNotes, at('it'), false, () => ['one'])
    await expect(replaceFile(noNotes, at('it'), false, () => ['two'])).rejects.toMatchObject({
      code: 'exists',
    })
    const failing = function* (): Generator<string> {
      yield 'half'
      throw new Error('no')
    }
    await expect(replaceFile(noNotes, at('it'), true, failing)).rejects.toThrow('no')
    expect(text('it')).toBe('one')
    await replaceFile(noNotes, at('it'), true, () => ['two', Buffer.alloc(3_000_000, 'x')])
    expect(text('it').length).toBe(3_000_003)
    expect(readdirSync(folder)).toEqual(['it'])
  })
})
