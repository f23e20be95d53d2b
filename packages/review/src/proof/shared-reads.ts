import { type Address, type Hex, isHex } from 'viem'
import { type FactGrade, lowestGrade } from '../simulation/fact-grade.ts'
import type { AccountAnswer, AccountQuestion, StateReader } from '../simulation/state-reader.ts'

type Read = StateReader['read']
/** Null: the account itself. */
type Part = Hex | null
type Asked = { withAccount: boolean; slots: Set<Hex> }

/**
 * Reads nothing twice: the facts of a review and its run ask for the same accounts. All that is asked in one go is read
 * together.
 *
 * @example
 * const read = shareReads((questions) => readFromNode(questions))
 */
export function shareReads(readAll: Read): Read {
  const known = new Map<string, Promise<AccountAnswer>>()
  const hashes = new Map<bigint, Promise<{ hash: Hex | null; grade: FactGrade }>>()
  const next = createCollector(readAll)
  const readPart = (address: Address, part: Part): Promise<AccountAnswer> =>
    keep(known, `${address} ${part}`, () =>
      next({ address, withAccount: part === null, slots: part === null ? [] : [part] }),
    )
  const readHash = (number: bigint) =>
    keep(hashes, number, async () => {
      const { blockHashes } = await readAll({ accounts: [], blockNumbers: [number] })
      return blockHashes[0] ?? { hash: null, grade: 'unknown' as const }
    })
  const readAccount = async ({ address, withAccount, slots }: AccountQuestion): Promise<AccountAnswer> => {
    const key = address.toLowerCase() as Address
    const [account, ...words] = await Promise.all([
      withAccount || slots.length === 0 ? readPart(key, null) : null,
      ...slots.map((slot) => readPart(key, slot)),
    ])
    const found = words.map((answer, index): [Hex, Hex | undefined] => {
      const slot = slots[index] ?? '0x'
      return [slot, answer.slots.get(slot)]
    })
    return {
      address,
      account: withAccount ? (account?.account ?? null) : null,
      slots: new Map(found.filter((entry): entry is [Hex, Hex] => isHex(entry[1]))),
      grade: lowestGrade([...(account ? [account] : []), ...words].map(({ grade }) => grade)),
    }
  }
  return async ({ accounts, blockNumbers }) => {
    const [read, blockHashes] = await Promise.all([
      Promise.all(accounts.map(readAccount)),
      Promise.all(blockNumbers.map(readHash)),
    ])
    return { accounts: read, blockHashes }
  }
}

/** An answer that failed is asked for again. */
function keep<Key, Answer>(known: Map<Key, Promise<Answer>>, key: Key, ask: () => Promise<Answer>): Promise<Answer> {
  const before = known.get(key)
  if (before) return before
  const answer = ask()
  known.set(key, answer)
  answer.catch(() => known.delete(key))
  return answer
}

/** Waits until everything is asked that is asked in one go. */
function createCollector(readAll: Read): (question: AccountQuestion) => Promise<AccountAnswer> {
  let asked = new Map<Address, Asked>()
  let turn: Promise<ReadonlyMap<Address, AccountAnswer>> | null = null
  const flush = async (): Promise<ReadonlyMap<Address, AccountAnswer>> => {
    await Promise.resolve()
    const accounts = Array.from(asked, ([address, { withAccount, slots }]) => ({
      address,
      withAccount,
      slots: [...slots],
    }))
    asked = new Map()
    turn = null
    const answers = await readAll({ accounts, blockNumbers: [] })
    return new Map(answers.accounts.map((answer) => [answer.address, answer]))
  }
  return async ({ address, withAccount, slots }) => {
    const together = asked.get(address) ?? { withAccount: false, slots: new Set<Hex>() }
    asked.set(address, together)
    together.withAccount ||= withAccount
    for (const slot of slots) together.slots.add(slot)
    turn ??= flush()
    const answer = (await turn).get(address)
    if (answer === undefined) throw new Error(`${address} was not answered`)
    return answer
  }
}
