import { officialDeployment, type SafeState } from '@countersign/safe'
import {
  type Address,
  decodeFunctionData,
  formatUnits,
  getAddress,
  type Hex,
  numberToHex,
  parseAbi,
  parseUnits,
  zeroAddress,
} from 'viem'
import { expect, it } from 'vitest'
import { createRandomInt, isSoak, seed } from '../../../../../scripts/testing/random-tests.mjs'
import { type Draft, emptyDraft, newEntry, parseDraft, type Typed, writeDraft } from './draft.ts'
import { type DraftFacts, readDraft } from './read-draft.ts'

// A form says what its bytes do: fields are filled at random, and the transaction is read by viem and by the
// layout of MultiSend as its source has it, not by the code that wrote it.

const DRAFTS = isSoak ? 20_000 : 2_000
const token: Address = '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512'
const odd: Address = '0x4444444444444444444444444444444444444444'
const allowanceModule: Address = '0xCFbFaC74C26F8647cBDb8c5caf80BB5b32E43134'
const multiSend = officialDeployment('multi-send-call-only', '1.4.1')?.address ?? zeroAddress
const singleton = officialDeployment('singleton', '1.4.1')
const random = createRandomInt()

const abi = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function safeTransferFrom(address from, address to, uint256 id)',
  'function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data)',
  'function addOwnerWithThreshold(address owner, uint256 threshold)',
  'function swapOwner(address previous, address oldOwner, address newOwner)',
  'function removeOwner(address previous, address owner, uint256 threshold)',
  'function addDelegate(address delegate)',
  'function setAllowance(address delegate, address token, uint96 amount, uint16 minutes, uint32 base)',
  'function resetAllowance(address delegate, address token)',
  'function deleteAllowance(address delegate, address token)',
  'struct Note { bool ok; string word; }',
  'function pay(address to, uint256 amount, int64[] marks, Note note) payable',
])
const payAbi = 'function pay(address to, uint256 amount, int64[] marks, (bool ok, string word) note) payable'

const account = (): Address => getAddress(numberToHex(BigInt(2 + random(2 ** 30)) * 104_729n, { size: 20 }))
const either = <Value>(...values: readonly Value[]): Value => values[random(values.length)] as Value
const typedAddress = (address: Address) => either(address, address.toLowerCase(), ` ${address} `)

/** An amount as somebody types it, with at most so many decimals, and the same in the smallest unit by viem. */
function amountOf(decimals: number): { typed: string; value: bigint } {
  const digits = random(decimals + 1)
  const whole = BigInt(random(10 ** 9))
  const fraction = digits === 0 ? '' : `.${String(1 + random(10 ** Math.min(digits, 9) - 1)).padStart(digits, '0')}`
  const typed = `${whole === 0n && fraction === '' ? 1n : whole}${fraction}`
  return { typed, value: parseUnits(typed, decimals) }
}

/** A call as the form announces it: bytes, or a function with its arguments. */
type Announced = { to: Address; value: bigint; data?: Hex; name?: string; args?: readonly unknown[] }
type Filled = { kind: Parameters<typeof newEntry>[1]; typed: Partial<Typed>; calls: Announced[] }

const safeAddress: Address = '0x5FbDB2315678afecb367f032d93F642f64180aa3'

function fillPayment(): Filled {
  const to = account()
  const recipient = typedAddress(to)
  const [asset, decimals] = either<[Address | null, number]>([null, 18], [token, 6], [odd, 2])
  const { typed: amount, value } = amountOf(decimals)
  if (asset === null) return { kind: 'transfer', typed: { recipient, amount }, calls: [{ to, value, data: '0x' }] }
  const named = asset === odd ? { asset: 'other', tokenAddress: typedAddress(odd) } : { asset: token }
  return {
    kind: 'transfer',
    typed: { ...named, recipient, amount },
    calls: [{ to: asset, value: 0n, name: 'transfer', args: [to, value] }],
  }
}

function fillItem(): Filled {
  const [to, collection] = [account(), account()]
  const [id, count] = [BigInt(random(2 ** 30)), BigInt(1 + random(1_000))]
  const item = { collection: typedAddress(collection), recipient: typedAddress(to), tokenId: String(id) }
  const isMany = random(2) === 0
  const args = isMany ? [safeAddress, to, id, count, '0x'] : [safeAddress, to, id]
  return {
    kind: 'item',
    calls: [{ to: collection, value: 0n, name: 'safeTransferFrom', args }],
    typed: isMany ? { ...item, standard: 'erc1155', amount: String(count) } : { ...item, standard: 'erc721' },
  }
}

function fillCall(): Filled {
  const contract = account()
  const sent = amountOf(18)
  const fields = { contract: typedAddress(contract), amount: sent.typed }
  if (random(2) === 0) {
    const data = numberToHex(BigInt(random(2 ** 30)), { size: 1 + random(40) + 4 })
    return { kind: 'call', typed: { ...fields, data }, calls: [{ to: contract, value: sent.value, data }] }
  }
  const to = account()
  const [unit, decimals] = either<[string, number]>([' ether', 18], [' gwei', 9], ['e6', 6])
  const { typed, value } = amountOf(decimals)
  const marks = Array.from({ length: random(4) }, () => random(2 ** 20) - 2 ** 19)
  const note = { ok: random(2) === 0, word: either('', 'Miete', '“x”, [1]', '0x12', '日本') }
  const args = [to, `${typed}${unit}`, marks.map(String), [String(note.ok), note.word]]
  return {
    kind: 'function',
    typed: { ...fields, abi: payAbi, args: JSON.stringify(args) },
    calls: [{ to: contract, value: sent.value, name: 'pay', args: [to, value, marks.map(BigInt), note] }],
  }
}

function fillLimit(): Filled {
  const delegate = account()
  const asset = either<[Address | null, number]>([null, 18], [token, 6])
  const fields = { module: allowanceModule, delegate: typedAddress(delegate), asset: asset[0] ?? 'native' }
  const about = { to: allowanceModule, value: 0n }
  const place = [delegate, asset[0] ?? zeroAddress]
  const kind = either('set-limit' as const, 'reset-limit' as const, 'delete-limit' as const)
  if (kind !== 'set-limit') {
    const name = kind === 'reset-limit' ? 'resetAllowance' : 'deleteAllowance'
    return { kind, typed: fields, calls: [{ ...about, name, args: place }] }
  }
  const { typed: amount, value } = amountOf(asset[1])
  const resetMinutes = either('', '1440', '43200')
  return {
    kind,
    typed: { ...fields, amount, resetMinutes },
    calls: [
      { ...about, name: 'addDelegate', args: [delegate] },
      { ...about, name: 'setAllowance', args: [...place, value, Number(resetMinutes), 0] },
    ],
  }
}

/** A change of owners, with the list that the chain will have by then. */
function fillOwners(owners: Address[]): Filled {
  const about = { to: safeAddress, value: 0n }
  const joins = account()
  const at = random(owners.length)
  const leaves = owners[at] ?? joins
  const previous = owners[at - 1] ?? '0x0000000000000000000000000000000000000001'
  const kind = owners.length === 1 ? 'add-owner' : either('add-owner', 'swap-owner', 'remove-owner')
  if (kind === 'add-owner') {
    owners.unshift(joins)
    const threshold = 1 + random(owners.length)
    return {
      kind,
      typed: { newOwner: typedAddress(joins), threshold: String(threshold) },
      calls: [{ ...about, name: 'addOwnerWithThreshold', args: [joins, BigInt(threshold)] }],
    }
  }
  if (kind === 'swap-owner') {
    owners[at] = joins
    return {
      kind,
      typed: { owner: leaves, newOwner: typedAddress(joins) },
      calls: [{ ...about, name: 'swapOwner', args: [previous, leaves, joins] }],
    }
  }
  owners.splice(at, 1)
  const threshold = 1 + random(owners.length)
  return {
    kind: 'remove-owner',
    typed: { owner: leaves, threshold: String(threshold) },
    calls: [{ ...about, name: 'removeOwner', args: [previous, leaves, BigInt(threshold)] }],
  }
}

/** The entries of MultiSend: operation, address, value, length and data, one behind the other. */
function unpack(data: Hex): { operation: number; to: Address; value: bigint; data: Hex }[] {
  const decoded = decodeFunctionData({ abi: parseAbi(['function multiSend(bytes transactions)']), data })
  const digits = decoded.args[0].slice(2)
  const calls: ReturnType<typeof unpack> = []
  for (let at = 0; at < digits.length; ) {
    const take = (bytes: number) => {
      const taken = digits.slice(at, at + 2 * bytes)
      at += 2 * bytes
      return taken
    }
    const [operation, to, value] = [Number(`0x${take(1)}`), getAddress(`0x${take(20)}`), BigInt(`0x${take(32)}`)]
    calls.push({ operation, to, value, data: `0x${take(Number(`0x${take(32)}`))}` })
  }
  return calls
}

function factsWith(owners: Address[]): DraftFacts {
  const safe: SafeState = {
    chainId: 1,
    address: safeAddress,
    blockNumber: 9n,
    owners,
    threshold: 1,
    nonce: 3n,
    proxyCodeHash: '0x',
    isOfficialProxy: true,
    version: '1.4.1',
    reportedVersion: '1.4.1',
    modules: [allowanceModule],
    singleton: singleton?.address ?? zeroAddress,
    singletonCodeHash: singleton?.codeHash ?? '0x',
    guard: null,
    moduleGuard: null,
    fallbackHandler: null,
    balance: 10n ** 18n,
  }
  return {
    safe,
    currency: { symbol: 'ETH', decimals: 18 },
    nextNonce: 5n,
    allowed: [],
    multiSend,
    fits: new Map(),
    registered: new Map(),
    tokens: new Map([
      [token.toLowerCase(), { address: token, symbol: 'TUSD', decimals: 6 }],
      [odd, { address: odd, symbol: 'ODD', decimals: 2 }],
    ]),
  }
}

it(`the form says what the bytes do, on ${DRAFTS} random drafts, kept and opened again`, () => {
  for (let count = 0; count < DRAFTS; count++) {
    const owners = Array.from({ length: 1 + random(4) }, account)
    const facts = factsWith([...owners])
    const filled = Array.from({ length: 1 + random(6) }, () =>
      either(fillPayment, fillPayment, fillItem, fillCall, fillLimit, () => fillOwners(owners))(),
    )
    const entries = filled.map(({ kind, typed }, index) => newEntry(index + 1, kind, typed))
    const draft: Draft = { ...emptyDraft, entries }
    const read = readDraft(parseDraft(JSON.parse(writeDraft(draft))) ?? emptyDraft, facts)
    const about = `seed ${seed}, draft ${count}: ${JSON.stringify(entries.map(({ kind }) => kind))}`
    expect([about, read.parts.flatMap(({ errors }) => Object.entries(errors))]).toEqual([about, []])
    const { safeTx } = read
    if (safeTx === null) throw new Error(about)
    const announced = filled.flatMap(({ calls }) => calls)
    const carried =
      announced.length === 1
        ? [{ operation: safeTx.operation, to: safeTx.to, value: safeTx.value, data: safeTx.data }]
        : unpack(safeTx.data)
    if (announced.length > 1) expect([safeTx.to, safeTx.operation, safeTx.value]).toEqual([multiSend, 1, 0n])
    expect([about, carried.length, safeTx.nonce]).toEqual([about, announced.length, 5n])
    for (const [index, { to, value, data, name, args }] of announced.entries()) {
      const call = carried[index]
      expect([about, index, call?.operation, call?.to, formatUnits(call?.value ?? -1n, 0)]).toEqual([
        about,
        index,
        0,
        to,
        formatUnits(value, 0),
      ])
      if (data !== undefined) expect([about, index, call?.data]).toEqual([about, index, data])
      else {
        const decoded = decodeFunctionData({ abi, data: call?.data ?? '0x' })
        expect([about, index, decoded.functionName, decoded.args]).toEqual([about, index, name, args])
      }
    }
  }
})
