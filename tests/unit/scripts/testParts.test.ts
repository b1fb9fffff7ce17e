import { describe, expect, it } from 'vitest'
import { budgetsOf } from '../../../scripts/testing/budgets.mjs'
import { wasIdle } from '../../../scripts/testing/cpuTime.mjs'
import { BUDGETS, testStages } from '../../../scripts/testing/parts.mjs'
import config from '../../../vitest.config'

interface Part {
  readonly name: string
  readonly projects?: string[]
  readonly budget?: string
}

function partsOf(filter?: string, isWhole?: boolean): Part[] {
  return testStages('app', filter, isWhole).flat(2) as Part[]
}

const isLong = ({ name }: Part): boolean => name.endsWith(', long')

/** The Vitest projects that parts start, in no order. */
const projectsOf = (parts: readonly Part[]): string[] =>
  parts.flatMap(({ projects = [] }) => projects).toSorted()

/** Those that have a command of their own. */
const ELSEWHERE = new Set(['windows', 'arm', 'packages', 'spark'])

/** The others of vitest.config.ts. */
const all = (config.test?.projects ?? [])
  .map((project) => (project as { test: { name: string } }).test.name)
  .filter((name) => !ELSEWHERE.has(name))
  .toSorted()

/** Too long for every change as a whole. */
const LONG_PROJECTS = new Set(['looks', 'window-cpu-time', 'cpu-time', 'latency'])

describe('npm test', () => {
  it('leaves out nothing with --all, and runs nothing twice', () => {
    expect(all.length).toBeGreaterThan(5)
    const parts = partsOf(undefined, true)
    expect(projectsOf(parts.filter((part) => !isLong(part)))).toEqual(all)
    expect(projectsOf(parts.filter(isLong))).toEqual(all.filter((name) => !LONG_PROJECTS.has(name)))
  })

  it('leaves out without it what is too long for every change', () => {
    expect(projectsOf(partsOf())).toEqual(all.filter((name) => !LONG_PROJECTS.has(name)))
    expect(partsOf().filter(isLong)).toEqual([])
  })

  it('looks for what a filter names in all of them', () => {
    expect(projectsOf(partsOf('layout'))).toEqual(all)
  })

  it('has a budget for each of its parts, and none for the others', () => {
    expect(new Set(partsOf().map(({ budget }) => budget))).toEqual(new Set(Object.keys(BUDGETS)))
    const [daily = [], ...rest] = testStages('app', undefined, true) as Part[][][]
    expect(daily.flat().filter(({ budget }) => budget === undefined)).toEqual([])
    expect(rest.flat(2).filter(({ budget }) => budget !== undefined)).toEqual([])
  })
})

describe('budgets', () => {
  const parts = [
    { budget: 'window', cpuSeconds: 290 },
    { budget: 'window', cpuSeconds: 20.4 },
    { budget: 'unit', cpuSeconds: 150 },
    { cpuSeconds: 999 },
  ]

  it('are of all parts of a project, and mark those that take more', async () => {
    expect(await budgetsOf(parts, async () => 1)).toBe('unit 150 of 150, window 310 of 300 (over)')
    expect(await budgetsOf(parts, async () => 1.02)).toBe(
      'unit 150 of 150, window 310 of 300 (over), times 1.02 on this slower processor',
    )
    expect(await budgetsOf(parts, async () => 1.04)).toBe(
      'unit 150 of 150, window 310 of 300, times 1.04 on this slower processor',
    )
    const unasked = (): Promise<number> => {
      throw new Error('the pace is asked only where a budget was exceeded')
    }
    expect(await budgetsOf([], unasked)).toBe('')
  })

  it('are those of these tests where other programs took a tenth of the machine at most', () => {
    const run = { own: 100, elapsed: 60, cores: 2 }
    expect(wasIdle({ ...run, busy: 112 })).toBe(true)
    expect(wasIdle({ ...run, busy: 113 })).toBe(false)
  })
})
