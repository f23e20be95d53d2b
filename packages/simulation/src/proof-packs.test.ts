import { isDeepStrictEqual } from 'node:util'
import {
  comparePacks,
  compareReviews,
  type Examined,
  examine,
  MAX_PROOF_PACK,
  nextPolicy,
  openPack,
  type PackedPolicy,
  type ProofPack,
  parseProofPack,
  policyTypedData,
  readVouchedBlock,
  type TeamPolicy,
  writePolicy,
  writeProofPack,
} from '@countersign/review'
import { encodeApprovedHash, encodeCreateProxy, hashSafeTx, newSafeTx, predictSafeAddress } from '@countersign/safe'
import { type Address, type Hex, keccak256, numberToHex, stringToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { createRandomInt, isSoak } from '../../../scripts/testing/random-tests.mjs'
import { approvalSlot } from './safe-slots.ts'
import { useTokenWorld } from './test/token-world.ts'

const world = useTokenWorld()
const { chainId, token, engine, stranger, tellToken } = world
const [first, second] = world.owners

let safeAddress: Address
let pack: ProofPack
let text: string
let made: Examined

/** The newest block of the node, as one source names it. */
async function newest() {
  const askSources = async () => []
  const block = await readVouchedBlock({ chainId, request: world.node.request, askSources, needed: 1 })
  if (block.header === null) throw new Error('The block has no header.')
  return { block: { ...block, header: block.header }, request: world.node.request }
}

beforeAll(async () => {
  safeAddress = await world.deployFunded('1.4.1', 82n)
  const data = world.transferOf(stranger.address, 700n)
  const safeTx = newSafeTx({ to: token, data, nonce: 0n })
  const { safeTxHash } = hashSafeTx({ chainId, safeAddress, version: '1.4.1', safeTx })
  const signature = await privateKeyToAccount(first.privateKey).sign({ hash: safeTxHash })
  const confirmations = [
    { owner: first.address, signature },
    { owner: second.address, signature: encodeApprovedHash(second.address) },
  ]
  const subject = { chainId, safeAddress, safeTx, confirmations, executor: stranger.address }
  const at = await newest()
  made = await examine(subject, at, engine)
  pack = {
    ...subject,
    header: at.block.header.raw,
    sources: [{ name: 'node', hash: at.block.hash }],
    proofs: made.kept,
    review: made.review,
  }
  text = writeProofPack(pack)
})

/** Everything that a pack says, without how long it took. */
const said = ({ kept: _, result, ...rest }: Examined) => ({ ...rest, result: { ...result, cost: undefined } })
const again = (file: string) => {
  const read = parseProofPack(file)
  return examine(read, openPack(read), engine)
}

describe('a proof pack', () => {
  test('default: run again without a node, it says the same', async () => {
    const before = world.node.requests
    const then = await again(text)
    expect(world.node.requests).toBe(before)
    expect(said(then)).toEqual(said(made))
    expect(then.state).toMatchObject({ threshold: 2, version: '1.4.1+L2' })
    expect(then.state.owners.toSorted()).toEqual([first.address, second.address].toSorted())
    expect(then.confirmations.map(({ status }) => status)).toEqual(['valid', 'invalid'])
    expect(then.result).toMatchObject({ status: 'finished', grade: 'proved', outcome: { kind: 'success' } })
    expect(comparePacks(then, made)).toEqual([])
    // 9 to 26 kB of proofs, and the code of four accounts.
    expect(text.length).toBeLessThan(200_000)
  })

  test('behavior: what is different now is named part by part', async () => {
    const then = await again(text)
    // An account holds more, but nothing else moves.
    await tellToken('mint', [stranger.address, 5n])
    expect(comparePacks(then, await examine(pack, await newest(), engine))).toEqual([])
    const threshold = `0x${'4'.padStart(64, '0')}`
    await world.ask('anvil_setStorageAt', safeAddress, threshold, `0x${'1'.padStart(64, '0')}`)
    await world.ask('evm_mine')
    expect(comparePacks(then, await examine(pack, await newest(), engine))).toEqual([
      { part: 'threshold', before: ['2'], now: ['1'] },
    ])
    await world.ask('anvil_setStorageAt', safeAddress, threshold, `0x${'2'.padStart(64, '0')}`)
  })

  test('behavior: a signature that counts now is named, and so is what stands and moves otherwise', async () => {
    const then = await again(text)
    const word = (value: bigint) => numberToHex(value, { size: 32 })
    const [approval, handler] = [
      approvalSlot(second.address, made.safeTxHash),
      keccak256(stringToHex('fallback_manager.handler.address')),
    ]
    const before = await world.ask('eth_getStorageAt', safeAddress, handler, 'latest')
    await world.ask('anvil_setStorageAt', safeAddress, approval, word(1n))
    await world.ask('anvil_setStorageAt', safeAddress, handler, word(BigInt(stranger.address)))
    await world.ask('evm_mine')
    const differences = comparePacks(then, await examine(pack, await newest(), engine))
    expect(differences.slice(0, 2)).toMatchObject([
      { part: 'fallbackHandler', now: [stranger.address] },
      {
        part: 'signatures',
        before: [`${first.address} valid`, `${second.address} invalid`].toSorted(),
        now: [`${first.address} valid`, `${second.address} valid`].toSorted(),
      },
    ])
    await world.ask('anvil_setStorageAt', safeAddress, approval, word(0n))
    await world.ask('anvil_setStorageAt', safeAddress, handler, before)
    await world.ask('evm_mine')
    // A payment that fails moves nothing.
    const [result, safe] = [then.result, then.state.address]
    if (result.status === 'unfinished') throw new Error('It did not end.')
    const failure = { kind: 'halt', reason: 'out of gas' } as const
    const other = { ...result, outcome: { kind: 'reverted', failure, began: [] }, balances: [], slots: [] } as const
    expect(comparePacks(then, { ...then, result: other }).map(({ part }) => part)).toEqual([
      'outcome',
      'moves',
      'slots',
    ])
    const slots = result.slots.map((slot) => (slot.account === safe ? slot : { ...slot, after: word(7n) }))
    expect(comparePacks(then, { ...then, result: { ...result, slots } })).toEqual([])
  })

  test('behavior: another digit anywhere is refused, or says of itself what is different', async () => {
    const digits = [...text.matchAll(/0x[0-9a-f]{2,}/g)].flatMap(({ 0: found, index }) => {
      return Array.from({ length: found.length - 2 }, (_, at) => index + 2 + at)
    })
    const pick = createRandomInt()
    const outcomes = new Set<string>()
    for (let round = 0; round < (isSoak ? 2_000 : 60); round += 1) {
      const at = digits[pick(digits.length)] ?? 0
      const changed = text.slice(0, at) + (text[at] === '7' ? '8' : '7') + text.slice(at + 1)
      const found = await again(changed).catch((error) => String(error.code))
      if (typeof found === 'string') outcomes.add(found)
      // Another transaction, executor, signature or header is another pack: what it says is then proved of that one.
      else if (
        found.block.hash === made.block.hash &&
        found.safeTxHash === made.safeTxHash &&
        isSameRun(found, changed)
      ) {
        const { confirmations } = made
        // A signature that is none any more, or a fact that cannot be read, changes what is found, and nothing else.
        const isReadWhole = found.review.findings.every(({ id }) => id !== 'INPUT-MISSING')
        const isSame = isReadWhole && isDeepStrictEqual(found.confirmations, confirmations)
        const review = isSame ? found.review : made.review
        expect(said({ ...found, confirmations, review })).toEqual(said(made))
      }
    }
    expect([...outcomes]).toContain('PROOF_INVALID')
    expect([...outcomes].filter((code) => code === 'undefined' || code === 'INTERNAL')).toEqual([])
  })

  test.each([
    [5_000n, 8_200n],
    [0n, 8_300n],
  ])('behavior: of a Safe that is not there yet and has received %d wei, by its creation', async (held, saltNonce) => {
    const owners = world.owners.map(({ address }) => address)
    const made = { version: '1.4.1', isL2: true, owners, threshold: 2, saltNonce } as const
    const { to: factory, data } = encodeCreateProxy(made)
    const [undeployed, creation] = [predictSafeAddress(made), { factory, data }]
    if (held > 0n) await world.send(undeployed, '0x', held)
    const subject = {
      chainId,
      safeAddress: undeployed,
      confirmations: [],
      creation,
      executor: stranger.address,
      safeTx: newSafeTx({ to: first.address, value: held / 5n, nonce: 0n }),
    }
    const at = await newest()
    const before = await examine(subject, at, engine)
    const file = writeProofPack({ ...subject, header: at.block.header.raw, sources: [], proofs: before.kept })
    expect(parseProofPack(file)).toMatchObject({ creation })
    const then = await again(file)
    expect(said(then)).toEqual(said(before))
    expect(then.state).toMatchObject({ creation, owners, threshold: 2 })
    expect(then.result).toMatchObject({ status: 'finished', grade: 'proved', outcome: { kind: 'success' } })
    // Another creation is another Safe's, and without one there is none.
    const other = encodeCreateProxy({ ...made, saltNonce: saltNonce + 1n }).data
    const changed = async (change: unknown) => again(JSON.stringify({ ...JSON.parse(file), creation: change }))
    await expect(changed({ factory, data: other })).rejects.toMatchObject({ code: 'CREATION_REFUSED' })
    await expect(changed(undefined)).rejects.toMatchObject({ code: 'NOT_A_SAFE' })
    await expect(changed({ factory, data: 'x' })).rejects.toMatchObject({ code: 'PROOF_PACK_INVALID' })

    await world.send(factory, data)
    // Once it is there, its creation says nothing any more, and nothing else is different.
    const now = await examine(subject, await newest(), engine)
    expect(now.state.creation).toBeUndefined()
    const notDeployed = { part: 'findings', before: ['info NOT-DEPLOYED'], now: [] }
    expect(comparePacks(then, now)).toEqual([notDeployed])
  })

  describe('with what its maker found', () => {
    const recipients: Address[] = [first.address]
    let packed: ProofPack
    let file: string

    /** A policy of the Safe that both owners have approved. */
    async function approved(rules: Partial<TeamPolicy>): Promise<PackedPolicy> {
      const policy: TeamPolicy = { ...nextPolicy({ chainId, safeAddress }, null), ...rules }
      const approvals = await Promise.all(
        world.owners.map(async ({ address: owner, privateKey }) => {
          const signature = await privateKeyToAccount(privateKey).signTypedData(policyTypedData(policy))
          return { owner, signature }
        }),
      )
      return { text: writePolicy(policy), approvals, withdrawals: [], spent: null }
    }

    beforeAll(async () => {
      const subject = {
        ...pack,
        confirmations: pack.confirmations.slice(0, 1),
        review: undefined,
        policy: await approved({ recipientsOnly: true, recipients }),
      }
      const at = await newest()
      const { kept: proofs, review } = await examine(subject, at, engine)
      packed = { ...subject, header: at.block.header.raw, sources: [], proofs, review }
      file = writeProofPack(packed)
    })

    const changed = async (change: (file: ReturnType<typeof JSON.parse>) => void) => {
      const parsed = JSON.parse(file)
      change(parsed)
      const read = parseProofPack(JSON.stringify(parsed))
      return compareReviews(read.review, (await examine(read, openPack(read), engine)).review)
    }

    test('default: the same review comes out of the file, by the policy that is in it', async () => {
      expect(packed.review).toMatchObject({ verdict: 'do-not-sign', policyHash: expect.stringMatching(/^0x/) })
      expect(packed.review?.findings).toContainEqual({ id: 'POLICY-BROKEN', severity: 'critical' })
      const requests = world.node.requests
      expect(parseProofPack(file)).toMatchObject({ policy: packed.policy, review: packed.review })
      expect(await changed(() => {})).toEqual([])
      expect(world.node.requests).toBe(requests)
    })

    test('behavior: a verdict or a finding that somebody wrote into it is another than its proofs give', async () => {
      const verdict = await changed(({ review }) => Object.assign(review, { verdict: 'matches' }))
      expect(verdict).toEqual([{ part: 'verdict', before: ['matches'], now: ['do-not-sign'] }])
      const fewer = await changed(({ review }) => review.findings.shift())
      expect(fewer).toMatchObject([{ part: 'findings' }])
      const other = await changed(({ review }) => Object.assign(review, { policyHash: pack.safeTx.data.slice(0, 66) }))
      expect(other).toMatchObject([{ part: 'policy' }])
    })

    test('behavior: a policy that nobody signed so, or that was left out, is another review', async () => {
      const loosened = await changed(({ policy }) => {
        policy.text = policy.text.replace('"recipientsOnly":true', '"recipientsOnly":false')
      })
      expect(loosened).toContainEqual(expect.objectContaining({ part: 'policy' }))
      const parts = (await changed((parsed) => delete parsed.policy))?.map(({ part }) => part)
      expect(parts).toEqual(['verdict', 'policy', 'findings'])
    })

    test('behavior: sums that count against a limit are in the file, and decide as they did', async () => {
      const limits = { amountLimits: [{ asset: token, amount: 1_000n, period: 86_400 }] }
      const findingsWith = async (executed: bigint) => {
        const spent = [{ asset: token, period: 86_400, executed, queued: 0n }]
        const subject = { ...packed, review: undefined, policy: { ...(await approved(limits)), spent } }
        const at = await newest()
        const { kept: proofs, review } = await examine(subject, at, engine)
        const then = await again(writeProofPack({ ...subject, header: at.block.header.raw, proofs, review }))
        expect(then.review).toEqual(review)
        return review.findings.map(({ id }) => id)
      }
      // 700 are paid.
      expect(await findingsWith(200n)).not.toContain('POLICY-BROKEN')
      expect(await findingsWith(400n)).toContain('POLICY-BROKEN')
    })

    test('behavior: a policy that is other now is named with the rest', async () => {
      const then = await examine(packed, openPack(packed), engine)
      const now = await examine({ ...packed, policy: undefined }, await newest(), engine)
      expect(comparePacks(then, now).map(({ part }) => part)).toEqual(['verdict', 'policy', 'findings'])
    })

    test('behavior: a pack of the first format is read, and has no review to compare', async () => {
      const old = JSON.parse(file)
      const { review: _, policy: __, ...first } = { ...old, version: 1 }
      const read = parseProofPack(JSON.stringify(first))
      const { review } = await examine(read, openPack(read), engine)
      expect([read.review, read.policy, compareReviews(read.review, review)]).toEqual([undefined, undefined, null])
    })

    test.each([
      ['a verdict', (parsed) => Object.assign(parsed.review, { verdict: 'fine' })],
      ['a severity', (parsed) => Object.assign(parsed.review.findings[0], { severity: 'none' })],
      ['an id', (parsed) => Object.assign(parsed.review.findings[0], { id: '<b>' })],
      ['a hash', (parsed) => Object.assign(parsed.review, { policyHash: '0x12' })],
      ['a text', (parsed) => Object.assign(parsed.policy, { text: 7 })],
      ['a signature', (parsed) => Object.assign(parsed.policy.approvals[0], { signature: 'x' })],
      ['a sum', (parsed) => Object.assign(parsed.policy, { spent: [{ asset: token, period: 1, executed: 'x' }] })],
    ] satisfies [string, (parsed: ReturnType<typeof JSON.parse>) => unknown][])(
      'error: PROOF_PACK_INVALID for %s that is none',
      async (_, change) => {
        await expect(changed(change)).rejects.toMatchObject({ code: 'PROOF_PACK_INVALID', data: { reason: 'field' } })
      },
    )
  })

  test('error: PROOF_PACK_INVALID', async () => {
    const read = (change: (file: Record<string, unknown>) => void) => {
      const file = JSON.parse(text)
      change(file)
      return () => parseProofPack(JSON.stringify(file))
    }
    const reason = (value: string) =>
      expect.objectContaining({ code: 'PROOF_PACK_INVALID', data: expect.objectContaining({ reason: value }) })
    expect(() => parseProofPack('{')).toThrow(reason('json'))
    expect(() => parseProofPack(' '.repeat(MAX_PROOF_PACK + 1))).toThrow(reason('long'))
    expect(() => parseProofPack('[]')).toThrow(reason('field'))
    for (const [field, value] of [
      ['format', 'zip'] as const,
      ['version', 3] as const,
      ['proofs', {}] as const,
      ['nodes', [1]] as const,
      ['codes', ['0x0']] as const,
      ['executor', '0x12'] as const,
      ['block', null] as const,
      ['proofs', [{ ...JSON.parse(text).proofs[0], accountProof: [1e9] }]] as const,
      ['nodes', [`0x${'00'.repeat(5_000)}`]] as const,
    ])
      expect(read((file) => (file[field] = value))).toThrow(
        expect.objectContaining({
          data: expect.objectContaining({ reason: 'field', field: expect.stringMatching(`^${field}`) }),
        }),
      )
    const sources = [{ name: 'n'.repeat(201), hash: null }]
    expect(read((file) => Object.assign(file.block as object, { sources }))).toThrow(reason('field'))
    expect(read((file) => (file.nodes = Array(50_000).fill('0x00')))).toThrow(reason('many'))
    // Deep nesting and prototypes are data like any other.
    expect(() => parseProofPack(`{"__proto__":{"format":"countersign-proof-pack"}}`)).toThrow(reason('field'))
    // A pack that leaves out a proof cannot be run.
    const without = JSON.parse(text)
    without.proofs = without.proofs.slice(1)
    await expect(again(JSON.stringify(without))).rejects.toMatchObject({ code: 'PROOF_PACK_INVALID' })
  })

  test('behavior: stands in for a node at its own block alone', async () => {
    const { request } = openPack(pack)
    const block = numberToHex(made.block.number)
    expect(await request({ method: 'eth_getCode', params: [safeAddress, block] })).toMatch(/^0x/)
    for (const other of ['latest', numberToHex(made.block.number + 1n)])
      for (const asked of [
        { method: 'eth_getCode', params: [safeAddress, other] },
        { method: 'eth_getProof', params: [safeAddress, [], other] },
      ])
        await expect(request(asked)).rejects.toMatchObject({ code: 'PROOF_PACK_INVALID', data: { reason: 'missing' } })
  })

  test('error: PROOF_INVALID', async () => {
    const file = JSON.parse(text)
    file.codes = file.codes.map((code: Hex) => `${code}00`)
    await expect(again(JSON.stringify(file))).rejects.toMatchObject({ code: 'PROOF_INVALID' })
  })
})

/** Whether the changed digit stands outside of what the pack is about. */
function isSameRun({ result }: Examined, changed: string): boolean {
  const { executor } = parseProofPack(changed)
  return result.status === 'finished' && executor === pack.executor
}
