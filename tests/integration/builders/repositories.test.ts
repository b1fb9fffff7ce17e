import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { PASSWORD } from '../../../src/engine/builders/resticRepository'
import { makeHostileTree } from '../../fixtures/hostileTree'
import { contentOf } from '../../support/buildSource'
import { type BuildPlace, buildPlace, bytesBelow, wordsOf } from '../../support/builtOption'

let place: BuildPlace
let before: string[]
beforeEach(() => {
  place = buildPlace()
  before = homeFolders()
})
afterEach(() => place.dispose())

const EVERYTHING = { folders: true, links: true }

/** Where these programs keep their settings and caches unless told otherwise. */
function homeFolders(): string[] {
  return ['.config/borg', '.cache/borg', '.cache/restic'].flatMap((name) => {
    try {
      return readdirSync(join(homedir(), name)).map((entry) => `${name}/${entry}`)
    } catch {
      return []
    }
  })
}

function env(scratch: string): NodeJS.ProcessEnv {
  return { ...process.env, HOME: scratch, BORG_BASE_DIR: scratch, BORG_RELOCATED_REPO_ACCESS_IS_OK: 'yes' }
}

it.each(['borg-1-none', 'borg-1-lz4', 'borg-1-zstd-3'])('%s gives everything back', async (variant) => {
  makeHostileTree(place.source, { seed: 15 })
  const { built, path, scratch } = await place.build(variant)
  const to = join(place.folder, 'out')
  mkdirSync(to)
  const asBorg = { ...env(scratch), BORG_REPO: path, BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK: 'yes' }
  execFileSync('borg', ['extract', '::source'], { cwd: to, env: asBorg, stdio: 'pipe' })
  expect(contentOf(to, EVERYTHING)).toEqual(contentOf(place.source, EVERYTHING))
  expect(built).toMatchObject({ tool: 'borg', repeatable: false })
  expect(built.bytes).toBe([...bytesBelow(path).values()].reduce((sum, { length }) => sum + length, 0))
  expect(built.ramBytes).toBeGreaterThan(10e6)
  expect(homeFolders()).toEqual(before)
})

it.each(['restic-off', 'restic-auto'])('%s gives everything back', async (variant) => {
  makeHostileTree(place.source, { seed: 16 })
  const { built, path, scratch } = await place.build(variant)
  const to = join(place.folder, 'out')
  const asRestic = { ...env(scratch), RESTIC_REPOSITORY: path, RESTIC_PASSWORD: PASSWORD }
  const args = ['restore', 'latest', '--target', to, '--cache-dir', join(scratch, 'cache')]
  execFileSync('restic', args, { env: asRestic, stdio: 'pipe' })
  expect(contentOf(to, EVERYTHING)).toEqual(contentOf(place.source, EVERYTHING))
  expect(built).toMatchObject({ tool: 'restic', repeatable: false })
  expect(built.bytes).toBe([...bytesBelow(path).values()].reduce((sum, { length }) => sum + length, 0))
  expect(homeFolders()).toEqual(before)
})

it('compresses as its name says', async () => {
  writeFileSync(join(place.source, 'text'), wordsOf(1, 1_500_000))
  const seen: (number | null)[] = []
  const plain = await place.build('borg-1-none', { onProgress: (done) => seen.push(done) })
  expect(seen.at(-1)).toBe(1_500_000)
  expect(plain.built.bytes).toBeGreaterThan(1_500_000)
  expect((await place.build('borg-1-zstd-3')).built.bytes).toBeLessThan(1_000_000)
  expect((await place.build('restic-off')).built.bytes).toBeGreaterThan(1_500_000)
  expect((await place.build('restic-auto')).built.bytes).toBeLessThan(1_000_000)
})
