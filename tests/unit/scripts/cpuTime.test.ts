import { spawn } from 'node:child_process'
import { expect, it } from 'vitest'
import { cpuSecondsOf } from '../../../scripts/testing/cpuTime.mjs'
import { addTallies, emptyTally } from '../../../scripts/testing/tally.mjs'

it('the CPU time of a process counts what it has waited for, and processes of other groups', async ({
  skip,
}) => {
  if (process.platform !== 'linux') return skip('only Linux tells it')
  const busy =
    'let n = 0; const end = process.cpuUsage().user + 300_000; while (process.cpuUsage().user < end) n++'
  const other = `${busy}; console.log('done'); setTimeout(() => {}, 60_000)`
  const script = `const { spawn, spawnSync } = require('child_process')
spawnSync(process.execPath, ['-e', ${JSON.stringify(busy)}])
const other = spawn(process.execPath, ['-e', ${JSON.stringify(other)}], { detached: true, stdio: ['ignore', 'inherit', 'ignore'] })
console.log(other.pid)
setTimeout(() => {}, 60_000)`
  const child = spawn(process.execPath, ['-e', script], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let said = ''
  try {
    await new Promise<void>((resolve) => {
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        said += text
        if (said.includes('done')) resolve()
      })
    })
    expect(cpuSecondsOf(child.pid ?? 0)).toBeGreaterThanOrEqual(0.58)
  } finally {
    process.kill(-(child.pid ?? 0), 'SIGKILL')
    process.kill(Number.parseInt(said, 10), 'SIGKILL')
  }
  expect(cpuSecondsOf(2 ** 30)).toBeNull()
})

it('the slowest files are the ten that took longest over all parts', () => {
  const part = (from: number) => ({
    ...emptyTally(),
    slowest: Array.from({ length: 8 }, (_, at) => ({ name: String(from + at), ms: from + at })),
  })
  expect(addTallies([part(1), part(101)]).slowest.map(({ ms }) => ms)).toEqual([
    108, 107, 106, 105, 104, 103, 102, 101, 8, 7,
  ])
})
