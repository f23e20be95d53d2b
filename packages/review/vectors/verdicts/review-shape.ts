import { deploymentAt, hashSafeTx, parseMessageContent } from '@countersign/safe'
import { type CowOrder, type GivenAbi, hashCowOrder, parseCowOrder, parseGivenAbi } from '@countersign/safe/calls'
import { type Address, concat, type Hex, keccak256, parseAbi, size, toHex, zeroAddress, zeroHash } from 'viem'
import { descriptions } from '../../src/facts/contracts/descriptions.ts'
import { callReceiving, simulated, callOf as simulatedCall } from '../../src/findings/simulation/runs.ts'
import type { MessageInput, ReviewInput, SignedInput, SubjectInput } from '../../src/input.ts'
import { reviewSubject } from '../../src/review.ts'
import { account, codesOf, inputOf, otherOwner, runAsTold, safeAddress, state } from '../../src/scene.ts'
import type { SignedReview } from '../../src/types.ts'
import { isNamedByTeam, type NamedAccount, namedAccounts, type Shape, shapeReader, type WrittenCall } from './shapes.ts'

// Reviews the shapes of this folder, with the usual facts around them.

const known: Record<string, NamedAccount> = {
  ...namedAccounts,
  Safe: { address: safeAddress },
  Owner: { address: account.address, key: true },
  OtherOwner: { address: otherOwner, key: true },
}
const { addressOf, readValue, callOf, batchOf, namesIn } = shapeReader(known)

const ofAccounts = Object.values(known)
const tokens = ofAccounts.flatMap(({ address, symbol, decimals }) =>
  symbol === undefined || decimals === undefined ? [] : [{ address, symbol, decimals }],
)
const keyed = <Value>(entries: (readonly [Address, Value])[]) =>
  Object.fromEntries(entries.map(([address, value]) => [address.toLowerCase(), value]))
const code = { codeHash: keccak256('0x6001'), size: 2 }
const noCode = { codeHash: keccak256('0x'), size: 0 }

/** If a shape does not list earlier payees, the team has named all other accounts. */
const namedByTeam = Object.entries(known).flatMap(([name, { address }]) => (isNamedByTeam(name) ? [address] : []))

/** Facts of a shape: the usual ones, replaced by those that the shape names by address. */
function factsOf(facts: Shape['facts'] = {}): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => {
      const read = readValue(value)
      const isByAddress = typeof read === 'object' && read !== null && !Array.isArray(read)
      if (!isByAddress) return [name, read]
      return [name, keyed(Object.entries(read).map(([key, value]) => [addressOf(key.replace(/^\$/, '')), value]))]
    }),
  )
}

/** Rejects every request. The registry of the release is available locally; only a proxy would need the chain. */
const noChain = () => () => Promise.reject(new Error('Nobody is asked.'))

function abisOf(abis: Shape['abis'] = {}): GivenAbi[] {
  return Object.entries(abis).map(([name, functions]) => ({
    address: addressOf(name),
    functions: parseGivenAbi(parseAbi(functions.map((text) => `function ${text}`) as never)),
  }))
}

async function inputOfShape({
  call,
  batch,
  fields = {},
  facts,
  state: change = {},
  abis,
  moves,
  prices,
}: Omit<Shape, 'name' | 'verdict' | 'findings' | 'reason'>): Promise<ReviewInput> {
  const batched = batch && {
    to: addressOf('Official:multi-send-call-only'),
    data: batchOf(batch),
    operation: 1 as const,
  }
  const read = readValue(fields) as Record<string, bigint>
  const input = inputOf(
    { ...(batched ?? callOf(call ?? { to: 'Safe' })), ...read },
    {
      tokens,
      abis: abisOf(abis),
      state: { ...state, balance: 1_000n * 10n ** 18n, ...(readValue(change) as object) },
    },
  )
  const asked = descriptions.needs(input)
  const { codes = {}, ...given } = factsOf(facts) as Partial<ReviewInput>
  const whole: ReviewInput = {
    ...input,
    ...(asked === null ? {} : { descriptions: await descriptions.read(noChain, asked) }),
    balances: keyed(ofAccounts.map(({ address, decimals = 18 }) => [address, 10n ** BigInt(9 + decimals)])),
    collections: keyed(ofAccounts.map(({ address, collection = false }) => [address, collection])),
    ...(given.paid === undefined ? { familiar: namedByTeam } : { provedPayees: [] }),
    ...(prices === undefined ? {} : { prices: { currency: 'USD', ofAsset: pricesOf(prices) } }),
    ...given,
    codes: {
      ...keyed(
        ofAccounts.map(({ address }) => [
          address,
          { ...code, codeHash: deploymentAt(address)?.codeHash ?? code.codeHash },
        ]),
      ),
      ...codesOf(safeAddress, input.safeTx),
      ...keyed(ofAccounts.flatMap(({ address, key = false }) => (key ? [[address, noCode] as const] : []))),
      ...codes,
    },
  }
  if ('simulation' in given) return whole
  const told = { ...whole, simulation: runAsTold(whole) }
  return moves === undefined ? told : withMoves(told, moves)
}

const pricesOf = (prices: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(prices).map(([name, price]) => [
      name === 'native' ? name : addressOf(name.slice(1)).toLowerCase(),
      price,
    ]),
  )

/** Builds a simulation in which the call moves these assets and does nothing else. */
function withMoves(input: ReviewInput, moves: Record<string, string>): ReviewInput {
  const told = input.simulation?.result
  if (told?.status !== 'finished') throw new Error('Nobody can tell what it does.')
  const moved = Object.entries(moves).map(([name, amount]) => {
    const token = name === 'native' ? zeroAddress : addressOf(name.slice(1))
    return { token, amount: readValue(amount) as bigint }
  })
  const { to, value, data } = input.safeTx
  const received = callReceiving(input.safeAddress, moved)
  const made = { ...received, from: input.safeAddress, to, value, input: data, inputSize: size(data) }
  const balances = moved.map(({ token, amount }) => {
    const held = 10n ** 30n
    const standard = token === zeroAddress ? ('native' as const) : ('erc20' as const)
    return { account: input.safeAddress, token, standard, tokenId: null, before: held, after: held + amount }
  })
  return { ...input, simulation: simulated({ ...told, call: simulatedCall({ calls: [made] }), balances }) }
}

/** Resolves the hash that a shape approves to its transaction, with the usual facts and this Safe among the owners. */
async function nestedOf({ nested }: Shape): Promise<ReviewInput | null> {
  if (nested === undefined) return null
  const address = addressOf(nested.safe)
  const owners = (nested.owners ?? ['Safe', 'OtherOwner']).map(addressOf)
  const inputOfCall = async (call: WrittenCall) => {
    const input = await inputOfShape({ call })
    const { safeTx } = input
    const { safeTxHash } = hashSafeTx({ chainId: 1, safeAddress: address, version: '1.4.1', safeTx })
    const ofSafe = { ...state, address, owners, balance: 10n ** 21n }
    const hashes = { claimedHash: safeTxHash, chainSafeTxHash: safeTxHash }
    const other: ReviewInput = { ...input, safeAddress: address, state: ofSafe, ...hashes }
    return { ...other, simulation: runAsTold(other) }
  }
  const { claimedHash } = await inputOfCall(nested.call)
  return { ...(await inputOfCall(nested.served ?? nested.call)), claimedHash }
}

/** Replaces the placeholder of the approved hash. */
async function withNested(shape: Shape): Promise<Shape & { given: SubjectInput[] }> {
  const found = await nestedOf(shape)
  if (found === null) return { ...shape, given: [] }
  const { nested: _read, ...rest } = shape
  return { ...JSON.parse(JSON.stringify(rest).replaceAll('"$nested"', `"${found.claimedHash}"`)), given: [found] }
}

/** Replaces the placeholder of the order uid. */
function withOrder(shape: Shape): Shape & { orders: CowOrder[] } {
  if (shape.order === undefined) return { ...shape, orders: [] }
  const { owner = '$Safe', shown = {}, ...fields } = shape.order
  const read = (changed: object): CowOrder =>
    parseCowOrder(
      JSON.stringify(
        {
          kind: 'sell',
          partiallyFillable: false,
          appData: zeroHash,
          ...(readValue({ ...fields, ...changed }) as object),
        },
        (_, value) => (typeof value === 'bigint' ? String(value) : value),
      ),
    )
  const order = read({})
  const uid = concat([hashCowOrder(order, 1), addressOf(owner.slice(1)), toHex(order.validTo, { size: 4 })])
  const { order: _read, ...rest } = shape
  return { ...JSON.parse(JSON.stringify(rest).replaceAll('"$uid"', `"${uid}"`)), orders: [read(shown)] }
}

function messageOfShape({ message }: Shape): MessageInput {
  const content =
    typeof message === 'object' && message !== null && 'bytes' in message
      ? ({ encoding: 'RAW', bytes: message.bytes as Hex } as const)
      : parseMessageContent(JSON.stringify(namesIn(message)))
  const { nodeChainId = 1, ...rest } = inputOf({})
  return { ...rest, kind: 'message', content, claimedHash: null, nodeChainId, now: Date.parse('2026-01-01') }
}

/** Builds the review input of a shape. With `isRun`, it has a simulation of the call that a node confirms. */
export async function inputOfWritten(written: Shape, { isRun = false } = {}): Promise<SignedInput> {
  const { given: nested, ...placed } = await withNested(written)
  const { orders, ...shape } = withOrder(placed)
  if (shape.message !== undefined) return { ...messageOfShape(shape), nested }
  const input = { ...(await inputOfShape(shape)), nested, orders }
  return isRun ? withRun(input) : input
}

/** Reviews a shape. `isRun` has the meaning it has in {@link inputOfWritten}. */
export async function reviewShape(written: Shape, options: { isRun?: boolean } = {}): Promise<SignedReview> {
  return reviewSubject(await inputOfWritten(written, options))
}

function withRun(input: ReviewInput): ReviewInput {
  const told = input.simulation?.result
  if (told?.status !== 'finished') throw new Error('Nobody can tell what it does.')
  const { to, value, data } = input.safeTx
  const made = simulatedCall({ from: input.safeAddress, to, value, input: data, inputSize: size(data) })
  return { ...input, simulation: simulated({ ...told, call: { ...told.call, calls: [...told.call.calls, made] } }) }
}
