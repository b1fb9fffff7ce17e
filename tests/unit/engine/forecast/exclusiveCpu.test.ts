import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { ExclusiveCpu } from '../../../../src/engine/forecast/exclusiveCpu'

/** Some turns of the event loop: whoever could go on has gone on. */
async function aWhile(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await nextTurn()
}

it('runs the work of each party while the other one waits', async () => {
  const events: string[] = []
  const turns = new ExclusiveCpu(2)
  const party = (name: string, waits: number): Promise<string> =>
    turns.party(async (alone) => {
      for (let wait = 0; wait < waits; wait++) await aWhile()
      events.push(`${name} before`)
      const found = await alone(async () => {
        events.push(`${name} alone`)
        await aWhile()
        events.push(`${name} done`)
        return name
      })
      events.push(`${name} after`)
      return found
    })
  expect(await Promise.all([party('one', 0), party('two', 2)])).toEqual(['one', 'two'])
  expect(events.slice(0, 6)).toEqual([
    'one before',
    'two before',
    'one alone',
    'one done',
    'two alone',
    'two done',
  ])
  expect(events.slice(6).toSorted()).toEqual(['one after', 'two after'])
})

it('does not wait for a party that has ended without coming, or failed', async () => {
  const ended = new ExclusiveCpu(2)
  const found = ended.party((alone) => alone(async () => 1))
  await ended.party(async () => undefined)
  expect(await found).toBe(1)

  const failed = new ExclusiveCpu(2)
  const other = failed.party((alone) => alone(async () => 2))
  const thrown = failed.party(() => Promise.reject(new Error('lost')))
  await expect(thrown).rejects.toThrow('lost')
  expect(await other).toBe(2)
})

it('runs the work of the other party when that of one fails', async () => {
  const turns = new ExclusiveCpu(2)
  const one = turns.party((alone) => alone(() => Promise.reject(new Error('no memory'))))
  const two = turns.party((alone) => alone(async () => 2))
  await expect(one).rejects.toThrow('no memory')
  expect(await two).toBe(2)
})
