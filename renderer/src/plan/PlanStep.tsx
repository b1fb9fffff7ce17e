import { StepPage } from '../components/StepPage'

export function PlanStep() {
  return (
    <StepPage step="plan" says="">
      {null}
    </StepPage>
  )
}
