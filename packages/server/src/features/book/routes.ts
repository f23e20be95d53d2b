import {
  addNote as addNoteEndpoint,
  addAbi as giveAbiEndpoint,
  listAbis,
  listDrafts,
  listNames,
  listNotes,
  nameAddress as nameEndpoint,
  removeAbi as removeAbiEndpoint,
  removeDraft as removeDraftEndpoint,
  removeName as removeNameEndpoint,
  removeNote as removeNoteEndpoint,
  shareDraft as shareDraftEndpoint,
} from '@countersign/contract'
import type { Address } from 'viem'
import type { SignedInCtx } from '../../context.ts'
import { mount, type Router } from '../../http/endpoint.ts'
import { requireOwnerOrProposer, requireSharedSafe } from '../../safes/access.ts'
import { addAbi, findAbis, removeAbi } from './abis.ts'
import { findDrafts, removeDraft, shareDraft } from './drafts.ts'
import { findNames, nameAddress, removeName } from './names.ts'
import { addNote, findNotes, removeNote } from './notes.ts'

/** Refuses who may not add to a Safe, before what they bring is received. */
async function refuseStranger(
  ctx: SignedInCtx,
  { chainId, safeAddress }: { chainId: number; safeAddress: Address },
): Promise<void> {
  await requireOwnerOrProposer(ctx, chainId, safeAddress)
}

export function bookRoutes(router: Router): void {
  mount(router, listNames, async (ctx, input) => {
    await requireSharedSafe(ctx, input.chainId, input.safeAddress)
    return findNames(ctx, input)
  })
  mount(router, nameEndpoint, nameAddress)
  mount(router, removeNameEndpoint, removeName)
  mount(router, listAbis, async (ctx, input) => {
    await requireSharedSafe(ctx, input.chainId, input.safeAddress)
    return findAbis(ctx, input)
  })
  mount(router, giveAbiEndpoint, addAbi, 'writes', refuseStranger)
  mount(router, removeAbiEndpoint, removeAbi)
  mount(router, listNotes, async (ctx, input) => {
    await requireSharedSafe(ctx, input.chainId, input.safeAddress)
    return findNotes(ctx, input)
  })
  mount(router, listDrafts, async (ctx, input) => {
    await requireSharedSafe(ctx, input.chainId, input.safeAddress)
    return findDrafts(ctx, input)
  })
  mount(router, shareDraftEndpoint, shareDraft, 'writes', refuseStranger)
  mount(router, removeDraftEndpoint, removeDraft)
  mount(router, addNoteEndpoint, addNote)
  mount(router, removeNoteEndpoint, removeNote)
}
