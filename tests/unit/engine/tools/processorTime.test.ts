import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { processorMs } from '../../../../src/engine/tools/processorTime'

describe('the CPU time', () => {
  it.runIf(process.platform === 'linux')('counts children that have ended', () => {
    const burn = 'const end = process.cpuUsage().user + 150000; while (process.cpuUsage().user < end);'
    const before = processorMs()
    execFileSync(process.execPath, ['-e', burn])
    expect(processorMs() - before).toBeGreaterThanOrEqual(150)
  })
})
