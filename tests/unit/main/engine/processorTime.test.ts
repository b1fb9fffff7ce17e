import { expect, test } from 'vitest'
import { processorMsOf } from '../../../../src/main/engine/processorTime'

test('CPU time of a process is what it says of itself, and unknown of one that is not there', ({ skip }) => {
  const own = processorMsOf(process.pid)
  if (own === null) skip('this system tells the CPU time of other processes in no file')
  const { user, system } = process.cpuUsage()
  // Ticks of 10 ms, of both kinds; this process works on between the two looks.
  expect(own).toBeLessThanOrEqual((user + system) / 1000 + 20)
  expect(own).toBeGreaterThan(0)
  expect(processorMsOf(undefined)).toBeNull()
  expect(processorMsOf(2 ** 30)).toBeNull()
})
