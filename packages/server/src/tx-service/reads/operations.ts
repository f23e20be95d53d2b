import { answer } from '../wire/answers.ts'
import type { TxService } from '../wire/service.ts'

/** ERC-4337: not spoken here. It says so, rather than that there are none. */
export function operationRoutes({ read }: TxService): void {
  const refuse = async () =>
    answer(501, {
      detail: 'ERC-4337 operations are not supported here. Propose and execute multisig transactions instead.',
    })
  for (const path of ['/v1/safes/{safe}/safe-operations', '/v1/safe-operations/{hash}/confirmations'])
    for (const method of ['GET', 'POST'] as const) read(method, path, refuse)
  for (const path of ['/v1/safe-operations/{hash}', '/v1/user-operations/{hash}', '/v1/safes/{safe}/user-operations'])
    read('GET', path, refuse)
}
