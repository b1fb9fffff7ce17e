import { expect, it } from 'vitest'
import { z } from 'zod'
import { noPaths, pathsUsed } from '../../../src/contract/callRule'
import { type Call, call, channelsOf } from '../../../src/contract/defineSchema'
import { jobStartedSchema } from '../../../src/contract/dto/job'
import { engineSchema } from '../../../src/contract/engineSchema'
import { rendererSchema } from '../../../src/contract/rendererSchema'
import { pathSchema } from '../../../src/domain/scalars'
import { pathPlaces, samplesOf } from '../../support/callSamples'

// The window's schema holds the engine's, all but main's own group of it.
const CALLS = channelsOf({ ...engineSchema, ...rendererSchema }).flatMap(
  ({ channel, entry }): [string, Call][] => (entry.kind === 'call' ? [[channel, entry]] : []),
)

it.each(CALLS)('%s has a rule that covers exactly its path parameters', (_channel, { params, rule }) => {
  expect(rule).toBeDefined()
  const places = pathPlaces(params)
  // A rule finds paths by the name of their parameter, so that none may be deeper inside one.
  expect(places.filter((place) => place.length !== 1)).toEqual([])
  expect(Object.keys(rule.paths).toSorted()).toEqual(places.flat().toSorted())
})

it.each(CALLS)('%s: its rule finds every path in its parameters', (_channel, { params, rule }) => {
  for (const sample of samplesOf(params)) {
    const given = JSON.stringify(sample)?.match(/\/given\/\d+/g) ?? []
    const used = pathsUsed(rule, params.parse(sample))
    expect(used.map(({ path }) => path).toSorted()).toEqual(given.toSorted())
  }
})

it.each(CALLS)('%s names a kind of job exactly if it answers with a job', (_channel, { result, rule }) => {
  expect(rule.starts !== undefined).toBe(result === jobStartedSchema)
})

it('a rule that leaves out a path, or the kind of a job, does not compile', () => {
  const oneFolder = z.object({ directory: pathSchema, paths: z.array(pathSchema).optional() })
  const rules = [
    // @ts-expect-error a call without a rule
    () => call(oneFolder, z.void()),
    // @ts-expect-error no path is covered
    () => call(oneFolder, z.void(), noPaths),
    // @ts-expect-error the list of paths is not covered
    () => call(oneFolder, z.void(), { paths: { directory: 'read' } }),
    // @ts-expect-error no such use
    () => call(oneFolder, z.void(), { paths: { directory: 'read', paths: 'erase' } }),
    // @ts-expect-error not a path
    () => call(z.object({ name: z.string() }), z.void(), { paths: { name: 'read' } }),
    // @ts-expect-error a job of no kind
    () => call(z.void(), jobStartedSchema, noPaths),
    // @ts-expect-error a kind of job, but no job
    () => call(z.void(), z.void(), { paths: {}, starts: 'survey' }),
    () => call(oneFolder, z.void(), { paths: { directory: 'write', paths: 'read' } }),
  ]
  expect(rules).toHaveLength(8)
})

it('a call without a rule is refused, and so is a rule about what is not a path', () => {
  expect(() => pathsUsed(undefined, {})).toThrow(expect.objectContaining({ code: 'refused' }))
  expect(() => pathsUsed({ paths: { where: 'read' } }, { where: { path: '/a' } })).toThrow(
    expect.objectContaining({ code: 'internal' }),
  )
})
