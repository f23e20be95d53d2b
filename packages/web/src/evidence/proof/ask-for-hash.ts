import { readBlockHashes } from '@countersign/contract'
import type { HashSource } from '@countersign/review'
import { api } from '../../api/client.ts'
import { askWalletForBlockHash } from '../../wallet/signing.ts'

/** Asks for the hash of a block: the operator's nodes one by one, through the server; the wallet without it. */
export async function askForHash(chainId: number, blockNumber: bigint, wallet: string | null): Promise<HashSource[]> {
  const ofNodes = api(readBlockHashes, { chainId, blockNumber: Number(blockNumber) }).then(
    ({ nodes }) => nodes.map((node): HashSource => ({ kind: 'node', ...node })),
    (): HashSource[] => [],
  )
  const ofWallet =
    wallet === null
      ? []
      : [
          askWalletForBlockHash(chainId, blockNumber).then(
            (word) => ({ kind: 'wallet', name: wallet, host: null, ...word }) as const,
          ),
        ]
  const [nodes, ...wallets] = await Promise.all([ofNodes, ...ofWallet])
  return [...nodes, ...wallets]
}
