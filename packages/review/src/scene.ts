import {
  deploymentAt,
  hashSafeTx,
  isSameAddress,
  type MessageTypedData,
  newSafeTx,
  officialDeployment,
  proxies,
  type SafeState,
  type SafeTx,
} from '@countersign/safe'
import { type Address, keccak256, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { netted, observeEffects } from './effects/observed-effects.ts'
import { changedSafeSlots } from './effects/safe-slots.ts'
import { reviewConfiguration } from './findings/safe/configuration.ts'
import { leastReceived } from './findings/simulation/received.ts'
import { callReceiving, simulated } from './findings/simulation/runs.ts'
import type { ReviewInput } from './input.ts'
import { knownToRun } from './kinds/transaction.ts'
import { codeTargets, counterpartiesOf, describeTransaction } from './targets.ts'
import type { Review } from './types.ts'

// People and a Safe 1.4.1 with two owners, shared by the tests of the review.

export const account = privateKeyToAccount(`0x${'01'.repeat(32)}`)
export const outsider = privateKeyToAccount(`0x${'02'.repeat(32)}`)
export const safeAddress: Address = '0x2222222222222222222222222222222222222222'
export const stranger: Address = '0x1234567890123456789012345678901234567890'
export const otherOwner: Address = '0x3333333333333333333333333333333333333333'
export const token: Address = '0x4444444444444444444444444444444444444444'

const singleton = officialDeployment('singleton', '1.4.1')
if (!singleton?.codeHash) throw new Error('The table has no Safe 1.4.1.')

export const state: SafeState = {
  chainId: 1,
  address: safeAddress,
  blockNumber: 1n,
  owners: [account.address, otherOwner],
  threshold: 2,
  nonce: 5n,
  proxyCodeHash: proxies['1.4.1'].codeHash,
  isOfficialProxy: true,
  singleton: singleton.address,
  singletonCodeHash: singleton.codeHash,
  version: '1.4.1',
  reportedVersion: '1.4.1',
  modules: [],
  guard: null,
  moduleGuard: null,
  fallbackHandler: null,
  balance: 9_250_000_000_000_000_000n,
}

/** The code of every address that the review asks for: the released one, or some code. */
export function codesOf(safe: Address, safeTx: SafeTx): ReviewInput['codes'] {
  return Object.fromEntries(
    codeTargets({ safeAddress: safe, safeTx }).map((address) => [
      address.toLowerCase(),
      { codeHash: deploymentAt(address)?.codeHash ?? keccak256('0x6001'), size: 2 },
    ]),
  )
}

/** Everything that a review needs of a transaction with these fields. */
export function inputOf(fields: Partial<SafeTx>, change: Partial<ReviewInput> = {}): ReviewInput {
  const safeTx = newSafeTx({ to: stranger, nonce: 5n, ...fields })
  const version = change.state?.version ?? '1.4.1'
  const { safeTxHash } = hashSafeTx({ chainId: 1, safeAddress, version, safeTx })
  const input: ReviewInput = {
    kind: 'transaction',
    chainId: 1,
    safeAddress,
    safeTx,
    claimedHash: safeTxHash,
    chainSafeTxHash: safeTxHash,
    state,
    codes: codesOf(safeAddress, safeTx),
    // Everything that it pays or calls is familiar, unless a test is about that.
    provedPayees: counterpartiesOf(describeTransaction({ safeAddress, safeTx, abis: change.abis })),
    confirmations: [],
    others: [],
    account: account.address,
    origin: null,
    tokens: [{ address: token, symbol: 'TUSD', decimals: 6 }],
    balances: { [token]: 50_000_000_000n },
    nodeChainId: 1,
    ...change,
  }
  return 'simulation' in change ? input : { ...input, simulation: runAsTold(input) }
}

/** A run that does what the calls say, and nothing else; undefined where nobody can tell what they say. */
export function runAsTold(input: ReviewInput): ReviewInput['simulation'] {
  if (input.state === null) return undefined
  const call = describeTransaction(input)
  const { before, after } = reviewConfiguration(call, knownToRun(call, input), input)
  if (before === null || after === null) return undefined
  const { nonce } = input.safeTx
  const observed = observeEffects({ call, configuration: null }, input)
  const account = input.safeAddress
  const received = leastReceived(call, account).map(({ token, least }) => {
    return { account, token, tokenId: null, isOut: false, amount: least }
  })
  const moved = [
    ...observed.assets.filter((one) => one.tokenId === null && isSameAddress(one.account, account)),
    ...received,
  ]
  const fields = {
    call: callReceiving(
      account,
      moved.map(({ token, isOut, amount }) => ({ token, amount: isOut ? -amount : amount })),
    ),
    slots: changedSafeSlots(input.safeAddress, { before, after, nonce }),
    approvals: observed.approvals.map(({ amount, ...approval }) => {
      return { ...approval, standard: 'erc20', before: amount === 0n ? 1n : 0n, after: amount } as const
    }),
    balances: netted([...observed.assets, ...received]).map(({ isOut, amount, ...asset }) => {
      const held = amount * 1_000n
      const standard = asset.token === zeroAddress ? 'native' : asset.tokenId === null ? 'erc20' : 'erc721'
      return { ...asset, standard, before: held, after: isOut ? held - amount : held + amount } as const
    }),
  }
  return simulated(fields, { status: 'unasked', reason: 'nobody asked the node' })
}

/** The ids of what was found. */
export function ids(review: Review): string[] {
  return review.findings.map(({ id }) => id)
}

/**
 * Builds typed data from a type as contracts hash it: `A(B b,uint256 c)B(address d)`. The first type is the primary one.
 *
 * @example
 * typedDataOf('Permit(address spender)', { spender }, { verifyingContract: token })
 */
export function typedDataOf(
  encoded: string,
  message: Record<string, unknown>,
  domain: Record<string, unknown> = { chainId: 1, verifyingContract: token },
): MessageTypedData {
  const structs = [...encoded.matchAll(/([^()]+)\(([^()]*)\)/g)].map(([, name = '', fields = '']) => {
    const declared = fields.split(',').map((field) => {
      const [type = '', of = ''] = field.split(' ')
      return { name: of, type }
    })
    return [name, declared] as const
  })
  return { domain, types: Object.fromEntries(structs), primaryType: structs[0]?.[0] ?? '', message }
}
