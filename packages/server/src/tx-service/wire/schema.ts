import type { TokenScope } from '@countersign/contract'
import type { TxService } from './service.ts'

type Json = Record<string, unknown>
type Method = 'GET' | 'POST' | 'DELETE'

/** A mounted route of the wire format, with the scope that its token needs. */
export type WireRoute = { method: Method; path: string; scope: TokenScope }

/** Fields of a body: required ones by name, optional ones with a question mark. */
const proposal =
  'to value data? operation safeTxGas baseGas gasPrice gasToken? refundReceiver? nonce contractTransactionHash sender signature? origin?'
const multisigQuery =
  'nonce nonce__gte nonce__lte nonce__gt nonce__lt safe_tx_hash to value transaction_hash executed failed trusted has_confirmations execution_date__gte submission_date__gte modified__gt ordering limit offset'
const transferQuery =
  'execution_date__gte block_number__gt to _from token_address transaction_hash value erc20 erc721 ether limit offset after'
const page = 'limit offset'

/** Summary, query parameters and body fields, by method and by the path after its version. */
const descriptions: Record<string, [summary: string, query?: string, body?: string]> = {
  'GET about': ['This service and its version'],
  'GET about/ethereum-rpc': ['Node of the chain'],
  'GET about/ethereum-tracing-rpc': ['Not found: this server does not distinguish nodes that can trace'],
  'GET about/singletons': ['Singletons deployed on the chain'],
  'GET about/indexing': ['How far this server has followed the chain'],
  'GET about/deployments': ['Safe contracts deployed on the chain', 'version contract'],
  'POST data-decoder': ['Decodes calldata with known functions', '', 'data to?'],
  'GET safes/{safe}': ['A Safe, as the chain has it now'],
  'GET safes/{safe}/creation': ['How a Safe was created'],
  'GET safes/{safe}/balances': ['Native coin and tokens of a Safe', `trusted ${page}`],
  'GET safes/{safe}/collectibles': ['NFTs of a Safe', page],
  'GET safes/{safe}/multisig-transactions': ['Transactions that owners sign', multisigQuery],
  'POST safes/{safe}/multisig-transactions': [
    'Proposes a transaction with at most 131,072 bytes of calldata',
    '',
    proposal,
  ],
  'GET multisig-transactions/{safeTxHash}': ['One transaction that owners sign'],
  'DELETE multisig-transactions/{safeTxHash}': ['Deletes a proposal', '', 'signature'],
  'GET multisig-transactions/{safeTxHash}/confirmations': ['Confirmations of a transaction', page],
  'POST multisig-transactions/{safeTxHash}/confirmations': ['Confirms a transaction', '', 'signature'],
  'POST safes/{safe}/multisig-transactions/estimations': [
    'Gas that a transaction needs',
    '',
    'to value data? operation',
  ],
  'GET safes/{safe}/all-transactions': ['Executions and transfers', 'ordering limit offset after'],
  'GET safes/{safe}/transfers': ['Transfers', transferQuery],
  'GET safes/{safe}/incoming-transfers': ['Transfers to the Safe', transferQuery],
  'GET transfer/{transferId}': ['One transfer'],
  'GET safes/{safe}/module-transactions': [
    'Calls that modules executed',
    'module to operation failed transaction_hash block_number__gt ordering limit offset after',
  ],
  'GET module-transaction/{moduleTransactionId}': ['One call that a module executed'],
  'GET safes/{safe}/export': [
    'Transfers, with the transactions that caused them',
    'execution_date__gte execution_date__lte limit offset after',
  ],
  'GET modules/{module}/safes': ['Safes that a module may act for', page],
  'GET owners/{owner}/safes': ['Safes of an owner', page],
  'GET delegates': ['Accounts that may propose for an owner', `safe delegate delegator label ${page}`],
  'POST delegates': ['Adds a delegate', '', 'safe? delegate delegator label signature expiryDate?'],
  'DELETE delegates/{delegate}': ['Removes a delegate', '', 'safe? delegator signature'],
  'DELETE safes/{safe}/delegates/{delegate}': ['Removes a delegate of one Safe', '', 'signature'],
  'GET safes/{safe}/messages': ['Messages of a Safe', `ordering ${page}`],
  'POST safes/{safe}/messages': ['Proposes a message', '', 'message signature safeAppId? origin?'],
  'GET messages/{messageHash}': ['One message'],
  'POST messages/{messageHash}/signatures': ['Signs a message', '', 'signature'],
  'GET tokens': [
    'Tokens from the configuration and from token lists',
    'name symbol address decimals search ordering limit offset',
  ],
  'GET tokens/{token}': ['One token, as it describes itself'],
  'GET tokens/lists': ['An empty list', page],
  'GET contracts': [
    'Safe contracts, and contracts with an ABI from a team of the account',
    `trusted_for_delegate_call ordering ${page}`,
  ],
  'GET contracts/{address}': ['One contract, with the ABI that a team of the account added'],
}

/** Returns the description of a route. Null if the route only reports that it is not supported. */
export function describeRoute({ method, path }: WireRoute) {
  const found = descriptions[`${method} ${path.replace(/^\/v[12]\//, '')}`]
  if (!found) return null
  const [summary, query = '', body = ''] = found
  return { summary, query: query.split(' ').filter(Boolean), body: body.split(' ').filter(Boolean) }
}

/** Builds the OpenAPI 3.1 document of the wire format from the mounted routes. */
export function writeWireSchema(routes: readonly WireRoute[], version: string): Json {
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const described = describeRoute(route)
    if (!described) continue
    const { summary, query, body } = described
    const full = `/tx-service/{chainId}/api${route.path}/`
    const named = [...full.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: 'path', required: true }))
    const parameters = [...named, ...query.map((name) => ({ name, in: 'query', required: false }))]
    paths[full] = {
      ...paths[full],
      [route.method.toLowerCase()]: {
        summary,
        parameters: parameters.map((parameter) => ({ ...parameter, schema: { type: 'string' } })),
        ...(body.length === 0
          ? {}
          : { requestBody: { required: true, content: { 'application/json': { schema: bodyOf(body) } } } }),
        responses: {
          '2XX': { description: 'As the Safe Transaction Service answers' },
          '4XX': { description: 'Error: `detail`, `nonFieldErrors`, or messages by field' },
        },
        security: [{ token: [route.scope] }],
      },
    }
  }
  const token = { type: 'http', scheme: 'bearer', description: 'An API token, `csn_…`' }
  const info = { title: 'Safe Transaction Service, by Countersign', version }
  return { openapi: '3.1.0', info, paths, components: { securitySchemes: { token } } }
}

/** Leaves the schema of each field open: the service validates values and reports errors by field. */
function bodyOf(fields: readonly string[]): Json {
  const names = fields.map((field) => field.replace('?', ''))
  const required = fields.filter((field) => !field.endsWith('?'))
  return { type: 'object', properties: Object.fromEntries(names.map((name) => [name, {}])), required }
}

/** Builds a plain HTML page that lists the routes. */
export function writeWirePage(routes: readonly WireRoute[], version: string): string {
  const rows = routes.flatMap((route) => {
    const described = describeRoute(route)
    return described
      ? [
          `<tr><td><code>${route.method}</code></td><td><code>${route.path}/</code></td><td>${described.summary}</td><td>${route.scope}</td></tr>`,
        ]
      : []
  })
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Transaction Service API</title></head><body><h1>Transaction Service API ${version}</h1><p>The wire format of the Safe Transaction Service, at <code>/tx-service/{chainId}/api</code>. Schema: <a href="/tx-service/schema">/tx-service/schema</a> (OpenAPI 3.1).</p><table><thead><tr><th>Method</th><th>Path</th><th>Purpose</th><th>Token scope</th></tr></thead><tbody>${rows.join('')}</tbody></table></body></html>`
}

/** Wraps a service so that every route mounted through it is also listed. */
export function listRoutes(service: TxService): { service: TxService; routes: WireRoute[] } {
  const routes: WireRoute[] = []
  return {
    routes,
    service: {
      read(method, path, ...rest) {
        routes.push({ method, path, scope: 'read' })
        service.read(method, path, ...rest)
      },
      ask(method, path, ...rest) {
        routes.push({ method, path, scope: 'read' })
        service.ask(method, path, ...rest)
      },
      write(method, path, scope, handle) {
        routes.push({ method, path, scope })
        service.write(method, path, scope, handle)
      },
    },
  }
}
