import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { mayBeAlive, ownIdentity } from '../../../../src/engine/files/processIdentity'

describe('the identity of a process', () => {
  it('is that of one that runs', () => {
    expect(ownIdentity()).toMatch(/^\d+ \d{4,} /)
    expect(mayBeAlive(ownIdentity())).toBe(true)
  })

  it('is not that of another process that got the same number', () => {
    expect(mayBeAlive(ownIdentity().replace(/^(\d+) \d+/, '$1 1'))).toBe(false)
  })

  it('is not that of a process before the last start of the machine', () => {
    const [pid, started, , space] = ownIdentity().split(' ')
    expect(mayBeAlive([pid, started, 'another', space].join(' '))).toBe(false)
  })

  it('of a process in another container may be that of one that runs', () => {
    const [, started, boot] = ownIdentity().split(' ')
    expect(mayBeAlive([2147483647, started, boot, 'pid:[1]'].join(' '))).toBe(true)
  })

  it('that is only a number is that of any process with the number', async () => {
    expect(mayBeAlive(String(process.pid))).toBe(true)
    const ended = spawn('true')
    await once(ended, 'exit')
    expect(mayBeAlive(String(ended.pid))).toBe(false)
  })

  it.each(['', ' ', '0 1', '-1', 'x'])('is not %j', (text) => {
    expect(mayBeAlive(text)).toBe(false)
  })
})
