import { CountersignError, fail, type RpcRequest } from '@countersign/safe'
import { type Address, type Hex, isHex, numberToHex, padHex } from 'viem'
import type { FactGrade } from '../simulation/fact-grade.ts'
import type { AccountAnswer, AccountFacts, AccountQuestion, StateReader } from '../simulation/state-reader.ts'
import { readAccountProof, readProvedCode } from './account-proof.ts'
import { shareReads } from './shared-reads.ts'
import { gradeOf, type VouchedBlock } from './vouched-block.ts'

/** geth proves 1,024 in one answer. */
const SLOTS_AT_ONCE = 500

/** A reader of the state of one block that checks what it reads, and keeps for a proof pack what it checked. */
export type ProvedReader = Omit<StateReader, 'header'> & {
  block: VouchedBlock
  /** Answers of `eth_getProof` that were checked, and the code of their accounts. */
  kept: () => KeptProof[]
}

/** An answer of `eth_getProof` as the node gave it, with the slots that it was asked for. */
export type KeptProof = { address: Address; slots: readonly Hex[]; answer: unknown; code: Hex | null }

/**
 * Reads accounts, slots and code at one block, all that is asked together in one batch. An answer with a proof is checked
 * and has the grade of the block's hash. Where the node gives no proofs, or the chain has another format, the plain answer
 * counts as said by one node. A wrong proof is refused: nobody is believed instead. Nothing is asked twice.
 *
 * @throws CountersignError `PROOF_INVALID` for a wrong proof, `RPC_ERROR` for an answer that is none; what `request` throws
 * @example
 * const reader = createProvedReader(request, await readVouchedBlock({ chainId, request, askSources, needed: 2 }))
 * const { accounts } = await reader.read({ accounts: [{ address, withAccount: true, slots: [] }], blockNumbers: [] })
 */
export function createProvedReader(request: RpcRequest, block: VouchedBlock): ProvedReader {
  const kept: KeptProof[] = []
  const at: Place = { request, block, tag: numberToHex(block.number), kept, hasProofs: block.header !== null }
  return {
    chainId: block.chainId,
    headerGrade: gradeOf(block),
    block,
    kept: () => kept,
    read: shareReads(async ({ accounts, blockNumbers }) => {
      const [read, hashes] = await Promise.all([
        Promise.all(accounts.map((question) => readAccount(at, question))),
        Promise.all(blockNumbers.map((number) => readBlockHash(at, number))),
      ])
      return { accounts: read, blockHashes: hashes }
    }),
  }
}

type Place = { request: RpcRequest; block: VouchedBlock; tag: Hex; kept: KeptProof[]; hasProofs: boolean }

async function readAccount(at: Place, question: AccountQuestion): Promise<AccountAnswer> {
  const { address, withAccount, slots } = question
  if (!at.hasProofs) return readPlainly(at, question)
  const parts =
    slots.length === 0
      ? [[]]
      : Array.from({ length: Math.ceil(slots.length / SLOTS_AT_ONCE) }, (_, part) =>
          slots.slice(part * SLOTS_AT_ONCE, (part + 1) * SLOTS_AT_ONCE),
        )
  const asked = parts.map((part) => askProof(at, address, part))
  const [code, ...answers] = await Promise.all([
    withAccount ? at.request({ method: 'eth_getCode', params: [address, at.tag] }) : null,
    ...asked,
  ])
  if (answers.includes(undefined)) {
    at.hasProofs = false
    return readPlainly(at, question)
  }
  try {
    return check(at, question, { code, answers, parts })
  } catch (error) {
    // A chain whose accounts have more fields, and no lie.
    if (!(error instanceof CountersignError) || error.data.reason !== 'account') throw error
    at.hasProofs = false
    return readPlainly(at, question)
  }
}

/** Undefined where the node has no proofs, or none of this block any more. */
async function askProof({ request, tag }: Place, address: Address, slots: readonly Hex[]): Promise<unknown> {
  try {
    return await request({ method: 'eth_getProof', params: [address, slots, tag] })
  } catch (error) {
    if (isUnanswered(error)) throw error
    return undefined
  }
}

/** Whether nobody was reached at all; a node that refuses has answered. */
function isUnanswered(error: unknown): boolean {
  return error instanceof CountersignError && error.code !== 'RPC_ERROR'
}

function check(
  { block, kept }: Place,
  { address, withAccount }: AccountQuestion,
  { code, answers, parts }: { code: unknown; answers: readonly unknown[]; parts: readonly (readonly Hex[])[] },
): AccountAnswer {
  const root = block.header?.stateRoot ?? '0x'
  const proved = answers.map((answer, part) => readAccountProof(answer, { address, slots: parts[part] ?? [] }, root))
  const account = proved[0]?.account
  if (account === undefined) throw fail('PROOF_INVALID', { reason: 'slots', slots: 0, needed: 1 })
  const known = withAccount ? readProvedCode(code, account.codeHash) : null
  answers.forEach((answer, part) => {
    kept.push({ address, slots: parts[part] ?? [], answer, code: part === 0 ? known : null })
  })
  return {
    address,
    account: known === null ? null : { nonce: account.nonce, balance: account.balance, code: known },
    slots: new Map(proved.flatMap(({ slots }) => [...slots])),
    grade: gradeOf(block),
  }
}

async function readPlainly({ request, tag }: Place, question: AccountQuestion): Promise<AccountAnswer> {
  const { address, withAccount, slots } = question
  const ask = (method: string, params: unknown[]) => request({ method, params: [...params, tag] })
  const [account, ...words] = await Promise.all([
    withAccount ? readPlainAccount(ask, address) : null,
    ...slots.map((slot) =>
      ask('eth_getStorageAt', [address, slot]).then((word) => padHex(readQuantity(word), { size: 32 })),
    ),
  ])
  const grade: FactGrade = 'one-node'
  return { address, account, slots: new Map(slots.map((slot, index) => [slot, words[index] ?? '0x'])), grade }
}

async function readPlainAccount(
  ask: (method: string, params: unknown[]) => Promise<unknown>,
  address: Address,
): Promise<AccountFacts> {
  const [balance, nonce, code] = await Promise.all([
    ask('eth_getBalance', [address]),
    ask('eth_getTransactionCount', [address]),
    ask('eth_getCode', [address]),
  ])
  if (!isHex(code) || code.length % 2 !== 0)
    throw fail('RPC_ERROR', { reason: 'hex', value: String(code).slice(0, 80) })
  return { balance: BigInt(readQuantity(balance)), nonce: BigInt(readQuantity(nonce)), code }
}

function readQuantity(value: unknown): Hex {
  if (isHex(value) && value.length >= 3 && value.length <= 66) return value
  throw fail('RPC_ERROR', { reason: 'number', value: String(value).slice(0, 80) })
}

/** The parent's hash stands in the header; older ones one node says. */
async function readBlockHash(
  { request, block }: Place,
  number: bigint,
): Promise<{ hash: Hex | null; grade: FactGrade }> {
  if (block.header !== null && number === block.number - 1n)
    return { hash: block.header.parentHash, grade: gradeOf(block) }
  if (number < 0n || number >= block.number) return { hash: null, grade: gradeOf(block) }
  const found = await request({ method: 'eth_getBlockByNumber', params: [numberToHex(number), false] })
  const hash = typeof found === 'object' && found !== null && 'hash' in found ? found.hash : null
  return { hash: isHex(hash) && hash.length === 66 ? hash : null, grade: 'one-node' }
}
