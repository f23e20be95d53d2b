import { call, callNode, type Endpoint, type Input, type Reply } from '@countersign/contract'

// biome-ignore lint/suspicious/noExplicitAny: any endpoint, whatever its schemas
type AnyEndpoint = Endpoint<any, any, any, any>

/** Why nothing may be written now, whichever part of the page asks; null while it may. */
let refusal: (() => Error) | null = null

/** Refuses every write until it is called with null. Reading, and all that is about sessions, goes on. */
export function refuseWrites(next: (() => Error) | null): void {
  refusal = next
}

/** Calls an endpoint of the server that served this page. Throws CountersignError only. */
export async function api<E extends AnyEndpoint>(
  endpoint: E,
  input: Input<E>,
  signal?: AbortSignal,
): Promise<Reply<E>> {
  if (refusal && isWrite(endpoint)) throw refusal()
  return call({ baseUrl: '' }, endpoint, input, signal)
}

function isWrite({ method, path, name }: AnyEndpoint): boolean {
  return method !== 'GET' && !path.startsWith('/api/session') && name !== callNode.name
}
