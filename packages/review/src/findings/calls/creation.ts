import { type DecodedValue, type Deployment, deploymentAt, isSameAddress } from '@countersign/safe'
import { type Call, decodeCalldata } from '@countersign/safe/calls'
import { type Address, isHex, size, zeroAddress } from 'viem'
import { addressArgument, argument, functionName, numberArgument } from '../../call-arguments.ts'
import type { SubjectInput } from '../../input.ts'
import type { Finding } from '../../types.ts'
import { amountOf, callFinding, codeAt } from '../make-finding.ts'

/** A contract is created: its code is in the call data. */
export function reviewCreation(call: Call): Finding {
  const code = argument(call, 'deploymentData')
  const bytes = code !== null && isHex(code) ? size(code) : null
  const value = amountOf(numberArgument(call, 'value') || null, 'native')
  return callFinding(call, 'CODE-CREATE', 'high', { function: call.name, bytes, value })
}

/** The Safe that creates, or is created, with the codes that were read. `own`: the accounts that are no outsiders; null where any may own. */
type Around = Pick<SubjectInput, 'safeAddress' | 'codes'> & { own: readonly Address[] | null }

/** A Safe is created or set up: by which code, for whom, and what runs as it at once. */
export function reviewSafeCreation(call: Call, input: Around): Finding[] {
  const isSetup = functionName(call) === 'setup'
  // A Safe that exists refuses it. Whoever asks for it hopes that this one does not.
  if (isSetup && (isSameAddress(call.from, call.to) || isSameAddress(call.to, input.safeAddress)))
    return [callFinding(call, 'SETUP-AGAIN', 'critical', { safe: call.to })]
  const findings: Finding[] = []
  const singleton = addressArgument(call, 'singleton')
  if (singleton !== null && !isOfficial(singleton, ['singleton', 'singleton-l2'], input)) {
    findings.push(callFinding(call, 'DEPLOY-SETUP-DELEGATE', 'critical', { singleton }))
  }
  const initializer = argument(call, 'initializer')
  if (!isSetup && initializer === null) return findings
  // With no bytes at all nobody owns it, until the first who comes sets it up.
  const setup = isSetup ? call.args.map(({ decoded }) => decoded) : setupIn(initializer)
  if (setup === null) {
    const evidence = { function: call.name, initializer }
    return [...findings, callFinding(call, 'DEPLOY-SETUP-DELEGATE', 'critical', evidence)]
  }
  return [...findings, ...reviewSetup(call, setup, input)]
}

/** The arguments of a setup; null where the bytes are none. */
function setupIn(initializer: string | null): readonly DecodedValue[] | null {
  if (initializer === null || !isHex(initializer)) return null
  const read = decodeCalldata(initializer)
  return read !== null && read.called !== null && read.called.name === 'setup' ? read.decoded.values : null
}

function reviewSetup(call: Call, setup: readonly DecodedValue[], input: Around): Finding[] {
  const findings: Finding[] = []
  const runs = addressIn(setup, 'to')
  if (runs === null) findings.push(callFinding(call, 'DEPLOY-SETUP-DELEGATE', 'critical', { function: call.name }))
  else if (!isSameAddress(runs, zeroAddress)) findings.push(...reviewSetupCode(call, runs, setup, input))
  findings.push(...reviewOwners(call, setup, input))
  const handler = addressIn(setup, 'fallbackHandler')
  if (handler !== null && !isSameAddress(handler, zeroAddress) && !isOfficial(handler, ['handler'], input)) {
    findings.push(callFinding(call, 'HANDLER-UNKNOWN', 'critical', { handler }))
  }
  const payment = setup.find(({ name }) => name === 'payment')
  if (payment?.kind === 'number' && payment.value > 0n) {
    const [gasToken, refundReceiver] = [addressIn(setup, 'paymentToken'), addressIn(setup, 'paymentReceiver')]
    const asset = gasToken === zeroAddress ? 'native' : gasToken
    const evidence = { maximum: { value: payment.value, asset }, gasToken, refundReceiver }
    findings.push(callFinding(call, 'NESTED-REFUND', 'critical', evidence))
  }
  return findings
}

/** The code that a setup runs as the new Safe: the library that makes it one of a layer 2, and no other. */
function reviewSetupCode(call: Call, runs: Address, setup: readonly DecodedValue[], input: Around): Finding[] {
  if (!isOfficial(runs, ['l2-setup'], input)) return [callFinding(call, 'DEPLOY-SETUP-DELEGATE', 'critical', { runs })]
  const data = setup.find(({ name }) => name === 'data')
  const read = data?.kind === 'bytes' ? decodeCalldata(data.value) : null
  const isKnown = read !== null && read.called !== null && read.called.name === 'setupToL2'
  const singleton = isKnown ? addressIn(read.decoded.values, 'l2Singleton') : null
  if (singleton !== null && isOfficial(singleton, ['singleton', 'singleton-l2'], input)) return []
  return [callFinding(call, 'DEPLOY-SETUP-DELEGATE', 'critical', { runs, singleton })]
}

/** Owners of the new Safe besides this one and its owners; critical where they could act alone. */
function reviewOwners(call: Call, setup: readonly DecodedValue[], input: Around): Finding[] {
  const { own } = input
  if (own === null) return []
  const owners = setup.find(({ name }) => name === 'owners')
  const threshold = setup.find(({ name }) => name === 'threshold')
  if (owners?.kind !== 'list' || threshold?.kind !== 'number') return []
  const foreign = owners.value.flatMap((owner) =>
    owner.kind === 'address' && !own.some((address) => isSameAddress(address, owner.value)) ? [owner.value] : [],
  )
  if (foreign.length === 0) return []
  const severity = BigInt(foreign.length) >= threshold.value ? 'critical' : 'high'
  const evidence = { newOwners: foreign, threshold: threshold.value, owners: owners.value.length }
  return [callFinding(call, 'CREATION-OWNERS', severity, evidence)]
}

function addressIn(values: readonly DecodedValue[], name: string): Address | null {
  const found = values.find((value) => value.name === name)
  return found?.kind === 'address' ? found.value : null
}

function isOfficial(address: Address, kinds: readonly Deployment['kind'][], input: Around): boolean {
  const deployment = deploymentAt(address)
  if (deployment === null || !kinds.includes(deployment.kind)) return false
  const code = codeAt(input.codes, address)
  return code === undefined || code.codeHash === deployment.codeHash
}
