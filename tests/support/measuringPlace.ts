import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import { type MeasurementDocument, measurementDocumentSchema } from '../../src/contract/dto/measure'
import { type CommandEnd, stowage } from '../fixtures/stowageCommand'

/** Where each test measures: fresh before it, gone after it. */
export interface MeasuringPlace {
  readonly folder: string
  readonly home: string
  /** The folder to be measured in; empty at first. */
  readonly target: string
  specFile(text: string): string
  /** What `stowage measure … --json` printed as its one document. */
  documentOf(end: CommandEnd): MeasurementDocument
  /** Measures in `target`; fails the test unless that ends well. */
  measured(...args: string[]): Promise<MeasurementDocument>
}

export function measuringPlace(): MeasuringPlace {
  let folder = ''
  const place: MeasuringPlace = {
    get folder() {
      return folder
    },
    get home() {
      return join(folder, 'home')
    },
    get target() {
      return join(folder, 'target')
    },
    specFile(text) {
      const file = join(folder, 'spec.yaml')
      writeFileSync(file, text)
      return file
    },
    documentOf({ stdout }) {
      expect(stdout.trimEnd().split('\n')).toHaveLength(1)
      return measurementDocumentSchema.parse(JSON.parse(stdout))
    },
    async measured(...args) {
      const end = await stowage(['measure', place.target, '--json', ...args], { home: place.home })
      expect(end.code, end.stderr).toBe(0)
      return place.documentOf(end)
    },
  }
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'stowage-measure-'))
    mkdirSync(place.target)
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))
  return place
}
