import { call, type Endpoint, type Input, type Reply } from '@countersign/contract'

// biome-ignore lint/suspicious/noExplicitAny: any endpoint, whatever its schemas
type AnyEndpoint = Endpoint<any, any, any, any>

/** Calls an endpoint of the server that served this page. Throws CountersignError only. */
export function api<E extends AnyEndpoint>(endpoint: E, input: Input<E>, signal?: AbortSignal): Promise<Reply<E>> {
  return call({ baseUrl: '' }, endpoint, input, signal)
}
