import type { BandSweepDocument, SweepOperation, SweepRate } from '../../../../../src/contract/dto/bands'
import { bandsInUse } from '../../../../../src/contract/dto/measure'
import {
  formatBandSize,
  formatCount,
  formatExactBytes,
  formatShare,
  type Quantity,
  type Units,
} from '../../../../../src/primitives/quantity'
import { Figure } from '../../../components/Figure'
import { t } from '../../../copy'
import { useStateOf, useUnits } from '../../../state/sessionContext'
import { MeasureSession } from '../measureSession'
import { rateQuantity } from '../measureWords'
import { DRAWN_OPERATIONS } from './bandsState'
import { rangeWords } from './bandsWords'

/** Which band size, why, and what to expect of it; its place is kept while a sweep runs. */
export function RecommendationPanel({ document }: { document: BandSweepDocument | null }) {
  const units = useUnits()
  const found = document?.recommended ?? null
  const isMarked = document !== null && !document.cache.plausible
  const size = found?.bandSize ?? null
  const { list } = useStateOf(MeasureSession)
  const used = document && bandsInUse(list, document.device.key, document.recommended.encryption)
  return (
    <section
      className={isMarked ? 'measured stack near marked' : 'measured stack near'}
      aria-label={t('bands.recommended')}
    >
      <div className="band-choice">
        <Figure
          size="hero"
          label={t(found !== null && size === null ? 'bands.recommended.none' : 'bands.recommended.label')}
          quantity={size === null ? null : bandQuantity(size)}
          exactly={
            size === null
              ? ''
              : t('bands.recommended.exactly', {
                  bytes: formatExactBytes(size),
                  count: formatCount(found?.bands ?? 0),
                })
          }
          basis={{ provenance: 'measured', text: t('bands.recommended.basis') }}
          note={
            found === null ? t('bands.recommended.later') : found.isNoise ? t('bands.recommended.noise') : ''
          }
        />
        <p className="because">
          {found?.because ?? ''}
          {used &&
            ` ${t('bands.inUse', {
              full: formatCount(used.full),
              size: formatBandSize(used.bandSize),
              left: formatCount(used.left),
            })}`}
        </p>
      </div>
      <div className="measured-row band-expected">
        {DRAWN_OPERATIONS.map((op) => (
          <Expected key={op} op={op} rate={found?.expected?.[op] ?? null} units={units} />
        ))}
      </div>
    </section>
  )
}

function Expected({ op, rate, units }: { op: SweepOperation; rate: SweepRate | null; units: Units }) {
  const range = rate === null ? null : rangeWords(rate, units)
  return (
    <Figure
      label={t('bands.expect', { op: t(`bands.expect.${op}`) })}
      quantity={rate === null ? null : rateQuantity(rate.value, units)}
      exactly={rate === null ? '' : `${formatExactBytes(Math.round(rate.value))}/s`}
      basis={{
        provenance: 'measured',
        text: t('bands.expect.basis', {
          count: rate?.repeats ?? 0,
          confidence: formatShare(rate?.confidence ?? 0),
        }),
        ...(range === null ? {} : { range }),
      }}
    />
  )
}

function bandQuantity(bytes: number): Quantity {
  const [number = '', unit = ''] = formatBandSize(bytes).split(' ')
  return { number, unit }
}
