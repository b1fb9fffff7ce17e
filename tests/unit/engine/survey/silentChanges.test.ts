import { expect, it } from 'vitest'
import type { SilentChanges, SurveyDocument } from '../../../../src/contract/dto/survey'
import type { SurveyEntry } from '../../../../src/engine/catalog/entry'
import { silentChanges } from '../../../../src/engine/survey/silentChanges'
import { buildSurvey } from '../../../fixtures/fakeEngine/surveys'

const OLD_NS = 1_000_000_000_000_000_000n
const BYTES = 10

/** Files by name with their content; the time of one that has `~` in its content is another. */
type Files = Readonly<Record<string, string>>

const entriesOf = (files: Files): SurveyEntry[] =>
  Object.entries(files)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(
      ([path, sha256]) =>
        ({
          kind: 'file',
          rootIndex: 0,
          path,
          bytes: BYTES,
          mtimeNs: OLD_NS + (sha256.includes('~') ? 1n : 0n),
          sha256,
          digest: sha256,
        }) as SurveyEntry,
    )

const documentOf = (id: string, more: Partial<SurveyDocument> = {}): SurveyDocument => ({
  ...buildSurvey({ id, roots: ['/s'], files: 3, bytes: 30 }),
  ...more,
})

/** What a survey of files finds after earlier ones, newest first. */
function found(now: Files, earlier: readonly [SurveyDocument, Files][], isFull = true) {
  const all = new Map(earlier.map(([document, files]) => [document.id, { document, files }]))
  const catalog = {
    earlierSurveys: () => earlier.map(([{ id }]) => ({ surveyId: id, sketchedEntries: 0 })),
    readableSurvey: (id: string) => all.get(id)?.document ?? null,
    surveyEntries: (id: string) => entriesOf(all.get(id)?.files ?? now).values(),
  }
  return silentChanges(catalog, documentOf('now'), isFull, () => Promise.resolve())
}

const GOOD: Files = { a: 'a1', b: 'b1', c: 'c1' }
const DAMAGED: Files = { a: 'a1', b: 'b2', c: 'c1' }
const first = documentOf('first')
const CHANGES: SilentChanges = {
  surveyId: 'first',
  createdWallMs: first.createdWallMs,
  files: 1,
  bytes: BYTES,
  paths: ['/s/b'],
}
const second = documentOf('second', { silentChanges: CHANGES, createdWallMs: first.createdWallMs + 1 })

it('a change of content alone is found by the survey that reads it', async () => {
  expect(await found(DAMAGED, [[first, GOOD]])).toEqual(CHANGES)
  expect(await found(GOOD, [[first, GOOD]])).toBeNull()
  expect(await found({ ...GOOD, b: 'b2~' }, [[first, GOOD]])).toBeNull()
})

it.each([
  ['reads everything', true],
  ['reads only what changed', false],
])('a change stays named, as found first, by a later survey that %s', async (_name, isFull) => {
  expect(
    await found(
      DAMAGED,
      [
        [second, DAMAGED],
        [first, GOOD],
      ],
      isFull,
    ),
  ).toEqual(CHANGES)
})

it('a change stays named over a survey that was stopped', async () => {
  const stopped = documentOf('stopped', { partial: true })
  expect(
    await found(DAMAGED, [
      [stopped, {}],
      [second, DAMAGED],
    ]),
  ).toEqual(CHANGES)
})

it('further changes are added to those that are named', async () => {
  expect(await found({ ...DAMAGED, c: 'c2' }, [[second, DAMAGED]])).toEqual({
    ...CHANGES,
    files: 2,
    bytes: 2 * BYTES,
    paths: ['/s/b', '/s/c'],
  })
})

it.each<[string, Files]>([
  ['is written anew', { ...GOOD, b: 'b3~' }],
  ['is gone', { a: 'a1', c: 'c1' }],
])('a change is no longer named once the file %s', async (_name, now) => {
  expect(await found(now, [[second, DAMAGED]])).toBeNull()
})

it('a change is no longer named once a person has acknowledged it', async () => {
  const known = { ...second, silentChanges: { ...CHANGES, acknowledgedWallMs: 5 } }
  expect(await found(DAMAGED, [[known, DAMAGED]])).toBeNull()
  expect(await found(DAMAGED, [[known, DAMAGED]], false)).toBeNull()
})

it('changes beyond the list stay counted', async () => {
  const many = { ...second, silentChanges: { ...CHANGES, files: 4, bytes: 4 * BYTES } }
  expect(await found(DAMAGED, [[many, DAMAGED]])).toEqual({ ...CHANGES, files: 4, bytes: 4 * BYTES })
})
