import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeHostileTree } from '../../fixtures/hostileTree'
import { contentOf, homeEntries } from '../../support/buildSource'
import { type BuildPlace, buildPlace, bytesBelow, wordsOf } from '../../support/builtOption'

let place: BuildPlace
beforeEach(() => {
  place = buildPlace()
})
afterEach(() => place.dispose())

const EVERYTHING = { folders: true, links: true }

it('gives everything back, compressed, and leaves nothing at home', { tags: 'long' }, async () => {
  const before = homeEntries(['.config/borg', '.cache/borg'])
  makeHostileTree(place.source, { seed: 15 })
  writeFileSync(join(place.source, 'text'), wordsOf(1, 1_500_000))
  const seen: (number | null)[] = []
  const { built, path, scratch } = await place.build('borg-1-zstd-3', {
    onProgress: (done) => seen.push(done),
  })
  const to = join(place.folder, 'out')
  mkdirSync(to)
  const env = {
    ...process.env,
    BORG_BASE_DIR: scratch,
    BORG_REPO: path,
    BORG_RELOCATED_REPO_ACCESS_IS_OK: 'yes',
    BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK: 'yes',
  }
  execFileSync('borg', ['extract', '::source'], { cwd: to, env, stdio: 'pipe' })
  expect(contentOf(to, EVERYTHING)).toEqual(contentOf(place.source, EVERYTHING))
  expect(built).toMatchObject({ tool: 'borg', repeatable: false })
  const bytes = [...bytesBelow(path).values()].reduce((sum, { length }) => sum + length, 0)
  expect(built.bytes).toBe(bytes)
  expect(bytes).toBeLessThan(1_900_000)
  expect(built.ramBytes).toBeGreaterThan(10e6)
  expect(seen.at(-1)).toBeGreaterThan(2_000_000)
  expect(homeEntries(['.config/borg', '.cache/borg'])).toEqual(before)
})

it('is filled by lists of names too', async () => {
  for (const name of ['new\nline', '-x', 'plain']) writeFileSync(join(place.source, name), name)
  const { path, scratch } = await place.build('borg-1-none')
  const env = { ...process.env, BORG_BASE_DIR: scratch, BORG_RELOCATED_REPO_ACCESS_IS_OK: 'yes' }
  const asked = { ...env, BORG_REPO: path, BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK: 'yes' }
  const listed = execFileSync('borg', ['list', '--format', '{path}{NUL}', '::source'], {
    env: asked,
    encoding: 'utf8',
  })
  expect(listed.split('\0').slice(0, -1)).toEqual(['-x', 'new\nline', 'plain'])
})

it('refuses names that only the whole folder can hold where it may not have the whole folder', {
  tags: 'long',
}, async () => {
  for (const name of ['old\rmac', 'plain']) writeFileSync(join(place.source, name), name)
  await expect(place.build('borg-1-none', { isPart: true })).rejects.toMatchObject({
    code: 'name-unsupported',
    message: 'cannot give borg names with a carriage return where folders of Stowage are in the source',
  })
  await place.build('borg-1-none')
})
