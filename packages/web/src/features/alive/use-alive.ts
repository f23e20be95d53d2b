import type { SignedThing } from '@countersign/contract'
import {
  type AliveMessage,
  type AliveTransaction,
  type Facts,
  findAliveMessages,
  findAliveTransactions,
  type GivenSignature,
  neededForSignatures,
  type TransactionSubject,
  toFacts,
  verifyGiven,
  withOwnApprovals,
} from '@countersign/review'
import { domainVersion, type SafeState } from '@countersign/safe'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Address, Hex } from 'viem'
import { byIdentity, computedQuery } from '../../api/computed-query.ts'
import { factQuery } from '../../evidence/facts.ts'
import { useHashSources } from '../../evidence/proof/hash-sources.ts'
import { type AliveWays, findAliveWays } from './alive-ways.ts'
import { type ReadSigned, readSigned } from './read-signed.ts'

/** Signatures under one hash, verified by this page. */
type Verified = ReadSigned & { confirmations: readonly GivenSignature[] }
export type VerifiedTransaction = Verified & { subject: TransactionSubject; nonce: bigint }

/** Everything that is alive of what the server lists. */
export type Alive = {
  /** By nonce. */
  transactions: AliveTransaction<VerifiedTransaction>[]
  messages: AliveMessage<Verified>[]
  /** Approved or signed on the chain; nobody knows what they are. */
  hashes: Verified[]
  /** Listed under a hash that they do not have. */
  refused: SignedThing[]
  /** Ways that they open one after the other. */
  together: AliveWays
  /** Some are still being verified. */
  isPending: boolean
}

/** The chain is asked about approvals of every owner under so many hashes; under the others about those that are listed. */
const MAX_ASKED_IN_FULL = 50

/** Finds what of a list is alive in this Safe. The list is the server's claim; signatures are verified here. */
export function useAlive(
  listed: readonly SignedThing[],
  place: { chainId: number; safeAddress: Address },
  state: SafeState | undefined,
): Alive {
  const { chainId, safeAddress } = place
  const read = useMemo(
    () => (state ? listed.map((signed) => readSigned(signed, { chainId, safeAddress }, state)) : []),
    [listed, chainId, safeAddress, state],
  )
  const asked = useMemo(
    () => read.flatMap((signed, at) => (signed && state ? [toAsked(signed, at, state)] : [])),
    [read, state],
  )
  const sources = useHashSources(chainId)
  const answers = useQueries({
    queries: asked.flatMap(({ needed }) => needed.map((fact) => factQuery(fact, sources))),
  })
  const inputs = asked.map(({ signed, signatures, needed }, index) => {
    const start = asked.slice(0, index).reduce((sum, before) => sum + before.needed.length, 0)
    const answered = answers.slice(start, start + needed.length)
    const facts = toFacts(
      needed,
      answered.map(({ data }) => data?.answer),
    )
    const input: Input = {
      hash: signed.hash,
      listed: signed.signed.signatures,
      signatures,
      version: state ? domainVersion(state) : '',
      approvedHashes: facts.approvedHashes,
      contractSignatures: facts.contractSignatures,
    }
    return { input, isAsking: answered.some(({ isPending }) => isPending) }
  })
  const verified = useQueries({
    queries: inputs.map(({ input, isAsking }) => ({
      ...computedQuery('given-signatures', input, verify),
      enabled: !isAsking,
    })),
  })
  const all = asked.map(({ signed }, index) => ({ ...signed, confirmations: verified[index]?.data ?? [] }))
  const safe = state && { ...state, hasModules: state.modules.length > 0 }
  const transactions = safe ? findAliveTransactions(all.flatMap(toTransaction), safe) : []
  const isMessage = ({ signed }: Verified) => signed.kind === 'message'
  const messages = safe ? findAliveMessages(all.filter(isMessage), safe) : []
  const isVerifying = state === undefined || verified.some(({ data, error }) => data === undefined && error === null)
  const together = useQuery({
    ...computedQuery('alive-ways', toSigned({ transactions, messages }, state), waysOf),
    enabled: !isVerifying,
    placeholderData: keepPreviousData,
  })
  return {
    transactions,
    messages,
    hashes: all.filter(
      ({ signed, confirmations }) => signed.kind === 'hash' && (confirmations.length > 0 || signed.isSignedOnChain),
    ),
    refused: state ? listed.filter((_, index) => read[index] === null) : [],
    together: together.data ?? { ...noWays, isWhole: together.error === null },
    isPending: isVerifying || together.isPending,
  }
}

const noWays: AliveWays = { ways: {}, unread: [], isWhole: true }

function toSigned({ transactions, messages }: Pick<Alive, 'transactions' | 'messages'>, state: SafeState | undefined) {
  const signersOf = ({ hash, confirmations }: Verified) => ({
    hash,
    confirmations: confirmations.map(({ owner }) => ({ owner })),
  })
  return {
    // A new block alone changes nothing.
    state: state && { ...state, blockNumber: 0n, balance: 0n },
    transactions: transactions.map(({ transaction }) => ({
      ...signersOf(transaction),
      nonce: transaction.nonce,
      // A batch of hundreds would be written into the key at each drawing.
      safeTx: byIdentity(transaction.subject.safeTx),
    })),
    messages: messages.map(({ message }) => signersOf(message)),
  }
}

function waysOf({ state, ...signed }: ReturnType<typeof toSigned>): AliveWays {
  return state ? findAliveWays({ ...signed, state }) : noWays
}

/** A server that lists more for one hash than accounts ever sign must not keep the browser busy. */
const MAX_SIGNATURES = 200

function toAsked(signed: ReadSigned, at: number, state: SafeState) {
  const listed = signed.signed.signatures.slice(0, MAX_SIGNATURES)
  const signatures = at < MAX_ASKED_IN_FULL ? withOwnApprovals(listed, state.owners) : listed
  return { signed, signatures, needed: neededForSignatures(signed, state, signatures) }
}

type Input = {
  hash: Hex
  version: string
  listed: SignedThing['signatures']
  signatures: SignedThing['signatures']
} & Pick<Facts, 'approvedHashes' | 'contractSignatures'>

/** An approval that nobody lists counts where the chain says that it is there. */
async function verify({ hash, listed, signatures, ...facts }: Input): Promise<GivenSignature[]> {
  // Recovering signatures takes time: the page is drawn between two of them.
  await new Promise((resolve) => setTimeout(resolve, 0))
  const given = await verifyGiven(hash, signatures, facts)
  return given.filter((signature) => signature.isChecked || listed.some(({ owner }) => owner === signature.owner))
}

function toTransaction(verified: Verified): VerifiedTransaction[] {
  const { subject } = verified
  return subject?.kind === 'transaction' ? [{ ...verified, subject, nonce: subject.safeTx.nonce }] : []
}
