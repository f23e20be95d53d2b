import {
  addNote as addNoteEndpoint,
  addAbi as giveAbiEndpoint,
  listAbis,
  listNames,
  listNotes,
  nameAddress as nameEndpoint,
  removeAbi as removeAbiEndpoint,
  removeName as removeNameEndpoint,
  removeNote as removeNoteEndpoint,
} from '@countersign/contract'
import { mount, type Router } from '../../http/endpoint.ts'
import { requireSharedSafe } from '../../safes/access.ts'
import { addAbi, findAbis, removeAbi } from './abis.ts'
import { findNames, nameAddress, removeName } from './names.ts'
import { addNote, findNotes, removeNote } from './notes.ts'

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
  mount(router, giveAbiEndpoint, addAbi)
  mount(router, removeAbiEndpoint, removeAbi)
  mount(router, listNotes, async (ctx, input) => {
    await requireSharedSafe(ctx, input.chainId, input.safeAddress)
    return findNotes(ctx, input)
  })
  mount(router, addNoteEndpoint, addNote)
  mount(router, removeNoteEndpoint, removeNote)
}
