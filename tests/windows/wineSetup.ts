export { prepareWine as setup } from '../support/wine'
