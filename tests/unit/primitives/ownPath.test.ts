import { describe, expect, it } from 'vitest'
import { ownPath } from '../../../src/primitives/ownPath'

describe('the form of a path', () => {
  it.each([
    ['C:\\Users\\Ana\\Fotos', 'C:/Users/Ana/Fotos'],
    ['c:\\', 'C:/'],
    ['d:/mixed\\form', 'D:/mixed/form'],
    ['\\\\server\\share\\2026', '//server/share/2026'],
    ['\\\\?\\C:\\very\\long', 'C:/very/long'],
    ['\\\\?\\UNC\\server\\share\\x', '//server/share/x'],
    ['\\\\.\\PhysicalDrive1', '//./PhysicalDrive1'],
    ['C:\\\udced\udca0\udc80', 'C:/\udced\udca0\udc80'],
  ])('has / between names for %j', (given, own) => {
    expect(ownPath(given)).toBe(own)
    expect(ownPath(own)).toBe(own)
  })

  it.each(['/home/ana', '/home/back\\slash', '/', '/c:\\x', '//two'])('leaves %j as it is', (path) => {
    expect(ownPath(path)).toBe(path)
  })
})
