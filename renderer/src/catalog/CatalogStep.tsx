import { StepPage } from '../components/StepPage'

export function CatalogStep() {
  return (
    <StepPage step="catalog" says="">
      {null}
    </StepPage>
  )
}
