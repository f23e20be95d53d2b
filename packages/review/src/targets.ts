import { addressWord, assertBytes, type SafeTx } from '@countersign/safe'
import { type Call, describeCall, flattenCalls } from '@countersign/safe/calls'
import { type Address, getAddress, isAddress, size, zeroAddress } from 'viem'
import { argumentAddresses } from './call-arguments.ts'
import type { TransactionGiven } from './given.ts'
import { tokenMovesOf } from './tokens/token-moves.ts'

const MAX_TOKENS = 50

type Described = Pick<TransactionGiven, 'safeAddress' | 'safeTx' | 'abis'> &
  Pick<Parameters<typeof describeCall>[0], 'implementations' | 'descriptions'>

/** A batch can have hundreds of calls, and several ask for them: each transaction is read once for what is known. */
const described = new WeakMap<SafeTx, { by: Omit<Described, 'safeTx'>; call: Call }[]>()
/** Before the chain has answered, and after. */
const MAX_READINGS = 4

/**
 * The tree of calls of a transaction, read by Countersign's own list and by the ABIs that count, also those behind proxies. The
 * same tree for the same object: whoever asks again does not read it again.
 *
 * @throws CountersignError `FIELD_MALFORMED` when an address or the data is none
 * @example
 * describeTransaction({ safeAddress, safeTx }).kind // 'erc20-transfer'
 */
export function describeTransaction({
  safeAddress,
  safeTx,
  abis = [],
  implementations,
  descriptions,
}: Described): Call {
  const readings = described.get(safeTx) ?? []
  const known = readings.find(
    ({ by }) =>
      by.safeAddress === safeAddress &&
      isSameList(by.abis ?? [], abis) &&
      by.implementations === implementations &&
      by.descriptions === descriptions,
  )
  if (known !== undefined) return known.call
  const { to, value, data, operation } = safeTx
  addressWord('safeAddress', safeAddress)
  addressWord('to', to)
  assertBytes('data', data)
  const by = { safeAddress, abis, implementations, descriptions }
  const call = describeCall({ to, value, data, operation, ...by })
  described.set(safeTx, [{ by, call }, ...readings].slice(0, MAX_READINGS))
  return call
}

function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index])
}

/** Tokens that are sent or approved, up to the limit of tokens for which facts are read. */
export function tokensMoved(input: Described): Address[] {
  return allTokensMoved(input).slice(0, MAX_TOKENS)
}

/** Every token that is sent or approved. */
export function allTokensMoved(input: Described): Address[] {
  const found = flattenCalls(describeTransaction(input)).flatMap((call) => {
    const moved = (tokenMovesOf(call) ?? []).map(({ token }): string => token)
    const isToken = call.operation === 0 && (call.kind === 'erc20-transfer' || call.kind === 'erc20-approve')
    return isToken ? [...moved, call.args.find(({ name }) => name === 'token')?.value ?? call.to] : moved
  })
  return [...new Set(found)].filter((target): target is Address => isAddress(target, { strict: false }))
}

/**
 * The addresses whose code a review wants to compare: what is called with data, what is run by delegatecall, and who is
 * given rights. The fact `codes` reads them.
 *
 * @example
 * codeTargets({ safeAddress, safeTx }) // the token that is called, and the spender that it is told of
 */
export function codeTargets(input: Described): Address[] {
  return targetsOf(flattenCalls(describeTransaction(input)))
}

/** Lists the called contracts of calls that are described already. */
export function targetsOf(calls: readonly Call[]): Address[] {
  const found = new Map<string, Address>()
  const add = (address: string) => {
    const key = address.toLowerCase()
    if (!found.has(key) && isAddress(address, { strict: false }) && BigInt(address) > 1n) {
      found.set(key, getAddress(address))
    }
  }
  for (const { to, operation, data, args, kind, implementation, described } of calls) {
    if (operation !== 0 || size(data) > 0) add(to)
    if (kind === 'erc20-transfer' || kind === 'erc721-transfer' || kind === 'erc1155-transfer') continue
    // Which arguments these take is known only once the registry is loaded, or the chain has said which code a proxy has.
    if (implementation !== undefined || described !== undefined) continue
    for (const { type, value } of args) if (type === 'address') add(value)
  }
  return [...found.values()]
}

/**
 * Every address of the call tree once, in the order of its appearance. Reserved ones are not parties.
 *
 * @example
 * counterpartiesOf(review.call) // [token, recipient]
 */
export function counterpartiesOf(call: Call): Address[] {
  const written = new Set(flattenCalls(call).flatMap((inner) => [inner.to, ...argumentAddresses(inner)]))
  const found = new Set([...written].map((address) => getAddress(address)))
  return [...found].filter((address) => address !== zeroAddress && BigInt(address) !== 1n)
}

/**
 * Every recipient of native coin, tokens or items, and the call that pays.
 *
 * @example
 * recipientsOf(flattenCalls(call)).map(({ recipient }) => recipient)
 */
export function recipientsOf(calls: readonly Call[]): { call: Call; recipient: Address }[] {
  return calls.flatMap((call) => {
    const paid = call.operation === 0 && call.value > 0n ? [call.to] : []
    const isTransfer = /^erc(?:20|721|1155)-transfer$/.test(call.kind)
    const given = isTransfer ? call.args.find(({ name }) => name === 'to')?.decoded : undefined
    const moved = (tokenMovesOf(call) ?? []).flatMap(({ to }) => to ?? [])
    const all = [...paid, ...(given?.kind === 'address' ? [given.value] : []), ...moved]
    return all.map((recipient) => ({ call, recipient }))
  })
}
