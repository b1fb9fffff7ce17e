import { useId } from 'react'
import { Button } from 'react-aria-components'
import { type LookDocument, smallestForecast } from '../../../../src/contract/dto/look'
import { formatShare, formatSize, formatSizeRange } from '../../../../src/primitives/quantity'
import { formatForecast, formatSpan, shortForecast } from '../../../../src/primitives/spokenTime'
import { Figure, sizeFigure } from '../../components/Figure'
import { t } from '../../copy'
import { useSession, useStateOf, useUnits } from '../../state/sessionContext'
import { LookSession } from '../../state/source/lookSession'
import { howWords } from '../survey/smallestWords'

/**
 * A preliminary estimate of the sources from a small sample, before anything else is read, in room
 * that is there from the beginning.
 */
export function LookPanel() {
  const id = useId()
  const session = useSession()
  const { document } = useStateOf(LookSession)
  return (
    <section className="look" aria-labelledby={id}>
      <header className="panel-head">
        <h2 id={id}>{t('look.title')}</h2>
        <Button
          className="quiet"
          isDisabled={document === null || document.compression.length === 0}
          onPress={() => session.goTo('choose')}
        >
          {t('look.options')}
        </Button>
      </header>
      <p className="muted look-says">{document === null ? t('look.waits') : sayRead(document)}</p>
      <div className="totals" role="group" aria-label={t('look.title')}>
        <Packed document={document} />
        <Identical document={document} />
        <SurveyTime document={document} />
      </div>
    </section>
  )
}

/** `96 MB of 4.1 TB were read. Only a survey tells …`. */
function sayRead({ sample, totals }: LookDocument): string {
  return t('look.read', {
    read: formatSize(sample.bytes),
    share: formatShare(sample.bytes / Math.max(1, totals.bytes)),
  })
}

function Packed({ document }: { document: LookDocument | null }) {
  const units = useUnits()
  const label = t('look.packed')
  const isKnown = document !== null && document.compression.length > 0
  const best = isKnown ? smallestForecast({ ...document, ...ONLY_SURVEYS }) : null
  const bytes = best?.bytes ?? (isKnown ? document.totals.bytes : null)
  return (
    <Figure
      label={label}
      {...sizeFigure(bytes, units)}
      basis={{
        provenance: 'modelled',
        text: t('look.basis.packed'),
        range: best ? formatSizeRange(best.bytes, best.low, best.high, units) : undefined,
      }}
      note={best ? howWords(best) : isKnown ? t('totals.notSmaller') : null}
    />
  )
}

/** A look knows nothing of these. */
const ONLY_SURVEYS = { fixedBlocks: [], chunked: [], combined: [], solid: [], grouped: [] }

function Identical({ document }: { document: LookDocument | null }) {
  const units = useUnits()
  const saved = document?.identical?.saved ?? null
  return (
    <Figure
      label={t('look.identical')}
      {...sizeFigure(saved?.value ?? null, units)}
      basis={{
        provenance: saved?.provenance ?? 'modelled',
        text: t('look.basis.identical'),
        range:
          saved && saved.low < saved.high
            ? formatSizeRange(saved.value, saved.low, saved.high, units)
            : undefined,
      }}
      note={saved && document?.identical?.most === 0 ? t('look.identical.none') : null}
    />
  )
}

function SurveyTime({ document }: { document: LookDocument | null }) {
  const seconds = document?.surveySeconds ?? null
  const [number = '', ...units] = seconds ? shortForecast(seconds.value).split(/\s/) : []
  return (
    <Figure
      label={t('look.survey')}
      quantity={seconds && { number, unit: units.join(' ') }}
      exactly={seconds ? formatForecast(seconds.value) : ''}
      basis={{
        provenance: 'assumed',
        text: t('look.basis.survey'),
        range: seconds ? formatSpan(seconds) : undefined,
      }}
      note={null}
    />
  )
}
