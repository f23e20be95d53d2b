export { askAccessList } from './access-list.ts'
export { crossCheck, nodeSimulation } from './cross-check.ts'
export { plainReader, readHeader } from './plain-reader.ts'
export { ordinaryLimits, type SimulationOptions, simulate } from './simulate.ts'
