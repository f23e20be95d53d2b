import { CountersignError } from '@countersign/safe'
import { refuse, refuseCode } from '../wire/answers.ts'
import { pathAddress } from '../wire/fields.ts'
import type { TxService } from '../wire/service.ts'
import { addressOrZero } from '../wire/values.ts'
import { findVisibleSafe } from '../wire/visibility.ts'

/** A Safe as it is on the chain now. */
export function safeRoutes({ ask }: TxService): void {
  ask('GET', '/v1/safes/{safe}', async (call) => {
    const address = pathAddress(call, 'safe')
    if (!(await findVisibleSafe(call, address))) return refuse(404)
    const state = await call.chain.readSafe(address).catch((error: unknown) => {
      if (error instanceof CountersignError && error.code === 'NOT_A_SAFE')
        return refuseCode(422, 50, 'Cannot get Safe info from blockchain', [address])
      throw error
    })
    return {
      address,
      nonce: state.nonce.toString(),
      threshold: state.threshold,
      owners: state.owners,
      masterCopy: state.singleton,
      modules: state.modules,
      fallbackHandler: addressOrZero(state.fallbackHandler),
      guard: addressOrZero(state.guard),
      moduleGuard: addressOrZero(state.moduleGuard),
      version: state.version ?? state.reportedVersion,
    }
  })
}
