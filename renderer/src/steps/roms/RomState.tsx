import type { RomSetState } from '../../../../src/contract/dto/roms'
import { t } from '../../copy'

/** A state in words, with a square that is full, half full or empty. */
export function RomState({ state }: { state: RomSetState }) {
  return (
    <span className="rom-state">
      <StateSquare state={state} />
      {t(`roms.state.${state}`)}
    </span>
  )
}

/** The square of a state alone; the words for it are beside it. */
export function StateSquare({ state }: { state: RomSetState }) {
  return <span className={`rom-square is-${state}`} aria-hidden="true" />
}
