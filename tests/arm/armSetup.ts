export { prepareArm as setup } from '../support/arm'
