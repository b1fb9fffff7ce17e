export { zfsDatasets } from '../../../src/domain/options/families/zfs'
export { factsOf } from './optionsOfSurvey'
export { setFolder } from './sets'
