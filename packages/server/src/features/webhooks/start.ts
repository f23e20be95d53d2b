import type { LiveEvent } from '@countersign/contract'
import type { Logger } from 'pino'
import type { Database } from '../../db/client.ts'
import { allowing } from '../../networks.ts'
import { startReader } from '../../outbox/reader.ts'
import { fileDeliveries } from './file.ts'
import { startSender } from './sender.ts'

/** Reads the log for webhooks, and sends. `wake`: somebody has written, and live streams are told so. */
export type Webhooks = { wake: (event: LiveEvent) => void; stop: () => Promise<void> }

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
  let isFiled = false
  const reader = startReader({
    ...parts,
    name: 'webhooks',
    async handle(tx, entries, log) {
      if (await fileDeliveries(tx, entries, log)) isFiled = true
    },
    onRead() {
      if (isFiled) sender.wake()
      isFiled = false
    },
  })
  return {
    wake({ kind }) {
      reader.wake()
      // A test, or what is sent again, was filed by a person.
      if (kind === 'team') sender.wake()
    },
    async stop() {
      await Promise.all([reader.stop(), sender.stop()])
    },
  }
}
