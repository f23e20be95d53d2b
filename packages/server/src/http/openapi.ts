import { type Endpoint, errorsOf, errorTable, scopeOf } from '@countersign/contract'
import { z } from 'zod'
import type { AnyEndpoint } from './endpoint.ts'

type Json = Record<string, unknown>

/** The OpenAPI 3.1 document of what is mounted, from the same objects that it is mounted by. */
export function writeOpenApi(endpoints: readonly AnyEndpoint[], version: string): Json {
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const path = paths[endpoint.path] ?? {}
    path[endpoint.method.toLowerCase()] = operation(endpoint)
    paths[endpoint.path] = path
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Countersign', version, license: { name: 'MIT', identifier: 'MIT' } },
    paths,
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'countersign_session' },
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API token, `csn_…`; its scopes are asked for in full',
        },
      },
      schemas: { Problem: problemSchema },
    },
  }
}

/** A plain page that lists the operations. */
export function writeApiPage(endpoints: readonly AnyEndpoint[], version: string): string {
  const rows = endpoints.map(
    (endpoint) =>
      `<tr><td><code>${endpoint.method}</code></td><td><code>${escapeHtml(endpoint.path)}</code></td><td>${escapeHtml(endpoint.summary)}</td><td>${endpoint.session === 'required' ? accessOf(endpoint) : 'open'}</td></tr>`,
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Countersign API</title></head><body><h1>Countersign API ${escapeHtml(version)}</h1><p>Described in full by <a href="/api/openapi.json">/api/openapi.json</a> (OpenAPI 3.1). Errors are problem documents (RFC 9457) with a code.</p><table><thead><tr><th>Method</th><th>Path</th><th>What it does</th><th>Access</th></tr></thead><tbody>${rows.join('')}</tbody></table></body></html>`
}

function accessOf(endpoint: AnyEndpoint): string {
  const scope = scopeOf(endpoint)
  return scope === 'session' ? 'session' : `session, or a token with ${scope}`
}

function operation(endpoint: AnyEndpoint): Json {
  const byStatus = new Map<number, string[]>()
  for (const code of errorsOf(endpoint)) {
    const { status } = errorTable[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const responses: Record<string, Json> = endpoint.reply
    ? { 200: { description: 'Done', content: { 'application/json': { schema: schemaOf(endpoint.reply) } } } }
    : endpoint.media
      ? { 200: { description: 'A stream', content: { [endpoint.media]: { schema: { type: 'string' } } } } }
      : { 204: { description: 'Done' } }
  for (const [status, group] of [...byStatus].sort(([a], [b]) => a - b))
    responses[status] = {
      description: group.join(', '),
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    }
  const parameters = [...parametersOf(endpoint.params, 'path'), ...parametersOf(endpoint.query, 'query')]
  return {
    operationId: endpoint.name,
    summary: endpoint.summary,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(endpoint.body
      ? { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(endpoint.body) } } } }
      : {}),
    responses,
    security: endpoint.session === 'required' ? [{ session: [] }, ...byToken(endpoint)] : [],
  }
}

/** The scope that an API token needs (OpenAPI 3.1 allows scopes for every kind of scheme). */
function byToken(endpoint: AnyEndpoint): Json[] {
  const scope = scopeOf(endpoint)
  return scope === 'session' ? [] : [{ token: [scope] }]
}

function schemaOf(schema: z.core.$ZodType): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input' })
  return rest
}

function parametersOf(schema: Endpoint['params'], place: 'path' | 'query'): Json[] {
  if (!schema) return []
  return Object.entries(schema.shape).map(([name, field]) => {
    const { $schema: _, ...rest } = z.toJSONSchema(field, { io: 'input' })
    return { name, in: place, required: place === 'path', schema: rest }
  })
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`)
}

const problemSchema: Json = {
  type: 'object',
  description: 'RFC 9457 problem document',
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    hint: { type: 'string' },
    code: { type: 'string', enum: Object.keys(errorTable) },
    data: { type: 'object' },
    requestId: { type: 'string' },
  },
  required: ['type', 'title', 'status', 'detail', 'hint', 'code', 'data', 'requestId'],
}
