import { describe, expect, test } from 'vitest'
import { requireTool } from '../../../../src/engine/tools/externalTool'
import { listingReader } from '../../../../src/engine/tools/sevenZip'
import { toolsReport } from '../../../../src/engine/tools/toolsReport'

describe('the report on external programs', () => {
  test('names version, purpose and source of each, found or not', async () => {
    const report = await toolsReport()
    const names = ['xorriso', '7-Zip', 'growisofs', 'cdrskin', 'mksquashfs', 'borg', 'restic']
    expect(report.map(({ name }) => name)).toEqual(names)
    for (const { neededFor, howToGet } of report) {
      expect(neededFor).not.toBe('')
      expect(howToGet.split('\n')).toHaveLength(1)
    }
    // 7-Zip comes with the installation.
    expect(report[1]).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+$/),
      path: expect.any(String),
    })
  })

  test('does not stop at a program that is missing', async () => {
    const path = process.env['PATH']
    process.env['PATH'] = '/no/such/folder'
    try {
      const [xorriso, sevenZip] = await toolsReport()
      expect(xorriso).toMatchObject({ version: null, path: null })
      expect(sevenZip?.version).not.toBeNull()
    } finally {
      process.env['PATH'] = path
    }
  })

  test('says in one line how to get what is required', async () => {
    const tool = { name: 'x', neededFor: 'this', howToGet: 'install x', find: () => Promise.resolve(null) }
    await expect(requireTool(tool)).rejects.toMatchObject({
      code: 'tool-missing',
      message: 'cannot find x, which is needed for this; install x',
    })
  })
})

describe("7-Zip's listing", () => {
  test('is read item by item, with its complaints', () => {
    const reader = listingReader()
    const lines = [
      'Listing archive: x.iso',
      '--',
      'Path = x.iso',
      'Type = Iso',
      'ERRORS:',
      'Unexpected end of archive',
      'Physical Size = 788480',
      'Comment = ',
      '{',
      'Volume: X',
      '}',
      '----------',
      'Path = folder',
      'Folder = +',
      'Size = ',
      'Path = folder/a = b',
      'Folder = -',
      'Size = 9663676416',
      'Packed Size = 9663676416',
      'Symbolic Link = ',
      'Path = of an archive',
      'Size = 12',
      'Attributes = A -rw-r--r--',
      'CRC = 0A1B2C3D',
      'Encrypted = +',
      'Path = linked',
      'Attributes = A lrwxrwxrwx',
      'Path = below',
      'Attributes = D drwxr-xr-x',
    ]
    const fact = { isFolder: false, isLink: false, bytes: 0, crc: null, isEncrypted: false }
    for (const line of lines) reader.line(line)
    expect(reader.end()).toEqual({
      items: [
        { ...fact, shownPath: 'folder', isFolder: true },
        { ...fact, shownPath: 'folder/a = b', bytes: 9663676416 },
        { ...fact, shownPath: 'of an archive', bytes: 12, crc: '0a1b2c3d', isEncrypted: true },
        { ...fact, shownPath: 'linked', isLink: true },
        { ...fact, shownPath: 'below', isFolder: true },
      ],
      errors: ['Unexpected end of archive'],
    })
  })
})
