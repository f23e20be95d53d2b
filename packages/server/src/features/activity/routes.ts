import { type ActivityEntry, exportActivity, listActivity } from '@countersign/contract'
import { csvLine } from '../../csv.ts'
import { csvResponse } from '../../http/csv.ts'
import { mount, type Router } from '../../http/endpoint.ts'
import { requireSharedSafe } from '../../safes/access.ts'
import { findActivity, readActivity } from './queries.ts'

const columns = [
  'time (UTC)',
  'account',
  'what',
  'hash of the transaction or message',
  'details',
  'previous hash',
  'hash',
  'hashed text',
]

export function activityRoutes(router: Router): void {
  mount(router, listActivity, async (ctx, input) => {
    await requireSharedSafe(ctx, input.chainId, input.safeAddress)
    return findActivity(ctx, input)
  })
  mount(router, exportActivity, async (ctx, input) => {
    await requireSharedSafe(ctx, input.chainId, input.safeAddress)
    return csvResponse(`activity-${input.chainId}-${input.safeAddress}.csv`, lines(readActivity(ctx, input)), () =>
      router.admission.enter('exports', ctx.viewer.address),
    )
  })
}

async function* lines(pages: AsyncIterable<ActivityEntry[]>): AsyncGenerator<string> {
  yield csvLine(columns)
  for await (const page of pages)
    yield page
      .map(({ at, account, verb, safeTxHash, detail, previousHash, hash, hashed }) =>
        csvLine([at, account, verb, safeTxHash, detail && JSON.stringify(detail), previousHash, hash, hashed]),
      )
      .join('')
}
