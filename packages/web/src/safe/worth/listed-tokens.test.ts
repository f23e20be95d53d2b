import { findListedTokens, MAX_TOKEN_NAME_ASKED } from '@countersign/contract'
import { afterEach, expect, test, vi } from 'vitest'
import { findTokens } from './listed-tokens.ts'

const asked: { addresses: string[]; names: string[] }[] = []
afterEach(() => vi.unstubAllGlobals())

test('behavior: names that are spelled out too long, or with nothing, are not asked about', async () => {
  vi.stubGlobal('fetch', async (_: unknown, { body }: { body: string }) => {
    asked.push(JSON.parse(body))
    return Response.json({ revision: 'first', tokens: [] })
  })
  // One letter stands for eighteen characters.
  const names = ['USDC', 'ﷺ'.repeat(14), 'x'.repeat(MAX_TOKEN_NAME_ASKED + 1), '​']
  await findTokens({ chainId: 1, listRevision: 'first' }, { addresses: [], names })
  expect(asked).toEqual([{ addresses: [], names: ['usdc'] }])
  expect(findListedTokens.body?.safeParse(asked[0]).success).toBe(true)
})
