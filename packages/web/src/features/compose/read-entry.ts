import { limitModules, type SafeState } from '@countersign/safe'
import type { Intent, LimitIntent } from '@countersign/safe/compose'
import { type Address, type Hex, isHex, size, zeroAddress } from 'viem'
import { parseAmount } from '../../safe/worth/amount.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { parseAddress } from '../../ui/form/parse-address.ts'
import { addressProblemText } from '../../ui/form/typed-address.ts'
import type { Entry, FieldErrors, Typed } from './draft.ts'
import { isNameTyped, type NameReading, nameKey } from './registered-name.ts'
import { text } from './text.ts'
import { chosenFunction, encodeTyped, functionsOf, hasRoom, takesNoCoin } from './typed-function.ts'

/** Asset to send: the chain's coin, or a token whose decimals are known. */
export type Asset = { address: Address | null; symbol: string; decimals: number }

/** Facts that the typed fields of an entry are read with. `tokens` by lower-case address; null where none is. */
export type EntryFacts = {
  safe: SafeState
  currency: { symbol: string; decimals: number }
  tokens: ReadonlyMap<string, Asset | null>
  /** Names that were typed, by `nameKey`; undefined while they are read. */
  registered: ReadonlyMap<string, NameReading | undefined>
}

/** An entry as it was read: an intent, or what to say about its fields. */
export type ReadEntry = { intent: Intent } | { errors: FieldErrors }

const MAX_DATA_BYTES = 131_072

/** Collects the faults of the fields of one entry, so that all of them are named at once. */
function reader({ typed }: Entry, facts: EntryFacts) {
  const errors: FieldErrors = {}
  const address = (name: keyof Typed): Address => {
    const read = parseAddress(typed[name])
    if (read.ok) return read.address
    errors[name] = addressProblemText(read.problem, typed[name])
    return zeroAddress
  }
  const recipient = (): Address => {
    if (!isNameTyped(typed.recipient)) return address('recipient')
    const read = facts.registered.get(nameKey(typed.recipient))
    if (read?.kind === 'found') return read.address
    errors.recipient = text(`compose.name.${read?.kind ?? 'reading'}`, {
      name: showUntrusted(typed.recipient.trim(), 60),
    })
    return zeroAddress
  }
  const amount = (name: keyof Typed, { symbol, decimals }: Omit<Asset, 'address'>): bigint => {
    const read = parseAmount(typed[name], decimals)
    if (read.ok) return read.value
    errors[name] = text(`field.amount.${read.problem}`, {
      typed: showUntrusted(typed[name].trim(), 60),
      symbol: showUntrusted(symbol, 20),
      decimals,
    })
    return 0n
  }
  const whole = (name: keyof Typed): bigint => {
    const digits = typed[name].trim()
    if (/^[0-9]{1,78}$/.test(digits)) return BigInt(digits)
    errors[name] = text(digits === '' ? 'compose.whole.empty' : 'compose.whole', { typed: showUntrusted(digits, 80) })
    return 0n
  }
  const asset = (): Asset => {
    if (typed.asset === 'native') return { address: null, ...facts.currency }
    const at = typed.asset === 'other' ? typed.tokenAddress : typed.asset.toLowerCase()
    const read = parseAddress(at)
    const known = read.ok ? facts.tokens.get(read.address.toLowerCase()) : null
    if (known) return known
    errors[typed.asset === 'other' ? 'tokenAddress' : 'asset'] =
      typed.asset === 'other' && !read.ok
        ? addressProblemText(read.problem, at)
        : text(known === undefined ? 'propose.tokenAddress.reading' : 'propose.tokenAddress.none')
    return { address: zeroAddress, symbol: '', decimals: 18 }
  }
  return { errors, address, recipient, amount, whole, asset }
}

/** Reads what was typed into the intent that it means, or says for each field what is wrong. */
export function readEntry(entry: Entry, facts: EntryFacts): ReadEntry {
  const read = reader(entry, facts)
  const intent = intentOf(entry, read, facts)
  return intent !== null && Object.keys(read.errors).length === 0 ? { intent } : { errors: read.errors }
}

/** Reads the intent of an entry by its kind. */
// Complexity: a flat switch with one case for each kind of entry.
function intentOf({ kind, typed }: Entry, read: ReturnType<typeof reader>, facts: EntryFacts): Intent | null {
  const threshold = () => Number(typed.threshold || facts.safe.threshold)
  switch (kind) {
    case 'transfer': {
      const asset = read.asset()
      const payment = { to: read.recipient(), amount: read.amount('amount', asset) }
      return asset.address === null
        ? { kind: 'send-native', ...payment }
        : { kind: 'send-erc20', token: asset.address, ...payment }
    }
    case 'item': {
      const item = {
        collection: read.address('collection'),
        to: read.recipient(),
        tokenId: read.whole('tokenId'),
      }
      return typed.standard === 'erc1155'
        ? { kind: 'send-erc1155', ...item, amount: read.whole('amount') }
        : { kind: 'send-erc721', ...item }
    }
    case 'function':
      return functionCall(typed, read, facts)
    case 'call': {
      const value = valueSent(typed, read, facts)
      const data = parseData(typed.data)
      if (data === null) read.errors.data = text('propose.data.malformed')
      const operation = typed.operation === '1' ? 1 : 0
      return { kind, to: read.address('contract'), value, data: data ?? '0x', operation }
    }
    case 'add-owner':
      return { kind, owner: read.address('newOwner'), threshold: threshold() }
    case 'remove-owner':
      return { kind, owner: read.address('owner'), threshold: threshold() }
    case 'swap-owner':
      return { kind, owner: read.address('owner'), newOwner: read.address('newOwner') }
    case 'change-threshold':
      return { kind, threshold: threshold() }
    case 'enable-module':
    case 'disable-module':
      return { kind, module: read.address('module') }
    case 'set-guard':
    case 'set-module-guard':
      return { kind, guard: typed.place === 'none' ? null : read.address('guard') }
    case 'set-handler':
      return { kind, handler: typed.place === 'none' ? null : read.address('handler') }
    case 'upgrade':
      return {
        kind,
        version: typed.version === '1.4.1' ? '1.4.1' : '1.5.0',
        isL2: typed.code !== 'plain',
        setsHandler: typed.place !== 'keep',
      }
    default:
      return limitOf(kind, typed, read)
  }
}

function limitOf(kind: LimitIntent['kind'], typed: Typed, read: ReturnType<typeof reader>): LimitIntent {
  const asset = read.asset()
  const [module] = limitModules([read.address('module')])
  // An address that was typed for another kind of entry stays, and the list of modules does not show it.
  if (module === undefined) read.errors.module = text('compose.limit.module.none')
  const limit = {
    module: module ?? zeroAddress,
    delegate: read.address('delegate'),
    token: asset.address ?? zeroAddress,
  }
  if (kind !== 'set-limit') return { kind, ...limit }
  const resetMinutes = typed.resetMinutes === '' ? 0 : Number(typed.resetMinutes)
  return { kind, ...limit, amount: read.amount('amount', asset), resetMinutes }
}

/** A call sends nothing unless it says so. */
function valueSent({ amount }: Typed, read: ReturnType<typeof reader>, { currency }: EntryFacts): bigint {
  return /^(?:0+(?:\.0+)?)?$/.test(amount.trim()) ? 0n : read.amount('amount', currency)
}

function functionCall(typed: Typed, read: ReturnType<typeof reader>, facts: EntryFacts): Intent {
  const functions = functionsOf(typed)
  const called = chosenFunction(typed)
  if ('error' in functions) read.errors.abi = functions.error
  else if (called === undefined) read.errors.function = text('compose.function.none')
  else if (!hasRoom(called)) read.errors.function = text('compose.function.large')
  const encoded = called && hasRoom(called) ? encodeTyped(called, typed) : undefined
  if (encoded && 'faults' in encoded) read.errors.args = [...encoded.faults.values()][0] ?? ''
  const data = encoded && 'data' in encoded ? encoded.data : '0x'
  const value = valueSent(typed, read, facts)
  if (value > 0n && called && takesNoCoin(typed, called)) read.errors.amount = text('compose.value.no-coin')
  return { kind: 'call', to: read.address('contract'), value, data }
}

/** Call data as it was pasted; null when it is none. */
function parseData(typed: string): Hex | null {
  const data = typed.trim().toLowerCase() || '0x'
  return isHex(data) && data.length % 2 === 0 && size(data) <= MAX_DATA_BYTES ? data : null
}
