import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { askHidden, type HiddenInput } from '../../../src/cli/hiddenInput'
import { passwordLines, passwordsOf } from '../../../src/cli/passwords'
import { temporaryFolder } from '../../support/temporaryFolder'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const text = (found: Uint8Array): string => Buffer.from(found).toString()

/** A terminal at which these keys are struck, one piece a question, and what it shows. */
function terminalWith(...answers: readonly string[]) {
  const waiting = [...answers]
  const shown: string[] = []
  const raw: boolean[] = []
  const pieces: Uint8Array[] = []
  const input: HiddenInput = {
    isTTY: true,
    setRawMode: (on) => void raw.push(on),
    onBytes(listener) {
      const piece = bytes(waiting.shift() ?? '\u0003')
      pieces.push(piece)
      queueMicrotask(() => listener(piece))
      return () => {}
    },
    readAll: async () => bytes(''),
    write: (line) => void shown.push(line),
  }
  return { input, shown, raw, pieces }
}

function piped(content: string): HiddenInput {
  return { ...terminalWith().input, isTTY: false, readAll: async () => bytes(content) }
}

describe('a password on a terminal', () => {
  it.each([
    ['plain\r', 'plain'],
    ['with\u007f\u007f\u007f\u007fout\n', 'out'],
    ['Größe\u007f\u007f\u007fö\u0008\r', 'Gr'],
    ['all of it\u0015anew\r', 'anew'],
    ['\r\rlate\r', 'late'],
    [' spaces kept \u0004', ' spaces kept '],
    ['one\rtwo\r', 'one'],
  ])('%j is %j', async (keys, password) => {
    const { input, shown, raw, pieces } = terminalWith(keys)
    expect(text(await askHidden(input, 'Password: '))).toBe(password)
    expect(shown).toEqual(['Password: ', '\n'])
    expect(raw).toEqual([true, false])
    expect(pieces.every((piece) => piece.every((byte) => byte === 0))).toBe(true)
  })

  it.each(['abc\u0003', '\u0004'])('%j takes it back, and the terminal is as it was', async (keys) => {
    const { input, raw } = terminalWith(keys)
    await expect(askHidden(input, 'Password: ')).rejects.toMatchObject({ code: 'cancelled' })
    expect(raw).toEqual([true, false])
  })

  it('is refused when it is too long, not cut', async () => {
    const long = 'x'.repeat(4097)
    await expect(askHidden(terminalWith(`${long}\r`).input, 'Password: ')).rejects.toMatchObject({
      code: 'usage',
      message: 'a password has 1 to 4096 bytes',
    })
    expect(text(await askHidden(terminalWith(`${long}\u0015short\r`).input, 'Password: '))).toBe('short')
    expect(text(await askHidden(terminalWith(`${'x'.repeat(4096)}\r`).input, ''))).toHaveLength(4096)
  })

  it('is asked for twice when it is new', async () => {
    const same = passwordsOf({}, terminalWith('one\r', 'one\r').input)
    expect(text(await same.fresh('/a.dmg'))).toBe('one')
    const other = passwordsOf({}, terminalWith('one\r', 'two\r').input)
    await expect(other.fresh('/a.dmg')).rejects.toMatchObject({ code: 'usage' })
  })
})

describe('passwords from elsewhere', () => {
  it.each([
    ['one', ['one']],
    ['one\n', ['one']],
    ['one\r\ntwo\r\n', ['one', 'two']],
    [' o ne \nrest', [' o ne ', 'rest']],
    ['', []],
  ])('%j holds %j', (content, lines) => {
    const all = bytes(content)
    expect(passwordLines(all, 'stdin').map(text)).toEqual(lines)
    expect(all.every((byte) => byte === 0)).toBe(true)
  })

  it.each([
    ['a key file', Buffer.from('abc\0def\n')],
    ['UTF-16', Buffer.from('secret\n', 'utf16le')],
    ['a NUL behind the line', Buffer.from('secret\nmore\0')],
  ])('are refused with a NUL: %s', async (_, content) => {
    const file = join(await temporaryFolder(), 'key')
    await writeFile(file, content)
    await expect(passwordsOf({ 'password-file': file }).current('/a.dmg')).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('NUL byte'),
    })
    const input = { ...terminalWith().input, isTTY: false, readAll: async () => Uint8Array.from(content) }
    const fromStdin = passwordsOf({ 'password-stdin': true }, input).current('/a.dmg')
    if (content.indexOf(0) < content.length - 1)
      await expect(fromStdin).rejects.toMatchObject({ code: 'usage' })
    else expect(text(await fromStdin)).toBe('secret')
  })

  it('may end with a NUL on stdin, as for hdiutil -stdinpass', async () => {
    expect(text(await passwordsOf({ 'password-stdin': true }, piped('one\0')).current('/a.dmg'))).toBe('one')
  })

  it.each(['\n', 'one\n\ntwo\n', `${'x'.repeat(4097)}\n`])('%j is refused', (content) => {
    expect(() => passwordLines(bytes(content), 'stdin')).toThrow(/a password has 1 to 4096 bytes/)
  })

  it('do not begin with the byte order mark of an editor', () => {
    expect(passwordLines(bytes('\ufeffsecret\nother'), 'stdin').map(text)).toEqual(['secret', 'other'])
    expect(passwordLines(bytes('\ufeff'), 'stdin')).toEqual([])
    expect(() => passwordLines(bytes('\ufeff\n'), 'stdin')).toThrow(/a password has 1 to 4096 bytes/)
  })

  it('are read to their end from a pipe that gives them in pieces', async () => {
    // A pipe in packet mode: each read gets what one write gave.
    const script = `import os, sys
r, w = os.pipe2(os.O_DIRECT)
os.write(w, b'first ')
os.write(w, b'and last\\n')
os.close(w)
print(f'/proc/{os.getpid()}/fd/{r}', flush=True)
sys.stdin.read()`
    const holder = spawn('python3', ['-c', script], { stdio: ['pipe', 'pipe', 'inherit'] })
    const [line] = (await once(holder.stdout, 'data')) as [Buffer]
    const found = await passwordsOf({ 'password-file': line.toString().trimEnd() }).current('a.dmg')
    holder.stdin.end()
    await once(holder, 'close')
    expect(text(found)).toBe('first and last')
  })

  it('are taken from stdin line by line', async () => {
    const passwords = passwordsOf({ 'password-stdin': true }, piped('old\nnew\n'))
    expect([text(await passwords.current('/a')), text(await passwords.fresh('/a'))]).toEqual(['old', 'new'])
    await expect(passwords.fresh('/a')).rejects.toMatchObject({ code: 'usage' })
  })

  it('are taken from the first line of a file, which never serves as the old one and the new one', async () => {
    const file = join(await temporaryFolder(), 'password')
    await writeFile(file, 'first\nsecond\n')
    expect(text(await passwordsOf({ 'password-file': file }, piped('')).fresh('/a'))).toBe('first')
    const both = passwordsOf({ 'password-file': file }, piped(''))
    expect(text(await both.current('/a'))).toBe('first')
    await expect(both.fresh('/a')).rejects.toMatchObject({ code: 'wrong-password' })
    const named = passwordsOf({ 'password-file': file, 'new-password-file': file }, piped(''))
    await named.current('/a')
    expect(text(await named.fresh('/a'))).toBe('first')
  })

  it('are reported in plain words when they are missing', async () => {
    await expect(passwordsOf({}, piped('')).current('/a')).rejects.toMatchObject({ code: 'wrong-password' })
    await expect(passwordsOf({ 'password-file': '/no/such' }, piped('')).current('/a')).rejects.toMatchObject(
      {
        code: 'not-found',
      },
    )
    await expect(
      passwordsOf({ 'password-file': '/dev/null' }, piped('')).current('/a'),
    ).rejects.toMatchObject({
      code: 'usage',
    })
    expect(() => passwordsOf({ 'password-file': 'a', 'password-stdin': true }, piped(''))).toThrow(
      /only one of/,
    )
  })
})
