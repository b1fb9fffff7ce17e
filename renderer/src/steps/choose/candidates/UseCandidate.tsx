import { Button } from 'react-aria-components'
import type { Option } from '../../../../../src/contract/dto/options'
import { t } from '../../../copy'
import { useIsRunning, useSession, useStateOf } from '../../../state/sessionContext'
import { useStore } from '../../../state/store'
import { OptionsSession } from '../optionsSession'
import { useIsOutdated } from '../useIsOutdated'

/** The button that makes a plan with a candidate. */
export function UseCandidate({
  option,
  name,
  className,
}: {
  option: Option
  name: string
  className: 'primary' | 'plain'
}) {
  const session = useSession()
  const optionsSession = useSession(OptionsSession)
  const isBusy = useIsRunning('plan', 'export')
  const isLost = useStore(session.frame, (frame) => frame.engine.state === 'lost')
  const isOutdated = useIsOutdated()
  const isPreliminary = useStateOf(OptionsSession, ({ document }) => document?.preliminary !== undefined)
  return (
    <Button
      className={className}
      isDisabled={isBusy || isLost || isOutdated}
      aria-label={t(isPreliminary ? 'candidate.surveyOf' : 'candidate.useOf', { name })}
      onPress={() => void optionsSession.planWith(option, true)}
    >
      {t(isPreliminary ? 'choose.use.preliminary' : 'choose.use')}
    </Button>
  )
}
