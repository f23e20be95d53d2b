import {
  canConfirmAsNestedSafe,
  type Deployment,
  decodeContractAnswer,
  encodeContractQuestion,
  encodeContractSignature,
  encodeSafeMessagePreimage,
  encodeSignatures,
  hashSafeMessage,
  type MessageContent,
  messageQuestionData,
  nestedContentForSafeMessage,
  nestedContentForSafeTx,
  newSafeTx,
} from '@countersign/safe'
import { encodeExecTransaction } from '@countersign/safe/calls'
import { type Address, type Hex, pad } from 'viem'
import { sign } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoAccounts } from './accounts.ts'
import { canonicalContract, safeVersions } from './canonical-contracts.ts'
import { type Devnet, startDevnet } from './start.ts'
import { type AnyVersion, allVersions, callAll, deployAnySafe, handlerOf } from './test-safes.ts'

const HANDLER_SLOT = '0x6c9a6c4a39284e37ed1cf53d337577d14212a4870fb976a4366c693b939918d5'
const owner = demoAccounts[7]

type Safe = { version: AnyVersion; safeAddress: Address; chainId: number }

let devnet: Devnet
/** Owned by one account. */
let nested: Safe[]
/** Owned by all the nested ones, each of which is enough. */
let parents: Safe[]

beforeAll(async () => {
  devnet = await startDevnet({ port: 0 })
  const { rpcUrl, chainId } = devnet
  const deployEach = (owners: Address[], saltNonce: bigint): Promise<Safe[]> =>
    Promise.all(
      allVersions.map(async (version) => ({
        version,
        chainId,
        safeAddress: await deployAnySafe({ rpcUrl, chainId, version, owners, threshold: 1, saltNonce }),
      })),
    )
  nested = await deployEach([owner.address], 61n)
  parents = await deployEach(
    nested.map(({ safeAddress }) => safeAddress),
    62n,
  )
})
afterAll(() => devnet?.close())

type Handler = Pick<Deployment, 'name' | 'version'> & { address: Address }

const compatible: Handler[] = safeVersions.map((version) => ({
  name: 'CompatibilityFallbackHandler',
  version,
  address: handlerOf(version),
}))
const extensible: Handler = {
  name: 'ExtensibleFallbackHandler',
  version: '1.5.0',
  address: canonicalContract('1.5.0', 'extensible_fallback_handler').address,
}

function withHandler(safe: Safe, handler: Handler | null): Record<Address, Record<Hex, Hex>> {
  return { [safe.safeAddress]: { [HANDLER_SLOT]: pad(handler?.address ?? '0x', { size: 32 }) } }
}

async function signAsNested(safe: Safe, content: MessageContent): Promise<Hex> {
  const { safeMessageHash } = hashSafeMessage({ ...safe, content })
  return encodeContractSignature(
    safe.safeAddress,
    await sign({ hash: safeMessageHash, privateKey: owner.privateKey, to: 'hex' }),
  )
}

describe('canConfirmAsNestedSafe', () => {
  test.each(allVersions)('default: what the contracts do, parent %s', async (version) => {
    const parent = parents.find((candidate) => candidate.version === version)
    if (!parent) throw new Error('There is no such parent.')
    const safeTx = newSafeTx({ to: owner.address, nonce: 0n })
    const pairs = nested.flatMap((child) => [null, ...compatible, extensible].map((handler) => ({ child, handler })))
    const calls = await Promise.all(
      pairs.map(async ({ child, handler }) => {
        const signature = await signAsNested(child, nestedContentForSafeTx({ ...parent, safeTx }))
        return {
          to: parent.safeAddress,
          data: encodeExecTransaction(safeTx, encodeSignatures([{ owner: child.safeAddress, signature }])),
          storage: withHandler(child, handler),
        }
      }),
    )
    const results = await callAll(devnet.rpcUrl, calls)
    const nameOf = ({ child, handler }: (typeof pairs)[number]) =>
      `${child.version} with ${handler?.name} ${handler?.version}`
    const actual = pairs.map((pair, index) => [nameOf(pair), results[index]?.isReverted === false])
    const expected = pairs.map((pair) => {
      const versions = { parentVersion: version, nestedVersion: pair.child.version, nestedHandler: pair.handler }
      return [nameOf(pair), canConfirmAsNestedSafe(versions).ok]
    })
    expect(actual).toEqual(expected)
  })
})

describe('nestedContentForSafeMessage', () => {
  const content: MessageContent = { encoding: 'EIP191_TEXT', text: 'We, the owners, agree.' }
  test.each<[AnyVersion, string]>([
    ['0.1.0', 'none'],
    ['1.0.0', 'none'],
    ['1.1.1', 'none'],
    ['1.2.0', 'none'],
    ['1.3.0', '1.3.0'],
    ['1.3.0', '1.4.1'],
    ['1.4.1', '1.4.1'],
    ['1.5.0', '1.3.0'],
    ['1.5.0', '1.4.1'],
    ['1.5.0', '1.5.0'],
  ])(
    'default: a Safe %s with the handler %s accepts what its owner, a Safe, signs',
    async (version, handlerVersion) => {
      const parent = parents.find((candidate) => candidate.version === version)
      const child = nested.find((candidate) => candidate.version === '1.4.1')
      const handler = compatible.find((candidate) => candidate.version === handlerVersion) ?? null
      if (!parent || !child) throw new Error('There is no such Safe.')
      const { message } = hashSafeMessage({ ...parent, content })
      const ask = async (signedContent: MessageContent) => {
        const signature = await signAsNested(child, signedContent)
        const question: Parameters<typeof encodeContractQuestion>[0] = {
          owner: parent.safeAddress,
          asks: handlerVersion === '1.5.0' ? 'bytes32' : 'bytes',
          data: message,
          signature: encodeSignatures([{ owner: child.safeAddress, signature }]),
        }
        const [result] = await callAll(devnet.rpcUrl, [
          { to: parent.safeAddress, data: encodeContractQuestion(question), storage: withHandler(parent, handler) },
        ])
        const asker = handlerVersion === '1.5.0' ? '1.5.0' : version === '0.1.0' ? '0.1.0' : '1.4.1'
        return decodeContractAnswer(asker, result && !result.isReverted ? result.data : null)
      }
      expect(await ask(nestedContentForSafeMessage({ ...parent, content }, handlerVersion))).toBe('accepts')
      expect(await ask({ encoding: 'RAW', bytes: '0x1234' })).toBe('reverts')
    },
  )
})

describe('messageQuestionData', () => {
  const content: MessageContent = { encoding: 'EIP191_TEXT', text: 'We, the owners, agree.' }

  test.each(allVersions)('default: what the contracts do, parent %s with every handler', async (version) => {
    const parent = parents.find((candidate) => candidate.version === version)
    const child = nested.find((candidate) => candidate.version === (version === '0.1.0' ? '0.1.0' : '1.4.1'))
    if (!parent || !child) throw new Error('There is no such Safe.')
    const { message, safeMessageHash } = hashSafeMessage({ ...parent, content })
    const guesses = [message, encodeSafeMessagePreimage({ ...parent, content }), safeMessageHash]
    for (const handler of [null, ...compatible, extensible]) {
      const expected = messageQuestionData({ ...parent, content }, handler?.address ?? null)
      const accepted: Hex[] = []
      for (const bytes of guesses) {
        const signature = await signAsNested(child, { encoding: 'RAW', bytes })
        const signatures = encodeSignatures([{ owner: child.safeAddress, signature }])
        const questions = (['bytes', 'bytes32'] as const).map((asks) => ({
          to: parent.safeAddress,
          data: encodeContractQuestion({ owner: parent.safeAddress, asks, data: message, signature: signatures }),
          storage: withHandler(parent, handler),
        }))
        const results = await callAll(devnet.rpcUrl, questions)
        const answers = results.map((result) => (result.isReverted ? '0x' : result.data.slice(0, 10)))
        const isTrue = version === '0.1.0' && !results[0]?.isReverted && BigInt(results[0]?.data || 0) !== 0n
        if (isTrue || answers.includes('0x1626ba7e') || answers.includes('0x20c13b0b')) accepted.push(bytes)
      }
      expect(accepted, `${handler?.name} ${handler?.version}`).toEqual(expected === null ? [] : [expected])
    }
  })
})
