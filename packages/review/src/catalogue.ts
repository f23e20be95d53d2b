import type { EvidenceSpec } from './evidence-kinds.ts'

/** How bad a finding is. A critical one makes the verdict `do-not-sign`, a high one `matches-with-warnings`. */
export type Severity = 'critical' | 'high' | 'medium' | 'low' | 'info'

/**
 * The way to sign although a finding is there. `tick`: a sentence that names the thing. `typed`: what changes, and
 * a reason, for powers that owners may give on purpose. `never`: the story and the bytes disagree, or nobody could read
 * what is signed.
 */
export type Way = 'tick' | 'typed' | 'never'

/**
 * Every check, and what the verdict needs of it: `essential` ones must pass, or the review cannot verify. `advisory` and
 * `outcome` ones, which are about whether it would work, speak through the severity of their findings.
 */
export const checkIds = {
  /** The hash, computed from the ten fields, is the one claimed; two computations of it agree. */
  hash: 'essential',
  /** The Safe's state was read from the chain. */
  state: 'essential',
  /** The singleton is an official release, and says so. */
  singleton: 'essential',
  /** The Safe's own code is a proxy of an official factory. */
  proxy: 'essential',
  /** Every signature is from a current owner, for this hash. Signatures of former owners do not count and do not fail the check. */
  signatures: 'essential',
  /** Every byte is accounted for, in the canonical encoding, within the budget. */
  encoding: 'essential',
  /** Every delegatecall is to a known library, compared by code, or to code that the team has allowed. */
  delegatecall: 'essential',
  /** All called functions are known and are what they seem. */
  functions: 'essential',
  /** Subjects that are approved in other Safes by their hash were found and reviewed. Only where a hash is approved. */
  nested: 'essential',
  /** Changes of the Safe itself are none, or explained. */
  settings: 'advisory',
  /** The team's policy is the newest that was seen, and nothing that it restricts is broken. Only with a policy. */
  policy: 'essential',
  /** Gas refund fields. */
  refund: 'advisory',
  /** The nonce can still be executed. */
  nonce: 'advisory',
  /** Contracts called have code. */
  code: 'advisory',
  /** Addresses do not imitate each other. */
  addresses: 'advisory',
  /** The Safe's own `getTransactionHash` agrees. */
  'chain-hash': 'advisory',
  /** The node is on the chain that is meant. */
  'chain-id': 'advisory',
  /** A signature holds on this chain alone. Needs other facts before Safe 1.3.0 only. */
  domain: 'advisory',
  /** The Safe holds what is sent, and allows what is changed. */
  outcome: 'outcome',
  /** It was run as a whole, to the end, and the node does not contradict the run. */
  simulation: 'essential',
  /** Every fact that decides is proved against the hash of a block that enough independent sources name. */
  'second-source': 'advisory',
  /** Every token that the calls send or approve is on a list of the server. */
  'token-lists': 'advisory',
  /** The called contracts were there thirty days ago. Most nodes cannot tell. */
  'contract-age': 'advisory',
  /** Factory, singleton, handler and code that runs at setup are official releases on this chain. Of a creation only. */
  'creation-code': 'essential',
  /** Nothing is at the address of the new Safe, and the factory puts it there. Of a creation only. */
  'creation-address': 'essential',
  /** On the other chains that address holds nothing else. Of a creation only. */
  'creation-elsewhere': 'advisory',
} as const

/** Name of a check. */
export type CheckId = keyof typeof checkIds

type Entry = {
  /** Those it can have, worst first. */
  severities: readonly Severity[]
  /** At the worst severity, where that is critical or high. A high finding beside a critical one needs a tick. */
  way?: Way
  /** Where the way is `typed`: the evidence that is typed. Where a finding lacks it, the called contract is. */
  typed?: string
  /** The evidence to type if the finding lacks `typed`. Without this field, the called contract is typed. */
  typedElse?: string
  /** The values at fault, each with its kind; those with a question mark may be missing. None: it names no value. */
  evidence?: Readonly<Record<string, EvidenceSpec>>
  /** Values of `evidence.case`: each has a sentence of its own to acknowledge the finding. */
  cases?: readonly string[]
  /** Basis of the condition: a contract function, a standard, or the kind of fact. */
  source: string
  /** The check that it fails. Without one it is worth knowing, but nothing has failed. */
  fails?: CheckId
  /** The check that it fails at its worst severity only. */
  failsAtWorst?: CheckId
  /**
   * The way where a run of the whole transaction ended well and the node agrees with it: only the reading of an ordinary
   * call is missing then. `evidence.outcome` is what the run does.
   */
  wayAfterRun?: 'typed'
  /** A batch can have hundreds, each of a thing that is paid or called: they are answered as one list that names them all. */
  isListed?: true
}

/**
 * Every finding, by theme; the functions that make them are in the file of that theme in `findings`. Their words are
 * in the text catalogue of the page, under the same id.
 */
// biome-ignore format: one finding a line reads as the table it is
export const findingCatalogue = {
  // review.ts, checks.ts
  'INPUT-MISSING': { severities: ['medium', 'info'], source: 'the input of the review', evidence: { check: 'text', input: 'text' } },

  // signatures/hash.ts
  'HASH-MISMATCH': { severities: ['critical'], way: 'never', fails: 'hash', source: 'EIP-712; Safe.getTransactionHash', evidence: { computed: 'bytes', claimed: 'bytes' } },
  'HASH-CHAIN-MISMATCH': { severities: ['critical'], way: 'never', fails: 'chain-hash', source: 'Safe.getTransactionHash, called', evidence: { computed: 'bytes', chain: 'bytes' } },
  'HASH-IMPL-MISMATCH': { severities: ['critical'], way: 'never', fails: 'hash', source: 'EIP-712, by the code of viem', evidence: { computed: 'bytes', again: 'bytes' } },
  'PROPOSAL-EDITED': { severities: ['critical'], way: 'never', fails: 'hash', source: 'what this page showed before', evidence: { computed: 'bytes', before: 'bytes' } },
  'OP-INVALID': { severities: ['critical'], way: 'never', fails: 'encoding', source: 'Enum.Operation', evidence: { operation: 'number' } },
  'RPC-CHAINID': { severities: ['critical'], way: 'never', fails: 'chain-id', source: 'eth_chainId', evidence: { expected: 'number', actual: 'number' } },

  // signatures/signatures.ts
  'SIG-MISMATCH': { severities: ['critical'], way: 'never', fails: 'signatures', source: 'Safe.checkSignatures; ecrecover', evidence: { owner: 'address', recovered: 'address?' } },
  'SIG-OTHER-TX': { severities: ['critical'], way: 'never', fails: 'signatures', source: 'the same, on the other known hashes', evidence: { owner: 'address', recovered: 'address?', otherSafeTxHash: 'bytes' } },
  'SIG-RETURNED-MISMATCH': { severities: ['critical'], way: 'never', fails: 'signatures', source: 'what the wallet returned', evidence: { account: 'address', recovered: 'address?', computed: 'bytes' } },
  'SIG-REPEATED': { severities: ['high', 'info'], way: 'tick', source: 'confirmations of one owner at one nonce', evidence: { owner: 'address', signatures: 'count', nonce: 'number' } },
  'SIG-ETHSIGN': { severities: ['medium'], source: 'Safe.checkSignatures, v of 31 or 32', evidence: { owner: 'address', recovered: 'address?' } },
  'SIG-CONTRACT-UNVERIFIED': { severities: ['medium'], source: 'ERC-1271; Safe.checkSignatures, v of 0', evidence: { owner: 'address', recovered: 'address?' } },
  'SIG-APPROVED-DENIED': { severities: ['high'], way: 'never', fails: 'signatures', source: 'Safe.approvedHashes; Safe.checkSignatures, v of 1', evidence: { owner: 'address', recovered: 'address?' } },
  'SIG-APPROVED-UNVERIFIED': { severities: ['medium'], source: 'Safe.approvedHashes; Safe.checkSignatures, v of 1', evidence: { owner: 'address', recovered: 'address?' } },
  'SIG-ENOUGH-AFTER': { severities: ['high'], way: 'tick', source: 'signatures of other proposals; owners and threshold afterwards', evidence: { otherSafeTxHash: 'bytes', nonce: 'number', signatures: 'count', threshold: 'count', earlier: 'count?', competing: 'total?' } },
  'SIG-STALE-OWNER': { severities: ['high'], way: 'tick', source: 'former owners, from the history of the Safe', evidence: { owner: 'address', recovered: 'address?' } },

  // safe/safe-code.ts
  'SINGLETON-UNKNOWN': { severities: ['high'], way: 'never', fails: 'singleton', source: 'storage slot 0; list of releases', evidence: { singleton: 'address', codeHash: 'bytes?', reported: 'claim?' } },
  'SINGLETON-CODEHASH': { severities: ['critical'], way: 'never', fails: 'singleton', source: 'code at slot 0; list of releases', evidence: { singleton: 'address', codeHash: 'bytes?', reported: 'claim?' } },
  'VERSION-LIES': { severities: ['critical'], way: 'never', fails: 'singleton', source: 'Safe.VERSION', evidence: { version: 'text', reported: 'claim' } },
  'MODULE-INSTALLED': { severities: ['high', 'low'], way: 'tick', source: 'ModuleManager.getModulesPaginated; list of modules; policy of the team', evidence: { module: 'address', codeHash: 'bytes?', name: 'text?' } },
  'GUARD-INSTALLED': { severities: ['high', 'low'], way: 'tick', source: 'storage slots of the guards; policy of the team', evidence: { guard: 'address', codeHash: 'bytes?', name: 'text?' }, cases: ['module'] },
  'HANDLER-INSTALLED': { severities: ['high', 'low'], way: 'tick', source: 'storage slot of the fallback handler; list of handlers; policy of the team', evidence: { handler: 'address', codeHash: 'bytes?', name: 'text?' } },
  'OWNER-7702': { severities: ['high'], way: 'tick', source: 'eth_getCode of the owners; EIP-7702', evidence: { owner: 'address', delegatesTo: 'address' } },
  'NESTED-CYCLE': { severities: ['high'], way: 'tick', source: 'OwnerManager.getOwners of the owners', evidence: { owners: 'addresses' } },
  'LIST-STALE': { severities: ['low'], source: 'the day on which the lists of this release were taken', evidence: { taken: 'text' } },
  'NOT-DEPLOYED': { severities: ['info'], source: 'code at the address of the Safe; the call that creates it', evidence: { safe: 'address' } },
  'VERSION-OLD': { severities: ['medium'], source: 'list of releases', evidence: { version: 'text' } },
  'PROXY-UNKNOWN': { severities: ['high'], way: 'never', fails: 'proxy', source: 'code of the Safe itself; list of proxies', evidence: { codeHash: 'bytes' } },
  'REPLAY-CHAIN': { severities: ['high'], way: 'tick', fails: 'domain', source: 'code at the same address on other chains', evidence: { version: 'text', chainId: 'number', owners: 'addresses', threshold: 'count' } },
  'DOMAIN-SLOT': { severities: ['critical'], way: 'never', fails: 'domain', source: 'storage slot 6 before 1.3.0', evidence: { computed: 'bytes', chain: 'bytes' } },

  // provenance.ts
  'SOURCES-DISAGREE': { severities: ['high'], way: 'never', fails: 'state', source: 'hashes of one block, from each source', evidence: { sources: 'text' } },
  'BLOCK-OLD': { severities: ['high'], way: 'never', fails: 'state', source: 'time of the newest block, from each source', evidence: { sources: 'text' } },
  'PROOF-WRONG': { severities: ['high'], way: 'never', fails: 'state', source: 'eth_getProof (EIP-1186)', evidence: { facts: 'text' } },
  'STATE-DIFFERS': { severities: ['high'], way: 'never', fails: 'state', source: 'storage slots and code of the Safe', evidence: { parts: 'text' } },

  // calls/delegatecall.ts
  'DC-UNKNOWN': { severities: ['critical', 'medium'], way: 'never', failsAtWorst: 'delegatecall', source: 'list of libraries; allow list of the team', evidence: { codeHash: 'bytes?', selector: 'bytes?' } },
  'DC-WRONG-SELECTOR': { severities: ['critical', 'medium'], way: 'never', failsAtWorst: 'delegatecall', source: 'list of libraries', evidence: { codeHash: 'bytes?', selector: 'bytes?' } },
  'DC-NO-CODE': { severities: ['high'], way: 'never', fails: 'delegatecall', source: 'eth_getCode' },
  'DC-KNOWN-LIB': { severities: ['low'], source: 'list of libraries', evidence: { name: 'text', version: 'text' } },
  'DC-VALUE-IGNORED': { severities: ['medium'], source: 'EVM: DELEGATECALL has no value', evidence: { value: 'amount' } },
  'DC-MULTISEND-FULL': { severities: ['medium'], source: 'MultiSend.multiSend', evidence: { name: 'text', version: 'text' } },
  'CODE-CREATE': { severities: ['high'], way: 'tick', source: 'CreateCall.performCreate, performCreate2', evidence: { function: 'text?', bytes: 'count?', value: 'amount?' } },
  'MULTISEND-INNER-DC': { severities: ['critical'], way: 'never', fails: 'delegatecall', source: 'MultiSend.multiSend', evidence: { codeHash: 'bytes?', selector: 'bytes?' } },
  'SELECTOR-MASQUERADE': { severities: ['high'], way: 'never', fails: 'functions', source: 'ERC-20, ERC-721, ERC-1155', evidence: { function: 'text?' } },

  // declared-effects.ts
  'EFFECTS-DIFFER': { severities: ['high'], way: 'tick', source: 'effects that the proposer declared and signed; the decoded calls', evidence: { author: 'address', declaredOnly: 'text', observedOnly: 'text' } },
  'EFFECTS-IGNORED': { severities: ['medium'], source: 'signature under declared effects; owners of the Safe', evidence: { author: 'address', reason: 'text' } },
  'EFFECTS-NOT-COMPARED': { severities: ['info'], source: 'declared effects; calls that were not read', evidence: { author: 'address', reason: 'text?', parts: 'text?', calls: 'text?' } },
  'EFFECTS-AGREE': { severities: ['info'], source: 'declared effects; the decoded calls', evidence: { author: 'address', parts: 'text', mayDiffer: 'text?' } },

  // policy.ts
  'POLICY-BROKEN': { severities: ['critical'], way: 'never', fails: 'policy', source: "the team's policy, signed by its owners", evidence: { rule: 'rule', asset: 'asset?', limit: 'amount?', period: 'seconds?', amount: 'amount?', executed: 'amount?', queued: 'amount?', recipient: 'address?', reviewer: 'address?', above: 'amount?', refundReceiver: 'address?', gasPrice: 'number?' } },
  'POLICY-ROLLED-BACK': { severities: ['critical', 'medium'], way: 'never', failsAtWorst: 'policy', source: 'the newest policy that was seen here', evidence: { why: 'rollback', seen: 'number?', served: 'number?', seenHash: 'bytes?', servedHash: 'bytes?' } },

  // calls/encoding.ts
  'DECODE-NONE': { severities: ['high', 'medium'], way: 'never', wayAfterRun: 'typed', fails: 'functions', source: 'list of functions', evidence: { selector: 'bytes?', bytes: 'count', behind: 'address?', describedCode: 'address?' } },
  'DECODE-NONCANONICAL': { severities: ['high'], way: 'never', wayAfterRun: 'typed', fails: 'encoding', source: 'Solidity ABI, strict', evidence: { function: 'text?', issue: 'text', places: 'count', bytes: 'count' } },
  'DECODE-BUDGET': { severities: ['critical'], way: 'never', fails: 'encoding', source: 'limits of this package', evidence: { function: 'text?', issue: 'text?', places: 'count?', bytes: 'count?', signatures: 'count?' } },
  'MULTISEND-MALFORMED': { severities: ['critical'], way: 'never', fails: 'encoding', source: 'MultiSend.multiSend', evidence: { function: 'text?', issue: 'text', places: 'count', bytes: 'count' } },
  'MULTISEND-ZERO-TO': { severities: ['high'], way: 'tick', isListed: true, source: 'MultiSend.multiSend', evidence: { means: 'address' } },
  'BATCH-REVERT': { severities: ['high'], way: 'tick', fails: 'outcome', source: 'MultiSendCallOnly.multiSend', evidence: { function: 'text?', issue: 'text', places: 'count', bytes: 'count' } },
  'DECODE-GIVEN': { severities: ['high', 'medium'], way: 'tick', source: 'an ABI that was given, not the list of functions', evidence: { function: 'text?', behind: 'address?', codeHash: 'bytes?' } },
  'DECODE-DESCRIBED': { severities: ['low'], source: 'ERC-7730 registry of the release; storage slots of proxies', evidence: { function: 'text?', behind: 'address', codeHash: 'bytes?' } },
  'SELECTOR-AMBIGUOUS': { severities: ['high', 'medium'], way: 'tick', source: 'list of functions', evidence: { function: 'text?', alternative: 'text?' } },

  // safe/settings.ts, outcome of them in safe/configuration.ts
  'SLOT0-CHANGE': { severities: ['critical'], way: 'never', fails: 'settings', source: 'MasterCopy.changeMasterCopy; SafeMigration; SafeToL2Migration', evidence: { safe: 'address?', before: 'address?', after: 'address?', version: 'text?' } },
  'SLOT0-OFFICIAL': { severities: ['critical'], way: 'typed', typed: 'after', fails: 'settings', source: 'the same, to an official release', evidence: { safe: 'address?', before: 'address?', after: 'address?', version: 'text?' } },
  'OWNER-ADD': { severities: ['high'], way: 'tick', source: 'OwnerManager.addOwnerWithThreshold', evidence: { safe: 'address', owner: 'address?', threshold: 'count?' } },
  'OWNER-REMOVE': { severities: ['high'], way: 'tick', source: 'OwnerManager.removeOwner', evidence: { safe: 'address', owner: 'address?', threshold: 'count?' } },
  'OWNER-SWAP': { severities: ['high'], way: 'tick', source: 'OwnerManager.swapOwner', evidence: { safe: 'address', oldOwner: 'address?', newOwner: 'address?' } },
  'OWNER-SELF-REMOVED': { severities: ['high'], way: 'tick', source: 'owners afterwards', evidence: { account: 'address' } },
  'OWNER-QUORUM-UNKNOWN': { severities: ['critical'], way: 'typed', typed: 'newOwners', failsAtWorst: 'settings', source: 'owners and threshold afterwards', evidence: { before: 'count?', after: 'count?', ownersBefore: 'count?', owners: 'count?', safe: 'address?', newOwners: 'addresses?' }, cases: ['unread'] },
  'THRESHOLD-DOWN': { severities: ['critical'], way: 'typed', typed: 'after', failsAtWorst: 'settings', source: 'threshold afterwards', evidence: { before: 'count?', after: 'count?', ownersBefore: 'count?', owners: 'count?', safe: 'address?' } },
  'THRESHOLD-ONE': { severities: ['high'], way: 'tick', source: 'threshold afterwards', evidence: { before: 'count', after: 'count', ownersBefore: 'count', owners: 'count', safe: 'address?' } },
  'THRESHOLD-LOCK': { severities: ['high'], way: 'tick', source: 'threshold afterwards', evidence: { before: 'count', after: 'count', ownersBefore: 'count', owners: 'count', safe: 'address?' } },
  'SETTINGS-REVERT': { severities: ['high'], way: 'tick', fails: 'outcome', source: 'OwnerManager, ModuleManager, FallbackManager, GuardManager: GS101 to GS103, GS201 to GS205, GS300, GS301, GS400', evidence: { function: 'text?', gsCode: 'gs-code', threshold: 'count?', owners: 'count?' } },
  'MODULE-ENABLE': { severities: ['critical', 'medium'], way: 'typed', typed: 'module', failsAtWorst: 'settings', source: 'ModuleManager.enableModule', evidence: { safe: 'address', module: 'address?', codeHash: 'bytes?', name: 'text?', version: 'text?' } },
  'MODULE-DISABLE': { severities: ['medium'], source: 'ModuleManager.disableModule', evidence: { safe: 'address', module: 'address?' } },
  'GUARD-SET': { severities: ['critical', 'medium'], way: 'typed', typed: 'guard', failsAtWorst: 'settings', source: 'GuardManager.setGuard; ERC-165', evidence: { safe: 'address', before: 'address?', guard: 'address?', isGuard: 'flag?' } },
  'GUARD-REMOVE': { severities: ['high'], way: 'tick', source: 'GuardManager.setGuard', evidence: { safe: 'address', before: 'address?', guard: 'address?' } },
  'MODGUARD-CHANGE': { severities: ['critical', 'high'], way: 'typed', typed: 'after', failsAtWorst: 'settings', source: 'ModuleManager.setModuleGuard', evidence: { safe: 'address', before: 'address?', after: 'address?' } },
  'HANDLER-UNKNOWN': { severities: ['critical', 'medium'], way: 'typed', typed: 'handler', failsAtWorst: 'settings', source: 'FallbackManager.setFallbackHandler', evidence: { safe: 'address?', handler: 'address', codeHash: 'bytes?' } },
  'HANDLER-CHANGE': { severities: ['low'], source: 'FallbackManager.setFallbackHandler', evidence: { safe: 'address', handler: 'address', name: 'text', version: 'text' } },
  'HANDLER-ZERO': { severities: ['medium'], source: 'FallbackManager.setFallbackHandler', evidence: { safe: 'address', handler: 'address?' } },
  'DOMAIN-VERIFIER': { severities: ['critical'], way: 'typed', typed: 'verifier', failsAtWorst: 'settings', source: 'ExtensibleFallbackHandler', evidence: { safe: 'address', function: 'text?', verifier: 'address?' } },

  // assets/refund.ts
  'GAS-REFUND': { severities: ['critical', 'high', 'medium'], way: 'typed', typed: 'maximum', typedElse: 'refundReceiver', fails: 'refund', source: 'Safe.execTransaction and Safe.handlePayment of each version', evidence: { maximum: 'amount?', gasPrice: 'number', baseGas: 'count', safeTxGas: 'count', gasToken: 'address', refundReceiver: 'address' }, cases: ['unbounded'] },
  'NESTED-REFUND': { severities: ['critical'], way: 'typed', typed: 'maximum', typedElse: 'refundReceiver', fails: 'refund', source: 'Safe.execTransaction, Safe.handlePayment and Safe.setup of another Safe', evidence: { safe: 'address?', maximum: 'amount?', gasPrice: 'number?', baseGas: 'count?', safeTxGas: 'count?', gasToken: 'address?', refundReceiver: 'address?' }, cases: ['unbounded'] },
  'GAS-RECEIVER-SET': { severities: ['medium'], source: 'Safe.handlePayment', evidence: { safe: 'address?', gasToken: 'address', refundReceiver: 'address' } },
  'GAS-BASEGAS-HIGH': { severities: ['high'], way: 'tick', source: 'Safe.handlePayment', evidence: { safe: 'address?', baseGas: 'count' } },
  'SAFETXGAS-SET': { severities: ['low'], source: 'Safe.execTransaction: GS013', evidence: { safeTxGas: 'count' } },

  // signatures/nonce.ts
  'NONCE-CONFLICT': { severities: ['high', 'info'], way: 'tick', isListed: true, source: 'other proposals', evidence: { nonce: 'number', otherSafeTxHash: 'bytes', confirmations: 'count', competing: 'total' } },
  'NONCE-PAST': { severities: ['info'], fails: 'nonce', source: 'Safe.nonce', evidence: { nonce: 'number', chainNonce: 'number' } },
  'NONCE-GAP': { severities: ['medium'], source: 'Safe.nonce', evidence: { nonce: 'number', chainNonce: 'number', earlier: 'count' } },

  // assets/tokens.ts
  'APPROVE-UNLIMITED': { severities: ['high'], way: 'tick', source: 'ERC-20.approve; Permit2.approve', evidence: { spender: 'address?', amount: 'allowance', token: 'asset' } },
  'APPROVE-OVER-BALANCE': { severities: ['high'], way: 'tick', source: 'ERC-20.balanceOf', evidence: { spender: 'address?', amount: 'allowance', token: 'asset', held: 'amount' } },
  'APPROVE-EOA': { severities: ['high'], way: 'tick', source: 'eth_getCode; EIP-7702', evidence: { spender: 'address', delegatesTo: 'address?' }, cases: ['delegated'] },
  'APPROVE-ANYBODY': { severities: ['high'], way: 'tick', source: 'contracts that make any call for anybody: MultiSend, Multicall3', evidence: { spender: 'address', token: 'asset' } },
  'NFT-APPROVE': { severities: ['high'], way: 'tick', source: 'ERC-721.approve; ERC-165', evidence: { operator: 'address', tokenId: 'number', collection: 'address' } },
  'APPROVE-ALL-NFT': { severities: ['high'], way: 'tick', source: 'ERC-721.setApprovalForAll', evidence: { operator: 'address?' } },
  'SPENDING-RIGHT': { severities: ['high'], way: 'tick', source: 'ERC-2612; ERC-777; AllowanceModule', evidence: { function: 'text?', spender: 'accounts?', amount: 'allowance?', token: 'assets?' } },
  'TOKEN-MOVE': { severities: ['high', 'medium'], way: 'tick', isListed: true, source: 'Permit2; AllowanceModule; ERC-20 with mint and burn', evidence: { function: 'text?', token: 'assets?', sender: 'address?', recipient: 'addresses?', amount: 'amount?' } },
  'RECEIVER-OTHER': { severities: ['high'], way: 'tick', isListed: true, source: 'ERC-4626', evidence: { function: 'text?', chain: 'chain?', instructions: 'count?', tokenId: 'number?', amount: 'stated-amount?', receiver: 'account', token: 'asset?' } },
  'TOKEN-TO-ITSELF': { severities: ['high'], way: 'tick', isListed: true, source: 'ERC-20.transfer', evidence: { recipient: 'address' } },
  'TOKEN-DATA': { severities: ['high'], way: 'tick', source: 'ERC-677; ERC-721; ERC-1155; ERC-1363', evidence: { function: 'text?', recipient: 'address', bytes: 'count' } },
  'VALIDATOR-KEY': { severities: ['high'], way: 'tick', isListed: true, source: 'deposit contract of the beacon chain; process_deposit of the consensus specification', evidence: { function: 'text?', validatorKey: 'bytes' } },
  'TOKEN-UNLISTED': { severities: ['medium'], fails: 'token-lists', source: 'tokens of the operator', evidence: { token: 'asset' } },
  'TOKEN-HOMOGLYPH': { severities: ['high'], way: 'tick', source: 'ERC-20.symbol; tokens of the operator; Unicode TS 39', evidence: { token: 'asset', symbol: 'claim', resembles: 'address', listed: 'text' } },

  // calls/swaps.ts
  'SWAP-NO-MINIMUM': { severities: ['high'], way: 'tick', source: 'Uniswap 2, 3 and 4; Curve; Balancer', evidence: { function: 'text?' }, cases: ['fee'] },
  'SWAP-LOW-MINIMUM': { severities: ['high'], way: 'tick', source: 'the least that the swap states; what the run brings', evidence: { function: 'text', asset: 'asset', amount: 'amount', said: 'amount' } },
  'SWAP-HIGH-MAXIMUM': { severities: ['high'], way: 'tick', source: 'the most that the swap states; what the run costs', evidence: { function: 'text', asset: 'asset', amount: 'amount', said: 'amount' } },
  'SWAP-BELOW-PAR': { severities: ['high'], way: 'tick', source: 'what the run takes and brings; symbols of listed tokens', evidence: { function: 'text', account: 'address?', asset: 'asset?', amount: 'amount?', bought: 'asset?', received: 'amount?' } },
  'SWAP-WORTH-LESS': { severities: ['high'], way: 'tick', source: 'what the run takes and brings; prices by sources of the operator', evidence: { function: 'text', account: 'address?', asset: 'asset?', amount: 'amount?', bought: 'asset?', received: 'amount?', worthTaken: 'text', worthBrought: 'text' } },
  'POOL-OFF-PRICE': { severities: ['high'], way: 'tick', source: 'what the run gives a pool; prices by sources of the operator', evidence: { function: 'text', account: 'address?', asset: 'asset', amount: 'amount', worthAmount: 'text', beside: 'asset', besideAmount: 'amount', worthBeside: 'text' } },
  'BRIDGE-RECEIVER': { severities: ['high'], way: 'tick', isListed: true, source: 'Optimism, Arbitrum, Polygon, Across, LayerZero, CCTP', evidence: { function: 'text?', chain: 'chain?', instructions: 'count?', receiver: 'account?' } },
  'NAME-CONTENT': { severities: ['high'], way: 'tick', source: 'ENS, ContentHashResolver', evidence: { function: 'text?', content: 'text?' } },
  'SWAP-UNLISTED': { severities: ['high'], way: 'tick', source: 'tokens of the operator', evidence: { function: 'text?', token: 'asset' } },

  // calls/orders.ts
  'ORDER-SIGN': { severities: ['high'], way: 'tick', source: 'CoW Protocol: the order whose digest is signed', evidence: { function: 'text?', token: 'asset', amount: 'amount', bought: 'asset', least: 'amount', receiver: 'address', deadline: 'number' } },

  // assets/balances.ts
  'BALANCE-EXCEEDED': { severities: ['high', 'medium'], way: 'tick', fails: 'outcome', source: 'eth_getBalance; ERC-20.balanceOf', evidence: { asset: 'asset', symbol: 'text?', decimals: 'unshown?', needed: 'amount', held: 'amount', missing: 'amount' } },
  'OTHER-DRAINED': { severities: ['high'], way: 'tick', source: 'balances before and after the run; the decoded calls', evidence: { asset: 'asset', tokenId: 'number?', account: 'address', needed: 'amount', held: 'amount' } },
  'VALUE-DRAIN': { severities: ['high'], way: 'tick', source: 'eth_getBalance; ERC-20.balanceOf', evidence: { asset: 'asset', tokenId: 'number?', symbol: 'text?', decimals: 'unshown?', needed: 'amount', held: 'amount' }, cases: ['allowed'] },

  // oversized.ts
  'TX-OVERSIZED': { severities: ['high'], way: 'tick', fails: 'outcome', source: 'bytes of execTransaction; pools of Geth, Reth and Erigon', evidence: { byteSize: 'count', byteLimit: 'count' } },

  // calls/control.ts
  'OWNERSHIP-TRANSFER': { severities: ['critical', 'high'], way: 'typed', typed: 'newOwner', source: 'Ownable; ERC-1967 admin', evidence: { function: 'text?', newOwner: 'address?' } },
  'PROXY-UPGRADE': { severities: ['critical', 'high'], way: 'typed', typed: 'implementation', source: 'ERC-1967; ERC-1822; ERC-2535', evidence: { function: 'text?', proxy: 'address', before: 'address?', implementation: 'address?', codeHash: 'bytes?' } },
  'ROLE-CHANGE': { severities: ['critical', 'high'], way: 'typed', typed: 'holder', source: 'AccessControl', evidence: { function: 'text?', role: 'text?', holder: 'address?', account: 'address?', delay: 'count?' }, cases: ['gains', 'loses', 'admin', 'gains-right', 'loses-right', 'module', 'module-removed', 'setting', 'votes', 'delay', 'resolver'] },
  'RECOVERY-CHANGE': { severities: ['high'], way: 'tick', source: 'SocialRecoveryModule', evidence: { function: 'text?' } },
  'DEPLOY-SETUP-DELEGATE': { severities: ['critical'], way: 'never', fails: 'creation-code', source: 'Safe.setup; SafeProxyFactory', evidence: { function: 'text?', initializer: 'text?', runs: 'address?', singleton: 'address?' } },
  'CREATION-FACTORY': { severities: ['critical'], way: 'never', fails: 'creation-code', source: 'official deployments; eth_getCode', evidence: { factory: 'address', codeHash: 'bytes?' } },
  'CREATION-ADDRESS': { severities: ['critical'], way: 'never', fails: 'creation-address', source: 'CREATE2; eth_getCode; the factory, called', evidence: { safe: 'address', computed: 'address?', codeHash: 'bytes?', actual: 'account?' } },
  'CREATION-ELSEWHERE': { severities: ['high'], way: 'tick', fails: 'creation-elsewhere', source: 'the same address on other chains', evidence: { safe: 'address', chainId: 'number', owners: 'addresses?', threshold: 'count?' } },
  'CREATION-ONE-SIGNATURE': { severities: ['high'], way: 'tick', source: 'Safe.setup', evidence: { threshold: 'count', owners: 'count' } },
  'CREATION-ALL-OWNERS': { severities: ['medium'], source: 'Safe.setup', evidence: { threshold: 'count', owners: 'count' } },
  'CREATION-TOO-LARGE': { severities: ['high'], way: 'tick', source: 'Safe.setup; EIP-7825', evidence: { owners: 'count', gasNeeded: 'count', gasLimit: 'count' } },
  'CREATION-UNNAMED': { severities: ['high'], way: 'tick', source: 'Safe.setup; names by the account', evidence: { newOwners: 'addresses' } },
  'CREATION-OWNERS': { severities: ['critical', 'high'], way: 'typed', typed: 'newOwners', source: 'Safe.setup', evidence: { newOwners: 'addresses', threshold: 'count', owners: 'count' } },
  'SETUP-AGAIN': { severities: ['critical'], way: 'never', fails: 'settings', source: 'Safe.setup: GS200', evidence: { safe: 'address' } },
  RENOUNCE: { severities: ['critical'], way: 'typed', typed: 'to', source: 'Ownable; AccessControl', evidence: { function: 'text?' }, cases: ['role'] },

  // calls/nested.ts
  'NESTED-APPROVE': { severities: ['critical', 'low'], way: 'never', failsAtWorst: 'nested', source: 'Safe.approveHash; Safe.signedMessages; hash of what was found for it', evidence: { hash: 'bytes', unresolved: 'unresolved?' } },
  'EXEC-AS-MODULE': { severities: ['high'], way: 'tick', source: 'ModuleManager.execTransactionFromModule', evidence: { function: 'text?' } },

  // messages/messages.ts
  'MSG-PERMANENT': { severities: ['high'], way: 'tick', source: 'SignMessageLib.signMessage', evidence: { message: 'bytes' } },
  'MSG-IS-TX': { severities: ['critical'], way: 'never', source: 'EIP-712; hashes of known transactions', evidence: { message: 'claim?', primaryType: 'claim?' } },
  'MSG-HEX-AMBIGUOUS': { severities: ['high', 'medium'], way: 'tick', source: 'EIP-191; a text that is hex', evidence: { bytes: 'count' } },
  'MSG-INSTRUCTS': { severities: ['high'], way: 'tick', source: 'accounts, keys and words in the text of a message', evidence: { named: 'claim' } },
  'PERMIT-SIGN': { severities: ['high'], way: 'tick', source: 'ERC-2612; ERC-3009; Permit2; Seaport; CoW Protocol', evidence: { primaryType: 'claim', domain: 'claim?', spender: 'accounts?', receiver: 'accounts?', token: 'asset?', verifier: 'account?', amount: 'stated-amount?', deadline: 'expiry?' }, cases: ['resembles'] },
  'PERMIT-REVOKE': { severities: ['high'], way: 'tick', source: 'ERC-2612; DAI; ERC-3009; Permit2', evidence: { primaryType: 'claim', domain: 'claim?', spender: 'accounts?', token: 'asset', verifier: 'account?', nonce: 'claim?' }, cases: ['cancellation'] },
  'TYPED-DATA-UNKNOWN': { severities: ['high'], way: 'tick', source: 'EIP-712', evidence: { primaryType: 'claim', domain: 'claim?', spender: 'accounts?', receiver: 'accounts?', token: 'asset?', verifier: 'account?', amount: 'stated-amount?', deadline: 'expiry?' } },
  'SIWE-PARSE': { severities: ['high'], way: 'tick', source: 'EIP-4361' },
  'SIWE-DOMAIN': { severities: ['high'], way: 'tick', source: 'EIP-4361; the origin of the request', evidence: { domain: 'claim', uri: 'claim', origin: 'claim?' } },
  'SIWE-ADDRESS': { severities: ['high'], way: 'tick', source: 'EIP-4361', evidence: { expected: 'text', actual: 'claim' } },
  'SIWE-TIME': { severities: ['medium'], source: 'EIP-4361', evidence: { notBefore: 'claim?', expirationTime: 'claim?' } },
  'MSG-RAW-HASH': { severities: ['critical', 'high'], way: 'never', source: 'length of the message', evidence: { function: 'text?', message: 'text?' } },

  // calls/calls.ts
  'CALL-NO-CODE': { severities: ['high'], way: 'tick', isListed: true, fails: 'code', source: 'eth_getCode' },
  'VALUE-HIDDEN': { severities: ['medium'], source: 'value beside data', evidence: { value: 'amount' } },

  // safe/accounts.ts
  'RECIPIENT-7702': { severities: ['high'], way: 'tick', isListed: true, source: 'eth_getCode; EIP-7702', evidence: { recipient: 'address', delegatesTo: 'address' } },

  // addresses/familiarity.ts
  'ADDR-NEW': { severities: ['medium'], source: 'earlier transactions that owners signed; names by owners', evidence: { address: 'address', newAddresses: 'total' } },
  'CODE-UNFAMILIAR': { severities: ['high', 'medium'], way: 'tick', isListed: true, source: 'official deployments; tokens of the operator and of the release; names by owners; earlier transactions that owners signed, for medium', evidence: { address: 'account', function: 'text?', newAddresses: 'total?' } },
  'ARGUMENT-UNFAMILIAR': { severities: ['high'], way: 'tick', isListed: true, source: 'an ABI that was given; names by owners', evidence: { function: 'text?', address: 'address', newAddresses: 'total?' } },
  'ADDR-YOUNG-CODE': { severities: ['high'], way: 'tick', isListed: true, fails: 'contract-age', source: 'eth_getCode, thirty days ago', evidence: { address: 'address', codeHash: 'bytes' } },
  'TOKEN-DECIMALS': { severities: ['critical'], way: 'never', source: 'ERC-20.decimals; tokens of the operator', evidence: { token: 'asset', listed: 'text', expected: 'number', actual: 'number' } },

  // addresses/addresses.ts
  'ADDR-LOOKALIKE': { severities: ['high'], way: 'tick', fails: 'addresses', source: 'every address that is known or named here', evidence: { address: 'address', resembles: 'address' } },

  // simulation: what a run shows
  'SIM-DIVERGES': { severities: ['high'], way: 'never', fails: 'simulation', source: 'the run in the page; eth_call or eth_simulateV1 of the node', evidence: { account: 'address?', token: 'asset?', here: 'text', node: 'text', method: 'text' } },
  'SIM-UNAVAILABLE': { severities: ['high'], way: 'never', fails: 'simulation', source: 'limits of the run; answers of the node', evidence: { reason: 'text', at: 'text', method: 'text?' } },
  'SIM-BY-NODE': { severities: ['high'], way: 'tick', source: 'the id of the chain; eth_call or eth_simulateV1 of the node', evidence: { machine: 'text?', method: 'text' } },
  'SIM-DEPENDS': { severities: ['high'], way: 'never', fails: 'simulation', source: 'the run again: with other gas, a tip, by somebody else, in a later block, by the rules before; reads of assumed approvals' },
  'SIM-REVERT': { severities: ['high', 'medium'], way: 'tick', fails: 'outcome', source: 'the run: Safe.execTransaction', evidence: { gsCode: 'gs-code?', contractWords: 'claim?', contract: 'address?', spendsNonce: 'flag?' } },
  'SIM-TOO-LARGE': { severities: ['high'], way: 'tick', fails: 'outcome', source: 'the run, and again with more gas: Safe.execTransaction; gasLimit of the block; EIP-7825', evidence: { gasNeeded: 'count', gasLimit: 'count' } },
  'SIM-GUARD-BLOCKS': { severities: ['high'], way: 'tick', fails: 'outcome', source: 'the run: Guard.checkTransaction, checkAfterExecution', evidence: { guard: 'address', contractWords: 'claim?' } },
  'CRIT-SLOT-UNEXPLAINED': { severities: ['critical'], way: 'never', fails: 'settings', source: 'storage of the Safe before and after the run; the decoded calls', evidence: { holds: 'slot', of: 'account?', before: 'account', after: 'account', slots: 'total?' } },
  'SETTINGS-NOT-CHANGED': { severities: ['medium'], source: 'storage of the Safe before and after the run; the decoded calls', evidence: { holds: 'slot', of: 'account?' } },
  'MOVES-MORE': { severities: ['high'], way: 'tick', source: 'balances before and after the run; the decoded calls', evidence: { asset: 'asset', tokenId: 'number?', amount: 'amount', said: 'amount' } },
  'MOVES-LESS': { severities: ['high'], way: 'tick', isListed: true, fails: 'outcome', source: 'balances before and after the run; the decoded calls', evidence: { asset: 'asset', account: 'address', amount: 'amount', said: 'amount' } },
  'MOVES-LESS-LATER': { severities: ['high'], way: 'tick', isListed: true, source: 'balances before and after the run, and one a day later', evidence: { asset: 'asset', tokenId: 'number?', share: 'count' } },
  'TOKEN-FEE': { severities: ['medium'], source: 'balances before and after the run; the decoded calls', evidence: { asset: 'asset', account: 'address', amount: 'amount', said: 'amount' } },
  'TOKEN-FAKE-LOG': { severities: ['high'], way: 'tick', source: 'balances before and after the run; logs of ERC-20', evidence: { token: 'asset', said: 'amount', moved: 'amount' } },
  'APPROVAL-LEFT': { severities: ['high'], way: 'tick', source: 'ERC-20.allowance and its like, before and after the run; the decoded calls', evidence: { spender: 'address', token: 'asset', amount: 'allowance', standard: 'text', tokenId: 'number?' } },

  // messages/texts.ts
  'TEXT-CONTROL': { severities: ['high', 'medium'], way: 'tick', source: 'Unicode categories Cc, Cf, Zl, Zp', evidence: { function: 'text?', issue: 'text?', places: 'count?', bytes: 'count?', token: 'asset?', name: 'claim?', codePoints: 'text?', length: 'count?' } },
  'ORIGIN-CLAIM': { severities: ['info'], source: "the proposer's words", evidence: { origin: 'claim' } },
} as const satisfies Record<string, Entry>

/** Name of a finding. */
export type FindingId = keyof typeof findingCatalogue

/** The row of a finding. */
export function findingEntry(id: FindingId): Entry {
  return findingCatalogue[id]
}
