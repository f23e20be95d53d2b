import { type Deployment, isDelegatecallLibrary } from '@countersign/safe'
import { sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import { decodeAddress, toBytes } from '../../db/columns.ts'
import { isDeeperThan, MAX_JSON_DEPTH } from '../../http/json-depth.ts'
import { teamsOf } from '../../safes/roles.ts'
import { findReleases } from '../reads/on-chain-releases.ts'
import { notFound } from '../wire/answers.ts'
import { parseFilters, parseOrdering, pathAddress } from '../wire/fields.ts'
import { MAX_COUNTED, parseWindow, toPage } from '../wire/page.ts'
import type { Call, TxService } from '../wire/service.ts'
import { orNull } from '../wire/values.ts'

/** Bytes of ABIs after which a page of the list ends. */
const PAGE_BYTES = 1_048_576

/** Lists known contracts: Safe contracts deployed on this chain, and contracts with an ABI that a team added. */
export function contractRoutes({ read }: TxService): void {
  read('GET', '/v1/contracts', async (call) => {
    const trusted = parseFilters(call).boolean('trusted_for_delegate_call')
    const usual = { name: 'address', isDescending: false } as const
    const { name: field, isDescending } = parseOrdering(call, ['address', 'name'], usual)
    const sign = isDescending ? -1 : 1
    const { contracts, abiBytes } = await listContracts(call)
    const all = contracts
      .filter((contract) => trusted === undefined || contract.trustedForDelegateCall === trusted)
      .sort((one, other) => sign * (one[field] < other[field] ? -1 : one[field] > other[field] ? 1 : 0))
    const window = parseWindow(call)
    const rows = all.slice(window.offset, window.offset + window.limit + 1)
    let bytes = 0
    const cut = rows.findIndex(({ address }) => {
      const isFull = bytes >= PAGE_BYTES
      bytes += abiBytes.get(address) ?? 0
      return isFull
    })
    const shown = Math.min(cut < 0 ? rows.length : cut, window.limit)
    // ABIs of the next page are not read.
    const abis = await findAbis(
      call,
      rows.slice(0, shown).map(({ address }) => address),
    )
    const found = { rows, count: all.length, shown }
    return toPage(call, window, found, (row) => ({ ...row, contractAbi: abis.get(row.address)?.contractAbi ?? null }))
  })
  read('GET', '/v1/contracts/{address}', async (call) => {
    const address = pathAddress(call, 'address')
    const abi = (await findAbis(call, [address])).get(address)
    const release = (await findReleases(call.chain, call.deps.clock())).find((each) => each.address === address)
    if (!release && !abi) return notFound('Contract')
    const contract = release ? toContract(release) : toNamed(address, abi?.name ?? '')
    return { ...contract, contractAbi: abi?.contractAbi ?? null }
  })
}

type Contract = ReturnType<typeof toContract>

/** `abiBytes`: lengths of the ABIs that the caller's teams added. */
type ContractList = { contracts: Contract[]; abiBytes: ReadonlyMap<Address, number> }

async function listContracts(call: Call): Promise<ContractList> {
  const released = (await findReleases(call.chain, call.deps.clock())).map(toContract)
  const { viewer, deps } = call
  if (!viewer) return { contracts: released, abiBytes: new Map() }
  const { rows } = await deps.db.execute<{ contract: Hex; name: string; bytes: number }>(sql`
    select distinct on (a.contract) a.contract, a.name, octet_length(a.abi) as bytes ${givenTo(call, viewer)} limit ${MAX_COUNTED}`)
  const known = new Set(released.map(({ address }) => address))
  const named = rows.map(({ contract, name }) => toNamed(decodeAddress(contract), name))
  return {
    contracts: [...released, ...named.filter(({ address }) => !known.has(address))],
    abiBytes: new Map(rows.map(({ contract, bytes }) => [decodeAddress(contract), bytes])),
  }
}

type TeamAbi = { name: string; contractAbi: { abi: unknown[]; description: string; relevance: number } }

/** Finds ABIs that the caller's teams added, one per contract. */
async function findAbis(call: Call, addresses: readonly Address[]): Promise<Map<Address, TeamAbi>> {
  const { viewer, deps } = call
  if (!viewer || addresses.length === 0) return new Map()
  const of = sql` and a.contract = any(${sql.param(addresses.map(toBytes))}::bytea[])`
  const { rows } = await deps.db.execute<{ contract: Hex; name: string; abi: string }>(sql`
    select distinct on (a.contract) a.contract, a.name, a.abi ${givenTo(call, viewer, of)}`)
  return new Map(
    rows.flatMap(({ contract, name, abi: text }) => {
      const abi = parseAbi(text)
      const contractAbi = abi && { abi, description: name, relevance: 100 }
      return contractAbi ? [[decodeAddress(contract), { name, contractAbi }] as const] : []
    }),
  )
}

/** ABIs of the caller's teams: the caller's own before those of others, then the newest. */
function givenTo({ chainId, deps }: Call, viewer: NonNullable<Call['viewer']>, which = sql``) {
  return sql`from given_abi a join (${teamsOf(viewer, deps.clock())}) team (chain_id, safe_address)
      on a.chain_id = team.chain_id and a.safe_address = team.safe_address
    where a.chain_id = ${chainId} ${which}
    order by a.contract, a.author = ${sql.param(toBytes(viewer.address))}::bytea desc, a.updated_at desc`
}

/** The entries of an ABI, which may come as a compiler's artifact. */
function parseAbi(text: string): unknown[] | null {
  if (isDeeperThan(text, MAX_JSON_DEPTH)) return null
  const given = orNull<unknown>(() => JSON.parse(text))
  const abi = typeof given === 'object' && given !== null && 'abi' in given ? given.abi : given
  return Array.isArray(abi) ? abi.filter((entry) => typeof entry === 'object' && entry !== null) : null
}

function toContract({ address, name, version, kind }: Deployment) {
  const trustedForDelegateCall = isDelegatecallLibrary(kind)
  return {
    address,
    name,
    displayName: `Safe: ${name} ${version}`,
    logoUri: null,
    contractAbi: null,
    trustedForDelegateCall,
  }
}

/** A contract that a team named. The name is a claim and does not make the contract trusted. */
function toNamed(address: Address, name: string): Contract {
  return { address, name, displayName: name, logoUri: null, contractAbi: null, trustedForDelegateCall: false }
}
