import { isSameAddress, isVersionBefore, type SafeTx } from '@countersign/safe'
import type { Call } from '@countersign/safe/calls'
import { type Address, isAddress, size, zeroAddress } from 'viem'
import { argument } from '../../call-arguments.ts'
import type { ReviewInput } from '../../input.ts'
import type { Finding, Where } from '../../types.ts'
import { amountOf, finding } from '../make-finding.ts'
import { coinOf } from './balances.ts'

const HIGH_BASE_GAS = 1_000_000n
/** Gas of the call itself: 39,200 at most on Ethereum (cold account and delegate, value, new account). Other chains may ask more. */
const CALL_GAS = 100_000n
/** Gas that no transaction is assumed to exceed. A block of Ethereum has less than a tenth of it. */
const MAX_GAS_OF_ANY_CHAIN = 2n ** 30n
/**
 * Gas for each word of data that the Safe copies into memory before the call: 3 to copy and 3 for memory. The price of memory
 * also grows by the square of its words over 512, and whoever executes can fill memory with long signatures beforehand:
 * 741,455 words for all gas of the largest transaction. Each further word then costs 2 × 741,455 / 512 more.
 */
const WORD_GAS = 6n + 2_897n
const WORDS_SQUARED = 512n
/** More than one part in this many of what the Safe holds is no price for executing. */
const ORDINARY_PART = 100n

/** The fields by which a Safe pays whoever executes its transaction. */
type Refund = Pick<SafeTx, 'safeTxGas' | 'baseGas' | 'gasPrice' | 'gasToken' | 'refundReceiver' | 'data'>

/** The Safe that pays, as far as it is known. */
type Payer = {
  /** The limit of a team's policy is for its own Safe alone. */
  id: 'GAS-REFUND' | 'NESTED-REFUND'
  owners: readonly Address[]
  version: string | null
  balance: bigint | undefined
  evidence: { safe?: Address; call?: readonly number[] }
  where: Where
}

/** The refund of this transaction: its receiver, and how much it can be at most. */
export function reviewRefund(input: ReviewInput): Finding[] {
  const { safeTxGas } = input.safeTx
  const owners = [input.safeAddress, ...(input.state?.owners ?? [])]
  const payer: Payer = {
    id: 'GAS-REFUND',
    owners,
    version: input.state?.version ?? null,
    balance: coinOf(input),
    evidence: {},
    where: {},
  }
  const findings = refundFindings(input.safeTx, payer)
  if (safeTxGas > 0n) {
    findings.push(finding('SAFETXGAS-SET', 'low', { safeTxGas }, { field: 'safeTxGas' }))
  }
  return findings
}

/** The refund of another Safe's transaction, which this one runs: of that Safe nothing is known here. */
export function reviewNestedRefund(call: Call): Finding[] {
  const [gasToken, refundReceiver] = [argument(call, 'gasToken'), argument(call, 'refundReceiver')]
  if (!isGiven(gasToken) || !isGiven(refundReceiver)) return []
  const numberOf = (name: string) => BigInt(argument(call, name) ?? 0)
  const [safeTxGas, baseGas, gasPrice] = [numberOf('safeTxGas'), numberOf('baseGas'), numberOf('gasPrice')]
  const evidence = { safe: call.to, call: call.path }
  const payer: Payer = {
    id: 'NESTED-REFUND',
    owners: [],
    version: null,
    balance: undefined,
    evidence,
    where: { call: call.path },
  }
  return refundFindings({ safeTxGas, baseGas, gasPrice, gasToken, refundReceiver, data: '0x' }, payer)
}

function isGiven(address: string | null): address is Address {
  return address !== null && isAddress(address, { strict: false })
}

/**
 * Returns the largest refund that the Safe can pay for an execution, in base units of the gas token. From 1.0.0, `execTransaction`
 * counts the gas from before its call to after it, and gives the call exactly safeTxGas. Before, it counts from its first line,
 * so that signatures count too, and the contract of an owner can use any amount of gas to check one. From 1.1.0, refunds in native
 * coin are also limited by `tx.gasprice`, which whoever executes chooses.
 *
 * @param version of the Safe's official contract. Without one, nothing limits the refund.
 * @example
 * maximumRefund(newSafeTx({ to, nonce }), '1.4.1') // 0n: without a gas price the Safe pays nobody
 */
export function maximumRefund(
  { safeTxGas, baseGas, gasPrice, data }: Pick<Refund, 'safeTxGas' | 'baseGas' | 'gasPrice' | 'data'>,
  version: string,
): bigint {
  if (isVersionBefore(version, 1, 0)) return (MAX_GAS_OF_ANY_CHAIN + baseGas) * gasPrice
  // Memory also holds the length of the data and a word behind it.
  const words = BigInt(Math.ceil(size(data) / 32)) + 2n
  const copied = words * WORD_GAS + (words * words) / WORDS_SQUARED + 1n
  return (safeTxGas + baseGas + CALL_GAS + copied) * gasPrice
}

function refundFindings(refund: Refund, payer: Payer): Finding[] {
  const { safeTxGas, baseGas, gasPrice, gasToken, refundReceiver } = refund
  const at = (field: 'gasPrice' | 'baseGas' | 'gasToken' | 'refundReceiver') =>
    payer.where.call === undefined ? { field } : payer.where
  const hasToken = !isSameAddress(gasToken, zeroAddress)
  if (gasPrice === 0n) {
    if (!hasToken && isSameAddress(refundReceiver, zeroAddress)) return []
    const where = at(hasToken ? 'gasToken' : 'refundReceiver')
    return [finding('GAS-RECEIVER-SET', 'medium', { ...payer.evidence, gasToken, refundReceiver }, where)]
  }
  const maximum = payer.version === null ? null : maximumRefund(refund, payer.version)
  const evidence = {
    ...payer.evidence,
    maximum: amountOf(maximum, hasToken ? gasToken : 'native'),
    case: maximum === null ? ('unbounded' as const) : undefined,
    gasPrice,
    baseGas,
    safeTxGas,
    gasToken,
    refundReceiver,
  }
  const isOurs = payer.owners.some((owner) => isSameAddress(owner, refundReceiver))
  const isSmall = maximum !== null && maximum * ORDINARY_PART <= (payer.balance ?? 0n)
  const isOrdinary = isOurs && !hasToken && isSmall
  const findings = [finding(payer.id, isOrdinary ? 'high' : 'critical', evidence, at('gasPrice'))]
  if (baseGas > HIGH_BASE_GAS) {
    const high = { ...payer.evidence, baseGas }
    findings.push(finding('GAS-BASEGAS-HIGH', 'high', high, at('baseGas')))
  }
  return findings
}
