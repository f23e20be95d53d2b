import {
  canonicalContract,
  demoAccounts,
  deployContractAccount,
  deployHostileAccount,
  deployOldSafe,
  hostileManners,
} from '@countersign/devnet'
import { encodeCreateProxy, encodeSignatures, predictSafeAddress } from '@countersign/safe'
import { encodeExecTransaction } from '@countersign/safe/calls'
import {
  type Address,
  concat,
  createTestClient,
  createWalletClient,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  hashMessage,
  http,
  parseAbi,
  publicActions,
  serializeErc6492Signature,
  zeroAddress,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Chain, createChains } from '../rpc/clients.ts'
import { devnet, openChain } from '../test/scene.ts'
import { devnetChain, newSafe, signedTx } from '../test/test-server.ts'
import { verifyAccountSignature } from './verify-signature.ts'

const [alice, bob, carol] = demoAccounts
const payer = demoAccounts[9]
const chainId = 31337
const message = 'safe.example wants you to sign in'
const hash = hashMessage(message)

let chain: Chain

openChain()

beforeAll(async () => {
  chain = chainAt(devnet.rpcUrl)
})

function chainAt(rpcUrl: string, id = chainId): Chain {
  const found = createChains([devnetChain(rpcUrl, id)]).get(id)
  if (!found) throw new Error('unreachable')
  return found
}

async function verdictOf(account: Address, signature: Hex, at = chain): Promise<string> {
  return (await verifyAccountSignature(at, { account, message, signature })).verdict
}

function signed(account: { privateKey: Hex } = alice): Promise<Hex> {
  return privateKeyToAccount(account.privateKey).signMessage({ message })
}

/** Signs the message for owners of a Safe, sorted as the contract wants it. Before 1.3.0 without the chain. */
async function signedForSafe(
  safeAddress: Address,
  owners: readonly { address: Address; privateKey: Hex }[],
  { hasChain = true } = {},
): Promise<Hex> {
  const sorted = [...owners].sort((a, b) => (a.address.toLowerCase() < b.address.toLowerCase() ? -1 : 1))
  return concat(
    await Promise.all(
      sorted.map(({ privateKey }) =>
        privateKeyToAccount(privateKey).signTypedData({
          domain: { ...(hasChain ? { chainId } : {}), verifyingContract: safeAddress },
          types: { SafeMessage: [{ name: 'message', type: 'bytes' }] },
          primaryType: 'SafeMessage',
          message: { message: hash },
        }),
      ),
    ),
  )
}

describe('an account with a key', () => {
  test('default: its own signature, any form of v, with no node at all', async () => {
    const dead = chainAt('http://127.0.0.1:9')
    const signature = await signed()
    expect(await verifyAccountSignature(dead, { account: alice.address, message, signature })).toEqual({
      verdict: 'valid',
      by: 'key',
    })
    const low = `${signature.slice(0, -2)}${signature.endsWith('1b') ? '00' : '01'}` as Hex
    expect(await verdictOf(alice.address, low, dead)).toBe('valid')
  })

  test('behavior: of another key, cut, long, empty or nonsense it is invalid', async () => {
    const signature = await signed()
    for (const wrong of [await signed(bob), '0x', '0x00', signature.slice(0, -4), `${signature}00`] as Hex[])
      expect(await verdictOf(alice.address, wrong)).toBe('invalid')
    for (const bytes of [64, 65, 66, 1_000, 16_384])
      expect(await verdictOf(alice.address, `0x${'ff'.repeat(bytes)}`)).toBe('invalid')
    expect(await verdictOf(alice.address, concat(['0x1234', `0x${'6492'.repeat(16)}`]))).toBe('invalid')
  })

  test('behavior: with code of its own (EIP-7702) both its key and the code may say yes', async () => {
    const node = createTestClient({ mode: 'anvil', transport: http(devnet.rpcUrl) })
    const delegate = await deployContractAccount(devnet.rpcUrl, payer.address, bob.address)
    await node.setCode({ address: carol.address, bytecode: concat(['0xef0100', delegate]) })
    expect(await verdictOf(carol.address, await signed(carol))).toBe('valid')
    expect(await verdictOf(carol.address, await signed(bob))).toBe('valid')
    expect(await verdictOf(carol.address, await signed(alice))).toBe('invalid')
    await node.setCode({ address: carol.address, bytecode: '0x' })
  })
})

describe.each(['1.3.0', '1.4.1', '1.5.0'] as const)('Safe %s, 2 of 3', (version) => {
  test('default: valid with the threshold, invalid below it, unsorted or doubled', async () => {
    const account = await newSafe(devnet.rpcUrl, { version })
    const both = await signedForSafe(account, [alice, bob])
    expect(await verifyAccountSignature(chain, { account, message, signature: both })).toEqual({
      verdict: 'valid',
      by: 'contract',
    })
    expect(await verdictOf(account, await signedForSafe(account, [alice, bob, carol]))).toBe('valid')
    const [one, two] = await Promise.all([signedForSafe(account, [alice]), signedForSafe(account, [bob])])
    for (const wrong of [
      one,
      concat([one, one]),
      both === concat([one, two]) ? concat([two, one]) : concat([one, two]),
    ])
      expect(await verdictOf(account, wrong)).toBe('invalid')
    expect(await verdictOf(account, await signed(alice))).toBe('invalid')
    const other = await newSafe(devnet.rpcUrl, { version })
    expect(await verdictOf(other, both)).toBe('invalid')
  })

  test('behavior: an empty signature is valid once the message was signed on the chain', async () => {
    const account = await newSafe(devnet.rpcUrl, { version })
    expect(await verdictOf(account, '0x')).toBe('invalid')
    // The library of 1.3.0 is not on the devnet; that of 1.4.1 writes the same slot.
    const library = canonicalContract(version === '1.3.0' ? '1.4.1' : version, 'sign_message_lib').address
    const data = encodeFunctionData({
      abi: parseAbi(['function signMessage(bytes data)']),
      args: [encodeAbiParameters([{ type: 'bytes32' }], [hash])],
    })
    const fields = { to: library, data, operation: 1 as const }
    const [one, two] = await Promise.all([alice, bob].map((owner) => signedTx(account, owner, fields, { version })))
    if (!one || !two) throw new Error('unreachable')
    const signatures = encodeSignatures([
      { owner: alice.address, signature: one.signature },
      { owner: bob.address, signature: two.signature },
    ])
    await send(account, encodeExecTransaction(one.safeTx, signatures))
    expect(await verdictOf(account, '0x')).toBe('valid')
  })

  test('behavior: not deployed yet, wrapped by ERC-6492 with what creates it', async () => {
    const safe = { version, isL2: true, owners: [alice.address, bob.address], threshold: 2, saltNonce: 6_492n }
    const account = predictSafeAddress(safe)
    const { to: factory, data } = encodeCreateProxy(safe)
    const both = await signedForSafe(account, [alice, bob])
    const wrap = (signature: Hex, creation = data) =>
      serializeErc6492Signature({ address: factory, data: creation, signature })
    expect(await verdictOf(account, both)).toBe('invalid')
    expect(await verdictOf(account, wrap(both))).toBe('valid')
    expect(await verdictOf(account, wrap(await signedForSafe(account, [alice])))).toBe('invalid')
    expect(await verdictOf(account, wrap(both, '0x12345678'))).toBe('invalid')
    const another = encodeCreateProxy({ ...safe, owners: [carol.address], threshold: 1 }).data
    expect(await verdictOf(account, wrap(await signedForSafe(account, [carol]), another))).toBe('invalid')
    // Nothing of it reached the chain; and once it is deployed the wrapping changes nothing.
    const reader = createTestClient({ mode: 'anvil', transport: http(devnet.rpcUrl) }).extend(publicActions)
    expect(await reader.getCode({ address: account })).toBeUndefined()
    await send(factory, data)
    expect(await verdictOf(account, wrap(both))).toBe('valid')
    expect(await verdictOf(account, both)).toBe('valid')
  })
})

describe.each(['1.0.0', '1.1.1', '1.2.0'] as const)('Safe %s', (version) => {
  test('default: answers the draft of ERC-1271 with bytes', async () => {
    const owners = [alice.address, bob.address]
    const account = await deployOldSafe({ rpcUrl: devnet.rpcUrl, version, owners, threshold: 2, saltNonce: 1n })
    const forSafe = (signers: (typeof demoAccounts)[number][]) => signedForSafe(account, signers, { hasChain: false })
    expect(await verdictOf(account, await forSafe([alice, bob]))).toBe('valid')
    for (const wrong of [await forSafe([alice]), await forSafe([alice, carol]), '0x' as const])
      expect(await verdictOf(account, wrong)).toBe('invalid')
  })
})

describe('hostile contracts', () => {
  test.each(hostileManners)('behavior: one that %s is invalid', async (manner) => {
    const account = await deployHostileAccount(devnet.rpcUrl, payer.address, manner)
    for (const signature of ['0x', await signed(), `0x${'ab'.repeat(16_000)}`] as Hex[])
      expect(await verdictOf(account, signature)).toBe('invalid')
  })

  test('behavior: as a factory they change nothing', async () => {
    const account = demoAccounts[7].address
    for (const manner of hostileManners) {
      const factory = await deployHostileAccount(devnet.rpcUrl, payer.address, manner)
      const signature = serializeErc6492Signature({ address: factory, data: '0x1234', signature: await signed() })
      expect(await verdictOf(account, signature)).toBe('invalid')
    }
  })

  test('behavior: an account that is there is asked as it stands, without the call that the signature brings', async () => {
    const account = await deployHostileAccount(devnet.rpcUrl, payer.address, 'answers the magic once it was opened')
    const open = encodeFunctionData({ abi: parseAbi(['function open()']) })
    expect(
      await verdictOf(account, serializeErc6492Signature({ address: account, data: open, signature: '0x1234' })),
    ).toBe('invalid')
    await send(account, open)
    expect(await verdictOf(account, '0x1234')).toBe('valid')
  })

  test('behavior: the zero address, a precompile and a token are nobody', async () => {
    for (const account of [zeroAddress, '0x0000000000000000000000000000000000000004', devnet.tokens.erc20] as const)
      expect(await verdictOf(account, await signed())).toBe('invalid')
  })
})

describe('a node', () => {
  test('behavior: away, on another chain, or with other words it makes no signature invalid', async () => {
    const account = await newSafe(devnet.rpcUrl)
    const both = await signedForSafe(account, [alice, bob])
    for (const at of [chainAt('http://127.0.0.1:9'), chainAt(devnet.rpcUrl, 99_902)])
      for (const signature of [both, '0x'] as const) expect(await verdictOf(account, signature, at)).toBe('unavailable')
    for (const answer of ['0x', '0x01', null, {}, `0x${'00'.repeat(63)}`, `0x${'ff'.repeat(64)}`])
      expect(await verdictOf(account, both, { ...chain, ask: async () => answer })).toBe('unavailable')
  })

  test('behavior: with too many questions open, the next one waits for its turn', async () => {
    let release = () => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const slow: Chain = { ...chain, ask: (args) => gate.then(() => chain.ask(args)) }
    const account = await newSafe(devnet.rpcUrl)
    const both = await signedForSafe(account, [alice, bob])
    const open = Array.from({ length: 32 }, () => verdictOf(account, both, slow))
    await new Promise((resolve) => setImmediate(resolve))
    let isAnswered = false
    const next = verdictOf(account, both).finally(() => {
      isAnswered = true
    })
    expect(await verdictOf(alice.address, await signed())).toBe('valid')
    expect(isAnswered).toBe(false)
    release()
    expect(new Set(await Promise.all([...open, next]))).toEqual(new Set(['valid']))
  })
})

async function send(to: Address, data: Hex): Promise<void> {
  const wallet = createWalletClient({
    account: privateKeyToAccount(payer.privateKey),
    transport: http(devnet.rpcUrl),
  }).extend(publicActions)
  const transactionHash = await wallet.sendTransaction({ chain: null, to, data, gas: 1_000_000n })
  const { status } = await wallet.waitForTransactionReceipt({ hash: transactionHash, pollingInterval: 20 })
  if (status !== 'success') throw new Error(`${transactionHash} reverted`)
}
