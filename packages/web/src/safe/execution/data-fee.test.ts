import { decodeFunctionData, type Hex, numberToHex, pad, parseAbi, size } from 'viem'
import { expect, test } from 'vitest'
import { readDataFee } from './data-fee.ts'

const abi = parseAbi(['function getL1Fee(bytes data)', 'function getOperatorFee(uint256 gasUsed)'])
const word = (value: bigint) => pad(numberToHex(value), { size: 32 })

/** A node that answers calls of these contracts, by the last two digits of their address and the function. */
function nodeWith(answers: Record<string, Hex | Error>) {
  const asked: string[] = []
  const request = async ({ params }: { method: string; params?: readonly unknown[] }) => {
    const [{ to, data }] = params as [{ to: Hex; data: Hex }]
    const { functionName, args } = decodeFunctionData({ abi, data })
    asked.push(`${functionName} ${functionName === 'getL1Fee' ? size(args[0]) : args[0]}`)
    const answer = answers[`${to.slice(-2)} ${functionName}`] ?? '0x'
    if (answer instanceof Error) throw answer
    return answer
  }
  return { request, asked }
}

const data: Hex = `0x${'11'.repeat(1_000)}`

test('default: an OP Stack chain takes for the bytes, and for its operator', async () => {
  const { request, asked } = nodeWith({ '0F getL1Fee': word(30n), '0F getOperatorFee': word(4n) })
  expect(await readDataFee(request, { data, gas: 90_000n })).toBe(34n)
  expect(asked).toEqual(['getL1Fee 1052', 'getOperatorFee 90000', 'getL1Fee 1052'])
})

test('behavior: Scroll takes for the bytes; a chain without such contracts takes nothing', async () => {
  expect(await readDataFee(nodeWith({ '02 getL1Fee': word(7n) }).request, { data, gas: 1n })).toBe(7n)
  expect(await readDataFee(nodeWith({}).request, { data, gas: 1n })).toBe(0n)
})

test('behavior: a refusal, and an answer that is no number, count as nothing', async () => {
  const answers = {
    '0F getL1Fee': word(30n),
    '0F getOperatorFee': new Error('reverted'),
    '02 getL1Fee': '0x12',
  } as const
  expect(await readDataFee(nodeWith(answers).request, { data, gas: 1n })).toBe(30n)
})
