import { call, removeAbi } from '@countersign/contract'
import { type AnyVersion, canonicalContract, deployAnySafe, requestNode, testContracts } from '@countersign/devnet'
import { CountersignError, encodeSignatures, isSameAddress, newSafeTx, safeTxTypedData } from '@countersign/safe'
import { encodeExecTransaction, encodeMultiSend } from '@countersign/safe/calls'
import { type Address, encodeFunctionData, erc20Abi, type Hex, pad, parseAbi, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import {
  isNamedByTeam,
  type NamedAccount,
  namedAccounts,
  type Shape,
  shapeReader,
} from '../../../review/vectors/verdicts/shapes.ts'
import { giveAbiByScript, nameByScript, type SafeAt, type ScriptOwner } from '../people/script-owner.ts'
import { sendAs, team } from '../people/team.ts'
import { delegationTo } from './gallery.ts'
import { standInCode } from './stand-in.ts'

// Where the shapes of `packages/review/vectors/verdicts` happen: a node whose contracts stand in for those of Ethereum.

/** Facts about its Safe that a shape needs: the release, what is installed, the accounts that were paid; `null`: all have names. */
export type Place = {
  version: AnyVersion
  modules: string[]
  guard: string | null
  fallbackHandler: string | null
  paid: string[] | null
}

const readable = new Set(['paid', 'codes', 'version', 'reportedVersion', 'modules', 'guard', 'fallbackHandler'])

/** Gives where a shape can happen, or `null` where its facts are made by hand: the table's own test has those. */
export function placeOf({ name, message, facts = {}, state = {}, moves, prices, nested, order }: Shape): Place | null {
  const isByHand = [...Object.keys(facts), ...Object.keys(state)].some((key) => !readable.has(key))
  // A page signs texts and typed data, and gets orders and the transactions of other Safes in other ways.
  const isBytes = typeof message === 'object' && message !== null && 'bytes' in message
  // It looks like an owner whom the table made up.
  const isOfOwner = name.startsWith('A look-alike of an owner')
  if (isByHand || isBytes || isOfOwner || moves || prices || nested || order || state.version === null) return null
  const paid = 'paid' in facts ? (facts.paid as string[] | null) : null
  if ('paid' in facts && paid === null) return null
  const { version = '1.4.1', modules = [], guard = null, fallbackHandler = null } = state as Partial<Place>
  return { version, modules, guard, fallbackHandler, paid }
}

/** Puts a contract at the address of each account of the table that is one. */
export async function standIn(rpcUrl: string): Promise<void> {
  for (const { address, key = false, ...says } of Object.values(namedAccounts))
    if (!key && (await requestNode(rpcUrl, 'eth_getCode', address, 'latest')) === '0x')
      await requestNode(rpcUrl, 'anvil_setCode', address, standInCode(says))
  // No block vouches for code that came outside of one.
  await requestNode(rpcUrl, 'evm_mine')
}

/** The accounts of the table, with those who own the Safes. */
export function accountsOf(safeAddress: Address): Record<string, NamedAccount> {
  return {
    ...namedAccounts,
    Safe: { address: safeAddress },
    Owner: { address: team.anna.address, key: true },
    OtherOwner: { address: team.bruno.address, key: true },
  }
}

const setUpAbi = parseAbi(['function enableModule(address module)', 'function setFallbackHandler(address handler)'])
/** `keccak256("guard_manager.guard.address")`: a Safe asks a guard whether it is one, and a thief's says so. */
const GUARD_SLOT: Hex = '0x4a204f620c8c5ccdca3fd54d003badd85ba500436a431f0cbda4f558c93c34c8'

/** Makes the Safe of a place. @returns its address */
export async function settlePlace(rpcUrl: string, place: Place, saltNonce: bigint): Promise<SafeAt> {
  const { version, modules, guard, fallbackHandler, paid } = place
  const owners = [team.anna.address, team.bruno.address]
  const safeAddress = await deployAnySafe({ rpcUrl, chainId: 1, version, owners, threshold: 2, saltNonce })
  await sendAs(team.relayer.privateKey, rpcUrl, { to: safeAddress, value: parseEther('1000') })
  const mint = encodeFunctionData({
    abi: parseAbi(['function mint(address to, uint256 value)']),
    args: [safeAddress, 1000n],
  })
  await sendAs(team.relayer.privateKey, rpcUrl, { to: testContracts.erc20.address, data: mint })
  await requestNode(rpcUrl, 'anvil_impersonateAccount', safeAddress)
  const { addressOf } = shapeReader(accountsOf(safeAddress))
  const accountOf = (name: string) => addressOf(name.slice(1))
  const send = (to: Address, data: Hex) =>
    requestNode(rpcUrl, 'eth_sendTransaction', { from: safeAddress, to, data, gas: '0x493e0' })
  for (const name of modules)
    await send(
      safeAddress,
      encodeFunctionData({ abi: setUpAbi, args: [accountOf(name)], functionName: 'enableModule' }),
    )
  if (fallbackHandler !== null) {
    const args = [accountOf(fallbackHandler)] as const
    await send(safeAddress, encodeFunctionData({ abi: setUpAbi, args, functionName: 'setFallbackHandler' }))
  }
  if (paid !== null && paid.length > 0)
    await payBefore(
      rpcUrl,
      { chainId: 1, safeAddress, version },
      paid.map((name) => accountOf(name)),
    )
  if (guard !== null) {
    await requestNode(rpcUrl, 'anvil_setStorageAt', safeAddress, GUARD_SLOT, pad(accountOf(guard)))
    await requestNode(rpcUrl, 'evm_mine')
  }
  return { chainId: 1, safeAddress, version }
}

/** Makes the owners pay accounts with a Safe transaction, which is the only way to add a payee. */
async function payBefore(rpcUrl: string, { safeAddress, ...at }: SafeAt, accounts: readonly Address[]): Promise<void> {
  const payments = accounts.map((account) => ({
    to: testContracts.erc20.address,
    value: 0n,
    data: encodeFunctionData({ abi: erc20Abi, args: [account, 1n], functionName: 'transfer' }),
  }))
  const { address: to } = canonicalContract('1.4.1', 'multi_send_call_only')
  const safeTx = newSafeTx({ to, operation: 1, nonce: 0n, data: encodeMultiSend(payments) })
  const typedData = safeTxTypedData({ ...at, safeAddress, safeTx })
  const signatures = await Promise.all(
    [team.anna, team.bruno].map(async ({ address, privateKey }) => ({
      owner: address,
      signature: await privateKeyToAccount(privateKey).signTypedData(typedData),
    })),
  )
  const data = encodeExecTransaction(safeTx, encodeSignatures(signatures))
  await sendAs(team.relayer.privateKey, rpcUrl, { to: safeAddress, data })
}

/** Has an owner sign a name of all that the team knows, as fast as one may. */
export async function nameKnown(owner: ScriptOwner, safe: SafeAt): Promise<void> {
  const { safeAddress } = safe
  const owners = [team.anna.address, team.bruno.address]
  for (const [name, { address }] of Object.entries(accountsOf(safeAddress))) {
    if (!isNamedByTeam(name) || owners.some((owner) => isSameAddress(owner, address))) continue
    const named = { address, name: `Our ${name}` }
    for (;;) {
      const refused = await nameByScript(owner, safe, named).then(
        () => null,
        (error: unknown) => error,
      )
      if (refused === null) break
      if (!(refused instanceof CountersignError) || refused.code !== 'RATE_LIMITED') throw refused
      await new Promise((resolve) => setTimeout(resolve, 1_000))
    }
  }
}

type WrittenCode = { size: number; delegatesTo?: string; givesOut?: boolean }

/** Puts foreign code where a shape has it. @returns what takes it away again */
export async function putCodes(rpcUrl: string, { facts }: Shape): Promise<() => Promise<void>> {
  const codes = Object.entries((facts?.codes ?? {}) as Record<string, WrittenCode>)
  const { addressOf } = shapeReader(namedAccounts)
  const accountOf = (name: string) => addressOf(name.replace('$', ''))
  const put = async (written: readonly (readonly [Address, unknown])[]) => {
    for (const [address, code] of written) await requestNode(rpcUrl, 'anvil_setCode', address, code)
    if (written.length > 0) await requestNode(rpcUrl, 'evm_mine')
  }
  const changed = codes.filter(([, { size }]) => size > 0)
  const before = await Promise.all(
    changed.map(
      async ([name]) => [accountOf(name), await requestNode(rpcUrl, 'eth_getCode', accountOf(name), 'latest')] as const,
    ),
  )
  await put(
    changed.map(([name, { delegatesTo, givesOut = false }]) => [
      accountOf(name),
      delegatesTo === undefined ? standInCode({ givesOut }) : delegationTo(accountOf(delegatesTo)),
    ]),
  )
  return () => put(before)
}

/** Has an owner give the ABIs of a shape. @returns what takes them away again */
export async function giveAbis(owner: ScriptOwner, safe: SafeAt, { abis = {} }: Shape): Promise<() => Promise<void>> {
  const { chainId, safeAddress } = safe
  const { addressOf } = shapeReader(accountsOf(safeAddress))
  const given = Object.entries(abis).map(([name, functions]) => ({
    contract: addressOf(name),
    name: `ABI of ${name}`,
    abi: JSON.stringify(parseAbi(functions.map((text) => `function ${text}`) as never)),
  }))
  for (const abi of given) await giveAbiByScript(owner, safe, abi)
  return async () => {
    for (const { contract } of given)
      await call(owner.options, removeAbi, { chainId, safeAddress, contract, author: team.bruno.address })
  }
}
