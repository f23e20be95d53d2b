export { plainReader, readHeader } from './plain-reader.ts'
export { ordinaryLimits, type SimulationOptions, simulate } from './simulate.ts'
