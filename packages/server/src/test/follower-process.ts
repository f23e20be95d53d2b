import { pino } from 'pino'
import { z } from 'zod'
import { openDatabase } from '../db/client.ts'
import { startFollower } from '../indexer/follower.ts'
import { createChains } from '../rpc/clients.ts'

/** Order of a test to this process: to follow a chain into some databases, until it is killed. */
const order = z.object({ databaseUrls: z.array(z.string()), rpcUrl: z.string(), chainId: z.number() })

process.once('message', (message) => {
  const { databaseUrls, rpcUrl, chainId } = order.parse(message)
  const log = pino({ enabled: false })
  const settings = { chainId, name: 'Devnet', rpcUrls: [rpcUrl], startBlock: 0, index: 'whole-chain' as const }
  for (const databaseUrl of databaseUrls) {
    const { db } = openDatabase(databaseUrl, () => {})
    for (const chain of createChains([{ ...settings, isDevnet: true }]).values())
      startFollower({ chain, db, databaseUrl, clock: () => new Date(), log, pollMilliseconds: 20 })
  }
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
