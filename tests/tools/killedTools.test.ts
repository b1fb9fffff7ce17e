import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it } from 'vitest'
import { bundle } from '../support/bundle'
import { temporaryFolder } from '../support/temporaryFolder'

/** A process that runs a shell script as a tool, and the process ids that the script prints. */
async function running(script: string): Promise<{ runner: ChildProcess; pids: number[] }> {
  const runner = await bundle('tests/fixtures/toolRunner.ts', await temporaryFolder(), ['better-sqlite3'])
  const child = spawn(process.execPath, [runner, 'none', '/bin/sh', '-c', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  return { runner: child, pids: line.split(' ').map(Number) }
}

function runningOf(pids: readonly number[]): number[] {
  return pids.filter((pid) => {
    try {
      return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
    } catch {
      return false
    }
  })
}

describe('the programs of a process that is killed', () => {
  it.each([
    ['end with all that they started', ''],
    ['are killed when they do not heed the request to end', "trap '' TERM; "],
  ])('%s', async (_, heedless) => {
    const script = `${heedless}(while :; do sleep 1; done) & echo $$ $!; while :; do sleep 1; done`
    const { runner, pids } = await running(script)
    expect(runningOf(pids)).toEqual(pids)
    runner.kill('SIGKILL')
    await expect.poll(() => runningOf(pids)).toEqual([])
  })
})

it('what a program has left running when it ended goes on after the process that ran it', async () => {
  const flag = join(await temporaryFolder(), 'go-on')
  const script = `sleep 1000 < /dev/null > /dev/null 2>&1 & echo $!; until [ -e '${flag}' ]; do sleep 0.1; done`
  const { runner, pids } = await running(script)
  const watchers = childrenOf(runner.pid as number).filter((pid) => !isScript(pid, script))
  expect(runningOf(watchers)).toHaveLength(1)
  writeFileSync(flag, '')
  await once(runner, 'exit')
  await expect.poll(() => runningOf(watchers)).toEqual([])
  expect(runningOf(pids)).toEqual(pids)
  for (const pid of pids) process.kill(pid)
})

function childrenOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1')
  return children.trim().split(' ').map(Number)
}

function isScript(pid: number, script: string): boolean {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(script)
}
