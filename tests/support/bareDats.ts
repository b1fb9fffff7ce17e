import type { Dat, DatGame } from '../../src/domain/roms/dat'

/** A game without anything, but for these. */
export function gameOf(name: string, more: Partial<DatGame> = {}): DatGame {
  return {
    name,
    description: name,
    isBios: false,
    isDevice: false,
    cloneOf: null,
    romOf: null,
    sampleOf: null,
    files: [],
    samples: [],
    devices: [],
    biosSets: [],
    ...more,
  }
}

/** A DAT of these games. */
export function datOf(games: readonly DatGame[], header: Partial<Dat['header']> = {}): Dat {
  return {
    format: 'logiqx',
    header: {
      name: 'Made up',
      description: '',
      version: '1',
      date: '2026-11-30',
      author: 'nobody',
      detector: null,
      forceMerging: null,
      forceNoDump: null,
      forcePacking: null,
      ...header,
    },
    games,
    notes: [],
  }
}
