import type { examineInstallation, Reply } from '@countersign/contract'
import type { SignedInCtx } from '../../context.ts'
import { mayReload } from './reload.ts'

/** Looks at the installation for an admin; for nobody else is anything looked at. */
export async function readFindings(ctx: SignedInCtx): Promise<Reply<typeof examineInstallation>> {
  return { findings: mayReload(ctx) && ctx.examine ? await ctx.examine() : null }
}
