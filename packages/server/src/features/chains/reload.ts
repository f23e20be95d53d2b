import { fail } from '@countersign/contract'
import { CountersignError } from '@countersign/safe'
import type { SignedInCtx } from '../../context.ts'

/** Whether the account is one of the operator's admins. */
export function mayReload({ access, viewer }: Pick<SignedInCtx, 'access' | 'viewer'>): boolean {
  return access.admins.has(viewer.address)
}

/**
 * Has the server started again with the configuration as it is now, where that has no errors.
 *
 * @throws CountersignError `RELOAD_REFUSED`
 */
export async function reloadConfiguration(ctx: SignedInCtx): Promise<undefined> {
  const account = ctx.viewer.address
  if (!mayReload(ctx)) throw fail('RELOAD_REFUSED', { reason: 'admin', account })
  if (ctx.reload === null) throw fail('RELOAD_REFUSED', { reason: 'launcher' })
  try {
    ctx.reload()
  } catch (error) {
    if (!(error instanceof CountersignError)) throw error
    throw fail('RELOAD_REFUSED', { reason: 'faults', faults: faultsOf(error) }, error)
  }
  ctx.log.info({ account }, 'the configuration is read again')
}

/** In one line, each fault with its path. */
function faultsOf({ data, message }: CountersignError): string {
  const faults = typeof data.faults === 'string' ? data.faults : message
  return faults
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('; ')
    .replace(/\.$/, '')
}
