import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type RestoreFacts, restoreText } from '../../../../../src/engine/sets/export/restoreText'
import { LANGUAGES } from '../../../../../src/primitives/languages'
import { BUILT } from '../../../../support/builtOption'

const PLAIN: RestoreFacts = {
  payloadName: 'STOWAGE',
  hasParts: false,
  methods: [],
  isEncrypted: false,
  isProtected: false,
}
const PACKED = [...BUILT.filter((name) => !/^plain|blocks-/.test(name)), 'borg-1-none', 'restic-auto']

describe('RESTORE.txt', () => {
  test('explains the script and how to copy plain files', () => {
    const text = restoreText(PLAIN)
    expect(text).toContain('sh STOWAGE/RESTORE.sh TARGET-FOLDER')
    expect(text).toContain('The files are stored as they are: copy everything but the folder STOWAGE.')
    expect(text).not.toMatch(/It needs|password|\.001/)
  })

  test.each(PACKED)('names the program and the command for %s', (method) => {
    const text = restoreText({ ...PLAIN, methods: [method] })
    expect(text).toMatch(/^It needs (?!a program)/m)
    expect(text).toMatch(/^ {2}(7zz|zstd|gzip|lz4|unzip|unsquashfs|xorriso|dmg2img|borg|restic) /m)
    expect(text).not.toContain(`packed as ${method}`)
  })

  test('explains parts and passwords where there are any', () => {
    const text = restoreText({ ...PLAIN, methods: ['7z-files'], hasParts: true, isEncrypted: true })
    expect(text).toContain('cat NAME.001 NAME.002 > NAME')
    expect(text).toContain('STOWAGE/INDEX.7z')
  })

  test.each([
    ['7z-files', /7-Zip asks for the password/, /^It needs 7-Zip \(7zz\), and names/m],
    [
      'borg-1-zstd-3',
      /borg asks for the password/,
      /^It needs borg 1 \(borgbackup.org\), and 7-Zip \(7zz\), /m,
    ],
    ['restic-auto', /restic asks for the password/, /^It needs restic \(restic.net\), and 7-Zip \(7zz\), /m],
    ['udzo', /On a Mac, open them with a double click/, /^It cannot unpack the files/m],
  ])('explains who asks for the password of %s', (method, asks, needs) => {
    const text = restoreText({ ...PLAIN, methods: [method], isEncrypted: true })
    const byHand = text.slice(text.indexOf('BY HAND'), text.indexOf('The list of all files'))
    expect(byHand).toMatch(asks)
    expect(byHand.includes('7-Zip')).toBe(method === '7z-files')
    expect(text).toMatch(needs)
    expect(text).toContain('STOWAGE/INDEX.7z, with the same password: 7-Zip asks for it.')
    expect(text).not.toContain('dmg2img')
  })

  test('in German explains the same, then everything in English', () => {
    const facts = { ...PLAIN, methods: ['7z-files'], hasParts: true, isEncrypted: true }
    const [german = '', english] = restoreText(facts, 'de').split(/^-+\n\n/m)
    expect(german).toContain('So kommen die Dateien ohne Stowage zurück')
    expect(german).toContain('sh STOWAGE/RESTORE.sh ZIELORDNER')
    expect(german).toContain('7-Zip fragt nach dem Passwort')
    expect(german).not.toMatch(/\b(?:the|volume|password|files)\b/)
    expect(english).toBe(restoreText(facts))
  })

  test.each(LANGUAGES)('in %s has lines of at most 100 characters', (language) => {
    const all = restoreText(
      { ...PLAIN, methods: PACKED.slice(0, 1), hasParts: true, isEncrypted: true },
      language,
    )
    const each = [false, true].flatMap((isEncrypted) =>
      PACKED.map((method) => restoreText({ ...PLAIN, methods: [method], isEncrypted }, language)),
    )
    const long = [all, ...each]
      .join('')
      .split('\n')
      .filter((line) => line.length > 100)
    expect(long).toEqual([])
  })

  test('the script unpacks every kind of container', () => {
    const script = readFileSync(
      new URL('../../../../../src/engine/sets/export/restore.sh', import.meta.url),
      'utf8',
    )
    const unpack = script.slice(script.indexOf('\nunpack() {'), script.indexOf('does not know the method'))
    const patterns = [...unpack.matchAll(/^ {4}([a-z0-9*| -]+)\)$/gm)].flatMap(([, cases = '']) =>
      cases.split(' | ').map((pattern) => new RegExp(`^${pattern.replaceAll('*', '.*')}$`)),
    )
    expect(
      PACKED.filter((method) => !patterns.some((one) => one.test(method) && one.source !== '^.*$')),
    ).toEqual([])
  })
})
