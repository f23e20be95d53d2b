import {
  addAbi,
  callNode,
  confirmTransaction,
  deleteTransaction,
  getConfiguration,
  getReviewLists,
  getSafe,
  getTransaction,
  type Input,
  listAbis,
  listQueue,
  listSafes,
  type MultisigTransaction,
  type NamedAddress,
  nameAddress,
  type OtherProposal,
  proposeTransaction,
  type Reply,
  type ReviewList,
  type ReviewReport,
  readBlockHashes,
  recordExecution,
  removeName,
  type Safe,
  type TeamAbiEntry,
} from '@countersign/contract'
import { demoAccounts, deployOldSafe, deploySafe, requestNode, testContracts } from '@countersign/devnet'
import { abiTypedData, type DeclaredEffects, nameTypedData } from '@countersign/review'
import { encodeSignatures, hashSafeTx, newSafeTx, type SafeTx, safeTxTypedData } from '@countersign/safe'
import { encodeExecTransaction } from '@countersign/safe/calls'
import {
  type Address,
  encodeFunctionData,
  getAddress,
  type Hex,
  numberToHex,
  parseAbi,
  parseEther,
  recoverAddress,
  toHex,
  zeroAddress,
} from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { inject } from 'vitest'
import { serverNow } from '../device/server-time.ts'
import { configuration, devnet } from './configuration.ts'
import { type FakeServer, failure } from './fake-server.ts'
import { type Account, team } from './open-page.ts'
import { answerTeams, safeOf, safePath } from './safe.ts'

/** The Safe of a component test: deployed on the devnet, with a server that keeps its proposals, signatures and address book. */
export type Treasury = {
  safe: { chainId: number; safeAddress: Address; version: string }
  owners: readonly Address[]
  threshold: number
  /** Proposals and executed transactions, as the server has them. */
  transactions: MultisigTransaction[]
  /** Adds a proposal that an owner has signed. */
  propose(fields: Partial<SafeTx> & Pick<SafeTx, 'to'>, by?: Account): Promise<MultisigTransaction>
  /** Adds the confirmation of an owner. */
  confirm(transaction: MultisigTransaction, by: Account): Promise<void>
  /** Builds the call that executes a transaction with its current confirmations. */
  executionOf(transaction: MultisigTransaction): { to: Address; data: Hex }
  /** Returns fields of the Safe that the server reports instead of the usual ones. */
  servedNow: () => Partial<Safe>
  /** Accounts that the Safe has paid, according to the server. */
  paid: Address[]
  /** Lists that the server keeps for reviews. */
  lists: (asked: Input<typeof getReviewLists>) => Reply<typeof getReviewLists>
  /** The address book of the team. */
  names: NamedAddress[]
  abis: TeamAbiEntry[]
  /** Names an address, or adds an ABI, with the signature of its author. */
  name(address: Address, name: string, by?: Account): Promise<void>
  addAbi(contract: Address, name: string, abi: string, by?: Account): Promise<void>
  /** Other proposals that the server returns with a transaction. */
  others: OtherProposal[]
  /** Reports of owners’ pages, by the hash of the transaction. */
  reports: Map<Hex, ReviewReport[]>
  /** Effects that a proposer has declared, by the hash of the transaction. */
  declaredEffects: Map<Hex, DeclaredEffects>
  path(section?: string): string
  transactionPath(transaction: Pick<MultisigTransaction, 'safeTxHash'>): string
}

type Options = { version?: '1.1.1' | '1.3.0' | '1.4.1' | '1.5.0'; owners?: readonly Address[]; threshold?: number }

/** The devnet's token, which the server lists. */
export const { erc20: token } = testContracts

/** An account of the node that no test signs with. Each test process has its own, so that nonces do not collide. */
const sender = (demoAccounts[5 + (Number(process.env.VITEST_POOL_ID ?? 0) % 4)] as Account).address

/** Deploys a Safe of Anna and Bruno with 5 of the chain's native coin, and makes the server know it. */
export async function startTreasury(server: FakeServer, options: Options = {}): Promise<Treasury> {
  const { version = '1.4.1', owners = [team.anna.address, team.bruno.address], threshold = 2 } = options
  const { chainId } = devnet
  const rpcUrl = inject('rpcUrl')
  const saltNonce = BigInt(toHex(crypto.getRandomValues(new Uint8Array(16))))
  const safeAddress =
    version === '1.1.1'
      ? await deployOldSafe({ rpcUrl, version, owners, threshold, saltNonce })
      : await deploySafe({ rpcUrl, chainId, sender, version, owners, threshold, saltNonce })
  await send({ to: safeAddress, value: parseEther('5') })
  const safe = { chainId, safeAddress, version }
  const treasury: Treasury = {
    safe,
    owners,
    threshold,
    transactions: [],
    confirm: async (transaction, by) => {
      const { safeTx, safeTxHash } = transaction
      if (!safeTx) throw new Error(`The fields of ${safeTxHash} are not known.`)
      const signature = await sign(by, safeTxTypedData({ ...safe, safeTx }))
      transaction.confirmations = [...transaction.confirmations, confirmationOf(by.address, signature)]
    },
    executionOf: ({ safeTx, safeTxHash, confirmations }) => {
      if (!safeTx) throw new Error(`The fields of ${safeTxHash} are not known.`)
      return { to: safeAddress, data: encodeExecTransaction(safeTx, encodeSignatures(confirmations)) }
    },
    servedNow: () => ({}),
    paid: [],
    lists: ({ lists }) => listsOf(treasury, lists),
    names: [],
    abis: [],
    name: async (address, name, by = team.anna) => {
      const { chainId, safeAddress } = treasury.safe
      const signature = await sign(by, nameTypedData({ chainId, safeAddress, address, name }))
      treasury.names.push({ address, name, author: by.address, signature, updatedAt: now() })
    },
    addAbi: async (contract, name, abi, by = team.anna) => {
      const { chainId, safeAddress } = treasury.safe
      const signature = await sign(by, abiTypedData({ chainId, safeAddress, contract, abi }))
      treasury.abis.push({ contract, name, abi, author: by.address, signature, updatedAt: now() })
    },
    others: [],
    reports: new Map(),
    declaredEffects: new Map(),
    propose: async (fields, by = team.anna) => {
      const safeTx = newSafeTx({ nonce: BigInt(treasury.transactions.length), ...fields })
      const signature = await sign(by, safeTxTypedData({ ...safe, safeTx }))
      const { safeTxHash } = hashSafeTx({ ...safe, safeTx })
      return keep(treasury, { safeTx, safeTxHash, sender: by.address, signature, origin: null })
    },
    path: (section) => safePath(section, devnet, safeAddress),
    transactionPath: ({ safeTxHash }) => treasury.path(`/transactions/${safeTxHash}`),
  }
  const kept = safeOf({
    address: safeAddress,
    version: version === '1.1.1' ? version : `${version}+L2`,
    owners: [...owners],
    threshold,
  })
  const served = () => ({
    ...kept,
    awaitingMyConfirmation: countWaiting(server, treasury),
    hasNames: treasury.names.length > 0,
    hasAbis: treasury.abis.length > 0,
    ...treasury.servedNow(),
  })
  answerTeams(server, [kept])
  server.answer(listSafes, () => ({ safes: [served()] }))
  server.answer(getSafe, () => ({ ...served(), paid: treasury.paid, isPaidWhole: true }))
  server.answer(getConfiguration, { ...configuration, chains: [{ ...devnet, tokens: [token] }] })
  answerFromNode(server)
  answerSigning(server, treasury)
  answerBook(server, treasury)
  return treasury
}

/** Sends an Ethereum transaction without the page, and waits until it is mined. */
export async function send({ to, data, value }: { to?: Address; data?: Hex; value?: bigint }): Promise<Receipt> {
  const rpcUrl = inject('rpcUrl')
  const fields = { from: sender, to, data, value: value === undefined ? undefined : numberToHex(value) }
  const hash = await requestNode(rpcUrl, 'eth_sendTransaction', fields)
  for (;;) {
    const receipt = await readReceipt(hash as Hex)
    if (receipt?.status === '0x1') return receipt
    if (receipt) throw new Error(`${String(hash)} reverted.`)
  }
}

/** Deploys a contract with this runtime code. */
export async function deployCode(runtime: Hex): Promise<Address> {
  const size = toHex((runtime.length - 2) / 2, { size: 2 }).slice(2)
  const { contractAddress } = await send({ data: `0x61${size}80600a3d393df3${runtime.slice(2)}` })
  if (!contractAddress) throw new Error('No contract was created.')
  return getAddress(contractAddress)
}

/** Gives an account this many of the smallest unit of the devnet's token. */
export async function mint(to: Address, amount: bigint): Promise<void> {
  const abi = parseAbi(['function mint(address to, uint256 value)'])
  await send({ to: token.address, data: encodeFunctionData({ abi, args: [to, amount] }) })
}

type Receipt = Record<'status' | 'blockNumber' | 'gasUsed' | 'effectiveGasPrice', Hex> & {
  contractAddress: Address | null
}

async function readReceipt(hash: Hex): Promise<Receipt | null> {
  return (await requestNode(inject('rpcUrl'), 'eth_getTransactionReceipt', hash)) as Receipt | null
}

/** Makes the server forward the questions of the page to the devnet's node. */
export function answerFromNode(server: FakeServer): void {
  const rpcUrl = inject('rpcUrl')
  server.answer(callNode, async ({ body }) => {
    const headers = { 'content-type': 'application/json' }
    return (await fetch(rpcUrl, { method: 'POST', headers, body: JSON.stringify(body) })).json()
  })
  server.answer(readBlockHashes, async ({ blockNumber }) => {
    const block = (await requestNode(rpcUrl, 'eth_getBlockByNumber', numberToHex(blockNumber), false)) as {
      hash: Hex
      timestamp: Hex
    } | null
    return {
      nodes: [
        { name: 'devnet', host: 'devnet', hash: block?.hash ?? null, newestTime: block && Number(block.timestamp) },
      ],
    }
  })
}

/** Answers the endpoints for signing: keeps proposals and adds confirmations to them. */
function answerSigning(server: FakeServer, treasury: Treasury): void {
  const find = (hash: Hex) => treasury.transactions.find(({ safeTxHash }) => safeTxHash === hash)
  const waiting = () => waitingIn(treasury)
  server.answer(listQueue, () => ({ transactions: waiting(), nextCursor: null }))
  server.answer(getReviewLists, treasury.lists)
  server.answer(getTransaction, async ({ safeTxHash }) => {
    const transaction = find(safeTxHash)
    if (!transaction) return failure('TRANSACTION_NOT_FOUND', { safeTxHash }, 404)
    await recordReceipt(transaction)
    const others = [
      ...waiting()
        .filter((one) => one !== transaction)
        .map(otherOf),
      ...treasury.others,
    ]
    return {
      transaction,
      others,
      formerConfirmations: [],
      reports: treasury.reports.get(safeTxHash) ?? [],
      declaredEffects: treasury.declaredEffects.get(safeTxHash) ?? null,
    }
  })
  const report = (
    safeTxHash: Hex,
    account: Address,
    verb: ReviewReport['verb'],
    reviewed?: ReviewReport['reviewed'],
  ) => {
    if (!reviewed) return
    treasury.reports.set(safeTxHash, [
      ...(treasury.reports.get(safeTxHash) ?? []),
      { account, at: now(), verb, reviewed },
    ])
  }
  /** Rejects a signature that is not by the key of an owner, as the server does. */
  const refuse = async (hash: Hex, signature: Hex, sender?: Address) => {
    const signer = await recoverAddress({ hash, signature })
    const isRight = treasury.owners.includes(signer) && (sender === undefined || sender === signer)
    return isRight ? null : failure('SIGNATURE_NOT_FROM_OWNER', { signer }, 422)
  }
  server.answer(proposeTransaction, async ({ sender, origin = null, reviewed, declaredEffects, ...body }) => {
    const refused = await refuse(body.safeTxHash, body.signature, sender)
    if (refused) return refused
    report(body.safeTxHash, sender, 'proposed', reviewed)
    if (declaredEffects) treasury.declaredEffects.set(body.safeTxHash, declaredEffects)
    return keep(treasury, { sender, origin, ...body })
  })
  server.answer(confirmTransaction, async ({ safeTxHash, signature, reviewed }) => {
    const transaction = find(safeTxHash)
    if (!transaction) return failure('TRANSACTION_NOT_FOUND', { safeTxHash }, 404)
    const refused = await refuse(safeTxHash, signature)
    if (refused) return refused
    const owner = await recoverAddress({ hash: safeTxHash, signature })
    report(safeTxHash, owner, 'confirmed', reviewed)
    transaction.confirmations = [...transaction.confirmations, confirmationOf(owner, signature)]
    return transaction
  })
  server.answer(deleteTransaction, ({ safeTxHash }) => {
    treasury.transactions = treasury.transactions.filter((one) => one.safeTxHash !== safeTxHash)
    return undefined
  })
  server.answer(recordExecution, ({ safeTxHash, transactionHash }) => {
    const transaction = find(safeTxHash)
    const executor = server.session?.address
    if (!transaction || !executor) return failure('TRANSACTION_NOT_FOUND', { safeTxHash }, 404)
    transaction.pendingExecution = { transactionHash, executor, submissionDate: now() }
    return transaction
  })
}

function waitingIn({ transactions }: Treasury): MultisigTransaction[] {
  return transactions.filter(({ isExecuted }) => !isExecuted)
}

function listsOf(treasury: Treasury, lists: readonly ReviewList[]): Reply<typeof getReviewLists> {
  const waiting = waitingIn(treasury)
  const proposals = waiting.map(({ safeTxHash }) => ({
    safeTxHash,
    formerConfirmations: [],
    declaredEffects: treasury.declaredEffects.get(safeTxHash) ?? null,
    spent: [],
  }))
  const others = [...waiting.map(otherOf), ...treasury.others]
  return {
    ...(lists.includes('claims') && { claims: { proposals, others, deleted: [] } }),
    ...(lists.includes('names') && { names: { names: treasury.names, nextCursor: null } }),
    ...(lists.includes('abis') && { abis: { abis: treasury.abis, nextCursor: null } }),
    ...(lists.includes('policy') && { policy: { inForce: null, proposed: null } }),
  }
}

/** Answers the endpoints of the address book. The author of each entry is the account that is signed in. */
function answerBook(server: FakeServer, treasury: Treasury): void {
  const author = () => server.session?.address ?? zeroAddress
  server.answer(listAbis, () => ({ abis: treasury.abis, nextCursor: null }))
  server.answer(nameAddress, ({ address, name, signature = null }) => {
    const named = { address, name, author: author(), signature, updatedAt: now() }
    treasury.names = [...treasury.names.filter((one) => one.address !== address || one.author !== author()), named]
    return named
  })
  server.answer(removeName, ({ address, author: by }) => {
    treasury.names = treasury.names.filter((one) => one.address !== address || one.author !== by)
    return undefined
  })
  server.answer(addAbi, ({ contract, name, abi, signature = null }) => {
    const added = { contract, name, abi, author: author(), signature, updatedAt: now() }
    treasury.abis.push(added)
    return added
  })
}

/** Marks a transaction as executed once the chain has the Ethereum transaction that was sent for it. */
async function recordReceipt(transaction: MultisigTransaction): Promise<void> {
  const { pendingExecution } = transaction
  if (!pendingExecution || transaction.isExecuted) return
  const { transactionHash, executor } = pendingExecution
  const receipt = await readReceipt(transactionHash)
  if (!receipt) return
  const gasUsed = BigInt(receipt.gasUsed)
  Object.assign(transaction, {
    isExecuted: true,
    isSuccessful: receipt.status === '0x1',
    transactionHash,
    executor,
    blockNumber: Number(receipt.blockNumber),
    executionDate: now(),
    gasUsed,
    fee: gasUsed * BigInt(receipt.effectiveGasPrice),
    pendingExecution: null,
  } satisfies Partial<MultisigTransaction>)
}

function countWaiting({ session }: FakeServer, { transactions }: Treasury): number {
  const isMissing = ({ confirmations }: MultisigTransaction) =>
    confirmations.every(({ owner }) => owner !== session?.address)
  return transactions.filter((transaction) => !transaction.isExecuted && isMissing(transaction)).length
}

type Proposal = { safeTx: SafeTx; safeTxHash: Hex; sender: Address; signature: Hex; origin: string | null }

function keep({ safe, transactions, threshold }: Treasury, proposal: Proposal): MultisigTransaction {
  const { safeTx, safeTxHash, sender, signature, origin } = proposal
  const transaction: MultisigTransaction = {
    chainId: safe.chainId,
    safeAddress: safe.safeAddress,
    safeTxHash,
    safeTx,
    proposer: sender,
    proposedByDelegate: null,
    origin,
    submissionDate: now(),
    confirmations: [confirmationOf(sender, signature)],
    confirmationsRequired: threshold,
    isHashOutdated: false,
    isExecuted: false,
    isSuccessful: null,
    transactionHash: null,
    executor: null,
    blockNumber: null,
    executionDate: null,
    gasUsed: null,
    fee: null,
    pendingExecution: null,
  }
  transactions.push(transaction)
  return transaction
}

function sign(by: Account, typedData: Parameters<PrivateKeyAccount['signTypedData']>[0]): Promise<Hex> {
  return privateKeyToAccount(by.privateKey).signTypedData(typedData)
}

function confirmationOf(owner: Address, signature: Hex): MultisigTransaction['confirmations'][number] {
  return { owner, signature, signatureType: 'EOA', submissionDate: now(), transactionHash: null }
}

function otherOf({ safeTxHash, safeTx, safeAddress, confirmations }: MultisigTransaction): OtherProposal {
  const isCancellation = safeTx?.to === safeAddress && safeTx.data === '0x' && safeTx.value === 0n
  return { safeTxHash, nonce: safeTx?.nonce ?? 0n, isCancellation, confirmations, formerConfirmations: [] }
}

function now(): string {
  return new Date(serverNow()).toISOString()
}
