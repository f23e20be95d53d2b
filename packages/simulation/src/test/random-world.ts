import {
  canonicalContract,
  demoAccounts,
  deployMeddler,
  deployOldSafe,
  deploySafe,
  type OldSafeVersion,
  type SafeVersion,
  testContractAbi,
  testContracts,
} from '@countersign/devnet'
import type { SafeTxRun } from '@countersign/review'
import { encodeApprovedHash, encodeSignatures, hashSafeTx, newSafeTx, type SafeTx, safeAbi } from '@countersign/safe'
import { type BatchedCall, encodeExecTransaction, encodeMultiSend } from '@countersign/safe/calls'
import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  keccak256,
  numberToHex,
  pad,
  parseAbi,
  zeroAddress,
} from 'viem'
import { sign } from 'viem/accounts'
import { approvalSlot } from '../safe-slots.ts'
import type { TestNode } from './chain.ts'

export const releases = ['1.0.0', '1.1.1', '1.2.0', '1.3.0', '1.4.1', '1.5.0'] as const
type Release = (typeof releases)[number]

const chainId = 31337
const owners = [demoAccounts[0], demoAccounts[1], demoAccounts[2]] as const
const meddlerAbi = testContractAbi('Meddler')
const tokenAbi = parseAbi([
  'function mint(address to, uint256 value)',
  'function transfer(address to, uint256 value)',
  'function transferFrom(address from, address to, uint256 value)',
  'function approve(address spender, uint256 value)',
])
const itemAbi = parseAbi([
  'function mint(address to, uint256 tokenId)',
  'function transferFrom(address from, address to, uint256 tokenId)',
  'function setApprovalForAll(address operator, bool approved)',
])
const kindAbi = parseAbi([
  'function mint(address to, uint256 id, uint256 value)',
  'function safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes data)',
])

/** Where a random transaction comes from: a Safe of one release, with all it may have around it. */
export type World = {
  release: Release
  safeAddress: Address
  /** A Safe whose only owner is the Safe. */
  child: Address
  meddler: Address
  nonce: bigint
}

const word = (value: Hex) => pad(value, { size: 32 })
const moduleSlot = (module: Address) =>
  keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [module, 1n]))
const GUARD_SLOT = '0x4a204f620c8c5ccdca3fd54d003badd85ba500436a431f0cbda4f558c93c34c8'
const ONE: Address = '0x0000000000000000000000000000000000000001'

/** Builds a Safe with coin, tokens, items, a module, a Safe of its own and, on demand, a guard. */
export async function buildWorld(node: TestNode, rpcUrl: string, release: Release, isGuarded: boolean): Promise<World> {
  const meddler = await deployMeddler(rpcUrl, demoAccounts[9].address)
  const saltNonce = isGuarded ? 901n : 902n
  const deploy = (safeOwners: Address[], threshold: number, salt: bigint) => {
    const safe = { rpcUrl, chainId, owners: safeOwners, threshold, saltNonce: salt }
    return release < '1.3.0'
      ? deployOldSafe({ ...safe, version: release as OldSafeVersion })
      : deploySafe({ ...safe, version: release as SafeVersion, l2: isGuarded })
  }
  const safeAddress = await deploy(
    owners.map(({ address }) => address),
    2,
    saltNonce,
  )
  const child = await deploy([safeAddress], 1, saltNonce + 10n)
  const set = (account: Address, slot: Hex, value: Hex) =>
    node.request({ method: 'anvil_setStorageAt', params: [account, slot, word(value)] })
  for (const account of [safeAddress, child, meddler])
    await node.request({ method: 'anvil_setBalance', params: [account, numberToHex(10n ** 18n)] })
  await set(safeAddress, moduleSlot(ONE), meddler)
  await set(safeAddress, moduleSlot(meddler), ONE)
  if (isGuarded && release >= '1.3.0') await set(safeAddress, GUARD_SLOT, meddler)
  const { erc20, erc721, erc1155 } = testContracts
  const sender = demoAccounts[9].address
  const mint = (to: Address, data: Hex) => sendAndWait(node, { from: sender, to, data })
  await mint(erc20.address, encodeFunctionData({ abi: tokenAbi, functionName: 'mint', args: [safeAddress, 10n ** 9n] }))
  await mint(
    erc1155.address,
    encodeFunctionData({ abi: kindAbi, functionName: 'mint', args: [demoAccounts[4].address, 3n, 100n] }),
  )
  const tokenId = BigInt(keccak256(safeAddress)) % 1_000_000n
  await mint(erc721.address, encodeFunctionData({ abi: itemAbi, functionName: 'mint', args: [safeAddress, tokenId] }))
  return { release, safeAddress, child, meddler, nonce: 0n }
}

/** Sends from an unlocked account. */
export async function sendAndWait(
  node: TestNode,
  transaction: { from: Address; to: Address; data: Hex; gas?: Hex; gasPrice?: Hex },
): Promise<Hex> {
  const gas = transaction.gas ?? numberToHex(10_000_000n)
  const hash = (await node.request({ method: 'eth_sendTransaction', params: [{ ...transaction, gas }] })) as Hex
  for (let tries = 0; ; tries += 1) {
    const receipt = await node.request({ method: 'eth_getTransactionReceipt', params: [hash] })
    if (receipt !== null) return hash
    if (tries > 50) await node.request({ method: 'evm_mine' })
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

export type Pick = (bound: number) => number

/** A transaction of the Safe, of any kind, with somebody to send it. */
export async function randomRun(world: World, pick: Pick): Promise<SafeTxRun> {
  const { release: version, safeAddress } = world
  const call = randomCall(world, pick, 0)
  const hasRefund = pick(4) === 0
  const safeTx: SafeTx = {
    ...newSafeTx({ ...call, nonce: world.nonce }),
    ...(hasRefund
      ? {
          gasPrice: pick(2) === 0 ? 2_000_000_000n : 1n,
          gasToken: pick(2) === 0 ? zeroAddress : testContracts.erc20.address,
          refundReceiver: pick(2) === 0 ? zeroAddress : randomAddress(pick),
          baseGas: BigInt(pick(60_000)),
        }
      : {}),
    safeTxGas: pick(3) === 0 ? BigInt(pick(300_000)) : 0n,
  }
  const { safeTxHash } = hashSafeTx({ chainId, safeAddress, version, safeTx })
  const isSigned = pick(2) === 0
  const confirmations = isSigned
    ? await Promise.all(
        owners.slice(0, 2).map(async ({ address: owner, privateKey }) => ({
          owner,
          signature: await sign({ hash: safeTxHash, privateKey, to: 'hex' }),
        })),
      )
    : []
  const executor = demoAccounts[pick(demoAccounts.length)]?.address ?? demoAccounts[0].address
  return {
    kind: 'safe-transaction',
    safeAddress,
    version,
    safeTx,
    confirmations,
    executor,
    owners: owners.map(({ address }) => address),
    threshold: 2,
    gasPrice: 3_000_000_000n + BigInt(pick(1_000_000_000)),
    gas: 10_000_000n,
  }
}

/** Puts the approvals on the chain that the run assumes. */
export async function approveOnChain(node: TestNode, run: SafeTxRun, approvedBy: readonly Address[]): Promise<void> {
  const { safeTxHash } = hashSafeTx({ chainId, ...run })
  for (const owner of approvedBy) {
    const slot = approvalSlot(owner, safeTxHash)
    await node.request({ method: 'anvil_setStorageAt', params: [run.safeAddress, slot, word('0x01')] })
  }
}

const libraries = (['1.3.0', '1.4.1', '1.5.0'] as const).map((version) => ({
  multiSend: canonicalContract(version, 'multi_send').address,
  callOnly: canonicalContract(version, 'multi_send_call_only').address,
}))

function randomCall(world: World, pick: Pick, depth: number): BatchedCall {
  if (depth < 2 && pick(4) === 0) {
    const library = libraries[pick(libraries.length)] ?? { multiSend: zeroAddress, callOnly: zeroAddress }
    const isCallOnly = pick(2) === 0
    const calls = Array.from({ length: 1 + pick(6) }, () => {
      const call = randomCall(world, pick, depth + 1)
      return isCallOnly ? { ...call, operation: 0 as const } : call
    })
    const data = encodeMultiSend(calls)
    return { to: isCallOnly ? library.callOnly : library.multiSend, value: 0n, data, operation: 1 }
  }
  const kinds = [coin, coin, token, token, item, settings, settings, meddle, meddle, meddle, nested, delegate, command]
  const kind = kinds[pick(kinds.length)] ?? coin
  return kind(world, pick, depth)
}

function coin(_: World, pick: Pick): BatchedCall {
  const data = pick(4) === 0 ? '0x12345678' : '0x'
  return { to: randomAddress(pick), value: BigInt(pick(5) === 0 ? 666 : pick(10_000)), data, operation: 0 }
}

function token({ safeAddress }: World, pick: Pick): BatchedCall {
  const amount = pick(6) === 0 ? 10n ** 12n : BigInt(pick(1_000))
  const call = { abi: tokenAbi }
  const datas = [
    () => encodeFunctionData({ ...call, functionName: 'transfer', args: [randomAddress(pick), amount] }),
    () => encodeFunctionData({ ...call, functionName: 'approve', args: [randomAddress(pick), amount] }),
    () =>
      encodeFunctionData({ ...call, functionName: 'transferFrom', args: [safeAddress, randomAddress(pick), amount] }),
    () => encodeFunctionData({ ...call, functionName: 'mint', args: [safeAddress, amount] }),
  ]
  return { to: testContracts.erc20.address, value: 0n, data: datas[pick(datas.length)]?.() ?? '0x', operation: 0 }
}

function item({ safeAddress }: World, pick: Pick): BatchedCall {
  const tokenId = BigInt(keccak256(safeAddress)) % 1_000_000n
  const to = testContracts.erc721.address
  const datas = [
    encodeFunctionData({
      abi: itemAbi,
      functionName: 'transferFrom',
      args: [safeAddress, randomAddress(pick), tokenId],
    }),
    encodeFunctionData({ abi: itemAbi, functionName: 'setApprovalForAll', args: [randomAddress(pick), pick(2) === 0] }),
    encodeFunctionData({
      abi: itemAbi,
      functionName: 'mint',
      args: [randomAddress(pick), tokenId + 1n + BigInt(pick(9))],
    }),
  ]
  return { to, value: 0n, data: datas[pick(datas.length)] ?? '0x', operation: 0 }
}

function settings({ safeAddress, meddler }: World, pick: Pick): BatchedCall {
  const [first, second] = [owners[0].address, owners[1].address]
  const call = { abi: safeAbi }
  const datas = [
    () =>
      encodeFunctionData({
        ...call,
        functionName: 'addOwnerWithThreshold',
        args: [randomAddress(pick), BigInt(1 + pick(4))],
      }),
    () => encodeFunctionData({ ...call, functionName: 'removeOwner', args: [first, second, BigInt(1 + pick(2))] }),
    () => encodeFunctionData({ ...call, functionName: 'swapOwner', args: [ONE, first, randomAddress(pick)] }),
    () => encodeFunctionData({ ...call, functionName: 'changeThreshold', args: [BigInt(pick(5))] }),
    () => encodeFunctionData({ ...call, functionName: 'enableModule', args: [randomAddress(pick)] }),
    () => encodeFunctionData({ ...call, functionName: 'disableModule', args: [ONE, meddler] }),
    () => encodeFunctionData({ ...call, functionName: 'setGuard', args: [pick(2) === 0 ? zeroAddress : meddler] }),
    () => encodeFunctionData({ ...call, functionName: 'setFallbackHandler', args: [randomAddress(pick)] }),
  ]
  return { to: safeAddress, value: 0n, data: datas[pick(datas.length)]?.() ?? '0x', operation: 0 }
}

function meddlerData({ safeAddress, meddler }: World, pick: Pick): Hex {
  const slot = pick(3) === 0 ? BigInt(1 + pick(9)) : BigInt(pick(1_000)) + 10n ** 30n
  const some = BigInt(pick(3))
  // PUSH1 42 PUSH0 SSTORE, then a contract of one byte; or a creation that reverts.
  const code: Hex = pick(4) === 0 ? '0x5f5ffd' : '0x602a5f5560015ff3'
  const args: [string, unknown[]][] = [
    ['set', [slot, some]],
    ['setAndRestore', [slot, BigInt(pick(100))]],
    ['keepBriefly', [slot, BigInt(pick(100))]],
    ['observe', [safeAddress, randomAddress(pick)]],
    ['trap', [BigInt(pick(10_000_000)), slot, 7n]],
    ['fail', [BigInt(pick(7))]],
    ['tryToFail', [BigInt(pick(7)), slot]],
    ['make', [code, BigInt(pick(1_000)), pick(2) === 0]],
    ['makeAndDestroy', [randomAddress(pick)]],
    ['pay', [randomAddress(pick), BigInt(pick(1_000))]],
    ['precompiles', [numberToHex(pick(1_000_000), { size: 96 })]],
    ['dive', [BigInt(pick(30))]],
    ['destroy', [randomAddress(pick)]],
    ['readFresh', [BigInt(pick(20))]],
    ['forward', [meddler, encode('set', [slot, 5n]), BigInt(pick(3))]],
  ]
  const [name, values] = args[pick(args.length)] ?? ['fail', [0n]]
  return encode(name, values)
}

function encode(functionName: string, args: unknown[]): Hex {
  return encodeFunctionData({ abi: meddlerAbi, functionName, args })
}

function meddle(world: World, pick: Pick): BatchedCall {
  return { to: world.meddler, value: BigInt(pick(3)), data: meddlerData(world, pick), operation: 0 }
}

function delegate(world: World, pick: Pick): BatchedCall {
  return { to: world.meddler, value: 0n, data: meddlerData(world, pick), operation: 1 }
}

function command(world: World, pick: Pick): BatchedCall {
  const { to, value, data, operation } = randomCall(world, pick, 2)
  const args = [world.safeAddress, to, value, data, operation]
  return { to: world.meddler, value: 0n, data: encode('commandSafe', args), operation: 0 }
}

/** The Safe executes a transaction of the Safe that it owns. */
function nested({ safeAddress, child }: World, pick: Pick): BatchedCall {
  const safeTx = newSafeTx({ to: randomAddress(pick), value: BigInt(pick(100)), nonce: 0n })
  const signatures = encodeSignatures([{ owner: safeAddress, signature: encodeApprovedHash(safeAddress) }])
  return { to: child, value: 0n, data: encodeExecTransaction(safeTx, signatures), operation: 0 }
}

function randomAddress(pick: Pick): Address {
  const known = [
    demoAccounts[3].address,
    demoAccounts[4].address,
    testContracts.erc20.address,
    testContracts.erc1155.address,
  ]
  return known[pick(8)] ?? numberToHex(0x1234567890n * BigInt(1 + pick(100_000)), { size: 20 })
}
