import { expect, it } from 'vitest'
import { SharedCores } from '../../../../src/engine/forecast/sharedCores'
import { processorMs } from '../../../../src/engine/tools/processorTime'

it('runs as the clock up to one piece a core, and as much slower as there are more', async () => {
  let clockMs = 1000
  const cores = new SharedCores(2, () => clockMs)
  const pass = async (ms: number): Promise<void> => {
    clockMs += ms
  }
  expect(cores.nowMs()).toBe(0)
  await cores.during(() => pass(10))
  await cores.during(() => pass(10), 2)
  expect(cores.nowMs()).toBe(20)
  await cores.during(() => pass(10), 4)
  expect(cores.nowMs()).toBe(25)
  await cores.during(() => cores.during(() => cores.waiting(() => pass(10)), 2))
  expect(cores.nowMs()).toBe(35)
  await expect(cores.during(() => Promise.reject(new Error('lost')), 9)).rejects.toThrow('lost')
  await pass(10)
  expect(cores.nowMs()).toBe(45)
})

it('divides CPU time by the time that all pieces took', async () => {
  let clockMs = 0
  const beforeMs = processorMs()
  const cores = new SharedCores(2, () => clockMs)
  expect(cores.processorShare()).toBe(1)
  const startCpuMs = processorMs()
  await cores.during(async () => {
    while (processorMs() - startCpuMs < 20);
    clockMs = 40
  }, 2)
  const share = cores.processorShare()
  expect(share).toBeGreaterThanOrEqual(20 / 80)
  // All that this process has used since, over two pieces of 40 ms.
  expect(share).toBeLessThanOrEqual((processorMs() - beforeMs) / 80)
})
