import type { IncomingMessage } from 'node:http'

/** `incoming` is there when a Node server is in front, not in tests that call the app itself. */
export type Variables = {
  Variables: { requestId: string; clientAddress: string; isTurnedAway?: boolean }
  Bindings: { incoming?: IncomingMessage }
}
