import { type RpcRequest, readTokens } from '@countersign/safe'
import { type Address, encodeFunctionData, type Hex, parseAbi, zeroAddress } from 'viem'
import type { Chain } from '../../rpc/clients.ts'
import { isRefusal } from '../../rpc/errors.ts'
import type { Call } from './service.ts'

type Place = Pick<Call, 'chain' | 'deps'>
type Kind = 'erc20' | 'erc721'

/** Token in the wire format, as its contract describes it. The configuration and lists only decide whether it is trusted. */
export type TokenInfo = {
  type: 'ERC20' | 'ERC721'
  address: Address
  name: string
  symbol: string
  decimals: number | null
  /** Nobody here keeps pictures of tokens: it is the same for all. Strict readers take an address alone. */
  logoUri: string
  trusted: boolean
}

/** Names do not change. Tokens beyond that are asked again, so that a flood of them takes bounded memory. */
const MAX_REMEMBERED = 10_000
const ASKED_AT_ONCE = 100

type Claims = { name: string; symbol: string; decimals: number | null }
const remembered = new Map<string, Claims>()

/** Where the picture of tokens is. */
export function tokenLogo({ publicUrl }: Call['deps']): string {
  return new URL('/token.svg', publicUrl).href
}

/** A token as a list describes it, if its contract did not answer. */
export function listedToken({ chain, deps }: Place, address: Address): TokenInfo | null {
  const listed = deps.tokenLists.at(chain.settings.chainId, address)
  if (!listed) return null
  const { symbol, name, decimals } = listed
  return { type: 'ERC20', address, name, symbol, decimals, logoUri: tokenLogo(deps), trusted: true }
}

/**
 * Tokens by address. One that says nothing of itself is missing, one of ERC-1155 too, and so are all that are not listed
 * while the node does not answer, because a list without names is better than no list. A listed token then has the values of
 * its list.
 *
 * @param wanted - of what kind each is, where a transfer tells; else the contract is asked.
 */
export async function findTokenInfos(
  { chain, deps }: Place,
  wanted: readonly { address: Address; kind?: Kind }[],
): Promise<Map<Address, TokenInfo>> {
  const kinds = new Map(wanted.map(({ address, kind }) => [address, kind]))
  const found = new Map<Address, TokenInfo>()
  const unknown: Address[] = []
  const add = async (address: Address, claims: Claims) => {
    const listed = listedToken({ chain, deps }, address)
    const kind = kinds.get(address) ?? (listed ? 'erc20' : await readKind(chain.request, address, claims))
    if (!kind) return
    const type = kind === 'erc721' ? 'ERC721' : 'ERC20'
    const [name, symbol] = [claims.name || (listed?.name ?? ''), claims.symbol || (listed?.symbol ?? '')]
    const decimals = kind === 'erc721' ? null : (claims.decimals ?? listed?.decimals ?? null)
    found.set(address, { type, address, name, symbol, decimals, logoUri: tokenLogo(deps), trusted: listed !== null })
  }
  for (const address of kinds.keys()) {
    const known = remembered.get(keyOf(chain, address))
    if (known) await add(address, known)
    else unknown.push(address)
  }
  for (let from = 0; from < unknown.length; from += ASKED_AT_ONCE) {
    const part = unknown.slice(from, from + ASKED_AT_ONCE)
    const readings = await readTokens(chain.request, zeroAddress, part).catch(() => [])
    for (const { address, name, symbol, decimals, balance } of readings) {
      if (name === null && symbol === null && typeof balance !== 'bigint') continue
      const claims = { name: name ?? '', symbol: symbol ?? '', decimals }
      if (balance !== 'unread') remember(keyOf(chain, address), claims)
      await add(address, claims)
    }
  }
  for (const address of unknown) {
    const listed = found.has(address) ? null : listedToken({ chain, deps }, address)
    if (listed) found.set(address, listed)
  }
  return found
}

const interfaceAbi = parseAbi(['function supportsInterface(bytes4 id) view returns (bool)'])
const YES = `0x${'1'.padStart(64, '0')}`

/** Decimals are optional in ERC-20, so that a token without them is asked whether it is something else. */
async function readKind(request: RpcRequest, address: Address, { decimals }: Claims): Promise<Kind | null> {
  if (decimals !== null) return 'erc20'
  const supports = async (id: Hex) => {
    const data = encodeFunctionData({ abi: interfaceAbi, args: [id] })
    const answer = await request({ method: 'eth_call', params: [{ to: address, data }, 'latest'] }).catch(
      (error: unknown) => {
        if (isRefusal(error)) return null
        throw error
      },
    )
    return answer === YES
  }
  const [isErc721, isErc1155] = await Promise.all([supports('0x80ac58cd'), supports('0xd9b67a26')])
  return isErc721 ? 'erc721' : isErc1155 ? null : 'erc20'
}

function keyOf({ settings }: Chain, address: Address): string {
  return `${settings.chainId}/${address}`
}

function remember(key: string, claims: Claims): void {
  if (remembered.size >= MAX_REMEMBERED) remembered.delete(remembered.keys().next().value ?? '')
  remembered.set(key, claims)
}
