import { Button } from 'react-aria-components'
import {
  OPTION_FIGURES,
  type Option,
  type OptionFigure,
  type OptionsDocument,
} from '../../../../../src/contract/dto/options'
import { shapeOf } from '../../../charts/paretoPicture'
import { Folded } from '../../../components/Folded'
import { OptionName } from '../../../components/OptionName'
import { t } from '../../../copy'
import { useSession, useUnits } from '../../../state/sessionContext'
import { InlineFigure } from '../OptionFigure'
import { OptionsSession } from '../optionsSession'
import { beatenWords, cannotWords, standingWord } from '../optionWords'
import { useIsOutdated } from '../useIsOutdated'
import { readsWords } from './candidateWords'
import { FamilyMark } from './FamilyMark'
import { OptionUse } from './OptionUse'

/** An option with everything that is known of it. */
export function OptionCard({
  option,
  document,
  role,
  isBest,
  isBusy,
  isAlone,
}: {
  option: Option
  document: OptionsDocument
  /** The first card is the best for the goal; the others can be taken away. */
  role: 'chosen' | 'nearest' | 'picked'
  /** True when its figure is the best of those side by side. */
  isBest: (figure: OptionFigure | 'portability') => boolean
  isBusy: boolean
  /** Nothing is compared with it: the answer above has its main figures already. */
  isAlone: boolean
}) {
  const session = useSession(OptionsSession)
  const isOutdated = useIsOutdated()
  const { build, name } = option
  const cannot = cannotWords(option)
  return (
    <article className={role === 'picked' ? 'option-card' : 'option-card first'} aria-label={name}>
      <header>
        <FamilyMark shape={shapeOf(option.family)} />
        <h3>
          <OptionName name={name} />
        </h3>
        {role === 'picked' && (
          <Button
            className="quiet"
            aria-label={t('beside.removeOf', { name })}
            onPress={() => session.pick(option.id)}
          >
            {t('beside.remove')}
          </Button>
        )}
      </header>
      <p className="muted card-medium">
        {option.mediumName}
        {role !== 'picked' && ` · ${t(`beside.${role}`)}`}
      </p>
      {isAlone ? (
        <Folded summary={t('beside.details')}>
          <CardDetails option={option} document={document} isBest={isBest} />
        </Folded>
      ) : (
        <CardDetails option={option} document={document} isBest={isBest} />
      )}
      <div className="card-build line">
        {option.plan.form !== null && (
          <Button
            className="plain"
            isDisabled={isOutdated}
            aria-label={t(document.preliminary ? 'candidate.surveyOf' : 'choose.useOf', { name })}
            onPress={() => void session.planWith(option)}
          >
            {t(document.preliminary ? 'choose.use.preliminary' : 'choose.use')}
          </Button>
        )}
        {cannot !== null && <p className="field-note">{cannot}</p>}
        <Button
          className="quiet"
          isDisabled={!build.possible || isBusy || isOutdated || !!document.preliminary}
          aria-label={t('build.hereOf', { name })}
          onPress={() => void session.choosePlace(option)}
        >
          {t('build.here')}
        </Button>
      </div>
    </article>
  )
}

/** All figures of an option and who reads it, then the words about it. */
function CardDetails({
  option,
  document,
  isBest,
}: {
  option: Option
  document: OptionsDocument
  isBest: (figure: OptionFigure | 'portability') => boolean
}) {
  const units = useUnits()
  return (
    <>
      <dl className="card-figures">
        {OPTION_FIGURES.map((figure) => (
          <div key={figure} className={isBest(figure) ? 'is-best' : undefined}>
            <dt className="figure-label">{t(`option.${figure}`)}</dt>
            <dd>
              <InlineFigure option={option} figure={figure} units={units} />
            </dd>
          </div>
        ))}
        <div className={isBest('portability') ? 'is-best card-opens' : 'card-opens'}>
          <dt className="figure-label">{t('candidate.readers')}</dt>
          <dd>{readsWords(option)}</dd>
        </div>
      </dl>
      <CardWords option={option} document={document} />
    </>
  )
}

/** How it is used, what may go wrong, and what beats it. */
function CardWords({ option, document }: { option: Option; document: OptionsDocument }) {
  const { risks, notes } = option
  const beaten = beatenWords(option, document)
  return (
    <div className="card-words">
      <p>{t(`access.${option.access}`)}</p>
      <OptionUse option={option} />
      <h4>{t('beside.risks')}</h4>
      {risks.length === 0 ? (
        <p className="muted">{t('beside.risks.none')}</p>
      ) : (
        <ul>
          {risks.map(({ code, text }) => (
            <li key={code}>{text}</li>
          ))}
        </ul>
      )}
      {notes.length > 0 && (
        <>
          <h4>{t('beside.notes')}</h4>
          <ul>
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </>
      )}
      <h4>{t('column.standing')}</h4>
      <p>{beaten === null || option.breaks.length > 0 ? standingWord(option) : beaten}</p>
    </div>
  )
}
