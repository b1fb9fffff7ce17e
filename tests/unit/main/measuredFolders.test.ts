import { expect, it } from 'vitest'
import { openDoor } from '../../support/door'

it.each(['measure.preview', 'measure.start'])('%s writes only where the person said so', async (channel) => {
  const { grants, ask } = openDoor()
  const measured = (readOnly: boolean): Promise<string> =>
    ask(channel, { directory: '/media/disk', spec: { kind: 'preset', preset: 'quick' }, readOnly })
  grants.allow('read', '/media/disk')
  expect(await measured(false)).toBe('refused')
  expect(await measured(true)).toBe('ok')
  grants.allow('write', '/media/disk')
  expect(await measured(false)).toBe('ok')
})

it.each(['bands.preview', 'bands.start'])('%s writes only where the person said so', async (channel) => {
  const sweep = { directory: '/media/disk' }
  const { grants, ask } = openDoor((asked) => (asked === 'bands.list' ? [sweep] : undefined))
  grants.allow('read', '/media/disk')
  expect(await ask(channel, sweep)).toBe('refused')
  // What the catalog knows was allowed once.
  expect(await ask('bands.list')).toBe('ok')
  expect(await ask(channel, sweep)).toBe('ok')
})
