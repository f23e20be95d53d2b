import { CountersignError, type RpcRequest } from '@countersign/safe'
import { type Address, encodeFunctionData, parseAbi, zeroAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { inputOf, safeAddress } from '../../scene.ts'
import { guardAnswers } from './guard-answers.ts'

const guard: Address = '0x7777777777777777777777777777777777777777'
const abi = parseAbi(['function setGuard(address guard)', 'function setModuleGuard(address moduleGuard)'])
const yes = `0x${'1'.padStart(64, '0')}`

async function answersOf(
  request: RpcRequest,
  functionName: 'setGuard' | 'setModuleGuard',
  to = safeAddress,
  set = guard,
) {
  const need = guardAnswers.needs(inputOf({ to, data: encodeFunctionData({ abi, functionName, args: [set] }) }))
  return need && guardAnswers.read(() => request, need)
}

describe('guardAnswers', () => {
  const revert = new CountersignError('RPC_ERROR', 'The node answered.', {
    data: { rpcCode: 3, rpcMessage: 'execution reverted' },
  })
  const cases: [name: string, answer: () => string | Promise<never>, expected: boolean | undefined][] = [
    ['yes', () => yes, true],
    ['no', () => `0x${'00'.repeat(32)}`, false],
    ['what is no bool', () => `0x${'00'.repeat(31)}02`, false],
    ['nothing', () => '0x', false],
    ['a revert', () => Promise.reject(revert), false],
    ['no node', () => Promise.reject(new CountersignError('CHAIN_UNREACHABLE', 'No answer.')), undefined],
  ]

  it.each(cases)('an answer of %s', async (_name, answer, expected) => {
    expect(await answersOf(async () => answer(), 'setGuard')).toEqual({ [guard]: expected })
  })

  it('asks for the interface of each kind of guard, as the Safe does', async () => {
    const asked: unknown[] = []
    const request: RpcRequest = async ({ params }) => {
      asked.push(params?.[0])
      return yes
    }
    for (const name of ['setGuard', 'setModuleGuard'] as const) await answersOf(request, name)
    const ask = (id: string) => ({ to: guard, data: `0x01ffc9a7${id.padEnd(64, '0')}` })
    expect(asked).toEqual([ask('e6d7a83a'), ask('58401ed8')])
  })

  it('asks nobody about a guard that is removed, or set in a contract that is no Safe of ours', async () => {
    const request: RpcRequest = async () => yes
    expect(await answersOf(request, 'setGuard', safeAddress, zeroAddress)).toEqual({})
    expect(await answersOf(request, 'setGuard', guard)).toEqual({})
  })
})
