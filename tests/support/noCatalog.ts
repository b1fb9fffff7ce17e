import type { Catalog } from '../../src/engine/catalog/catalog'
import type { ProofCatalog } from '../../src/engine/sets/copies/provedBy'

/** A catalog that knows no plan and no survey. */
export const noCatalog: ProofCatalog & Pick<Catalog, 'surveyedRoots'> = {
  plans: () => [],
  plan: (id) => {
    throw new Error(`there is no plan ${id}`)
  },
  events: () => [],
  planEntries: () => new Map().values(),
  surveyedRoots: () => [],
}
