import { afterAll, beforeAll } from 'vitest'

// Runs before each test file. Collects the mutations that the file reaches, and separately those that are reached by loading it.

const reached = new Set()
globalThis.reach = (mutation, operand) => {
  reached.add(mutation)
  return operand
}

// biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of fixtures from this pattern.
beforeAll(({}, file) => {
  file.meta.loaded = [...reached]
})

// biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of fixtures from this pattern.
afterAll(({}, file) => {
  file.meta.reached = [...reached]
})
