import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { resolveMedium } from '../../../../src/domain/media/resolveMedium'
import { openCatalog } from '../../../../src/engine/catalog/openCatalog'
import { settleLeftOvers } from '../../../../src/engine/files/leftOvers'
import { identityAt, replacePlace } from '../../../../src/engine/files/replacePlace'
import { lendingFolder } from '../../../../src/engine/files/scratch'
import { mediaCatalogue } from '../../../../src/engine/media/mediaCatalogue'
import { carryOverPlan } from '../../../../src/engine/sets/export/replacedPlan'

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

const at = (...names: string[]): string => join(folder, ...names)

/** What the next start does about the notes of a process that has ended: no process has this number. */
function settleAsNextStart(): ReturnType<typeof settleLeftOvers> {
  const notes = {
    notedPlaces: () =>
      catalog.notedPlaces().map((noted) => Object.assign(noted, { owner: String(2 ** 22 + 1) })),
    placeGone: catalog.placeGone,
  }
  return settleLeftOvers(notes, carryOverPlan)
}

class Killed extends Error {}

/** One volume, on an image of 17 sectors. */
function planText(id: string): string {
  const medium = resolveMedium(mediaCatalogue, 'cd-700')
  const volume = { index: 1, label: 'DISC', sectors: 17, capacitySectors: 20, files: 0, bytes: 0 }
  return JSON.stringify({ id, medium, volumes: [{ ...volume, reserveBytes: 0, shares: [] }] })
}

/** An image of that volume, as far as its size and label show it. */
const IMAGE = '\0'.repeat(16 * 2048).concat(`\u0001CD001\u0001${' '.repeat(33)}DISC`.padEnd(2048))

function makePlan(path: string, id: string, more: Record<string, string> = {}): void {
  const files = { 'plan.json': planText(id), 'index.tsv': id, ...more }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(path, name, '..'), { recursive: true })
    writeFileSync(join(path, name), text)
  }
}

function contentOf(path: string): Record<string, string> {
  const names = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Object.fromEntries(
    names
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted()
      .map((file) => [file.slice(path.length + 1), readFileSync(file, 'utf8')]),
  )
}

describe('a lent folder', () => {
  it('is noted before it is made, and is gone in the end whatever happens', async () => {
    const path = at('.stowage-option-0123456789ab')
    await lendingFolder(catalog, path, async (place) => {
      expect(catalog.notedPlaces().map((noted) => noted.path)).toEqual([place])
      writeFileSync(join(place, 'made'), 'much')
    })
    expect(existsSync(path)).toBe(false)
    await expect(
      lendingFolder(catalog, path, async (place) => {
        mkdirSync(join(place, 'deep'))
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    expect(readdirSync(folder)).toEqual(['home'])
    expect(catalog.notedPlaces()).toEqual([])
  })

  it('cannot be made where the folder above is missing, and leaves no note', async () => {
    const path = at('none', '.stowage-option-0123456789ab')
    await expect(lendingFolder(catalog, path, async () => {})).rejects.toMatchObject({ code: 'not-found' })
    expect(catalog.notedPlaces()).toEqual([])
  })
})

describe('the next start', () => {
  it('removes what a dead process made, and leaves that of a living one and anything foreign', () => {
    const ours = ['.stowage-option-0123456789ab', 'a.iso.partial-0123456789ab', 'stowage-plan-0123456789ab']
    for (const name of [...ours, 'photos', 'photos.partial-x']) {
      mkdirSync(at(name))
      writeFileSync(at(name, 'file'), 'x')
      catalog.notePlace({ kind: 'scratch', path: at(name) })
    }
    catalog.notePlace({ kind: 'scratch', path: at('not-mounted', '.stowage-option-0123456789ab') })
    expect(settleLeftOvers(catalog, carryOverPlan)).toEqual({ removed: [], putBack: [], problems: [] })
    expect(settleAsNextStart()).toEqual({
      removed: ours.map((name) => at(name)),
      putBack: [],
      problems: [],
    })
    expect(readdirSync(folder).toSorted()).toEqual(['home', 'photos', 'photos.partial-x'])
    // What cannot be looked at now is looked at the next time.
    expect(catalog.notedPlaces()).toHaveLength(3)
  })

  it('finishes a replacement that was killed when the old one was aside', () => {
    writeFileSync(at('it'), 'old')
    mkdirSync(at('.stowage-option-0123456789ab', 'made'), { recursive: true })
    writeFileSync(at('.stowage-option-0123456789ab', 'made', 'file'), 'new')
    catalog.notePlace({ kind: 'scratch', path: at('.stowage-option-0123456789ab') })
    killedWhenAside(at('.stowage-option-0123456789ab', 'made'), at('it'))
    expect(existsSync(at('it'))).toBe(false)
    settleAsNextStart()
    expect(contentOf(at('it'))).toEqual({ file: 'new' })
    expect(readdirSync(folder).toSorted()).toEqual(['home', 'it'])
    expect(catalog.notedPlaces()).toEqual([])
  })

  it('puts back what was set aside when what was to replace it is gone', () => {
    mkdirSync(at('bundle.sparsebundle'))
    writeFileSync(at('bundle.sparsebundle', 'Info.plist'), 'old')
    mkdirSync(at('made'))
    killedWhenAside(at('made'), at('bundle.sparsebundle'))
    rmSync(at('made'), { recursive: true })
    expect(settleAsNextStart()).toMatchObject({ putBack: [at('bundle.sparsebundle')], problems: [] })
    expect(contentOf(at('bundle.sparsebundle'))).toEqual({ 'Info.plist': 'old' })
    expect(catalog.notedPlaces()).toEqual([])
  })

  it("brings a person's own file back from a plan's folder whose replacement was killed", async () => {
    makePlan(at('plan'), 'p-1', { 'my notes.txt': 'mine', 'images/01.iso': IMAGE })
    makePlan(at('plan.partial-0123456789ab'), 'p-2')
    const kill = (): never => {
      throw new Killed()
    }
    await expect(
      replacePlace(catalog, at('plan.partial-0123456789ab'), at('plan'), kill),
    ).rejects.toBeInstanceOf(Killed)
    expect(contentOf(at('plan'))).toEqual({ 'plan.json': planText('p-2'), 'index.tsv': 'p-2' })
    settleAsNextStart()
    expect(contentOf(at('plan'))).toEqual({
      'index.tsv': 'p-2',
      'my notes.txt': 'mine',
      'plan.json': planText('p-2'),
    })
    expect(readdirSync(folder).toSorted()).toEqual(['home', 'plan'])
  })

  const mine = {
    'images/scans/old/a.png': 'mine',
    'images/\n--x\u001b[2J': 'mine',
    'runs/notes': 'mine',
    'folders/list': 'mine',
  }
  // As the replacement checks for these before it begins, they came there later.
  const late = { 'images/01.iso': 'mine', 'volumes/01/deep/mine': 'mine' }

  it.each([
    ['between its two renames', killedWhenAside],
    ['after its second rename', killedWhenReplaced],
    ['while it brought files over', killedWhileBringing],
  ])("brings a person's files from within a plan's folders when it was killed %s", (_when, kill) => {
    makePlan(at('plan'), 'p-1', { ...mine, ...late })
    makePlan(at('plan.partial-0123456789ab'), 'p-2', { 'volumes/01/entries.jsonl': '' })
    kill(at('plan.partial-0123456789ab'), at('plan'))
    const settled = settleAsNextStart()
    expect(settled.problems).toEqual([])
    const wanted = { 'plan.json': planText('p-2'), 'index.tsv': 'p-2', 'volumes/01/entries.jsonl': '' }
    expect(contentOf(at('plan'))).toEqual({ ...wanted, ...mine, ...late })
    expect(readdirSync(folder).toSorted()).toEqual(['home', 'plan'])
    expect(catalog.notedPlaces()).toEqual([])
  })

  it('leaves aside what a new file is in the way of, and reports it', () => {
    makePlan(at('plan'), 'p-1', mine)
    makePlan(at('made'), 'p-2')
    killedWhenReplaced(at('made'), at('plan'))
    mkdirSync(at('plan', 'runs'))
    writeFileSync(at('plan', 'runs', 'notes'), 'newer')
    for (const start of ['the next one', 'the one after it']) {
      expect(settleAsNextStart().problems, start).toEqual([
        expect.stringMatching(/^cannot remove .*: cannot restore .*notes: .*notes already exists$/),
      ])
    }
    expect(contentOf(at('plan'))).toMatchObject({ 'runs/notes': 'newer' })
    expect(contentOf(at('plan.replaced-0123456789ab'))).toMatchObject({ 'runs/notes': 'mine' })
  })

  it('removes what a removal that was killed has left of the old plan', () => {
    makePlan(at('plan'), 'p-1', { 'images/01.iso': IMAGE })
    makePlan(at('made'), 'p-2')
    killedWhenReplaced(at('made'), at('plan'))
    rmSync(at('plan.replaced-0123456789ab', 'plan.json'))
    settleAsNextStart()
    expect(contentOf(at('plan'))).toEqual({ 'plan.json': planText('p-2'), 'index.tsv': 'p-2' })
    expect(readdirSync(folder).toSorted()).toEqual(['home', 'plan'])
  })

  it('keeps all of a plan that it cannot read', () => {
    makePlan(at('plan'), 'p-1', { ...mine, 'plan.json': '{' })
    makePlan(at('made'), 'p-2')
    killedWhenReplaced(at('made'), at('plan'))
    expect(settleAsNextStart().problems).toEqual([expect.stringContaining('plan.json')])
    expect(contentOf(at('plan.replaced-0123456789ab'))).toMatchObject(mine)
  })

  it('leaves both when the place is taken, and reports it', () => {
    makePlan(at('plan'), 'p-1', { 'my notes.txt': 'mine' })
    mkdirSync(at('made'))
    killedWhenAside(at('made'), at('plan'))
    rmSync(at('made'), { recursive: true })
    makePlan(at('plan'), 'p-3')
    const { removed, putBack, problems } = settleAsNextStart()
    expect([removed, putBack]).toEqual([[], []])
    expect(problems).toEqual([
      expect.stringMatching(
        /^.*plan\.replaced-[0-9a-f]{12} was set aside by a process that was killed; something/,
      ),
    ])
    const aside = readdirSync(folder).find((name) => name.startsWith('plan.replaced-')) as string
    expect(contentOf(at(aside))['my notes.txt']).toBe('mine')
  })
})

function killedWhenReplaced(made: string, target: string): void {
  killedWhenAside(made, target)
  renameSync(made, target)
}

function killedWhileBringing(made: string, target: string): void {
  killedWhenReplaced(made, target)
  mkdirSync(join(target, 'images'))
  renameSync(join(`${target}.replaced-0123456789ab`, 'images', 'scans'), join(target, 'images', 'scans'))
}

/** The steps of a replacement up to where the old one is set aside. */
function killedWhenAside(made: string, target: string): void {
  const path = `${target}.replaced-0123456789ab`
  const kind = existsSync(join(target, 'plan.json')) ? 'replaced-plan' : 'replaced'
  catalog.notePlace({ kind, path, target, made, madeIdentity: identityAt(made) ?? '' })
  renameSync(target, path)
}
