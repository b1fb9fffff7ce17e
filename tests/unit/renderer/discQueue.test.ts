import { describe, expect, it } from 'vitest'
import { Session } from '../../../renderer/src/app/session'
import { nextDisc } from '../../../renderer/src/steps/restore/queueState'
import type { RestoreRequest } from '../../../src/contract/dto/restore'
import { FakeEngine } from '../../fixtures/fakeEngine/fakeEngine'
import type { Scenario } from '../../fixtures/fakeEngine/scenario'

const answers = () => new Promise(setImmediate)

/** Two of seven discs were given; what is chosen is on PHOTOS_02 and PHOTOS_04. */
async function asked(discsGiven: readonly string[], lostDiscs: readonly number[] = [], more: Scenario = {}) {
  const engine = new FakeEngine({
    ...more,
    discsGiven: ['/media/discs/01.iso', ...discsGiven],
    lostDiscs,
  })
  const session = new Session(engine.api)
  session.start()
  await answers()
  session.goTo('restore')
  await session.restore.add('images')
  for (const year of ['2005', '2009']) session.restore.toggle(year)
  await answers()
  await session.restore.askForDiscs()
  await answers()
  const next = () => {
    const { asked: discs } = session.restore.store.get()
    const disc = discs && nextDisc(discs)
    return disc && { label: disc.label, copy: disc.copy, place: disc.place }
  }
  const restored = () => (engine.callsOf('restore.start') as RestoreRequest[]).map(({ volumes }) => volumes)
  return { engine, session, restore: session.restore, next, restored }
}

describe('the queue of discs', () => {
  it('restores from one disc after another until none is left', async () => {
    const { engine, restore, next, restored } = await asked([
      '/media/discs/PHOTOS_02.iso',
      '/media/PHOTOS_04',
    ])
    expect(next()).toEqual({ label: 'PHOTOS_02', copy: 1, place: 'home' })
    await restore.giveDisc('images')
    expect(restore.store.get().asked?.reading).toEqual(['PHOTOS_02'])
    engine.finish()
    await answers()
    expect(next()).toEqual({ label: 'PHOTOS_04', copy: 1, place: 'home' })
    await restore.giveDisc('folders')
    engine.finish()
    await answers()
    expect(next()).toBeNull()
    expect(restored()).toEqual([['/media/discs/PHOTOS_02.iso'], ['/media/PHOTOS_04']])
  })

  it('restores nothing from a disc that is not needed or of another set', async () => {
    const { restore, next, restored } = await asked(['/media/PHOTOS_06', '/media/OTHER'])
    await restore.giveDisc('folders')
    expect(restore.store.get().asked?.wrong).toEqual({ label: 'PHOTOS_06', isOfSet: true })
    await restore.giveDisc('folders')
    expect(restore.store.get().asked?.wrong).toEqual({ label: 'OTHER', isOfSet: false })
    expect(restored()).toEqual([])
    expect(next()?.label).toBe('PHOTOS_02')
  })

  it('asks for a disc again whose restore has failed', async () => {
    const { engine, restore, next } = await asked(['/media/PHOTOS_02'], [], {
      jobFails: { restore: { code: 'io', message: 'cannot write /home/anna/back: input/output error' } },
    })
    await restore.giveDisc('folders')
    engine.finish()
    await answers()
    expect(next()?.label).toBe('PHOTOS_02')
    expect(restore.store.get().asked?.reading).toEqual([])
  })

  it('asks for another copy of a disc that is skipped, until the person stops', async () => {
    const { restore, next } = await asked([], [2])
    expect(next()).toMatchObject({ label: 'PHOTOS_02', copy: 2 })
    await restore.skipDisc()
    expect(next()).toMatchObject({ label: 'PHOTOS_04', copy: 1 })
    await restore.skipDisc()
    expect(next()).toMatchObject({ label: 'PHOTOS_04', copy: 2 })
    await restore.stopAsking()
    expect(restore.store.get().asked).toBeNull()
  })

  it('takes discs that are dropped, none while one is read, and leaves later drops to the sources', async () => {
    const { engine, restore, next, restored } = await asked([])
    const drop = (...paths: string[]) => restore.takesDropped(paths.map((path) => ({ path })))
    expect(drop('/media/PHOTOS_04', '/media/PHOTOS_02')).toBe(true)
    await answers()
    expect(drop('/media/PHOTOS_02')).toBe(true)
    await answers()
    expect(restored()).toEqual([['/media/PHOTOS_04', '/media/PHOTOS_02']])
    engine.finish()
    await answers()
    expect([next(), drop('/media/Karelia')]).toEqual([null, false])
  })
})
