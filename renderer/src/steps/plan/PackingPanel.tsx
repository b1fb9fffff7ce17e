import { Button } from 'react-aria-components'
import { DISK_MEDIUM, folderLines } from '../../../../src/contract/dto/options'
import { Figure, rangeOf, sizeFigure } from '../../components/Figure'
import { LineChoice } from '../../components/fields'
import { OptionName } from '../../components/OptionName'
import { RadioGroup } from '../../components/Radio'
import { spoken, t } from '../../copy'
import { useSession, useStateOf, useUnits } from '../../state/sessionContext'
import { useStore } from '../../state/store'
import { SurveySession } from '../survey/surveySession'
import { PlanSession } from './planSession'
import type { Packing } from './planState'

/** The archive of the files, its forecast size, and the discs that a restore needs. */
export function PackingPanel() {
  const session = useSession()
  const planSession = useSession(PlanSession)
  const { packing, mediumId } = usePacking()
  const surveyId = useStateOf(SurveySession, ({ document }) => document?.id)
  const isUndivided = mediumId === DISK_MEDIUM
  return (
    <section className="packing" aria-label={t('packing.title')}>
      <div className="packing-words">
        <div className="figure-label">{t('packing.title')}</div>
        {packing === null || packing.form === 'plain' ? (
          <>
            <p className="packing-name">{t(packing === null ? 'packing.plain' : 'packing.once')}</p>
            <p className="muted">{t(packing === null ? 'packing.plain.note' : 'packing.once.note')}</p>
          </>
        ) : (
          <>
            <p className="packing-name">
              <OptionName name={spoken(packing.name ?? packing.recipe)} />
            </p>
            <RecipeName recipe={packing.recipe} />
            {packing.encryption !== 'none' && (
              <p>
                {t(`inHand.encrypted.${packing.encryption}`)} {t('packing.password')}
              </p>
            )}
            {packing.form === 'archive' && !isUndivided ? (
              <Arrangement isJoined={packing.joined} />
            ) : (
              <p className="muted">{restoreWords(packing, isUndivided)}</p>
            )}
          </>
        )}
        <div className="packing-actions line">
          <Button className="plain" onPress={() => session.goTo('choose')}>
            {t('packing.other')}
          </Button>
          {packing !== null && (
            <Button
              className="quiet"
              onPress={() => planSession.store.dispatch({ type: 'packing', packing: null })}
            >
              {t(packing.form === 'plain' ? 'packing.toEvery' : 'packing.toPlain')}
            </Button>
          )}
        </div>
      </div>
      {packing !== null && packing.form !== 'plain' && packing.surveyId === surveyId && (
        <ForecastSize bytes={packing.bytes} />
      )}
    </section>
  )
}

/** The permanent name of the option; of one by folder its rules, a line each. */
function RecipeName({ recipe }: Pick<Packing, 'recipe'>) {
  const rules = folderLines(recipe)
  if (rules.length === 0) return <p className="mono muted small">{recipe}</p>
  return (
    <ul className="mono muted small" aria-label={t('packing.rules')}>
      {rules.map((rule) => (
        <li key={rule}>{rule}</li>
      ))}
    </ul>
  )
}

function Arrangement({ isJoined }: { isJoined: boolean }) {
  const session = useSession(PlanSession)
  return (
    <RadioGroup
      className="packing-arrangement stack tight"
      label={t('packing.arrangement')}
      value={isJoined ? 'joined' : 'independent'}
      onChange={(value) => session.store.dispatch({ type: 'joined', joined: value === 'joined' })}
    >
      {(['independent', 'joined'] as const).map((each) => (
        <LineChoice key={each} id={each} name={t(`packing.${each}`)} note={t(`packing.${each}.note`)} />
      ))}
    </RadioGroup>
  )
}

function ForecastSize({ bytes }: Pick<Packing, 'bytes'>) {
  const units = useUnits()
  const { value, low, high, provenance, basis } = bytes
  return (
    <Figure
      label={t('packing.size')}
      {...sizeFigure(Math.round(value), units)}
      basis={{
        provenance,
        text: basis,
        range: rangeOf({ low, high, exact: low === high }, value, units),
      }}
    />
  )
}

/** The discs that a restore needs, where there is nothing to choose. */
function restoreWords({ form, joined }: Packing, isUndivided: boolean): string {
  if (form === 'repository') return t('packing.restore.repository')
  if (isUndivided) return t('packing.restore.folder')
  return t(
    joined ? 'packing.restore.joined' : form === 'many' ? 'packing.restore.many' : 'packing.restore.archive',
  )
}

/**
 * The chosen packing; the words of one that an earlier plan was made with are those of the survey's
 * options.
 */
function usePacking(): { readonly packing: Packing | null; readonly mediumId: string } {
  const { packing, mediumId } = useStateOf(PlanSession)
  const { document } = useStore(useSession(PlanSession).options)
  if (packing === null || packing.name !== null) return { packing, mediumId }
  if (folderLines(packing.recipe).length > 0)
    return { packing: { ...packing, name: t('packing.byFolder'), form: 'many' }, mediumId }
  const option = document?.options.find(({ variant }) => variant === packing.recipe)
  return {
    packing: { ...packing, name: option?.name ?? null, form: option?.plan.form ?? null },
    mediumId,
  }
}
