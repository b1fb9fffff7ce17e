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
import { openCatalog } from '../../../../src/engine/catalog/openCatalog'
import { identityAt, recoverLeftOvers } from '../../../../src/engine/files/place'
import { withTempFolder } from '../../../../src/engine/files/scratch'

let folder: string
let catalog: ReturnType<typeof openCatalog>
/** Plan folders of which the catalog knows where they are now. */
let keptPlans: string[]
beforeEach(() => {
  keptPlans = []
  folder = mkdtempSync(join(tmpdir(), 'stowage-folders-'))
  catalog = openCatalog(join(folder, 'home'))
})
afterEach(() => {
  catalog.close()
  rmSync(folder, { recursive: true, force: true })
})

const at = (...names: string[]): string => join(folder, ...names)

/** What the next start does about the notes of a process that has ended: no process has this number. */
function recoverAsNextStart(): ReturnType<typeof recoverLeftOvers> {
  const notes = {
    notedPlaces: () =>
      catalog.notedPlaces().map((noted) => Object.assign(noted, { owner: String(2 ** 22 + 1) })),
    placeGone: catalog.placeGone,
  }
  return recoverLeftOvers(notes, (aside) => keptPlans.push(aside))
}

function makePlan(path: string, id: string, more: Record<string, string> = {}): Record<string, string> {
  const files = { 'plan.json': `{"id":"${id}"}`, 'index.tsv': id, ...more }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(path, name, '..'), { recursive: true })
    writeFileSync(join(path, name), text)
  }
  return files
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
    await withTempFolder(catalog, path, async (place) => {
      expect(catalog.notedPlaces().map((noted) => noted.path)).toEqual([place])
      writeFileSync(join(place, 'made'), 'much')
    })
    expect(existsSync(path)).toBe(false)
    await expect(
      withTempFolder(catalog, path, async (place) => {
        mkdirSync(join(place, 'deep'))
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    expect(readdirSync(folder)).toEqual(['home'])
    expect(catalog.notedPlaces()).toEqual([])
  })

  it('cannot be made where the folder above is missing, and leaves no note', async () => {
    const path = at('none', '.stowage-option-0123456789ab')
    await expect(withTempFolder(catalog, path, async () => {})).rejects.toMatchObject({ code: 'not-found' })
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
    expect(recoverLeftOvers(catalog, () => expect.unreachable('no plan was replaced'))).toEqual({
      removed: [],
      putBack: [],
      kept: [],
      problems: [],
    })
    expect(recoverAsNextStart()).toEqual({
      removed: ours.map((name) => at(name)),
      putBack: [],
      kept: [],
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
    recoverAsNextStart()
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
    expect(recoverAsNextStart()).toMatchObject({ putBack: [at('bundle.sparsebundle')], problems: [] })
    expect(contentOf(at('bundle.sparsebundle'))).toEqual({ 'Info.plist': 'old' })
    expect(catalog.notedPlaces()).toEqual([])
  })

  it.each([
    ['between its two renames', killedWhenAside],
    ['after its second rename', killedWhenReplaced],
  ])('keeps all of a plan whose replacement was killed %s', (_when, kill) => {
    const old = makePlan(at('plan'), 'p-1', { 'my notes.txt': 'mine', 'images/01.iso': 'built' })
    const made = makePlan(at('plan.partial-0123456789ab'), 'p-2')
    catalog.notePlace({ kind: 'scratch', path: at('plan.partial-0123456789ab') })
    kill(at('plan.partial-0123456789ab'), at('plan'), 'replaced-2026-11-25')
    const aside = at('plan.replaced-2026-11-25')
    expect(recoverAsNextStart()).toEqual({ removed: [], putBack: [], kept: [aside], problems: [] })
    expect(keptPlans).toEqual([aside])
    expect([contentOf(at('plan')), contentOf(aside)]).toEqual([made, old])
    expect(readdirSync(folder).toSorted()).toEqual(['home', 'plan', 'plan.replaced-2026-11-25'])
    expect(catalog.notedPlaces()).toEqual([])
  })

  it('keeps a plan that an older version had set aside to remove it', () => {
    const old = makePlan(at('plan'), 'p-1', { 'my notes.txt': 'mine' })
    makePlan(at('made'), 'p-2')
    killedWhenReplaced(at('made'), at('plan'))
    expect(recoverAsNextStart()).toMatchObject({ removed: [], problems: [] })
    expect(contentOf(at('plan.replaced-0123456789ab'))).toEqual(old)
  })

  it('puts a plan back under its name when the new one is gone', () => {
    const old = makePlan(at('plan'), 'p-1', { 'my notes.txt': 'mine' })
    makePlan(at('made'), 'p-2')
    killedWhenAside(at('made'), at('plan'), 'replaced-2026-11-25-2')
    rmSync(at('made'), { recursive: true })
    expect(recoverAsNextStart()).toMatchObject({ putBack: [at('plan')], kept: [], problems: [] })
    expect([keptPlans, contentOf(at('plan')), readdirSync(folder).toSorted()]).toEqual([
      [],
      old,
      ['home', 'plan'],
    ])
  })

  it("leaves a folder of a name that is not Stowage's alone", () => {
    makePlan(at('plan'), 'p-1')
    makePlan(at('made'), 'p-2')
    killedWhenAside(at('made'), at('plan'), 'replaced-by-me')
    expect(recoverAsNextStart()).toEqual({ removed: [], putBack: [], kept: [], problems: [] })
    expect(readdirSync(folder).toSorted()).toEqual(['home', 'made', 'plan.replaced-by-me'])
  })

  it('leaves both when the place is taken, and reports it', () => {
    makePlan(at('plan'), 'p-1', { 'my notes.txt': 'mine' })
    mkdirSync(at('made'))
    killedWhenAside(at('made'), at('plan'))
    rmSync(at('made'), { recursive: true })
    makePlan(at('plan'), 'p-3')
    const { removed, putBack, problems } = recoverAsNextStart()
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

function killedWhenReplaced(made: string, target: string, ending?: string): void {
  killedWhenAside(made, target, ending)
  renameSync(made, target)
}

/** The steps of a replacement up to where the old one is set aside. */
function killedWhenAside(made: string, target: string, ending = 'replaced-0123456789ab'): void {
  const path = `${target}.${ending}`
  const kind = existsSync(join(target, 'plan.json')) ? 'replaced-plan' : 'replaced'
  catalog.notePlace({ kind, path, target, made, madeIdentity: identityAt(made) ?? '' })
  renameSync(target, path)
}
