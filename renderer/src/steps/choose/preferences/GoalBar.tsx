import { GOALS } from '../../../../../src/contract/dto/options'
import { shortShare } from '../../../../../src/primitives/quantity'
import { Segments } from '../../../components/Segments'
import { t } from '../../../copy'
import { useSession, useStateOf } from '../../../state/sessionContext'
import { OptionsSession } from '../optionsSession'
import { WEIGHTS } from '../optionsState'
import { ShareSlider } from './ShareSlider'

/** The main goal: presets in plain words, or a weight for each figure. */
export function GoalBar() {
  const session = useSession(OptionsSession)
  const { form } = useStateOf(OptionsSession)
  return (
    <div className="goal-bar stack">
      <Segments
        className="goals"
        label={t('goal.label')}
        all={GOALS}
        chosen={form.goal}
        words={(goal) => t(`goal.${goal}`)}
        onChange={(goal) => session.set({ goal })}
      />
      {form.goal === 'own' && (
        <div className="weights" role="group" aria-label={t('weights.label')}>
          {WEIGHTS.map((figure) => (
            <ShareSlider
              key={figure}
              label={t(`weight.${figure}`)}
              value={form.weights[figure]}
              most={1}
              step={0.1}
              words={(value) => (value === 0 ? t('weight.none') : shortShare(value))}
              onChange={(value) => session.set({ weights: { ...form.weights, [figure]: value } }, true)}
            />
          ))}
        </div>
      )}
    </div>
  )
}
