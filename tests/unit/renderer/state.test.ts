import { describe, expect, it } from 'vitest'
import { stepStates } from '../../../renderer/src/app/stepStates'
import { initialCatalog, reduceCatalog } from '../../../renderer/src/state/catalog/catalogState'
import { initialFrame, reduceFrame } from '../../../renderer/src/state/frame'
import {
  announcementKey,
  initialJobs,
  reduceJobs,
  runningOf,
  shareDone,
} from '../../../renderer/src/state/jobs'
import { initialKept } from '../../../renderer/src/state/source/keptState'
import { initialSources, reduceSources } from '../../../renderer/src/state/source/sourcesState'
import { buildRows, initialBuild, reduceBuild } from '../../../renderer/src/steps/building/buildState'
import { initialOptions } from '../../../renderer/src/steps/choose/optionsState'
import { initialImages } from '../../../renderer/src/steps/images/imagesState'
import { initialBands } from '../../../renderer/src/steps/measure/bands/bandsState'
import { initialMeasure } from '../../../renderer/src/steps/measure/measureState'
import { chosenMedium, judgeOwnSize } from '../../../renderer/src/steps/plan/ownSize'
import {
  initialPlan,
  isAsChosen,
  isPackedSo,
  type Packing,
  packingBy,
  reducePlan,
} from '../../../renderer/src/steps/plan/planState'
import { initialRestore } from '../../../renderer/src/steps/restore/restoreState'
import { initialRoms } from '../../../renderer/src/steps/roms/romsState'
import {
  bestBlock,
  figuresOf,
  initialSurvey,
  reduceSurvey,
} from '../../../renderer/src/steps/survey/surveyState'
import type { JobEnd, JobKind, JobProgress } from '../../../src/contract/dto/job'
import { type Option, optionsDocumentSchema, optionsRequestSchema } from '../../../src/contract/dto/options'
import type { PlanDocument } from '../../../src/contract/dto/plan'
import { FakeOptions } from '../../fixtures/fakeEngine/fakeOptions'
import { buildPlan, buildRun, MEDIA, mediumOf } from '../../fixtures/fakeEngine/plans'
import { buildSurvey, liveFigures, type SurveyShape } from '../../fixtures/fakeEngine/surveys'

const SHAPE: SurveyShape = { id: 's1', roots: ['/a', '/b'], files: 5000, bytes: 60_000_000_000 }
const survey = buildSurvey(SHAPE)
const bluRay = MEDIA.find((medium) => medium.id === 'bd-r-25') as (typeof MEDIA)[number]
const plan = buildPlan({ id: 'p1', survey: SHAPE, medium: bluRay })

const progress: JobProgress = {
  jobId: 'j1',
  kind: 'survey',
  state: 'running',
  phase: { index: 1, count: 2, name: 'reading' },
  filesDone: 10,
  filesTotal: 100,
  bytesDone: 500,
  bytesTotal: 1000,
  bytesPerSecond: 100,
  elapsedMs: 5000,
  etaMs: 5000,
  current: null,
}

describe('jobs', () => {
  it('never show a finished job as running, even when its start is reported late', () => {
    const end = {
      jobId: 'j1',
      kind: 'survey',
      outcome: 'done',
      resultId: 's1',
      error: null,
      elapsedMs: 3,
    } as const
    const ended = reduceJobs(initialJobs, { type: 'ended', end })
    expect(reduceJobs(ended, { type: 'started', jobId: 'j1', kind: 'survey' }).running).toEqual([])
    expect(reduceJobs(ended, { type: 'progress', progress }).running).toEqual([])
  })

  it('show up by their progress alone, as in a window opened while work runs', () => {
    const state = reduceJobs(initialJobs, { type: 'progress', progress })
    expect(runningOf(state, 'survey')?.progress).toEqual(progress)
  })

  it('are all gone when the engine is', () => {
    const state = reduceJobs(initialJobs, { type: 'started', jobId: 'j1', kind: 'build' })
    expect(reduceJobs(state, { type: 'lost' }).running).toEqual([])
  })

  it('know the share of the whole that the engine reports, and none of a phase', () => {
    expect(shareDone({ ...progress, share: 0.3 })).toBe(0.3)
    expect(shareDone({ ...progress, share: null })).toBeNull()
    expect(shareDone(progress)).toBeNull()
  })

  it('are announced at a tenth, a phase or a pause, not at every report', () => {
    const at = (changes: Partial<JobProgress>) => announcementKey({ ...progress, ...changes })
    expect(at({ share: 0.51 })).toBe(at({ share: 0.59 }))
    expect(at({ share: 0.51 })).not.toBe(at({ share: 0.61 }))
    expect(at({})).not.toBe(at({ state: 'paused' }))
    expect(at({})).not.toBe(at({ phase: { index: 2, count: 2, name: 'saving' } }))
  })
})

describe('sources', () => {
  it('keep the person’s order, each path once', () => {
    const source = (path: string) => ({ path, kind: 'folder', name: path }) as const
    const state = reduceSources(initialSources, { type: 'added', sources: ['/b', '/a', '/b'].map(source) })
    const again = reduceSources(state, { type: 'added', sources: ['/a', '/c'].map(source) })
    expect(again.list.map(({ path }) => path)).toEqual(['/b', '/a', '/c'])
    expect(reduceSources(again, { type: 'added', sources: [source('/c')] })).toBe(again)
  })
})

describe('a survey', () => {
  it('keeps the last document until the next one has its own', () => {
    const loaded = reduceSurvey(initialSurvey, { type: 'loaded', document: survey })
    const running = reduceSurvey(loaded, { type: 'started', samples: 'quick' })
    expect(running.document).toBe(survey)
    expect(figuresOf(running, true)).toBeNull()
    const live = reduceSurvey(running, { type: 'live', live: { jobId: 'j1', ...liveFigures(SHAPE, 0.5) } })
    expect(figuresOf(live, true)?.totals.files).toBe(2500)
    expect(figuresOf(reduceSurvey(live, { type: 'ended', outcome: 'failed' }), false)).toBe(survey)
  })

  it('names the block size that leaves the fewest bytes', () => {
    expect(bestBlock(survey)?.blockSize).toBe(2048)
    expect(bestBlock({ ...survey, fixedBlocks: [] })).toBeNull()
  })
})

describe('the rail', () => {
  const base = {
    sources: initialSources,
    roms: initialRoms,
    kept: initialKept,
    jobs: initialJobs,
    survey: initialSurvey,
    measure: initialMeasure,
    bands: initialBands,
    plan: initialPlan,
    build: initialBuild,
    options: initialOptions,
    catalog: initialCatalog,
    restore: initialRestore,
    images: initialImages,
  }
  const surveyed = reduceSurvey(initialSurvey, { type: 'loaded', document: survey })
  const planned = reducePlan(initialPlan, { type: 'loaded', document: plan, exportedTo: null })
  const at = (path: string) => ({ path, kind: 'folder', name: path }) as const

  it('is empty at first', () => {
    expect(new Set(Object.values(stepStates(base)))).toEqual(new Set(['empty']))
  })

  it('marks the survey and the plan out of date when the sources are others', () => {
    const all = { ...base, survey: surveyed, plan: planned }
    expect(stepStates({ ...all, sources: { ...initialSources, list: [at('/b'), at('/a')] } })).toMatchObject({
      survey: 'done',
      plan: 'done',
    })
    expect(stepStates({ ...all, sources: { ...initialSources, list: [at('/a')] } })).toMatchObject({
      survey: 'stale',
      plan: 'stale',
    })
  })

  it('marks the plan out of date when another survey is shown', () => {
    const other = reduceSurvey(surveyed, { type: 'loaded', document: { ...survey, id: 's2' } })
    expect(stepStates({ ...base, survey: other, plan: planned }).plan).toBe('stale')
  })

  it('marks options out of date when another survey is shown, or the sources are others', () => {
    const chosen = {
      ...initialOptions,
      document: { surveyId: survey.id } as NonNullable<typeof initialOptions.document>,
    }
    const all = { ...base, survey: surveyed, options: chosen }
    expect(stepStates(all).choose).toBe('done')
    expect(stepStates({ ...all, sources: { ...initialSources, list: [at('/a')] } }).choose).toBe('stale')
    const other = reduceSurvey(surveyed, { type: 'loaded', document: { ...survey, id: 's2' } })
    expect(stepStates({ ...all, survey: other }).choose).toBe('stale')
    const jobs = reduceJobs(initialJobs, { type: 'started', jobId: 'j', kind: 'option' })
    expect(stepStates({ ...all, jobs }).choose).toBe('running')
  })

  it('marks what failed or was interrupted, until it is started again or another result is shown', () => {
    const ended = (kind: JobKind, outcome: JobEnd['outcome']) =>
      reduceJobs(reduceJobs(initialJobs, { type: 'started', jobId: 'j', kind }), {
        type: 'ended',
        end: { jobId: 'j', kind, outcome, resultId: null, error: null, elapsedMs: 3 },
      })
    const kinds = {
      survey: 'survey',
      bands: 'measure',
      option: 'choose',
      export: 'plan',
      verify: 'build',
      restore: 'restore',
      image: 'images',
      roms: 'roms',
    } as const
    for (const [kind, step] of Object.entries(kinds)) {
      for (const outcome of ['failed', 'interrupted'] as const)
        expect(
          stepStates({ ...base, jobs: ended(kind as JobKind, outcome) })[step],
          `${kind} ${outcome}`,
        ).toBe('failed')
      expect(
        stepStates({ ...base, jobs: ended(kind as JobKind, 'cancelled') })[step],
        `${kind} cancelled`,
      ).toBe('empty')
    }
    const failed = ended('survey', 'failed')
    const begun = reduceJobs(failed, { type: 'started', jobId: 'j2', kind: 'survey' })
    expect(stepStates({ ...base, jobs: begun }).survey).toBe('running')
    const replaced = reduceJobs(failed, { type: 'replaced', kinds: ['survey'] })
    expect(stepStates({ ...base, jobs: replaced, survey: surveyed }).survey).toBe('done')
  })

  it('asks about an export into a folder that is not empty, and marks it neither failed nor done', () => {
    const started = reduceJobs(initialJobs, { type: 'started', jobId: 'j', kind: 'export' })
    const jobs = reduceJobs(started, {
      type: 'ended',
      end: { jobId: 'j', kind: 'export', outcome: 'failed', resultId: null, error: null, elapsedMs: 3 },
    })
    const refused = reducePlan(planned, { type: 'refused', directory: '/full' })
    expect(stepStates({ ...base, jobs, plan: refused }).plan).toBe('asks')
    expect(stepStates({ ...base, jobs: started, plan: refused }).plan).toBe('running')
    const decided = reducePlan(refused, { type: 'refused', directory: null })
    expect(stepStates({ ...base, jobs, plan: decided }).plan).toBe('failed')
  })

  it('marks a build of which every volume failed as failed, not as done', () => {
    const run = buildRun(
      'r1',
      'build',
      plan,
      '/plan',
      [],
      plan.volumes.map(({ index }) => index),
    )
    const opened = reduceBuild(initialBuild, { type: 'opened', directory: '/plan', plan })
    const built = reduceBuild(opened, { type: 'ran', run: { ...run, outcome: 'failed' } })
    expect(stepStates({ ...base, build: built }).build).toBe('failed')
    const volumes = run.volumes.map((volume) => ({ ...volume, state: 'cancelled' }) as const)
    const cancelled = reduceBuild(opened, { type: 'ran', run: { ...run, outcome: 'cancelled', volumes } })
    expect(stepStates({ ...base, build: cancelled }).build).toBe('empty')
  })

  it('marks what runs', () => {
    const jobs = reduceJobs(initialJobs, { type: 'started', jobId: 'j', kind: 'export' })
    expect(stepStates({ ...base, jobs })).toMatchObject({ plan: 'running', survey: 'empty' })
  })
})

describe('a plan', () => {
  it('makes its medium the chosen one, a size of one’s own included', () => {
    const own = mediumOf('folder:4GB')
    const document = buildPlan({ id: 'p2', survey: SHAPE, medium: own })
    const state = reducePlan(initialPlan, { type: 'loaded', document, exportedTo: null })
    expect(state).toMatchObject({ mediumId: 'folder:4GB', customKind: 'folder', customSize: '4GB' })
  })

  it('is out of date for another number of copies, unless the next plan adds to it', () => {
    const loaded = reducePlan(initialPlan, {
      type: 'loaded',
      document: { ...plan, copies: 2 },
      exportedTo: null,
    })
    const of = (copies: number | null) => reducePlan(loaded, { type: 'copies', copies })
    expect([2, 3, null].map((copies) => isAsChosen(of(copies)))).toEqual([true, false, false])
    const earlier = {
      planId: plan.id,
      createdWallMs: 0,
      labels: [],
      encryption: 'none',
      joined: false,
    } as const
    expect(isAsChosen(reducePlan(of(3), { type: 'earlier', earlier }))).toBe(true)
  })

  it('is out of date for other parity discs than it has', () => {
    const loaded = reducePlan(
      { ...initialPlan, media: MEDIA },
      {
        type: 'loaded',
        document: { ...plan, medium: mediumOf('cd-700'), protectSet: 1 },
        exportedTo: null,
      },
    )
    const of = (parityDiscs: 0 | 1 | 2) => reducePlan(loaded, { type: 'parity', parityDiscs })
    expect(([0, 1, 2] as const).map((discs) => isAsChosen(of(discs)))).toEqual([false, true, false])
  })

  it('remembers where it went only while it is the one shown', () => {
    const state = reducePlan(initialPlan, { type: 'loaded', document: plan, exportedTo: null })
    expect(reducePlan(state, { type: 'exported', planId: 'p1', directory: '/x' }).exportedTo).toBe('/x')
    expect(reducePlan(state, { type: 'exported', planId: 'p9', directory: '/x' }).exportedTo).toBeNull()
  })

  it('shows the plan folder that an export has replaced until another plan is shown', () => {
    const setAside = { path: '/x.replaced-2026-11-25', files: 9, bytes: 1000 }
    const state = reducePlan(initialPlan, { type: 'loaded', document: plan, exportedTo: null })
    const exported = reducePlan(state, { type: 'exported', planId: 'p1', directory: '/x', setAside })
    expect(exported.setAside).toEqual(setAside)
    const again = reducePlan(exported, { type: 'exported', planId: 'p1', directory: '/y' })
    expect(again.setAside).toBeNull()
    expect(reducePlan(exported, { type: 'loaded', document: plan, exportedTo: '/x' }).setAside).toBeNull()
  })
})

describe('a size of one’s own', () => {
  it('is judged as it is typed', () => {
    expect(judgeOwnSize('')).toEqual({ ok: false, problem: null })
    expect(judgeOwnSize('700 MB')).toEqual({ ok: true, bytes: 700_000_000, sectors: 341_796 })
    expect(judgeOwnSize('7 bananas')).toMatchObject({
      ok: false,
      problem: expect.stringContaining('Not a size'),
    })
    expect(judgeOwnSize('12k')).toMatchObject({ ok: false, problem: expect.stringContaining('Too small') })
  })

  it('is a medium of whole sectors', () => {
    expect(chosenMedium(MEDIA, 'custom:700MB')).toMatchObject({
      limit: { capacityBytes: 341_796 * 2048 },
    })
    expect(chosenMedium(MEDIA, 'folder:4GB')).toMatchObject({
      limit: { capacityBytes: 976_562 * 4096 },
    })
    expect(chosenMedium(MEDIA, 'custom:')).toBeNull()
    expect(chosenMedium(MEDIA, 'bd-r-25')).toMatchObject({ id: 'bd-r-25', limit: bluRay })
  })

  it('may be without a limit: a disk', () => {
    expect(chosenMedium(MEDIA, 'disk')).toMatchObject({ id: 'disk', limit: null })
  })
})

describe('what a plan packs its files into', () => {
  const packing: Packing = {
    recipe: '7z-files',
    name: '7z, each file alone',
    form: 'archive',
    encryption: 'aes-256',
    joined: false,
    bytes: { value: 5, low: 4, high: 6, confidence: 0.95, provenance: 'modelled', basis: '' },
    surveyId: plan.surveyId,
  }
  const { recipe, encryption, bytes } = packing
  const packed: PlanDocument = {
    ...plan,
    packing: { recipe, encryption, bytes, arrangement: 'independent' },
  }

  it('is that of the plan once it is made, in the words of the option', () => {
    const chosen = reducePlan(initialPlan, { type: 'packing', packing })
    const made = reducePlan(chosen, { type: 'loaded', document: packed, exportedTo: null })
    expect(made.packing).toEqual(packing)
    const other = reducePlan(initialPlan, { type: 'loaded', document: packed, exportedTo: null })
    expect(other.packing).toEqual({ ...packing, name: null, form: null })
    expect(reducePlan(made, { type: 'loaded', document: plan, exportedTo: null }).packing).toBeNull()
  })

  it('recognizes whether a plan is the selected one', () => {
    expect(isPackedSo(packed, packing)).toBe(true)
    expect(isPackedSo(packed, { ...packing, joined: true })).toBe(false)
    expect(isPackedSo(packed, { ...packing, encryption: 'none' })).toBe(false)
    expect(isPackedSo(packed, null)).toBe(false)
    expect(isPackedSo(plan, null)).toBe(true)
    expect(isPackedSo(plan, packing)).toBe(false)
  })

  it('keeps the choice to store identical files once, which leaves them plain files', async () => {
    const asked = optionsRequestSchema.parse({ surveyId: 's1', mediumIds: ['disk'] })
    const { options } = optionsDocumentSchema.parse(
      await new FakeOptions({}, SHAPE).handlers(() => ({ jobId: 'j1' })).list(asked),
    )
    const packingOf = (name: string) => {
      const option = options.find(({ variant }) => variant === name) as Option
      return packingBy({ ...option, plan: { form: 'plain', because: null } }, survey.id)
    }
    expect(packingOf('plain')).toBeNull()
    const once = packingOf('plain-hardlinks')
    expect(once).toMatchObject({ recipe: 'plain-hardlinks', form: 'plain', joined: false })
    const ofOnce: PlanDocument = { ...plan, equalFiles: 'once' }
    const reopened = reducePlan(initialPlan, { type: 'loaded', document: ofOnce, exportedTo: null })
    for (const choice of [once, reopened.packing]) expect(isPackedSo(ofOnce, choice)).toBe(true)
    expect(isPackedSo(ofOnce, null)).toBe(false)
    expect(isPackedSo(plan, once)).toBe(false)
  })

  it('is built with volumes that were not forecast, and without some that were', () => {
    const state = reduceBuild(initialBuild, { type: 'opened', directory: '/plan', plan: packed })
    const run = buildRun('r1', 'build', packed, '/plan', [1])
    const [first] = run.volumes
    if (!first) throw new Error('the run has no volume')
    const more = { ...first, index: 99, label: 'A_99', actualSectors: 7 }
    const rows = buildRows(reduceBuild(state, { type: 'ran', run: { ...run, volumes: [first, more] } }))
    expect(rows.map(({ index }) => index)).toEqual([...packed.volumes.map(({ index }) => index), 99])
    expect(rows.at(-1)).toMatchObject({ label: 'A_99', forecastSectors: null, actualSectors: 7 })
  })

  it('shows what packing left in a volume that was built, and what was planned for the others', () => {
    const state = reduceBuild(initialBuild, { type: 'opened', directory: '/plan', plan: packed })
    const run = buildRun('r1', 'build', packed, '/plan', [1])
    const volumes = run.volumes.map((volume) => ({ ...volume, bytes: 11, files: 1 }))
    const [first, second] = buildRows(reduceBuild(state, { type: 'ran', run: { ...run, volumes } }))
    expect(first).toMatchObject({ bytes: 11, files: 1 })
    expect(second?.bytes).toBe(packed.volumes[1]?.bytes)
  })
})

describe('a build', () => {
  const opened = reduceBuild(initialBuild, { type: 'opened', directory: '/plan', plan })

  it('compares forecast and actual figures, volume by volume', () => {
    const run = buildRun('r1', 'build', plan, '/plan', [1])
    const rows = buildRows(reduceBuild(opened, { type: 'ran', run }))
    expect(rows.map((row) => [row.label, row.forecastSectors, row.actualSectors])).toEqual(
      plan.volumes.map((volume, at) => [volume.label, volume.sectors, at === 0 ? volume.sectors : null]),
    )
  })

  it('has a check only where it came after the verification, whose own is dated by older catalogs too', () => {
    const verify = { ...buildRun('r1', 'verify', plan, '/plan', []), startedWallMs: 1000, elapsedMs: 5.9 }
    const state = reduceBuild(opened, { type: 'ran', run: verify })
    const [volume] = plan.volumes
    if (!volume) throw new Error('the plan has no volume')
    const checkAt = (checkedWallMs: number) => {
      const about = { setId: null, planId: plan.id, volume: volume.index, copy: 1, label: volume.label }
      const found = {
        id: 'r1',
        result: 'good',
        by: 'plan',
        reading: null,
        files: 1,
        damaged: 0,
        everyMonths: 12,
      } as const
      const due = {
        ...about,
        madeWallMs: null,
        checkByWallMs: 0,
        last: { ...about, ...found, checkedWallMs },
      }
      return buildRows(state, [due])[0]?.check
    }
    for (const own of [1005, 1005.9]) expect(checkAt(own)).toBeNull()
    expect(checkAt(1006)).not.toBeNull()
  })

  it('ignores the run of another folder', () => {
    const run = buildRun('r1', 'build', plan, '/elsewhere', [])
    expect(reduceBuild(opened, { type: 'ran', run })).toBe(opened)
  })

  it('forgets the verification of images that were built again', () => {
    const verify = buildRun('r1', 'verify', plan, '/plan', [])
    const verified = reduceBuild(opened, { type: 'ran', run: verify })
    const build = buildRun('r2', 'build', plan, '/plan', [])
    expect(reduceBuild(verified, { type: 'ran', run: build }).verify).toBeNull()
    const kept = {
      ...build,
      volumes: build.volumes.map((volume) => Object.assign(volume, { state: 'kept' as const })),
    }
    expect(reduceBuild(verified, { type: 'ran', run: kept }).verify).toBe(verify)
  })

  it('keeps picked volumes in order', () => {
    const picks = [3, 1, 2].reduce(
      (state, index) => reduceBuild(state, { type: 'picked', index, on: true }),
      opened,
    )
    expect(picks.picked).toEqual([1, 2, 3])
    expect(reduceBuild(picks, { type: 'picked', index: 2, on: false }).picked).toEqual([1, 3])
  })
})

describe('failures', () => {
  const failed = (message: string) =>
    ({ type: 'failed', error: { code: 'io', message }, step: 'plan' }) as const

  it('are shown once each, at most three, the newest last', () => {
    const state = ['a', 'b', 'a', 'c', 'd'].reduce(
      (was, message) => reduceFrame(was, failed(message)),
      initialFrame,
    )
    expect(state.notices.map((notice) => notice.error.message)).toEqual(['a', 'c', 'd'])
  })

  it('go when their step begins anew', () => {
    const state = reduceFrame(reduceFrame(initialFrame, failed('a')), { type: 'cleared', step: 'plan' })
    expect(state.notices).toEqual([])
  })
})

describe('the catalog', () => {
  it('forgets what it found when the search is emptied', () => {
    const found = reduceCatalog(initialCatalog, { type: 'found', pattern: 'x', files: [] })
    expect(reduceCatalog(found, { type: 'typed', pattern: 'xy' }).found).toEqual([])
    expect(reduceCatalog(found, { type: 'typed', pattern: '' }).found).toBeNull()
  })
})
