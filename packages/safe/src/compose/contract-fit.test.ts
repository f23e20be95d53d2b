import type { Address } from 'viem'
import { describe, expect, it } from 'vitest'
import { CountersignError } from '../error.ts'
import type { RpcRequest } from '../safe/safe-state.ts'
import { type ContractRole, readContractFit } from './contract-fit.ts'

const contract: Address = '0x7777777777777777777777777777777777777777'
const yes = `0x${'1'.padStart(64, '0')}`
const takesItems = `0x150b7a02${'0'.repeat(56)}`

function node(code: string | null, answer: string | null): RpcRequest {
  return async ({ method }) => {
    if (code === null) throw new CountersignError('CHAIN_UNREACHABLE', 'No answer.')
    if (method === 'eth_getCode') return code
    if (answer === null)
      throw new CountersignError('RPC_ERROR', 'The node answered.', {
        data: { rpcCode: 3, rpcMessage: 'execution reverted' },
      })
    return answer
  }
}

describe('readContractFit', () => {
  it.each<[ContractRole, string | null, string | null, string | null]>([
    ['module', '0x6001', '0x', 'fits'],
    ['module', '0x', '0x', 'no-contract'],
    ['module', `0xef0100${'77'.repeat(20)}`, '0x', 'no-contract'],
    ['guard', '0x6001', yes, 'fits'],
    ['guard', '0x6001', `0x${'0'.repeat(64)}`, 'other-contract'],
    ['module-guard', '0x6001', null, 'other-contract'],
    ['module-guard', '0x6001', yes, 'fits'],
    ['handler', '0x6001', takesItems, 'fits'],
    ['handler', '0x6001', yes, 'other-contract'],
    ['handler', '0x6001', null, 'other-contract'],
    ['handler', '0x', '0x', 'no-contract'],
    ['handler', null, null, null],
  ])('default: %s with the code %s that answers %s', async (role, code, answer, fit) => {
    expect(await readContractFit(node(code, answer), contract, role)).toBe(fit)
  })
})
