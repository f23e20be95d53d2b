import { CountersignError, hashSafeMessage, type RpcRequest } from '@countersign/safe'
import { type Hex, keccak256, padHex, toHex, zeroHash } from 'viem'
import { describe, expect, it } from 'vitest'
import type { RemovedOwner } from '../../given.ts'
import { reviewMessage, reviewSafeTx } from '../../review.ts'
import { account, inputOf, outsider, safeAddress, state, stranger, token } from '../../scene.ts'
import { formerOwners } from './former-owners.ts'

const transactionHash = keccak256('0x01')
const removed: RemovedOwner = { owner: outsider.address, transactionHash }
const topic = keccak256(toHex('RemovedOwner(address)'))
const log = (address: Hex, owner: Hex) => ({ address, topics: [topic], data: padHex(owner) })
const answering =
  (receipt: unknown): RpcRequest =>
  async () =>
    receipt

async function given(change: Parameters<typeof inputOf>[1] = {}) {
  const input = inputOf({})
  const signature = await outsider.sign({ hash: input.claimedHash ?? zeroHash })
  const confirmations = [{ owner: outsider.address, signature }]
  return { ...input, confirmations, removedOwners: [removed], ...change }
}

async function factOf(request: RpcRequest, change: Parameters<typeof inputOf>[1] = {}) {
  const need = formerOwners.needs(await given(change))
  return need && formerOwners.read(() => request, need)
}

describe('formerOwners', () => {
  it('needs those alone who signed and are no owners', async () => {
    expect(await factOf(answering(null), { confirmations: [] })).toBeNull()
    expect(await factOf(answering(null), { removedOwners: [{ ...removed, owner: stranger }] })).toBeNull()
    expect(await factOf(answering(null), { removedOwners: [{ ...removed, owner: account.address }] })).toBeNull()
    expect(await factOf(answering(null), { state: null })).toBeNull()
  })

  it.each([
    ['in the data', log(safeAddress, outsider.address)],
    ['in a topic, as since 1.4.0', { address: safeAddress, topics: [topic, padHex(outsider.address)], data: '0x' }],
  ])('believes the log of the Safe: the owner %s', async (_name, written) => {
    expect(await factOf(answering({ logs: [written] }))).toEqual([outsider.address])
  })

  it.each([
    ['a log of another contract', { logs: [log(token, outsider.address)] }],
    ['the removal of somebody else', { logs: [log(safeAddress, stranger)] }],
    ['another event', { logs: [{ ...log(safeAddress, outsider.address), topics: [keccak256('0x')] }] }],
    ['no transaction', null],
    ['nonsense', { logs: [null, 1, { address: safeAddress, topics: 'x', data: '0x' }] }],
    ['no logs', {}],
  ])('believes the server nothing: %s', async (_name, receipt) => {
    expect(await factOf(answering(receipt))).toEqual([])
  })

  it('takes no answer for no', async () => {
    const away: RpcRequest = async () => {
      throw new CountersignError('CHAIN_UNREACHABLE', 'No answer.')
    }
    expect(await factOf(away)).toEqual([])
  })

  it('SIG-STALE-OWNER takes the place of SIG-MISMATCH by the word of the chain, never by that of the server', async () => {
    const input = await given()
    const told = await reviewSafeTx(input)
    expect(told).toMatchObject({ verdict: 'do-not-sign', findings: [{ id: 'SIG-MISMATCH' }] })
    const known = await reviewSafeTx({ ...input, formerOwners: [outsider.address] })
    expect(known).toMatchObject({
      verdict: 'matches-with-warnings',
      findings: [{ id: 'SIG-STALE-OWNER', severity: 'high' }],
    })
  })

  it('SIG-STALE-OWNER is found under a message as well, and the signature counts for nothing', async () => {
    const content = { encoding: 'EIP191_TEXT', text: 'Hello' } as const
    const { safeMessageHash } = hashSafeMessage({ chainId: 1, safeAddress, version: '1.4.1', content })
    const confirmations = [{ owner: outsider.address, signature: await outsider.sign({ hash: safeMessageHash }) }]
    const ofMessage = {
      kind: 'message',
      chainId: 1,
      safeAddress,
      content,
      claimedHash: safeMessageHash,
      origin: null,
      now: 0,
      state,
      confirmations,
      removedOwners: [removed],
      others: [],
      account: null,
      tokens: [],
      nodeChainId: 1,
    } as const
    const need = formerOwners.needs(ofMessage)
    expect(need).toMatchObject({ asked: [removed] })
    const found = await reviewMessage({ ...ofMessage, sources: 'server-only', formerOwners: [outsider.address] })
    expect(found.findings).toMatchObject([{ id: 'SIG-STALE-OWNER', severity: 'high' }])
    expect(found.confirmations.filter(({ status }) => status === 'valid')).toEqual([])
  })
})
