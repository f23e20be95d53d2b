import type { Page } from 'playwright-core'

/** Reads the QR code that a page draws, module by module, as a camera would: no word of it comes from the page's text. */
export async function readQr(page: Page, name: string): Promise<string> {
  const picture = page.getByRole('img', { name })
  await picture.waitFor()
  return decodeQr(
    await picture.evaluate((svg) => {
      const path = svg.querySelector('path')
      if (!(svg instanceof SVGSVGElement) || !path) throw new Error('no picture')
      const quiet = -svg.viewBox.baseVal.x
      const size = svg.viewBox.baseVal.width - 2 * quiet
      if (quiet < 4) throw new Error(`the quiet zone is ${quiet} modules wide`)
      const at = (y: number) => (_: unknown, x: number) => path.isPointInFill(new DOMPoint(x + 0.5, y + 0.5))
      return Array.from({ length: size }, (_, y) => Array.from({ length: size }, at(y)))
    }),
  )
}

/** ISO/IEC 18004, table 9, versions 1 to 20: codewords of error correction in a block, and blocks; by level. */
const levels = {
  M: {
    correction: [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26],
    blocks: [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16],
  },
  L: {
    correction: [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28],
    blocks: [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8],
  },
  H: {
    correction: [17, 28, 22, 16, 22, 28, 26, 26, 24, 28, 24, 28, 22, 24, 24, 30, 28, 28, 26, 28],
    blocks: [1, 1, 2, 4, 4, 4, 5, 6, 8, 8, 11, 11, 16, 16, 18, 16, 19, 21, 25, 25],
  },
  Q: {
    correction: [13, 22, 18, 26, 18, 24, 18, 22, 20, 24, 28, 26, 24, 20, 30, 24, 28, 28, 26, 30],
    blocks: [1, 1, 2, 2, 4, 4, 6, 6, 8, 8, 8, 10, 12, 16, 12, 17, 16, 18, 21, 20],
  },
}

const masks: Mask[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

/** Text of a code in byte mode. Nothing is corrected: a picture on a screen has no stains. */
export function decodeQr(modules: boolean[][]): string {
  const version = (modules.length - 17) / 4
  const { mask, correction, blockCount } = readFormat(modules, version)
  const data = joinBlocks(readCodewords(modules, version, mask), correction, blockCount).flatMap((word) =>
    [7, 6, 5, 4, 3, 2, 1, 0].map((bit) => ((word >> bit) & 1) === 1),
  )
  if (toNumber(data.slice(0, 4)) !== 4) throw new Error('the code is not in byte mode')
  const start = version < 10 ? 12 : 20
  const length = toNumber(data.slice(4, start))
  const bytes = Array.from({ length }, (_, index) => toNumber(data.slice(start + 8 * index, start + 8 * index + 8)))
  return new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array(bytes))
}

type Mask = (x: number, y: number) => boolean

function readFormat(modules: boolean[][], version: number): { mask: Mask; correction: number; blockCount: number } {
  // Beside the upper left corner: two bits of level, three of mask, over a fixed pattern.
  const format = [0, 1, 2, 3, 4].reduce((bits, x) => (bits << 1) | Number(modules[8]?.[x] ?? false), 0) ^ 0b10101
  const level = (['M', 'L', 'H', 'Q'] as const)[format >> 3]
  const mask = masks[format & 7]
  const correction = level && levels[level].correction[version - 1]
  const blockCount = level && levels[level].blocks[version - 1]
  if (!mask || !correction || !blockCount) throw new Error(`a code of ${modules.length} modules cannot be read here`)
  return { mask, correction, blockCount }
}

/** Reads the modules in pairs of columns, from the right, upwards and downwards by turns. */
function readCodewords(modules: boolean[][], version: number, mask: Mask): number[] {
  const size = modules.length
  const bits: boolean[] = []
  for (let right = size - 1, isUpward = true; right > 0; right -= 2, isUpward = !isUpward) {
    if (right === 6) right--
    for (let step = 0; step < size; step++) {
      const y = isUpward ? size - 1 - step : step
      for (const x of [right, right - 1])
        if (!isFixed(x, y, version, size)) bits.push((modules[y]?.[x] ?? false) !== mask(x, y))
    }
  }
  return Array.from({ length: Math.floor(bits.length / 8) }, (_, at) => toNumber(bits.slice(8 * at, 8 * at + 8)))
}

/** Joins the interleaved blocks of data, without the codewords that correct errors. */
function joinBlocks(words: readonly number[], correction: number, blockCount: number): number[] {
  const short = Math.floor(words.length / blockCount) - correction
  const longBlocks = words.length % blockCount
  const lengths = Array.from({ length: blockCount }, (_, at) => short + Number(at >= blockCount - longBlocks))
  const blocks: number[][] = lengths.map(() => [])
  let at = 0
  for (let word = 0; word <= short; word++)
    lengths.forEach((length, block) => {
      if (word < length) blocks[block]?.push(words[at++] ?? 0)
    })
  return blocks.flat()
}

function toNumber(bits: boolean[]): number {
  return bits.reduce((value, bit) => value * 2 + Number(bit), 0)
}

/** Finders, timing, alignment, format and version: modules that carry no data. */
function isFixed(x: number, y: number, version: number, size: number): boolean {
  const near = (value: number, centre: number) => Math.abs(value - centre) <= 2
  if (x === 6 || y === 6) return true
  if ((x < 9 && y < 9) || (x >= size - 8 && y < 9) || (x < 9 && y >= size - 8)) return true
  if (version >= 7 && ((x >= size - 11 && y < 6) || (x < 6 && y >= size - 11))) return true
  const centres = alignmentCentres(version, size)
  const last = centres.at(-1)
  return centres.some((a) => near(x, a) && centres.some((b) => near(y, b) && !isCorner(a, b, last)))
}

function isCorner(a: number, b: number, last: number | undefined): boolean {
  return (a === 6 && b === 6) || (a === 6 && b === last) || (a === last && b === 6)
}

function alignmentCentres(version: number, size: number): number[] {
  if (version === 1) return []
  const count = Math.floor(version / 7) + 2
  const step = Math.ceil((size - 13) / (2 * count - 2)) * 2
  const centres = [6]
  for (let at = 0; at < count - 1; at++) centres.splice(1, 0, size - 7 - at * step)
  return centres
}
