import { createRoot } from 'react-dom/client'
import { windowApi } from './api'
import { App } from './app/App'
import { firstLanguage } from './app/language'
import { Session } from './app/session'
import { warmCharts } from './charts/warmCharts'
import { speak } from './copy'
import { SessionProvider } from './state/sessionContext'
import './styles/tokens.css'
import './styles/base.css'
import './styles/layout.css'
import './styles/controls.css'
import './styles/floats.css'
import './styles/figures.css'
import './styles/tables.css'
import './styles/frame.css'
import './styles/strip.css'
import './steps/plan/plan.css'
import './steps/plan/desk.css'
import './steps/building/build.css'
import './styles/steps.css'
import './steps/survey/survey.css'
import './steps/measure/measure.css'
import './steps/images/images.css'
import './steps/roms/roms.css'
import './steps/measure/bands/bands.css'
import './steps/choose/choose.css'
import './steps/choose/candidates/chooseCards.css'
import './steps/choose/candidates/candidates.css'
import './steps/source/questions.css'
import './steps/source/kept/kept.css'
import './steps/source/project/project.css'
import './steps/settings/settings.css'
import './steps/home/home.css'
import './styles/help.css'
import './styles/narrow.css'

const root = document.getElementById('root')
if (!root) throw new Error('the page has no root element')
const language = firstLanguage()
void speak(language).then(() => {
  const session = new Session(windowApi())
  session.frame.dispatch({ type: 'spoken', language })
  createRoot(root).render(
    <SessionProvider session={session}>
      <App />
    </SessionProvider>,
  )
  // Home has no charts: most starts end there.
  const end = session.frame.subscribe(() => {
    if (session.frame.get().step === 'home') return
    end()
    requestIdleCallback(warmCharts)
  })
})
