import {
  encodeApprovedHash,
  encodeContractSignature,
  encodeSignatures,
  hashSafeTx,
  newSafeTx,
  officialDeployment,
  type SafeTx,
  safeTxTypedData,
} from '@countersign/safe'
import { encodeMultiSend } from '@countersign/safe/calls'
import { type Address, concatHex, encodeFunctionData, type Hex, pad, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import { type ClaimedExecution, isProvedPayment, payeesOf, readSignedPayment } from './payees.ts'
import { account, otherOwner, outsider, safeAddress, stranger, token } from './scene.ts'

const abi = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function transferFrom(address from, address to, uint256 amount)',
  'function safeTransferFrom(address from, address to, uint256 tokenId)',
  'function approve(address spender, uint256 amount)',
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls)',
])
type Call = { to: Address; value?: bigint; data?: Hex }
const encode = (functionName: 'transfer' | 'transferFrom' | 'safeTransferFrom' | 'approve', args: unknown[]): Call => ({
  to: token,
  data: encodeFunctionData({ abi, functionName, args } as Parameters<typeof encodeFunctionData>[0]),
})
const payment = (to: Address = stranger, amount = 5n) => encode('transfer', [to, amount])
const txOf = (call: Call & Partial<SafeTx>) => newSafeTx({ nonce: 3n, ...call })
const batchOf = (...calls: Call[]) =>
  txOf({
    to: officialDeployment('multi-send-call-only', '1.4.1')?.address ?? token,
    operation: 1,
    data: encodeMultiSend(calls.map((call) => ({ value: 0n, data: '0x', operation: 0, ...call }))),
  })
const multicall: Address = '0xcA11bde05977b3631167028862bE2a173976CA11'

describe('payeesOf', () => {
  it.each<[string, SafeTx, Address[]]>([
    ['native coin', txOf({ to: stranger, value: 1n }), [stranger]],
    ['a token', txOf(payment()), [stranger]],
    ['an item', txOf(encode('safeTransferFrom', [safeAddress, stranger, 7n])), [stranger]],
    [
      'two of a batch, one of them twice',
      batchOf(payment(), { to: otherOwner, value: 1n }, payment()),
      [stranger, otherOwner],
    ],
    ['nobody, with a call of nothing', txOf({ to: stranger }), []],
    ['nobody, by no token', txOf(payment(stranger, 0n)), []],
    ['nobody, by an allowance', txOf(encode('approve', [stranger, 5n])), []],
    ['nobody, with what another account holds', txOf(encode('transferFrom', [otherOwner, stranger, 5n])), []],
    [
      'the recipient of its own tokens by allowance',
      txOf(encode('transferFrom', [safeAddress, stranger, 5n])),
      [stranger],
    ],
    ['nobody but itself', txOf(payment(safeAddress)), []],
    ['nobody, by code that runs as the Safe', txOf({ ...payment(), operation: 1 }), []],
    [
      'nobody, by a call that another contract makes',
      txOf({
        to: multicall,
        data: encodeFunctionData({
          abi,
          functionName: 'aggregate3',
          args: [[{ target: token, allowFailure: true, callData: payment().data ?? '0x' }]],
        }),
      }),
      [],
    ],
    [
      'nobody, by bytes that only hold an address',
      txOf({ to: token, data: concatHex(['0xdeadbeef', pad(stranger)]) }),
      [],
    ],
    [
      'nobody, by a batch that unknown code runs as the Safe',
      { ...batchOf(payment(), { to: otherOwner, value: 1n }), to: stranger },
      [],
    ],
    [
      'nobody, by unknown code that a batch runs as the Safe',
      txOf({
        to: officialDeployment('multi-send', '1.4.1')?.address ?? token,
        operation: 1,
        data: encodeMultiSend([
          { to: stranger, value: 0n, operation: 1, data: batchOf(payment()).data },
          { to: otherOwner, value: 1n, operation: 0, data: '0x' },
        ]),
      }),
      [otherOwner],
    ],
    ['nobody, by a batch that is cut', txOf({ to: multicall, operation: 1, data: '0x8d80ff0a' }), []],
  ])('pays by %s', (_, safeTx, payees) => expect(payeesOf({ safeAddress, safeTx })).toEqual(payees))
})

const place = { chainId: 1, safeAddress }
const state = { owners: [account.address, outsider.address], threshold: 2, nonce: 4n }
const paid = txOf(payment())

async function claimed(
  safeTx: SafeTx,
  signers: readonly (typeof account)[],
  { version = '1.4.1', signedIn = place, more = [] as { owner: Address; signature: Hex }[] } = {},
): Promise<ClaimedExecution> {
  const context = { ...signedIn, version, safeTx }
  const signed = await Promise.all(
    signers.map(async (signer) => ({
      owner: signer.address,
      signature: await signer.signTypedData(safeTxTypedData(context)),
    })),
  )
  return { safeTxHash: hashSafeTx(context).safeTxHash, safeTx, signatures: encodeSignatures([...signed, ...more]) }
}

async function isProved(
  execution: ClaimedExecution,
  change: Partial<typeof state> = {},
  sender: Address | null = null,
): Promise<boolean> {
  const read = await readSignedPayment(place, execution)
  return read !== null && isProvedPayment(read, { ...state, ...change }, sender)
}

describe('isProvedPayment', () => {
  const both = [account, outsider]
  const named = (owner: Address) => ({ owner, signature: encodeApprovedHash(owner) })

  it('default: with signatures that reach the threshold', async () => {
    const execution = await claimed(paid, both)
    expect(await isProved(execution)).toBe(true)
    expect((await readSignedPayment(place, execution))?.payees).toEqual([stranger])
    // The owner who executes signs the transaction of the chain.
    const byExecutor = await claimed(paid, [account], { more: [named(outsider.address)] })
    expect(await isProved(byExecutor, {}, outsider.address)).toBe(true)
    const alone = await claimed(paid, [], { more: [named(account.address)] })
    expect(await isProved(alone, { threshold: 1 }, account.address)).toBe(true)
  })

  it.each(['1.0.0', '1.1.1', '1.3.0', '1.5.0', '0.1.0'])('by a Safe %s as well', async (version) =>
    expect(await isProved(await claimed(paid, both, { version }))).toBe(true),
  )

  it.each<[string, () => Promise<ClaimedExecution>, Partial<typeof state>?]>([
    ['one owner of two', () => claimed(paid, [account])],
    [
      'one owner, counted twice',
      async () => {
        const { signatures, ...rest } = await claimed(paid, [account])
        return { ...rest, signatures: concatHex([signatures, signatures]) }
      },
    ],
    ['a name beside a signature', () => claimed(paid, [account], { more: [named(outsider.address)] })],
    ['nobody, where the Safe could not be read', () => claimed(paid, []), { threshold: 0, owners: [] }],
    ['names alone', () => claimed(paid, [], { more: [named(account.address), named(outsider.address)] })],
    [
      'one name alone, where one decides',
      () => claimed(paid, [], { more: [named(account.address)] }),
      { threshold: 1 },
    ],
    [
      'a contract’s word',
      () =>
        claimed(paid, [account], {
          more: [{ owner: outsider.address, signature: encodeContractSignature(outsider.address, '0x1234') }],
        }),
    ],
    ['former owners', () => claimed(paid, both), { owners: [account.address, otherOwner] }],
    ['a nonce that is not used', () => claimed(paid, both), { nonce: 3n }],
    ['another Safe', () => claimed(paid, both, { signedIn: { ...place, safeAddress: otherOwner } })],
    ['another chain', () => claimed(paid, both, { signedIn: { ...place, chainId: 10 } })],
    [
      'other fields than were signed',
      async () => ({ ...(await claimed(paid, both)), safeTx: txOf(payment(otherOwner)) }),
    ],
    [
      'a hash of other fields',
      async () => {
        const { signatures } = await claimed(paid, both)
        return { ...(await claimed(txOf(payment(otherOwner)), [])), signatures }
      },
    ],
    ['no signatures', () => claimed(paid, [])],
    [
      'bytes that are no signatures',
      async () => ({ ...(await claimed(paid, both)), signatures: `0x${'ab'.repeat(130)}` }),
    ],
    [
      'thousands of signatures',
      async () => {
        const { signatures, ...rest } = await claimed(paid, [account])
        return { ...rest, signatures: `0x${signatures.slice(2).repeat(2_000)}` }
      },
    ],
  ])('is not proved by %s', async (_, make, change) => expect(await isProved(await make(), change)).toBe(false))
})
