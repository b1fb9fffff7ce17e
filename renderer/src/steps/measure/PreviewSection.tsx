import type { ReactNode } from 'react'
import type { WireError } from '../../../../src/primitives/appError'
import { pathForDisplay } from '../../../../src/primitives/pathText'
import { formatShare, formatSize } from '../../../../src/primitives/quantity'
import { Figure, sizeFigure } from '../../components/Figure'
import { Check } from '../../components/fields'
import { PathText } from '../../components/PathText'
import { spoken, t, tMaybe } from '../../copy'
import { sentence } from '../../format/sentence'
import { useUnits } from '../../state/sessionContext'
import { deviceWords } from './measureWords'
import { needsAgreement, type Timed } from './timedState'

type Previewed = Timed['preview']

/** The parts of a preview that only a measurement or only a sweep has. */
export interface PreviewWords {
  readonly readsNote?: string
  /** A further figure. */
  readonly more?: ReactNode
  /** Remarks that the figures do not contain. */
  readonly words: string | null
}

interface PreviewProps extends PreviewWords {
  /** A person agreed to writing a large share of the device. */
  readonly agreed: boolean
  readonly running: boolean
  readonly onAgree: (agreed: boolean) => void
}

/** The place and amount of the writing, before anything is written; or why it is refused. */
export function PreviewSection({
  preview,
  problem,
  waiting,
  hasFigures,
  ...props
}: PreviewProps & {
  /** Figures are shown below, or will be: what comes before them folds away. */
  hasFigures: boolean
  preview: Previewed | null
  /** Why there is no preview. */
  problem: WireError | null
  /** The missing input, where there is no problem either. */
  waiting: string
}) {
  const units = useUnits()
  const content = (
    <>
      {preview !== null ? (
        <PreviewFigures preview={preview} {...props} />
      ) : (
        <p className={problem ? 'preview-words' : 'preview-words muted'} role="status">
          {problem === null ? (
            waiting
          ) : (
            <>
              <strong className="bad">{sentence(problem.message)}</strong>{' '}
              {tMaybe(`error.${problem.code}`, '')}
            </>
          )}
        </p>
      )}
    </>
  )
  const isPlain = preview !== null && preview.refusal === null && !needsAgreement(preview) && problem === null
  if (hasFigures && (isPlain || (preview === null && problem === null)))
    return (
      <section className="panel" aria-label={t('preview.title')}>
        <details className="expert">
          <summary>
            {preview === null
              ? t('preview.title')
              : t(props.running ? 'preview.brief.running' : 'preview.brief', {
                  write: formatSize(preview.writeBytes, units),
                  read: formatSize(preview.readBytes, units),
                })}
          </summary>
          {content}
        </details>
      </section>
    )
  return (
    <section className="panel preview" aria-label={t('preview.title')}>
      <header className="panel-head">
        <h2>{t('preview.title')}</h2>
      </header>
      {content}
    </section>
  )
}

function PreviewFigures({
  preview,
  agreed,
  running,
  readsNote,
  more,
  words,
  onAgree,
}: PreviewProps & { preview: Previewed }) {
  const units = useUnits()
  const { readOnly = false, refusal } = preview
  const planned = {
    provenance: 'exact' as const,
    text: t(readOnly ? 'basis.previewReading' : 'basis.preview'),
  }
  return (
    <>
      <div className="totals preview-figures" role="group" aria-label={t('preview.title')}>
        <Figure
          label={t('preview.writes')}
          {...sizeFigure(preview.writeBytes, units)}
          basis={planned}
          note={
            readOnly
              ? t('preview.writesNothing')
              : t('preview.writesNote', { peak: formatSize(preview.peakBytes, units) })
          }
        />
        <Figure
          label={t('preview.reads')}
          {...sizeFigure(preview.readBytes, units)}
          basis={planned}
          note={readsNote}
        />
        {more}
        <Figure
          label={t('preview.free')}
          {...sizeFigure(preview.freeBytes, units)}
          basis={{ provenance: 'exact', text: t('basis.free') }}
          note={readOnly ? null : t('preview.freeNote', { keep: formatSize(preview.keepFreeBytes, units) })}
        />
        <div className="figure preview-place">
          <div className="figure-label">{deviceWords(preview.device)}</div>
          <PathText path={preview.directory} />
          <div className="figure-note">{t(readOnly ? 'preview.whereReading' : 'preview.where')}</div>
        </div>
      </div>
      {words !== null && <p className="preview-words muted">{words}</p>}
      {refusal !== null && !running && (
        <p className="preview-words" role="alert">
          <strong className="bad">{t('preview.refused')}</strong> {pathForDisplay(spoken(refusal.message))}.
        </p>
      )}
      {refusal === null && needsAgreement(preview) && (
        <div className="preview-agree line">
          <p className="warn">{t('preview.much', { share: formatShare(preview.shareOfCapacity ?? 0) })}</p>
          <Check words={t('preview.agree')} isOn={agreed} isDisabled={running} onChange={onAgree} />
        </div>
      )}
    </>
  )
}
