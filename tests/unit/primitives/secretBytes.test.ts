import { expect, it } from 'vitest'
import { wipe } from '../../../src/primitives/secretBytes'

const some = (): Uint8Array => Uint8Array.of(1, 2, 3)
const zeros = Uint8Array.of(0, 0, 0)

it('overwrites bytes wherever a message may have them, and nothing else', () => {
  const [a, b, c] = [some(), some(), some()]
  const message = { path: '/a', count: 7, none: null, a, inner: { b, list: [c] } }
  wipe([message])
  expect([a, b, c]).toEqual([zeros, zeros, zeros])
  expect(message).toMatchObject({ path: '/a', count: 7, none: null })
  for (const plain of [undefined, null, 'text', 7]) wipe(plain)
})

it('ends in a message that holds itself', () => {
  const circle: Record<string, unknown> = { secret: some() }
  circle['again'] = circle
  wipe(circle)
  expect(circle['secret']).toEqual(zeros)
})
