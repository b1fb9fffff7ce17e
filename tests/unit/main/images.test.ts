import { expect, it } from 'vitest'
import { rendererSchema } from '../../../src/contract/rendererSchema'
import { forwardToEngine } from '../../../src/main/engineCalls'
import { Grants } from '../../../src/main/grants'
import { openGateway } from '../../../src/main/ipcGateway'
import { ok } from '../../../src/primitives/result'

const ask = async () => ok(null)
const IMAGE = '/media/disk/a.dmg'

it.each(['create', 'resize', 'compact', 'reband', 'changePassword'])(
  'image.%s changes only what the person chose to be written',
  async (name) => {
    const grants = new Grants()
    grants.allow('read', IMAGE)
    await expect(forwardToEngine(`image.${name}`, { path: IMAGE }, grants, ask)).rejects.toMatchObject({
      code: 'refused',
    })
    grants.allow('write', IMAGE)
    expect(await forwardToEngine(`image.${name}`, { path: IMAGE }, grants, ask)).toEqual(ok(null))
  },
)

it.each(['info', 'verify'])('image.%s reads only what the person handed over', async (name) => {
  const grants = new Grants()
  await expect(forwardToEngine(`image.${name}`, { path: IMAGE }, grants, ask)).rejects.toMatchObject({
    code: 'refused',
  })
  grants.allow('read', IMAGE)
  expect(await forwardToEngine(`image.${name}`, { path: IMAGE }, grants, ask)).toEqual(ok(null))
})

it('image.convert needs both: the source to be read, the target to be written', async () => {
  const params = { path: IMAGE, target: '/media/disk/b.dmg' }
  const allowed = async (...permissions: readonly ['read' | 'write', string][]): Promise<boolean> => {
    const grants = new Grants()
    for (const [permission, path] of permissions) grants.allow(permission, path)
    return forwardToEngine('image.convert', params, grants, ask).then(
      () => true,
      () => false,
    )
  }
  expect(await allowed(['read', IMAGE])).toBe(false)
  expect(await allowed(['read', IMAGE], ['read', params.target])).toBe(false)
  expect(await allowed(['write', params.target])).toBe(false)
  expect(await allowed(['read', IMAGE], ['write', params.target])).toBe(true)
})

it('the door overwrites passwords once it has an answer, refused ones too', async () => {
  const listeners = new Map<string, (event: string, ...args: unknown[]) => Promise<unknown>>()
  const seen: string[] = []
  openGateway<string>({
    door: { handle: (channel, listener) => void listeners.set(channel, listener) },
    schema: rendererSchema,
    isTrusted: (sender) => sender === 'our page',
    async answer(_channel, params) {
      seen.push(new TextDecoder().decode((params as { password: Uint8Array }).password))
      return ok(null)
    },
    takeDropped: async () => {},
    onBug: () => {},
  })
  const knock = async (sender: string, password: Uint8Array): Promise<boolean> => {
    await listeners.get('image.info')?.(sender, { path: IMAGE, password })
    return password.every((byte) => byte === 0)
  }
  expect(await knock('our page', new TextEncoder().encode('secret'))).toBe(true)
  expect(await knock('another page', new TextEncoder().encode('secret'))).toBe(true)
  expect(await knock('our page', new Uint8Array(5000).fill(7))).toBe(true)
  expect(seen).toEqual(['secret'])
})
