import { encodeAbiParameters, encodeFunctionData, type Hex, parseAbi, parseAbiParameters, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { describePlain, word } from './calldata-scene.ts'

const router = parseAbi(['function execute(bytes commands, bytes[] inputs)'])
const WRAP_ETH = 11
const EXECUTE_SUB_PLAN = 33
const MAY_FAIL = 0x80
const wrap: Hex = `0x${word(1)}${word(5)}`

function planOf(code: number, inputs: readonly Hex[]) {
  return [toHex(new Uint8Array(inputs.length).fill(code)), inputs] as const
}

function describePlan(code: number, inputs: readonly Hex[]) {
  return describePlain(encodeFunctionData({ abi: router, functionName: 'execute', args: planOf(code, inputs) }))
}

describe('commands of a router', () => {
  test('default: each with its arguments, and whether it may fail', () => {
    expect(describePlan(WRAP_ETH, [wrap])).toMatchObject({
      source: 'built-in',
      commands: [{ name: 'WRAP_ETH', args: [{ name: 'receiver' }, { name: 'amount', value: '5' }], mayFail: false }],
    })
    expect(describePlan(WRAP_ETH | MAY_FAIL, [wrap]).commands).toMatchObject([{ name: 'WRAP_ETH', mayFail: true }])
  })

  test('edge: a call with too many commands to decode has no function', () => {
    const wraps = planOf(
      WRAP_ETH,
      Array.from({ length: 150 }, () => wrap),
    )
    const subPlan = encodeAbiParameters(parseAbiParameters('bytes, bytes[]'), wraps)
    expect(describePlan(EXECUTE_SUB_PLAN, [subPlan])).toMatchObject({ source: 'built-in', commands: { length: 150 } })
    expect(describePlan(EXECUTE_SUB_PLAN, [subPlan, subPlan])).toMatchObject({
      source: null,
      commands: { length: 200 },
    })
  })
})
