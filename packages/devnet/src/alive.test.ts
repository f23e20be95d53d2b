import {
  type CountingSafe,
  findAliveMessages,
  findAliveTogether,
  findAliveTransactions,
  type GivenSignature,
  isCompletedBy,
  verifyGiven,
} from '@countersign/review'
import {
  contractQuestion,
  decodeContractAnswer,
  encodeApprovedHash,
  encodeContractQuestion,
  encodeContractSignature,
  encodeSafeTxPreimage,
  encodeSignatures,
  hashSafeMessage,
  hashSafeTx,
  isVersionBefore,
  nestedContentForSafeMessage,
  nestedContentForSafeTx,
  newSafeTx,
  officialDeployment,
  readSafeState,
  type SafeState,
  type SafeTxContext,
  safeAbi,
} from '@countersign/safe'
import { encodeExecTransaction, encodeMultiSend } from '@countersign/safe/calls'
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
  stringToHex,
} from 'viem'
import { sign } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runs } from '../../../scripts/testing/random-tests.mjs'
import { demoAccounts } from './accounts.ts'
import { anyHistory, type Event, type History, NESTED } from './alive-histories.ts'
import { requestNode, sendAll } from './node-client.ts'
import { type Devnet, startDevnet } from './start.ts'
import { type AnyVersion, type CallResult, type ChainCall, callAll, deployAnySafe } from './test-safes.ts'

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

async function createWorld({ owners, threshold, used, transactions }: History, version: AnyVersion): Promise<World> {
  const { rpcUrl, chainId } = devnet
  saltNonce += 1n
  const ownersNow = owners.map((owner) => at(accounts, owner))
  const safeAddress = await deployAnySafe({
    rpcUrl,
    chainId,
    version,
    saltNonce,
    owners: ownersNow,
    threshold: Math.min(threshold, owners.length),
  })
  await requestNode(rpcUrl, 'anvil_setBalance', safeAddress, numberToHex(10n ** 18n))
  const listed = transactions.map(({ nonce, content: what, account, hasGas, ...rest }, index) => {
    const data = settingsCall(what, at(accounts, account), BigInt(rest.threshold), ownersNow)
    const call = { to: safeAddress, data, value: 0n }
    const fields = {
      nothing: { ...call, to: outsider, value: BigInt(index) },
      batch: {
        to: at([officialDeployment('multi-send-call-only', '1.4.1')?.address ?? outsider], 0),
        operation: 1 as const,
        data: encodeMultiSend([call, { ...call, data: callOf('changeThreshold', [1n]) }]),
      },
    }
    const content = what === 'nothing' || what === 'batch' ? fields[what] : call
    // With gas of its own a call inside may fail, and the nonce is used all the same.
    const safeTx = newSafeTx({ ...content, nonce: BigInt(nonce), safeTxGas: hasGas ? 200_000n : 0n })
    const context = { chainId, safeAddress, version, safeTx }
    return { ...context, hash: hashSafeTx(context).safeTxHash, known: [] }
  })
  if (used > 0) await setNonce({ safeAddress }, BigInt(used))
  const { safeMessageHash } = hashSafeMessage({ chainId, safeAddress, version, content })
  return { version, safeAddress, transactions: listed, message: { hash: safeMessageHash, known: [] } }
}

function settingsCall(what: string, account: Address, threshold: bigint, owners: readonly Address[]): Hex {
  if (what === 'add' || what === 'batch') return callOf('addOwnerWithThreshold', [account, threshold])
  if (what === 'threshold') return callOf('changeThreshold', [threshold])
  if (what === 'remove') return callOf('removeOwner', [SENTINEL, at(owners, 0), threshold])
  if (what === 'swap') return callOf('swapOwner', [SENTINEL, at(owners, 0), account])
  return '0x'
}

type Settings = 'addOwnerWithThreshold' | 'changeThreshold' | 'removeOwner' | 'swapOwner'

function callOf(functionName: Settings, args: readonly unknown[]): Hex {
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
  for (const [index, { signers }] of history.transactions.entries())
    for (const account of signers)
      learn(at(world.transactions, index).known, account, await signTransaction(world, account, index))
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
  version: AnyVersion
  known: readonly Known[]
  /** Signs as an account would, if it was asked now. */
  signNow: (account: number) => Promise<Hex>
  call: (signatures: Hex) => ChainCall
}

/** Signatures were taken, whatever the call inside came to: 1.5.0 fails with its reason, others from 1.3.0 on with GS013. */
function isTaken(version: AnyVersion, { isReverted, data }: CallResult): boolean {
  if (!isReverted) return true
  const says = (code: string) => data.includes(stringToHex(code).slice(2))
  return version === '1.5.0' ? !says('GS02') : says('GS013')
}

/** How many signatures have to be added to those that are known, at least; Infinity: they are never enough. */
async function countMissing(
  { version, known, signNow, call }: Asked,
  isEnough: (result: CallResult) => boolean = (result) => isTaken(version, result),
): Promise<number> {
  const added = await Promise.all(
    accounts.map(async (owner, account) => ({ owner, signature: await signNow(account), isAdded: true })),
  )
  const sets = subsetsOf([...known, ...added])
  const results = await callAll(
    devnet.rpcUrl,
    sets.map((set) => call(encodeSignatures(set))),
  )
  const enough = sets.filter((_, index) => isEnough(at(results, index)))
  return Math.min(Number.POSITIVE_INFINITY, ...enough.map((set) => set.filter((entry) => 'isAdded' in entry).length))
}

/** Finds who can execute with nothing but what is known: accounts, and one that is no owner ever. */
async function findExecutors({ version, call, known }: Asked): Promise<Address[]> {
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
      return results.some((result) => isTaken(version, result)) ? [from] : []
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
  const { safeAddress, version } = world
  const { known, safeTx } = at(world.transactions, index)
  return {
    version,
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

function asksOf(version: AnyVersion): 'bytes' | 'bytes32' {
  return isVersionBefore(version, 1, 3) ? 'bytes' : 'bytes32'
}

function isValid(version: AnyVersion, { isReverted, data }: CallResult): boolean {
  return !isReverted && data.startsWith(asksOf(version) === 'bytes' ? '0x20c13b0b' : '0x1626ba7e')
}

async function compareMessage(world: World, safe: CountingSafe): Promise<void> {
  const { version, safeAddress, message } = world
  const parent = { chainId: devnet.chainId, safeAddress, version, content }
  const { bytes } = rawContent(nestedContentForSafeMessage(parent, version))
  const [found] = findAliveMessages([{ confirmations: await verify(world, message.hash, bytes, message.known) }], safe)
  const { message: data } = hashSafeMessage(parent)
  const asks = asksOf(version)
  const asked: Asked = {
    version,
    known: message.known,
    signNow: (account) => signMessage(world, account),
    call: (signature) => ({
      to: safeAddress,
      data: encodeContractQuestion({ owner: safeAddress, asks, data, signature }),
    }),
  }
  const missing = await countMissing(asked, (result) => isValid(version, result))
  expect({ missing }).toEqual({ missing: found?.missing ?? safe.threshold })
  if (found) count(missing === 0 ? 'message signed' : 'message not signed')
}

/** Length of a way: other nonces that it needs, then changes of the Safe on it. */
type Length = { open: number; changes: number }

function isShorter(one: Length, other: Length | undefined): boolean {
  if (other === undefined || one.open < other.open) return true
  return one.open === other.open && one.changes < other.changes
}

/** The transaction as this account executes it: with signatures that are known, one of them at least, and its own. */
async function findExecution(world: World, index: number, from: Address) {
  const { safeAddress } = world
  const { safeTx, hash, known: told } = at(world.transactions, index)
  const { threshold } = await readState(world)
  const question = encodeFunctionData({ abi: approvals, functionName: 'approvedHashes', args: [from, hash] })
  const [approval] = await callAll(devnet.rpcUrl, [{ to: safeAddress, data: question }])
  // An approval that the chain does not have any more counts of who executes, but as anybody's who executes.
  const isApproved = BigInt(approval?.data ?? 0) !== 0n
  const known = told.filter(({ owner, signature }) => owner !== from || isApproved || !signature.endsWith('01'))
  const own = { owner: from, signature: encodeApprovedHash(from) }
  const sets = [
    ...subsetsOf(known),
    ...subsetsOf(known.filter(({ owner }) => owner !== from)).map((set) => [...set, own]),
  ].filter((set) => set.length === threshold && set.some((entry) => entry !== own))
  const calls = sets.map((set) => ({
    from,
    to: safeAddress,
    data: encodeExecTransaction(safeTx, encodeSignatures(set)),
  }))
  const results = await callAll(devnet.rpcUrl, calls)
  const accepted = results.findIndex(({ isReverted }) => !isReverted)
  return {
    isEnough: results.some((result) => isTaken(world.version, result)),
    call: accepted < 0 ? null : at(calls, accepted),
  }
}

function setNonce({ safeAddress }: Pick<World, 'safeAddress'>, nonce: bigint) {
  return requestNode(devnet.rpcUrl, 'anvil_setStorageAt', safeAddress, NONCE_SLOT, pad(numberToHex(nonce)))
}

/** Executes whatever can be executed, in every order, and finds the shortest way to each transaction and to the message. */
async function tryEveryWay(
  world: World,
  from: Address,
): Promise<{ found: Map<number, Length>; message: Length | null }> {
  const found = new Map<number, Length>()
  let message: Length | undefined
  const seen = new Map<string, Length>()
  const last = BigInt(Math.max(...world.transactions.map(({ safeTx }) => Number(safeTx.nonce))))
  const follow = async (length: Length): Promise<void> => {
    const { nonce, owners, threshold } = await readState(world)
    const key = [nonce, threshold, ...owners].join()
    if (!isShorter(length, seen.get(key))) return
    seen.set(key, length)
    if (isShorter(length, message) && (await isMessageValid(world))) message = length
    if (nonce > last) return
    const branch = async (step: () => Promise<unknown>, isOpen: boolean) => {
      const snapshot = await requestNode(devnet.rpcUrl, 'evm_snapshot')
      await step()
      const after = await readState(world)
      const isChanged = `${after.owners} ${after.threshold}` !== `${owners} ${threshold}`
      await follow({ open: length.open + Number(isOpen), changes: length.changes + Number(isChanged) })
      await requestNode(devnet.rpcUrl, 'evm_revert', snapshot)
    }
    for (const [index, { safeTx }] of world.transactions.entries()) {
      if (safeTx.nonce !== nonce) continue
      const { isEnough, call } = await findExecution(world, index, from)
      if (isEnough && isShorter(length, found.get(index))) found.set(index, length)
      if (call) await branch(() => sendAll(devnet.rpcUrl, from, [{ ...call, gas: 1_000_000n }]), false)
    }
    await branch(() => setNonce(world, nonce + 1n), true)
  }
  const snapshot = await requestNode(devnet.rpcUrl, 'evm_snapshot')
  await follow({ open: 0, changes: 0 })
  await requestNode(devnet.rpcUrl, 'evm_revert', snapshot)
  return { found, message: message ?? null }
}

async function isMessageValid({ version, safeAddress, message }: World): Promise<boolean> {
  const { message: data } = hashSafeMessage({ chainId: devnet.chainId, safeAddress, version, content })
  const calls = subsetsOf(message.known).map((set) => {
    const question = { owner: safeAddress, asks: asksOf(version), data, signature: encodeSignatures(set) }
    return { to: safeAddress, data: encodeContractQuestion(question) }
  })
  return (await callAll(devnet.rpcUrl, calls)).some((result) => isValid(version, result))
}

/** Compares which transactions become executable by others, for whoever executes all of them. */
async function compareTogether(
  world: World,
  state: SafeState,
  verified: readonly Verified[],
  executor: Address | null,
): Promise<void> {
  const { version, safeAddress, message } = world
  const parent = { chainId: devnet.chainId, safeAddress, version, content }
  const { bytes } = rawContent(nestedContentForSafeMessage(parent, version))
  const signed = { confirmations: await verify(world, message.hash, bytes, message.known) }
  const transactions = verified.map((entry) => ({ ...entry, safeTx: at(world.transactions, entry.index).safeTx }))
  const [together] = findAliveTogether({ transactions, messages: [signed] }, state, [executor])
  if (together === undefined) throw new Error('Nothing was found for the executor.')
  const from = executor ?? outsider
  const tried = await tryEveryWay(world, from)

  const safe = { ...state, hasModules: false }
  const enoughNow = new Set(
    findAliveTransactions(verified, { ...safe, hasModules: true })
      .filter(({ counted }) => counted.length > 0)
      .filter((alive) => (executor ? isCompletedBy(alive, executor) : alive.missing === 0))
      .map(({ transaction }) => transaction.index),
  )
  const lengthOf = ({ after, open }: { after: readonly unknown[]; open: bigint }): Length => ({
    open: Number(open),
    changes: after.length,
  })
  const ways = together.transactions.map((way) => [way.signed.index, lengthOf(way)] as const)
  expect(new Map(ways)).toEqual(new Map([...tried.found].filter(([index]) => !enoughNow.has(index))))
  expect(together.messages.map(lengthOf)).toEqual(tried.message && tried.message.changes > 0 ? [tried.message] : [])
  expect([together.unread, together.isWhole]).toEqual([[], true])

  // The way that is shown leads there.
  for (const { signed: reached, after, open } of together.transactions) {
    const snapshot = await requestNode(devnet.rpcUrl, 'evm_snapshot')
    for (const { index, nonce } of after) {
      await setNonce(world, nonce)
      const { call } = await findExecution(world, index, from)
      if (call === null) throw new Error(`Transaction ${index} cannot be executed.`)
      await sendAll(devnet.rpcUrl, from, [{ ...call, gas: 1_000_000n }])
    }
    await setNonce(world, reached.nonce)
    expect(await findExecution(world, reached.index, from)).toMatchObject({ isEnough: true })
    await requestNode(devnet.rpcUrl, 'evm_revert', snapshot)
    count(
      `${open === 0n ? 'together' : 'together with open nonces'} by ${executor === null ? 'anybody' : 'an account'}`,
    )
  }
}

describe('findAliveTransactions, findAliveMessages, findAliveTogether', () => {
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
        for (const executor of [null, at(accounts, history.executor)])
          await compareTogether(world, state, verified, executor)
        await requestNode(devnet.rpcUrl, 'evm_revert', snapshot)
      }),
      runs(25, 1_000),
    )
    for (const what of [
      'nonce used',
      'missing 0',
      'missing 1',
      'missing 2',
      'completed by who executes',
      'signed ahead',
      'enough once added back',
      'more once added back',
      'message signed',
      'message not signed',
      'together by anybody',
      'together by an account',
    ])
      expect(tally.get(what) ?? 0, `${what} of ${JSON.stringify(Object.fromEntries(tally))}`).toBeGreaterThan(0)
  })
})
