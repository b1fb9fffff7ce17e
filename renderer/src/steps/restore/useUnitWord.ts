import { CatalogSession } from '../../state/catalog/catalogSession'
import { useStateOf } from '../../state/sessionContext'
import { RestoreSession } from './restoreSession'
import { type UnitWord, unitWordOf } from './restoreWords'

/** The word for the volumes of the open set, from the plans that the catalog has. */
export function useUnitWord(): UnitWord {
  const plans = useStateOf(CatalogSession, (state) => state.plans)
  return unitWordOf(useStateOf(RestoreSession), plans)
}
