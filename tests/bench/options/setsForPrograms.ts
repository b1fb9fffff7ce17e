export { setFolder } from '../truth/sets'
export { solidSetFolder } from '../truth/solidSets'
