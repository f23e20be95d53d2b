import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  getAddress,
  type Hex,
  isHex,
  keccak256,
  numberToHex,
  parseAbi,
  slice,
  zeroAddress,
} from 'viem'
import { safeAbi } from '../abi/abi.ts'
import { addressWord, isHexWithin, showValue } from '../abi/abi-word.ts'
import { officialProxyVersion, officialSingleton } from '../deployments/deployments.ts'
import { fail } from '../error-sentences.ts'
import { isVersionBefore } from './safe-version.ts'
import { type CreationCall, describeUndeployedSafe } from './undeployed-safe.ts'

/** An EIP-1193 style request function. Everything this package learns of a chain comes through one. */
export type RpcRequest = (args: { method: string; params?: unknown[] }) => Promise<unknown>

/** A Safe as it stands on the chain at one block. */
export type SafeState = {
  chainId: number
  address: Address
  blockNumber: bigint
  owners: Address[]
  threshold: number
  nonce: bigint
  /** keccak256 of the Safe's own code, which is a proxy. */
  proxyCodeHash: Hex
  /**
   * Whether that code is what an official factory creates. A Safe with other code may do anything before its singleton is
   * asked, and all that is below is then its claim.
   */
  isOfficialProxy: boolean
  /** From storage slot 0. */
  singleton: Address
  singletonCodeHash: Hex
  /** `1.4.1` or `1.4.1+L2`, by address and code of the singleton; null when it is not an official release. */
  version: string | null
  /** Answer of `VERSION()`: a claim of the singleton. Null when it does not answer. */
  reportedVersion: string | null
  modules: Address[]
  guard: Address | null
  moduleGuard: Address | null
  fallbackHandler: Address | null
  /** wei */
  balance: bigint
  /**
   * The call that creates it, where nobody has sent it yet: nothing is at the address, and all but the balance is what
   * that call says. Left out of a Safe that is there.
   */
  creation?: CreationCall | undefined
}

/** Storage slots in which a Safe keeps the addresses of its settings: keccak256 of the texts named. */
export const SETTING_SLOTS = {
  /** `guard_manager.guard.address` (GuardManager, 1.3.0 and later) */
  guard: '0x4a204f620c8c5ccdca3fd54d003badd85ba500436a431f0cbda4f558c93c34c8',
  /** `module_manager.module_guard.address` (ModuleManager, 1.5.0) */
  moduleGuard: '0xb104e0b93118902c651344349b610029d694cfdec91c589c91ebafbcd0289947',
  /** `fallback_manager.handler.address` (FallbackManager, 1.1.1 and later) */
  fallbackHandler: '0x6c9a6c4a39284e37ed1cf53d337577d14212a4870fb976a4366c693b939918d5',
} as const
const SINGLETON_SLOT = '0x0000000000000000000000000000000000000000000000000000000000000000'
const SENTINEL: Address = '0x0000000000000000000000000000000000000001'
const MODULE_PAGE_SIZE = 100n
const MODULE_PAGES = 50
/** Bytes of code that ZKsync allows; an EVM far fewer. */
const MAX_CODE_BYTES = 2_097_152
/** A contract that imitates a Safe may list any number of owners, to be in everybody's way. */
const MAX_OWNERS = 1_000
/** Counted by one with each execution. */
const MAX_NONCE = BigInt(Number.MAX_SAFE_INTEGER)

/** Safe 1.0.0 lists its modules in one go. */
const legacyModulesAbi = parseAbi(['function getModules() view returns (address[])'])

/**
 * Reads a Safe from the chain: all of it at one block, at once, so that a batching transport sends a single batch.
 *
 * @param request - reads the chain; failures of it pass through unchanged.
 * @param known - `blockNumber`: the block to read at; the newest when it is left out. `creation`: the call that creates it;
 *   while nothing is at the address, the Safe is as that call says. `lastSingleton`: its singleton as it was last seen, whose
 *   code is then asked together with the rest.
 * @throws CountersignError `NOT_A_SAFE` when nothing at the address answers like a Safe.
 * @throws CountersignError `CREATION_REFUSED` when the creation is another Safe's, or may do anything else.
 * @throws CountersignError `CHAIN_ID_MISMATCH` when the node is on another chain, `RPC_ERROR` when it answers nonsense.
 * @throws CountersignError `FIELD_MALFORMED` when the address is none.
 *
 * @example
 * const state = await readSafeState(({ method, params }) => client.request({ method, params }), safeAddress, 1)
 */
export async function readSafeState(
  request: RpcRequest,
  safeAddress: Address,
  chainId: number,
  known: {
    blockNumber?: bigint | undefined
    creation?: CreationCall | undefined
    lastSingleton?: Address | undefined
  } = {},
): Promise<SafeState> {
  const { blockNumber, creation, lastSingleton } = known
  addressWord('safeAddress', safeAddress)
  const address = getAddress(safeAddress)
  const onChain = checkChain(request, chainId)
  // Its code is then asked for together with all the rest, unless it has changed in between.
  const expecting =
    blockNumber === undefined
      ? createReader(request, address, 'latest')
          .slot(SINGLETON_SLOT)
          .catch(() => null)
      : (lastSingleton ?? null)
  const [block, , expected] = await Promise.all([
    blockNumber === undefined ? request({ method: 'eth_blockNumber' }).then(parseQuantity) : numberToHex(blockNumber),
    blockNumber === undefined ? onChain : null,
    expecting,
  ])
  const reader = createReader(request, address, block)
  const [answers, expectedCode] = await Promise.all([
    readAnswers(request, reader, { address, block }),
    expected && reader.code(expected),
    onChain,
  ])
  if (answers.code === '0x' && creation !== undefined) {
    const place = { chainId, address, blockNumber: BigInt(block), balance: answers.balance }
    return { ...place, ...(await readUndeployed(reader, place, creation)) }
  }
  const safe = asSafe(answers)
  if (safe === null) throw fail('NOT_A_SAFE', { address, chainId })
  const singletonCode = (safe.singleton === expected && expectedCode) || (await reader.code(safe.singleton))
  if (singletonCode === '0x') throw fail('NOT_A_SAFE', { address, chainId })
  return { chainId, address, blockNumber: BigInt(block), ...describeSafe(safe, keccak256(singletonCode)) }
}

/** All that is asked of a Safe at once; what does not answer as a Safe does is null. */
export async function readAnswers(
  request: RpcRequest,
  reader: Reader,
  { address, block }: { address: Address; block: Hex | 'latest' },
) {
  const [
    code,
    singleton,
    guard,
    moduleGuard,
    fallbackHandler,
    owners,
    threshold,
    nonce,
    reportedVersion,
    modules,
    held,
  ] = await Promise.all([
    reader.code(address),
    reader.slot(SINGLETON_SLOT),
    reader.slot(SETTING_SLOTS.guard),
    reader.slot(SETTING_SLOTS.moduleGuard),
    reader.slot(SETTING_SLOTS.fallbackHandler),
    readOwners(reader),
    readNumber(reader, 'getThreshold'),
    readNumber(reader, 'nonce'),
    readVersion(reader),
    readModules(reader),
    request({ method: 'eth_getBalance', params: [address, block] }).then(parseQuantity),
  ])
  return {
    code,
    singleton,
    guard,
    moduleGuard,
    fallbackHandler,
    owners,
    threshold,
    nonce,
    reportedVersion,
    modules,
    balance: BigInt(held),
  }
}

type Answers = Awaited<ReturnType<typeof readAnswers>>

/** Null for what cannot be a Safe, whatever it answers. */
export function asSafe({ code, singleton, owners, threshold, nonce, modules, ...rest }: Answers) {
  if (code === '0x' || singleton === null || owners === null || threshold === null || nonce === null) return null
  if (owners.length > MAX_OWNERS || nonce > MAX_NONCE || modules === null) return null
  if (owners.length === 0 || threshold === 0n || threshold > BigInt(owners.length)) return null
  return { code, singleton, owners, threshold: Number(threshold), nonce, modules, ...rest }
}

export function describeSafe({ code, ...safe }: NonNullable<ReturnType<typeof asSafe>>, singletonCodeHash: Hex) {
  return {
    ...safe,
    owners: [...safe.owners],
    proxyCodeHash: keccak256(code),
    isOfficialProxy: officialProxyVersion(code) !== null,
    singletonCodeHash,
    version: officialSingleton(safe.singleton, singletonCodeHash)?.version ?? null,
  }
}

/** Reads a Safe at whose address nothing is from its creation, once the code of the contracts that make it is compared. */
async function readUndeployed(
  reader: Reader,
  { chainId, address }: Pick<SafeState, 'chainId' | 'address'>,
  creation: CreationCall,
) {
  const { address: computed, contracts, ...said } = describeUndeployedSafe(creation, chainId)
  if (computed !== address) throw fail('CREATION_REFUSED', { reason: 'address', computed, address })
  const codes = await Promise.all(contracts.map((contract) => reader.code(contract.address)))
  const [singletonCodeHash] = codes.map((code) => keccak256(code)).slice(-1)
  const other = contracts.find(({ codeHash }, index) => codeHash !== keccak256(codes[index] ?? '0x'))
  if (other !== undefined || singletonCodeHash === undefined)
    throw fail('CREATION_REFUSED', { reason: 'chain', contract: other?.address ?? said.singleton, chainId })
  return {
    ...said,
    nonce: 0n,
    isOfficialProxy: true,
    singletonCodeHash,
    reportedVersion: said.version.replace('+L2', ''),
    modules: [],
    guard: null,
    moduleGuard: null,
    creation,
  }
}

/**
 * The version whose rules decide how the Safe hashes: the official one; else what the Safe says of itself, which proves
 * nothing, if it is a version at all; else the rules that hold since 1.3.0.
 *
 * @example
 * hashSafeTx({ chainId, safeAddress, version: domainVersion(state), safeTx })
 */
export function domainVersion({ version, reportedVersion }: Pick<SafeState, 'version' | 'reportedVersion'>): string {
  if (version !== null) return version
  // A contract may report any text, of any length.
  return reportedVersion !== null && /^\d{1,3}\.\d{1,3}\.\d{1,3}[\w.+-]{0,20}$/.test(reportedVersion)
    ? reportedVersion
    : '1.3.0'
}

/**
 * Whether its version binds what is signed to one chain, as it is since 1.3.0.
 *
 * @example
 * isBoundToChain({ version: '1.1.1', reportedVersion: '1.1.1' }) // false
 */
export function isBoundToChain(safe: Pick<SafeState, 'version' | 'reportedVersion'>): boolean {
  return !isVersionBefore(domainVersion(safe), 1, 3)
}

/** @throws CountersignError `CHAIN_ID_MISMATCH` */
async function checkChain(request: RpcRequest, chainId: number): Promise<void> {
  const actual = Number(parseQuantity(await request({ method: 'eth_chainId' })))
  if (actual === chainId) return
  throw fail('CHAIN_ID_MISMATCH', { reason: 'actual', expected: chainId, actual })
}

function parseHex(value: unknown): Hex {
  if (!isHex(value)) throw fail('RPC_ERROR', { reason: 'hex', value: showValue(value) })
  return value
}

/** A number, or a word of storage: 256 bits at most, and one digit at least. */
function parseQuantity(value: unknown): Hex {
  if (!isHex(value) || value.length < 3 || value.length > 66)
    throw fail('RPC_ERROR', { reason: 'number', value: showValue(value) })
  return value
}

export function createReader(request: RpcRequest, safeAddress: Address, block: Hex | 'latest') {
  async function call(data: Hex): Promise<Hex | null> {
    try {
      return parseHex(await request({ method: 'eth_call', params: [{ to: safeAddress, data }, block] }))
    } catch (error) {
      if (isRevert(error)) return null
      throw error
    }
  }
  return {
    async code(address: Address): Promise<Hex> {
      const answer = await request({ method: 'eth_getCode', params: [address, block] })
      // To hash 100 MB takes seconds.
      if (!isHexWithin(answer, 2 + 2 * MAX_CODE_BYTES))
        throw fail('RPC_ERROR', { reason: 'hex', value: showValue(answer) })
      return answer
    },
    /** The address in a storage slot; null when the slot is empty. */
    async slot(slot: Hex): Promise<Address | null> {
      const word = BigInt(
        parseQuantity(await request({ method: 'eth_getStorageAt', params: [safeAddress, slot, block] })),
      )
      const address = getAddress(slice(`0x${word.toString(16).padStart(64, '0')}`, 12))
      return address === zeroAddress ? null : address
    },
    /** The answer of the Safe; null when it does not answer as a Safe does. */
    async answer<value>(data: Hex, decode: (answer: Hex) => value): Promise<value | null> {
      const answer = await call(data)
      if (answer === null) return null
      try {
        return decode(answer)
      } catch {
        return null
      }
    },
  }
}

type Reader = ReturnType<typeof createReader>

function readOwners(reader: Reader): Promise<readonly Address[] | null> {
  const call = { abi: safeAbi, functionName: 'getOwners' } as const
  return reader.answer(encodeFunctionData(call), (data) => decodeFunctionResult({ ...call, data }))
}

function readNumber(reader: Reader, functionName: 'getThreshold' | 'nonce'): Promise<bigint | null> {
  const data = encodeFunctionData({ abi: safeAbi, functionName })
  return reader.answer(data, (answer) => decodeFunctionResult({ abi: safeAbi, functionName, data: answer }))
}

function readVersion(reader: Reader): Promise<string | null> {
  const call = { abi: safeAbi, functionName: 'VERSION' } as const
  return reader.answer(encodeFunctionData(call), (data) => decodeFunctionResult({ ...call, data }))
}

async function readModules(reader: Reader): Promise<Address[] | null> {
  const modules: Address[] = []
  let start: Address = SENTINEL
  for (let page = 0; page < MODULE_PAGES; page += 1) {
    const call = { abi: safeAbi, functionName: 'getModulesPaginated' } as const
    const found = await reader.answer(encodeFunctionData({ ...call, args: [start, MODULE_PAGE_SIZE] }), (data) =>
      decodeFunctionResult({ ...call, data }),
    )
    if (found === null) return page === 0 ? readLegacyModules(reader) : null
    const [list, next] = found
    modules.push(...list)
    if (next === SENTINEL || next === zeroAddress || list.length === 0) return modules
    // Until 1.4.0 `next` is the first module of the next page and would be skipped; the last one listed never is.
    start = list.at(-1) ?? next
  }
  return null
}

async function readLegacyModules(reader: Reader): Promise<Address[] | null> {
  const call = { abi: legacyModulesAbi, functionName: 'getModules' } as const
  const modules = await reader.answer(encodeFunctionData(call), (data) => decodeFunctionResult({ ...call, data }))
  return modules === null ? null : [...modules]
}

/** Whether the contract refused, rather than the node or the way to it. Nodes and wallets say so in several ways. */
function isRevert(error: unknown): boolean {
  let cause = error
  // A hostile node may have made the causes a circle.
  for (let depth = 0; depth < 20 && typeof cause === 'object' && cause !== null; depth += 1) {
    if ('code' in cause && cause.code === 3) return true
    const message = 'message' in cause ? String(cause.message) : ''
    if (/revert|invalid opcode|invalid jump|out of gas|stack underflow/i.test(message)) return true
    cause = 'cause' in cause ? cause.cause : null
  }
  return false
}
