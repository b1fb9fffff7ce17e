import { describe, expect, it } from 'vitest'
import { containerRefusal, planInContainer, writtenTimes } from '../../../../src/domain/devices/containerPlan'
import { PRESETS } from '../../../../src/domain/devices/presets'
import { planRun } from '../../../../src/domain/devices/runPlan'
import type { TestSpec } from '../../../../src/domain/devices/testSpec'
import { testSpecSchema } from '../../../../src/domain/devices/testSpec'

const UDSB = { kind: 'UDSB', encryption: null } as const

function specOf(tests: unknown[], more: object = {}): TestSpec {
  return testSpecSchema.parse({ tests, ...more })
}

function planOf(spec: TestSpec) {
  return planInContainer(planRun(spec), spec, UDSB)
}

describe('a plan in a container', () => {
  const spec = specOf([{ sizes: { from: 1000, to: 90_000, count: 40 }, repeat: 2 }])
  const plan = planOf(spec)
  const readsOf = (segment: (typeof plan.segments)[number]): number[] =>
    (segment.passes[0]?.steps ?? []).flatMap((step) => (step.kind === 'read' ? [step.file] : []))

  it('puts a range for each file one after another, in whole blocks', () => {
    const files = planRun(spec).segments.map((segment) => segment.files.map(({ bytes }) => bytes))
    expect(plan.segments).toHaveLength(2)
    for (const [index, { ranges, diskBytes }] of plan.segments.entries()) {
      let end = 0
      for (const [file, { offset, bytes }] of ranges.entries()) {
        expect(offset).toBe(end)
        expect(bytes % 4096).toBe(0)
        expect(bytes - (files[index]?.[file] ?? 0)).toBeGreaterThanOrEqual(0)
        expect(bytes - (files[index]?.[file] ?? 0)).toBeLessThan(4096)
        end += bytes
      }
      expect(diskBytes).toBe(end)
    }
  })

  it('reads every range once, in a random order that is the same each time', () => {
    for (const segment of plan.segments) {
      const order = readsOf(segment)
      expect(order).not.toEqual(order.toSorted((a, b) => a - b))
      expect(order.toSorted((a, b) => a - b)).toEqual(segment.ranges.map((_, file) => file))
    }
    expect(planOf(spec)).toEqual(plan)
    const listed = planOf(specOf([{ sizes: [{ size: 5000, count: 20 }], order: 'listed' }]))
    expect(readsOf(listed.segments[0] as (typeof plan.segments)[number])).toEqual(
      Array.from({ length: 20 }, (_, file) => file),
    )
  })

  it('writes and reads all twice: into a new container, and over what is there', () => {
    const once = planRun(spec)
    expect(plan.writeBytes).toBe(2 * once.writeBytes)
    expect(plan.readBytes).toBe(2 * once.readBytes)
    expect(plan.peakBytes).toBeLessThan(once.peakBytes + 10 * 2 ** 20)
  })

  it('goes through every kind, and writes what most was deleted of once more', () => {
    const all = planInContainer(planRun(spec), spec, { kind: 'all', encryption: 128 })
    expect(all.segments.map(({ container: { kind, encryption } }) => [kind, encryption])).toEqual(
      ['UDSB', 'UDSP', 'UDRW'].flatMap((kind) => [null, null, 128, 128].map((bits) => [kind, bits])),
    )
    const cached = all.segments.filter(({ passes }) =>
      passes.some(({ steps }) => steps.some(({ kind }) => kind === 'cachedRead')),
    )
    expect(cached).toEqual(all.segments.slice(0, 1))
    let written = 0
    for (const { ranges, passes } of all.segments) {
      const [fresh, rewritten, refilled] = passes
      expect(passes.map(({ state }) => state)).toEqual(['fresh', 'rewritten', 'refilled'])
      expect(rewritten?.steps).toEqual(fresh?.steps.filter(({ kind }) => kind !== 'cachedRead'))
      const [deleting, ...steps] = refilled?.steps ?? []
      const gone = deleting?.kind === 'delete' ? deleting.files : []
      expect(new Set(gone).size).toBe(36)
      for (const op of ['write', 'read'] as const) {
        const files = steps.flatMap((step) => (step.kind === op ? [step.file] : []))
        expect(files.toSorted((a, b) => a - b)).toEqual(gone.toSorted((a, b) => a - b))
      }
      const sizeOf = (files: readonly number[]): number =>
        files.reduce((sum, file) => sum + (ranges[file]?.bytes ?? 0), 0)
      written += 2 * sizeOf(ranges.map((_, file) => file)) + 2 * sizeOf(gone)
    }
    expect(all.writeBytes).toBe(written)
    expect(all.writeBytes).toBeLessThanOrEqual(
      writtenTimes({ kind: 'all', encryption: 128 }) * planRun(spec).writeBytes,
    )
    expect(all.peakBytes).toBeLessThan(planRun(spec).peakBytes + 10 * 2 ** 20)
  })

  it.each([
    ['buffered I/O', { cache: 'buffered' }],
    ['one flush at the end', { flush: 'end' }],
    ['several requests at once', { concurrency: 4 }],
    ['space claimed before', { preallocate: true }],
  ])('refuses %s, with the reason', (_what, more) => {
    expect(containerRefusal(specOf([{ sizes: [5000] }], more))).toMatch(/there|only|written/)
  })

  it('carries out every preset but the one that reads and writes at once', () => {
    const refused = Object.entries(PRESETS).filter(([, preset]) => containerRefusal(preset) !== null)
    expect(refused.map(([name]) => name)).toEqual(['streaming'])
  })
})
