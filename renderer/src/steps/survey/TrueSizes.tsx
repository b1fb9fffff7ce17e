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

type Key =
  | 'apparent'
  | 'allocated'
  | 'slack'
  | 'sparse'
  | 'cloned'
  | 'hardLinks'
  | 'copies'
  | 'symlinks'
  | 'emptyFiles'

interface Line {
  readonly key: Key
  readonly label: string
  readonly note: string
  readonly bytes: number | null
  readonly count: number | null
}

/**
 * The sizes behind the bytes: apparent, allocated, overhead, sparse, cloned, hard-linked; and what
 * copies are.
 */
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
  const lineOf = (
    key: Key,
    bytes: number | null | undefined,
    note: string = t(`true.${key}.note`),
    count: number | null = null,
  ): Line => ({ key, label: t(`true.${key}`), note, bytes: bytes ?? null, count })
  const counted = (key: Key, count: number | undefined) => lineOf(key, null, undefined, count)
  // Until everything is read nobody knows which names are of one file.
  const isUnlinked = copies === null && (totals?.hardLinks ?? 0) > 0
  const lines: Line[] = [
    lineOf('apparent', totals?.bytes),
    lineOf('allocated', totals?.allocatedBytes),
    lineOf('slack', totals?.slackBytes, meanSlack(totals, units)),
    lineOf('sparse', totals?.sparseBytes),
    lineOf(
      'cloned',
      totals?.clonedBytes,
      t(document && totals?.clonedBytes === null ? 'true.cloned.unknown' : 'true.cloned.note'),
    ),
    lineOf(
      'hardLinks',
      isUnlinked ? null : totals?.hardLinkedBytes,
      t('true.hardLinks.note', { count: totals?.hardLinks ?? 0 }),
    ),
    lineOf(
      'copies',
      copies?.bytes,
      copies ? t('true.copies.note', { count: copies.files }) : t('totals.atTheEnd'),
    ),
    counted('symlinks', totals?.symlinks),
    counted('emptyFiles', totals?.emptyFiles),
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
              rows: lines.map(({ key, bytes, count }) => [key, bytes ?? '', count ?? '']),
            })
          : undefined
      }
    >
      <dl className="true-sizes">
        {lines.map((each) => (
          <div key={each.key}>
            <dt>
              {each.label}
              <span className="true-note muted">{each.note}</span>
            </dt>
            <dd>
              <Value line={each} units={units} />
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}

/** The mean slack of a file. */
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
      shown={quantity}
    />
  )
}
