import { afterAll, beforeAll } from 'vitest'

// Set up before each test file: collects the mutations whose place the file reaches, and those that loading it reaches.

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
