import { isSameAddress } from '@countersign/safe'
import type { Call } from '@countersign/safe/calls'
import { type Address, isAddress, zeroAddress } from 'viem'
import type { ReviewInput } from '../../input.ts'
import type { Finding, Where } from '../../types.ts'
import { argument, finding } from '../evidence.ts'
import { coinOf } from './balances.ts'

const HIGH_BASE_GAS = 1_000_000n
/** Gas that the Safe counts besides safeTxGas and baseGas: the call itself, and before 1.1.0 the signatures too. */
const COUNTED_AROUND = 100_000n
/** More than one part in this many of what the Safe holds is no price for executing. */
const ORDINARY_PART = 100n

/** The fields by which a Safe pays whoever executes its transaction. */
type Refund = {
  safeTxGas: bigint
  baseGas: bigint
  gasPrice: bigint
  gasToken: Address
  refundReceiver: Address
}

/** The Safe that pays, as far as it is known. */
type Payer = {
  /** The limit of a team's policy is for its own Safe alone. */
  id: 'GAS-REFUND' | 'NESTED-REFUND'
  owners: readonly Address[]
  balance: bigint | undefined
  evidence: { safe?: Address; call?: readonly number[] }
  where: Where
}

/** The refund of this transaction: its receiver, and how much it can be at most. */
export function reviewRefund(input: ReviewInput): Finding[] {
  const { safeTxGas } = input.safeTx
  const owners = [input.safeAddress, ...(input.state?.owners ?? [])]
  const payer: Payer = { id: 'GAS-REFUND', owners, balance: coinOf(input), evidence: {}, where: {} }
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
  const amountOf = (name: string) => BigInt(argument(call, name) ?? 0)
  const [safeTxGas, baseGas, gasPrice] = [amountOf('safeTxGas'), amountOf('baseGas'), amountOf('gasPrice')]
  const evidence = { safe: call.to, call: call.path }
  const payer: Payer = { id: 'NESTED-REFUND', owners: [], balance: undefined, evidence, where: { call: call.path } }
  return refundFindings({ safeTxGas, baseGas, gasPrice, gasToken, refundReceiver }, payer)
}

function isGiven(address: string | null): address is Address {
  return address !== null && isAddress(address, { strict: false })
}

/**
 * The most that the Safe pays for the execution, in base units of the gas token. With a gas price the Safe gives its call
 * exactly safeTxGas. Only refunds in native coin are capped by the Safe (at `tx.gasprice`, from 1.1.0), and whoever
 * executes chooses that.
 *
 * @example
 * maximumRefund(newSafeTx({ to, nonce })) // 0n: without a gas price nobody is paid
 */
export function maximumRefund({ safeTxGas, baseGas, gasPrice }: Pick<Refund, 'safeTxGas' | 'baseGas' | 'gasPrice'>) {
  return (safeTxGas + baseGas + COUNTED_AROUND) * gasPrice
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
  const maximum = maximumRefund(refund)
  const evidence = {
    ...payer.evidence,
    maximum: { value: maximum, asset: hasToken ? gasToken : 'native' },
    gasPrice,
    baseGas,
    safeTxGas,
    gasToken,
    refundReceiver,
  }
  const isOurs = payer.owners.some((owner) => isSameAddress(owner, refundReceiver))
  const isOrdinary = isOurs && !hasToken && maximum * ORDINARY_PART <= (payer.balance ?? 0n)
  const findings = [finding(payer.id, isOrdinary ? 'high' : 'critical', evidence, at('gasPrice'))]
  if (baseGas > HIGH_BASE_GAS) {
    const high = { ...payer.evidence, baseGas }
    findings.push(finding('GAS-BASEGAS-HIGH', 'high', high, at('baseGas')))
  }
  return findings
}
