import { type ErrorCode, line } from '@countersign/contract'
import { CountersignError } from '@countersign/safe-core'
import { addDelegate, removeDelegate } from '../features/team/delegates.ts'
import { answer, refuse, refuseTogether } from './answers.ts'
import { readFields } from './body-fields.ts'
import { ctxOf } from './caller.ts'
import { pathAddress } from './fields.ts'
import { readBody, type TxService } from './service.ts'
import { toDate } from './wire.ts'

const MAX_LABEL = 50
const MIN_SIGNATURE_BYTES = 65
const MAX_SIGNATURE_BYTES = 5_000

/** Naming and removing who may propose: by a signature with the hour in it. */
export function delegateRequestRoutes({ write }: TxService): void {
  write('POST', '/v2/delegates', 'propose', async (call) => {
    const body = await readBody(call)
    const fields = readFields(body)
    const request = {
      ...readKey(fields),
      delegate: fields.address('delegate'),
      label: fields.text('label', { max: MAX_LABEL }),
      expiryDate: fields.moment('expiryDate', { optional: true }),
    }
    const { safeAddress, delegate, delegator, signature, label, expiryDate } = request
    if (expiryDate && expiryDate <= call.deps.clock())
      fields.fault('expiryDate', '`expiry_date` cannot be previous to the current timestamp')
    if (label && !line(MAX_LABEL).safeParse(label).success) fields.fault('label', 'Not a valid string.')
    fields.done()
    if (!delegate || !delegator || !signature || !label) return refuse(400)
    const { chainId } = call
    await addDelegate(ctxOf(call), { chainId, safeAddress, delegate, delegator, label, expiryDate, signature }).catch(
      inWireWords(
        {
          SAFE_NOT_FOUND: `Safe=${safeAddress} does not exist or it's still not indexed`,
          NOT_AN_OWNER: `Provided delegator=${delegator} is not an owner of Safe=${safeAddress}`,
          SIGNATURE_OF_ANOTHER: `Signature does not match provided delegator=${delegator}`,
        },
        delegator,
      ),
    )
    return answer(201, { safe: safeAddress, delegate, delegator, signature, label, expiryDate: toDate(expiryDate) })
  })

  write('DELETE', '/v2/delegates/{delegate}', 'propose', async (call) => {
    const delegate = pathAddress(call, 'delegate')
    const fields = readFields(await readBody(call))
    const { safeAddress, delegator, signature } = readKey(fields)
    fields.done()
    if (!delegator || !signature) return refuse(400)
    const { chainId } = call
    const asked = { chainId, safeAddress: safeAddress ?? ('any' as const), delegate, delegator, signature }
    await removeDelegate(ctxOf(call), asked).catch((error: unknown) => {
      if (error instanceof CountersignError && error.code === 'DELEGATE_NOT_FOUND') return refuse(404)
      const another = `Signature does not match provided delegate=${delegate} or delegator=${delegator}`
      return inWireWords({ SIGNATURE_OF_ANOTHER: another }, delegator)(error)
    })
    return answer(204)
  })
}

function readKey(fields: ReturnType<typeof readFields>) {
  return {
    safeAddress: fields.address('safe', { optional: true }),
    delegator: fields.address('delegator'),
    signature: fields.hex('signature', { min: MIN_SIGNATURE_BYTES, max: MAX_SIGNATURE_BYTES }),
  }
}

/** What verbs say, in the sentences that clients of this wire know. */
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
