import { describe, expect, it } from 'vitest'
import { withPasswordLine } from '../../../../src/engine/tools/passwordLine'
import { isWrongPassword } from '../../../../src/engine/tools/sevenZip'

describe('a password for a program', () => {
  it('is one line, overwritten when the program has ended, and the password itself is left', async () => {
    const password = Buffer.from(' päss word ')
    let line: Uint8Array = new Uint8Array()
    const seen = await withPasswordLine(password, (given) => {
      line = given
      return Promise.resolve(Buffer.from(given).toString())
    })
    expect(seen).toBe(' päss word \n')
    expect(line).toEqual(new Uint8Array(line.length))
    expect(password.toString()).toBe(' päss word ')
  })

  it('is overwritten when the program fails', async () => {
    let line: Uint8Array = new Uint8Array()
    const failing = withPasswordLine(Buffer.from('secret'), (given) => {
      line = given
      return Promise.reject(new Error('ended'))
    })
    await expect(failing).rejects.toThrow('ended')
    expect(line).toEqual(new Uint8Array(7))
  })
})

it('a wrong password is distinguished from a damaged archive by the output of 7-Zip', () => {
  expect(isWrongPassword(['ERROR: a.7z : Cannot open encrypted archive. Wrong password?'])).toBe(true)
  expect(isWrongPassword(['ERROR: Data Error in encrypted file. Wrong password? : all.tar'])).toBe(false)
  expect(isWrongPassword(['ERROR: CRC Failed : all.tar'])).toBe(false)
})
