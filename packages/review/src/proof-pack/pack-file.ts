import {
  type CreationCall,
  fail,
  MAX_CREATION_BYTES,
  parseSafeTxFile,
  showValue,
  writeSafeTxFile,
} from '@countersign/safe'
import { type Address, getAddress, type Hex, isAddress, isHex } from 'viem'
import type { SpentAmount } from '../policy/team-policy.ts'
import type { KeptProof } from '../proof/proved-reader.ts'
import { isSeverity } from '../severity.ts'
import type { Verdict } from '../types.ts'
import type { PackedPolicy, PackedReview, ProofPack } from './proof-pack.ts'

/** Characters of a file; a batch of 200 payments has about 400,000. */
export const MAX_PROOF_PACK = 8_000_000
const FORMAT = 'countersign-proof-pack'
/** The first had no policy and no review. */
const VERSION = 2
/** Bytes of code; some chains allow more than Ethereum's 24,576. */
const MAX_CODE_BYTES = 262_144
/** A branch of a trie has 532 bytes. */
const MAX_NODE_BYTES = 1_024
const MAX_POLICY = 131_072
const MAX_SIGNATURE_BYTES = 16_384
const limits = {
  nodes: 40_000,
  codes: 2_000,
  proofs: 10_000,
  slots: 2_000,
  path: 80,
  confirmations: 200,
  sources: 50,
  signatures: 200,
  withdrawals: 10_000,
  spent: 1_000,
  findings: 10_000,
}
const verdicts: readonly Verdict[] = ['matches', 'matches-with-warnings', 'cannot-verify', 'do-not-sign']

type Wire = Record<string, unknown>
type Answer = {
  balance: Hex
  nonce: Hex
  codeHash: Hex
  storageHash: Hex
  accountProof: Hex[]
  storageProof: { key: Hex; value: Hex; proof: Hex[] }[]
}

/**
 * Writes a pack as JSON. Each node of a path and each code stands in it once.
 *
 * @example
 * save(writeProofPack(pack))
 */
export function writeProofPack(pack: ProofPack): string {
  const nodes = createTable()
  const codes = createTable()
  const { chainId, safeAddress, safeTx, confirmations, creation, executor, header, sources, policy, review } = pack
  const proofs = pack.proofs.map(({ address, slots, answer, code }) => {
    const { balance, nonce, codeHash, storageHash, accountProof, storageProof } = answer as Answer
    return {
      address,
      slots,
      balance,
      nonce,
      codeHash,
      storageHash,
      code: code === null ? null : codes.indexOf(code),
      accountProof: accountProof.map(nodes.indexOf),
      storageProof: storageProof.map(({ key, value, proof }) => ({ key, value, proof: proof.map(nodes.indexOf) })),
    }
  })
  const file = {
    format: FORMAT,
    version: VERSION,
    transaction: JSON.parse(writeSafeTxFile({ chainId, safeAddress, safeTx })),
    executor,
    confirmations,
    creation,
    block: { header, sources },
    review,
    policy: policy && {
      ...policy,
      spent: policy.spent === null ? null : policy.spent.map(writeSum),
    },
    nodes: nodes.all(),
    codes: codes.all(),
    proofs,
  }
  return `${JSON.stringify(file)}\n`
}

function writeSum({ executed, queued, ...sum }: SpentAmount) {
  return { ...sum, executed: executed.toString(), queued: queued.toString() }
}

function createTable() {
  const known = new Map<Hex, number>()
  return {
    indexOf: (item: Hex): number => {
      const before = known.get(item)
      if (before !== undefined) return before
      known.set(item, known.size)
      return known.size - 1
    },
    all: () => [...known.keys()],
  }
}

/**
 * Reads a pack from JSON, within bounds. Nothing of it is believed by that: proofs are checked when it is run again.
 *
 * @throws CountersignError `PROOF_PACK_INVALID` naming the entry at fault; `FIELD_MALFORMED` for one of the transaction
 * @example
 * const pack = parseProofPack(await file.text())
 */
export function parseProofPack(text: string): ProofPack {
  if (text.length > MAX_PROOF_PACK)
    throw fail('PROOF_PACK_INVALID', { reason: 'long', count: text.length, limit: MAX_PROOF_PACK })
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch {
    throw fail('PROOF_PACK_INVALID', { reason: 'json' })
  }
  const file = object(read, 'file')
  if (file.format !== FORMAT) throw invalid('format', file.format)
  if (file.version !== 1 && file.version !== VERSION) throw invalid('version', file.version)
  const { chainId, safeAddress, safeTx } = parseSafeTxFile(JSON.stringify(object(file.transaction, 'transaction')), 0)
  const block = object(file.block, 'block')
  const nodes = list(file.nodes, 'nodes').map((node, at) => bytes(node, `nodes.${at}`, MAX_NODE_BYTES))
  const codes = list(file.codes, 'codes').map((code, at) => bytes(code, `codes.${at}`, MAX_CODE_BYTES))
  return {
    chainId,
    safeAddress,
    safeTx,
    executor: address(file.executor, 'executor'),
    confirmations: list(file.confirmations, 'confirmations').map((item, at) => {
      const { owner, signature } = object(item, `confirmations.${at}`)
      const field = `confirmations.${at}`
      return { owner: address(owner, `${field}.owner`), signature: bytes(signature, `${field}.signature`, 10_000) }
    }),
    ...(file.creation === undefined ? {} : { creation: creationOf(object(file.creation, 'creation')) }),
    ...(file.policy === undefined ? {} : { policy: policyOf(object(file.policy, 'policy')) }),
    ...(file.review === undefined ? {} : { review: reviewOf(object(file.review, 'review')) }),
    header: bytes(block.header, 'block.header', 4_096),
    sources: list(block.sources, 'sources').map((item, at) => {
      const { name, hash } = object(item, `sources.${at}`)
      if (typeof name !== 'string' || name.length > 200) throw invalid(`sources.${at}.name`, name)
      return { name, hash: hash === null ? null : word(hash, `sources.${at}.hash`) }
    }),
    proofs: list(file.proofs, 'proofs').map((item, at) => proof(object(item, `proofs.${at}`), { at, nodes, codes })),
  }
}

function creationOf({ factory, data }: Wire): CreationCall {
  return { factory: address(factory, 'creation.factory'), data: bytes(data, 'creation.data', MAX_CREATION_BYTES) }
}

function policyOf({ text, approvals, withdrawals, spent }: Wire): PackedPolicy {
  if (typeof text !== 'string' || text.length > MAX_POLICY) throw invalid('policy.text', text)
  const signed = (item: unknown, field: string) => {
    const { owner, signature } = object(item, field)
    return {
      owner: address(owner, `${field}.owner`),
      signature: bytes(signature, `${field}.signature`, MAX_SIGNATURE_BYTES),
    }
  }
  return {
    text,
    approvals: list(approvals, 'signatures', 'policy.approvals').map((item, at) =>
      signed(item, `policy.approvals.${at}`),
    ),
    withdrawals: list(withdrawals, 'withdrawals', 'policy.withdrawals').map((item, at) => {
      const field = `policy.withdrawals.${at}`
      return { ...signed(item, field), entryHash: word(object(item, field).entryHash, `${field}.entryHash`) }
    }),
    spent: spent === null ? null : list(spent, 'spent', 'policy.spent').map(sumOf),
  }
}

function sumOf(item: unknown, at: number): SpentAmount {
  const field = `policy.spent.${at}`
  const { asset, period, executed, queued } = object(item, field)
  if (typeof period !== 'number' || !Number.isSafeInteger(period)) throw invalid(`${field}.period`, period)
  return {
    asset: address(asset, `${field}.asset`),
    period,
    executed: amount(executed, `${field}.executed`),
    queued: amount(queued, `${field}.queued`),
  }
}

function reviewOf({ verdict, policyHash, findings }: Wire): PackedReview {
  const known = verdicts.find((one) => one === verdict)
  if (known === undefined) throw invalid('review.verdict', verdict)
  return {
    verdict: known,
    policyHash: policyHash === null ? null : word(policyHash, 'review.policyHash'),
    findings: list(findings, 'findings', 'review.findings').map((item, at) => {
      const { id, severity } = object(item, `review.findings.${at}`)
      if (typeof id !== 'string' || !/^[A-Z0-9-]{1,60}$/.test(id)) throw invalid(`review.findings.${at}.id`, id)
      if (!isSeverity(severity)) throw invalid(`review.findings.${at}.severity`, severity)
      return { id, severity }
    }),
  }
}

function amount(value: unknown, field: string): bigint {
  if (typeof value !== 'string' || !/^\d{1,78}$/.test(value)) throw invalid(field, value)
  return BigInt(value)
}

function proof(
  wire: Wire,
  { at, nodes, codes }: { at: number; nodes: readonly Hex[]; codes: readonly Hex[] },
): KeptProof {
  const field = (name: string) => `proofs.${at}.${name}`
  const path = (value: unknown, name: string) =>
    list(value, 'path', field(name)).map((index) => entry(nodes, index, field(name)))
  const answer: Answer = {
    balance: quantity(wire.balance, field('balance')),
    nonce: quantity(wire.nonce, field('nonce')),
    codeHash: word(wire.codeHash, field('codeHash')),
    storageHash: word(wire.storageHash, field('storageHash')),
    accountProof: path(wire.accountProof, 'accountProof'),
    storageProof: list(wire.storageProof, 'slots', field('storageProof')).map((item) => {
      const one = object(item, field('storageProof'))
      return {
        key: quantity(one.key, field('key')),
        value: quantity(one.value, field('value')),
        proof: path(one.proof, 'proof'),
      }
    }),
  }
  return {
    address: address(wire.address, field('address')),
    slots: list(wire.slots, 'slots', field('slots')).map((slot) => word(slot, field('slots'))),
    answer: { address: address(wire.address, field('address')), ...answer },
    code: wire.code === null ? null : entry(codes, wire.code, field('code')),
  }
}

function entry(table: readonly Hex[], index: unknown, field: string): Hex {
  const found = typeof index === 'number' ? table[index] : undefined
  if (found === undefined) throw invalid(field, index)
  return found
}

function object(value: unknown, field: string): Wire {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(field, value)
  return { ...value }
}

function list(value: unknown, kind: keyof typeof limits, field: string = kind): unknown[] {
  if (!Array.isArray(value)) throw invalid(field, value)
  if (value.length > limits[kind])
    throw fail('PROOF_PACK_INVALID', { reason: 'many', field, count: value.length, limit: limits[kind] })
  return value
}

function bytes(value: unknown, field: string, limit: number): Hex {
  if (!isHex(value) || value.length % 2 !== 0 || value.length > 2 + 2 * limit) throw invalid(field, value)
  return value.toLowerCase() as Hex
}

function word(value: unknown, field: string): Hex {
  if (!isHex(value) || value.length !== 66) throw invalid(field, value)
  return value.toLowerCase() as Hex
}

function quantity(value: unknown, field: string): Hex {
  if (!isHex(value) || value.length < 3 || value.length > 66) throw invalid(field, value)
  return value
}

function address(value: unknown, field: string): Address {
  if (typeof value !== 'string' || !isAddress(value, { strict: false })) throw invalid(field, value)
  return getAddress(value)
}

function invalid(field: string, value: unknown) {
  return fail('PROOF_PACK_INVALID', { reason: 'field', field, value: showValue(value, 80) })
}
