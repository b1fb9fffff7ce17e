import { constants } from 'node:os'
import { getSystemErrorName } from 'node:util'
import { describe, expect, it } from 'vitest'
import { exitCodeOf } from '../../../src/primitives/exitCode'
import { fileFailure } from '../../../src/primitives/fileFailure'

/** An error as Node throws it. */
function thrown(code: string, description = 'some words'): Error {
  return Object.assign(new Error(`${code}: ${description}, lstat '/a, b'`), { code, syscall: 'lstat' })
}

const NAMES = [...new Set(Object.values(constants.errno).map((number) => getSystemErrorName(-number)))]

describe('a failed file operation', () => {
  it.each(NAMES)('names its cause in words: %s', (code) => {
    const { message } = fileFailure(thrown(code), 'read', '/a, b')
    expect(message).toMatch(/^cannot read \/a, b: [a-z]/)
    expect(message).not.toMatch(/E[A-Z]{3,}|lstat/)
  })

  it.each([
    ['ENOTCONN', 'the drive or server that holds it is gone', 2],
    ['ESTALE', 'the drive or server that holds it is gone', 2],
    ['EILSEQ', 'the file system cannot hold this name', 4],
    ['ENOSYS', 'the file system does not support this operation', 7],
    ['EROFS', 'the file system is read-only', 2],
    ['Unknown system error -117', 'the file system is damaged', 1],
    ['EIO', 'the device reports an input/output error', 1],
  ])('with %s is "%s", exit code %i', (code, cause, exit) => {
    const failure = fileFailure(thrown(code), 'write', '/a')
    expect(failure.message).toBe(`cannot write /a: ${cause}`)
    expect(exitCodeOf(failure.code)).toBe(exit)
  })

  it('keeps the description of an errno that is not in the table', () => {
    expect(fileFailure(thrown('ENOANO', 'no anode'), 'read', '/a').message).toBe('cannot read /a: no anode')
  })
})
