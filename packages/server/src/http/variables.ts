import type { IncomingMessage, ServerResponse } from 'node:http'

/** `incoming` and `outgoing` are there when a Node server is in front, not in tests that call the app itself. */
export type Variables = {
  Variables: { requestId: string; clientAddress: string; isTurnedAway?: boolean; countAnswer?: (bytes: number) => void }
  Bindings: { incoming?: IncomingMessage; outgoing?: ServerResponse }
}
