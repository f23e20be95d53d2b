import { type Devnet, demoAccounts, deploySafe, startDevnet } from '@countersign/devnet'
import { collectFacts, type MessageGiven, readFact, reviewMessage } from '@countersign/review'
import {
  encodeApprovedHash,
  encodeContractSignature,
  hashSafeMessage,
  messageQuestionData,
  parseMessageContent,
  readSafeState,
  type SafeState,
} from '@countersign/safe'
import type { Address, Hex } from 'viem'
import { sign } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRequest, type RpcRequest } from '../../api/chain-client.ts'
import { checkCollected, collectSignature } from './collected.ts'

const [alice, bob] = demoAccounts
const chainId = 31337
const content = parseMessageContent('"Hello"')

let devnet: Devnet
let request: RpcRequest
let nested: Address

beforeAll(async () => {
  devnet = await startDevnet({ port: 0 })
  request = requestTo(devnet.rpcUrl)
  nested = await deploy('1.4.1', [alice.address], 1)
})
afterAll(() => devnet?.close())

function requestTo(url: string): RpcRequest {
  return createRequest(async (batch) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(batch),
    })
    return response.json()
  })
}

let salt = 7_000n
function deploy(version: '1.3.0' | '1.4.1', owners: Address[], threshold: number): Promise<Address> {
  return deploySafe({ rpcUrl: devnet.rpcUrl, chainId, version, owners, threshold, saltNonce: salt++ })
}

/** A Safe of the nested Safe and Bob, and what both of them sign for the message. */
async function signedMessage(version: '1.3.0' | '1.4.1') {
  const safeAddress = await deploy(version, [nested, bob.address], 2)
  const state = await readSafeState(request, safeAddress, chainId)
  const context = { chainId, safeAddress, version, content }
  const { safeMessageHash } = hashSafeMessage(context)
  const bytes = messageQuestionData(context, state.fallbackHandler) ?? '0x'
  const inner = { chainId, safeAddress: nested, version: '1.4.1', content: { encoding: 'RAW', bytes } as const }
  const signature = await signBy(alice, hashSafeMessage(inner).safeMessageHash)
  const confirmations = [
    { owner: nested, signature: encodeContractSignature(nested, signature) },
    { owner: bob.address, signature: await signBy(bob, safeMessageHash) },
  ]
  return { state, safeMessageHash, confirmations }
}

function signBy({ privateKey }: { privateKey: Hex }, hash: Hex): Promise<Hex> {
  return sign({ hash, privateKey, to: 'hex' })
}

type Confirmations = { owner: Address; signature: Hex }[]

function givenOf(state: SafeState, confirmations: Confirmations): MessageGiven {
  return {
    kind: 'message',
    chainId,
    safeAddress: state.address,
    content,
    state,
    confirmations,
    claimedHash: null,
    others: [],
    account: null,
    origin: null,
    tokens: [],
  }
}

async function review({ state }: { state: SafeState }, confirmations: Confirmations, at = request) {
  const given = givenOf(state, confirmations)
  return reviewMessage({ ...given, ...(await collectFacts(given, (needed) => readFact(() => at, needed))) })
}

describe.each(['1.3.0', '1.4.1'] as const)('a Safe %s that a Safe is an owner of', (version) => {
  test('default: what its contract says decides, and the joined signature is accepted by the chain', async () => {
    const message = await signedMessage(version)
    const { state, confirmations } = message
    const reviewed = await review(message, confirmations)
    expect(reviewed.verdict).toBe('matches')
    const collected = collectSignature(reviewed, state)
    if (!collected) throw new Error('There are too few.')
    expect(collected.owners).toEqual([bob.address, nested])
    expect(await checkCollected(request, state.address, collected)).toBe('accepted')
    const cut: Hex = `0x${collected.signature.slice(2, -2)}ff`
    expect(await checkCollected(request, state.address, { ...collected, signature: cut })).toBe('refused')
  })

  test('behavior: refused by the contract it is invalid, and without an answer it is not checked', async () => {
    const message = await signedMessage(version)
    const [ofNested, ofBob] = message.confirmations
    if (!ofNested || !ofBob) throw new Error('There are too few.')
    const wrong = {
      owner: nested,
      signature: encodeContractSignature(nested, await signBy(alice, message.safeMessageHash)),
    }
    expect(await review(message, [wrong])).toMatchObject({
      verdict: 'do-not-sign',
      confirmations: [{ status: 'invalid' }],
    })
    const away = requestTo('http://127.0.0.1:9')
    const unasked = await review(message, [ofNested, ofBob], away)
    expect(unasked).toMatchObject({ verdict: 'cannot-verify', confirmations: [{ status: 'not-checked' }, {}] })
    expect(collectSignature(unasked, message.state)).toBeNull()
    const collected = collectSignature(unasked, { ...message.state, threshold: 1 })
    if (!collected) throw new Error('There are too few.')
    expect(await checkCollected(away, message.state.address, collected)).toBe('unknown')
  })
})

test('signedOnChain: nothing is signed on the chain, and what nobody can ask is left open', async () => {
  const { state } = await signedMessage('1.4.1')
  const approved = { owner: bob.address, signature: encodeApprovedHash(bob.address) }
  const given = givenOf(state, [approved])
  const factsAt = (at: RpcRequest) => collectFacts(given, (needed) => readFact(() => at, needed))
  expect((await factsAt(request)).signedOnChain).toBe(false)
  expect(await factsAt(requestTo('http://127.0.0.1:9'))).toEqual({
    nodeChainId: undefined,
    signedOnChain: null,
    installedCodes: { [state.fallbackHandler ?? '']: undefined },
    ownerAccounts: {},
  })
})
