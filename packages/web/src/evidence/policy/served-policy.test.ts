import { hashPolicy, nextPolicy, writePolicy } from '@countersign/review'
import { QueryClient } from '@tanstack/react-query'
import type { Address } from 'viem'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { configurationQuery } from '../../api/configuration.ts'
import { configuration } from '../../test/configuration.ts'
import { SameThreadWorker } from '../../test/same-thread-worker.ts'
import { policyQuery } from './served-policy.ts'

const safeAddress: Address = '0x1111111111111111111111111111111111111111'
const otherSafe: Address = '0x2222222222222222222222222222222222222222'

/** The server serves this version as proposed. */
function serve(place: { chainId: number; safeAddress: Address }): void {
  const policy = nextPolicy(place, null)
  const proposed = {
    policy: writePolicy(policy),
    hash: hashPolicy(policy),
    number: 1,
    proposer: safeAddress,
    proposedAt: '2026-01-01T00:00:00.000Z',
    inForceSince: null,
    approvals: [],
    withdrawals: [],
  }
  vi.stubGlobal('Worker', SameThreadWorker)
  vi.stubGlobal('fetch', async () => Response.json({ policy: { inForce: null, proposed } }))
}

function askForPolicy() {
  const client = new QueryClient()
  client.setQueryData(configurationQuery.queryKey, configuration)
  return client.fetchQuery({ ...policyQuery(1, safeAddress), retry: false })
}

afterEach(() => vi.unstubAllGlobals())

describe('policyQuery', () => {
  test.each([
    { name: 'another Safe', place: { chainId: 1, safeAddress: otherSafe } },
    { name: 'the same address on another chain', place: { chainId: 10, safeAddress } },
  ])('error: POLICY_MALFORMED for a proposed version of $name, which nobody here approves', async ({ place }) => {
    serve(place)
    const asked = askForPolicy()
    await expect(asked).rejects.toMatchObject({ code: 'POLICY_MALFORMED' })
  })

  test('default: a proposed version of this Safe', async () => {
    serve({ chainId: 1, safeAddress })
    const served = await askForPolicy()
    expect(served.proposed?.policy.number).toBe(1)
  })
})
