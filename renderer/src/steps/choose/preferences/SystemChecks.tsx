import { SYSTEMS } from '../../../../../src/contract/dto/options'
import { Check } from '../../../components/fields'
import { t } from '../../../copy'
import { useSession, useStateOf } from '../../../state/sessionContext'
import { OptionsSession } from '../optionsSession'

/** The systems that must be able to read what is kept, each to be marked. */
export function SystemChecks() {
  const session = useSession(OptionsSession)
  const { readableOn } = useStateOf(OptionsSession).form
  return SYSTEMS.map((system) => (
    <Check
      key={system}
      words={t(`system.${system}`)}
      isOn={readableOn.includes(system)}
      onChange={(isOn) =>
        session.set({
          readableOn: SYSTEMS.filter((other) => (other === system ? isOn : readableOn.includes(other))),
        })
      }
    />
  ))
}
