import {
  type BandEncryption,
  type BandKind,
  type BandSweepDocument,
  type BandSweepPoint,
  type SweepOperation,
  type SweepRate,
  sweepEvidence,
} from '../../../../../src/contract/dto/bands'
import {
  formatBandSize,
  formatCount,
  formatRate,
  formatSize,
  formatSizeRange,
  threeDigits,
  type Units,
} from '../../../../../src/primitives/quantity'
import { t } from '../../../copy'
import { sweepWarningWords } from '../measureWords'
import type { Proof } from '../ProofPanel'

/** `Sparse bundle, AES-256`. */
export function containerWords(kind: BandKind, encryption: BandEncryption): string {
  const name = t(`bands.kind.${kind}`)
  return encryption === null ? name : `${name}, ${t(`measure.encryption.${encryption}`)}`
}

/** `498–530` in the unit of its rate; null while there is none. */
export function rangeWords({ value, low, high }: SweepRate, units: Units): string | null {
  return low === null || high === null ? null : formatSizeRange(value, low, high, units)
}

/** One point as the arrow keys read it out and the tooltip shows it. */
export function bandPointWords(
  { bandSize, bands }: BandSweepPoint,
  op: SweepOperation,
  rate: SweepRate,
  units: Units,
): string {
  return t('bandChart.point', {
    op: t(`sweep.op.${op}`),
    size: formatBandSize(bandSize ?? 0),
    rate: formatRate(rate.value, units),
    range: rangeWords(rate, units) ?? t('bandChart.noRange'),
    time: `${threeDigits(1e9 / rate.value)} s`,
    count: bands === null ? '' : formatCount(bands),
  })
}

/** The handling of the cache, and the warnings of a sweep. */
export function sweepProof({ cache, warnings, error }: BandSweepDocument, units: Units): Proof {
  const size = (bytes: number): string => formatSize(bytes, units)
  const { residentBytes: resident, deviceReadBytes: counted, readBytes } = cache
  const dropped = size(cache.droppedBytes)
  const found = sweepEvidence(cache)
  const holds = (code: 'resident' | 'deviceReads'): boolean =>
    found.find((each) => each.code === code)?.holds ?? false
  return {
    title: t('bandNotes.title'),
    says: t('bandNotes.says'),
    evidence: [
      {
        holds: holds('resident'),
        words:
          resident === null
            ? t('bandNotes.droppedUnknown', { dropped })
            : t('bandNotes.dropped', { dropped, resident: size(resident) }),
      },
      ...(counted === null
        ? []
        : [
            {
              holds: holds('deviceReads'),
              words: t('bandNotes.counted', { asked: size(readBytes), counted: size(counted) }),
            },
          ]),
      { holds: true, words: t('bandNotes.flush') },
    ],
    error,
    warnings: warnings.map((warning) => ({ key: warning.code, words: sweepWarningWords(warning, units) })),
  }
}
