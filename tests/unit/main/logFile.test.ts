import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { LOG_LIMIT_BYTES, openLog } from '../../../src/main/logFile'
import type { Clock, Milliseconds } from '../../../src/primitives/clock'
import { temporaryFolder } from '../../support/temporaryFolder'

const clock: Clock = { wallMs: () => 0 as Milliseconds, monotonicMs: () => 0 as Milliseconds }

it('stamps every entry and keeps it recognisable whatever the text holds', async () => {
  const log = openLog(await temporaryFolder(), clock)
  log.line('one\u001b[31m\ntwo')
  log.failure('somewhere', 'not even an error')
  const text = await readFile(log.file, 'utf8')
  const lines = text.split('\n')
  expect(lines.slice(0, 2)).toEqual(['1970-01-01T00:00:00.000Z one␛[31m', '    two'])
  expect(lines[2]).toBe('1970-01-01T00:00:00.000Z somewhere: AppError: not even an error')
})

it('keeps the stack of what was not expected', async () => {
  const log = openLog(await temporaryFolder(), clock)
  log.failure('start', new TypeError('x is not a function'))
  expect(await readFile(log.file, 'utf8')).toMatch(/start: TypeError: x is not a function\n {8}at .*logFile/)
})

it('never grows past its limit, and keeps the part before', async () => {
  const folder = await temporaryFolder()
  const log = openLog(folder, clock)
  for (let index = 0; index < 700; index++) log.line(`${index} ${'x'.repeat(3900)}`)
  const sizes = await Promise.all(
    ['stowage.log', 'stowage.log.1'].map(async (name) => (await stat(path.join(folder, name))).size),
  )
  expect(Math.max(...sizes)).toBeLessThanOrEqual(LOG_LIMIT_BYTES)
  expect(await readFile(log.file, 'utf8')).toContain(' 699 xxx')
})

it('goes on after what an earlier start wrote', async () => {
  const folder = await temporaryFolder()
  openLog(folder, clock).line('first start')
  openLog(folder, clock).line('second start')
  expect(await readFile(path.join(folder, 'stowage.log'), 'utf8')).toMatch(/first start\n.*second start\n$/)
})

it('does not stop anything when it cannot be written', () => {
  expect(() => openLog('/proc/nowhere', clock).line('x')).not.toThrow()
})
