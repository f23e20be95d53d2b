import { type ErrorCode, line } from '@countersign/contract'
import { CountersignError } from '@countersign/safe'
import type { Address } from 'viem'
import { addDelegate, removeDelegate } from '../../features/team/delegates.ts'
import { findDelegators } from '../lists/delegates.ts'
import { answer, refuse, refuseCode, refuseTogether } from '../wire/answers.ts'
import { parseFields } from '../wire/body-fields.ts'
import { ctxOf } from '../wire/caller.ts'
import { pathAddress } from '../wire/fields.ts'
import { type CallOfViewer, readBody, type TxService } from '../wire/service.ts'
import { toDate } from '../wire/values.ts'

const MAX_LABEL = 50
const MIN_SIGNATURE_BYTES = 65
const MAX_SIGNATURE_BYTES = 5_000

/** Naming and removing who may propose: by a signature with the hour in it. v1 signs a text, v2 typed data. */
export function delegateRequestRoutes({ write }: TxService): void {
  for (const version of ['v1', 'v2'] as const) {
    write('POST', `/${version}/delegates`, 'propose', (call) => add(call, version))
    write('DELETE', `/${version}/delegates/{delegate}`, 'propose', (call) => remove(call, version))
  }
  write('DELETE', '/v1/safes/{safe}/delegates/{delegate}', 'propose', removeOfSafe)
}

const forms = { v1: 'text', v2: 'typed-data' } as const
type Version = keyof typeof forms

async function add(call: CallOfViewer, version: Version) {
  const fields = parseFields(await readBody(call))
  const { safeAddress, delegator, signature } = parseKey(fields)
  const delegate = fields.address('delegate')
  const label = fields.text('label', { max: MAX_LABEL })
  // v1 knows no end: what it does not know it ignores.
  const expiryDate = version === 'v1' ? null : fields.moment('expiryDate', { optional: true })
  if (expiryDate && expiryDate <= call.deps.clock())
    fields.fault('expiryDate', '`expiry_date` cannot be previous to the current timestamp')
  if (label && !line(MAX_LABEL).safeParse(label).success) fields.fault('label', 'Not a valid string.')
  fields.done()
  if (!delegate || !delegator || !signature || !label) return refuse(400)
  const key = { chainId: call.chainId, safeAddress, delegate, delegator }
  await addDelegate(ctxOf(call), { ...key, label, expiryDate, signature, form: forms[version] }).catch(
    inWireWords(
      {
        SAFE_NOT_FOUND: `Safe=${safeAddress} does not exist or it's still not indexed`,
        NOT_AN_OWNER: `Provided delegator=${delegator} is not an owner of Safe=${safeAddress}`,
        SIGNATURE_OF_ANOTHER: `Signature does not match provided delegator=${delegator}`,
      },
      delegator,
    ),
  )
  const request = { safe: safeAddress, delegate, delegator, signature, label }
  return answer(201, version === 'v1' ? request : { ...request, expiryDate: toDate(expiryDate) })
}

async function remove(call: CallOfViewer, version: Version) {
  const delegate = pathAddress(call, 'delegate')
  const fields = parseFields(await readBody(call))
  const { safeAddress, delegator, signature } = parseKey(fields)
  fields.done()
  if (!delegator || !signature) return refuse(400)
  // In v1 a Safe stands in the path, or it is all of the pair.
  const place = version === 'v1' ? 'any' : (safeAddress ?? 'any')
  const asked = {
    chainId: call.chainId,
    safeAddress: place,
    delegate,
    delegator,
    signature,
    form: forms[version],
  } as const
  await removeDelegate(ctxOf(call), asked).catch((error: unknown) => {
    if (error instanceof CountersignError && error.code === 'DELEGATE_NOT_FOUND') return refuse(404)
    return inWireWords({ SIGNATURE_OF_ANOTHER: mismatch(delegate, delegator) }, delegator)(error)
  })
  return answer(204)
}

/** The delegator is not named: whoever signed is one of those who named this delegate for the Safe, or it is the delegate. */
async function removeOfSafe(call: CallOfViewer) {
  const safeAddress = pathAddress(call, 'safe')
  const delegate = pathAddress(call, 'delegate')
  const fields = parseFields(await readBody(call))
  const named = fields.address('delegate', { optional: true })
  const signature = fields.hex('signature', { min: MIN_SIGNATURE_BYTES, max: MAX_SIGNATURE_BYTES })
  fields.done()
  if (!signature) return refuse(400)
  if (named !== null && named !== delegate)
    return refuseCode(422, 2, 'Delegate address in body should match the one in the url', [named, delegate])
  const delegators = await findDelegators(call, safeAddress, delegate)
  if (delegators.length === 0) return refuse(404)
  let removed = 0
  for (const delegator of delegators) {
    const asked = { chainId: call.chainId, safeAddress, delegate, delegator, signature, form: 'text' } as const
    await removeDelegate(ctxOf(call), asked).then(
      () => {
        removed += 1
      },
      (error: unknown) => {
        const isOther = error instanceof CountersignError && error.code === 'SIGNATURE_OF_ANOTHER'
        if (!isOther) return inWireWords({}, delegator)(error)
      },
    )
  }
  return removed > 0 ? answer(204) : refuseTogether(mismatch(delegate, delegators.join(', ')))
}

function mismatch(delegate: Address, delegators: string): string {
  return `Signature does not match provided delegate=${delegate} or delegator=${delegators}`
}

function parseKey(fields: ReturnType<typeof parseFields>) {
  return {
    safeAddress: fields.address('safe', { optional: true }),
    delegator: fields.address('delegator'),
    signature: fields.hex('signature', { min: MIN_SIGNATURE_BYTES, max: MAX_SIGNATURE_BYTES }),
  }
}

/** Sentences for the errors of verbs, as clients of this wire know them. */
function inWireWords(words: Partial<Record<ErrorCode, string>>, signer: string) {
  const sentences: Partial<Record<string, string>> = {
    SIGNATURE_MALFORMED: 'Signature is not valid',
    SIGNATURE_KIND_NOT_SUPPORTED: 'Signature is not valid',
    SIGNATURE_DUPLICATED: 'More than one signatures detected, just one is expected',
    SIGNATURE_INVALID: `No valid signature found for signer=${signer}`,
    ...words,
  }
  return (error: unknown): never => {
    const sentence = error instanceof CountersignError ? sentences[error.code] : undefined
    if (sentence !== undefined) return refuseTogether(sentence)
    if (error instanceof CountersignError && error.code === 'TOO_MANY') return refuseTogether(error.message)
    throw error
  }
}
