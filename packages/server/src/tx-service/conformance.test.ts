import { addSafe, call } from '@countersign/contract'
import { type DemoAccount, demoAccounts } from '@countersign/devnet'
import {
  encodeContractSignature,
  encodeSignatures,
  hashSafeMessage,
  nestedContentForSafeTx,
  parseMessageContent,
  type SafeTx,
  safeMessageTypedData,
} from '@countersign/safe'
import { encodeExecTransaction } from '@countersign/safe/calls'
import { delegateTypedData, deleteRequestTypedData, serviceHour } from '@countersign/safe/service'
import { type Address, concatHex, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { actor, asAlice, devnet, openScene, server } from '../test/scene.ts'
import { eventually, newSafe, signedTx, signInAs } from '../test/test-server.ts'
import { newTxClient, type TxClient } from '../test/tx-client.ts'

/*
 * Rules of the Safe Transaction Service on which clients rely when they write, case by case. Cases about reading
 * alone are in reading.test.ts, api-kit.test.ts, history.test.ts, execution.test.ts and delegate-requests.test.ts.
 */

const [alice, bob, , outsider] = demoAccounts
const chainId = 31337
const origin = '{"url":"https://x","name":"y"}'

let client: TxClient
let ofBob: TxClient
let safeAddress: Address

openScene([alice])

beforeAll(async () => {
  client = await newTxClient(server, asAlice)
  ofBob = await newTxClient(server, await signInAs(server, bob))
  safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address, bob.address] })
  await call(asAlice, addSafe, { chainId, address: safeAddress })
})

/** A proposal as api-kit writes it: text for wei, a number for the nonce. */
async function proposalOf(fields: Partial<SafeTx>, account: DemoAccount = alice, to = safeAddress) {
  const { safeTx, safeTxHash, signature } = await signedTx(to, account, fields)
  const { data, nonce, value, safeTxGas, baseGas, gasPrice, ...rest } = safeTx
  return {
    safeTx,
    safeTxHash,
    signature,
    body: {
      ...rest,
      data,
      value: String(value),
      safeTxGas: String(safeTxGas),
      baseGas: String(baseGas),
      gasPrice: String(gasPrice),
      nonce: Number(nonce),
      contractTransactionHash: safeTxHash,
      sender: account.address,
      signature,
      origin,
    } as Record<string, unknown>,
  }
}

const propose = (body: unknown, safe = safeAddress) => client.post(`/v2/safes/${safe}/multisig-transactions/`, body)
const detail = async (hash: Hex) => (await client.ask(`/v2/multisig-transactions/${hash}/`)).body
const confirm = (hash: Hex, signature: Hex) =>
  ofBob.post(`/v1/multisig-transactions/${hash}/confirmations/`, { signature })
const together = (message: unknown) => ({ nonFieldErrors: [message] })

async function deleteRequest(safeTxHash: Hex, account: DemoAccount, hours = 0): Promise<Hex> {
  const totp = serviceHour(Date.now() / 1000) + hours
  return privateKeyToAccount(account.privateKey).signTypedData(
    deleteRequestTypedData({ chainId, safeAddress, safeTxHash, totp }),
  )
}

const deletion = (hash: Hex, signature: Hex, version = 'v2') =>
  client.post(`/${version}/multisig-transactions/${hash}/`, { signature }, 'DELETE')

function asEthSign(signature: Hex): Hex {
  return `0x${signature.slice(2, -2)}${(Number.parseInt(signature.slice(-2), 16) + 4).toString(16)}`
}

describe('proposing', () => {
  test('case 6, 7: kept with its first confirmation; the same again changes nothing', async () => {
    const { body, safeTxHash } = await proposalOf({})
    expect(await propose(body)).toMatchObject({ status: 201, body: '' })
    const stored = await detail(safeTxHash)
    expect(stored).toMatchObject({
      trusted: true,
      proposer: alice.address,
      proposedByDelegate: null,
      nonce: '0',
      data: null,
      isExecuted: false,
      isSuccessful: null,
      confirmationsRequired: 2,
      confirmations: [{ owner: alice.address, signatureType: 'EOA', transactionHash: null }],
    })
    expect(JSON.parse(stored.origin)).toEqual(JSON.parse(origin))
    expect(await propose(body)).toMatchObject({ status: 201, body: '' })
    expect(await detail(safeTxHash)).toEqual(stored)
  })

  test('case 8: another hash', async () => {
    const { body, safeTxHash } = await proposalOf({ nonce: 50n })
    const wrong = `${safeTxHash.slice(0, -2)}${safeTxHash.endsWith('00') ? '01' : '00'}`
    expect(await propose({ ...body, contractTransactionHash: wrong })).toMatchObject({
      status: 422,
      body: together(`Contract-transaction-hash=${safeTxHash} does not match provided contract-tx-hash=${wrong}`),
    })
  })

  test('case 9: a sender who is neither owner nor delegate', async () => {
    const { body } = await proposalOf({ nonce: 50n }, outsider)
    expect(await propose(body)).toMatchObject({
      status: 422,
      body: together(expect.stringMatching(`^Sender=${outsider.address} is not an owner or delegate. Current owners=`)),
    })
  })

  test('case 10: signed by another owner than the sender', async () => {
    const { body } = await proposalOf({ nonce: 50n })
    const { signature } = await proposalOf({ nonce: 50n }, bob)
    expect(await propose({ ...body, signature })).toMatchObject({
      status: 422,
      body: together(expect.stringMatching(`^Signature does not match sender=${alice.address}. Calculated owners=`)),
    })
  })

  test('case 11: the same signature twice', async () => {
    const { body, signature } = await proposalOf({ nonce: 50n })
    expect(await propose({ ...body, signature: concatHex([signature, signature]) })).toMatchObject({
      status: 422,
      body: together(`Signature for owner=${alice.address} is duplicated`),
    })
  })

  test('case 12: fields, each by its name; operations that are none', async () => {
    const { body } = await proposalOf({ nonce: 50n })
    const lower = String(body.to).toLowerCase()
    const { nonce: _, ...without } = body
    const answers = await Promise.all(
      [
        { ...body, to: lower },
        { ...body, signature: '0x12' },
        without,
        { ...body, operation: 2 },
        { ...body, operation: 3 },
        { ...body, signature: '0x' },
        { ...body, origin: 'x'.repeat(201) },
      ].map((changed) => propose(changed)),
    )
    expect(answers.map(({ status, body: said }) => [status, said])).toEqual([
      [422, { to: [`Address ${lower} is not checksumed`] }],
      [422, { signature: ['Ensure this field has at least 65 hexadecimal chars (not counting 0x).'] }],
      [422, { nonce: ['This field is required.'] }],
      [422, together('Operation CREATE not supported. Please use Safe CreateLib')],
      [422, { operation: ['Unknown operation'] }],
      [422, { signature: ['This field may not be blank.'] }],
      [422, { origin: ['Ensure this field has no more than 200 characters.'] }],
    ])
  })

  test('case 13: without a signature it waits apart', async () => {
    const { body, safeTxHash } = await proposalOf({ nonce: 1n })
    const { origin: _, ...without } = body
    expect((await propose({ ...without, signature: null })).status).toBe(201)
    const list = `/v2/safes/${safeAddress}/multisig-transactions/`
    const hashes = async (query: string) =>
      (await client.ask(`${list}${query}`)).body.results.map((entry: { safeTxHash: Hex }) => entry.safeTxHash)
    expect(await hashes('')).not.toContain(safeTxHash)
    expect(await hashes('?trusted=false')).toContain(safeTxHash)
    expect(await detail(safeTxHash)).toMatchObject({ trusted: false, confirmations: [], origin: '{}' })
  })

  test('case 25: a delegate proposes for the owner', async () => {
    const named = delegateTypedData({
      chainId,
      delegate: outsider.address,
      totp: serviceHour(Date.now() / 1000),
    })
    const signature = await privateKeyToAccount(alice.privateKey).signTypedData(named)
    const added = await client.post('/v2/delegates/', {
      safe: safeAddress,
      delegate: outsider.address,
      delegator: alice.address,
      label: 'L',
      signature,
    })
    expect(added.status).toBe(201)
    const { body, safeTxHash } = await proposalOf({ nonce: 2n }, outsider)
    expect((await propose(body)).status).toBe(201)
    expect(await detail(safeTxHash)).toMatchObject({
      proposer: alice.address,
      proposedByDelegate: outsider.address,
      trusted: true,
      confirmations: [],
    })
  })

  test('case 29: an owner that is a Safe signs by its owners; one byte off is refused', async () => {
    const nested = await newSafe(devnet.rpcUrl, { owners: [alice.address], threshold: 1 })
    const outer = await newSafe(devnet.rpcUrl, { owners: [nested, bob.address], threshold: 1 })
    const { body, safeTx, safeTxHash } = await proposalOf({}, alice, outer)
    const content = nestedContentForSafeTx({ chainId, safeAddress: outer, version: '1.4.1', safeTx })
    const inner = await privateKeyToAccount(alice.privateKey).signTypedData(
      safeMessageTypedData({ chainId, safeAddress: nested, version: '1.4.1', content }),
    )
    const signed = (bytes: Hex) =>
      encodeSignatures([{ owner: nested, signature: encodeContractSignature(nested, bytes) }])
    const broken: Hex = `0x${inner.slice(2, 12)}${inner.slice(12, 14) === '00' ? '01' : '00'}${inner.slice(14)}`
    const refused = await propose({ ...body, sender: nested, signature: signed(broken) }, outer)
    expect(refused).toMatchObject({ status: 422, body: together(expect.stringMatching(/^Signature=.* is not valid$/)) })
    expect((await propose({ ...body, sender: nested, signature: signed(inner) }, outer)).status).toBe(201)
    const [confirmation] = (await ofBob.ask(`/v2/multisig-transactions/${safeTxHash}/`)).body.confirmations
    expect(confirmation).toMatchObject({ owner: nested, signatureType: 'CONTRACT_SIGNATURE' })
    expect(BigInt(`0x${confirmation.signature.slice(66, 130)}`)).toBe(65n)
  })
})

describe('confirming', () => {
  test('case 14, 15, 16: of another owner by eth_sign; of nobody; of what is not known', async () => {
    const { body, safeTxHash } = await proposalOf({})
    await propose(body)
    const before = await detail(safeTxHash)
    const personal = await privateKeyToAccount(bob.privateKey).signMessage({ message: { raw: safeTxHash } })
    const signature = asEthSign(personal)
    const { signature: foreign } = await proposalOf({}, outsider)
    expect(await confirm(safeTxHash, foreign)).toMatchObject({
      status: 400,
      body: { signature: [expect.stringMatching(`^Signer=${outsider.address} is not an owner. Current owners=`)] },
    })
    expect(await confirm(safeTxHash, signature)).toMatchObject({ status: 201, body: { signature } })
    const after = await detail(safeTxHash)
    expect(after.confirmations).toMatchObject([
      { owner: alice.address, signatureType: 'EOA' },
      { owner: bob.address, signatureType: 'ETH_SIGN' },
    ])
    expect(after.modified > before.modified).toBe(true)
    const unknown: Hex = `0x${'12'.repeat(32)}`
    expect(await confirm(unknown, signature)).toMatchObject({
      status: 404,
      body: { detail: `Multisig transaction with safe-tx-hash=${unknown} was not found` },
    })
  })

  test('case 19, 20: after the execution nothing is proposed or confirmed for its nonce', async () => {
    const { safeTx, safeTxHash, signature } = await proposalOf({})
    const { signature: ofBobs } = await proposalOf({}, bob)
    const signatures = encodeSignatures([
      { owner: alice.address, signature },
      { owner: bob.address, signature: ofBobs },
    ])
    const executed = await actor.send({ to: safeAddress, data: encodeExecTransaction(safeTx, signatures) })
    await eventually(async () => (await detail(safeTxHash)).isExecuted)
    const { body } = await proposalOf({ value: 7n })
    expect(await propose(body)).toMatchObject({
      status: 422,
      body: together(`Tx with nonce=0 for safe=${safeAddress} already executed in tx-hash=${executed}`),
    })
    expect(await confirm(safeTxHash, ofBobs)).toMatchObject({
      status: 400,
      body: { signature: [`Transaction with safe-tx-hash=${safeTxHash} was already executed`] },
    })
    expect(await deletion(safeTxHash, await deleteRequest(safeTxHash, alice))).toMatchObject({
      status: 400,
      body: together('Executed transactions cannot be deleted'),
    })
  })
})

describe('deleting', () => {
  test('case 21: by the proposer, signed this hour or the one before; not by others', async () => {
    const [one, other] = [await proposalOf({ nonce: 30n }), await proposalOf({ nonce: 31n })]
    await propose({ ...one.body, signature: null })
    await propose(other.body)
    expect(await deletion(one.safeTxHash, await deleteRequest(one.safeTxHash, bob))).toMatchObject({
      status: 400,
      body: together('Provided signer is not the proposer or the delegate user who proposed the transaction'),
    })
    expect(await deletion(one.safeTxHash, await deleteRequest(one.safeTxHash, alice, -2))).toMatchObject({
      status: 400,
    })
    expect(await deletion(one.safeTxHash, await deleteRequest(one.safeTxHash, alice))).toMatchObject({
      status: 204,
      body: '',
    })
    expect(await client.ask(`/v2/multisig-transactions/${one.safeTxHash}/`)).toMatchObject({
      status: 404,
      body: { detail: 'No MultisigTransaction matches the given query.' },
    })
    expect((await deletion(other.safeTxHash, await deleteRequest(other.safeTxHash, alice, -1), 'v1')).status).toBe(204)
    expect(await deletion(one.safeTxHash, await deleteRequest(one.safeTxHash, alice))).toMatchObject({
      status: 404,
      body: { detail: 'Multisig transaction not found' },
    })
  })
})

describe('messages', () => {
  async function signed(content: string | Record<string, unknown>, account: DemoAccount) {
    const context = { chainId, safeAddress, version: '1.4.1', content: parseMessageContent(JSON.stringify(content)) }
    return {
      hash: hashSafeMessage(context).safeMessageHash,
      signature: await privateKeyToAccount(account.privateKey).signTypedData(safeMessageTypedData(context)),
    }
  }
  const mail = {
    domain: { name: 'Test', chainId },
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'chainId', type: 'uint256' },
      ],
      Mail: [{ name: 'mail_contents', type: 'string' }],
    },
    primaryType: 'Mail',
    message: { mail_contents: 'hi' },
  }

  test.each(['Hello Safe', mail])('case 28: %s: proposed once, signed once by each', async (message) => {
    const { hash, signature } = await signed(message, alice)
    const path = `/v1/safes/${safeAddress}/messages/`
    expect(await client.post(path, { message, signature })).toMatchObject({ status: 201, body: '' })
    expect(await client.post(path, { message, signature })).toMatchObject({
      status: 400,
      body: together(`Message with hash ${hash} for safe ${safeAddress} already exists in DB`),
    })
    const { signature: ofBobs } = await signed(message, bob)
    const sign = () => ofBob.post(`/v1/messages/${hash}/signatures/`, { signature: ofBobs })
    expect((await sign()).status).toBe(201)
    expect(await sign()).toMatchObject({
      status: 400,
      body: together(`Signature for owner ${bob.address} already exists`),
    })
    const stored = (await client.ask(`/v1/messages/${hash}/`)).body
    expect(stored.message).toEqual(message)
    expect(stored.messageHash).toBe(hash)
    expect(stored.confirmations).toHaveLength(2)
  })

  test('behavior: a list starts with the newest entry, or with the oldest on request', async () => {
    const list = async (query = '') => {
      const { body } = await client.ask(`/v1/safes/${safeAddress}/messages/${query}`)
      return body.results.map(({ messageHash }: { messageHash: Hex }) => messageHash)
    }
    const oldest = await list('?ordering=created')
    expect(oldest.at(-1)).toBe((await signed(mail, alice)).hash)
    expect(await list()).toEqual(oldest.toReversed())
  })

  test('error: of nobody, of several, of what is no message', async () => {
    const { signature } = await signed('Bye', outsider)
    const path = `/v1/safes/${safeAddress}/messages/`
    expect(await client.post(path, { message: 'Bye', signature })).toMatchObject({
      status: 400,
      body: together(`${outsider.address} is not an owner of the Safe`),
    })
    expect((await client.post(path, { message: 7, signature })).body).toEqual({
      message: ['Provided value is not a valid message'],
    })
    expect((await client.post(path, { message: { a: 1 }, signature })).body.message[0]).toMatch(
      /^Provided dictionary is not a valid EIP712 message/,
    )
  })
})

describe('who may write', () => {
  test('error: 401 without an account; 404 or the rules for who is not of the team', async () => {
    const nobody = await newTxClient(server, null)
    const stranger = await newTxClient(server, await signInAs(server, outsider))
    const { body } = await proposalOf({ nonce: 60n })
    expect((await nobody.post(`/v2/safes/${safeAddress}/multisig-transactions/`, body)).status).toBe(401)
    const { safeTxHash, body: own } = await proposalOf({ nonce: 61n }, bob)
    await ofBob.post(`/v2/safes/${safeAddress}/multisig-transactions/`, own)
    const { signature } = await proposalOf({ nonce: 62n }, alice)
    const carolsClient = await newTxClient(server, await signInAs(server, demoAccounts[7]))
    expect(
      (await carolsClient.post(`/v1/multisig-transactions/${safeTxHash}/confirmations/`, { signature })).status,
    ).toBe(404)
    expect((await carolsClient.post(`/v2/multisig-transactions/${safeTxHash}/`, { signature }, 'DELETE')).status).toBe(
      404,
    )
    expect((await stranger.ask(`/v2/multisig-transactions/${safeTxHash}/`)).status).toBe(200)
  })
})
