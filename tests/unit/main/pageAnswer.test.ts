import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { answerPage, contentSecurityPolicy, START_PAGE } from '../../../src/main/pageAnswer'
import { temporaryFolder } from '../../support/temporaryFolder'

it('gives the start page a nonce of its own each time, the same in page and header', async () => {
  const folder = await temporaryFolder()
  await writeFile(path.join(folder, 'index.html'), '<meta property="csp-nonce" content="__CSP_NONCE__">')
  const [first, second] = await Promise.all([answerPage(folder, START_PAGE), answerPage(folder, START_PAGE)])
  const nonce = /content="([^"]+)"/.exec(first.body.toString())?.[1] ?? ''
  expect(nonce).toMatch(/^[A-Za-z0-9+/]{22}==$/)
  expect(first.headers['Content-Security-Policy']).toBe(contentSecurityPolicy(nonce))
  expect(second.body.toString()).not.toContain(nonce)
})

it('lets scripts come from its own folder alone', () => {
  const policy = contentSecurityPolicy('n')
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("script-src 'self';")
  expect(policy).not.toMatch(/unsafe/)
})

it('gives files byte for byte, with their type', async () => {
  const folder = await temporaryFolder()
  const content = Buffer.from([0, 255, 128, 10, 13])
  await writeFile(path.join(folder, 'a b.png'), content)
  const answer = await answerPage(folder, 'stowage://window/a%20b.png?v=1#x')
  expect([answer.status, answer.headers['Content-Type'], answer.body]).toEqual([200, 'image/png', content])
})
