import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { stowage } from '../fixtures/stowageCommand'
import { temporaryFolder } from '../support/temporaryFolder'

let home: string
let source: string
beforeEach(async () => {
  const folder = await temporaryFolder()
  home = join(folder, 'home')
  source = join(folder, 'source')
  mkdirSync(source)
})

test('a survey of a few bytes does not look for more samples than they can give', async () => {
  writeFileSync(join(source, 'note.txt'), 'short')
  const startMs = performance.now()
  const { code } = await stowage(['survey', source, '--json'], { home })
  expect(code).toBe(0)
  // A second or so; it was minutes when speeds were timed by unpacking it over and over.
  expect(performance.now() - startMs).toBeLessThan(20_000)
})

test('the survey command ends promptly after being stopped', async () => {
  // Minutes of hashing that take no space: the first line of progress comes long before its end.
  writeFileSync(join(source, 'vast'), '')
  truncateSync(join(source, 'vast'), 2 ** 41)
  let stoppedMs = 0
  const { code } = await stowage(['survey', source, '--sha256'], {
    home,
    onStderr: (_text, kill) => {
      if (stoppedMs === 0) kill('SIGINT')
      stoppedMs ||= performance.now()
    },
  })
  expect(performance.now() - stoppedMs).toBeLessThan(2000)
  expect(code).toBe(130)
})
