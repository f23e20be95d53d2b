import { readFileSync } from 'node:fs'
import { encodeApprovedHash, readSafeState, readSpendingLimits, type SafeState } from '@countersign/safe'
import { encodeExecTransaction } from '@countersign/safe/calls'
import {
  type ContractRole,
  composeCalls,
  composeSafeTx,
  type Intent,
  libraryCandidates,
  readContractFit,
} from '@countersign/safe/compose'
import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  getContractAddress,
  type Hex,
  isHex,
  numberToHex,
  parseAbi,
  toHex,
  zeroAddress,
  zeroHash,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoAccounts } from './accounts.ts'
import { canonicalContract, create2Send, singletonFactory } from './canonical-contracts.ts'
import { readCodes, requestNode, sendAll } from './node-client.ts'
import { type Devnet, startDevnet } from './start.ts'
import { deployLimitModule, testContracts } from './test-contracts.ts'
import { type AnyVersion, callAll, deployAnySafe, handlerOf } from './test-safes.ts'

const owner = demoAccounts[3].address
const [second, third, fourth] = [demoAccounts[4].address, demoAccounts[5].address, demoAccounts[6].address]
/** Answers 1 to everything: whoever asks whether it is a guard is told yes. */
const guard = getAddress('0x00000000000000000000000000000000009a4d01')
const [moduleOne, moduleTwo] = [1, 2].map((index) => getAddress(numberToHex(0xabcd00 + index, { size: 20 }))) as [
  Address,
  Address,
]

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ port: 0 })
  await requestNode(devnet.rpcUrl, 'anvil_setCode', guard, '0x600160005260206000f3')
})
afterAll(() => devnet?.close())

function read(safeAddress: Address): Promise<SafeState> {
  const request = ({ method, params = [] }: { method: string; params?: unknown[] }) =>
    requestNode(devnet.rpcUrl, method, ...params)
  return readSafeState(request, safeAddress, devnet.chainId)
}

/** Composes and executes, as the only owner whose word is needed; answers what the draft says and what the chain says then. */
async function carryOut(safeAddress: Address, intents: readonly Intent[]) {
  const before = await read(safeAddress)
  const draft = composeCalls(intents, before)
  expect(draft.intents.flatMap(({ problems }) => problems)).toEqual([])
  const candidates = libraryCandidates('multi-send-call-only', before)
  const codes = await readCodes(
    devnet.rpcUrl,
    candidates.map(({ address }) => address),
  )
  const library = candidates.find((_, index) => (codes[index] ?? '0x') !== '0x')
  const safeTx = composeSafeTx(draft.calls, { nonce: before.nonce, multiSend: library?.address ?? null })
  if (safeTx === null) throw new Error('there is nothing to execute')
  const data = encodeExecTransaction(safeTx, encodeApprovedHash(owner))
  await sendAll(devnet.rpcUrl, owner, [{ to: safeAddress, data, gas: 5_000_000n }])
  const after = await read(safeAddress)
  expect(after.nonce).toBe(before.nonce + 1n)
  return { draft, after }
}

let saltNonce = 9_100n
function newSafe(version: AnyVersion): Promise<Address> {
  saltNonce += 1n
  return deployAnySafe({ ...devnet, version, owners: [owner], threshold: 1, saltNonce })
}

describe('composeCalls', () => {
  test.each(['1.1.1', '1.3.0', '1.4.1', '1.5.0'] as const)(
    'behavior: the settings of a Safe %s are afterwards what the draft said',
    async (version) => {
      const safeAddress = await newSafe(version)
      const { draft, after } = await carryOut(safeAddress, [
        { kind: 'add-owner', owner: second, threshold: 2 },
        { kind: 'add-owner', owner: third, threshold: 1 },
        { kind: 'swap-owner', owner: second, newOwner: fourth },
        { kind: 'change-threshold', threshold: 2 },
        { kind: 'remove-owner', owner: fourth, threshold: 1 },
        { kind: 'enable-module', module: moduleOne },
        { kind: 'enable-module', module: moduleTwo },
        { kind: 'disable-module', module: moduleOne },
        { kind: 'set-handler', handler: handlerOf(version === '1.3.0' ? '1.4.1' : '1.3.0') },
        ...(version === '1.1.1' ? [] : [{ kind: 'set-guard', guard } as const]),
        ...(version === '1.5.0' ? [{ kind: 'set-module-guard', guard } as const] : []),
      ])
      expect(after).toMatchObject(draft.after)
      expect(after.owners).toEqual([third, owner])
      expect(after.modules).toEqual([moduleTwo])
    },
  )

  test.each([
    ['1.1.1', '1.4.1', false],
    ['1.3.0', '1.4.1', true],
    ['1.3.0', '1.5.0', false],
    ['1.4.1', '1.4.1', true],
    ['1.4.1', '1.5.0', true],
  ] as const)('behavior: a Safe %s becomes %s by the migration contract', async (from, version, isL2) => {
    const safeAddress = await newSafe(from)
    const { after } = await carryOut(safeAddress, [{ kind: 'upgrade', version, isL2, setsHandler: true }])
    expect(after).toMatchObject({
      version: isL2 ? `${version}+L2` : version,
      owners: [owner],
      threshold: 1,
      fallbackHandler: handlerOf(version),
    })
    const { after: later } = await carryOut(safeAddress, [{ kind: 'add-owner', owner: second, threshold: 1 }])
    expect(later.owners).toEqual([second, owner])
  })
})

/** As the released module declares it. */
const spendAbi = parseAbi([
  'function executeAllowanceTransfer(address safe, address token, address to, uint96 amount, address paymentToken, uint96 payment, address delegate, bytes signature)',
  'function addDelegate(address delegate)',
])

/** Puts the released module itself on the chain: its address follows from its code, and proves it. */
async function deployReleased(file: string): Promise<Address> {
  const code = readFileSync(file, 'utf8').trim()
  const bytecode: Hex = isHex(code) ? code : '0x'
  const module = getContractAddress({ opcode: 'CREATE2', from: singletonFactory, salt: zeroHash, bytecode })
  expect(module).toBe('0xAA46724893dedD72658219405185Fb0Fc91e091C')
  await requestNode(devnet.rpcUrl, 'anvil_setCode', module, '0x')
  await sendAll(devnet.rpcUrl, owner, [create2Send(singletonFactory, bytecode)])
  return module
}

// The code of the release, for example ALLOWANCE_MODULE_CODE=allowance.hex; the stand-in where it is not at hand.
const released = process.env.ALLOWANCE_MODULE_CODE
describe(`spending limits, kept by ${released ? 'the released module' : 'its stand-in'}`, () => {
  const [delegate, other, payee] = [second, third, getAddress(toHex(0xbeef, { size: 20 }))]
  const { address: token } = testContracts.erc20
  let module: Address
  beforeAll(async () => {
    module = released ? await deployReleased(released) : await deployLimitModule(devnet.rpcUrl, owner)
  })

  const limitsOf = (safeAddress: Address) =>
    readSpendingLimits(
      ({ method, params = [] }) => requestNode(devnet.rpcUrl, method, ...(params as unknown[])),
      safeAddress,
      module,
    )
  const spending = (safeAddress: Address, asset: Address, amount: bigint, by = delegate) => ({
    to: module,
    data: encodeFunctionData({
      abi: spendAbi,
      functionName: 'executeAllowanceTransfer',
      args: [safeAddress, asset, payee, amount, zeroAddress, 0n, by, '0x'],
    }),
  })
  const spend = (safeAddress: Address, asset: Address, amount: bigint) =>
    sendAll(devnet.rpcUrl, delegate, [{ ...spending(safeAddress, asset, amount), gas: 500_000n }])
  /** Whether the delegate could spend so much, and somebody else in the delegate's name. */
  async function mayBeSpent(safeAddress: Address, asset: Address, amount: bigint) {
    const call = spending(safeAddress, asset, amount)
    const [own, foreign] = await callAll(devnet.rpcUrl, [
      { ...call, from: delegate },
      { ...call, from: other },
    ])
    return [!own?.isReverted, !foreign?.isReverted]
  }
  const balances = async () => {
    const coin = await requestNode(devnet.rpcUrl, 'eth_getBalance', payee, 'latest')
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [payee] })
    const tokens = await requestNode(devnet.rpcUrl, 'eth_call', { to: token, data }, 'latest')
    return [BigInt(coin as Hex), BigInt(tokens as Hex)] as const
  }

  test.each(['1.1.1', '1.3.0', '1.4.1', '1.5.0'] as const)(
    'behavior: of a Safe %s, set, spent by the delegate alone, changed, begun anew and removed',
    async (version) => {
      const safeAddress = await newSafe(version)
      await requestNode(devnet.rpcUrl, 'anvil_setBalance', safeAddress, toHex(1_000n))
      const mint = encodeFunctionData({
        abi: parseAbi(['function mint(address to, uint256 value)']),
        args: [safeAddress, 1_000n],
      })
      await sendAll(devnet.rpcUrl, owner, [{ to: token, data: mint, gas: 200_000n }])
      const limit = { module, delegate, token: zeroAddress }
      const shown = { ...limit, spent: 0n, resetMinutes: 0 }
      await carryOut(safeAddress, [
        { kind: 'enable-module', module },
        { kind: 'set-limit', ...limit, amount: 10n, resetMinutes: 0 },
        { kind: 'set-limit', ...limit, token, amount: 20n, resetMinutes: 1440 },
      ])
      const daily = { ...shown, token, amount: 20n, resetMinutes: 1440 }
      expect(await limitsOf(safeAddress)).toEqual({ isWhole: true, limits: [{ ...shown, amount: 10n }, daily] })

      const [coinBefore, tokensBefore] = await balances()
      expect(await mayBeSpent(safeAddress, zeroAddress, 10n)).toEqual([true, false])
      expect(await mayBeSpent(safeAddress, zeroAddress, 11n)).toEqual([false, false])
      await spend(safeAddress, zeroAddress, 7n)
      await spend(safeAddress, token, 20n)
      expect(await balances()).toEqual([coinBefore + 7n, tokensBefore + 20n])
      expect((await limitsOf(safeAddress)).limits).toEqual([
        { ...shown, amount: 10n, spent: 7n },
        { ...daily, spent: 20n },
      ])
      expect(await mayBeSpent(safeAddress, zeroAddress, 4n)).toEqual([false, false])
      expect(await mayBeSpent(safeAddress, token, 1n)).toEqual([false, false])

      // A new amount leaves what is spent; the period that is over does not.
      await carryOut(safeAddress, [{ kind: 'set-limit', ...limit, amount: 9n, resetMinutes: 0 }])
      await requestNode(devnet.rpcUrl, 'evm_increaseTime', 1441 * 60)
      await requestNode(devnet.rpcUrl, 'evm_mine')
      expect((await limitsOf(safeAddress)).limits).toEqual([{ ...shown, amount: 9n, spent: 7n }, daily])
      await carryOut(safeAddress, [{ kind: 'reset-limit', ...limit }])
      expect((await limitsOf(safeAddress)).limits).toEqual([{ ...shown, amount: 9n }, daily])
      expect(await mayBeSpent(safeAddress, zeroAddress, 9n)).toEqual([true, false])

      // A module that is disabled lets nothing be spent, and keeps its limits for when it is enabled again.
      await carryOut(safeAddress, [{ kind: 'disable-module', module }])
      expect(await mayBeSpent(safeAddress, zeroAddress, 9n)).toEqual([false, false])
      expect((await limitsOf(safeAddress)).limits).toEqual([{ ...shown, amount: 9n }, daily])
      await carryOut(safeAddress, [{ kind: 'enable-module', module }])
      expect(await mayBeSpent(safeAddress, zeroAddress, 9n)).toEqual([true, false])

      await carryOut(safeAddress, [{ kind: 'delete-limit', ...limit }])
      expect((await limitsOf(safeAddress)).limits).toEqual([daily])
      expect(await mayBeSpent(safeAddress, zeroAddress, 1n)).toEqual([false, false])
      await carryOut(safeAddress, [{ kind: 'set-limit', ...limit, amount: 3n, resetMinutes: 10080 }])
      expect((await limitsOf(safeAddress)).limits).toEqual([{ ...shown, amount: 3n, resetMinutes: 10080 }, daily])
    },
  )

  test('behavior: says that there are more delegates than are read', async () => {
    const safeAddress = await newSafe('1.4.1')
    await requestNode(devnet.rpcUrl, 'anvil_setBalance', safeAddress, toHex(10n ** 18n))
    await requestNode(devnet.rpcUrl, 'anvil_impersonateAccount', safeAddress)
    const add = (from: number, count: number) =>
      sendAll(
        devnet.rpcUrl,
        safeAddress,
        Array.from({ length: count }, (_, index) => ({
          to: module,
          data: encodeFunctionData({
            abi: spendAbi,
            functionName: 'addDelegate',
            args: [getAddress(toHex(from + index, { size: 20 }))],
          }),
          gas: 200_000n,
        })),
      )
    await add(1_000, 50)
    expect((await limitsOf(safeAddress)).isWhole).toBe(true)
    await add(2_000, 1)
    expect((await limitsOf(safeAddress)).isWhole).toBe(false)
  })
})

describe('readContractFit', () => {
  const fitOf = (address: Address, role: ContractRole) =>
    readContractFit(({ method, params = [] }) => requestNode(devnet.rpcUrl, method, ...params), address, role)

  test('default: every released handler fits, a singleton and an account do not', async () => {
    for (const version of ['1.3.0', '1.4.1', '1.5.0'] as const) {
      expect(await fitOf(handlerOf(version), 'handler')).toBe('fits')
      expect(await fitOf(canonicalContract(version, 'multi_send').address, 'handler')).toBe('other-contract')
    }
    expect(await fitOf(canonicalContract('1.5.0', 'extensible_fallback_handler').address, 'handler')).toBe('fits')
    expect(await fitOf(second, 'handler')).toBe('no-contract')
    expect(await fitOf(guard, 'guard')).toBe('fits')
    expect(await fitOf(handlerOf('1.4.1'), 'guard')).toBe('other-contract')
  })
})
