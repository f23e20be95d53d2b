import type { LiveEvent } from '@countersign/contract'
import type { QueryKey } from '@tanstack/react-query'
import type { Address, Hex } from 'viem'

/** The names of everything asked for. What a live event outdates is said here too, next to them. */
export const queryKeys = {
  configuration: ['configuration'],
  chainStatus: ['chain-status'],
  outboundHosts: ['outbound-hosts'],
  tokenLists: ['token-lists'],
  priceSources: ['price-sources'],
  price: (chainId: number, token: string) => ['price', chainId, token],
  pastPrice: (chainId: number, safeAddress: Address, token: string, blockNumber: number) => [
    'past-price',
    chainId,
    safeAddress,
    token,
    blockNumber,
  ],
  session: ['session'],
  /** All of the account, this browser's own among them. */
  sessions: ['sessions'],
  apiTokens: ['api-tokens'],
  safes: ['safes'],
  /** Tokens of lists that a question is about, by what lists say now. */
  foundTokens: (chainId: number, revision: string | null, question: object) => [
    'found-tokens',
    chainId,
    revision,
    question,
  ],
  safe: (chainId: number, safeAddress: Address) => ['safe', chainId, safeAddress],
  safeState: (chainId: number, safeAddress: Address) => ['safe-state', chainId, safeAddress],
  queue: (chainId: number, safeAddress: Address) => ['queue', chainId, safeAddress],
  /** Claims that the reviews of the queue need beside it. */
  queueClaims: (chainId: number, safeAddress: Address) => ['team', chainId, safeAddress, 'queue-claims'],
  /** Signatures that may still count. */
  signatures: (chainId: number, safeAddress: Address) => ['signatures', chainId, safeAddress],
  history: (chainId: number, safeAddress: Address) => ['history', chainId, safeAddress],
  /** Subjects of other Safes that are approved by their hash. */
  nested: ['nested'],
  /** Word of a collection on one of its items. */
  itemContent: (chainId: number, item: object) => ['item-content', chainId, item],
  transaction: (chainId: number, safeTxHash: Hex) => ['transaction', chainId, safeTxHash],
  /** Functions with a selector, in the operator's list. */
  functions: (selector: Hex) => ['functions', selector],
  /** Data that a Safe's team keeps here. */
  team: (chainId: number, safeAddress: Address) => ['team', chainId, safeAddress],
  names: (chainId: number, safeAddress: Address) => ['team', chainId, safeAddress, 'names'],
  idleOwners: (chainId: number, safeAddress: Address) => ['team', chainId, safeAddress, 'idle-owners'],
  abis: (chainId: number, safeAddress: Address) => ['team', chainId, safeAddress, 'abis'],
  drafts: (chainId: number, safeAddress: Address) => ['team', chainId, safeAddress, 'drafts'],
  notes: (chainId: number, safeAddress: Address, subjectHash: Hex) => [
    'team',
    chainId,
    safeAddress,
    'notes',
    subjectHash,
  ],
  packs: (chainId: number, safeAddress: Address, safeTxHash: Hex) => [
    'team',
    chainId,
    safeAddress,
    'packs',
    safeTxHash,
  ],
  signInRequests: (chainId: number, safeAddress: Address) => ['messages', chainId, safeAddress, 'sign-ins'],
  alarms: (chainId: number, safeAddress: Address) => ['team', chainId, safeAddress, 'alarms'],
  delegates: (chainId: number, safeAddress: Address) => ['team', chainId, safeAddress, 'delegates'],
  viewers: (chainId: number, safeAddress: Address) => ['team', chainId, safeAddress, 'viewers'],
  safeAccess: (chainId: number, safeAddress: Address) => ['team', chainId, safeAddress, 'access'],
  webhooks: (chainId: number, safeAddress: Address) => ['team', chainId, safeAddress, 'webhooks'],
  deliveries: (chainId: number, safeAddress: Address, id: string) => [
    'team',
    chainId,
    safeAddress,
    'webhooks',
    id,
    'deliveries',
  ],
  policy: (chainId: number, safeAddress: Address) => ['team', chainId, safeAddress, 'policy'],
  spent: (chainId: number, safeAddress: Address, besideNonce: string) => [
    'team',
    chainId,
    safeAddress,
    'policy',
    'spent',
    besideNonce,
  ],
  activity: (chainId: number, safeAddress: Address) => ['team', chainId, safeAddress, 'activity'],
  transactionsOfChain: (chainId: number) => ['transaction', chainId],
  messages: (chainId: number, safeAddress: Address) => ['messages', chainId, safeAddress],
  message: (chainId: number, safeMessageHash: Hex) => ['message', chainId, safeMessageHash],
  messagesOfChain: (chainId: number) => ['message', chainId],
} as const satisfies Record<string, QueryKey | ((...parts: never[]) => QueryKey)>

/** A transaction's page also shows others of its Safe, so every transaction of the chain is asked for again. */
export function keysOutdatedBy(event: LiveEvent): QueryKey[] {
  if (event.kind === 'chain') return [queryKeys.chainStatus]
  const { chainId, safeAddress } = event
  if (event.kind === 'team')
    return [queryKeys.safes, queryKeys.safe(chainId, safeAddress), queryKeys.team(chainId, safeAddress)]
  const ofMessages = [
    queryKeys.messages(chainId, safeAddress),
    queryKeys.messagesOfChain(chainId),
    queryKeys.signatures(chainId, safeAddress),
  ]
  // Both count what waits for the reader.
  const counts = [queryKeys.safes, queryKeys.safe(chainId, safeAddress)]
  if (event.kind === 'message') return [queryKeys.activity(chainId, safeAddress), ...counts, ...ofMessages]
  return [
    queryKeys.activity(chainId, safeAddress),
    ...counts,
    queryKeys.safeState(chainId, safeAddress),
    queryKeys.queue(chainId, safeAddress),
    queryKeys.queueClaims(chainId, safeAddress),
    queryKeys.history(chainId, safeAddress),
    queryKeys.signatures(chainId, safeAddress),
    queryKeys.transactionsOfChain(chainId),
    // Queued and executed transactions fill the limits of the policy.
    queryKeys.policy(chainId, safeAddress),
    // Owners and threshold decide which confirmations count, and whose word on others holds.
    ...(event.kind === 'safe'
      ? [
          ...ofMessages,
          queryKeys.delegates(chainId, safeAddress),
          queryKeys.viewers(chainId, safeAddress),
          queryKeys.safeAccess(chainId, safeAddress),
          queryKeys.webhooks(chainId, safeAddress),
        ]
      : []),
  ]
}
