import { hexToBytes, isHex, keccak256, stringToHex } from 'viem'

const SIZE = 7
const HALF = Math.ceil(SIZE / 2)
const papers = ['#17533f', '#7a4a12', '#5b2a4d', '#27476b', '#5c5212', '#4a3a2e', '#1f5a60', '#74372b']
const inks = ['#f7f4ec', '#f2c879', '#9fd3c0', '#e9a58f', '#b7c4f0', '#d7e08a', '#eab6d6', '#a9d7ef']

export type AvatarPattern = {
  paper: string
  /** Two inks, and the squares of each as the path of an SVG of 9 by 9. */
  layers: [{ ink: string; path: string }, { ink: string; path: string }]
}

const known = new Map<string, AvatarPattern>()
const MAX_KNOWN = 2_000

/**
 * A mirrored pattern of 7 by 7 squares in two inks. It is drawn from a hash of the address, so that two addresses that
 * share their first and last digits, as an imitation does, look nothing like each other.
 */
export function avatarPattern(address: string): AvatarPattern {
  const seed = address.toLowerCase()
  const found = known.get(seed)
  if (found) return found
  const pattern = draw(hexToBytes(keccak256(isHex(seed) ? seed : stringToHex(seed))))
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(seed, pattern)
  return pattern
}

function draw(hash: Uint8Array): AvatarPattern {
  const byte = (at: number) => hash[at] ?? 0
  const first = byte(0) % inks.length
  const second = (first + 1 + (byte(1) % (inks.length - 1))) % inks.length
  const paths = ['', '']
  for (let cell = 0; cell < SIZE * HALF; cell += 1) {
    // About two in five values of a byte leave the paper bare.
    const value = byte(3 + cell)
    if (value < 102) continue
    const layer = value < 196 ? 0 : 1
    const [row, column] = [Math.floor(cell / HALF), cell % HALF]
    paths[layer] += square(column, row)
    if (column < SIZE - 1 - column) paths[layer] += square(SIZE - 1 - column, row)
  }
  const layer = (at: number, ink: number) => ({ ink: inks[ink] ?? '', path: paths[at] ?? '' })
  return { paper: papers[byte(2) % papers.length] ?? '', layers: [layer(0, first), layer(1, second)] }
}

/** A little larger than its place, so that no hair of paper shows between two of them. */
function square(column: number, row: number): string {
  return `M${column + 1} ${row + 1}h1.02v1.02h-1.02z`
}
