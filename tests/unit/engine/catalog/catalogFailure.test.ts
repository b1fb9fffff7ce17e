import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { catalogFailure } from '../../../../src/engine/catalog/catalogFailure'

const file = join(tmpdir(), 'catalog.db')
const failureOf = (code: string): unknown =>
  catalogFailure(Object.assign(new Error('disk I/O error'), { code }), 'open', file)

describe("SQLite's failures", () => {
  it.each(['SQLITE_FULL', 'SQLITE_IOERR_SHMOPEN', 'SQLITE_IOERR_SHMSIZE'])(
    'name a full disk as the cause: %s',
    (code) => {
      expect(failureOf(code)).toMatchObject({
        code: 'no-space',
        message: `cannot open the catalog ${file}: no space left on the device`,
      })
    },
  )

  it.each([
    ['SQLITE_IOERR_READ', 'io'],
    ['SQLITE_CANTOPEN', 'permission-denied'],
    ['SQLITE_NOTADB', 'catalog-broken'],
  ])('name other causes: %s', (code, known) => {
    expect(failureOf(code)).toMatchObject({ code: known, path: file })
  })
})
