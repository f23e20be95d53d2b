import { type Chain, callNode, getSafe, listSafes, type Safe } from '@countersign/contract'
import type { Address } from 'viem'
import { devnet } from './configuration.ts'
import type { FakeServer } from './fake-server.ts'
import { team } from './open-page.ts'

const at = '2026-03-01T12:00:00.000Z'

export const safeAddress: Address = '0x4838B106FCe9647Bdf1E7877BF73cE8B0BAD5f97'

/** A Safe of Anna and Bruno, with nothing in it yet. */
export function safeOf(overrides: Partial<Safe> = {}): Safe {
  return {
    chainId: devnet.chainId,
    address: safeAddress,
    owners: [team.anna.address, team.bruno.address],
    threshold: 2,
    nonce: 0,
    version: '1.4.1',
    isDeployed: true,
    role: 'owner',
    awaitingMyConfirmation: 0,
    messagesAwaitingMe: 0,
    hasAlarms: false,
    hasNames: false,
    hasAbis: false,
    hasPolicy: false,
    names: [],
    backfillBlock: null,
    backfillTo: null,
    backfillStoppedAt: null,
    addedAt: at,
    ...overrides,
  }
}

/** Makes the server know Safes that exist on no chain. The node never answers. */
export function answerSafes(server: FakeServer, safes: readonly Safe[] = [safeOf()]): void {
  server.hold(callNode)
  answerTeams(server, safes)
}

/** Makes the server know Safes whose teams have written nothing. */
export function answerTeams(server: FakeServer, safes: readonly Safe[]): void {
  server.answer(listSafes, { safes: [...safes] })
  server.answer(getSafe, ({ safeAddress }) => {
    const found = safes.find(({ address }) => address === safeAddress)
    if (!found) throw new Error(`The server does not know ${safeAddress}.`)
    return { ...found, paid: [], isPaidWhole: true }
  })
}

export function safePath(section = '', { chainId }: Pick<Chain, 'chainId'> = devnet, address = safeAddress): string {
  return `/safes/${chainId}/${address}${section}`
}
