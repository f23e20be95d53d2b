import {
  checkSignatures,
  decodeContractAnswer,
  encodeApprovedHash,
  encodeContractQuestion,
  encodeSafeTxPreimage,
  hashSafeMessage,
  hashSafeTx,
  type MessageContent,
  nestedContentForSafeMessage,
  nestedContentForSafeTx,
  newSafeTx,
  type SafeTxContext,
  type SignatureCheck,
  type SignatureFacts,
  safeAbi,
} from '@countersign/safe'
import { encodeExecTransaction } from '@countersign/safe/calls'
import fc from 'fast-check'
import {
  type Address,
  bytesToHex,
  concatHex,
  decodeErrorResult,
  encodeFunctionData,
  type Hex,
  hashMessage,
  hexToBytes,
  keccak256,
  numberToHex,
  parseAbi,
  size,
  slice,
} from 'viem'
import { sign } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runs } from '../../../scripts/testing/random-tests.mjs'
import { demoAccounts } from './accounts.ts'
import { sendAll } from './node-client.ts'
import { type Devnet, startDevnet } from './start.ts'
import { anyRecipe, type Part, type Recipe } from './test-recipes.ts'
import { type AnyVersion, allVersions, type CallResult, callAll, deployAnySafe } from './test-safes.ts'

type ContractQuestion = Parameters<typeof encodeContractQuestion>[0]

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const SENTINEL: Address = '0x0000000000000000000000000000000000000001'
const ZERO: Address = '0x0000000000000000000000000000000000000000'

/** Three owners with keys, the first of whom has approved the hash on the chain; and one who is no owner. */
const signers = [demoAccounts[4], demoAccounts[5], demoAccounts[6], demoAccounts[8]] as const
const [approver, , , stranger] = signers
/** The only owner of the nested Safes. */
const inner = demoAccounts[7]

/** A message that the approver has approved as well. */
const agreed = { encoding: 'RAW', bytes: '0x1234' } as const

type Target = SafeTxContext & {
  version: AnyVersion
  hash: Hex
  preimage: Hex
  owners: Address[]
  /** Content about which a nested Safe is asked. */
  nestedContent: MessageContent
}

let devnet: Devnet
let targets: Target[]
/** Owners that are Safes. What 0.1.0 answers only 0.1.0 understands. */
const nestedVersions = ['1.4.1', '1.3.0', '0.1.0'] as const
let nested: { address: Address; version: AnyVersion }[]

beforeAll(async () => {
  devnet = await startDevnet({ port: 0 })
  const { rpcUrl, chainId } = devnet
  nested = await Promise.all(
    nestedVersions.map(async (version) => ({
      version,
      address: await deployAnySafe({ rpcUrl, chainId, version, owners: [inner.address], threshold: 1, saltNonce: 77n }),
    })),
  )
  targets = await Promise.all(
    allVersions.map(async (version) => {
      const owners = [...signers.slice(0, 3), ...nested].map(({ address }) => address)
      const safeAddress = await deployAnySafe({ rpcUrl, chainId, version, owners, threshold: 2, saltNonce: 52n })
      const context = { chainId, version, safeAddress, safeTx: newSafeTx({ to: stranger.address, nonce: 0n }) }
      const [hash, preimage] = [hashSafeTx(context).safeTxHash, encodeSafeTxPreimage(context)]
      return { ...context, hash, preimage, owners, nestedContent: nestedContentForSafeTx(context) }
    }),
  )
  await sendAll(
    rpcUrl,
    approver.address,
    targets.flatMap((target) =>
      [target.hash, hashSafeMessage({ ...target, content: agreed }).safeMessageHash].map((hash) => ({
        to: target.safeAddress,
        data: encodeFunctionData({ abi: safeAbi, functionName: 'approveHash', args: [hash] }),
        gas: 100_000n,
      })),
    ),
  )
})
afterAll(() => devnet?.close())

const signed = new Map<string, Promise<Hex>>()

function signOnce(hash: Hex, { privateKey }: { privateKey: Hex }): Promise<Hex> {
  const key = hash + privateKey
  const made = signed.get(key) ?? sign({ hash, privateKey, to: 'hex' })
  signed.set(key, made)
  return made
}

function word(value: bigint | Hex): Hex {
  return `0x${BigInt(value).toString(16).padStart(64, '0')}`
}

/** Owners of a target, then some that are none. */
function addressOf(target: Target, index: number): Address {
  return [...target.owners, stranger.address, SENTINEL, ZERO][index] ?? ZERO
}

/** Which owner a part is of, to bring the parts into order. */
function ownerOf(part: Part, target: Target): bigint {
  if (part.kind === 'ecdsa') return BigInt(signers[part.signer]?.address ?? ZERO)
  return part.kind === 'bytes' ? 0n : BigInt(addressOf(target, part.owner))
}

/** The bytes by which a nested Safe confirms. */
async function answerBytes(part: Part & { kind: 'contract' }, target: Target): Promise<Hex> {
  if (part.answer === 'none') return '0x'
  if (part.answer !== 'valid' && part.answer !== 'wrong') return part.answer
  const owner = nested[part.owner - 3] ?? nested[0]
  if (!owner) throw new Error('There is no nested Safe.')
  const { safeMessageHash } = hashSafeMessage({
    chainId: target.chainId,
    safeAddress: owner.address,
    version: owner.version,
    content: target.nestedContent,
  })
  return signOnce(part.answer === 'valid' ? safeMessageHash : target.hash, inner)
}

async function ecdsaPart(part: Part & { kind: 'ecdsa' }, { hash }: Target): Promise<Hex> {
  const signer = signers[part.signer] ?? stranger
  const signature = await signOnce(part.isEthSign ? hashMessage({ raw: hash }) : hash, signer)
  const s = BigInt(slice(signature, 32, 64))
  const parity = Number(slice(signature, 64)) - 27
  const v = 27 + (part.isHighS ? 1 - parity : parity) + (part.isEthSign ? 4 : 0)
  return concatHex([slice(signature, 0, 32), word(part.isHighS ? ORDER - s : s), numberToHex(part.v ?? v, { size: 1 })])
}

async function cook(recipe: Recipe, target: Target): Promise<Hex> {
  const parts = recipe.isSorted
    ? recipe.parts.toSorted((one, other) => (ownerOf(one, target) < ownerOf(other, target) ? -1 : 1))
    : recipe.parts
  const heads: Hex[] = []
  const tails: Hex[] = []
  let end = parts.length * 65
  for (const part of parts) {
    if (part.kind === 'bytes') heads.push(part.bytes)
    else if (part.kind === 'ecdsa') heads.push(await ecdsaPart(part, target))
    else if (part.kind === 'approved') {
      const approved = encodeApprovedHash(addressOf(target, part.owner))
      heads.push(concatHex([word(BigInt(slice(approved, 0, 32)) | (part.dirt << 160n)), slice(approved, 32)]))
    } else {
      const bytes = await answerBytes(part, target)
      const offset = 'offset' in part.place ? part.place.offset : BigInt(Math.max(0, end + part.place.shift))
      heads.push(concatHex([word(addressOf(target, part.owner)), word(offset), '0x00']))
      tails.push(word(BigInt(size(bytes))), bytes)
      end += 32 + size(bytes)
    }
  }
  const bytes = hexToBytes(concatHex([...heads, ...tails, recipe.tail]))
  if (recipe.flip && recipe.flip.place < bytes.length) {
    bytes[recipe.flip.place] = (bytes[recipe.flip.place] ?? 0) ^ recipe.flip.bits
  }
  return bytesToHex(bytes.subarray(0, Math.max(0, bytes.length - recipe.cut)))
}

type Asked = { target: Target; facts: Omit<SignatureFacts, 'answerOf'> }

/** Asks the contracts on the chain, as often as there are questions; what all of them ask next in one batch. */
async function checkWithChain(all: readonly Asked[]): Promise<SignatureCheck[]> {
  const keyOf = (question: ContractQuestion) => JSON.stringify(question)
  const checks = new Map<Asked, SignatureCheck>()
  let open = all.map((asked) => ({ asked, answers: new Map<string, ReturnType<typeof decodeContractAnswer>>() }))
  while (open.length > 0) {
    const found = await Promise.all(
      open.map(async ({ asked, answers }) => {
        const answerOf = (question: ContractQuestion) => answers.get(keyOf(question)) ?? null
        const check = await checkSignatures({ ...asked.facts, answerOf })
        if (check.outcome === 'unknown' && check.reason === 'NOT_ASKED' && check.question)
          return { asked, answers, question: check.question }
        checks.set(asked, check)
        return null
      }),
    )
    const asking = found.filter((question) => question !== null)
    const results = await callAll(
      devnet.rpcUrl,
      asking.map(({ asked, question }) => ({
        from: asked.target.safeAddress,
        to: question.owner,
        data: encodeContractQuestion(question),
      })),
    )
    asking.forEach(({ asked, answers, question }, index) => {
      const result = results[index]
      if (!result || answers.has(keyOf(question))) throw new Error('The same question was asked again.')
      answers.set(keyOf(question), decodeContractAnswer(asked.target.version, result.isReverted ? null : result.data))
    })
    open = asking
  }
  return all.map((asked) => {
    const check = checks.get(asked)
    if (!check) throw new Error('A check is missing.')
    return check
  })
}

const errorAbi = parseAbi(['error Error(string)'])

/** Writes the chain's result in the words of a prediction. */
function outcomeOf(result: CallResult): { outcome: 'accepted' } | { outcome: 'refused'; revertText: string | null } {
  if (!result.isReverted) return { outcome: 'accepted' }
  if (result.data === '0x') return { outcome: 'refused', revertText: '' }
  try {
    const [revertText] = decodeErrorResult({ abi: errorAbi, data: result.data }).args
    return { outcome: 'refused', revertText }
  } catch {
    return { outcome: 'refused', revertText: null }
  }
}

/** How often each outcome came about: a test of refusals alone would prove little. */
const tally = new Map<string, number>()

function expectSame(check: SignatureCheck, result: CallResult, version: AnyVersion) {
  const name = check.outcome === 'refused' ? `${check.code ?? 'reverted'}` : check.outcome
  tally.set(name, (tally.get(name) ?? 0) + 1)
  if (check.outcome === 'unknown') {
    // Only where Safe 0.1.0 reads memory that is none of ours.
    expect({ version, reason: check.reason }).toEqual({ version: '0.1.0', reason: 'UNDEFINED' })
    return
  }
  const actual = outcomeOf(result)
  if (check.outcome === 'accepted') expect({ version, ...actual }).toEqual({ version, outcome: 'accepted' })
  else if (check.revertText === null)
    expect({ version, outcome: actual.outcome }).toEqual({ version, outcome: 'refused' })
  else expect({ version, ...actual }).toEqual({ version, outcome: 'refused', revertText: check.revertText })
}

const THRESHOLD_SLOT = word(4n)

const checkAbi = parseAbi([
  'function checkNSignatures(bytes32 hash, bytes data, bytes signatures, uint256 required) view',
])

function factsOf(target: Target, recipe: Recipe, signatures: Hex): Omit<SignatureFacts, 'answerOf'> {
  const { version, hash, preimage, owners } = target
  const executor = signers[recipe.executor]?.address ?? stranger.address
  return {
    version,
    hash,
    preimage,
    owners,
    signatures,
    executor,
    threshold: recipe.threshold,
    approvedBy: [approver.address],
    isExecution: true,
  }
}

describe('checkSignatures', () => {
  test('property: says what execTransaction of every release does, and why', async () => {
    await fc.assert(
      fc.asyncProperty(anyRecipe, async (recipe) => {
        const cooked = await Promise.all(targets.map((target) => cook(recipe, target)))
        const checks = await checkWithChain(
          targets.map((target, index) => ({ target, facts: factsOf(target, recipe, cooked[index] ?? '0x') })),
        )
        const results = await callAll(
          devnet.rpcUrl,
          targets.map(({ safeAddress, safeTx }, index) => ({
            to: safeAddress,
            from: signers[recipe.executor]?.address ?? stranger.address,
            data: encodeExecTransaction(safeTx, cooked[index] ?? '0x'),
            storage: { [safeAddress]: { [THRESHOLD_SLOT]: word(BigInt(recipe.threshold)) } },
          })),
        )
        targets.forEach(({ version }, index) => {
          const [check, result] = [checks[index], results[index]]
          if (!check || !result) throw new Error('A result is missing.')
          expectSame(check, result, version)
        })
      }),
      runs(250),
    )
    for (const outcome of ['accepted', 'GS001', 'GS020', 'GS021', 'GS022', 'GS023', 'GS024', 'GS025', 'GS026']) {
      expect(tally.get(outcome) ?? 0, `${outcome} of ${JSON.stringify(Object.fromEntries(tally))}`).toBeGreaterThan(0)
    }
  })

  test('property: says what checkNSignatures does, for data that is not of the hash as well', async () => {
    const current = targets.filter(({ version }) => ['1.3.0', '1.4.1', '1.5.0'].includes(version))
    await fc.assert(
      fc.asyncProperty(anyRecipe, fc.boolean(), async (recipe, isOther) => {
        const preimageOf = (target: Target) => (isOther ? keccak256(target.preimage) : target.preimage)
        const required = Math.max(1, recipe.threshold)
        const cooked = await Promise.all(current.map((target) => cook(recipe, target)))
        const results = await callAll(
          devnet.rpcUrl,
          current.map((target, index) => ({
            to: target.safeAddress,
            from: signers[recipe.executor]?.address ?? stranger.address,
            data: encodeFunctionData({
              abi: checkAbi,
              args: [target.hash, preimageOf(target), cooked[index] ?? '0x', BigInt(required)],
            }),
          })),
        )
        const checks = await checkWithChain(
          current.map((target, index) => {
            const facts = { ...factsOf(target, recipe, cooked[index] ?? '0x'), preimage: preimageOf(target) }
            return { target, facts: { ...facts, threshold: required } }
          }),
        )
        current.forEach(({ version }, index) => {
          const [check, result] = [checks[index], results[index]]
          if (!check || !result) throw new Error('A result is missing.')
          expectSame(check, result, version)
        })
      }),
      runs(150),
    )
    expect(tally.get('GS027') ?? 0).toBeGreaterThan(0)
  })

  test('property: says what isValidSignature of the Safe itself does, before 1.3.0', async () => {
    const old = targets.filter(({ version }) => ['0.1.0', '1.0.0', '1.1.1', '1.2.0'].includes(version))
    await fc.assert(
      fc.asyncProperty(anyRecipe, async (recipe) => {
        const signed = await Promise.all(
          old.map(async (target) => {
            const hash = hashSafeMessage({ ...target, content: agreed }).safeMessageHash
            const nestedContent = nestedContentForSafeMessage({ ...target, content: agreed }, '')
            const asked: Target = { ...target, hash, nestedContent }
            return { target: asked, signature: await cook(recipe, asked) }
          }),
        )
        // Without signatures it asks whether the message was signed on the chain.
        const asked = signed
          .filter(({ signature }) => signature !== '0x')
          .map(({ target, signature }) => {
            const facts = factsOf(target, recipe, signature)
            return { target, signature, facts: { ...facts, preimage: agreed.bytes, isExecution: false } }
          })
        const checks = await checkWithChain(asked)
        const results = await callAll(
          devnet.rpcUrl,
          asked.map(({ target: { safeAddress }, signature, facts }) => ({
            to: safeAddress,
            from: facts.executor,
            data: encodeContractQuestion({ owner: safeAddress, asks: 'bytes', data: agreed.bytes, signature }),
            storage: { [safeAddress]: { [THRESHOLD_SLOT]: word(BigInt(recipe.threshold)) } },
          })),
        )
        asked.forEach(({ target: { version } }, index) => {
          const [check, result] = [checks[index], results[index]]
          if (!check || !result) throw new Error('A result is missing.')
          const isRefusal = version === '0.1.0' && !result.isReverted && BigInt(result.data) === 0n
          expectSame(check, isRefusal ? { isReverted: true, data: '0x' } : result, version)
        })
      }),
      runs(100),
    )
  })
})
