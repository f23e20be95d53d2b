import { type Address, getAddress, isAddress } from 'viem'

/** A chain id as wallets write it: a number, decimal or hexadecimal text, or `eip155:1`. */
export function parseChainId(value: unknown): number | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return undefined
  const text = String(value)
    .trim()
    .replace(/^eip155:/, '')
  if (!/^(0x[0-9a-f]+|\d+)$/i.test(text)) return undefined
  const chainId = Number(text)
  return Number.isSafeInteger(chainId) && chainId > 0 ? chainId : undefined
}

/** The addresses in a wallet's list of accounts, each once; null when it is no list. What is no address is left out. */
export function parseAccounts(value: unknown): Address[] | null {
  if (!Array.isArray(value)) return null
  return [...new Set([...value].flatMap((entry) => parseAddress(entry) ?? []))]
}

function parseAddress(value: unknown): Address | undefined {
  const address = typeof value === 'string' ? value.trim().replace(/^0X/, '0x') : ''
  return isAddress(address, { strict: false }) ? getAddress(address) : undefined
}
