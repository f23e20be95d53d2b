import { pino } from 'pino'
import { type Address, getAddress } from 'viem'
import { z } from 'zod'
import { openDatabase } from '../db/client.ts'
import { startWebhooks } from '../features/webhooks/start.ts'
import { writeLogged } from '../outbox/write.ts'

/** Order of a test to this process: to write about Safes and to send webhooks, until it is killed. */
const order = z.object({ databaseUrl: z.string(), safes: z.array(z.string()), chainId: z.number(), name: z.string() })

process.once('message', (message) => {
  const { databaseUrl, safes, chainId, name } = order.parse(message)
  const { db } = openDatabase(databaseUrl, () => {})
  const clock = () => new Date()
  const webhooks = startWebhooks({ db, clock, log: pino({ enabled: false }), networks: ['127.0.0.1'] })

  async function keepWriting(safeAddress: Address, at: number): Promise<void> {
    for (let count = 0; ; count += 1) {
      const text = `${name} ${at} ${count}`
      await writeLogged({ db, clock }, async (_, log) =>
        log.add({ verb: 'deleted', account: null, chainId, safeAddress, detail: { text } }),
      )
      // The write is acknowledged: from now on it must not be lost.
      process.send?.({ safeAddress, text })
      webhooks.wake({ kind: 'safe', chainId, safeAddress })
      await new Promise((resolve) => setTimeout(resolve, 400))
    }
  }
  process.on('message', () => process.exit())
  for (const [at, safe] of safes.entries()) void keepWriting(getAddress(safe), at)
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
