import { digestState } from '@countersign/review'
import { keccak256 } from 'viem'
import { pinReader } from '../proof/pinned-reader.ts'
import type { WorkerCalls } from '../worker/calls.ts'

/** Whether something that a run used is different at the newest block. */
export const hasChanged: WorkerCalls['hasChanged'] = async ({ chainId, sources, run }) => {
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
  return digestState(now) !== run.seen
}
