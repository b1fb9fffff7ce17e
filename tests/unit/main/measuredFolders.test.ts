import { expect, it } from 'vitest'
import { forwardToEngine } from '../../../src/main/engineCalls'
import { Grants } from '../../../src/main/grants'
import { ok } from '../../../src/primitives/result'

const ask = async () => ok([])
const request = (readOnly: boolean) => ({ directory: '/media/disk', readOnly })

it.each(['measure.preview', 'measure.start'])('%s writes only where the person said so', async (channel) => {
  const grants = new Grants()
  grants.allow('read', '/media/disk')
  await expect(forwardToEngine(channel, request(false), grants, ask)).rejects.toMatchObject({
    code: 'refused',
  })
  expect(await forwardToEngine(channel, request(true), grants, ask)).toEqual(ok([]))
  grants.allow('write', '/media/disk')
  expect(await forwardToEngine(channel, request(false), grants, ask)).toEqual(ok([]))
})

it('lets measure again where the catalog knows that it was allowed, and no more than that', async () => {
  const grants = new Grants()
  const items = [
    { directory: '/media/disk', readOnly: false },
    { directory: '/media/photos', readOnly: true },
  ]
  await forwardToEngine('measure.list', undefined, grants, async () => ok(items))
  expect(await grants.isAllowed('write', '/media/disk')).toBe(true)
  expect([
    await grants.isAllowed('read', '/media/photos'),
    await grants.isAllowed('write', '/media/photos'),
  ]).toEqual([true, false])
})

it.each(['bands.preview', 'bands.start'])('%s writes only where the person said so', async (channel) => {
  const grants = new Grants()
  grants.allow('read', '/media/disk')
  const sweep = { directory: '/media/disk' }
  await expect(forwardToEngine(channel, sweep, grants, ask)).rejects.toMatchObject({ code: 'refused' })
  // What the catalog knows was allowed once.
  await forwardToEngine('bands.list', undefined, grants, async () => ok([sweep]))
  expect(await forwardToEngine(channel, sweep, grants, ask)).toEqual(ok([]))
})
