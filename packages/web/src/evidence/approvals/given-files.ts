import { CountersignError, parseSafeTxFile } from '@countersign/safe'
import type { Hex } from 'viem'
import { readTab, writeTab } from '../../device/tab-storage.ts'

function keyOf(chainId: number, hash: Hex): string {
  return `countersign.approved.${chainId}.${hash}`
}

/** Keeps the transaction that a person gave for an approved hash, for as long as the tab is open. */
export function keepGivenFile(chainId: number, hash: Hex, text: string): void {
  writeTab(keyOf(chainId, hash), text)
}

/** Reads the transaction that a person gave for an approved hash; null where nobody did. */
export function givenFile(chainId: number, hash: Hex): ReturnType<typeof parseSafeTxFile> | null {
  const kept = readTab(keyOf(chainId, hash))
  if (kept === null) return null
  try {
    return parseSafeTxFile(kept, chainId)
  } catch (error) {
    if (error instanceof CountersignError) return null
    throw error
  }
}
