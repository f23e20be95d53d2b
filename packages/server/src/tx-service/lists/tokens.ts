import { notFound } from '../wire/answers.ts'
import { parseFilters, parseOrdering, pathAddress } from '../wire/fields.ts'
import { pageSizes, parseWindow, toPage } from '../wire/page.ts'
import type { Call, TxService } from '../wire/service.ts'
import { findTokenInfos, listedToken, type TokenInfo } from '../wire/token-info.ts'

/** Serves tokens of the configuration, of lists, and any other. The details of each come from its contract. */
export function tokenRoutes({ read, ask }: TxService): void {
  ask('GET', '/v1/tokens', async (call) => {
    const window = parseWindow(call, pageSizes.tokens)
    const all = listTokens(call)
    const rows = all.slice(window.offset, window.offset + window.limit + 1)
    const own = await findTokenInfos(call, rows.slice(0, window.limit))
    return toPage(call, window, { rows, count: all.length }, (token) => own.get(token.address) ?? token)
  })
  read('GET', '/v1/tokens/lists', async (call) =>
    toPage(call, parseWindow(call, pageSizes.tokens), { rows: [], count: 0 }, (list) => list),
  )
  ask('GET', '/v1/tokens/{token}', async (call) => {
    const address = pathAddress(call, 'token', 'Invalid ethereum address')
    const found = await findTokenInfos(call, [{ address }])
    return found.get(address) ?? notFound('Token')
  })
}

const orders = ['name', 'symbol', 'decimals', 'address'] as const

/** Returns the tokens of the lists that match the query, in its order. */
function listTokens(call: Call): TokenInfo[] {
  const isAsked = parseTokenFilters(call)
  const { name: field, isDescending } = parseOrdering(call, orders, { name: 'name', isDescending: false })
  const sign = isDescending ? -1 : 1
  return call.deps.tokenLists
    .all(call.chainId)
    .flatMap((token) => listedToken(call, token.address) ?? [])
    .filter(isAsked)
    .sort((one, other) => {
      const [a, b] = [one[field] ?? 0, other[field] ?? 0]
      return sign * (a < b ? -1 : a > b ? 1 : 0)
    })
}

function isBetween(value: number, above: string | undefined, below: string | undefined): boolean {
  return (above === undefined || value > Number(above)) && (below === undefined || value < Number(below))
}

function parseTokenFilters(call: Call): (token: TokenInfo) => boolean {
  const filters = parseFilters(call)
  const name = filters.text('name')
  const symbol = filters.text('symbol')
  const address = filters.address('address')
  const decimals = filters.number('decimals')
  const below = filters.number('decimals__lt')
  const above = filters.number('decimals__gt')
  const search = filters.text('search')?.toLowerCase()
  filters.done()
  return (token) =>
    (!name || token.name === name) &&
    (!symbol || token.symbol === symbol) &&
    (!address || token.address === address) &&
    (decimals === undefined || (token.decimals ?? -1) === Number(decimals)) &&
    isBetween(token.decimals ?? 0, above, below) &&
    (!search || `${token.name}\n${token.symbol}`.toLowerCase().includes(search))
}
