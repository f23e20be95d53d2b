import { deploymentAt, isSameAddress, lookupDeployment } from '@countersign/safe'
import type { Call } from '@countersign/safe/calls'
import { type Address, isHex, size, slice, zeroAddress } from 'viem'
import { addressArgument, argument, functionName, numberArgument } from '../../call-arguments.ts'
import type { ReviewInput } from '../../input.ts'
import type { Finding, SafeConfiguration } from '../../types.ts'
import { callFinding, codeAt } from '../make-finding.ts'

/** One settings call. `before` is null for a Safe other than the one under review, or when its state is not known. */
export type Change = {
  call: Call
  /** Null where nobody has read that Safe. */
  before: SafeConfiguration | null
  /** The code of the Safe afterwards, where the call is a migration. */
  singleton: Address | null
  /** Why the Safe refuses it, as a code of its contracts; null when it does not, as far as can be told. */
  refusal: string | null
}

/** Code that would answer for the Safe from then on, and that nobody has read. */
export function unreadCode(calls: readonly Call[], codes: ReviewInput['codes']): Address[] {
  return calls.flatMap((call) => {
    const given = ['handler', 'masterCopy', 'l2Singleton', 'fallbackHandler'].map((name) => addressArgument(call, name))
    return given.filter(
      (account): account is Address => account !== null && !isZero(account) && codeAt(codes, account) === undefined,
    )
  })
}

/** Lists the findings about one settings call. */
export function reviewChange({ call, before, singleton, refusal }: Change, input: ReviewInput): Finding[] {
  if (call.operation !== 0) {
    return reviewSingleton(call, singleton, before, input)
  }
  const findings = reviewFunction(call, before, input)
  if (refusal === null) return findings
  const evidence = { function: call.name, gsCode: refusal, threshold: numberArgument(call, 'threshold') }
  const owners = before?.owners.length
  return [...findings, callFinding(call, 'SETTINGS-REVERT', 'high', { ...evidence, owners })]
}

function reviewFunction(call: Call, before: SafeConfiguration | null, input: ReviewInput): Finding[] {
  const safe = { safe: call.to }
  const threshold = numberArgument(call, 'threshold')
  switch (functionName(call)) {
    case 'addOwnerWithThreshold': {
      const evidence = { ...safe, owner: addressArgument(call, 'owner'), threshold }
      const added = callFinding(call, 'OWNER-ADD', 'high', evidence)
      return [added, ...thresholdOfUnknownSafe(call, before), ...newOwnerOfUnknownSafe(call, before)]
    }
    case 'removeOwner': {
      const evidence = { ...safe, owner: addressArgument(call, 'owner'), threshold }
      return [callFinding(call, 'OWNER-REMOVE', 'high', evidence), ...thresholdOfUnknownSafe(call, before)]
    }
    case 'swapOwner': {
      const evidence = {
        ...safe,
        oldOwner: addressArgument(call, 'oldOwner'),
        newOwner: addressArgument(call, 'newOwner'),
      }
      return [callFinding(call, 'OWNER-SWAP', 'high', evidence), ...newOwnerOfUnknownSafe(call, before)]
    }
    case 'changeThreshold':
      return thresholdOfUnknownSafe(call, before)
    case 'enableModule':
      return [reviewModule(call, input)]
    case 'disableModule':
      return [callFinding(call, 'MODULE-DISABLE', 'medium', { ...safe, module: addressArgument(call, 'module') })]
    case 'setGuard':
      return [reviewGuard(call, before, input)]
    case 'setModuleGuard': {
      const after = addressArgument(call, 'moduleGuard')
      const evidence = { ...safe, before: before?.moduleGuard, after }
      return [callFinding(call, 'MODGUARD-CHANGE', isZero(after) ? 'high' : 'critical', evidence)]
    }
    case 'setFallbackHandler':
      return [reviewHandler(call, addressArgument(call, 'handler'), input)]
    case 'setDomainVerifier':
    case 'setSafeMethod':
    case 'addSupportedInterfaceBatch':
      return [
        callFinding(call, 'DOMAIN-VERIFIER', 'critical', { ...safe, function: call.name, verifier: verifierOf(call) }),
      ]
    case 'changeMasterCopy':
      return reviewSingleton(call, addressArgument(call, 'masterCopy'), before, input)
    default:
      return []
  }
}

/** The contract that answers for the Safe from then on: a method is 20 bytes of address at the end of its 32. */
function verifierOf(call: Call): Address | null {
  const method = argument(call, 'newMethod')
  if (method !== null && isHex(method) && size(method) === 32) return slice(method, 12)
  return addressArgument(call, 'newVerifier')
}

/** The threshold of another Safe may fall by this: what it is now is not known here. */
function thresholdOfUnknownSafe(call: Call, before: SafeConfiguration | null): Finding[] {
  if (before !== null) return []
  return [callFinding(call, 'THRESHOLD-DOWN', 'critical', { safe: call.to, after: numberArgument(call, 'threshold') })]
}

/** The new owner of another Safe may be enough to control it: how many are needed is not known here. */
function newOwnerOfUnknownSafe(call: Call, before: SafeConfiguration | null): Finding[] {
  if (before !== null) return []
  const newOwner = addressArgument(call, 'newOwner', 'owner')
  const newOwners = newOwner && [newOwner]
  return [callFinding(call, 'OWNER-QUORUM-UNKNOWN', 'critical', { safe: call.to, newOwners, case: 'unread' })]
}

/** A released module is named, but no release says its code: the address alone does not make it less than critical. */
function reviewModule(call: Call, { codes }: ReviewInput): Finding {
  const module = addressArgument(call, 'module')
  const deployment = module === null ? null : deploymentAt(module)
  const isModule = deployment?.kind === 'module'
  const evidence = { name: isModule ? deployment.name : null, version: isModule ? deployment.version : null }
  const code = module === null ? undefined : codeAt(codes, module)
  const facts = { safe: call.to, module, codeHash: code?.codeHash, ...evidence }
  return callFinding(call, 'MODULE-ENABLE', 'critical', facts)
}

function isZero(address: Address | null): boolean {
  return address === null || isSameAddress(address, zeroAddress)
}

function reviewGuard(call: Call, before: SafeConfiguration | null, input: ReviewInput): Finding {
  const guard = addressArgument(call, 'guard')
  const evidence = { safe: call.to, before: before?.guard, guard }
  if (isZero(guard)) return callFinding(call, 'GUARD-REMOVE', 'high', evidence)
  // A contract that says that it is a guard may still refuse everything from then on.
  const isNotGuard =
    guard !== null && (codeAt(input.codes, guard)?.size === 0 || input.guardAnswers?.[guard.toLowerCase()] === false)
  return callFinding(call, 'GUARD-SET', 'critical', { ...evidence, isGuard: isNotGuard ? false : null })
}

function reviewHandler(call: Call, handler: Address | null, input: ReviewInput): Finding {
  if (handler === null || isZero(handler))
    return callFinding(call, 'HANDLER-ZERO', 'medium', { safe: call.to, handler })
  const evidence = { safe: call.to, handler }
  const deployment = deploymentAt(handler)
  const code = codeAt(input.codes, handler)
  // Where the code was not read, the check of it is not made: see `unreadCode`.
  const isKnown =
    deployment?.kind === 'handler' && (code === undefined || lookupDeployment(handler, code.codeHash) !== null)
  return isKnown
    ? callFinding(call, 'HANDLER-CHANGE', 'low', { ...evidence, name: deployment.name, version: deployment.version })
    : callFinding(call, 'HANDLER-UNKNOWN', 'critical', { ...evidence, codeHash: code?.codeHash })
}

function reviewSingleton(
  call: Call,
  singleton: Address | null,
  before: SafeConfiguration | null,
  input: ReviewInput,
): Finding[] {
  const code = singleton === null ? undefined : codeAt(input.codes, singleton)
  const deployment = singleton === null ? null : deploymentAt(singleton)
  const isOfficial =
    (deployment?.kind === 'singleton' || deployment?.kind === 'singleton-l2') &&
    (code === undefined || code.codeHash === deployment.codeHash)
  const evidence = {
    safe: isSameAddress(call.from, input.safeAddress) ? undefined : call.from,
    before: before?.singleton,
    after: singleton,
    version: isOfficial ? deployment.version : null,
  }
  const findings = [callFinding(call, isOfficial ? 'SLOT0-OFFICIAL' : 'SLOT0-CHANGE', 'critical', evidence)]
  const handler = addressArgument(call, 'fallbackHandler')
  return handler === null ? findings : [...findings, reviewHandler(call, handler, input)]
}
