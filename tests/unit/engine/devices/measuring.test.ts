import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type MeasureRequest, measureRequestSchema } from '../../../../src/contract/dto/measure'
import { type ContainerPlan, planInContainer } from '../../../../src/domain/devices/containerPlan'
import { planRun } from '../../../../src/domain/devices/runPlan'
import { testSpecSchema } from '../../../../src/domain/devices/testSpec'
import type { Catalog } from '../../../../src/engine/catalog/catalog'
import { openCatalog } from '../../../../src/engine/catalog/openCatalog'
import { removeLeftOvers } from '../../../../src/engine/devices/leftOvers'
import { pciLinkRate, usbLinkRate } from '../../../../src/engine/devices/linkRate'
import { planMeasurement } from '../../../../src/engine/devices/preview'
import { readableFiles } from '../../../../src/engine/devices/readableFiles'
import { resolveSpec } from '../../../../src/engine/devices/resolveSpec'
import { type ContainerEnd, runInContainer } from '../../../../src/engine/devices/runInContainer'
import { startTimedRun } from '../../../../src/engine/native/timing'
import { systemClock } from '../../../../src/primitives/clock'
import { followed } from '../../../support/followedJob'

let folder: string
let catalog: Catalog
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-measuring-'))
  catalog = openCatalog(join(folder, 'home'))
})
afterEach(() => {
  catalog.close()
  rmSync(folder, { recursive: true, force: true })
})

function request(given: Partial<MeasureRequest> & Pick<MeasureRequest, 'spec'>): MeasureRequest {
  return measureRequestSchema.parse({ directory: folder, ...given })
}

const SURVEY = {
  survey: () => ({
    sizeHistogram: [
      { fromBytes: 0, toBytes: 1, files: 9, bytes: 0 },
      { fromBytes: 4096, toBytes: 8192, files: 30, bytes: 180_000 },
      { fromBytes: 2 ** 20, toBytes: 2 ** 21, files: 10, bytes: 15_000_000 },
    ],
  }),
} as unknown as Catalog

describe('resolveSpec', () => {
  it('takes the sizes of a survey, and keeps them so that the survey is not needed again', () => {
    const { spec } = resolveSpec(request({ spec: { kind: 'survey', surveyId: 's-1' } }), SURVEY)
    const histogram = [
      [4096, 8192, 30],
      [2 ** 20, 2 ** 21, 10],
    ]
    expect(spec.tests[0]?.sizes).toMatchObject({ survey: 's-1', histogram })
    const text = 'tests: [{sizes: {survey: s-1, count: 50}}]'
    const written = resolveSpec(request({ spec: { kind: 'text', text, name: 'own' } }), SURVEY)
    expect(written.spec.tests[0]?.sizes).toMatchObject({ histogram, count: 50 })
  })

  it('takes budget and cache mode of the request over those of the specification', () => {
    const text = 'budget: 5GB\ntests: [{sizes: [{size: 1MB, count: 100}]}]'
    const { spec, changes } = resolveSpec(
      request({ spec: { kind: 'text', text, name: 'own' }, budgetBytes: 52e6, cache: 'buffered' }),
      SURVEY,
    )
    expect(spec).toMatchObject({ budget: 52e6, cache: 'buffered' })
    expect(changes).toMatchObject([{ code: 'fewerFiles', from: 100 }])
  })

  it('refuses a test that reads what nothing wrote', () => {
    const text = 'tests: [{name: late, sizes: [1MB], operations: [read]}]'
    expect(() => resolveSpec(request({ spec: { kind: 'text', text, name: 'own' } }), SURVEY)).toThrow(
      /late: its first operation must write/,
    )
  })
})

describe('planMeasurement', () => {
  it('says what it would write, where and how much, and writes nothing', async () => {
    const { preview } = await planMeasurement(
      request({ spec: { kind: 'preset', preset: 'quick' }, budgetBytes: 2e7 }),
      catalog,
    )
    expect(preview).toMatchObject({ directory: folder, readOnly: false, refusal: null })
    expect(preview.writeBytes).toBeLessThanOrEqual(2e7)
    expect(preview.peakBytes).toBeLessThanOrEqual(preview.writeBytes)
    expect(preview.spec.name).toBe('Quick')
    expect(existsSync(join(folder, 'stowage-measure'))).toBe(false)
    expect(catalog.measureFolders()).toEqual([])
  })

  it('measures every kind within the usual budget, or what is free', async () => {
    const asked = request({
      spec: { kind: 'preset', preset: 'stibium' },
      container: { kind: 'all', encryption: 256 },
    })
    const { preview } = await planMeasurement(asked, catalog)
    expect(preview).toMatchObject({ container: null, containers: 6, refusal: null })
    expect(preview.writeBytes).toBeLessThanOrEqual(43e9)
    expect(preview.peakBytes).toBeLessThanOrEqual((preview.freeBytes ?? 0) - preview.keepFreeBytes)
  })

  it('says why it would be refused', async () => {
    const text = 'keepFree: 8000TB\ntests: [{sizes: [1MB]}]'
    const { preview } = await planMeasurement(request({ spec: { kind: 'text', text, name: 'own' } }), catalog)
    expect(preview.refusal).toMatchObject({
      code: 'no-space',
      message: expect.stringContaining('a smaller budget would fit'),
    })
    const reading = request({
      spec: { kind: 'preset', preset: 'quick' },
      readOnly: true,
      directory: join(folder, 'empty'),
    })
    mkdirSync(join(folder, 'empty'))
    expect((await planMeasurement(reading, catalog)).preview.refusal?.code).toBe('nothing-to-do')
  })
})

describe('runInContainer', () => {
  const spec = testSpecSchema.parse({ tests: [{ sizes: [{ size: 100_000, count: 10 }] }] })
  const all = planInContainer(planRun(spec), spec, { kind: 'all', encryption: 256 })
  /** No sparse image has such bands. */
  const plan = {
    ...all,
    segments: all.segments.map(({ container, ...segment }) =>
      Object.assign(segment, {
        container: container.kind === 'UDSP' ? { ...container, bandBytes: 1000 } : container,
      }),
    ),
  }
  const place = { keepFreeBytes: 0, requestBytes: 2 ** 20, doing: 'measure' }
  const run = async (given: ContainerPlan): Promise<[ContainerEnd, share: number | null | undefined]> => {
    const found: ContainerEnd[] = []
    const updates = await followed(async (context) => {
      const folders = { begin: () => 'stowage-measure-1', gone: () => undefined }
      found.push(await runInContainer({ directory: folder, ...place }, given, folders, context, () => {}))
    })
    return [found[0] as ContainerEnd, updates.at(-1)?.share]
  }

  it('leaves out containers that cannot be made, says why, and measures the others', async () => {
    const [end, share] = await run(plan)
    expect(end.error).toBeNull()
    const names = end.measured.map(({ container: { kind, encryption } }) => [kind, encryption])
    expect(names).toEqual([
      ['UDSB', null],
      ['UDSB', 256],
      ['UDRW', null],
      ['UDRW', 256],
    ])
    expect(
      end.notMade.map(({ container, error }) => [container.kind, container.encryption, error.code]),
    ).toEqual([
      ['UDSP', null, 'usage'],
      ['UDSP', 256, 'usage'],
    ])
    expect(end.notMade[0]?.error.message).toMatch(/band/)
    for (const { samples } of end.measured)
      expect(Object.values(samples).map(({ length }) => length)).toEqual([20, 20, 18])
    expect(share).toBe(1)
    expect(readdirSync(folder)).toEqual(['home'])
  })

  it('ends where the one container that was asked for cannot be made', async () => {
    const [end] = await run({ ...plan, mayLeaveOut: false })
    expect([end.error?.code, end.notMade, end.measured.length]).toEqual(['usage', [], 2])
  })
})

describe('readableFiles', () => {
  it('chooses within the budget, in an order of its own, the same for the same seed', async () => {
    mkdirSync(join(folder, 'files/deep'), { recursive: true })
    for (let k = 0; k < 40; k++)
      writeFileSync(join(folder, 'files', k % 2 ? 'deep' : '', `f${k}`), 'x'.repeat(1 + k * 10))
    writeFileSync(join(folder, 'files/empty'), '')
    const all = await readableFiles(join(folder, 'files'), 1e6, 1)
    expect(all).toHaveLength(40)
    expect(all).not.toEqual(all.toSorted((a, b) => (a.path < b.path ? -1 : 1)))
    expect(await readableFiles(join(folder, 'files'), 1e6, 1)).toEqual(all)
    const few = await readableFiles(join(folder, 'files'), 500, 1)
    expect(few.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(500)
    expect(few.length).toBeGreaterThan(0)
    await expect(readableFiles(join(folder, 'nowhere'), 1, 1)).rejects.toMatchObject({ code: 'not-found' })
  })
})

describe('removeLeftOvers', () => {
  const leave = async (name: string): Promise<void> => {
    const run = startTimedRun({
      directory: folder,
      runFolder: name,
      files: [{ name: 'f0', bytes: 5000, seed: 1 }],
      steps: [
        { op: 'create', file: 0 },
        { op: 'write', file: 0, requestBytes: 4096, depth: 1 },
      ],
      cacheMode: 'buffered',
      flush: 'none',
      preallocate: false,
      minimumFreeBytes: 0,
      keepFolder: true,
    })
    expect((await run.finished).error).toBeNull()
  }

  it('removes what a run left and strikes it out', async () => {
    await leave('stowage-measure-left')
    catalog.noteMeasureFolder(folder, 'stowage-measure-left', systemClock.wallMs())
    expect(removeLeftOvers(catalog, systemClock)).toEqual({
      removed: [`${folder}/stowage-measure-left`],
      problems: [],
    })
    expect(existsSync(join(folder, 'stowage-measure-left'))).toBe(false)
    expect(catalog.measureFolders()).toEqual([])
  })

  it('keeps foreign files, and reports them', async () => {
    await leave('stowage-measure-mixed')
    writeFileSync(join(folder, 'stowage-measure-mixed/letter.txt'), 'mine')
    catalog.noteMeasureFolder(folder, 'stowage-measure-mixed', systemClock.wallMs())
    const { removed, problems } = removeLeftOvers(catalog, systemClock)
    expect([removed, problems]).toEqual([[], [expect.stringContaining('other files are in it')]])
    expect(existsSync(join(folder, 'stowage-measure-mixed/letter.txt'))).toBe(true)
    expect(existsSync(join(folder, 'stowage-measure-mixed/f0.timed'))).toBe(false)
  })

  it('touches no folder that is not a run’s, whatever it is called', () => {
    mkdirSync(join(folder, 'stowage-measure-mine'))
    writeFileSync(join(folder, 'stowage-measure-mine/f0.timed'), 'mine')
    catalog.noteMeasureFolder(folder, 'stowage-measure-mine', systemClock.wallMs())
    removeLeftOvers(catalog, systemClock)
    expect(existsSync(join(folder, 'stowage-measure-mine/f0.timed'))).toBe(true)
  })

  it('keeps the note of a folder that may be about to be made, and of one that cannot be reached', () => {
    catalog.noteMeasureFolder(folder, 'stowage-measure-soon', systemClock.wallMs())
    catalog.noteMeasureFolder(join(folder, 'unplugged'), 'stowage-measure-far', 0)
    catalog.noteMeasureFolder(folder, 'stowage-measure-long-ago', 0)
    removeLeftOvers(catalog, systemClock)
    expect(catalog.measureFolders().map((noted) => noted.folder)).toEqual([
      'stowage-measure-soon',
      'stowage-measure-far',
    ])
  })
})

describe('link rates', () => {
  it('are those of PCIe and USB after line coding', () => {
    expect(pciLinkRate('8.0 GT/s PCIe\n', '4\n')).toBeCloseTo(3.938e9, -7)
    expect(pciLinkRate('2.5 GT/s PCIe', '1')).toBe(2.5e8)
    expect(pciLinkRate('Unknown', '4')).toBeNull()
    expect(pciLinkRate('8.0 GT/s PCIe', '0')).toBeNull()
    expect(usbLinkRate('480\n')).toBe(6e7)
    expect(usbLinkRate('5000')).toBe(5e8)
    expect(usbLinkRate('unknown')).toBeNull()
  })
})
