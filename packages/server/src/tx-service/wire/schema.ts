import type { TokenScope } from '@countersign/contract'
import { wireSchemas, writeSchemas } from './answer-schemas.ts'
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

type Named<Name> = Name extends `${infer Name}V${1 | 2}` ? Name : Name

/** `answer` names its schema, whichever the version; `query` and `body` name parameters and fields. */
type Description = { summary: string; answer?: Named<keyof typeof wireSchemas>; query?: string; body?: string }

/** Routes by method and the end of the path behind its version. */
const descriptions: Record<string, Description> = {
  'GET about': { summary: 'This service and its version', answer: 'About' },
  'GET about/ethereum-rpc': { summary: 'Node of the chain', answer: 'Node' },
  'GET about/ethereum-tracing-rpc': { summary: 'Not found: this server does not distinguish nodes that can trace' },
  'GET about/singletons': { summary: 'Singletons deployed on the chain', answer: 'Singletons' },
  'GET about/indexing': { summary: 'How far this server has followed the chain', answer: 'Indexing' },
  'GET about/deployments': {
    summary: 'Safe contracts deployed on the chain',
    answer: 'Deployments',
    query: 'version contract',
  },
  'POST data-decoder': { summary: 'Decodes calldata with known functions', answer: 'DataDecoded', body: 'data to?' },
  'GET safes/{safe}': { summary: 'A Safe, as the chain has it now', answer: 'SafeInfo' },
  'GET safes/{safe}/creation': { summary: 'How a Safe was created', answer: 'Creation' },
  'GET safes/{safe}/balances': {
    summary: 'Native coin and tokens of a Safe',
    answer: 'Balances',
    query: `trusted ${page}`,
  },
  'GET safes/{safe}/collectibles': { summary: 'NFTs of a Safe', answer: 'Collectibles', query: page },
  'GET safes/{safe}/multisig-transactions': {
    summary: 'Transactions that owners sign',
    answer: 'MultisigTransactions',
    query: multisigQuery,
  },
  'POST safes/{safe}/multisig-transactions': {
    summary: 'Proposes a transaction with at most 131,072 bytes of calldata',
    body: proposal,
  },
  'GET multisig-transactions/{safeTxHash}': {
    summary: 'One transaction that owners sign',
    answer: 'MultisigTransaction',
  },
  'DELETE multisig-transactions/{safeTxHash}': { summary: 'Deletes a proposal', body: 'signature' },
  'GET multisig-transactions/{safeTxHash}/confirmations': {
    summary: 'Confirmations of a transaction',
    answer: 'Confirmations',
    query: page,
  },
  'POST multisig-transactions/{safeTxHash}/confirmations': {
    summary: 'Confirms a transaction',
    answer: 'Signature',
    body: 'signature',
  },
  'POST safes/{safe}/multisig-transactions/estimations': {
    summary: 'Gas that a transaction needs',
    answer: 'Estimation',
    body: 'to value data? operation',
  },
  'GET safes/{safe}/all-transactions': {
    summary: 'Executions and transfers',
    answer: 'Transactions',
    query: 'ordering limit offset after',
  },
  'GET safes/{safe}/transfers': { summary: 'Transfers', answer: 'Transfers', query: transferQuery },
  'GET safes/{safe}/incoming-transfers': {
    summary: 'Transfers to the Safe',
    answer: 'Transfers',
    query: transferQuery,
  },
  'GET transfer/{transferId}': { summary: 'One transfer', answer: 'Transfer' },
  'GET safes/{safe}/module-transactions': {
    summary: 'Calls that modules executed',
    answer: 'ModuleTransactions',
    query: 'module to operation failed transaction_hash block_number__gt ordering limit offset after',
  },
  'GET module-transaction/{moduleTransactionId}': {
    summary: 'One call that a module executed',
    answer: 'ModuleTransaction',
  },
  'GET safes/{safe}/export': {
    summary: 'Transfers, with the transactions that caused them',
    answer: 'Export',
    query: 'execution_date__gte execution_date__lte limit offset after',
  },
  'GET modules/{module}/safes': { summary: 'Safes that a module may act for', answer: 'Safes', query: page },
  'GET owners/{owner}/safes': { summary: 'Safes of an owner', answer: 'Safes', query: page },
  'GET delegates': {
    summary: 'Accounts that may propose for an owner',
    answer: 'Delegates',
    query: `safe delegate delegator label ${page}`,
  },
  'POST delegates': {
    summary: 'Adds a delegate',
    answer: 'AddedDelegate',
    body: 'safe? delegate delegator label signature expiryDate?',
  },
  'DELETE delegates/{delegate}': { summary: 'Removes a delegate', body: 'safe? delegator signature' },
  'DELETE safes/{safe}/delegates/{delegate}': { summary: 'Removes a delegate of one Safe', body: 'signature' },
  'GET safes/{safe}/messages': { summary: 'Messages of a Safe', answer: 'Messages', query: `ordering ${page}` },
  'POST safes/{safe}/messages': { summary: 'Proposes a message', body: 'message signature safeAppId? origin?' },
  'GET messages/{messageHash}': { summary: 'One message', answer: 'Message' },
  'POST messages/{messageHash}/signatures': { summary: 'Signs a message', body: 'signature' },
  'GET tokens': {
    summary: 'Tokens from the configuration and from token lists',
    answer: 'Tokens',
    query: 'name symbol address decimals search ordering limit offset',
  },
  'GET tokens/{token}': { summary: 'One token, as it describes itself', answer: 'Token' },
  'GET tokens/lists': { summary: 'An empty list', answer: 'TokenLists', query: page },
  'GET contracts': {
    summary: 'Safe contracts, and contracts with an ABI from a team of the account',
    answer: 'Contracts',
    query: `trusted_for_delegate_call ordering ${page}`,
  },
  'GET contracts/{address}': {
    summary: 'One contract, with the ABI that a team of the account added',
    answer: 'Contract',
  },
}

/** Returns the description of a route. Null if the route only reports that it is not supported. */
export function describeRoute({ method, path }: WireRoute) {
  const [, version = '', end = ''] = /^\/(v[12])\/(.*)$/.exec(path) ?? []
  const found = descriptions[`${method} ${end}`]
  if (!found) return null
  const { summary, answer, query = '', body = '' } = found
  const name = answer && (answer in wireSchemas ? answer : `${answer}${version.toUpperCase()}`)
  return { summary, answer: name, query: query.split(' ').filter(Boolean), body: body.split(' ').filter(Boolean) }
}

const placeOf = (name: string) => `#/components/schemas/${name}`

/** Builds the OpenAPI 3.1 document of the wire format from the mounted routes. */
export function writeWireSchema(routes: readonly WireRoute[], version: string): Json {
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const described = describeRoute(route)
    if (!described) continue
    const { summary, answer, query, body } = described
    const full = `/tx-service/{chainId}/api${route.path}/`
    const named = [...full.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: 'path', required: true }))
    const parameters = [...named, ...query.map((name) => ({ name, in: 'query', required: false }))]
    paths[full] = {
      ...paths[full],
      [route.method.toLowerCase()]: {
        summary,
        parameters: parameters.map((parameter) => ({ ...parameter, schema: { type: 'string' } })),
        ...(body.length === 0 ? {} : { requestBody: { required: true, ...jsonOf(bodyOf(body)) } }),
        responses: {
          '2XX': {
            description: 'As the Safe Transaction Service answers',
            ...(answer ? jsonOf({ $ref: placeOf(answer) }) : {}),
          },
          '4XX': { description: 'Error; some have no body', ...jsonOf({ $ref: placeOf('Refusal') }) },
        },
        security: [{ token: [route.scope] }],
      },
    }
  }
  const token = { type: 'http', scheme: 'bearer', description: 'An API token, `csn_…`' }
  const info = { title: 'Safe Transaction Service, by Countersign', version }
  const components = { securitySchemes: { token }, schemas: writeSchemas(placeOf) }
  return { openapi: '3.1.0', info, paths, components }
}

function jsonOf(schema: Json): Json {
  return { content: { 'application/json': { schema } } }
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
