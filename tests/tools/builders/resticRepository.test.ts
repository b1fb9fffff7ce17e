import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
  const before = homeEntries(['.cache/restic'])
  makeHostileTree(place.source, { seed: 16 })
  writeFileSync(join(place.source, 'text'), wordsOf(1, 1_500_000))
  const { built, path, scratch } = await place.build('restic-auto', { isKept: true })
  const readme = readFileSync(join(path, 'README.txt'), 'utf8')
  const [, password = ''] = /^Password: ([0-9a-f]{32})$/m.exec(readme) ?? []
  expect(built.notes).toEqual([`encrypted, but its password ${password} is in its README.txt`])
  const to = join(place.folder, 'out')
  const env = { ...process.env, RESTIC_REPOSITORY: path, RESTIC_PASSWORD: password }
  const args = ['restore', 'latest', '--target', to, '--cache-dir', join(scratch, 'cache')]
  execFileSync('restic', ['check', '--read-data', '--no-cache'], { env, stdio: 'pipe' })
  execFileSync('restic', args, { env, stdio: 'pipe' })
  expect(contentOf(to, EVERYTHING)).toEqual(contentOf(place.source, EVERYTHING))
  expect(built).toMatchObject({ tool: 'restic', repeatable: false })
  // What explains the repository is no part of it.
  rmSync(join(path, 'README.txt'))
  const bytes = [...bytesBelow(path).values()].reduce((sum, { length }) => sum + length, 0)
  expect(built.bytes).toBe(bytes)
  expect(bytes).toBeLessThan(1_900_000)
  expect(homeEntries(['.cache/restic'])).toEqual(before)
})

it('has another password every time, and no explanation where it is thrown away', {
  tags: 'long',
}, async () => {
  writeFileSync(join(place.source, 'text'), 'x')
  const passwords = new Set<string | undefined>()
  for (let time = 0; time < 2; time++) {
    const { path } = await place.build('restic-off', { isKept: true })
    passwords.add(/^Password: (.*)$/m.exec(readFileSync(join(path, 'README.txt'), 'utf8'))?.[1])
  }
  expect(passwords.size).toBe(2)
  const { built, path } = await place.build('restic-off')
  expect([built.notes, existsSync(join(path, 'README.txt'))]).toEqual([[], false])
})
