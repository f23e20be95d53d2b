import {
  type CountingSafe,
  contractQuestion,
  decodeContractAnswer,
  encodeApprovedHash,
  encodeContractQuestion,
  encodeContractSignature,
  encodeExecTransaction,
  encodeSafeTxPreimage,
  encodeSignatures,
  findAliveMessages,
  findAliveTransactions,
  type GivenSignature,
  hashSafeMessage,
  hashSafeTx,
  isCompletedBy,
  isVersionBefore,
  nestedContentForSafeMessage,
  nestedContentForSafeTx,
  newSafeTx,
  readSafeState,
  type SafeState,
  type SafeTxContext,
  safeAbi,
  verifyGiven,
} from '@countersign/safe-core'
import fc from 'fast-check'
import {
  type Address,
  concatHex,
  encodeFunctionData,
  type Hex,
  hashMessage,
  numberToHex,
  pad,
  parseAbi,
  slice,
} from 'viem'
import { sign } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runs } from '../../../scripts/random-tests.mjs'
import { demoAccounts } from './accounts.ts'
import { anyHistory, type Event, type History, NESTED } from './alive-histories.ts'
import { requestNode, sendAll } from './node-client.ts'
import { type Devnet, startDevnet } from './start.ts'
import { type AnyVersion, type ChainCall, callAll, deployAnySafe } from './test-safes.ts'

// The Safe itself is asked, about every set of signatures that there can be.

const versions = ['1.0.0', '1.1.1', '1.2.0', '1.3.0', '1.4.1', '1.5.0'] as const satisfies AnyVersion[]
const keys = [demoAccounts[3], demoAccounts[4], demoAccounts[5], demoAccounts[6]] as const
const inner = demoAccounts[7]
const outsider = demoAccounts[8].address
const NONCE_SLOT = pad('0x05')
const SENTINEL: Address = '0x0000000000000000000000000000000000000001'
const content = { encoding: 'EIP191_TEXT', text: 'We, the owners, agree.' } as const

let devnet: Devnet
let accounts: Address[]
let saltNonce = 4_100n
beforeAll(async () => {
  devnet = await startDevnet({ port: 0 })
  const { rpcUrl, chainId } = devnet
  const nested = { rpcUrl, chainId, version: '1.4.1', owners: [inner.address], threshold: 1, saltNonce: 41n } as const
  accounts = [...keys.map(({ address }) => address), await deployAnySafe(nested)]
  await requestNode(rpcUrl, 'anvil_autoImpersonateAccount', true)
  await requestNode(rpcUrl, 'anvil_setBalance', at(accounts, NESTED), numberToHex(10n ** 18n))
})
afterAll(() => devnet?.close())

type Known = { owner: Address; signature: Hex }

type World = {
  version: AnyVersion
  safeAddress: Address
  transactions: (SafeTxContext & { hash: Hex; known: Known[] })[]
  message: { hash: Hex; known: Known[] }
}

function at<item>(list: readonly item[], index: number): item {
  const found = list[index]
  if (found === undefined) throw new Error(`There is no ${index}.`)
  return found
}

/** Signs a hash with a key, or as the nested Safe. */
async function signAs(account: number, hash: Hex, nestedContent: { encoding: 'RAW'; bytes: Hex }, isEthSign = false) {
  const { chainId } = devnet
  if (account === NESTED) {
    const owner = at(accounts, NESTED)
    const nested = { chainId, safeAddress: owner, version: '1.4.1', content: nestedContent }
    const { safeMessageHash } = hashSafeMessage(nested)
    return encodeContractSignature(
      owner,
      await sign({ hash: safeMessageHash, privateKey: inner.privateKey, to: 'hex' }),
    )
  }
  const { privateKey } = at(keys, account)
  const signature = await sign({ hash: isEthSign ? hashMessage({ raw: hash }) : hash, privateKey, to: 'hex' })
  if (!isEthSign) return signature
  return concatHex([slice(signature, 0, 64), numberToHex(Number(slice(signature, 64)) + 4, { size: 1 })])
}

function rawContent(found: ReturnType<typeof nestedContentForSafeTx>): { encoding: 'RAW'; bytes: Hex } {
  if (found.encoding !== 'RAW') throw new Error('A nested Safe is asked about bytes.')
  return found
}

function signTransaction(world: World, account: number, index: number, isEthSign = false): Promise<Hex> {
  const transaction = at(world.transactions, index)
  return signAs(account, transaction.hash, rawContent(nestedContentForSafeTx(transaction)), isEthSign)
}

function signMessage({ version, safeAddress, message }: World, account: number): Promise<Hex> {
  const parent = { chainId: devnet.chainId, safeAddress, version, content }
  return signAs(account, message.hash, rawContent(nestedContentForSafeMessage(parent, version)))
}

async function createWorld({ owners, threshold, transactions }: History, version: AnyVersion): Promise<World> {
  const { rpcUrl, chainId } = devnet
  saltNonce += 1n
  const ownersNow = owners.map((owner) => at(accounts, owner))
  const safeAddress = await deployAnySafe({
    ...{ rpcUrl, chainId, version, saltNonce, owners: ownersNow },
    threshold: Math.min(threshold, owners.length),
  })
  await requestNode(rpcUrl, 'anvil_setBalance', safeAddress, numberToHex(10n ** 18n))
  const listed = transactions.map(({ nonce, content: what, account }, index) => {
    const call = settingsCall(what, at(accounts, account), ownersNow)
    const to = call === '0x' ? outsider : safeAddress
    const value = call === '0x' ? BigInt(index) : 0n
    // With gas of its own a call inside may fail, and what is asked is still whether the signatures are taken.
    const safeTx = newSafeTx({ to, data: call, value, nonce: BigInt(nonce), safeTxGas: 200_000n })
    const context = { chainId, safeAddress, version, safeTx }
    return { ...context, hash: hashSafeTx(context).safeTxHash, known: [] }
  })
  const { safeMessageHash } = hashSafeMessage({ chainId, safeAddress, version, content })
  return { version, safeAddress, transactions: listed, message: { hash: safeMessageHash, known: [] } }
}

function settingsCall(what: string, account: Address, owners: readonly Address[]): Hex {
  if (what === 'add') return callOf('addOwnerWithThreshold', [account, 1n])
  if (what === 'lower') return callOf('changeThreshold', [1n])
  if (what === 'remove') return callOf('removeOwner', [SENTINEL, at(owners, 0), 1n])
  return '0x'
}

function callOf(functionName: 'addOwnerWithThreshold' | 'changeThreshold' | 'removeOwner', args: readonly unknown[]) {
  return encodeFunctionData({ abi: safeAbi, functionName, args } as Parameters<typeof encodeFunctionData>[0])
}

function readState({ safeAddress }: World): Promise<SafeState> {
  const request = ({ method, params = [] }: { method: string; params?: unknown[] }) =>
    requestNode(devnet.rpcUrl, method, ...params)
  return readSafeState(request, safeAddress, devnet.chainId)
}

/** The Safe calls itself, as a module could make it do. */
async function changeOwners(world: World, data: Hex): Promise<void> {
  await sendAll(devnet.rpcUrl, world.safeAddress, [{ to: world.safeAddress, data, gas: 300_000n }])
}

function learn(known: Known[], account: number, signature: Hex): void {
  if (!known.some((entry) => entry.signature === signature)) known.push({ owner: at(accounts, account), signature })
}

/** Approvals, and changes of owners, as far as the Safe lets them happen now. */
async function happenOnChain(world: World, event: Event): Promise<void> {
  const { safeAddress, transactions } = world
  const { owners, threshold, nonce } = await readState(world)
  const index = (account: number) => owners.indexOf(at(accounts, account))
  switch (event.kind) {
    case 'approve': {
      if (index(event.account) < 0) return
      const { hash, known } = at(transactions, event.transaction)
      const data = encodeFunctionData({ abi: safeAbi, functionName: 'approveHash', args: [hash] })
      await sendAll(devnet.rpcUrl, at(accounts, event.account), [{ to: safeAddress, data, gas: 100_000n }])
      return learn(known, event.account, encodeApprovedHash(at(accounts, event.account)))
    }
    case 'add': {
      if (index(event.account) >= 0) return
      const most = BigInt(Math.min(event.threshold, owners.length + 1))
      return changeOwners(world, callOf('addOwnerWithThreshold', [at(accounts, event.account), most]))
    }
    case 'remove': {
      const place = index(event.account)
      if (place < 0 || owners.length === 1) return
      const before = place === 0 ? SENTINEL : at(owners, place - 1)
      const most = BigInt(Math.min(event.threshold, owners.length - 1))
      return changeOwners(world, callOf('removeOwner', [before, at(owners, place), most]))
    }
    case 'threshold': {
      const most = Math.min(event.threshold, owners.length)
      return most === threshold ? undefined : changeOwners(world, callOf('changeThreshold', [BigInt(most)]))
    }
    case 'execute': {
      const { safeTx, known } = at(transactions, event.transaction)
      if (safeTx.nonce !== nonce) return
      const sets = subsetsOf(known).filter((set) => set.length === threshold)
      const calls = sets.map((set) => ({ to: safeAddress, data: encodeExecTransaction(safeTx, encodeSignatures(set)) }))
      const accepted = (await callAll(devnet.rpcUrl, calls)).findIndex(({ isReverted }) => !isReverted)
      if (accepted < 0) return
      const { to, data } = at(calls, accepted)
      await sendAll(devnet.rpcUrl, outsider, [{ to, data, gas: 1_000_000n }])
    }
  }
}

async function happen(history: History, version: AnyVersion): Promise<World> {
  const world = await createWorld(history, version)
  const snapshot = () => requestNode(devnet.rpcUrl, 'evm_snapshot')
  let mark = await snapshot()
  for (const event of history.events) {
    if (event.kind === 'sign') {
      const { known } = at(world.transactions, event.transaction)
      const isEthSign = event.isEthSign && event.account !== NESTED
      learn(known, event.account, await signTransaction(world, event.account, event.transaction, isEthSign))
    } else if (event.kind === 'sign-message') {
      learn(world.message.known, event.account, await signMessage(world, event.account))
    } else if (event.kind === 'mark') mark = await snapshot()
    else if (event.kind === 'reorganise') {
      await requestNode(devnet.rpcUrl, 'evm_revert', mark)
      mark = await snapshot()
    } else await happenOnChain(world, event)
  }
  return world
}

/** Every set of these signatures with one of each account at most. */
function subsetsOf(known: readonly Known[]): Known[][] {
  const sets: Known[][] = [[]]
  for (const entry of known) {
    const without = sets.filter((set) => set.every(({ owner }) => owner !== entry.owner))
    sets.push(...without.map((set) => [...set, entry]))
  }
  return sets
}

const approvals = parseAbi(['function approvedHashes(address, bytes32) view returns (uint256)'])

/** Verifies as the page does: the chain says whether hashes are approved, and contracts answer. */
async function verify(world: World, hash: Hex, preimage: Hex, known: readonly Known[]) {
  const { safeAddress, version } = world
  const [approved, answered] = await Promise.all([
    callAll(
      devnet.rpcUrl,
      accounts.map((owner) => ({
        to: safeAddress,
        data: encodeFunctionData({ abi: approvals, args: [owner, hash] }),
      })),
    ),
    callAll(
      devnet.rpcUrl,
      known
        .filter(({ owner }) => owner === accounts[NESTED])
        .filter(({ signature }) => signature.slice(130, 132) === '00')
        .map(({ owner, signature }) => {
          const question = contractQuestion(version, { owner, hash, preimage, signature: slice(signature, 97) })
          return { from: safeAddress, to: owner, data: encodeContractQuestion(question) }
        }),
    ),
  ])
  const nested = at(accounts, NESTED).toLowerCase()
  const isAccepted = answered.map(
    (answer) => decodeContractAnswer(version, answer.isReverted ? null : answer.data) === 'accepts',
  )[0]
  return verifyGiven(hash, known, {
    version,
    approvedHashes: Object.fromEntries(
      accounts.map((owner, index) => [owner.toLowerCase(), BigInt(at(approved, index).data) !== 0n]),
    ),
    contractSignatures: { [nested]: isAccepted },
  })
}

/** How the Safe is asked about something that was signed. */
type Asked = {
  known: readonly Known[]
  /** Signs as an account would, if it was asked now. */
  signNow: (account: number) => Promise<Hex>
  call: (signatures: Hex) => ChainCall
}

/** How many signatures have to be added to those that are known, at least; Infinity: they are never enough. */
async function countMissing(
  { known, signNow, call }: Asked,
  isTaken: (answer: Hex) => boolean = () => true,
): Promise<number> {
  const added = await Promise.all(
    accounts.map(async (owner, account) => ({ owner, signature: await signNow(account), isAdded: true })),
  )
  const sets = subsetsOf([...known, ...added])
  const results = await callAll(
    devnet.rpcUrl,
    sets.map((set) => call(encodeSignatures(set))),
  )
  const enough = sets.filter((_, index) => !at(results, index).isReverted && isTaken(at(results, index).data))
  return Math.min(Number.POSITIVE_INFINITY, ...enough.map((set) => set.filter((entry) => 'isAdded' in entry).length))
}

/** Finds who can execute with nothing but what is known: accounts, and one that is no owner ever. */
async function findExecutors({ call, known }: Asked): Promise<Address[]> {
  const executors = [outsider, ...accounts]
  const found = await Promise.all(
    executors.map(async (from) => {
      const own = accounts.includes(from) ? [{ owner: from, signature: encodeApprovedHash(from) }] : []
      const sets = subsetsOf([...known.filter(({ owner }) => owner !== from), ...own])
      const all = [...sets, ...subsetsOf(known)]
      const results = await callAll(
        devnet.rpcUrl,
        all.map((set) => ({ ...call(encodeSignatures(set)), from })),
      )
      return results.some(({ isReverted }) => !isReverted) ? [from] : []
    }),
  )
  return found.flat()
}

/** How often each case came about: a test of what is never signed would prove little. */
const tally = new Map<string, number>()
function count(what: string): void {
  tally.set(what, (tally.get(what) ?? 0) + 1)
}

type Verified = { index: number; nonce: bigint; confirmations: GivenSignature[] }

function verifyTransactions(world: World): Promise<Verified[]> {
  return Promise.all(
    world.transactions.map(async ({ known, hash, ...context }, index) => {
      const confirmations = await verify(world, hash, encodeSafeTxPreimage(context), known)
      return { index, nonce: context.safeTx.nonce, confirmations }
    }),
  )
}

/** @param nonce - that the Safe is at */
function executionOf(world: World, index: number, nonce: bigint): Asked {
  const { safeAddress } = world
  const { known, safeTx } = at(world.transactions, index)
  return {
    known,
    signNow: (account) => signTransaction(world, account, index),
    call: (signatures) => ({
      to: safeAddress,
      from: outsider,
      data: encodeExecTransaction(safeTx, signatures),
      storage: { [safeAddress]: { [NONCE_SLOT]: pad(numberToHex(nonce)) } },
    }),
  }
}

/** Each transaction at its own nonce, by everybody, with every set of signatures. */
async function compareTransactions(world: World, safe: CountingSafe, verified: readonly Verified[]): Promise<void> {
  const alive = findAliveTransactions(verified, safe)
  for (const { index, nonce } of verified) {
    const found = alive.find(({ transaction }) => transaction.index === index)
    if (nonce < safe.nonce) {
      count('nonce used')
      expect(found).toBeUndefined()
      expect(await countMissing(executionOf(world, index, safe.nonce))).toBe(Number.POSITIVE_INFINITY)
      continue
    }
    const asked = executionOf(world, index, nonce)
    const expected = {
      missing: found?.missing ?? safe.threshold,
      executors: [outsider, ...accounts].filter((account) =>
        found ? isCompletedBy(found, account) : safe.threshold === 1 && safe.owners.includes(account),
      ),
    }
    const [missing, executors] = [await countMissing(asked), await findExecutors(asked)]
    expect({ index, missing, executors }).toEqual({ index, ...expected })
    count(found ? `missing ${missing}` : 'unsigned')
    if (found && executors.length > 0 && missing > 0) count('completed by who executes')
    if (found && found.waits > 0n && missing === 0) count('signed ahead')
  }
}

/** Adds former owners back, as a module or a transaction at another nonce would, and asks again. */
async function compareAddedBack(world: World, safe: CountingSafe, verified: readonly Verified[]): Promise<void> {
  const alive = findAliveTransactions(verified, { ...safe, hasModules: true })
  for (const { transaction, former, missingIfAddedBack, missing, waits } of alive) {
    if (former.length === 0) continue
    const { index, nonce } = transaction
    const without = findAliveTransactions([transaction], safe)[0]
    // Without a module, adding them uses the nonce first.
    expect(without?.former ?? []).toEqual(waits === 0n ? [] : former)
    const snapshot = await requestNode(devnet.rpcUrl, 'evm_snapshot')
    for (const account of former)
      await changeOwners(world, callOf('addOwnerWithThreshold', [account, BigInt(safe.threshold)]))
    const found = await countMissing(executionOf(world, index, nonce))
    expect({ index, missing: found }).toEqual({ index, missing: missingIfAddedBack })
    count(found === 0 && missing > 0 ? 'enough once added back' : 'more once added back')
    await requestNode(devnet.rpcUrl, 'evm_revert', snapshot)
  }
}

async function compareMessage(world: World, safe: CountingSafe): Promise<void> {
  const { version, safeAddress, message } = world
  const parent = { chainId: devnet.chainId, safeAddress, version, content }
  const { bytes } = rawContent(nestedContentForSafeMessage(parent, version))
  const [found] = findAliveMessages([{ confirmations: await verify(world, message.hash, bytes, message.known) }], safe)
  const { message: data } = hashSafeMessage(parent)
  const asks = isVersionBefore(version, 1, 3) ? 'bytes' : 'bytes32'
  const asked: Asked = {
    known: message.known,
    signNow: (account) => signMessage(world, account),
    call: (signature) => ({
      to: safeAddress,
      data: encodeContractQuestion({ owner: safeAddress, asks, data, signature }),
    }),
  }
  const missing = await countMissing(asked, (answer) =>
    answer.startsWith(asks === 'bytes' ? '0x20c13b0b' : '0x1626ba7e'),
  )
  expect({ missing }).toEqual({ missing: found?.missing ?? safe.threshold })
  if (found) count(missing === 0 ? 'message signed' : 'message not signed')
}

describe('findAliveTransactions, findAliveMessages', () => {
  const property = 'property: say what a Safe takes, after owners changed and the chain was reorganised'
  test(property, { timeout: 3_600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(anyHistory, fc.constantFrom(...versions), async (history, version) => {
        const snapshot = await requestNode(devnet.rpcUrl, 'evm_snapshot')
        const world = await happen(history, version)
        const state = await readState(world)
        const safe = { ...state, hasModules: state.modules.length > 0 }
        const verified = await verifyTransactions(world)
        await compareTransactions(world, safe, verified)
        await compareAddedBack(world, safe, verified)
        await compareMessage(world, safe)
        await requestNode(devnet.rpcUrl, 'evm_revert', snapshot)
      }),
      runs(25, 1_000),
    )
    for (const what of [
      ...['nonce used', 'missing 0', 'missing 1', 'missing 2', 'completed by who executes', 'signed ahead'],
      ...['enough once added back', 'more once added back', 'message signed', 'message not signed'],
    ])
      expect(tally.get(what) ?? 0, `${what} of ${JSON.stringify(Object.fromEntries(tally))}`).toBeGreaterThan(0)
  })
})
