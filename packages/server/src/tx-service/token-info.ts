import { readTokens } from '@countersign/safe-core'
import { type Address, zeroAddress } from 'viem'
import type { Chain } from '../chain/clients.ts'

/** What this wire tells of a token. Of one that the operator does not list, it is what the token says of itself. */
export type TokenInfo = {
  type: 'ERC20' | 'ERC721' | 'UNKNOWN'
  address: Address
  name: string
  symbol: string
  decimals: number | null
  logoUri: string
  trusted: boolean
}

/** Names do not change. Tokens beyond that are asked again, so that a flood of them takes bounded memory. */
const MOST_REMEMBERED = 10_000
const ASKED_AT_ONCE = 100

type Claims = { name: string; symbol: string; decimals: number | null }
const remembered = new Map<string, Claims>()

export function listedToken({ settings }: Chain, address: Address): TokenInfo | null {
  const listed = settings.tokens?.find((one) => one.address === address)
  if (!listed) return null
  const { symbol, name = symbol, decimals } = listed
  return { type: 'ERC20', address, name, symbol, decimals, logoUri: '', trusted: true }
}

/**
 * Tokens by address. One that says nothing of itself is missing, and so are all that are not listed while the node does
 * not answer: a list is of more use without names than not at all.
 */
export async function findTokenInfos(
  chain: Chain,
  wanted: readonly { address: Address; kind?: 'erc20' | 'erc721' | 'erc1155' }[],
): Promise<Map<Address, TokenInfo>> {
  const kinds = new Map(wanted.map(({ address, kind }) => [address, kind]))
  const found = new Map<Address, TokenInfo>()
  const unknown: Address[] = []
  for (const [address, kind] of kinds) {
    const listed = listedToken(chain, address)
    const known = remembered.get(keyOf(chain, address))
    if (listed) found.set(address, listed)
    else if (known) found.set(address, toInfo(address, known, kind))
    else unknown.push(address)
  }
  for (let from = 0; from < unknown.length; from += ASKED_AT_ONCE) {
    const part = unknown.slice(from, from + ASKED_AT_ONCE)
    const readings = await readTokens(chain.request, zeroAddress, part).catch(() => [])
    for (const { address, name, symbol, decimals, balance } of readings) {
      if (name === null && symbol === null && typeof balance !== 'bigint') continue
      const claims = { name: name ?? '', symbol: symbol ?? '', decimals }
      if (balance !== 'unread') remember(keyOf(chain, address), claims)
      found.set(address, toInfo(address, claims, kinds.get(address)))
    }
  }
  return found
}

function toInfo(address: Address, claims: Claims, kind: 'erc20' | 'erc721' | 'erc1155' | undefined): TokenInfo {
  const type = kind === 'erc721' ? 'ERC721' : kind === 'erc1155' || claims.decimals === null ? 'UNKNOWN' : 'ERC20'
  return { type, address, ...claims, decimals: type === 'ERC20' ? claims.decimals : null, logoUri: '', trusted: false }
}

function keyOf({ settings }: Chain, address: Address): string {
  return `${settings.chainId}/${address}`
}

function remember(key: string, claims: Claims): void {
  if (remembered.size >= MOST_REMEMBERED) remembered.delete(remembered.keys().next().value ?? '')
  remembered.set(key, claims)
}
