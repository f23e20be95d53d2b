import { keccak256 } from 'viem'
import { expect, it } from 'vitest'
import { readCodes } from './codes.ts'

const contract = '0x4444444444444444444444444444444444444444'

async function codeOf(code: string) {
  const codes = await readCodes(async () => code, [contract])
  return codes[contract]
}

it('tells code by its hash and size', async () => {
  expect(await codeOf('0x6001')).toEqual({ codeHash: keccak256('0x6001'), size: 2 })
})

it.each([
  ['refundETH()', '0x5f3560e01c806312210e8a1460ff57'],
  ['sweepToken(address,uint256,address)', '0x5f3560e01c8063DF2AB5BB1460ff57'],
  ['execute(bytes,bytes[],uint256)', '0x5f3560e01c80633593564c1460ff57'],
  ['execute(bytes,bytes[])', '0x5f3560e01c806324856bc31460ff57'],
  ['skim(address)', '0x5f3560e01c8063bc25cf771460ff57'],
])('tells code by which whoever asks takes what is there: %s', async (_, code) => {
  expect(await codeOf(code)).toMatchObject({ givesOut: true })
})

it('takes no other bytes for such a function', async () => {
  expect(await codeOf('0x5f3560e01c806212210e8a1460ff57')).not.toHaveProperty('givesOut')
})
