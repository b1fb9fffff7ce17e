import { SYSTEMS } from '../../../src/contract/dto/options'
import { t } from '../copy'
import { useSession } from '../state/sessionContext'
import { useStore } from '../state/store'
import { Check } from './fields'

/** The systems that must be able to read what is kept, each to be marked. */
export function SystemChecks() {
  const session = useSession()
  const { readableOn } = useStore(session.stores.options).form
  return SYSTEMS.map((system) => (
    <Check
      key={system}
      words={t(`system.${system}`)}
      isOn={readableOn.includes(system)}
      onChange={(isOn) =>
        session.options.set({
          readableOn: SYSTEMS.filter((other) => (other === system ? isOn : readableOn.includes(other))),
        })
      }
    />
  ))
}
