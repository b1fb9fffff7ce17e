import { expect, it } from 'vitest'
import { type FolderRows, sayShown } from '../../../renderer/src/steps/survey/stored/storedShare'
import type { KeptFolder } from '../../../src/contract/dto/survey'

const folder = (path: string, files: number, keptFiles: number, byTimeOnlyFiles = 0): KeptFolder => ({
  path,
  files,
  bytes: files * 1000,
  keptFiles,
  keptBytes: keptFiles * 1000,
  byTimeOnlyFiles,
  byTimeOnlyBytes: byTimeOnlyFiles * 1000,
  whole: files === keptFiles,
})
/** As the survey found them: `/p/2023` is below a folder of which everything is kept. */
const ROWS: FolderRows = new Map(
  [
    folder('/p', 700, 550),
    folder('/p/old', 500, 500),
    folder('/p/new', 100, 0),
    folder('/p/some', 100, 50, 50),
  ].map((row) => [row.path, row]),
)

/** @param shown files of 1,000 bytes in the tree that is shown */
const said = (path: string, shown: Readonly<Record<string, number>>) =>
  sayShown(
    ROWS,
    (each) => (shown[each] === undefined ? null : { files: shown[each], bytes: shown[each] * 1000 }),
    path,
  )

it.each<[string, string, Readonly<Record<string, number>>, string]>([
  ['all of a folder that is as it was surveyed', '/p/old', { '/p/old': 500 }, 'all'],
  ['all of a folder in one that is as it was surveyed', '/p/old/2023', { '/p/old': 500 }, 'all'],
  ['none of a folder that is as it was surveyed', '/p/new', { '/p/new': 100 }, 'none'],
  ['a share of a folder that is as it was surveyed', '/p/some', { '/p/some': 100 }, '50.0 % *'],
  ['at most a share of a folder with further files', '/p/old', { '/p/old': 620 }, '≤ 80.6 %'],
  ['at most a share, by time, of a folder with further files', '/p/some', { '/p/some': 200 }, '≤ 25.0 % *'],
  ['nothing of a folder that may be one of the further ones', '/p/old/2024', { '/p/old': 620 }, ''],
  ['nothing of a folder with fewer files than were surveyed', '/p/old', { '/p/old': 499 }, ''],
  ['nothing of further files in a folder of which none was', '/p/new', { '/p/new': 120 }, ''],
  ['nothing of a folder that the tree does not show', '/p/old', {}, ''],
  ['nothing of a folder that was not surveyed', '/q', { '/q': 3 }, ''],
])('the tree says of verified volumes: %s', (_name, path, shown, words) => {
  expect(said(path, shown)).toBe(words)
})
