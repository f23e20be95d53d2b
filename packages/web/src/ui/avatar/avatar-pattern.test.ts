import { getAddress, type Hex, keccak256, numberToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { avatarPattern } from './avatar-pattern.ts'

const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const squares = (of: string) =>
  new Set(
    avatarPattern(of).layers.flatMap(({ ink, path }) => (path.match(/M\d \d/g) ?? []).map((place) => ink + place)),
  )

describe('avatarPattern', () => {
  test('default: the same for the same address, however it is written', () => {
    expect(avatarPattern(address)).toEqual(avatarPattern(address.toLowerCase()))
    expect(avatarPattern(address)).toMatchInlineSnapshot(`
      {
        "layers": [
          {
            "ink": "#f2c879",
            "path": "M3 1h1.02v1.02h-1.02zM5 1h1.02v1.02h-1.02zM1 4h1.02v1.02h-1.02zM7 4h1.02v1.02h-1.02zM2 4h1.02v1.02h-1.02zM6 4h1.02v1.02h-1.02zM3 4h1.02v1.02h-1.02zM5 4h1.02v1.02h-1.02zM4 4h1.02v1.02h-1.02zM4 5h1.02v1.02h-1.02zM2 6h1.02v1.02h-1.02zM6 6h1.02v1.02h-1.02zM4 6h1.02v1.02h-1.02zM3 7h1.02v1.02h-1.02zM5 7h1.02v1.02h-1.02z",
          },
          {
            "ink": "#9fd3c0",
            "path": "M4 1h1.02v1.02h-1.02zM2 2h1.02v1.02h-1.02zM6 2h1.02v1.02h-1.02zM2 3h1.02v1.02h-1.02zM6 3h1.02v1.02h-1.02zM1 5h1.02v1.02h-1.02zM7 5h1.02v1.02h-1.02zM2 5h1.02v1.02h-1.02zM6 5h1.02v1.02h-1.02zM3 5h1.02v1.02h-1.02zM5 5h1.02v1.02h-1.02zM2 7h1.02v1.02h-1.02zM6 7h1.02v1.02h-1.02z",
          },
        ],
        "paper": "#4a3a2e",
      }
    `)
  })

  test('behavior: mirrored, and inside its frame', () => {
    for (const { path } of avatarPattern(address).layers) {
      const places = [...path.matchAll(/M(\d) (\d)/g)].map(([, x, y]) => [Number(x), Number(y)] as const)
      for (const [x, y] of places) {
        expect(x >= 1 && x <= 7 && y >= 1 && y <= 7).toBe(true)
        expect(places).toContainEqual([8 - x, y])
      }
    }
  })

  test('behavior: an imitation with the same first and last digits looks nothing like it', () => {
    let shared = 0
    for (let count = 0; count < 500; count += 1) {
      const middle = keccak256(numberToHex(count)).slice(2, 32)
      const near = `0xf39fd6${middle.slice(0, 28)}b92266` as Hex
      expect(avatarPattern(near)).not.toEqual(avatarPattern(address))
      const [one, other] = [squares(address), squares(near)]
      shared += [...one].filter((place) => other.has(place)).length / one.size
    }
    expect(shared / 500).toBeLessThan(0.2)
  })

  test('behavior: no two of 20,000 are alike', () => {
    const seen = new Set<string>()
    for (let count = 0; count < 20_000; count += 1)
      seen.add(JSON.stringify(avatarPattern(getAddress(`0x${keccak256(numberToHex(count)).slice(-40)}`))))
    expect(seen.size).toBe(20_000)
    // 20,000 hashes take a busy machine longer than a test usually may.
  })

  test('behavior: what is no address has a pattern too', () => {
    expect(avatarPattern('').paper).toMatch(/^#/)
    expect(avatarPattern('0x123').paper).toMatch(/^#/)
  })
})
