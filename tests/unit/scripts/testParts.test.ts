import { describe, expect, it } from 'vitest'
import { testStages } from '../../../scripts/testing/parts.mjs'
import config from '../../../vitest.config'

/** The Vitest projects that a run starts, in no order. */
function projectsOf(filter?: string, isWhole?: boolean): string[] {
  const parts = testStages('app', filter, isWhole).flat(2) as readonly { readonly projects?: string[] }[]
  return parts.flatMap(({ projects = [] }) => projects).toSorted()
}

/** Those that have a command of their own. */
const ELSEWHERE = new Set(['windows', 'arm', 'packages'])

/** The others of vitest.config.ts. */
const all = (config.test?.projects ?? [])
  .map((project) => (project as { test: { name: string } }).test.name)
  .filter((name) => !ELSEWHERE.has(name))
  .toSorted()

describe('npm test', () => {
  it('leaves out nothing with --all, and runs nothing twice', () => {
    expect(all.length).toBeGreaterThan(5)
    expect(projectsOf(undefined, true)).toEqual(all)
  })

  it('leaves out without it what is too long for every change', () => {
    const long = new Set(['looks', 'window-cpu-time'])
    expect(projectsOf()).toEqual(all.filter((name) => !long.has(name)))
  })

  it('looks for what a filter names in all of them', () => {
    expect(projectsOf('layout')).toEqual(all)
  })
})
