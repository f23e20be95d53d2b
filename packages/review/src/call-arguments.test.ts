import { describeCall } from '@countersign/safe/calls'
import { encodeFunctionData, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import { argumentAddresses } from './call-arguments.ts'

const to = '0x1111111111111111111111111111111111111111'
const other = '0x2222222222222222222222222222222222222222'

describe('argumentAddresses', () => {
  it('finds those in lists and tuples', () => {
    const data = encodeFunctionData({
      abi: parseAbi(['function tryAggregate(bool requireSuccess, (address target, bytes callData)[] calls)']),
      functionName: 'tryAggregate',
      args: [
        true,
        [
          { target: other, callData: '0x' },
          { target: to, callData: '0x' },
        ],
      ],
    })
    const call = describeCall({ to, value: 0n, data, operation: 0, safeAddress: other })
    expect(argumentAddresses(call)).toEqual([other, to])
  })
})
