import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { StepRunner, tellingLine } from '../../../scripts/bootstrap/stepRunner.mjs'

/** For states that must come: no bound of what is tested. */
const PATIENCE = { timeout: 120_000 }

describe('a step that fails', () => {
  it.each([
    [
      'npm error code ENOTFOUND\nnpm error\nnpm error network request failed, reason: host\nnpm error A log is here',
      'npm error network request failed, reason: host',
    ],
    ['Reading lists…\nE: Unable to locate package xorriso\nE: more', 'E: Unable to locate package xorriso'],
    [
      '[1/9] Building\nwalk.cc:3:1: error: unknown type\nninja: build stopped',
      'walk.cc:3:1: error: unknown type',
    ],
    ['one\ntwo\n\n', 'two'],
    ['\u001b[31merror during build:\u001b[39m\n\nno such entry', 'error during build: no such entry'],
  ])('is reported by the line that names the cause: %j', (log, line) => {
    expect(tellingLine(log)).toBe(line)
  })

  it('returns no message when nothing was written', () => {
    expect(tellingLine('\n\n')).toBeNull()
  })

  it('names the step, the cause and the log in one line', async () => {
    const runner = new StepRunner({ toStderr: true })
    const program = `console.log('fine so far'); console.error('error: the disk is on fire'); process.exit(3)`
    await expect(
      runner.command('test-step', process.execPath, ['-e', program], { what: 'burning' }),
    ).rejects.toThrow(/^burning failed: error: the disk is on fire \(log: \.cache.logs.test-step\.log\)$/)
  })

  it('reports a missing program', async () => {
    const runner = new StepRunner({ toStderr: true })
    await expect(runner.command('test-step', 'no-such-program-here', [])).rejects.toThrow(
      /^test-step failed: cannot run no-such-program-here: ENOENT/,
    )
  })
})

describe('a leashed program', () => {
  it('ends when the process that started it is killed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'stowage-leash-'))
    const log = join(folder, 'alive')
    const forever = `require('node:fs').writeFileSync(${JSON.stringify(log)}, String(process.pid)); setInterval(() => {}, 1000)`
    const program = `
      import { StepRunner } from ${JSON.stringify(resolve('scripts/bootstrap/stepRunner.mjs'))}
      await new StepRunner().command('test-leash', process.execPath, ['-e', ${JSON.stringify(forever)}], { isLeashed: true })`
    const parent = spawn(process.execPath, ['--input-type=module', '-e', program])
    const pid = await vi.waitUntil(() => existsSync(log) && Number(readFileSync(log, 'utf8')), PATIENCE)
    parent.kill('SIGKILL')
    await vi.waitUntil(() => !isAlive(pid), PATIENCE)
    await rm(folder, { recursive: true })
  })

  it('can end by itself', async () => {
    const runner = new StepRunner({ toStderr: true })
    await expect(
      runner.command('test-leash', process.execPath, ['-e', ''], { isLeashed: true }),
    ).resolves.toBeUndefined()
  })
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
