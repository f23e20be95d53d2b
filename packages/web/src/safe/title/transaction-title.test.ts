import { describeTransaction } from '@countersign/review'
import { newSafeTx, officialDeployment, type SafeTx, safeAbi } from '@countersign/safe'
import { encodeMultiSend, parseGivenAbi } from '@countersign/safe/calls'
import { encodeFunctionData, erc20Abi, maxUint256, parseAbi, zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import type { Names } from '../names/names.ts'
import { transactionTitle } from './transaction-title.ts'

const safeAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const token = '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512'
const owner = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const stranger = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const multiSend = '0x9641d764fc13c8B624c04430C7356C1C7C8102e2'
const names: Names = {
  safeAddress,
  owners: [owner],
  account: null,
  team: [],
  chain: {
    chainId: 31337,
    name: 'Devnet',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    publicRpcUrl: null,
    nameRegistry: null,
    bringFrom: null,
    listRevision: null,
    explorerUrl: null,
    isDevnet: true,
    index: 'whole-chain',
    status: 'ok',
    proof: { sources: 1, wallet: false, maxBlocksBehind: 25 },
    tokens: [{ address: token, symbol: 'TUSD', name: 'Test Dollar', decimals: 6 }],
  },
}
const title = (fields: Partial<SafeTx> & Pick<SafeTx, 'to'>) =>
  transactionTitle(newSafeTx({ nonce: 4n, ...fields }), names)
const transfer = (amount: bigint, to: `0x${string}` = stranger) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
const approve = (amount: bigint) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [stranger, amount] })
const batch = (...calls: { to: `0x${string}`; value?: bigint; data?: `0x${string}` }[]) =>
  title({
    to: multiSend,
    operation: 1,
    data: encodeMultiSend(calls.map(({ to, value = 0n, data = '0x' }) => ({ operation: 0, to, value, data }))),
  })

describe('transactionTitle', () => {
  test('default: a payment by amount and name, in the past tense once it was executed', () => {
    expect(title({ to: owner, value: 10n ** 18n })).toBe('Send 1 ETH to Owner 1')
    expect(title({ to: token, data: transfer(1_250_000_000n) })).toBe('Send 1,250 TUSD to an unnamed address')
    const paid = newSafeTx({ to: owner, value: 10n ** 18n, nonce: 4n })
    expect(transactionTitle(paid, names, { isExecuted: true })).toBe('Sent 1 ETH to Owner 1')
  })

  test('behavior: an allowance without limit is said in words, whatever the large number', () => {
    const unlimited = 'Let an unnamed address take all TUSD, without limit'
    expect(title({ to: token, data: approve(maxUint256) })).toBe(unlimited)
    expect(title({ to: token, data: approve(2n ** 255n - 1n) })).toBe(unlimited)
    expect(title({ to: token, data: approve(5_000_000n) })).toBe('Let an unnamed address take 5 TUSD')
    expect(title({ to: token, data: approve(0n) })).toBe('Take back what an unnamed address may take of TUSD')
    // The contract may be a collection, of which this gives item 0 away.
    expect(title({ to: stranger, data: approve(0n) })).toBe(
      'Change what an unnamed address may take of an unlisted token',
    )
  })

  test('behavior: payments are added up by asset, and a single recipient is named', () => {
    const pay = (amount: bigint, to?: `0x${string}`) => ({ to: token, data: transfer(amount, to) }) as const
    expect(batch(pay(1_000_000n), pay(2_000_000n, owner))).toBe('Send 3 TUSD to 2 recipients')
    expect(batch(pay(1_000_000n, owner), pay(2_000_000n, owner))).toBe('Send 3 TUSD to Owner 1')
    expect(batch(pay(2_300_000_000n), { to: owner, value: 10n ** 18n })).toBe('Send 2,300 TUSD + 1 ETH to 2 recipients')
    expect(title({ to: token, data: transfer(1_000_000n), value: 5n * 10n ** 18n })).toBe(
      'Send 1 TUSD to an unnamed address, with 5 ETH',
    )
  })

  test('behavior: nothing else in a batch hides behind its first call', () => {
    expect(batch({ to: stranger, value: 1n }, { to: token, data: approve(maxUint256) })).toBe(
      'Batch: Send 0.000000000000000001 ETH to an unnamed address; Let an unnamed address take all TUSD, without limit',
    )
    // An amount that goes along with a token's call is another asset.
    expect(batch({ to: token, data: transfer(1n) }, { to: token, data: transfer(1n), value: 5n })).toBe(
      'Batch: Send 0.000001 TUSD to an unnamed address; Send 0.000001 TUSD to an unnamed address, with 0.000000000000000005 ETH',
    )
    expect(batch({ to: token, data: approve(maxUint256) })).toBe('Let an unnamed address take all TUSD, without limit')
    const payments = [1n, 2n, 3n].map((amount) => ({ to: token, data: transfer(amount * 1_000_000n) }) as const)
    expect(batch(...payments, { to: token, data: approve(maxUint256) })).toBe(
      'Run a batch of 4 calls, with payments of 6 TUSD',
    )
    const changes = Array.from({ length: 4 }, () => ({ to: token, data: approve(maxUint256) }) as const)
    expect(batch(...changes)).toBe('Run a batch of 4 calls')
    expect(batch()).toBe('Run a batch of 0 calls')
    // A batch in a batch is not told as if its calls stood in the outer one.
    const inner = { to: multiSend, data: encodeMultiSend([]), operation: 1 } as const
    const within = encodeMultiSend([
      {
        ...inner,
        data: encodeMultiSend(payments.map((call) => ({ ...call, value: 0n, operation: 0 }) as const)),
        value: 0n,
      },
      { to: owner, value: 1n, data: '0x', operation: 0 },
    ])
    expect(title({ to: multiSend, operation: 1, data: within })).toMatch(/^Run a batch of 2 calls/)
  })

  test('behavior: a refund is part of the effect, and what pays one is no cancellation', () => {
    const refund = { gasPrice: 10n ** 13n, refundReceiver: stranger } as const
    expect(title({ to: safeAddress, ...refund })).toBe(
      'Call This Safe without an amount or data; an unnamed address is paid for executing',
    )
    expect(title({ to: owner, value: 10n ** 18n, ...refund, refundReceiver: owner })).toBe(
      'Send 1 ETH to Owner 1; Owner 1 is paid for executing',
    )
    expect(title({ to: safeAddress, gasPrice: 10n, gasToken: token })).toMatch(
      /; whoever executes is paid for executing$/,
    )
  })

  test('behavior: the Safe itself, foreign code, and bytes that nobody reads', () => {
    const settings = (functionName: 'changeThreshold', args: [bigint]) =>
      title({ to: safeAddress, data: encodeFunctionData({ abi: safeAbi, functionName, args }) })
    expect(settings('changeThreshold', [1n])).toBe('Change the threshold to 1')
    expect(title({ to: safeAddress })).toBe('Cancel nonce 4: an empty call to the Safe itself')
    expect(title({ to: stranger, operation: 1, data: transfer(1n) })).toBe('Run another contract’s code as the Safe')
    const signing = encodeFunctionData({ abi: parseAbi(['function signMessage(bytes data)']), args: ['0x1234'] })
    const library = officialDeployment('sign-message-lib', '1.4.1')?.address ?? stranger
    expect(title({ to: library, operation: 1, data: signing })).toBe('Sign a message on the chain, for good')
    // Another contract may call anything so.
    expect(title({ to: stranger, operation: 1, data: signing })).toBe('Run another contract’s code as the Safe')
    expect(title({ to: stranger, data: '0x12345678' })).toBe('Call function 0x12345678 of an unnamed address')
    expect(title({ to: stranger, data: '0x123456' })).toBe('Call an unnamed address with data that nobody has read')
  })

  test('behavior: a function that an ABI reads has its name, once a review has read it', () => {
    const abi = parseAbi(['function harvest(address to)'])
    const data = encodeFunctionData({ abi, args: [owner] })
    const safeTx = newSafeTx({ to: stranger, data, nonce: 4n })
    const call = describeTransaction({
      safeTx,
      safeAddress,
      abis: [{ address: stranger, functions: parseGivenAbi(abi) }],
    })
    expect(transactionTitle(safeTx, names)).toBe('Call function 0x0e5c011e of an unnamed address')
    expect(transactionTitle(safeTx, names, { call })).toBe('Call harvest of an unnamed address')
  })

  const item = (to: `0x${string}`, tokenId: bigint) =>
    ({
      to,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'transferFrom', args: [safeAddress, owner, tokenId] }),
    }) as const
  const given = (to: `0x${string}`, tokenId: bigint, spender: `0x${string}` = owner) =>
    ({ to, data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, tokenId] }) }) as const
  const nft = [{ key: 'nft-transfer', values: { target: stranger }, path: [] }] as const
  const units = [{ key: 'erc20-transfer-from', values: { target: stranger }, path: [] }] as const
  const either = (id: number) => `NFT #${id} or ${id} base units of an unlisted token`
  test.each([
    ['an item, as its review found', item(stranger, 77n), { effects: nft }, 'Send NFT #77 from This Safe to Owner 1'],
    ['item 0', item(stranger, 0n), { effects: nft }, 'Send NFT #0 from This Safe to Owner 1'],
    [
      'a number without groups',
      item(stranger, 1_250_000n),
      { effects: nft },
      'Send NFT #1250000 from This Safe to Owner 1',
    ],
    [
      'what its review could not ask',
      item(stranger, 77n),
      { effects: units },
      `Send ${either(77)} from This Safe to Owner 1`,
    ],
    ['without a review', item(stranger, 77n), {}, `Send ${either(77)} from This Safe to Owner 1`],
    ['a listed token', item(token, 77_000_000n), {}, 'Send 77 TUSD from This Safe to Owner 1'],
    [
      'another collection',
      item(stranger, 77n),
      { collections: [token] },
      `Send ${either(77)} from This Safe to Owner 1`,
    ],
    [
      'moved, by the history',
      item(stranger, 77n),
      { collections: [stranger], isExecuted: true },
      'Sent NFT #77 from This Safe to Owner 1',
    ],
    [
      'the right to an item',
      given(stranger, 77n),
      { effects: [{ ...nft[0], key: 'nft-approve' }] },
      'Let Owner 1 take NFT #77',
    ],
    ['the right to item 0', given(stranger, 0n), { collections: [stranger] }, 'Let Owner 1 take NFT #0'],
    [
      'nobody takes an item',
      given(stranger, 77n, zeroAddress),
      { collections: [stranger] },
      /^Change what .* may take of an unlisted token$/,
    ],
    ['a right that may be either', given(stranger, 77n), {}, `Let Owner 1 take ${either(77)}`],
  ] as const)('behavior: the number of an item is no amount: %s', (_, call, reading, expected) => {
    const said = transactionTitle(newSafeTx({ nonce: 4n, ...call }), names, reading)
    if (typeof expected === 'string') expect(said).toBe(expected)
    else expect(said).toMatch(expected)
  })

  test('behavior: NFTs in a batch are not added up', () => {
    expect(batch(item(stranger, 77n), item(stranger, 78n))).toBe('Run a batch of 2 calls')
  })
})
