import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Session } from '../../../renderer/src/app/session'
import { rowOf } from '../../../renderer/src/state/source/keptState'
import type { WalkRequest } from '../../../src/contract/dto/survey'
import { FakeEngine } from '../../fixtures/fakeEngine/fakeEngine'
import type { Scenario } from '../../fixtures/fakeEngine/scenario'

/** Longer than the pause after which the sources are walked. */
const REST_MS = 200
const ROOT = '/media/photos'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

async function rested(): Promise<void> {
  await new Promise(setImmediate)
  await vi.advanceTimersByTimeAsync(REST_MS)
  await new Promise(setImmediate)
}

/** A window with one folder of photographs, exports and caches. */
async function walked(scenario: Scenario = {}) {
  const engine = new FakeEngine({
    sources: [{ path: ROOT, kind: 'folder', name: 'photos' }],
    survey: { files: 12_000, bytes: 100_000_000_000 },
    ...scenario,
  })
  const session = new Session(engine.api)
  session.start()
  await rested()
  const walks = () => engine.callsOf('survey.walk') as WalkRequest[]
  const row = (path: string) => {
    const found = rowOf(session.kept.store.get().folders, `${ROOT}/${path}`)
    if (!found) throw new Error(`no row ${path}`)
    return found
  }
  const patterns = () => walks().at(-1)?.rules?.patterns
  return { engine, session, kept: session.kept, walks, row, patterns }
}

describe('what is kept', () => {
  it('is walked again for each press on a check box, which leaves out and takes back', async () => {
    const { kept, row, patterns } = await walked()
    kept.toggle(row('Exports'))
    await rested()
    expect(patterns()).toEqual(['/Exports/'])
    expect(row('Exports')).toMatchObject({ rule: 0, files: 0 })
    kept.toggle(row('Exports'))
    await rested()
    expect(patterns()).toEqual([])
    expect(row('Exports').rule).toBeNull()
  })

  it('leaves one file out of a folder that stays open', async () => {
    const { kept, row, patterns } = await walked()
    for (const folder of ['2019', '2019/01']) {
      kept.setOpen(`${ROOT}/${folder}`, true)
      await rested()
    }
    kept.toggle(row('2019/01/IMG_4100.CR2'))
    await rested()
    expect(patterns()).toEqual(['/2019/01/IMG_4100.CR2'])
    expect(row('2019')).toMatchObject({ excludedFiles: 1, rule: null })
    expect(kept.store.get().open).toContain(`${ROOT}/2019/01`)
  })

  it('takes back what a preset leaves out, and a folder that two rules leave out', async () => {
    const { kept, row, patterns } = await walked()
    kept.set({ presets: ['caches'] })
    await rested()
    kept.toggle(row('.cache'))
    await rested()
    expect(patterns()).toEqual(['!/.cache/'])
    kept.set({ patterns: ['/.cache/'] })
    await rested()
    expect(row('.cache').rule).not.toBeNull()
    kept.toggle(row('.cache'))
    await rested()
    await rested()
    expect(patterns()).toEqual(['!/.cache/'])
    expect(row('.cache').rule).toBeNull()
  })

  it('cannot be taken back in a folder that is left out: the folder is named', async () => {
    const { kept, row } = await walked()
    kept.setOpen(`${ROOT}/2019`, true)
    await rested()
    kept.toggle(row('2019'))
    kept.toggle(row('2019/02'))
    expect(kept.store.get().ineffective).toEqual({ path: `${ROOT}/2019/02`, folder: `${ROOT}/2019` })
  })

  it('is walked once for changes in quick succession', async () => {
    const { kept, walks } = await walked()
    const before = walks().length
    for (const pattern of ['*.a', '*.b', '*.c']) kept.addPattern(pattern)
    await rested()
    expect(walks().slice(before)).toMatchObject([{ rules: { patterns: ['*.a', '*.b', '*.c'] } }])
  })

  it('gets a removed rule back at its place', async () => {
    const { session, kept } = await walked()
    for (const pattern of ['*.a', '*.b']) kept.addPattern(pattern)
    kept.removePattern(0)
    expect(kept.store.get().rules.patterns).toEqual(['*.b'])
    session.undo()
    expect(kept.store.get().rules.patterns).toEqual(['*.a', '*.b'])
  })
})

describe('a walk', () => {
  it('is cancelled and begun anew when the sources change', async () => {
    const { engine, session, kept, walks } = await walked({ walk: { held: true } })
    expect(walks()).toHaveLength(1)
    session.sources.store.dispatch({
      type: 'added',
      sources: [{ path: '/media/more', kind: 'folder', name: 'more' }],
    })
    await rested()
    expect(engine.callsOf('job.cancel')).toHaveLength(1)
    expect(walks().at(-1)?.paths).toEqual([ROOT, '/media/more'])
    engine.endWalk()
    await rested()
    expect(kept.store.get()).toMatchObject({ status: 'idle', document: { roots: [ROOT, '/media/more'] } })
  })

  it('that fails is shown with its reason, and can be tried again', async () => {
    const error = {
      code: 'permission-denied',
      message: 'cannot read /media/photos: permission denied',
    } as const
    const { kept, walks } = await walked({ jobFails: { walk: error } })
    expect(kept.store.get()).toMatchObject({ status: 'failed', error })
    kept.look()
    await rested()
    expect(walks()).toHaveLength(2)
  })

  it('with a rule that the engine cannot use keeps the figures of the rules before', async () => {
    const { kept } = await walked()
    const { document } = kept.store.get()
    kept.addPattern('a[b')
    await rested()
    expect(kept.store.get()).toMatchObject({ status: 'failed', document })
    expect(kept.store.get().error?.message).toBe('cannot use the rule "a[b", column 1: "[" has no "]"')
  })
})

describe('the default rules of the settings', () => {
  it('are followed until a person changes rules', async () => {
    const { session, kept } = await walked({ settings: { 'exclude-preset': ['caches'] } })
    expect(kept.store.get().rules.presets).toEqual(['caches'])
    await session.saveSettings({ 'exclude-preset': ['trash'] })
    expect(kept.store.get().rules.presets).toEqual(['trash'])
    kept.addPattern('*.tmp')
    await session.saveSettings({ 'exclude-preset': [] })
    expect(kept.store.get().rules).toMatchObject({ presets: ['trash'], patterns: ['*.tmp'] })
    kept.takeDefault()
    expect(kept.rules()).toBeUndefined()
  })

  it('can be made of the rules at hand', async () => {
    const { engine, kept } = await walked()
    kept.addPattern('/Exports/')
    await kept.makeDefault()
    expect(engine.callsOf('app.saveSettings')).toMatchObject([{ exclude: ['/Exports/'] }])
  })
})
