import { describe, expect, test } from 'vitest'
import { CHUNKER_NOTES } from '../../../../src/contract/dto/chunkerNotes'
import {
  CHUNKERS,
  type Chunker,
  chunkerNamed,
  cutRuleOf,
  meanChunkBytes,
} from '../../../../src/domain/survey/chunkers'

const KIB = 1024

describe('the registry of chunkers', () => {
  test('keeps its names', () => {
    expect(CHUNKERS.map((chunker) => chunker.name)).toEqual([
      'borg-1',
      'borg-2',
      'restic',
      'kopia',
      'casync',
      'fastcdc-8k',
      'fastcdc-16k',
      'fastcdc-64k',
    ])
  })

  test('holds only what the native cutter can cut', () => {
    for (const rule of CHUNKERS.map(cutRuleOf)) {
      expect(rule.minBytes).toBeGreaterThanOrEqual(128)
      expect(rule.normalBytes).toBeGreaterThanOrEqual(rule.minBytes)
      expect(rule.maxBytes).toBeGreaterThan(rule.normalBytes)
      expect(Number.isInteger(Math.log2(rule.maxBytes))).toBe(true)
      expect(Math.min(rule.oddsBefore, rule.oddsAfter)).toBeGreaterThanOrEqual(2048)
    }
  })

  test('gives the means that the tools are known to have', () => {
    const mean = (name: string) => meanChunkBytes(chunkerNamed(name) as Chunker) / KIB
    expect(mean('restic')).toBeCloseTo(1535, -1)
    expect(mean('borg-1')).toBeCloseTo(2512, -1)
    expect(mean('kopia')).toBeCloseTo(5230, -1)
    expect(mean('casync')).toBeCloseTo(64, 0)
    expect(mean('borg-2')).toBeGreaterThan(2200)
    expect(mean('borg-2')).toBeLessThan(2400)
  })

  test('finds a chunker by its name only', () => {
    expect(chunkerNamed('casync')?.tool).toContain('casync')
    expect(chunkerNamed('Casync')).toBeUndefined()
  })

  test('has every chunker that there are notes of', () => {
    for (const name of Object.keys(CHUNKER_NOTES)) expect(chunkerNamed(name)).toBeDefined()
  })
})
