import {
  type MeasurementDocument,
  type OperationFigures,
  SAMPLE_OPERATIONS,
  type SampleOperation,
} from '../../../../src/contract/dto/measure'
import type { Estimate } from '../../../../src/primitives/estimate'
import { formatExactBytes, formatShare, formatSize, type Units } from '../../../../src/primitives/quantity'
import { type Basis, Figure } from '../../components/Figure'
import { t } from '../../copy'
import { useUnits } from '../../state/sessionContext'
import { type FiguresByOperation, hasRange, isFileOperation, operationsOf } from './measureFigures'
import { formatTime, proofWords, rangeText, rateQuantity, timeQuantity } from './measureWords'

/** Rates and latencies with their ranges, of a measurement that runs or of a finished one. */
export function MeasureFigures({
  figures,
  document,
  expected,
}: {
  figures: FiguresByOperation | null
  /** Null while it runs. */
  document: MeasurementDocument | null
  /** The operations that will have figures: their places are kept from the start. */
  expected: readonly SampleOperation[]
}) {
  const units = useUnits()
  const known = figures ? operationsOf(figures) : []
  const shown = SAMPLE_OPERATIONS.filter((op) => known.includes(op) || expected.includes(op))
  const files = shown.filter(isFileOperation)
  const random = shown.filter((op) => !isFileOperation(op))
  const isMarked = document !== null && !document.cache.plausible
  return (
    <div
      className={isMarked ? 'measured stack near marked' : 'measured stack near'}
      aria-label={t('measure.figures')}
      role="group"
    >
      <div className="measured-row rates">
        {files.map((op) => {
          const of = figures?.[op] ?? null
          return (
            <Figure
              key={op}
              size="hero"
              label={t('figure.rate', { op: t(`op.${op}`) })}
              {...rateFigure(of?.bytesPerSecond ?? null, units)}
              basis={basisOf(of?.bytesPerSecond ?? null, 'rate', document, units)}
              note={(op === 'compress' ? codecNote(document) : null) ?? rateNote(of, document, units)}
            />
          )
        })}
      </div>
      <div className="measured-row">
        {[...files, ...random].map((op) => {
          const of = figures?.[op] ?? null
          const latency = of?.latencyNs ?? null
          const isFile = isFileOperation(op)
          if (isFile && document !== null && latency === null) return null
          return (
            <Figure
              key={`${op} latency`}
              label={t(isFile ? 'figure.perFile' : 'figure.perAccess', { op: t(`op.${op}`) })}
              {...timeFigure(latency)}
              basis={basisOf(latency, 'time', document, units)}
              note={
                laterNote(latency, document) ??
                (isFile ? dispersionNote(of) : of && t('figure.spreadOf', { count: of.samples }))
              }
            />
          )
        })}
      </div>
      <ProofLine document={document} />
    </div>
  )
}

/** The verdict on the figures, right below them; its place is kept while it is not known. */
function ProofLine({ document }: { document: MeasurementDocument | null }) {
  if (document === null) return <p className="proof-line muted">{t('proof.later')}</p>
  const { plausible } = document.cache
  return (
    <p className={plausible ? 'proof-line' : 'proof-line warn'}>
      <span className={plausible ? 'sign good' : 'sign bad'} aria-hidden="true">
        {plausible ? '✓' : '✗'}
      </span>{' '}
      {proofWords(document)}
    </p>
  )
}

function rateFigure(estimate: Estimate | null, units: Units) {
  return estimate === null
    ? { quantity: null, exactly: '' }
    : {
        quantity: rateQuantity(estimate.value, units),
        exactly: `${formatExactBytes(Math.round(estimate.value))}/s`,
      }
}

function timeFigure(estimate: Estimate | null) {
  return estimate === null
    ? { quantity: null, exactly: '' }
    : { quantity: timeQuantity(estimate.value), exactly: formatTime(estimate.value) }
}

function basisOf(
  estimate: Estimate | null,
  kind: 'rate' | 'time',
  document: MeasurementDocument | null,
  units: Units,
): Basis {
  if (estimate === null) return { provenance: 'measured', text: '' }
  const said = t(document === null ? 'basis.rateLive' : 'basis.rate', { basis: estimate.basis })
  const isMarked = document !== null && !document.cache.plausible
  return {
    provenance: estimate.provenance,
    text: isMarked ? `${t('basis.implausible')} ${said}` : said,
    range: rangeText(estimate, kind, units),
  }
}

/** While it runs the range has not been computed; the figure says so instead of looking exact. */
function laterNote(estimate: Estimate | null, document: MeasurementDocument | null): string | null {
  return document === null && estimate !== null && !hasRange(estimate) ? t('figure.rangeLater') : null
}

/** `zstd-3: 40 % stored, 21 % of the rate of reading`. */
function codecNote(document: MeasurementDocument | null): string | null {
  const { spec, compressed, compress, read } = document ?? {}
  const [rate, alone] = [compress?.bytesPerSecond?.value, read?.bytesPerSecond?.value]
  if (!document?.cache.plausible || !compressed || !spec?.codec || !rate || !alone) return null
  return t('figure.compressed', {
    codec: spec.codec,
    stored: formatShare(compressed.storedBytes / compressed.bytes),
    share: formatShare(rate / alone),
  })
}

function rateNote(figures: OperationFigures | null, document: MeasurementDocument | null, units: Units) {
  if (document !== null && !document.cache.plausible)
    return <span className="warn">{t('history.implausible')}</span>
  const later = laterNote(figures?.bytesPerSecond ?? null, document)
  if (later !== null) return later
  const half = figures?.halfSpeedBytes
  if (half) return t('figure.halfSpeed', { size: formatSize(Math.round(half.value), units) })
  return figures && t('figure.spreadOf', { count: figures.samples })
}

function dispersionNote(figures: OperationFigures | null) {
  return figures?.dispersion == null
    ? null
    : t('figure.dispersion', { share: formatShare(figures.dispersion) })
}
