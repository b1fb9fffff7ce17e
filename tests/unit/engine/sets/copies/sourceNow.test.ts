import { chmodSync, lstatSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { NO_RULES } from '../../../../../src/domain/survey/rules/rules'
import type { SourceEntry } from '../../../../../src/engine/catalog/sourceFiles'
import { sourceNow } from '../../../../../src/engine/sets/copies/sourceNow'
import { boundByPermissions } from '../../../../support/boundByPermissions'
import { EMPTY_DOCUMENT } from '../../../../support/catalogSurvey'
import { put, temporaryFolder } from '../../../../support/surveyedFolder'

/** The folder that was surveyed, which is an entry too. */
const TOP: SourceEntry = {
  id: 1,
  kind: 'folder',
  rootIndex: 0,
  path: '',
  bytes: 0,
  sha256: null,
  mtimeNs: null,
  linkOf: null,
  linkTarget: null,
}

test('a folder that cannot be listed is named once, by its survey where that could not either', async () => {
  const root = temporaryFolder()
  const path = join(root, 'locked')
  put(root, 'locked/file', 'x')
  chmodSync(path, 0o000)
  onTestFinished(() => chmodSync(path, 0o755))
  const survey = { ...EMPTY_DOCUMENT, id: 's-1', roots: [root] }
  const flawsAfter = async (skipped: readonly string[]) => {
    const skips = skipped.map((each) => ({ path: each, code: 'permission-denied', message: '' }) as const)
    const catalog = {
      ownPlaces: () => ({ dataFolder: '/nowhere', plans: [] }),
      sourceFiles: () => [TOP].values(),
      surveySkips: () => skips.values(),
    }
    const options = { limit: 5, pause: async () => {} }
    return (await boundByPermissions(() => sourceNow(catalog, survey, options))).flaws
  }
  const flaw = { files: 1, bytes: 0, paths: [path] }
  expect(await flawsAfter([])).toEqual([{ code: 'unread', ...flaw }])
  expect(await flawsAfter([path])).toEqual([{ code: 'skipped', ...flaw }])
})

/** An entry of a survey of a folder as it is now. */
function entryOf(root: string, path: string, facts: Partial<SourceEntry>): SourceEntry {
  const { mtimeNs, size } = lstatSync(join(root, path), { bigint: true })
  return { ...TOP, kind: 'file', path, bytes: Number(size), mtimeNs: `${mtimeNs}`, ...facts }
}

/** How a folder differs from a survey with these entries. */
async function differences(root: string, entries: readonly SourceEntry[], facts: object = {}) {
  const catalog = {
    ownPlaces: () => ({ dataFolder: '/nowhere', plans: [] }),
    sourceFiles: () => [TOP, ...entries].values(),
    surveySkips: () => [].values(),
  }
  const survey = { ...EMPTY_DOCUMENT, id: 's-1', roots: [root], ...facts }
  return sourceNow(catalog, survey, { limit: 5, pause: async () => {} })
}

test('a folder that is as it was surveyed has no flaws, and none of it is left out', async () => {
  const root = temporaryFolder()
  put(root, 'a', 'x')
  symlinkSync('a', join(root, 'link'))
  const entries = [
    entryOf(root, 'a', {}),
    entryOf(root, 'link', { kind: 'symlink', mtimeNs: null, linkTarget: 'a' }),
  ]
  expect(await differences(root, entries)).toEqual({ flaws: [], leftOut: null })
})

test('a file of another size or time, another kind and a link to elsewhere are changes', async () => {
  const root = temporaryFolder()
  for (const name of ['early', 'file', 'long', 'second']) put(root, name, 'xy')
  symlinkSync('file', join(root, 'link'))
  const entries = [
    entryOf(root, 'early', { mtimeNs: '1' }),
    entryOf(root, 'file', { kind: 'folder' }),
    entryOf(root, 'link', { kind: 'symlink', bytes: 0, linkTarget: 'elsewhere' }),
    entryOf(root, 'long', { bytes: 3 }),
    // A further name of a file is compared by its time.
    entryOf(root, 'second', { kind: 'hardLink', bytes: 0 }),
  ]
  const paths = ['early', 'file', 'link', 'long'].map((name) => join(root, name))
  expect((await differences(root, entries)).flaws).toEqual([{ code: 'changed', files: 4, bytes: 7, paths }])
})

test('files that came and went are flaws, and so is a survey that was stopped', async () => {
  const root = temporaryFolder()
  put(root, 'new', 'xyz')
  const gone = { ...TOP, kind: 'file', path: 'gone', bytes: 7 } as const
  expect((await differences(root, [gone], { partial: true })).flaws).toEqual([
    { code: 'partial', files: 0, bytes: 0, paths: [] },
    { code: 'added', files: 1, bytes: 3, paths: [join(root, 'new')] },
    { code: 'gone', files: 1, bytes: 7, paths: [join(root, 'gone')] },
  ])
})

test("what the survey's rules leave out is counted and no flaw", async () => {
  const root = temporaryFolder()
  put(root, 'notes.tmp', 'xyz')
  const rules = { ...NO_RULES, patterns: ['*.tmp'] }
  expect(await differences(root, [], { rules })).toEqual({
    flaws: [],
    leftOut: { files: 1, bytes: 3, folders: 0 },
  })
})
