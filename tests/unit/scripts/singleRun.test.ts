import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { singleRun } from '../../../scripts/bootstrap/singleRun.mjs'

const MODULE = resolve('scripts/bootstrap/singleRun.mjs')

let folder = ''
const children: ChildProcess[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stowage-lock-'))
})

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

/** Another process that takes the lock, says so, and works until its stdin ends. */
async function holder(): Promise<ChildProcess> {
  const program = `
    import { singleRun } from ${JSON.stringify(MODULE)}
    await singleRun({ say() {} }, () => { process.stdout.write('taken'); return new Promise((done) => process.stdin.resume().once('end', done)) }, ${JSON.stringify(folder)})`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  children.push(child)
  await once(child.stdout, 'data')
  return child
}

const lines: string[] = []
const runner = { say: (line: string) => void lines.push(line) }

describe('a single run', () => {
  it('waits for another process, reports it, and goes on when that one is done', async () => {
    const other = await holder()
    lines.length = 0
    const order: string[] = []
    other.once('exit', () => order.push('other done'))
    const waiting = singleRun(
      {
        say: (line) => {
          lines.push(line)
          other.stdin?.end()
        },
      },
      async () => {
        order.push('mine')
      },
      folder,
    )
    await Promise.all([waiting, once(other, 'close')])
    expect(lines).toEqual(['  waiting for another npm command of this checkout'])
    expect(order.toSorted()).toEqual(['mine', 'other done'])
    expect(await readdir(folder)).toEqual([])
  })

  it('never runs at the same time as another in its place', async () => {
    const log = join(folder, 'log')
    const program = `
      import { appendFileSync } from 'node:fs'
      import { singleRun } from ${JSON.stringify(MODULE)}
      await singleRun({ say() {} }, async () => {
        appendFileSync(${JSON.stringify(log)}, 'in ')
        for (let turn = 0; turn < 2000; turn++) await new Promise((done) => setImmediate(done))
        appendFileSync(${JSON.stringify(log)}, 'out ')
      }, ${JSON.stringify(folder)})`
    const started = [1, 2, 3, 4].map(() =>
      spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'inherit' }),
    )
    children.push(...started)
    await Promise.all(started.map((child) => once(child, 'close')))
    expect(await readFile(log, 'utf8')).toBe('in out '.repeat(4))
  })

  it('takes over from a process that was killed', async () => {
    const other = await holder()
    other.kill('SIGKILL')
    await once(other, 'close')
    expect(await singleRun(runner, async () => 'done', folder)).toBe('done')
    expect(await readdir(folder)).toEqual([])
  })

  it('does not wait for the work of another folder', async () => {
    const other = await holder()
    const elsewhere = await mkdtemp(join(tmpdir(), 'stowage-lock-'))
    expect(await singleRun(runner, async () => 'done', elsewhere)).toBe('done')
    expect(other.exitCode).toBeNull()
    await rm(elsewhere, { recursive: true })
  })

  it('frees the lock when the work fails', async () => {
    await expect(singleRun(runner, () => Promise.reject(new Error('no network')), folder)).rejects.toThrow(
      'no network',
    )
    expect(await singleRun(runner, async () => 'done', folder)).toBe('done')
  })
})
