import type { Logger } from 'pino'
import type { Database } from '../../db/client.ts'
import { allowing } from '../../networks.ts'
import { startReader } from '../../outbox/reader.ts'
import { fileDeliveries } from './file.ts'
import { startSender } from './sender.ts'

/** Reads the log for webhooks, and sends. `wake`: something was written. */
export type Webhooks = { wake: () => void; stop: () => Promise<void> }

export function startWebhooks({
  networks,
  ...parts
}: {
  db: Database
  clock: () => Date
  log: Logger
  networks: readonly string[]
}): Webhooks {
  const sender = startSender({ ...parts, allowed: allowing(networks) })
  const reader = startReader({ ...parts, name: 'webhooks', handle: fileDeliveries, onRead: sender.wake })
  return {
    wake() {
      reader.wake()
      // A test, or what is sent again, was filed by a person.
      sender.wake()
    },
    async stop() {
      await Promise.all([reader.stop(), sender.stop()])
    },
  }
}
