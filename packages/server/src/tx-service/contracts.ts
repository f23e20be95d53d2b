import { type Deployment, isDelegatecallLibrary } from '@countersign/safe-core'
import { notFound } from './answers.ts'
import { parseFilters, parseOrdering, pathAddress } from './fields.ts'
import { findReleases } from './on-chain-releases.ts'
import { parseWindow, toPage } from './page.ts'
import type { TxService } from './service.ts'

/** Contracts that are known by name: the Safe project's, as far as this chain has them. */
export function contractRoutes({ read }: TxService): void {
  read('GET', '/v1/contracts', async (call) => {
    const trusted = parseFilters(call).boolean('trusted_for_delegate_call')
    const usual = { name: 'address', isDescending: false } as const
    const { name: field, isDescending } = parseOrdering(call, ['address', 'name'], usual)
    const sign = isDescending ? -1 : 1
    const all = (await findReleases(call.chain, call.deps.clock()))
      .map(toContract)
      .filter((contract) => trusted === undefined || contract.trustedForDelegateCall === trusted)
      .sort((one, other) => sign * (one[field] < other[field] ? -1 : one[field] > other[field] ? 1 : 0))
    const window = parseWindow(call)
    const rows = all.slice(window.offset, window.offset + window.limit + 1)
    return toPage(call, window, { rows, count: all.length }, (row) => row)
  })
  read('GET', '/v1/contracts/{address}', async (call) => {
    const address = pathAddress(call, 'address')
    const found = (await findReleases(call.chain, call.deps.clock())).find((release) => release.address === address)
    return found ? toContract(found) : notFound('Contract')
  })
}

/** No ABI: functions are known by what they are called, not by contract. */
function toContract({ address, name, version, kind }: Deployment) {
  return {
    address,
    name,
    displayName: `Safe: ${name} ${version}`,
    logoUri: null,
    contractAbi: null,
    trustedForDelegateCall: isDelegatecallLibrary(kind),
  }
}
