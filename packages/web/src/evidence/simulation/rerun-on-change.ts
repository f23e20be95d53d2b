import { digestState, type FinishedSimulation, type Given } from '@countersign/review'
import { useQuery } from '@tanstack/react-query'
import { keccak256 } from 'viem'
import { byIdentity, computedQuery } from '../../api/computed-query.ts'
import { releaseBlock } from '../pinned-block.ts'
import { type HashSources, useHashSources } from '../proof/hash-sources.ts'
import { pinReader } from '../proof/pinned-reader.ts'

type Looked = {
  chainId: number
  safeAddress: Given['safeAddress']
  /** The block that the review took. */
  blockNumber: bigint
  head: bigint
  run: FinishedSimulation | null
  sources: HashSources
}

/**
 * Looks at what a run has used whenever the head has moved. Where anything of it is different now the review takes the
 * newest block, and runs the transaction again.
 */
export function useRerunOnChange(given: Given | null, run: FinishedSimulation | null, head: bigint | undefined): void {
  const sources = useHashSources(given?.chainId ?? 0)
  const blockNumber = given?.blockNumber
  const isMoved = run !== null && head !== undefined && blockNumber !== undefined && head > run.block.number
  const looked: Looked = {
    chainId: given?.chainId ?? 0,
    safeAddress: given?.safeAddress ?? '0x',
    sources,
    blockNumber: blockNumber ?? 0n,
    head: head ?? 0n,
    run: run && byIdentity(run),
  }
  useQuery({ ...computedQuery('touched', looked, isDifferent), enabled: isMoved })
}

async function isDifferent({ chainId, safeAddress, blockNumber, run, sources }: Looked): Promise<boolean> {
  if (run === null) return false
  const { reader } = await pinReader(chainId, sources)
  if (reader.block.number <= run.block.number) return false
  const accounts = run.touched.map(({ address, slots }) => ({ address, withAccount: true, slots }))
  const answers = await reader.read({ accounts, blockNumbers: [] })
  const now = answers.accounts.map(({ address, account, slots }) => ({
    address,
    nonce: account?.nonce ?? 0n,
    balance: account?.balance ?? 0n,
    codeHash: keccak256(account?.code ?? '0x'),
    slots,
  }))
  const isSame = digestState(now) === run.seen
  if (!isSame) releaseBlock({ chainId, address: safeAddress }, blockNumber)
  return !isSame
}
