import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readMachO } from '../support/machO'

describe.each([
  ['darwin-arm64', 'arm64'],
  ['darwin-x64', 'x86_64'],
])('the addon for %s', (target, architecture) => {
  const file = readMachO(readFileSync(resolve('build/native', target, 'stowage.node')))

  it('is for that processor and for macOS 13 or newer', () => {
    expect(file).toMatchObject({ architecture, oldestSystem: '13.0' })
  })

  it('exports the entry of Node-API', () => {
    expect(file.exported).toContain('_napi_register_module_v1')
  })

  it('hides the functions of its libraries, which Node has too', () => {
    const named = /^_(?:EVP|OSSL|OPENSSL_init|BIO|RAND|PKCS|deflate|inflate|crc32|lzma)/
    expect(file.exported.filter((name) => named.test(name))).toEqual([])
  })

  it('names no framework and no library but those of every macOS', () => {
    expect(file.libraries.filter((name) => !name.startsWith('/usr/lib/lib'))).toEqual([])
    expect(file.libraries).toContain('/usr/lib/libSystem.B.dylib')
  })
})
