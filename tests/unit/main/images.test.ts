import { expect, it } from 'vitest'
import { OUR_PAGE, openDoor } from '../../support/door'

const IMAGE = '/media/disk/a.dmg'
const password = (): Uint8Array => new TextEncoder().encode('secret')

it.each([
  ['create', { kind: 'UDRW', bytes: 4096 }],
  ['resize', { bytes: 4096 }],
  ['compact', {}],
  ['reband', { band: 'usual' }],
  ['changePassword', { password: password(), newPassword: password() }],
])('image.%s changes only what the person chose to be written', async (name, params) => {
  const { grants, ask } = openDoor()
  const request = () => structuredClone({ ...params, path: IMAGE })
  grants.allow('read', IMAGE)
  expect(await ask(`image.${name}`, request())).toBe('refused')
  grants.allow('write', IMAGE)
  expect(await ask(`image.${name}`, request())).toBe('ok')
})

it.each(['info', 'verify'])('image.%s reads only what the person handed over', async (name) => {
  const { grants, ask } = openDoor()
  expect(await ask(`image.${name}`, { path: IMAGE })).toBe('refused')
  grants.allow('read', IMAGE)
  expect(await ask(`image.${name}`, { path: IMAGE })).toBe('ok')
})

it('image.convert needs both: the source to be read, the target to be written', async () => {
  const params = { path: IMAGE, target: '/media/disk/b.dmg', kind: 'UDZO' }
  const answered = async (...permissions: readonly ['read' | 'write', string][]): Promise<string> => {
    const { grants, ask } = openDoor()
    for (const [permission, path] of permissions) grants.allow(permission, path)
    return ask('image.convert', params)
  }
  expect(await answered(['read', IMAGE])).toBe('refused')
  expect(await answered(['read', IMAGE], ['read', params.target])).toBe('refused')
  expect(await answered(['write', params.target])).toBe('refused')
  expect(await answered(['read', IMAGE], ['write', params.target])).toBe('ok')
})

it('the door overwrites passwords once it has an answer, refused ones too', async () => {
  const seen: string[] = []
  const { grants, knock } = openDoor((_channel, params) => {
    seen.push(new TextDecoder().decode((params as { password: Uint8Array }).password))
  })
  const isWiped = async (sender: string, given: Uint8Array): Promise<boolean> => {
    await knock(sender, 'image.info', { path: IMAGE, password: given })
    return given.every((byte) => byte === 0)
  }
  expect(await isWiped(OUR_PAGE, password())).toBe(true)
  expect(seen).toEqual([])
  grants.allow('read', IMAGE)
  expect(await isWiped(OUR_PAGE, password())).toBe(true)
  expect(await isWiped('another page', password())).toBe(true)
  expect(await isWiped(OUR_PAGE, new Uint8Array(5000).fill(7))).toBe(true)
  expect(seen).toEqual(['secret'])
})
