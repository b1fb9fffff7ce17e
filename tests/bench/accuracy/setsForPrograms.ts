export { setFolder } from './sets'
export { solidSetFolder } from './solidSets'
