import {
  createERC20TokenTransferTransaction,
  decodeMultiSendData,
  encodeMultiSendData,
  getSafeContract,
  SafeProvider,
} from '@safe-global/protocol-kit'
import fc from 'fast-check'
import {
  type Address,
  bytesToHex,
  decodeFunctionData,
  encodeFunctionData,
  getAddress,
  type Hex,
  parseAbi,
  zeroAddress,
} from 'viem'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../../scripts/testing/random-tests.mjs'
import { multiSendAbi } from '../abi/abi.ts'
import { officialDeployment } from '../deployments/deployments.ts'
import { type ComposingSafe, composeCalls, composeSafeTx, libraryCandidates } from './compose-calls.ts'
import type { Intent } from './intent.ts'
import { SENTINEL } from './settings-after.ts'

const allowanceModule: Address = '0xCFbFaC74C26F8647cBDb8c5caf80BB5b32E43134'
const [anna, bruno, carla, dario] = [1, 2, 3, 4].map((digit) => getAddress(`0x${String(digit).repeat(40)}`)) as [
  Address,
  Address,
  Address,
  Address,
]
const library = officialDeployment('multi-send-call-only', '1.4.1')?.address ?? zeroAddress

const safe: ComposingSafe = {
  address: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  owners: [anna, bruno],
  threshold: 2,
  modules: [allowanceModule],
  guard: null,
  moduleGuard: null,
  fallbackHandler: null,
  version: '1.5.0',
  reportedVersion: '1.5.0',
  singleton: officialDeployment('singleton', '1.5.0')?.address ?? zeroAddress,
}

/** Reads the calls as somebody else would: viem for functions, the kit of the Safe project for batches. */
const secondAbi = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function safeTransferFrom(address from, address to, uint256 id)',
  'function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data)',
  'function addOwnerWithThreshold(address owner, uint256 threshold)',
  'function removeOwner(address previous, address owner, uint256 threshold)',
  'function swapOwner(address previous, address oldOwner, address newOwner)',
  'function changeThreshold(uint256 threshold)',
  'function enableModule(address module)',
  'function disableModule(address previous, address module)',
  'function setGuard(address guard)',
  'function setModuleGuard(address guard)',
  'function setFallbackHandler(address handler)',
  'function addDelegate(address delegate)',
  'function setAllowance(address delegate, address token, uint96 amount, uint16 minutes, uint32 base)',
  'function resetAllowance(address delegate, address token)',
  'function deleteAllowance(address delegate, address token)',
])

const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => getAddress(bytesToHex(bytes)))
  .filter((one) => BigInt(one) > 1n)
const person = fc.constantFrom(anna, bruno, carla, dario)
const amount = fc.bigInt({ min: 1n, max: 2n ** 256n - 1n })
const threshold = fc.integer({ min: 0, max: 5 })
const place = fc.option(fc.oneof(address, person))
const intent: fc.Arbitrary<Intent> = fc.oneof(
  fc.record({ kind: fc.constant('send-native' as const), to: address, amount }),
  fc.record({ kind: fc.constant('send-erc20' as const), token: address, to: address, amount }),
  fc.record({ kind: fc.constant('send-erc721' as const), collection: address, to: address, tokenId: amount }),
  fc.record({ kind: fc.constant('send-erc1155' as const), collection: address, to: address, tokenId: amount, amount }),
  fc.record({
    kind: fc.constant('call' as const),
    to: address,
    value: amount,
    data: fc.uint8Array({ maxLength: 99 }).map((bytes): Hex => bytesToHex(bytes)),
  }),
  fc.record({ kind: fc.constant('add-owner' as const), owner: person, threshold }),
  fc.record({ kind: fc.constant('remove-owner' as const), owner: person, threshold }),
  fc.record({ kind: fc.constant('swap-owner' as const), owner: person, newOwner: person }),
  fc.record({ kind: fc.constant('change-threshold' as const), threshold }),
  fc.record({ kind: fc.constant('enable-module' as const), module: person }),
  fc.record({ kind: fc.constant('disable-module' as const), module: person }),
  fc.record({ kind: fc.constant('set-guard' as const), guard: place }),
  fc.record({ kind: fc.constant('set-module-guard' as const), guard: place }),
  fc.record({ kind: fc.constant('set-handler' as const), handler: place }),
  fc.record({
    kind: fc.constant('set-limit' as const),
    module: fc.constant(allowanceModule),
    delegate: person,
    token: address,
    amount: fc.bigInt({ min: 1n, max: 2n ** 96n - 1n }),
    resetMinutes: fc.integer({ min: 0, max: 65_535 }),
  }),
  fc.record({
    kind: fc.constant('reset-limit' as const),
    module: fc.constant(allowanceModule),
    delegate: person,
    token: address,
  }),
  fc.record({
    kind: fc.constant('delete-limit' as const),
    module: fc.constant(allowanceModule),
    delegate: person,
    token: address,
  }),
)

/** A linked list of OwnerManager or ModuleManager, each entry pointing at the next, as the contracts keep it. */
function linkedList(items: readonly Address[]) {
  const next = new Map<string, string>()
  const all = [SENTINEL, ...items, SENTINEL]
  for (const [index, item] of all.slice(0, -1).entries()) next.set(item, all[index + 1] ?? SENTINEL)
  const insert = (previous: string, item: string) => {
    expect(next.has(item)).toBe(false)
    next.set(item, next.get(previous) ?? SENTINEL)
    next.set(previous, item)
  }
  const remove = (previous: string, item: string) => {
    expect(next.get(previous)).toBe(item)
    next.set(previous, next.get(item) ?? SENTINEL)
    next.delete(item)
  }
  return {
    insert,
    remove,
    list: () => {
      const found: string[] = []
      for (let at = next.get(SENTINEL); at !== undefined && at !== SENTINEL; at = next.get(at)) found.push(at)
      return found
    },
  }
}

/** Carries out calls on the settings as the contracts do, and says of every other call what it does. */
function carryOut(calls: readonly { to: string; value: string; data: string; operation?: number }[]) {
  const owners = linkedList(safe.owners)
  const modules = linkedList(safe.modules)
  const state = {
    threshold: safe.threshold,
    guard: safe.guard,
    moduleGuard: safe.moduleGuard,
    handler: safe.fallbackHandler,
  }
  const orNull = (one: Address) => (one === zeroAddress ? null : one)
  const setThreshold = (value: bigint) => {
    expect(value >= 1n && value <= BigInt(owners.list().length)).toBe(true)
    state.threshold = Number(value)
  }
  const said: string[] = []
  for (const { to, value, data, operation = 0 } of calls) {
    expect(operation).toBe(0)
    let called: ReturnType<typeof decodeFunctionData<typeof secondAbi>> | null = null
    try {
      called = decodeFunctionData({ abi: secondAbi, data: data as Hex })
    } catch {
      // Bytes of a call that nobody here knows, or none.
    }
    if (getAddress(to) === safe.address && called !== null) {
      expect(value).toBe('0')
      switch (called.functionName) {
        case 'addOwnerWithThreshold':
          owners.insert(SENTINEL, called.args[0])
          setThreshold(called.args[1])
          break
        case 'removeOwner':
          owners.remove(called.args[0], called.args[1])
          setThreshold(called.args[2])
          break
        case 'swapOwner':
          owners.remove(called.args[0], called.args[1])
          owners.insert(called.args[0], called.args[2])
          break
        case 'changeThreshold':
          setThreshold(called.args[0])
          break
        case 'enableModule':
          modules.insert(SENTINEL, called.args[0])
          break
        case 'disableModule':
          modules.remove(called.args[0], called.args[1])
          break
        case 'setGuard':
          state.guard = orNull(called.args[0])
          break
        case 'setModuleGuard':
          state.moduleGuard = orNull(called.args[0])
          break
        case 'setFallbackHandler':
          state.handler = orNull(called.args[0])
          break
        default:
          throw new Error(`no setting: ${called.functionName}`)
      }
    } else said.push([getAddress(to), value, called ? `${called.functionName} ${called.args.join()}` : data].join(' '))
  }
  return { said, owners: owners.list(), modules: modules.list(), ...state }
}

/** The calls that are no settings, in the words of the form. */
function sayIntent(one: Intent): string[] {
  switch (one.kind) {
    case 'send-native':
      return [`${one.to} ${one.amount} 0x`]
    case 'send-erc20':
      return [`${one.token} 0 transfer ${one.to},${one.amount}`]
    case 'send-erc721':
      return [`${one.collection} 0 safeTransferFrom ${safe.address},${one.to},${one.tokenId}`]
    case 'send-erc1155':
      return [`${one.collection} 0 safeTransferFrom ${safe.address},${one.to},${one.tokenId},${one.amount},0x`]
    case 'call':
      return [`${one.to} ${one.value} ${one.data}`]
    case 'set-limit':
      return [
        `${one.module} 0 addDelegate ${one.delegate}`,
        `${one.module} 0 setAllowance ${one.delegate},${one.token},${one.amount},${one.resetMinutes},0`,
      ]
    case 'reset-limit':
      return [`${one.module} 0 resetAllowance ${one.delegate},${one.token}`]
    case 'delete-limit':
      return [`${one.module} 0 deleteAllowance ${one.delegate},${one.token}`]
    default:
      return []
  }
}

describe('composeCalls', () => {
  test('property: what the form says is what the bytes do', () => {
    fc.assert(
      fc.property(fc.array(intent, { minLength: 1, maxLength: 8 }), (intents) => {
        const draft = composeCalls(intents, safe)
        const wanted = intents.filter((_, index) => draft.intents[index]?.problems.length === 0)
        const safeTx = composeSafeTx(draft.calls, { nonce: 7n, multiSend: library })
        if (safeTx === null) {
          expect(draft.calls).toEqual([])
          return
        }
        const calls =
          draft.calls.length === 1
            ? [{ to: safeTx.to, value: String(safeTx.value), data: safeTx.data, operation: safeTx.operation }]
            : decodeMultiSendData(safeTx.data)
        if (draft.calls.length > 1)
          expect({ ...safeTx, data: '0x' }).toMatchObject({ to: library, value: 0n, operation: 1 })
        expect(safeTx.nonce).toBe(7n)
        const done = carryOut(calls)
        expect(done.said).toEqual(wanted.flatMap(sayIntent))
        expect({ ...done, said: [] }).toEqual({
          said: [],
          owners: draft.after.owners,
          modules: draft.after.modules,
          threshold: draft.after.threshold,
          guard: draft.after.guard,
          moduleGuard: draft.after.moduleGuard,
          handler: draft.after.fallbackHandler,
        })
      }),
      runs(2_000),
    )
  })

  test.each<[string, Intent, string, string]>([
    ['a threshold above the owners', { kind: 'change-threshold', threshold: 3 }, 'threshold', 'threshold-above-owners'],
    ['a threshold of zero', { kind: 'change-threshold', threshold: 0 }, 'threshold', 'threshold-zero'],
    ['half a threshold', { kind: 'change-threshold', threshold: 1.5 }, 'threshold', 'threshold-zero'],
    ['the threshold that is there', { kind: 'change-threshold', threshold: 2 }, 'threshold', 'unchanged'],
    ['an owner who is there', { kind: 'add-owner', owner: anna, threshold: 2 }, 'owner', 'owner-there'],
    ['the Safe as its own owner', { kind: 'add-owner', owner: safe.address, threshold: 2 }, 'owner', 'safe-itself'],
    [
      'the end of the list as an owner',
      { kind: 'add-owner', owner: SENTINEL, threshold: 2 },
      'owner',
      'owner-reserved',
    ],
    [
      'a threshold above who is left',
      { kind: 'remove-owner', owner: anna, threshold: 2 },
      'threshold',
      'threshold-above-owners',
    ],
    ['a stranger to remove', { kind: 'remove-owner', owner: carla, threshold: 1 }, 'owner', 'owner-missing'],
    ['a stranger to replace', { kind: 'swap-owner', owner: carla, newOwner: dario }, 'owner', 'owner-missing'],
    [
      'an owner in the place of another',
      { kind: 'swap-owner', owner: anna, newOwner: bruno },
      'newOwner',
      'owner-there',
    ],
    ['a module that is there', { kind: 'enable-module', module: allowanceModule }, 'module', 'module-there'],
    ['a module that is not', { kind: 'disable-module', module: carla }, 'module', 'module-missing'],
    ['no guard to take away', { kind: 'set-guard', guard: null }, 'guard', 'unchanged'],
    ['the zero address as a guard', { kind: 'set-guard', guard: zeroAddress }, 'guard', 'place-reserved'],
    ['the end of a list as a handler', { kind: 'set-handler', handler: SENTINEL }, 'handler', 'place-reserved'],
    ['the Safe as its handler', { kind: 'set-handler', handler: safe.address }, 'handler', 'safe-itself'],
    ['the Safe as its guard', { kind: 'set-guard', guard: safe.address }, 'guard', 'safe-itself'],
    ['the zero address', { kind: 'send-native', to: zeroAddress, amount: 1n }, 'to', 'zero-address'],
    ['tokens to their own contract', { kind: 'send-erc20', token: carla, to: carla, amount: 1n }, 'to', 'token-itself'],
    ['the Safe as recipient', { kind: 'send-native', to: safe.address, amount: 1n }, 'to', 'safe-itself'],
    ['nothing', { kind: 'send-native', to: carla, amount: 0n }, 'amount', 'amount-zero'],
    ['more than 2^256', { kind: 'send-native', to: carla, amount: 2n ** 256n }, 'amount', 'amount-too-large'],
    ['a call that does nothing', { kind: 'call', to: carla, value: 0n, data: '0x' }, 'data', 'does-nothing'],
    [
      'the release that is there',
      { kind: 'upgrade', version: '1.5.0', isL2: false, setsHandler: true },
      'version',
      'unchanged',
    ],
    [
      'an older release',
      { kind: 'upgrade', version: '1.4.1', isL2: false, setsHandler: true },
      'version',
      'older-version',
    ],
    [
      'a limit above what the module holds',
      { kind: 'set-limit', module: allowanceModule, delegate: carla, token: dario, amount: 2n ** 96n, resetMinutes: 0 },
      'amount',
      'amount-too-large',
    ],
    ...[65_536, -1, 1.5, Number.NaN].map((resetMinutes): [string, Intent, string, string] => [
      `a period of ${resetMinutes} minutes`,
      { kind: 'set-limit', module: allowanceModule, delegate: carla, token: dario, amount: 1n, resetMinutes },
      'resetMinutes',
      'period-too-long',
    ]),
    [
      'a limit without the module',
      { kind: 'reset-limit', module: bruno, delegate: carla, token: dario },
      'module',
      'module-missing',
    ],
  ])('behavior: refuses %s', (_, one, field, reason) => {
    const [composed] = composeCalls([one], safe).intents
    expect(composed?.calls).toEqual([])
    expect(composed?.problems.map((problem) => [problem.field, problem.reason])).toEqual([[field, reason]])
  })

  test('behavior: the last owner stays', () => {
    const alone = { ...safe, owners: [anna], threshold: 1 }
    const [composed] = composeCalls([{ kind: 'remove-owner', owner: anna, threshold: 1 }], alone).intents
    expect(composed?.problems).toEqual([{ field: 'owner', reason: 'last-owner' }])
  })

  test('behavior: an owner is added, another leaves, and the first is behind it by then', () => {
    const { calls, after } = composeCalls(
      [
        { kind: 'add-owner', owner: carla, threshold: 2 },
        { kind: 'remove-owner', owner: anna, threshold: 2 },
      ],
      safe,
    )
    expect(decodeFunctionData({ abi: secondAbi, data: calls[1]?.data ?? '0x' }).args).toEqual([carla, anna, 2n])
    expect(after).toMatchObject({ owners: [carla, bruno], threshold: 2 })
  })

  test.each([
    ['1.1.1', { kind: 'set-guard', guard: carla }, '1.3.0'],
    ['1.4.1', { kind: 'set-module-guard', guard: carla }, '1.5.0'],
    ['1.0.0', { kind: 'set-handler', handler: carla }, '1.1.1'],
    ['1.0.0', { kind: 'upgrade', version: '1.4.1', isL2: false, setsHandler: true }, '1.1.1'],
  ] as const)('behavior: a Safe %s has no such setting', (version, one, needed) => {
    const [composed] = composeCalls([one], { ...safe, version }).intents
    expect(composed?.problems).toMatchObject([{ reason: 'needs-version', version: needed }])
  })

  test('behavior: an upgrade stands alone', () => {
    const upgrade: Intent = { kind: 'upgrade', version: '1.5.0', isL2: true, setsHandler: true }
    const old = { ...safe, version: '1.4.1' }
    expect(composeCalls([upgrade], old).calls).toMatchObject([{ operation: 1, data: '0x68cb3d94' }])
    const both = composeCalls([upgrade, { kind: 'send-native', to: carla, amount: 1n }], old)
    expect(both.intents[0]?.problems).toEqual([{ field: 'version', reason: 'not-alone' }])
    const unofficial = composeCalls([upgrade], { ...safe, version: null })
    expect(unofficial.intents[0]?.problems).toEqual([{ field: 'version', reason: 'unofficial-version' }])
  })

  test('behavior: runs no code as the Safe but functions of official libraries and what the policy allows, alone', () => {
    const library = libraryCandidates('sign-message-lib', safe)[0]?.address ?? zeroAddress
    const signs: Intent = { kind: 'call', to: library, value: 0n, data: '0x85a5affe00', operation: 1 }
    const reasons = (intents: Intent[], allowed: ComposingSafe['allowed'] = []) =>
      composeCalls(intents, { ...safe, allowed }).intents[0]?.problems.map(({ reason }) => reason)
    expect(composeCalls([signs], safe).calls).toMatchObject([{ to: library, operation: 1 }])
    expect(reasons([{ ...signs, data: '0xdeadbeef' }])).toEqual(['foreign-code'])
    expect(reasons([{ ...signs, data: '0x85' }])).toEqual(['foreign-code'])
    expect(reasons([{ ...signs, value: 1n }])).toEqual(['value-stays'])
    expect(reasons([signs, { kind: 'send-native', to: carla, amount: 1n }])).toEqual(['not-alone'])
    const own: Intent = { ...signs, to: carla, data: '0xdeadbeef' }
    expect(reasons([own])).toEqual(['foreign-code'])
    expect(reasons([own], [{ address: carla, selector: '0x85a5affe' }])).toEqual(['foreign-code'])
    expect(reasons([own], [{ address: carla, selector: '0xdeadbeef' }])).toEqual([])
  })
})

describe('the bytes of the kit of the Safe project', () => {
  const request = async ({ method }: { method: string }) => (method === 'eth_chainId' ? '0x1' : '0x6001')

  test.each(['1.1.1', '1.3.0', '1.4.1', '1.5.0'] as const)('default: settings of a Safe %s', async (version) => {
    const safeProvider = await SafeProvider.init({ provider: { request } })
    const contract = await getSafeContract({ safeProvider, safeVersion: version })
    // The releases differ in the types that the kit declares, not in these functions.
    const encode = contract.encode.bind(contract) as (name: string, args: readonly unknown[]) => Hex
    const data = (one: Intent) => composeCalls([one], { ...safe, version }).calls[0]?.data
    expect(data({ kind: 'add-owner', owner: carla, threshold: 3 })).toBe(encode('addOwnerWithThreshold', [carla, 3n]))
    expect(data({ kind: 'remove-owner', owner: bruno, threshold: 1 })).toBe(encode('removeOwner', [anna, bruno, 1n]))
    expect(data({ kind: 'swap-owner', owner: anna, newOwner: carla })).toBe(
      encode('swapOwner', [SENTINEL, anna, carla]),
    )
    expect(data({ kind: 'change-threshold', threshold: 1 })).toBe(encode('changeThreshold', [1n]))
    expect(data({ kind: 'enable-module', module: carla })).toBe(encode('enableModule', [carla]))
    expect(data({ kind: 'disable-module', module: allowanceModule })).toBe(
      encode('disableModule', [SENTINEL, allowanceModule]),
    )
    expect(data({ kind: 'set-handler', handler: carla })).toBe(encode('setFallbackHandler', [carla]))
    if (version !== '1.1.1') expect(data({ kind: 'set-guard', guard: carla })).toBe(encode('setGuard', [carla]))
    if (version !== '1.5.0') return
    expect(data({ kind: 'set-module-guard', guard: carla })).toBe(encode('setModuleGuard', [carla]))
    const guarded = { ...safe, version, guard: carla, moduleGuard: carla, fallbackHandler: carla }
    const [noGuard, noModuleGuard, noHandler] = composeCalls(
      [
        { kind: 'set-guard', guard: null },
        { kind: 'set-module-guard', guard: null },
        { kind: 'set-handler', handler: null },
      ],
      guarded,
    ).calls
    expect(noGuard?.data).toBe(encode('setGuard', [zeroAddress]))
    expect(noModuleGuard?.data).toBe(encode('setModuleGuard', [zeroAddress]))
    expect(noHandler?.data).toBe(encode('setFallbackHandler', [zeroAddress]))
  })

  test('default: a transfer, and a batch', () => {
    const transfer: Intent = { kind: 'send-erc20', token: carla, to: dario, amount: 5n }
    const { calls } = composeCalls([transfer, { kind: 'send-native', to: bruno, amount: 7n }], safe)
    const ofKit = [
      createERC20TokenTransferTransaction(carla, dario, '5'),
      { to: bruno, value: '7', data: '0x', operation: 0 },
    ]
    expect(calls.map(({ to, value, data }) => ({ to, value: String(value), data }))).toEqual(
      ofKit.map(({ to, value, data }) => ({ to, value, data })),
    )
    const args = [encodeMultiSendData(ofKit) as Hex] as const
    expect(composeSafeTx(calls, { nonce: 0n, multiSend: library })?.data).toBe(
      encodeFunctionData({ abi: multiSendAbi, functionName: 'multiSend', args }),
    )
  })
})

describe('composeSafeTx', () => {
  const call = { to: carla, value: 1n, data: '0x' as const, operation: 0 as const }

  test('default: one call is the transaction, several are a batch', () => {
    expect(composeSafeTx([call], { nonce: 1n, multiSend: null })).toMatchObject({ to: carla, value: 1n, operation: 0 })
    const batch = composeSafeTx([call, call], { nonce: 1n, multiSend: library })
    expect(batch).toMatchObject({ to: library, value: 0n, operation: 1 })
  })

  test('behavior: nothing without calls, without a library, or with a delegatecall among several', () => {
    expect(composeSafeTx([], { nonce: 1n, multiSend: library })).toBeNull()
    expect(composeSafeTx([call, call], { nonce: 1n, multiSend: null })).toBeNull()
    expect(composeSafeTx([call, { ...call, operation: 1 }], { nonce: 1n, multiSend: library })).toBeNull()
  })
})

describe('libraryCandidates', () => {
  test('default: the release of the Safe first, and in its own place', () => {
    expect(libraryCandidates('multi-send-call-only', safe)[0]).toMatchObject({ version: '1.5.0', place: 'canonical' })
    const eip155 = officialDeployment('singleton', '1.3.0', 'eip155')?.address ?? zeroAddress
    expect(libraryCandidates('multi-send-call-only', { version: '1.3.0+L2', singleton: eip155 })[0]).toMatchObject({
      version: '1.3.0',
      place: 'eip155',
    })
    const zksync = officialDeployment('singleton', '1.4.1', 'zksync')?.address ?? zeroAddress
    expect(libraryCandidates('multi-send-call-only', { version: '1.4.1', singleton: zksync })[0]).toMatchObject({
      place: 'zksync',
    })
  })
})
