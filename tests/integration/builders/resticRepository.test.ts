import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { PASSWORD } from '../../../src/engine/options/builders/resticRepository'
import { makeHostileTree } from '../../fixtures/hostileTree'
import { contentOf, homeEntries } from '../../support/buildSource'
import { type BuildPlace, buildPlace, bytesBelow, wordsOf } from '../../support/builtOption'

let place: BuildPlace
beforeEach(() => {
  place = buildPlace()
})
afterEach(() => place.dispose())

const EVERYTHING = { folders: true, links: true }

it('gives everything back, compressed, and leaves nothing at home', async () => {
  const before = homeEntries(['.cache/restic'])
  makeHostileTree(place.source, { seed: 16 })
  writeFileSync(join(place.source, 'text'), wordsOf(1, 1_500_000))
  const { built, path, scratch } = await place.build('restic-auto')
  const to = join(place.folder, 'out')
  const env = { ...process.env, RESTIC_REPOSITORY: path, RESTIC_PASSWORD: PASSWORD }
  const args = ['restore', 'latest', '--target', to, '--cache-dir', join(scratch, 'cache')]
  execFileSync('restic', args, { env, stdio: 'pipe' })
  expect(contentOf(to, EVERYTHING)).toEqual(contentOf(place.source, EVERYTHING))
  expect(built).toMatchObject({ tool: 'restic', repeatable: false })
  const bytes = [...bytesBelow(path).values()].reduce((sum, { length }) => sum + length, 0)
  expect(built.bytes).toBe(bytes)
  expect(bytes).toBeLessThan(1_900_000)
  expect(homeEntries(['.cache/restic'])).toEqual(before)
})
