import { CountersignError, splitSignatures } from '@countersign/safe'
import type { Hex } from 'viem'
import { confirm } from '../../features/messages/confirm.ts'
import { propose } from '../../features/messages/propose.ts'
import { answer, refuse, refuseDetail, refuseFields, refuseTogether } from '../wire/answers.ts'
import { parseFields } from '../wire/body-fields.ts'
import { ctxOf } from '../wire/caller.ts'
import { pathAddress, pathHash } from '../wire/fields.ts'
import { type CallOfViewer, readBody, type TxService } from '../wire/service.ts'

const MIN_SIGNATURE_BYTES = 65
const MAX_SIGNATURE_BYTES = 5_000
const MAX_ORIGIN = 200

/** Proposing messages, and signing them. */
export function messageRequestRoutes({ write }: TxService): void {
  write('POST', '/v1/safes/{safe}/messages', 'propose', proposeByWire)
  write('POST', '/v1/messages/{messageHash}/signatures', 'confirm', confirmByWire)
}

async function proposeByWire(call: CallOfViewer) {
  const safeAddress = pathAddress(call, 'safe')
  const body = await readBody(call)
  const fields = parseFields(body)
  const signature = parseSignatureField(fields)
  const safeAppId = fields.integer('safeAppId', { optional: true })
  const origin = fields.text('origin', { optional: true, max: MAX_ORIGIN })
  const { message } = body
  if (message === undefined || message === null)
    fields.fault('message', message === null ? 'This field may not be null.' : 'This field is required.')
  else if (typeof message !== 'string' && (typeof message !== 'object' || Array.isArray(message)))
    fields.fault('message', 'Provided value is not a valid message')
  fields.done()
  if (!signature) return refuse(400)
  requireOne(signature)
  const { chainId, viewer } = call
  const { isNew, message: stored } = await propose(ctxOf(call), {
    chainId,
    safeAddress,
    signature,
    account: viewer.address,
    mustSign: null,
    content: JSON.stringify(message),
    safeMessageHash: null,
    origin,
    safeAppId: safeAppId === null ? null : Number(safeAppId),
  }).catch((error: unknown) => {
    if (error instanceof CountersignError && error.code === 'FIELD_MALFORMED')
      return refuseFields({ message: [`Provided dictionary is not a valid EIP712 message: ${error.message}`] })
    return refuseSignature(error)
  })
  if (!isNew)
    return refuseTogether(`Message with hash ${stored.safeMessageHash} for safe ${safeAddress} already exists in DB`)
  return answer(201)
}

async function confirmByWire(call: CallOfViewer) {
  const safeMessageHash = pathHash(call, 'messageHash')
  const fields = parseFields(await readBody(call))
  const signature = parseSignatureField(fields)
  fields.done()
  if (!signature) return refuse(400)
  requireOne(signature)
  const { chainId, viewer } = call
  const asked = { chainId, safeMessageHash, signature, account: viewer.address, mustSign: null }
  const { isNewConfirmation, message } = await confirm(ctxOf(call), asked).catch((error: unknown) => {
    if (error instanceof CountersignError && error.code === 'MESSAGE_NOT_FOUND')
      return refuseDetail(404, 'No SafeMessage matches the given query.')
    return refuseSignature(error)
  })
  const owner =
    message.confirmations.find((confirmation) => confirmation.signature === signature)?.owner ?? viewer.address
  if (!isNewConfirmation) return refuseTogether(`Signature for owner ${owner} already exists`)
  return answer(201)
}

function parseSignatureField(fields: ReturnType<typeof parseFields>) {
  return fields.hex('signature', { min: MIN_SIGNATURE_BYTES, max: MAX_SIGNATURE_BYTES })
}

function requireOne(signature: Hex): void {
  const { length } = [...splitSignatures(signature)]
  if (length !== 1) refuseTogether(`1 owner signature was expected, ${length} received`)
}

/** Why a signature is not taken, in the sentences that clients of this wire know. */
function refuseSignature(error: unknown): never {
  if (!(error instanceof CountersignError)) throw error
  const { signer, owner, signature } = error.data
  const sentences: Partial<Record<string, string>> = {
    SIGNATURE_MALFORMED: error.message,
    SIGNATURE_KIND_NOT_SUPPORTED: error.message,
    SIGNATURE_INVALID: owner ? `Signature=${signature} for owner=${owner} is not valid` : error.message,
    SIGNATURE_NOT_FROM_OWNER: `${signer} is not an owner of the Safe`,
    NOT_AN_OWNER: error.message,
    SAFE_NOT_FOUND: error.message,
    NOT_A_SAFE: error.message,
    UNKNOWN_SINGLETON: error.message,
    TOO_MANY_MESSAGES: error.message,
  }
  const sentence = sentences[error.code]
  if (sentence === undefined) throw error
  return refuseTogether(sentence)
}
