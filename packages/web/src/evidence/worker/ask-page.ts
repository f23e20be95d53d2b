import type { RpcRequest } from '@countersign/safe'
import type { PageCalls } from './calls.ts'
import type { Channel } from './channel.ts'

type AskPage = Channel<PageCalls>['ask']

let ask: AskPage = () => Promise.reject(new Error('The Worker has no page.'))

/** Sets how this Worker asks its page. */
export function connectPage(by: AskPage): void {
  ask = by
}

/** Asks the page that this Worker works for. */
export const askPage: AskPage = (name, input) => ask(name, input)

/** JSON-RPC to a chain's node, through the page. */
export function requestByPage(chainId: number): RpcRequest {
  return (asked) => askPage('askNode', { chainId, ...asked })
}
