import { describe, expect, test } from 'vitest'
import { escapeHtml } from '../../../../../src/engine/sets/export/reportHtml'
import { gigabytes, sizeText } from '../../../../../src/engine/sets/export/sizeText'
import { sha256Line } from '../../../../../src/engine/sets/volume/lists/sha256Sums'
import { volumeNumber, volumePlaces } from '../../../../../src/engine/sets/volume/planned/plannedVolume'

const SUM = 'ab'.repeat(32)
describe('checksum lines', () => {
  test('are those of sha256sum, with its escapes', () => {
    expect(sha256Line(SUM, ' a  b')).toBe(`${SUM}   a  b\n`)
    expect(sha256Line(SUM, 'a\\b\nc\rd')).toBe(`\\${SUM}  a\\\\b\\nc\\rd\n`)
  })
})

describe('figures for people', () => {
  test('show exact bytes and both units', () => {
    expect(sizeText(999)).toBe('999 bytes')
    expect(sizeText(1_234_567)).toBe('1,234,567 bytes (1.23 MB, 1.18 MiB)')
    expect(sizeText(25_025_314_816)).toBe('25,025,314,816 bytes (25.0 GB, 23.3 GiB)')
    expect(gigabytes(25_025_314_816)).toEqual({ gb: '25.025', gib: '23.307' })
  })
})

describe('places of volumes', () => {
  test('have as many digits as the last volume needs, and at least two', () => {
    expect(volumeNumber(3, 9)).toBe('03')
    expect(volumeNumber(3, 100)).toBe('003')
    expect(volumePlaces(1, 1).image).toBe('images/01.iso')
  })
})

test('names in the report cannot become markup or turn the line around', () => {
  expect(escapeHtml(`<b>"x" & 'y'\u202e\n`)).toBe('&lt;b&gt;&quot;x&quot; &amp; &#39;y&#39;\ufffd\u240a')
})
