import type { SurveyDocument } from '../../../../src/contract/dto/survey'
import {
  formatCount,
  formatExactBytes,
  formatSize,
  sizeQuantity,
  type Units,
} from '../../../../src/primitives/quantity'
import { HowDoWeKnow } from '../../components/Figure'
import { Panel } from '../../components/Panel'
import { t } from '../../copy'
import type { SurveyFigures } from './surveyState'

interface Line {
  readonly key: string
  readonly label: string
  readonly note: string
  readonly bytes: number | null
  readonly count: number | null
}

/** What the bytes really are: apparent, allocated, overhead, sparse, cloned, hard-linked; what copies are. */
export function TrueSizes({
  figures,
  document,
  units,
}: {
  figures: SurveyFigures | null
  document: SurveyDocument | null
  units: Units
}) {
  const totals = figures?.totals ?? null
  const copies = figures?.duplicateFiles ?? null
  const size = (key: 'apparent' | 'allocated' | 'sparse', bytes: number | undefined): Line => ({
    key,
    label: t(`true.${key}`),
    note: t(`true.${key}.note`),
    bytes: bytes ?? null,
    count: null,
  })
  const lines: Line[] = [
    size('apparent', totals?.bytes),
    size('allocated', totals?.allocatedBytes),
    {
      key: 'slack',
      label: t('true.slack'),
      note: meanSlack(totals, units),
      bytes: totals?.slackBytes ?? null,
      count: null,
    },
    size('sparse', totals?.sparseBytes),
    {
      key: 'cloned',
      label: t('true.cloned'),
      note: t(document && totals?.clonedBytes === null ? 'true.cloned.unknown' : 'true.cloned.note'),
      bytes: totals?.clonedBytes ?? null,
      count: null,
    },
    {
      key: 'hardLinks',
      label: t('true.hardLinks'),
      note: t('true.hardLinks.note', { count: totals?.hardLinks ?? 0 }),
      // Until everything is read nobody knows which names are of one file.
      bytes: copies === null && (totals?.hardLinks ?? 0) > 0 ? null : (totals?.hardLinkedBytes ?? null),
      count: null,
    },
    {
      key: 'copies',
      label: t('true.copies'),
      note: copies ? t('true.copies.note', { count: copies.files }) : t('totals.atTheEnd'),
      bytes: copies?.bytes ?? null,
      count: null,
    },
    {
      key: 'symlinks',
      label: t('true.symlinks'),
      note: t('true.symlinks.note'),
      bytes: null,
      count: totals?.symlinks ?? null,
    },
    {
      key: 'emptyFiles',
      label: t('true.emptyFiles'),
      note: t('true.emptyFiles.note'),
      bytes: null,
      count: totals?.emptyFiles ?? null,
    },
  ]
  return (
    <Panel
      title={t('true.title')}
      says={t('true.says')}
      csv={
        totals
          ? () => ({
              name: 'true-sizes',
              header: ['figure', 'bytes', 'count'],
              rows: lines.map((line) => [line.key, line.bytes ?? '', line.count ?? '']),
            })
          : undefined
      }
    >
      <dl className="true-sizes">
        {lines.map((line) => (
          <div key={line.key}>
            <dt>
              {line.label}
              <span className="true-note muted">{line.note}</span>
            </dt>
            <dd>
              <Value line={line} units={units} />
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}

/** Of each file, on average. */
function meanSlack(totals: SurveyFigures['totals'] | null, units: Units): string {
  if (!totals?.files || totals.slackBytes === null) return t('true.slack.none')
  return t('true.slack.note', { size: formatSize(Math.round(totals.slackBytes / totals.files), units) })
}

function Value({ line, units }: { line: Line; units: Units }) {
  if (line.bytes === null && line.count === null) return <span className="muted">–</span>
  const quantity =
    line.bytes === null ? { number: formatCount(line.count ?? 0), unit: '' } : sizeQuantity(line.bytes, units)
  return (
    <HowDoWeKnow
      className="figure-inline"
      label={line.label}
      exactly={line.bytes === null ? formatCount(line.count ?? 0) : formatExactBytes(line.bytes)}
      basis={{ provenance: 'exact', text: t('basis.counted') }}
    >
      <span className="number">{quantity.number}</span>
      {quantity.unit !== '' && <span className="unit">{quantity.unit}</span>}
    </HowDoWeKnow>
  )
}
