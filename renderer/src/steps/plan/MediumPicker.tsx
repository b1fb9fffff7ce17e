import { Input, Label, TextField } from 'react-aria-components'
import { DISK_MEDIUM } from '../../../../src/contract/dto/options'
import type { Medium } from '../../../../src/contract/dto/plan'
import { formatCount, formatExactBytes, formatSize } from '../../../../src/primitives/quantity'
import { HowDoWeKnow, Size } from '../../components/Figure'
import { TextLine } from '../../components/fields'
import { Radio, RadioGroup } from '../../components/Radio'
import { Segments } from '../../components/Segments'
import { t } from '../../copy'
import { useSession, useStateOf, useUnits } from '../../state/sessionContext'
import { SurveySession } from '../survey/surveySession'
import { fewestDiscs } from './fewestDiscs'
import { chosenMedium, judgeOwnSize } from './ownSize'
import { PlanSession } from './planSession'
import { isAsChosen, LABEL_PREFIX } from './planState'

const FAMILIES = ['cd', 'dvd', 'bd', 'bdxl', 'custom', 'folder'] as const

/**
 * The choice of a medium: the catalogue by family, or a custom size; and the names of the discs.
 */
export function MediumPicker() {
  const session = useSession(PlanSession)
  const units = useUnits()
  const plan = useStateOf(PlanSession)
  const survey = useStateOf(SurveySession)
  const chosen = chosenMedium(plan.media, plan.mediumId)
  const totals = survey.document?.totals ?? null
  const families = FAMILIES.map((family) => ({
    family,
    media: plan.media.filter((medium) => medium.family === family),
  })).filter(({ family, media }) => media.length > 0 || family === 'folder')
  // Packed files take less than the source; only the plan knows how many volumes that is.
  const fewest =
    totals === null || !chosen?.limit || plan.packing !== null
      ? null
      : plan.document !== null && plan.document.surveyId === survey.document?.id && isAsChosen(plan)
        ? plan.document.totals.lowerBoundVolumes
        : fewestDiscs(totals, chosen.limit)
  const isListed = plan.mediumId === DISK_MEDIUM || plan.media.some(({ id }) => id === plan.mediumId)
  return (
    <section className="picker stack near" aria-label={t('medium.title')}>
      <h2>{t('medium.title')}</h2>
      <RadioGroup
        className="media scroll"
        label={t('medium.title')}
        value={isListed ? plan.mediumId : null}
        onChange={(mediumId) => session.chooseMedium(mediumId)}
      >
        {families.map(({ family, media }) => (
          <div key={family} className="family">
            <div className="family-name">{t(`family.${family}`)}</div>
            {media.map((medium) => (
              <Radio
                key={medium.id}
                value={medium.id}
                className={medium.id.includes(':') ? 'medium variant' : 'medium'}
              >
                <span className="radio-dot" aria-hidden="true" />
                <span className="ellipsis">{shortName(medium, plan.media)}</span>
                <Size bytes={medium.capacityBytes} units={units} />
              </Radio>
            ))}
            {family === 'folder' && (
              <Radio value={DISK_MEDIUM} className="medium">
                <span className="radio-dot" aria-hidden="true" />
                <span className="ellipsis">{t('medium.disk')}</span>
              </Radio>
            )}
          </div>
        ))}
      </RadioGroup>
      <OwnSizeField />
      <div className="medium-facts" aria-live="polite">
        {chosen === null ? (
          <p className="muted">{t('medium.none')}</p>
        ) : (
          <>
            <p>
              <strong>{chosen.name}</strong>{' '}
              {chosen.limit !== null && (
                <HowDoWeKnow
                  className="mark-button"
                  label={t('medium.capacity')}
                  exactly={formatExactBytes(chosen.limit.capacityBytes)}
                  basis={{
                    provenance: 'assumed',
                    text: t('basis.capacity', { source: chosen.limit.source }),
                  }}
                />
              )}
            </p>
            {chosen.limit !== null && (
              <p
                title={`${t('medium.sectors', { count: chosen.limit.capacitySectors })}, ${formatExactBytes(chosen.limit.capacityBytes)}`}
              >
                {formatSize(chosen.limit.capacityBytes, 'decimal')} <span className="muted">=</span>{' '}
                {formatSize(chosen.limit.capacityBytes, 'binary')}
              </p>
            )}
            {fewest !== null && (
              <p>
                {t('medium.atLeast', { count: fewest })}{' '}
                <HowDoWeKnow
                  className="mark-button"
                  label={t('medium.atLeastLabel')}
                  exactly={formatCount(fewest)}
                  basis={{ provenance: 'modelled', text: t('basis.atLeast') }}
                />
              </p>
            )}
            <p className="muted small">{chosen.note}</p>
          </>
        )}
      </div>
      <PrefixField />
    </section>
  )
}

function OwnSizeField() {
  const session = useSession(PlanSession)
  const plan = useStateOf(PlanSession)
  const size = judgeOwnSize(plan.customSize)
  const problem = size.ok ? null : size.problem
  const change = (text: string, kind: 'custom' | 'folder') =>
    session.store.dispatch({ type: 'custom', size: text, kind })
  return (
    <div className="own-size">
      <TextField
        className="field"
        value={plan.customSize}
        onChange={(text) => change(text, plan.customKind)}
        isInvalid={problem !== null}
      >
        <Label>{t('medium.own')}</Label>
        <div className="own-row">
          <Input placeholder={t('medium.own.example')} aria-describedby="own-size-note" />
          <Segments
            label={t('medium.own.kind')}
            all={['custom', 'folder']}
            chosen={plan.customKind}
            words={(kind) => t(kind === 'folder' ? 'medium.own.folder' : 'medium.own.image')}
            onChange={(kind) => change(plan.customSize, kind)}
          />
        </div>
      </TextField>
      <div id="own-size-note" className={problem === null ? 'field-note' : 'field-note bad'}>
        {problem ?? (size.ok ? formatExactBytes(size.bytes) : t('medium.own.hint'))}
      </div>
    </div>
  )
}

function PrefixField() {
  const session = useSession(PlanSession)
  const plan = useStateOf(PlanSession)
  const typed = plan.labelPrefix ?? ''
  const wrong = typed !== '' && !LABEL_PREFIX.test(typed)
  return (
    <TextLine
      label={t('prefix.label')}
      example={t('prefix.auto')}
      text={typed}
      isWrong={wrong}
      note={
        wrong
          ? t('prefix.wrong')
          : typed === ''
            ? t('prefix.hint')
            : t('prefix.example', { label: `${typed}_01` })
      }
      longest={40}
      onChange={(text) =>
        session.store.dispatch({ type: 'prefix', prefix: text.toUpperCase().replace(/[ -]/g, '_') })
      }
    />
  )
}

/** The name of a variant without that of its base medium, which is above it. */
function shortName(medium: Medium, media: readonly Medium[]): string {
  const base = media.find((other) => other.id === medium.id.split(':')[0])
  const lead = `${base?.name ?? ''}, `
  return base && base !== medium && medium.name.startsWith(lead)
    ? medium.name.slice(lead.length)
    : medium.name
}
