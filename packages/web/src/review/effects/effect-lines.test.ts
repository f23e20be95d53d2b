import type { Effects } from '@countersign/review'
import { maxUint256, zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import type { Names } from '../../safe/names/names.ts'
import { effectLines } from './effect-lines.ts'

const safeAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const listed = '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512'
const other = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const stranger = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const names = {
  safeAddress,
  owners: [],
  account: null,
  team: [],
  chain: {
    chainId: 31337,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    tokens: [{ address: listed, symbol: 'TUSD', name: 'Test Dollar', decimals: 6 }],
  },
} as unknown as Names

const asset = { account: safeAddress, tokenId: null, isOut: true } as const
const effects = (part: Partial<Effects>): Effects => ({ covers: [], assets: [], approvals: [], slots: [], ...part })

test.each([
  ['coin in its unit', { ...asset, token: zeroAddress, amount: 15n * 10n ** 17n }, `${safeAddress}: −1.5 ETH`],
  [
    'a listed token in its unit',
    { ...asset, token: listed, amount: 1_250_000n },
    `${safeAddress}: −1.25 TUSD ${listed}`,
  ],
  [
    'another token in base units',
    { ...asset, token: other, amount: 1_250n },
    `${safeAddress}: −1,250 base units ${other}`,
  ],
  ['an item by its number', { ...asset, token: listed, tokenId: 7n, amount: 1n }, `${safeAddress}: −1 ${listed} #7`],
] as const)('default: %s', (_, change, line) =>
  expect(effectLines(effects({ assets: [change] }), names)).toEqual([line]),
)

test('behavior: an allowance without limit is said in words', () => {
  const left = { owner: safeAddress, spender: stranger, token: listed, tokenId: null, amount: maxUint256 } as const
  const [line] = effectLines(effects({ approvals: [left] }), names)
  expect(line).toContain('unlimited TUSD')
  expect(line).not.toContain(String(maxUint256))
})
