import { expect, it } from 'vitest'
import { openDoor } from '../../support/door'

it('restores from the folder of a plan that the catalog has, and from no other', async () => {
  const plan = { roots: ['/photos'], directory: '/media/disk/set' }
  const { grants, ask } = openDoor((asked) => (asked === 'plan.list' ? [plan] : undefined))
  grants.allow('write', '/back')
  const restored = (from: string): Promise<string> => ask('restore.start', { volumes: [from], to: '/back' })
  expect(await restored(plan.directory)).toBe('refused')
  expect(await ask('plan.list')).toBe('ok')
  expect(await restored(plan.directory)).toBe('ok')
  expect(await restored('/media/disk')).toBe('refused')
})
