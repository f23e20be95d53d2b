import {
  type deploySafe as Deploy,
  demoAccounts,
  deploySafe,
  deployTestArt,
  requestNode,
  testContracts,
} from '@countersign/devnet'
import {
  type Address,
  createPublicClient,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  type Hex,
  http,
  keccak256,
  parseAbi,
  parseEther,
  parseUnits,
  publicActions,
  type TransactionReceipt,
  toHex,
  WaitForTransactionReceiptTimeoutError,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Product } from '../product/product.ts'
import { readChains, type SafeAt } from './script-owner.ts'

function person(index: number): { address: Address; privateKey: Hex } {
  const account = demoAccounts[index]
  if (!account) throw new Error(`the devnet has no account ${index}`)
  return account
}

type Person = { address: Address; privateKey: Hex }

const roles = ['anna', 'bruno', 'stranger', 'relayer'] as const
let people = new Map<string, Person>()

/**
 * People of the tests, who have no part in the demo Safe. Each test file has others by these names, so that files that
 * share a product meet neither each other's Safes nor each other's limits.
 */
export const team = {
  get anna() {
    return personOf('anna')
  },
  get bruno() {
    return personOf('bruno')
  },
  get stranger() {
    return personOf('stranger')
  },
  get relayer() {
    return personOf('relayer')
  },
}

/** Gives the names to other people. */
export function renewTeam(): void {
  people = new Map(roles.map((role) => [role, newPerson()]))
}

function newPerson(): Person {
  const privateKey = generatePrivateKey()
  return { privateKey, address: privateKeyToAccount(privateKey).address }
}

function personOf(role: (typeof roles)[number]): Person {
  if (people.size === 0) renewTeam()
  const found = people.get(role)
  if (!found) throw new Error(`there is no ${role}`)
  return found
}

/** Gives each of the team as much coin as the accounts of a devnet have, and lets the node send for them as for those. */
export async function fundTeam(rpcUrl: string): Promise<void> {
  // The node knows: one that has ended may have left its address to another.
  if ((await requestNode(rpcUrl, 'eth_getBalance', team.relayer.address, 'latest')) !== '0x0') return
  const balance = toHex(parseEther('10000'))
  const addresses = roles.map((role) => personOf(role).address)
  await Promise.all(
    addresses.flatMap((address) => [
      requestNode(rpcUrl, 'anvil_setBalance', address, balance),
      requestNode(rpcUrl, 'anvil_impersonateAccount', address),
    ]),
  )
  // No block vouches for coin that came outside of one: until the next, every proof of the node would be wrong.
  await requestNode(rpcUrl, 'evm_mine')
}

/** The demo Safe's owners, as the Demo wallet offers them. */
export const demoOwners = [person(0), person(1), person(2)] as const

let salt = BigInt(Date.now())

/** A new Safe of Anna and Bruno, 2 of 2, with 5 of the chain's coin in it. */
export async function newSafe(at: {
  rpcUrl: string
  chainId: number
  version: Parameters<typeof Deploy>[0]['version']
}): Promise<SafeAt> {
  await fundTeam(at.rpcUrl)
  const safeAddress = await deploySafe({
    ...at,
    owners: [team.anna.address, team.bruno.address],
    threshold: 2,
    saltNonce: salt++,
  })
  await sendAs(team.relayer.privateKey, at.rpcUrl, { to: safeAddress, value: parseEther('5') })
  return { chainId: at.chainId, safeAddress, version: at.version }
}

/** Sends an Ethereum transaction past the product and waits until it is mined. */
export async function sendAs(
  privateKey: Hex,
  rpcUrl: string,
  transaction: { to?: Address; data?: Hex; value?: bigint },
): Promise<Hex> {
  const { transactionHash, status } = await sendUntilMined(privateKey, rpcUrl, transaction)
  if (status !== 'success') throw new Error(`\`${transactionHash}\` reverted`)
  return transactionHash
}

/** A block takes far less. */
const MINED_MS = 5_000

/** Anvil now and then loses a transaction that comes in while it mines another: what is not mined is sent again. */
async function sendUntilMined(
  privateKey: Hex,
  rpcUrl: string,
  transaction: Parameters<typeof sendAs>[2],
): Promise<TransactionReceipt> {
  const account = privateKeyToAccount(privateKey)
  const client = createWalletClient({ account, transport: http(rpcUrl), pollingInterval: 50 }).extend(publicActions)
  const request = await client.prepareTransactionRequest({ chain: null, ...transaction })
  const signed = await client.signTransaction({ ...request, chain: null })
  const hash = keccak256(signed)
  for (;;) {
    // It may be there already.
    await client.sendRawTransaction({ serializedTransaction: signed }).catch(async (error: unknown) => {
      if ((await requestNode(rpcUrl, 'eth_getTransactionByHash', hash)) === null) throw error
    })
    try {
      return await client.waitForTransactionReceipt({ hash, timeout: MINED_MS })
    } catch (error) {
      if (!(error instanceof WaitForTransactionReceiptTimeoutError)) throw error
      console.warn(`\`${hash}\` was not mined; it is sent again.`)
    }
    await requestNode(rpcUrl, 'evm_mine')
  }
}

/** Puts this runtime code on the chain. */
export async function deployCode(rpcUrl: string, runtime: Hex): Promise<Address> {
  const size = (runtime.length - 2) / 2
  const data: Hex = `0x61${toHex(size, { size: 2 }).slice(2)}80600a3d393df3${runtime.slice(2)}`
  const { contractAddress } = await sendUntilMined(team.relayer.privateKey, rpcUrl, { data })
  if (!contractAddress) throw new Error('No contract was created.')
  return getAddress(contractAddress)
}

/** The devnet's node, as the launcher says it. */
export function rpcUrlOf({ output }: Pick<Product, 'output'>): string {
  const rpcUrl = /local chain is ready at (http:\/\/\S+)/.exec(output())?.[1]
  if (!rpcUrl) throw new Error('the product runs no devnet')
  return rpcUrl
}

type Running = { product: Pick<Product, 'url'>; rpcUrl: string }

const mintAbi = parseAbi(['function mint(address to, uint256 value)'])

/** Gives a Safe 1,000 of the devnet's test ERC-20, which anybody may mint. */
export async function fundTokens(node: Running, to: Address): Promise<void> {
  const { address, decimals } = await testToken(node)
  const data = encodeFunctionData({ abi: mintAbi, args: [to, parseUnits('1000', decimals)] })
  await sendAs(team.relayer.privateKey, node.rpcUrl, { to: address, data })
}

/** Gives a Safe items of the devnet's test collection, which anybody may mint. */
export async function fundItems(
  { rpcUrl }: Pick<Running, 'rpcUrl'>,
  to: Address,
  ids: readonly bigint[],
): Promise<void> {
  for (const id of ids) {
    const data = encodeFunctionData({ abi: mintAbi, args: [to, id] })
    await sendAs(team.relayer.privateKey, rpcUrl, { to: testContracts.erc721.address, data })
  }
}

const mintDrawingAbi = parseAbi(['function mint(address to, uint256 tokenId, string text)'])

/** Gives a Safe an item that says this of itself. Answers its collection. */
export async function fundDrawing(
  { rpcUrl }: Pick<Running, 'rpcUrl'>,
  to: Address,
  { id, uri }: { id: bigint; uri: string },
): Promise<Address> {
  const collection = await deployTestArt(rpcUrl, team.relayer.address)
  const data = encodeFunctionData({ abi: mintDrawingAbi, args: [to, id, uri] })
  await sendAs(team.relayer.privateKey, rpcUrl, { to: collection, data })
  return collection
}

const mintCopiesAbi = parseAbi(['function mint(address to, uint256 id, uint256 value)'])

/** Gives a Safe several of one item of the devnet's other test collection (ERC-1155), which anybody may mint. */
export async function fundCopies(
  { rpcUrl }: Pick<Running, 'rpcUrl'>,
  to: Address,
  { id, count }: { id: bigint; count: bigint },
): Promise<void> {
  const data = encodeFunctionData({ abi: mintCopiesAbi, args: [to, id, count] })
  await sendAs(team.relayer.privateKey, rpcUrl, { to: testContracts.erc1155.address, data })
}

export async function tokenBalance(node: Running, of: Address): Promise<bigint> {
  const { address } = await testToken(node)
  const chain = createPublicClient({ transport: http(node.rpcUrl) })
  return chain.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [of] })
}

async function testToken({ product }: Running): Promise<{ address: Address; decimals: number }> {
  const token = (await readChains(product.url)).flatMap(({ tokens }) => tokens).find(({ symbol }) => symbol === 'TUSD')
  if (!token) throw new Error('the devnet lists no TUSD')
  return { address: getAddress(token.address), decimals: token.decimals }
}
