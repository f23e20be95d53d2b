import { expect, test } from 'vitest'
import { readFeed } from './feeds.ts'

const feed = { feed: '0x5FbDB2315678afecb367f032d93F642f64180aa3', decimals: 8 } as const

test('behavior: a feed before its creation has said nothing, which is no word on the node', async () => {
  await expect(readFeed(async () => '0x', feed, 5)).resolves.toEqual({ fault: 'absurd' })
  await expect(readFeed(async () => `0x${'00'.repeat(160)}`, feed, 5)).resolves.toEqual({ fault: 'absurd' })
})

test('error: a node that does not answer, or with what is no answer, leaves it unread', async () => {
  const refuse = async () => {
    throw new Error('missing trie node')
  }
  await expect(readFeed(refuse, feed, 5)).resolves.toEqual({ fault: 'unread' })
  await expect(readFeed(async () => ({ html: true }), feed, 5)).resolves.toEqual({ fault: 'unread' })
})
